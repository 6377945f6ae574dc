package manifest

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/check/object"
)

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
	if c.Manifest() {
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

// Manifest reports whether there is an object of Kubernetes.
func (c Content) Manifest() bool {
	return len(c.Objects) > 0 && c.Objects[0].APIVersion != ""
}

// Contents returns what the documents of one stream hold, and what is wrong with them:
// system files with errors, and among objects of Kubernetes a document that is none, such
// as one that has lost its kind.
func Contents(documents []Document, find SystemErrors) (all []Content, problems []Problem) {
	var others []Problem
	manifests := false
	for _, d := range documents {
		c, wrong, ok := d.Checked(find)
		problems = append(problems, wrong...)
		if !ok {
			others = append(others, Problem{d.Source, d.Line, "is no object", "give it apiVersion and kind, or leave it out"})
			continue
		}
		all, manifests = append(all, c), manifests || c.Manifest()
	}
	if manifests {
		problems = append(problems, others...)
	}
	return all, problems
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
	c := &Content{}
	d.members(c, t, "", version, kind)
	return *c, true
}

// members adds an object, or the members of a list of objects, which may be lists again.
func (d Document) members(c *Content, t object.Tree, at, version, kind string) {
	items, isList := t["items"].([]any)
	if !isList || !strings.HasSuffix(kind, "List") {
		c.Objects = append(c.Objects, d.object(t, at, version, kind))
		return
	}
	for i, one := range items {
		m, ok := one.(map[string]any)
		if one == nil {
			continue
		}
		// Members of typed lists do not say what they are.
		v, k := object.Tree(m).Text("apiVersion"), object.Tree(m).Text("kind")
		if k == "" {
			v, k = version, strings.TrimSuffix(kind, "List")
		}
		if !ok || k == "" {
			c.Torn = append(c.Torn, Torn{kind, "a member is no object"})
			continue
		}
		d.members(c, m, object.Join(at, index("items", i)), v, k)
	}
	if t.Whole(0, "metadata", "remainingItemCount") > 0 && kind != "List" {
		c.Lists = append(c.Lists, &object.Object{Source: d.Source, APIVersion: version, Kind: kind, Fields: t})
	}
	if t.Text("metadata", "continue") != "" && len(c.Objects) > 0 {
		c.Torn = append(c.Torn, Torn{c.Objects[0].Kind, "the list goes on: it was read in pages, and this is not the last"})
	}
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
	if c, ok := d.envoy(t); ok {
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
