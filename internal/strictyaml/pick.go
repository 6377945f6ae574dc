package strictyaml

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Pick returns a shorter form of src, a document of the type that v points to:
// without the fields of these paths, such as page or variants.expect, and with the
// text of one key in place of each mapping that holds nothing but the given keys,
// the wanted one first. Comments and the way in which mappings stand are kept. src
// must be free of problems.
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
	return []byte(airy(b.String())), nil
}

func pick(n *yaml.Node, path string, without, keys []string) {
	if n.Kind != yaml.MappingNode {
		for _, c := range n.Content {
			pick(c, path, without, keys)
		}
		return
	}
	if text := among(n, keys); text != nil {
		style := yaml.Style(0)
		if columns(text.Value) > lineWidth-30 {
			style = yaml.FoldedStyle
		}
		*n = yaml.Node{Kind: yaml.ScalarNode, Tag: text.Tag, Value: text.Value, Style: style, HeadComment: n.HeadComment}
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

// airy sets the fields of a document apart and breaks the lines of folded prose.
func airy(doc string) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(doc, "\n"), "\n")
	for i, line := range lines {
		if i > 0 && line != "" && line[0] != ' ' && line[0] != '-' && !strings.HasPrefix(lines[i-1], "#") {
			b.WriteString("\n")
		}
		if i > 0 && strings.HasSuffix(lines[i-1], ": >-") {
			broken(&b, line)
			continue
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// broken writes a line of prose over several, each as far in.
func broken(b *strings.Builder, line string) {
	words := strings.Fields(line)
	in := line[:len(line)-len(strings.TrimLeft(line, " "))]
	col := 0
	for i, w := range words {
		switch {
		case i == 0:
			b.WriteString(in + w)
			col = len(in) + columns(w)
			continue
		case col+1+columns(w) > lineWidth:
			b.WriteString("\n" + in + w)
			col = len(in) + columns(w)
			continue
		}
		b.WriteString(" " + w)
		col += 1 + columns(w)
	}
	b.WriteString("\n")
}
