package rule

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/check/object"
)

func placeFields() []field {
	type p = object.Place
	return []field{
		of("object", text, "the object, such as Node a", func(v p) any { return v.Object.ID() }),
		of("path", text, "the field, such as status.allocatable.memory", func(v p) any { return v.Path }),
	}
}

func retryFields() []field {
	type r = *object.Retry
	return []field{
		of("layer", text, "client, mesh or ingress", func(v r) any { return v.Layer }),
		of("owner", text, "the object that says so, such as VirtualService shop/orders", func(v r) any { return v.Object.ID() }),
		of("to", text, "the service that the request goes to, as namespace/name", func(v r) any { return v.To }),
		of("tries", number, "how often a request that fails is sent, the first time included", func(v r) any { return v.Tries }),
		of("place", typeOf("Place"), "", func(v r) any { return record{"Place", v.Place} }),
	}
}

// placeFunctions name fields of objects that a finding points to beside its own.
func placeFunctions() []function {
	word := func(v ref.Val) string { return string(v.(types.String)) }
	at := func(o *object.Object, path ref.Val) (any, error) {
		return record{"Place", object.Place{Object: o, Path: word(path)}}, nil
	}
	return []function{
		{"place", "a field of a node, for at", []*types.Type{typeOf("Node"), text}, typeOf("Place"), true, func(a []ref.Val) (any, error) {
			return at(a[0].Value().(*object.Node).Object, a[1])
		}},
		{"place", "a field of a workload, for at", []*types.Type{typeOf(Workload), text}, typeOf("Place"), true, func(a []ref.Val) (any, error) {
			return at(a[0].Value().(*object.Workload).Object, a[1])
		}},
		{"place", "a field of the object of a kind, a namespace and a name, for at", []*types.Type{typeOf(Cluster), text, text, text, text}, typeOf("Place"), true,
			func(a []ref.Val) (any, error) {
				kind, namespace, name := word(a[1]), word(a[2]), word(a[3])
				o := snapshotOf(a[0]).Named(kind, namespace, name)
				if o == nil {
					o = &object.Object{Kind: kind, Namespace: namespace, Name: name}
				}
				return at(o, a[4])
			}},
	}
}
