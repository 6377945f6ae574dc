package manifest

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/check/object"
)

// locate returns a function that finds where the fields of an object stand, of
// which the object itself stands at some path. It reads the document again, since
// few objects are ever asked about.
func (d Document) locate(of string) func(path string) (line, col int) {
	return func(path string) (int, int) {
		var n yaml.Node
		if err := yaml.Unmarshal(d.src, &n); err != nil || len(n.Content) == 0 {
			return d.Line, 1
		}
		at := n.Content[0]
		line, col := at.Line, at.Column
		for _, step := range append(object.Steps(of), object.Steps(path)...) {
			key, next := child(at, step)
			if next == nil {
				break
			}
			at, line, col = next, key.Line, key.Column
		}
		return d.first + line - 1, col
	}
}

// child returns what stands one step further, and what to point to.
func child(n *yaml.Node, step string) (key, value *yaml.Node) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if index, ok := strings.CutPrefix(step, "["); ok {
		i, err := strconv.Atoi(index)
		if err != nil || n.Kind != yaml.SequenceNode || i < 0 || i >= len(n.Content) {
			return nil, nil
		}
		return n.Content[i], n.Content[i]
	}
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == step {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}
