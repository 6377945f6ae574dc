package rule

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/check/object"
)

// clusterFunctions returns our functions that find objects of a cluster by name.
// They look names up and do not go through all objects, since a check may ask for
// every object that it looks at.
func clusterFunctions() []function {
	word := func(v ref.Val) string { return string(v.(types.String)) }
	return []function{
		{"may", "whether the service account of a workload may do a thing, such as list, with all objects of a resource, such as pods or discovery.k8s.io/endpointslices, in the whole cluster",
			[]*types.Type{typeOf(Workload), text, text}, truth, true, func(a []ref.Val) (any, error) {
				return a[0].Value().(*object.Workload).May(word(a[1]), word(a[2]))
			}},
		{"memory_used", "bytes that a container uses in the pod of the workload where it uses most, as metrics.k8s.io says, or at most in a day, as Prometheus says",
			[]*types.Type{typeOf(Workload), typeOf("Container")}, number, true, func(a []ref.Val) (any, error) {
				return a[0].Value().(*object.Workload).MemoryUsed(a[1].Value().(*object.Container))
			}},
		{"node", "the node of a name, as a list of one, or of none", []*types.Type{typeOf(Cluster), text}, listOf("Node"), true,
			func(a []ref.Val) (any, error) {
				one := snapshotOf(a[0]).Node(word(a[1]))
				return oneOrNone("Node", one, snapshotOf(a[0]).Whole("Node"))
			}},
		{"runs", "whether some workload runs an image whose name holds a text", []*types.Type{typeOf(Cluster), text}, truth, true,
			func(a []ref.Val) (any, error) { return snapshotOf(a[0]).Runs(word(a[1])) }},
		{"service", "the service of a namespace and a name, as a list of one, or of none", []*types.Type{typeOf(Cluster), text, text}, listOf("Service"), true,
			func(a []ref.Val) (any, error) {
				one, err := snapshotOf(a[0]).Service(word(a[1]), word(a[2]))
				return oneOrNone("Service", one, err)
			}},
		{"workload", "the workload of a kind, a namespace and a name, as a list of one, or of none", []*types.Type{typeOf(Cluster), text, text, text}, listOf(Workload), true,
			func(a []ref.Val) (any, error) {
				one, err := snapshotOf(a[0]).Workload(word(a[1]), word(a[2]), word(a[3]))
				return oneOrNone(Workload, one, err)
			}},
	}
}

// oneOrNone makes a list of what was found; the error is for where nothing was.
func oneOrNone[T any](kind string, one *T, err error) (any, error) {
	if one != nil {
		return list(kind, []*T{one}), nil
	}
	return []ref.Val{}, err
}
