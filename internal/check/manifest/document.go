// Package manifest reads documents that hold objects: streams of YAML and JSON as
// kubectl, Helm and Kustomize write them.
package manifest

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/check/object"
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
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
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

// split cuts a YAML stream at the lines that begin a document, so that one that
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
		}
		at, line = next, line+1
	}
	return append(all, piece{src[begin:], from})
}

func readYAML(source string, one piece, values int) (Document, *Problem) {
	d := Document{Source: source, Line: one.line, src: one.src, first: one.line}
	var n yaml.Node
	err := yaml.Unmarshal(one.src, &n)
	if bytes.Contains(one.src, []byte("{{")) && isTemplate(one.src) && (err != nil || hasOddKey(&n)) {
		return d, &Problem{source, one.line, "is a template that is not rendered", "render it first, such as with `helm template`, and give that"}
	}
	if err != nil {
		return d, yamlProblem(source, one.line, err)
	}
	if n.Kind == 0 {
		return d, nil
	}
	c := converter{left: values, most: values}
	v, err := c.value(&n, 0)
	if err != nil {
		return d, &Problem{source, one.line + n.Line - 1, err.Error(), "write it plainly"}
	}
	if m := n.Content[0]; m.Kind == yaml.MappingNode {
		d.Line = one.line + m.Line - 1
	}
	d.Value = v
	return d, nil
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

// Content is what a document holds.
type Content struct {
	Objects []*object.Object
	Whole   []string // kinds of which all objects are here, be there any or not
	Torn    []Torn   // kinds of which some are missing
	Part    *object.Part
	// Lists are those that tell how many objects they leave out, as the API server
	// answers where few were asked for.
	Lists []*object.Object
	Uses  map[string][]object.Use // what was measured, by kind
}

// Torn is a kind of which some objects are missing, and why.
type Torn struct{ Kind, Why string }

// AddTo adds the content to a snapshot. With an object of Kubernetes, what people
// write into manifests counts as read.
func (c Content) AddTo(snap *object.Snapshot) {
	snap.Add(c.Objects...)
	for kind, uses := range c.Uses {
		snap.AddUses(kind, uses...)
	}
	snap.Read(c.Whole...)
	for _, t := range c.Torn {
		snap.Missed(t.Kind, t.Why)
	}
	if c.Part != nil {
		snap.ReadPart(*c.Part)
	}
	for _, l := range c.Lists {
		if rest := l.Fields.Whole(0, "metadata", "remainingItemCount"); rest > 0 {
			snap.Count(strings.TrimSuffix(l.Kind, "List"), rest+int64(len(l.Fields.List("items"))))
		}
	}
	if c.manifest() {
		snap.ReadWritten()
	}
}

// Size returns how much the content holds: objects, and figures that were measured.
func (c Content) Size() int {
	n := len(c.Objects)
	for _, uses := range c.Uses {
		n += len(uses)
	}
	return n
}

// manifest reports whether there is an object of Kubernetes.
func (c Content) manifest() bool {
	return len(c.Objects) > 0 && c.Objects[0].APIVersion != ""
}

// Content returns the objects of a document that says what it is, as those of
// Kubernetes do: itself, or the members of a list. It reports false for others.
func (d Document) Content() (Content, bool) {
	m, ok := d.Value.(map[string]any)
	if !ok {
		return Content{}, false
	}
	t := object.Tree(m)
	version, kind := t.Text("apiVersion"), t.Text("kind")
	if version == "" || kind == "" {
		return d.settings(t)
	}
	items, isList := t["items"].([]any)
	if !isList || !strings.HasSuffix(kind, "List") {
		return Content{Objects: []*object.Object{d.object(t, "", version, kind)}}, true
	}
	var c Content
	for i, one := range items {
		m, ok := one.(map[string]any)
		if !ok {
			continue
		}
		// Members of typed lists do not say what they are.
		v, k := object.Tree(m).Text("apiVersion"), object.Tree(m).Text("kind")
		if k == "" {
			v, k = version, strings.TrimSuffix(kind, "List")
		}
		c.Objects = append(c.Objects, d.object(m, index("items", i), v, k))
	}
	if t.Whole(0, "metadata", "remainingItemCount") > 0 && kind != "List" {
		c.Lists = []*object.Object{{Source: d.Source, APIVersion: version, Kind: kind, Fields: t}}
	}
	if t.Text("metadata", "continue") != "" && len(c.Objects) > 0 {
		c.Torn = []Torn{{c.Objects[0].Kind, "the list goes on: it was read in pages, and this is not the last"}}
	}
	return c, true
}

// settings returns what a document holds that is not of Kubernetes.
func (d Document) settings(t object.Tree) (Content, bool) {
	if c, ok := d.database(t); ok {
		return c, true
	}
	if c, ok := d.redis(t); ok {
		return c, true
	}
	if c, ok := d.system(t); ok {
		return c, true
	}
	if c, ok := d.prometheus(t); ok {
		return c, true
	}
	return d.aws(t)
}

func index(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

func (d Document) object(t object.Tree, path, version, kind string) *object.Object {
	d.forget(t, kind)
	return &object.Object{
		Source: d.Source, APIVersion: version, Kind: kind, Fields: t,
		Namespace: t.Text("metadata", "namespace"), Name: t.Text("metadata", "name"), Locate: d.locate(path),
	}
}
