package rule

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/ext"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/object"
)

// Bounds of what a check may ask for, so that a stranger's check cannot hold up
// a run.
const (
	MaxLength = 4000      // letters of an expression
	maxCost   = 3_000_000 // steps of an evaluation, as CEL counts them; 50,000 pods take some 500,000
	maxNested = 60        // pieces in each other
	freely    = 6000      // rounds of loops that are not counted
	often     = 1000      // rounds of loops between two looks at whether the run was stopped
)

// Names that every expression knows.
const (
	theObject   = "object"
	theWorkload = "workload"
	theService  = "service"
	thePart     = "part"
	theCluster  = "cluster"
	theNow      = "now"
)

// baseEnv returns what the environments of all checks begin with. It is made once,
// since it takes more memory than a check, and is safe for concurrent use.
var baseEnv = sync.OnceValues(newEnv)

// newEnv returns CEL with its own functions and ours.
func newEnv() (*cel.Env, error) {
	p, err := newProvider()
	if err != nil {
		return nil, err
	}
	options := []cel.EnvOption{
		cel.CustomTypeAdapter(p), cel.CustomTypeProvider(p),
		cel.StdLib(), cel.OptionalTypes(), cel.CrossTypeNumericComparisons(true), cel.DefaultUTCTimeZone(true), cel.EagerlyValidateDeclarations(true),
		ext.Strings(), ext.Lists(), ext.Math(), ext.Sets(), ext.Bindings(),
		cel.ParserExpressionSizeLimit(MaxLength), cel.ParserRecursionLimit(maxNested), cel.ExpressionNestingDepthLimit(maxNested),
		cel.Variable(theObject, types.DynType), cel.Variable(theCluster, typeOf(Cluster)), cel.Variable(theNow, types.TimestampType),
	}
	return cel.NewCustomEnv(append(options, functions(p)...)...)
}

// function is one of ours.
type function struct {
	name, about string
	params      []*types.Type
	gives       *types.Type
	member      bool // called on its first parameter
	call        func(args []ref.Val) (any, error)
}

// functionTable returns our functions by name.
func functionTable() []function {
	return append(slices.Concat(databaseFunctions(), clusterFunctions(), placeFunctions()), []function{
		{"certificates", "the certificates of a text in PEM, in base64 or not; none of what is none", []*types.Type{anything}, listOf("Certificate"), false,
			func(a []ref.Val) (any, error) {
				s, _ := a[0].Value().(string)
				return list("Certificate", object.Certificates(s)), nil
			}},
		{"namespace_labels", "labels of a namespace; at least kubernetes.io/metadata.name, which each has", []*types.Type{typeOf(Cluster), text}, labels, true,
			func(a []ref.Val) (any, error) {
				return snapshotOf(a[0]).NamespaceLabels(string(a[1].(types.String))), nil
			}},
		{"objects", "those of a kind, as they are written, such as cluster.objects(\"ConfigMap\")",
			[]*types.Type{typeOf(Cluster), text}, types.NewListType(anything), true, func(a []ref.Val) (any, error) {
				return trees(snapshotOf(a[0]).Objects(string(a[1].(types.String))))
			}},
		{"objects_in", "those of a kind in a namespace, such as cluster.objects_in(\"Ingress\", workload.namespace)",
			[]*types.Type{typeOf(Cluster), text, text}, types.NewListType(anything), true, func(a []ref.Val) (any, error) {
				return trees(snapshotOf(a[0]).ObjectsIn(string(a[1].(types.String)), string(a[2].(types.String))))
			}},
		{"class_size", "how large a class of AWS is, such as db.r6g.2xlarge: large is 1, xlarge 2, 2xlarge 4; 0 of what is none", []*types.Type{text}, number, false,
			func(a []ref.Val) (any, error) { return object.Size(string(a[0].(types.String))), nil }},
		{"count", "how many objects of a kind there are, read or only counted", []*types.Type{typeOf(Cluster), text}, whole, true,
			func(a []ref.Val) (any, error) { return snapshotOf(a[0]).Total(string(a[1].(types.String))) }},
		{"corefile", "the servers of a configuration of CoreDNS", []*types.Type{anything}, listOf("DNSServer"), false,
			func(a []ref.Val) (any, error) {
				s, _ := a[0].Value().(string)
				return list("DNSServer", object.Corefile(s)), nil
			}},
		{"percent", "a share as text, such as 62 %", []*types.Type{number}, text, false, func(a []ref.Val) (any, error) {
			return strconv.FormatFloat(math.Round(float64(a[0].(types.Double))*100), 'f', -1, 64) + " %", nil
		}},
		{"quantity", "the number of an amount as Kubernetes writes it, such as 64Mi; 0 of what is none", []*types.Type{anything}, number, false,
			func(a []ref.Val) (any, error) { return object.Quantity(a[0].Value()), nil }},
		{"range_size", "how many addresses a range such as 10.0.1.0/24 has; 0 of what is none", []*types.Type{anything}, whole, false,
			func(a []ref.Val) (any, error) {
				s, _ := a[0].Value().(string)
				return object.RangeSize(s), nil
			}},
		{"seconds", "the seconds of a span such as 1m30s, 1min or 1d, or of a number of seconds; 0 of what is none", []*types.Type{anything}, number, false,
			func(a []ref.Val) (any, error) { return secondsOf(a[0].Value()), nil }},
		{"selects", "whether a label selector, with matchLabels and matchExpressions, selects labels; an empty one selects all",
			[]*types.Type{anything, labels}, truth, false, selects},
		{"size_text", "bytes as text, such as 100 MiB", []*types.Type{number}, text, false,
			func(a []ref.Val) (any, error) { return sizeText(float64(a[0].(types.Double))), nil }},
		{"sum", "the sum of numbers", []*types.Type{types.NewListType(number)}, number, false, sum},
		{"unknown", "what cannot be told, with the reason: the outcome is not-checked where it matters", []*types.Type{text}, anything, false,
			func(a []ref.Val) (any, error) { return nil, unknown(a[0], a[0]) }},
		{"unknown", "the same, with the reason in English and in Korean", []*types.Type{text, text}, anything, false,
			func(a []ref.Val) (any, error) { return nil, unknown(a[0], a[1]) }},
		{"total", "the sum of whole numbers", []*types.Type{types.NewListType(whole)}, whole, false, total},
	}...)
}

func functions(adapter types.Adapter) []cel.EnvOption {
	var all []cel.EnvOption
	for _, f := range functionTable() {
		binding := cel.FunctionBinding(func(args ...ref.Val) ref.Val {
			v, err := f.call(args)
			if err != nil {
				return types.WrapErr(err)
			}
			return adapter.NativeToValue(v)
		})
		overload := cel.Overload
		if f.member {
			overload = cel.MemberOverload
		}
		all = append(all, cel.Function(f.name, overload(overloadName(f), f.params, f.gives, binding)))
	}
	return all
}

// overloadName tells functions of one name apart: by how many values they take, and by
// what they are called on.
func overloadName(f function) string {
	name := fmt.Sprintf("precedent_%s_%d", f.name, len(f.params))
	if f.member {
		name += "_" + f.params[0].TypeName()
	}
	return name
}

// Unknown is the error of what a check cannot tell from what was read.
type Unknown struct{ Why bilingual.Text }

// Error implements error.
func (u *Unknown) Error() string { return u.Why.En }

func unknown(en, ko ref.Val) error {
	return &Unknown{bilingual.Text{En: string(en.(types.String)), Ko: string(ko.(types.String))}}
}

func selects(a []ref.Val) (any, error) {
	given := map[string]string{}
	if m, ok := a[1].(traits.Mapper); ok {
		for it := m.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			name, _ := key.Value().(string)
			given[name], _ = m.Get(key).Value().(string)
		}
	}
	selector := object.FieldsOf(a[0].Value())
	if m, ok := a[0].(traits.Mapper); ok && m.Size() != types.Int(selector.Len()) {
		return nil, fmt.Errorf("selects takes the selector of an object")
	}
	return object.Selects(selector, given), nil
}

func snapshotOf(v ref.Val) *object.Snapshot { return v.Value().(*object.Snapshot) }

func sum(a []ref.Val) (any, error) {
	n := 0.0
	for it := a[0].(traits.Lister).Iterator(); it.HasNext() == types.True; {
		one, ok := it.Next().ConvertToType(types.DoubleType).(types.Double)
		if !ok {
			return nil, fmt.Errorf("sum takes numbers")
		}
		n += float64(one)
	}
	return n, nil
}

func total(a []ref.Val) (any, error) {
	n := int64(0)
	for it := a[0].(traits.Lister).Iterator(); it.HasNext() == types.True; {
		one, ok := it.Next().(types.Int)
		if !ok {
			return nil, fmt.Errorf("total takes whole numbers")
		}
		n += int64(one)
	}
	return n, nil
}

// secondsOf reads a span of time as proxies and gateways write it.
func secondsOf(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case string:
		if d, err := time.ParseDuration(strings.TrimSpace(v)); err == nil {
			return d.Seconds()
		}
		if n, err := strconv.ParseFloat(v, 64); err == nil {
			return n
		}
		return postgresSeconds(strings.TrimSpace(v))
	}
	return 0
}

// postgresSeconds reads a span in the units that PostgreSQL has and Go has not.
func postgresSeconds(v string) float64 {
	for unit, seconds := range map[string]float64{"min": 60, "d": 86400} {
		if n, err := strconv.ParseFloat(strings.TrimSuffix(v, unit), 64); err == nil && strings.HasSuffix(v, unit) {
			return n * seconds
		}
	}
	return 0
}

// sizeText writes bytes for people.
func sizeText(n float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	at := 0
	for n >= 1024 && at < len(units)-1 {
		n, at = n/1024, at+1
	}
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) + " " + units[at]
}
