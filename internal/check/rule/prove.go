package rule

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// proven is when the snapshots of examples are taken, so that ages in them mean
// the same on every day.
var proven = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Prove tries the examples of a check that was compiled without problems, and
// reports those that turn out otherwise. Every check needs an example in which it
// fires, one in which it stays silent, and for each that fires a field without
// which it no longer does.
func (r *Rule) Prove(ctx context.Context, name string, src []byte) strictyaml.Problems {
	doc, _ := strictyaml.Decode(name, src, &File{})
	p := prover{r, doc, nil}
	fires, silent := false, false
	for i, e := range r.Examples {
		at := fmt.Sprintf("examples[%d]", i)
		firing := e.Outcome == InState || e.Outcome == Exposed
		fires, silent = fires || firing, silent || e.Outcome == Clear
		p.example(ctx, at, e)
		if firing && len(e.Without) == 0 {
			p.bad(at, "nothing tells what the finding hangs on", "name in without a field that clears it when it is taken out")
		}
	}
	for _, want := range []struct {
		condition string
		outcome   Outcome
	}{{r.State, InState}, {r.Exposed, Exposed}} {
		if want.condition != "" && !slices.ContainsFunc(r.Examples, func(e Example) bool { return e.Outcome == want.outcome }) {
			p.bad("examples", fmt.Sprintf("no example is %s", want.outcome), "add one")
		}
	}
	if !fires || !silent {
		p.bad("examples", "there must be an example in which the check fires, and one that is clear", "add what is missing")
	}
	p.problems.Sort()
	return p.problems
}

type prover struct {
	rule     *Rule
	doc      *strictyaml.Doc
	problems strictyaml.Problems
}

func (p *prover) bad(path, msg, help string) {
	p.problems = append(p.problems, p.doc.Problem(strictyaml.Error, "example", path, msg, help))
}

func (p *prover) example(ctx context.Context, at string, e Example) {
	contents := p.contents(at, e)
	if got, why := p.outcome(ctx, e, contents); got != e.Outcome {
		p.bad(at+".outcome", fmt.Sprintf("the outcome is %s%s, and not %s", got, why, e.Outcome), "mend the check, or what the example says")
	}
	for i, c := range e.Without {
		where := fmt.Sprintf("%s.without[%d]", at, i)
		contents := p.contents(at, e) // afresh, since fields are taken out of them
		if cut(contents, c) == 0 {
			p.bad(where, fmt.Sprintf("no object %q has a field %q", c.From, c.Path), "name a field that stands in the example")
			continue
		}
		if got, why := p.outcome(ctx, e, contents); got != c.Outcome {
			p.bad(where, fmt.Sprintf("without the field the outcome is %s%s, and not %s", got, why, c.Outcome), "mend the check, or what the example says")
		}
	}
}

func (p *prover) contents(at string, e Example) []manifest.Content {
	documents, problems := manifest.Read("example", []byte(e.Objects))
	for _, one := range problems {
		p.bad(at+".objects", one.Msg, one.Help)
	}
	var all []manifest.Content
	for _, d := range documents {
		c, ok := d.Content()
		if !ok {
			p.bad(at+".objects", fmt.Sprintf("the document on line %d is no object", d.Line), "give it apiVersion and kind, or write what a source gives")
		}
		all = append(all, c)
	}
	return all
}

// outcome is that of the object furthest from clear.
func (p *prover) outcome(ctx context.Context, e Example, all []manifest.Content) (Outcome, string) {
	snap := object.NewSnapshot(proven)
	for _, c := range all {
		c.AddTo(snap)
	}
	snap.Read(e.Read...)
	res, err := p.rule.Run(ctx, snap)
	if err != nil {
		return NotChecked, ": " + err.Error()
	}
	worst, why := NotAsked, ""
	if res.Clear > 0 {
		worst = Clear
	}
	for _, f := range res.Findings {
		if slices.Index(Outcomes(), f.Outcome) < slices.Index(Outcomes(), worst) {
			worst, why = f.Outcome, ""
			if f.Outcome == NotChecked {
				why = " (" + f.Why.En + ")"
			}
		}
	}
	return worst, why
}

// cut takes a field out of objects, and returns out of how many.
func cut(all []manifest.Content, c Cut) int {
	n := 0
	for _, content := range all {
		for _, o := range slices.Concat(content.Objects, content.Lists) {
			name, ok := strings.CutPrefix(c.From, o.Kind+"/") // names may have a slash as well as kinds
			if fits, _ := path.Match(name, o.Name); ok && (fits || name == o.Name) {
				t, _ := o.Fields.(object.Tree) // examples are text
				_, inner := cutField(map[string]any(t), object.Steps(c.Path))
				n += inner
			}
		}
	}
	return n
}

// cutField takes what stands at a path out of a value, where [*] is every member
// of a list, and returns what is left of the value and how many were taken out.
func cutField(v any, steps []string) (any, int) {
	switch v := v.(type) {
	case map[string]any:
		inner, ok := v[steps[0]]
		if !ok {
			return v, 0
		}
		if len(steps) == 1 {
			delete(v, steps[0])
			return v, 1
		}
		rest, n := cutField(inner, steps[1:])
		v[steps[0]] = rest
		return v, n
	case []any:
		index, ok := strings.CutPrefix(steps[0], "[")
		if !ok {
			return v, 0
		}
		n := 0
		var left []any
		for i, one := range v {
			here := index == "*" || index == strconv.Itoa(i)
			switch {
			case here && len(steps) == 1:
				n++
				continue
			case here:
				rest, inner := cutField(one, steps[1:])
				one, n = rest, n+inner
			}
			left = append(left, one)
		}
		return left, n
	}
	return v, 0
}
