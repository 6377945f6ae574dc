package manifest

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/check/object"
)

// unrendered is the problem of a template.
func unrendered(source string, line int) *Problem {
	return &Problem{source, line, "is a template that is not rendered", "render it first, such as with `helm template`, and give that"}
}

// isTemplate tells a template from text that holds braces: outside of quotes and
// blocks, {{ begins a flow mapping with a mapping for a key, which nobody writes.
func isTemplate(src []byte) bool {
	for line := range bytes.Lines(src) {
		l := bytes.TrimSpace(line)
		at := bytes.Index(l, []byte("{{"))
		if at < 0 || l[0] == '#' {
			continue
		}
		if at == 0 || at >= 2 && (bytes.HasSuffix(l[:at], []byte(": ")) || bytes.HasSuffix(l[:at], []byte("- "))) {
			return true
		}
	}
	return false
}

// hasOddKey reports whether a mapping has a mapping for a key, as {{ x }} reads
// where it stands for a value. In a block of text it is text.
func hasOddKey(n *yaml.Node) bool {
	for i, one := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && one.Kind == yaml.MappingNode || hasOddKey(one) {
			return true
		}
	}
	return false
}

// placeholder is what only templates of Helm say, and no text that a running program
// reads, such as the rules of Prometheus with their own braces.
var placeholder = regexp.MustCompile(`\{\{-?\s*(\.(Values|Release|Chart|Capabilities)\b|include\s|template\s|tpl\s|toYaml\s|default\s)`)

// plainKinds are kinds, beside workloads, in which no placeholder means anything.
var plainKinds = []string{"HorizontalPodAutoscaler", "Ingress", "PodDisruptionBudget", "Service"}

// holdsTemplate reports whether an object is one of a template whose placeholders stand
// in quotes, so that it is YAML before it is rendered.
func holdsTemplate(m map[string]any) bool {
	kind, _ := m["kind"].(string)
	return (slices.Contains(plainKinds, kind) || slices.Contains(object.WorkloadKinds(), kind)) && holdsPlaceholder("", m)
}

// holdsPlaceholder looks through a value that stands in a field of a name. Annotations
// may hold the templates of others.
func holdsPlaceholder(name string, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, one := range v {
			if k != "annotations" && holdsPlaceholder(k, one) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return holdsPlaceholder(name, one) })
	case string:
		switch {
		case strings.Contains(v, "\n"): // a script, which may hold anything
			return false
		case name == "image" || name == "replicas":
			return strings.Contains(v, "{{") || strings.Contains(v, "${")
		}
		return placeholder.MatchString(v)
	}
	return false
}
