// Package strictyaml reads YAML documents into Go structs strictly and
// collects every problem of a document at once, each with its place.
//
// Fields are matched by their `yaml` tag. Unknown and repeated fields, empty
// values, anchors and aliases are problems. A field with the tag required:"true"
// must stand, and one with a default tag takes that value where it does not.
// Scalars decode into strings, integers, floats and booleans, and into types
// that implement [encoding.TextUnmarshaler]; other shapes into [Custom] types.
// The package also writes the one canonical formatting of a document, see
// [Format].
package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// MaxSize is the largest document that is read, in bytes.
const MaxSize = 1 << 20

// maxDepth bounds the nesting of a document, so that hostile input cannot
// exhaust the stack.
const maxDepth = 32

// maxProblems bounds the report on one document.
const maxProblems = 200

// Place is a position in a document, both from 1.
type Place struct{ Line, Col int }

// Doc is a decoded document that remembers where each field stands.
type Doc struct {
	File string

	fields []fieldPlace // in the order of decoding
	index  sync.Once
	places map[string]Place // of fields, once somebody asks
}

// A fieldPlace is where the field at a path stands. Of several of one path the
// last counts.
type fieldPlace struct {
	path string
	Place
}

// all returns the places by path. Most documents have no problem, and nobody
// asks for the places in them.
func (d *Doc) all() map[string]Place {
	d.index.Do(func() {
		d.places = make(map[string]Place, len(d.fields))
		for _, f := range d.fields {
			d.places[f.path] = f.Place
		}
	})
	return d.places
}

// Place returns where the field at path stands, or else where the nearest
// field around it does.
func (d *Doc) Place(path string) Place {
	places := d.all()
	for {
		if p, ok := places[path]; ok {
			return p
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return Place{1, 1}
		}
		path = path[:i]
	}
}

// Has reports whether the document holds a field at path.
func (d *Doc) Has(path string) bool {
	if path == "" {
		return len(d.fields) > 0 // the document itself comes first
	}
	_, ok := d.all()[path]
	return ok
}

// Problem returns a problem of the field at path, with its place.
func (d *Doc) Problem(level Level, rule, path, msg, help string) Problem {
	p := d.Place(path)
	return Problem{
		File: d.File, Line: p.Line, Col: p.Col,
		Field: short(path), Rule: rule, Level: level, Msg: short(msg), Help: help,
	}
}

// Decode reads src into v, which must be a pointer to a struct. What could be
// read is in v even when there are problems. The document is never nil.
func Decode(file string, src []byte, v any) (*Doc, Problems) {
	return DecodeSet(file, src, v, nil)
}

// DecodeSet is Decode with some values set from outside: they take the place of
// what the document says, or stand where it says nothing.
func DecodeSet(file string, src []byte, v any, set []Setting) (*Doc, Problems) {
	d := newDecoder(file, len(src))
	d.set, d.used = set, make([]bool, len(set))
	root := d.parse(src)
	if root != nil {
		d.value(root, reflect.ValueOf(v).Elem(), "", 0)
		d.unused()
	}
	d.problems.Sort()
	if d.dropped > 0 {
		d.problems = append(d.problems, more(file, d.dropped, Error))
	}
	return d.doc, d.problems
}

type decoder struct {
	doc      *Doc
	structs  map[reflect.Type]*structType
	top      *yaml.Node // the document node, once parsed: it holds the outermost comments
	problems Problems
	dropped  int  // problems above the bound
	unseen   bool // the file holds characters that cannot be seen
	set      []Setting
	used     []bool            // which of set have found their field
	named    map[string]string // values that the document gives a name
}

// newDecoder returns a decoder for a document of the given size.
func newDecoder(file string, size int) *decoder {
	places := make([]fieldPlace, 0, size/60) // a field takes a line or two
	return &decoder{doc: &Doc{File: file, fields: places}, structs: map[reflect.Type]*structType{}}
}

func (d *decoder) report(n *yaml.Node, path, rule, msg, help string) {
	if len(d.problems) >= maxProblems {
		d.dropped++
		return
	}
	if n.Line == 0 { // a value that was set from outside
		d.problems = append(d.problems, Problem{
			File: SetFile, Field: short(path), Rule: rule, Level: Error, Msg: short(msg), Help: help,
		})
		return
	}
	d.problems = append(d.problems, Problem{
		File: d.doc.File, Line: n.Line, Col: n.Column,
		Field: short(path), Rule: rule, Level: Error, Msg: short(msg), Help: help,
	})
}

var yamlErrorLine = lazyregexp.New(`^yaml: (?:line (\d+): )?(.*)$`)

// parse returns the root mapping of src, or nil after reporting why not.
func (d *decoder) parse(src []byte) *yaml.Node {
	top := &yaml.Node{Line: 1, Column: 1}
	if len(src) > MaxSize {
		d.report(top, "", "too-large", fmt.Sprintf("the file has %d bytes", len(src)),
			fmt.Sprintf("keep it under %d bytes", MaxSize))
		return nil
	}
	if !utf8.Valid(src) {
		d.report(top, "", "syntax", "the file is not valid UTF-8", "save it as UTF-8")
		return nil
	}
	d.unseen = d.hidden(src)
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		d.syntax(err)
		return nil
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		d.report(&second, "", "syntax", "the file holds a second document", "keep one document a file")
	} else if !errors.Is(err, io.EOF) {
		d.syntax(err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		d.report(top, "", "syntax", "the file is empty", "write the fields of the format")
		return nil
	}
	d.top = &doc
	return doc.Content[0]
}

func (d *decoder) syntax(err error) {
	if d.unseen {
		return // the reader stumbles over what is reported already
	}
	place, msg := &yaml.Node{Line: 1, Column: 1}, err.Error()
	if errors.Is(err, io.EOF) {
		d.report(place, "", "syntax", "the file is empty", "write the fields of the format")
		return
	}
	if m := yamlErrorLine.FindStringSubmatch(msg); m != nil {
		if line, err := strconv.Atoi(m[1]); err == nil {
			place.Line = line
		}
		msg = m[2]
	}
	d.report(place, "", "syntax", "not valid YAML: "+msg, "check indentation, colons and quotes there")
}

// at notes where the field at path stands.
func (d *decoder) at(n *yaml.Node, path string) {
	d.doc.fields = append(d.doc.fields, fieldPlace{path, Place{n.Line, n.Column}})
}

// Fields returns the names of t's fields as YAML knows them, by index. It
// panics if t is not a struct type whose fields all carry a `yaml` tag.
func Fields(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if name == "" {
			panic(fmt.Sprintf("strictyaml: field %s of %s has no yaml tag", t.Field(i).Name, t))
		}
		names[i] = name
	}
	return names
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
