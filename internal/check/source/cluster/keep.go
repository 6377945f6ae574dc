package cluster

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openprecedent/precedent/internal/check/object"
)

// add keeps what checks read of a page: of pods, which are many, a few fields, of
// the others all but what only managers of objects need.
func add(snap *object.Snapshot, l list, p page) (int, error) {
	switch p := p.(type) {
	case *customPage:
		return p.keep(snap, l), nil
	case *corev1.SecretList:
		return keepSecrets(snap, l, p)
	}
	items := p.(*itemPage).items
	if l.kind == "Pod" {
		return len(items), addPods(snap, l, items)
	}
	all := make([]*object.Object, 0, len(items))
	for _, item := range items {
		o, err := objectOf(l, item)
		if err != nil {
			return 0, err
		}
		all = append(all, o)
	}
	snap.Add(all...)
	return len(all), nil
}

// lastApplied is the annotation in which kubectl keeps the whole of an object.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// objectOf decodes an object.
func objectOf(l list, item []byte) (*object.Object, error) {
	// Members of a list do not say what they are.
	fields, err := l.decoder.fields(l.item, item, named{"apiVersion", l.version}, named{"kind", l.kind})
	if err != nil {
		return nil, fmt.Errorf("reading a %s: %w", l.kind, err)
	}
	if l.kind == "EndpointSlice" {
		fields = together(fields)
	}
	return &object.Object{
		Source: "cluster", APIVersion: l.version, Kind: l.kind, Fields: fields,
		Namespace: fields.Text("metadata", "namespace"), Name: fields.Text("metadata", "name"),
	}, nil
}

// size returns how many objects a page holds.
func size(p page) int {
	switch p := p.(type) {
	case *customPage:
		return len(p.Items)
	case *itemPage:
		return len(p.items)
	}
	return 0
}

// lighten takes off an object what no check reads, and what may repeat secrets.
func lighten(m metav1.Object) {
	m.SetManagedFields(nil)
	if a := m.GetAnnotations(); a != nil {
		delete(a, lastApplied)
		m.SetAnnotations(a) // what is asked for may be a copy
	}
}

// itemPage is a page of objects, each not decoded yet.
type itemPage struct {
	metav1.ListMeta
	items [][]byte
}

// Unmarshal implements page.
func (p *itemPage) Unmarshal(data []byte) error {
	for len(data) > 0 {
		f, rest, err := nextField(data)
		if err != nil {
			return err
		}
		switch f.number {
		case 1:
			if err := p.ListMeta.Unmarshal(f.value); err != nil {
				return err
			}
		case inItem:
			p.items = append(p.items, f.value)
		}
		data = rest
	}
	return nil
}
