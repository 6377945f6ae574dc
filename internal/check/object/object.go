// Package object holds what checks read: a snapshot of the objects of a cluster,
// of manifests and of settings, with the relations between them.
//
// An object is what its source gave, a tree of fields. The kinds that most
// checks are about, workloads with their containers and pods first, are also
// read into structs, once, with the defaults of Kubernetes filled in. What was
// not read is remembered with the reason, so that nothing is concluded from it.
package object

// Object is one object as its source gave it.
type Object struct {
	Source     string // where it was read, such as the name of a file
	APIVersion string // of Kubernetes objects
	Kind       string // Deployment, or such as AWS/DBProxy for what is not of Kubernetes
	Namespace  string // empty for objects without one
	Name       string
	Fields     Fields
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
	for _, r := range o.Fields.Trees("metadata", "ownerReferences") {
		if r.At("controller") == true {
			return r.Text("kind") + "/" + r.Text("name")
		}
	}
	return ""
}
