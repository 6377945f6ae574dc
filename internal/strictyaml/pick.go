package strictyaml

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Pick returns a shorter form of src, a document of the type that v points to:
// without the fields of these paths, such as page or variants.expect, and with the
// text of one key in place of each mapping that holds nothing but the given keys,
// the wanted one first. It is formatted as [Format] does. src must be free of
// problems.
func Pick(file string, src []byte, v any, without []string, keys ...string) ([]byte, Problems) {
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil || root.Kind != yaml.DocumentNode {
		_, problems := Decode(file, src, v)
		return nil, problems
	}
	pick(&root, "", without, keys)
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(&root); err != nil {
		_, problems := Decode(file, src, v)
		return nil, problems
	}
	return Format(file, b.Bytes(), v)
}

func pick(n *yaml.Node, path string, without, keys []string) {
	if n.Kind != yaml.MappingNode {
		for _, c := range n.Content {
			pick(c, path, without, keys)
		}
		return
	}
	if text := among(n, keys); text != nil {
		*n = yaml.Node{Kind: yaml.ScalarNode, Tag: text.Tag, Value: text.Value, Style: text.Style &^ yaml.LiteralStyle, HeadComment: n.HeadComment}
		return
	}
	var kept []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		at := n.Content[i].Value
		if path != "" {
			at = path + "." + at
		}
		if slices.Contains(without, at) {
			continue
		}
		pick(n.Content[i+1], at, without, keys)
		kept = append(kept, n.Content[i], n.Content[i+1])
	}
	n.Content = kept
}

// among returns the text of the first key that a mapping has, if it has no others.
func among(n *yaml.Node, keys []string) *yaml.Node {
	found := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(keys, n.Content[i].Value) || n.Content[i+1].Kind != yaml.ScalarNode {
			return nil
		}
		found[n.Content[i].Value] = n.Content[i+1]
	}
	for _, k := range keys {
		if text := found[k]; text != nil {
			return text
		}
	}
	return nil
}
