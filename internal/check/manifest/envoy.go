package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/check/object"
)

// envoyRetries is how many retries Envoy lets go to a cluster at once where its
// thresholds do not say so (max_retries of CircuitBreakers.Thresholds).
const envoyRetries = 3

// envoyFile is a document of Envoy's: its bootstrap file, what /config_dump of its
// administration interface answers, or a file of routes.
type envoyFile struct {
	Document
	routes   []*object.Object
	clusters map[string]map[string]any // by name, what routes to them are told of them
	named    map[string]int            // how often a route of that name was met
}

// envoy returns the routes of a document of Envoy's, or reports false.
func (d Document) envoy(t object.Tree) (Content, bool) {
	e := envoyFile{Document: d, clusters: map[string]map[string]any{}, named: map[string]int{}}
	var at []string // where to look for routes
	switch resources, configs := t.Trees("resources"), t.Trees("configs"); {
	case t.Sub("static_resources").Len() > 0:
		e.addClusters(t.Trees("static_resources", "clusters")...)
		at = []string{"static_resources"}
	case len(configs) > 0 && strings.Contains(configs[0].Text("@type"), "envoy.admin."):
		for i, c := range configs {
			for _, list := range []string{"static_clusters", "dynamic_active_clusters"} {
				for _, one := range c.Trees(list) {
					e.addClusters(one.Sub("cluster"))
				}
			}
			// The bootstrap and the listeners are there too, with the same routes again.
			if strings.HasSuffix(c.Text("@type"), ".RoutesConfigDump") {
				at = append(at, index("configs", i))
			}
		}
	case len(resources) > 0 && strings.Contains(resources[0].Text("@type"), "envoy.config."):
		for _, one := range resources {
			if strings.HasSuffix(one.Text("@type"), ".Cluster") {
				e.addClusters(one)
			}
		}
		at = []string{"resources"}
	case len(t.Trees(spelled(t, "virtual_hosts"))) > 0:
		at = []string{""}
	default:
		return Content{}, false
	}
	for _, path := range at {
		e.find(below(t, path), path)
	}
	return Content{Objects: e.routes, Whole: []string{object.EnvoyRoute}}, true
}

// addClusters keeps how many retries may go to clusters at once.
func (e *envoyFile) addClusters(all ...object.Fields) {
	for _, c := range all {
		kept := map[string]any{"max_retries": int64(envoyRetries), "retry_budget": false}
		for _, limits := range c.Sub(spelled(c, "circuit_breakers")).Trees("thresholds") {
			if p := limits.Text("priority"); p != "" && p != "DEFAULT" {
				continue
			}
			if n := limits.At(spelled(limits, "max_retries")); n != nil {
				kept["max_retries"] = n
			}
			kept["retry_budget"] = limits.At(spelled(limits, "retry_budget")) != nil
		}
		e.clusters[c.Text("name")] = kept
	}
}

// find adds the routes of all virtual hosts below a value, wherever listeners and
// filters have put them.
func (e *envoyFile) find(v any, path string) {
	switch v := v.(type) {
	case []any:
		for i, one := range v {
			e.find(one, index(path, i))
		}
	case map[string]any:
		t := object.Tree(v)
		hosts := spelled(t, "virtual_hosts")
		for i, host := range t.Trees(hosts) {
			e.addHost(t.Text("name"), host, index(object.Join(path, hosts), i))
		}
		if len(t.Trees(hosts)) > 0 {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			e.find(v[name], object.Join(path, name))
		}
	}
}

// addHost adds the routes of a virtual host that lead to a cluster.
func (e *envoyFile) addHost(config string, host object.Fields, path string) {
	shared := host.Sub(spelled(host, "retry_policy"))
	for i, one := range host.Trees("routes") {
		action := one.Sub("route")
		if action.Len() == 0 {
			continue // a redirect or an answer of the proxy's own
		}
		own := action.Sub(spelled(action, "retry_policy"))
		inherited := own.Len() == 0 && shared.Len() > 0
		if inherited {
			own = shared
		}
		route := map[string]any{}
		if v := action.At("timeout"); v != nil {
			route["timeout"] = v
		}
		if own.Len() > 0 {
			route["retry_policy"] = retryPolicy(own)
		}
		fields := object.Tree{"route": route}
		if c, ok := e.cluster(action); ok {
			fields["cluster"] = c
		}
		o := e.setting(fields, index(object.Join(path, "routes"), i), object.EnvoyRoute, e.name(config, host, one))
		o.Namespace = config
		if inherited {
			ofRoute, ofHost := o.Locate, e.locate(path)
			o.Locate = func(path string) (int, int) {
				if rest, ok := strings.CutPrefix(path, "route.retry_policy"); ok {
					return ofHost("retry_policy" + rest)
				}
				return ofRoute(path)
			}
		}
		e.routes = append(e.routes, o)
	}
}

// retryPolicy returns what checks ask of a policy, in the names of Envoy's files.
func retryPolicy(t object.Fields) map[string]any {
	kept := map[string]any{}
	for _, name := range []string{"retry_on", "num_retries", "per_try_timeout"} {
		if v := t.At(spelled(t, name)); v != nil {
			kept[name] = v
		}
	}
	return kept
}

// cluster returns what is known of the clusters that a route leads to: of the one
// that lets the most retries go at once. It reports false where one was not read.
func (e *envoyFile) cluster(action object.Fields) (map[string]any, bool) {
	names := []string{action.Text("cluster")}
	if weighted := action.Sub(spelled(action, "weighted_clusters")).Trees("clusters"); len(weighted) > 0 {
		names = names[:0]
		for _, one := range weighted {
			names = append(names, one.Text("name"))
		}
	}
	var most map[string]any
	for _, name := range names {
		c, ok := e.clusters[name]
		if !ok {
			return nil, false
		}
		if most == nil || retriesOf(c) > retriesOf(most) {
			most = c
		}
	}
	return most, true
}

func retriesOf(cluster map[string]any) int64 {
	if cluster["retry_budget"] == true {
		return 0
	}
	return object.Tree(cluster).Whole(envoyRetries, "max_retries")
}

// name returns what a route is called: by its own name, or by what it matches.
func (e *envoyFile) name(config string, host, route object.Fields) string {
	match := route.Sub("match")
	name := cmp.Or(route.Text("name"), match.Text("path"), match.Text("prefix"),
		match.Text(spelled(match, "path_separated_prefix")), match.Text(spelled(match, "safe_regex"), "regex"))
	name = strings.TrimSpace(host.Text("name") + " " + name)
	met := config + "/" + name
	if e.named[met]++; e.named[met] > 1 {
		name = fmt.Sprintf("%s (%d)", name, e.named[met])
	}
	return name
}

// spelled returns how the name of a field stands: as in Envoy's files, or as in JSON
// for protocol buffers, such as retryPolicy.
func spelled(t object.Fields, name string) string {
	if t.At(name) != nil {
		return name
	}
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	if other := strings.Join(words, ""); t.At(other) != nil {
		return other
	}
	return name
}

// below returns what stands at a path, all of the fields at an empty one.
func below(t object.Tree, path string) any {
	if path == "" {
		return map[string]any(t)
	}
	return t.Lookup(path)
}
