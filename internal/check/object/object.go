// Package object holds what checks read: a snapshot of the objects of a cluster,
// of manifests and of settings, with the relations between them.
//
// An object is what its source gave, a tree of fields. The kinds that most
// checks are about, workloads with their containers and pods first, are also
// read into structs, once, with the defaults of Kubernetes filled in. What was
// not read is remembered with the reason, so that nothing is concluded from it.
package object

import (
	"strings"
)

// Object is one object as its source gave it.
type Object struct {
	Source     string // where it was read, such as the name of a file
	APIVersion string // of Kubernetes objects
	Kind       string // Deployment, or such as AWS/DBProxy for what is not of Kubernetes
	Namespace  string // empty for objects without one
	Name       string
	Fields     Tree
	// Locate returns where the field at a path stands in the source, or where the
	// nearest field around it does; nil where the source has no lines.
	Locate func(path string) (line, col int)
}

// ID names the object for people, such as Deployment shop/web.
func (o *Object) ID() string {
	if o.Namespace != "" {
		return o.Kind + " " + o.Namespace + "/" + o.Name
	}
	return o.Kind + " " + o.Name
}

// Place returns where the object stands, 0 and 0 where its source has no lines.
func (o *Object) Place(path string) (line, col int) {
	if o.Locate == nil {
		return 0, 0
	}
	return o.Locate(path)
}

// owner returns the controller that made the object, as Kind/name, or "".
func (o *Object) owner() string {
	for _, ref := range o.Fields.List("metadata", "ownerReferences") {
		if r, ok := ref.(map[string]any); ok && Tree(r)["controller"] == true {
			return Tree(r).Text("kind") + "/" + Tree(r).Text("name")
		}
	}
	return ""
}

// Tree is the fields of an object: maps, lists, text, int64, float64 and bool.
type Tree map[string]any

// At returns what stands at a path, nil where nothing does.
func (t Tree) At(path ...string) any {
	var at any = map[string]any(t)
	for _, name := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[name]
	}
	return at
}

// Sub returns the tree at a path, which may be empty.
func (t Tree) Sub(path ...string) Tree {
	m, _ := t.At(path...).(map[string]any)
	return m
}

// List returns the list at a path, which may be empty.
func (t Tree) List(path ...string) []any {
	l, _ := t.At(path...).([]any)
	return l
}

// Trees returns the members of the list at a path that are trees.
func (t Tree) Trees(path ...string) []Tree {
	var all []Tree
	for _, one := range t.List(path...) {
		if m, ok := one.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

// Text returns the text at a path, which may be empty.
func (t Tree) Text(path ...string) string {
	s, _ := t.At(path...).(string)
	return s
}

// Whole returns the whole number at a path, or another one where none stands.
func (t Tree) Whole(or int64, path ...string) int64 {
	switch n := t.At(path...).(type) {
	case int64:
		return n
	case float64:
		if n == float64(int64(n)) {
			return int64(n)
		}
	}
	return or
}

// Texts returns the texts of the mapping at a path, such as labels.
func (t Tree) Texts(path ...string) map[string]string {
	m := t.Sub(path...)
	if len(m) == 0 {
		return nil
	}
	all := make(map[string]string, len(m))
	for k, v := range m {
		if s, ok := v.(string); ok {
			all[k] = s
		}
	}
	return all
}

// Join returns the path of a field in a field.
func Join(path ...string) string { return strings.Join(path, ".") }
