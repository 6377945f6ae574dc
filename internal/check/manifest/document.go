// Package manifest reads documents that hold objects: streams of YAML and JSON as
// kubectl, Helm and Kustomize write them.
package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds of what is read.
const (
	MaxSize  = 256 << 20 // bytes of a file
	maxDepth = 100       // fields in each other
	maxWidth = 4_000_000 // values of a document
)

// Document is one document of a stream.
type Document struct {
	Source string // what to call the stream
	Line   int    // where the document begins, from 1
	Value  any    // maps, lists, text, int64, float64, bool and nil

	src   []byte
	first int // line of the stream at which src begins
}

// Problem is something that keeps a document from being read.
type Problem struct {
	Source string
	Line   int // from 1, 0 where that is not known
	Msg    string
	Help   string
}

// Error implements error.
func (p Problem) Error() string {
	at := p.Source
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d", p.Source, p.Line)
	}
	return fmt.Sprintf("%s: %s; %s", at, p.Msg, p.Help)
}

// Read takes a stream apart. What cannot be read of it is a problem; the other
// documents are there nevertheless. It takes src over: what is secret in it is
// overwritten once it is asked for its objects.
func Read(source string, src []byte) ([]Document, []Problem) {
	return ReadBounded(source, src, maxWidth)
}

// ReadBounded is Read for a stranger's stream: no document of it may have more
// values than so many, those that its aliases stand for among them.
func ReadBounded(source string, src []byte, values int) ([]Document, []Problem) {
	if len(src) > MaxSize {
		return nil, []Problem{{source, 0, fmt.Sprintf("has %d bytes, more than %d", len(src), MaxSize), "split it"}}
	}
	src = bytes.TrimPrefix(inUTF8(src), []byte("\xef\xbb\xbf"))
	if looksLikeJSON(src) {
		return readJSON(source, src)
	}
	var documents []Document
	var problems []Problem
	for _, one := range split(src) {
		d, problem := readYAML(source, one, values)
		if problem != nil {
			problems = append(problems, *problem)
		} else if d.Value != nil {
			documents = append(documents, d)
		}
	}
	return documents, problems
}

func looksLikeJSON(src []byte) bool {
	src = bytes.TrimLeft(src, " \t\r\n")
	return len(src) > 0 && (src[0] == '{' || src[0] == '[') && !bytes.HasPrefix(src, []byte("{{"))
}

// piece is a part of a stream.
type piece struct {
	src  []byte
	line int
}

// split cuts a YAML stream at the lines that begin or end a document, so that one that
// cannot be read does not take the others with it.
func split(src []byte) []piece {
	var all []piece
	begin, line, from := 0, 1, 1
	for at := 0; at < len(src); {
		end := bytes.IndexByte(src[at:], '\n')
		next := len(src)
		if end >= 0 {
			next = at + end + 1
		}
		if l := src[at:next]; bytes.HasPrefix(l, []byte("---")) && (len(bytes.TrimSpace(l)) == 3 || l[3] == ' ' || l[3] == '\t') {
			all = append(all, piece{src[begin:at], from})
			begin, from = at, line
		} else if bytes.Equal(bytes.TrimRight(l, " \t\r\n"), []byte("...")) {
			all = append(all, piece{src[begin:at], from})
			begin, from = next, line+1
		}
		at, line = next, line+1
	}
	return append(all, piece{src[begin:], from})
}

func readYAML(source string, one piece, values int) (Document, *Problem) {
	d := Document{Source: source, Line: one.line, src: one.src, first: one.line}
	var n yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(one.src))
	err := dec.Decode(&n)
	if errors.Is(err, io.EOF) {
		return d, nil
	}
	if err == nil && dec.Decode(&yaml.Node{}) != io.EOF {
		err = errors.New("line 1: another document begins without a line of ---")
	}
	if bytes.Contains(one.src, []byte("{{")) && isTemplate(one.src) && (err != nil || hasOddKey(&n)) {
		return d, unrendered(source, one.line)
	}
	if err != nil {
		return d, yamlProblem(source, one.line, err)
	}
	c := converter{left: values, most: values}
	v, err := c.value(&n, 0)
	if err != nil {
		return d, &Problem{source, one.line + n.Line - 1, err.Error(), "write it plainly"}
	}
	if m := n.Content[0]; m.Kind == yaml.MappingNode {
		d.Line = one.line + m.Line - 1
	}
	if bytes.Contains(one.src, []byte("{{")) || bytes.Contains(one.src, []byte("${")) {
		if m, ok := v.(map[string]any); ok && holdsTemplate(m) {
			return d, unrendered(source, d.Line)
		}
	}
	d.Value = v
	return d, nil
}

func yamlProblem(source string, line int, err error) *Problem {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	var at int
	if n, e := fmt.Sscanf(msg, "line %d:", &at); n == 1 && e == nil {
		_, msg, _ = strings.Cut(msg, ": ")
		line += at - 1
	}
	return &Problem{source, line, "is no YAML: " + strings.TrimSpace(firstLine(msg)), "mend it, or leave the file out"}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// converter makes plain values of YAML nodes, within bounds: aliases of aliases
// could make more of a short text than any memory holds.
type converter struct{ left, most int }

var errDeep = fmt.Errorf("has more than %d fields in each other", maxDepth)

func (c *converter) value(n *yaml.Node, depth int) (any, error) {
	if c.left--; c.left < 0 {
		return nil, fmt.Errorf("has more than %d values", c.most)
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return c.value(n.Content[0], depth)
	case yaml.AliasNode:
		return c.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, one := range n.Content {
			v, err := c.value(one, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		return c.mapping(n, depth)
	}
	return scalar(n), nil
}

func (c *converter) mapping(n *yaml.Node, depth int) (any, error) {
	m, seen := make(map[string]any, len(n.Content)/2), make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		v, err := c.value(value, depth+1)
		if err != nil {
			return nil, err
		}
		if key.Tag == "!!merge" {
			for _, one := range merged(v) {
				for k, inner := range one {
					if _, own := m[k]; !own {
						m[k] = inner
					}
				}
			}
			continue
		}
		if seen[key.Value] && !hasMerge(n) {
			return nil, fmt.Errorf("line %d: the field %q stands a second time", key.Line, key.Value)
		}
		seen[key.Value] = true
		if v == nil {
			delete(m, key.Value) // as the API server does: null is absent
			continue
		}
		m[key.Value] = v
	}
	return m, nil
}

func merged(v any) []map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return []map[string]any{v}
	case []any:
		var all []map[string]any
		for _, one := range v {
			all = append(all, merged(one)...)
		}
		return all
	}
	return nil
}

func hasMerge(n *yaml.Node) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag == "!!merge" {
			return true
		}
	}
	return false
}

func scalar(n *yaml.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int":
		var i int64
		if n.Decode(&i) == nil {
			return i
		}
	case "!!float":
		var f float64
		if n.Decode(&f) == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	}
	return n.Value
}
