package strictyaml

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Placeholder reports whether text stands for what is still to be written, as in
// <one line that says what failed>, and returns what that is.
func Placeholder(text string) (what string, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) < 3 || text[0] != '<' || text[len(text)-1] != '>' {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// Placeholders reports every single value in v that is still to be written.
func (v Value) Placeholders() { v.d.placeholders(v.n, v.path) }

func (d *decoder) placeholders(n *yaml.Node, path string) {
	switch n.Kind {
	case yaml.ScalarNode:
		if what, ok := Placeholder(n.Value); ok {
			d.report(n, path, "placeholder", "is still to be written", "write "+what)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			d.placeholders(n.Content[i+1], join(path, n.Content[i].Value))
		}
	case yaml.SequenceNode:
		for i, one := range n.Content {
			d.placeholders(one, fmt.Sprintf("%s[%d]", path, i))
		}
	}
}
