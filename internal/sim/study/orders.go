package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/explore"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Exploration is what was found by looking at every order of the steps of a
// protocol.
type Exploration struct {
	Part       string           `json:"part" jsonschema:"the part of the system that is the protocol"`
	Variant    string           `json:"variant,omitempty" jsonschema:"variant of the file; absent for the file as it is"`
	About      bilingual.Text   `json:"about,omitzero" jsonschema:"what is different"`
	Small      []Setting        `json:"small,omitempty" jsonschema:"settings that make the protocol small"`
	Set        []Setting        `json:"set,omitempty" jsonschema:"further settings that replaced those of the file"`
	Actors     []bilingual.Text `json:"actors" jsonschema:"who takes steps"`
	Shown      []bilingual.Text `json:"shown" jsonschema:"what is shown after each step"`
	States     int              `json:"states" jsonschema:"states that can be reached, or that were looked at where there are too many"`
	Steps      int              `json:"steps" jsonschema:"steps between them"`
	Depth      int              `json:"depth" jsonschema:"steps to the state that is furthest from the start"`
	Whole      bool             `json:"whole" jsonschema:"all states were looked at, so that what was not broken holds in every order"`
	Invariants []Invariant      `json:"invariants"`
}

// Invariant is what is to hold of a protocol, and whether it does.
type Invariant struct {
	Name     string         `json:"name"`
	Says     bilingual.Text `json:"says"`
	Broken   bool           `json:"broken"`
	Expected string         `json:"expected,omitempty" jsonschema:"keeps or breaks, where the file says what must come out"`
	Met      bool           `json:"met" jsonschema:"it came out as the file says, if it says it"`
	Stuck    int            `json:"stuck,omitempty" jsonschema:"states from which it cannot come true any more"`
	Path     []TakenStep    `json:"path,omitempty" jsonschema:"the fewest steps that break it"`
}

// TakenStep is one step of an order.
type TakenStep struct {
	Actor int              `json:"actor" jsonschema:"place among the actors, from 0"`
	What  bilingual.Text   `json:"what"`
	After []bilingual.Text `json:"after" jsonschema:"what is shown, after the step"`
}

// Unexpected returns what came out otherwise than the file says, each as the
// variant and the invariant.
func (a *Answer) Unexpected() []string {
	var all []string
	for i := range a.Explorations {
		x := &a.Explorations[i]
		for _, inv := range x.Invariants {
			if !inv.Met {
				all = append(all, fmt.Sprintf("%s: %s", x.Label(), inv.Name))
			}
		}
	}
	return all
}

// Label is what an exploration is called: its variant, and what is set besides.
func (x *Exploration) Label() string {
	label := cmp.Or(x.Variant, scenario.Base)
	for _, s := range x.Set {
		label += ", " + s.Path + "=" + s.Value
	}
	return label
}

// ToldPath is an order of steps that breaks one or more invariants.
type ToldPath struct {
	Of     *Exploration
	Breaks []*Invariant
}

// ToldPaths returns the orders of steps that are told: those of the first
// exploration, and of the others what breaks the first invariant where the steps
// are not the same.
func ToldPaths(all []Exploration) []ToldPath {
	var told []ToldPath
	for i := range all {
		for k := range all[i].Invariants {
			inv := &all[i].Invariants[k]
			if !inv.Broken || i > 0 && k > 0 {
				continue
			}
			at := slices.IndexFunc(told, func(t ToldPath) bool { return samePath(t.Breaks[0].Path, inv.Path) })
			switch {
			case at < 0:
				told = append(told, ToldPath{&all[i], []*Invariant{inv}})
			case i == 0:
				told[at].Breaks = append(told[at].Breaks, inv)
			}
		}
	}
	return told
}

func samePath(a, b []TakenStep) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Actor != b[i].Actor || a[i].What != b[i].What {
			return false
		}
	}
	return true
}

// Path returns the steps.
func (p ToldPath) Path() []TakenStep { return p.Breaks[0].Path }

// Acting returns the actors that take a step.
func (p ToldPath) Acting() []int {
	var actors []int
	for k := range p.Of.Actors {
		if slices.ContainsFunc(p.Path(), func(s TakenStep) bool { return s.Actor == k }) {
			actors = append(actors, k)
		}
	}
	return actors
}

// sight is a protocol that is to be explored.
type sight struct {
	part     string
	order    scenario.Order
	small    []Setting
	set      []Setting
	protocol parts.Protocol
}

// small returns what makes the protocols of the file small, before what the
// question sets.
func (q Question) small() []Setting {
	var all []Setting
	if o := scenario.OrdersOf([]byte(q.System)); q.Kind == KindExplore && o != nil {
		for _, s := range o.Set {
			all = append(all, Setting(s))
		}
	}
	return all
}

// readOrders reads what is to be explored: what the file names, or, where the
// question names a variant, that one.
func (s *Study) readOrders() error {
	m := s.models[0]
	of := []scenario.Order{{Variant: s.q.Variant}}
	if o := m.file.Explore; o != nil && s.q.Variant == "" {
		of = o.Of
	}
	small := s.q.small()
	for _, one := range of {
		own := slices.Clone(small)
		for _, set := range one.Set {
			own = append(own, Setting(set))
		}
		v, problems := readModel(m.name, m.src, one.Variant, append(own, m.set[len(small):]...))
		if wrong := problems.Errors(); len(wrong) > 0 {
			return strictyaml.Problems(wrong).Bound()
		}
		if one.About.IsZero() {
			one.About = v.file.VariantAbout()
		}
		if err := s.sightsOf(v, one, len(small)); err != nil {
			return err
		}
	}
	if len(s.sights) == 0 {
		return refuse("", bilingual.Text{En: "no part of the system is a protocol whose steps could come in other orders", Ko: "단계의 순서를 바꿔 볼 수 있는 부품이 시스템에 없다"},
			bilingual.Text{En: "ask it of a system with a part of the kind planner", Ko: "planner 부품이 있는 시스템으로 묻는다"})
	}
	return nil
}

// sightsOf adds the protocols of a model, whose first settings make it small.
func (s *Study) sightsOf(m *model, of scenario.Order, small int) error {
	for _, p := range m.file.Parts {
		e, ok := p.Config.(parts.Explorable)
		if !ok {
			continue
		}
		protocol, err := e.Protocol()
		if err != nil {
			return refuse("set", bilingual.Text{En: "%[1]s: %[2]v", Ko: "%[1]s: 순서가 너무 많다 (%[2]v)"}, bilingual.Text{
				En: "make it small, such as with --set " + p.Name + ".endpoints=1 --set " + p.Name + ".keep=1, or in explore.set of the file",
				Ko: "--set " + p.Name + ".endpoints=1 --set " + p.Name + ".keep=1처럼 작게 하거나 파일의 explore.set에 쓴다",
			}, p.Name, err)
		}
		s.sights = append(s.sights, sight{p.Name, of, m.set[:small], m.set[small:], protocol})
	}
	return nil
}

// explore looks at every order of the steps of each protocol.
func (s *Study) explore(ctx context.Context, a *Answer, progress func(Progress)) error {
	for i := range s.sights {
		one := &s.sights[i]
		r, err := explore.Run(ctx, one.protocol, explore.Limits{States: s.l.States})
		if Interrupted(err) {
			return &verdict.Interrupted{Err: err, Missing: unseen(s.sights[i:])}
		}
		if err != nil {
			return err
		}
		a.Explorations = append(a.Explorations, one.found(r))
		if progress != nil {
			progress(Progress{Stage: bilingual.Text{En: "orders of the steps", Ko: "단계의 순서"}, Done: i + 1, Total: len(s.sights)})
		}
	}
	return nil
}

// unseen names protocols that were not looked at to the end.
func unseen(all []sight) []bilingual.Text {
	var names []bilingual.Text
	for _, v := range all {
		name := v.part
		if of := v.order.Variant; of != "" && of != scenario.Base {
			name += ", " + of
		}
		names = append(names, bilingual.Text{En: "the orders of " + name, Ko: name + "의 순서"})
	}
	return names
}

// found tells what was found of a protocol.
func (v *sight) found(r *explore.Result) Exploration {
	x := Exploration{
		Part: v.part, Variant: v.order.Variant, About: v.order.About.Text, Small: v.small, Set: v.set,
		Actors: v.protocol.Actors(), Shown: v.protocol.Shown(),
		States: r.States, Steps: r.Steps, Depth: r.Depth, Whole: r.Whole,
	}
	if x.Variant == scenario.Base {
		x.Variant = ""
	}
	for _, f := range r.Findings {
		inv := Invariant{Name: f.Name, Says: v.protocol.Says(f.Name), Broken: f.Broken, Stuck: f.Stuck, Met: true}
		if keeps, known := v.order.Says(f.Name); known {
			inv.Expected, inv.Met = "breaks", f.Broken
			if keeps {
				inv.Expected, inv.Met = "keeps", r.Whole && !f.Broken
			}
		}
		for _, told := range v.protocol.Tell(f.Path) {
			inv.Path = append(inv.Path, TakenStep(told))
		}
		x.Invariants = append(x.Invariants, inv)
	}
	return x
}
