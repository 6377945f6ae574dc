package rule

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/check/object"
)

// values are the values of the names that the expressions of a check know, for one
// object after the other. It implements [cel.Activation].
type values struct {
	rule       *Rule
	ctx, spent context.Context // see [program.eval]
	slots      []any           // nil where the value of let was not asked for yet
}

// The first slots are those of the names that every check knows; after them come the
// parameters, and then the values of let.
const (
	atObject = iota
	atSubject
	atCluster
	atNow
	atParameters
)

// layOut gives each name a slot.
func (r *Rule) layOut() {
	r.slots = map[string]int{theObject: atObject, theWorkload: atSubject, theService: atSubject, thePart: atSubject, theCluster: atCluster, theNow: atNow}
	for i, p := range r.Parameters {
		r.slots[p.Name] = atParameters + i
	}
	for i, l := range r.lets {
		r.slots[l.name] = atParameters + len(r.Parameters) + i
	}
}

// values prepares a run.
func (r *Rule) values(ctx context.Context, snap *object.Snapshot) *values {
	spent, stop := context.WithCancel(context.Background())
	stop()
	v := &values{r, ctx, spent, make([]any, atParameters+len(r.Parameters)+len(r.lets))}
	v.slots[atCluster], v.slots[atNow] = record{Cluster, snap}, types.Timestamp{Time: snap.Now}
	for i, p := range r.Parameters {
		v.slots[atParameters+i] = types.Double(p.Value)
	}
	return v
}

// about forgets what was known of the last object, and begins with another one.
func (v *values) about(s subject) {
	v.slots[atObject], v.slots[atSubject] = map[string]any(nil), nil
	if s.object != nil {
		v.slots[atObject] = fieldsValue(s.object.Fields)
	}
	switch {
	case s.workload != nil:
		v.slots[atSubject] = record{Workload, s.workload}
	case s.service != nil:
		v.slots[atSubject] = record{"Service", s.service}
	case s.part != nil:
		v.slots[atSubject] = record{"SystemPart", s.part}
	}
	first := atParameters + len(v.rule.Parameters)
	for i, l := range v.rule.lets {
		if !l.common {
			v.slots[first+i] = nil
		}
	}
}

// ResolveName implements [cel.Activation]. Values of let are evaluated when they are
// first asked for, and those that are the same for all objects once.
func (v *values) ResolveName(name string) (any, bool) {
	at, ok := v.rule.slots[name]
	if !ok {
		return nil, false
	}
	if v.slots[at] == nil && at >= atParameters {
		v.slots[at] = v.eval(v.rule.lets[at-atParameters-len(v.rule.Parameters)].program)
	}
	return v.slots[at], v.slots[at] != nil
}

// Parent implements [cel.Activation].
func (v *values) Parent() cel.Activation { return nil }

func (v *values) eval(p *program) ref.Val { return p.eval(v.ctx, v.spent, v) }

// value returns the value of a name for a message.
func (v *values) value(name string) ref.Val {
	val, _ := v.ResolveName(name)
	return types.DefaultTypeAdapter.NativeToValue(val)
}
