package testapi

import (
	"fmt"
	"net/url"
	"strings"
)

// pathOf returns where an object stands in the API.
func pathOf(o map[string]any) (string, error) {
	version, _ := o["apiVersion"].(string)
	kind, _ := o["kind"].(string)
	meta, _ := o["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	namespace, _ := meta["namespace"].(string)
	if version == "" || kind == "" || name == "" {
		return "", fmt.Errorf("an object has no version, kind or name: %q %q %q", version, kind, name)
	}
	path := "/apis/" + version
	if !strings.Contains(version, "/") {
		path = "/api/" + version
	}
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + resource(kind) + "/" + url.PathEscape(name), nil
}

// resource returns how the API names the objects of a kind. The names are of the
// authors' choice; those of all kinds that tests write are made so.
func resource(kind string) string {
	k := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(k, "s"):
		return k + "es"
	case strings.HasSuffix(k, "y") && !strings.HasSuffix(k, "ay"):
		return strings.TrimSuffix(k, "y") + "ies"
	}
	return k + "s"
}
