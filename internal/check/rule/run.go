package rule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/object"
)

// Finding is what a check found of an object, if that is not clear.
type Finding struct {
	Rule    *File
	Object  *object.Object // nil for the cluster as a whole
	Outcome Outcome        // InState, Exposed or NotChecked
	// Why is the reason why the outcome, or a worse one than Exposed, was not
	// checked, and Tried whether a source was to read what it takes.
	Why     bilingual.Text
	Tried   bool
	Message bilingual.Text // with the values filled in
	At      []object.Place // fields that it points to; those of its own object have none
}

// Result is what a check found of a snapshot.
type Result struct {
	Rule     *File
	Clear    int       // objects that are clear
	Findings []Finding // in the order of the objects
}

// Run looks at all objects of a snapshot that the check applies to. Where none
// were read, or not all, the result has a finding without an object that says so.
// The error is that of the context.
func (r *Rule) Run(ctx context.Context, snap *object.Snapshot) (Result, error) {
	file := r.File // a copy: what is found outlives the programs
	res, v := Result{Rule: &file}, r.values(ctx, snap)
	for _, kind := range r.subjects() {
		all, err := r.objects(snap, kind)
		if why, ok := unread(err); ok && (len(r.Applies) == 1 || len(all) > 0) {
			res.Findings = append(res.Findings, Finding{Rule: &file, Outcome: NotChecked, Why: why.Text(), Tried: why.Tried})
		}
		for _, one := range all {
			f, err := r.look(one, v)
			f.Rule = &file
			if err != nil {
				return res, err
			}
			switch f.Outcome {
			case NotAsked:
			case Clear:
				res.Clear++
			default:
				res.Findings = append(res.Findings, f)
			}
		}
	}
	if len(res.Findings) == 0 && res.Clear == 0 {
		if why := r.nothing(snap); why != nil {
			res.Findings = append(res.Findings, Finding{Rule: &file, Outcome: NotChecked, Why: why.Text(), Tried: why.Tried})
		}
	}
	return res, nil
}

// subject is what a check looks at, one by one.
type subject struct {
	object   *object.Object
	workload *object.Workload
	service  *object.Service
	part     *object.SystemPart
}

// subjects returns the kinds that the check applies to, each once.
func (r *Rule) subjects() []string {
	if !slices.Contains(r.Applies, Workload) {
		return r.Applies
	}
	all := []string{Workload}
	for _, kind := range r.Applies {
		if !isWorkload(kind) {
			all = append(all, kind)
		}
	}
	return all
}

func (r *Rule) objects(snap *object.Snapshot, kind string) ([]subject, error) {
	var all []subject
	switch {
	case kind == Cluster:
		return []subject{{}}, nil
	case isWorkload(kind):
		find := func() ([]*object.Workload, error) { return snap.WorkloadsOf(kind) }
		if kind == Workload {
			find = snap.Workloads
		}
		workloads, err := find()
		all = make([]subject, 0, len(workloads))
		for _, w := range workloads {
			all = append(all, subject{object: w.Object, workload: w})
		}
		return all, err
	}
	if kind == "Service" {
		services, err := snap.Services()
		all = make([]subject, 0, len(services))
		for _, one := range services {
			all = append(all, subject{object: one.Object, service: one})
		}
		return all, err
	}
	if kind == object.PartOfSystem {
		parts, err := snap.SystemParts()
		for _, one := range parts {
			all = append(all, subject{object: one.Object, part: one})
		}
		return all, err
	}
	objects, err := snap.Objects(kind)
	all = make([]subject, 0, len(objects))
	for _, o := range objects {
		all = append(all, subject{object: o})
	}
	return all, err
}

// nothing says why a check that looked at no object has not found all clear, nil
// where there is none to look at.
func (r *Rule) nothing(snap *object.Snapshot) *object.Unread {
	var first *object.Unread
	for _, kind := range r.subjects() {
		_, err := r.objects(snap, kind)
		why, missing := unread(err)
		if !missing {
			return nil
		}
		if first == nil {
			first = why
		}
	}
	return first
}

// look evaluates the check for one object.
func (r *Rule) look(s subject, v *values) (Finding, error) {
	v.about(s)
	f := Finding{Object: s.object, Outcome: Clear}
	applies, why, err := v.condition(r.when, true)
	switch {
	case err != nil:
		return f, err
	case why != nil:
		f.Outcome, f.Why, f.Tried = NotChecked, why.text, why.tried
		return f, nil
	case !applies:
		f.Outcome = NotAsked
		return f, nil
	}
	in, whyState, err := v.condition(r.state, false)
	if err != nil {
		return f, err
	}
	exposed, whyExposed := false, (*doubt)(nil)
	if !in {
		if exposed, whyExposed, err = v.condition(r.exposed, false); err != nil {
			return f, err
		}
	}
	switch {
	case in:
		f.Outcome, f.Message = InState, fill(r.Message.State, v.value)
	case exposed:
		f.Outcome, f.Message = Exposed, fill(r.Message.Exposed, v.value)
	case whyState != nil || whyExposed != nil:
		f.Outcome = NotChecked
	}
	if why := cmp.Or(whyState, whyExposed); why != nil && !in {
		f.Why, f.Tried = why.text, why.tried
	}
	if in || exposed {
		f.At = v.places(r.at)
	}
	return f, nil
}

// doubt is why a condition could not be told.
type doubt struct {
	text  bilingual.Text
	tried bool // it could have been
}

// condition evaluates a condition, absent where there is none. The error is that
// of a stopped run.
func (v *values) condition(p *program, absent bool) (holds bool, why *doubt, err error) {
	if p == nil {
		return absent, nil, nil
	}
	switch val := v.eval(p).(type) {
	case types.Bool:
		return bool(val), nil, nil
	case *types.Err:
		if v.ctx.Err() != nil {
			return false, nil, v.ctx.Err()
		}
		if u, ok := unread(val); ok {
			return false, &doubt{u.Text(), u.Tried}, nil
		}
		if u, ok := errors.AsType[*Unknown](val); ok {
			return false, &doubt{u.Why, false}, nil
		}
		return false, &doubt{troubleText(val), true}, nil
	default:
		return false, &doubt{bilingual.Text{
			En: fmt.Sprintf("the condition gives %v, and neither true nor false", val.Value()),
			Ko: fmt.Sprintf("조건의 값이 참도 거짓도 아니다: %v", val.Value()),
		}, true}, nil
	}
}

// maxPlaces bounds how many fields a finding points to.
const maxPlaces = 100

// places evaluates the fields that a finding points to; none where that fails.
func (v *values) places(p *program) []object.Place {
	if p == nil {
		return nil
	}
	list, ok := v.eval(p).(traits.Lister)
	if !ok {
		return nil
	}
	var all []object.Place
	for it := list.Iterator(); it.HasNext() == types.True && len(all) < maxPlaces; {
		one := it.Next()
		if s, ok := one.(types.String); ok {
			all = append(all, object.Place{Path: string(s)})
		} else if r, ok := recordOf(one); ok {
			if p, ok := r.v.(object.Place); ok {
				all = append(all, p)
			}
		}
	}
	return all
}
