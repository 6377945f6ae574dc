package expect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Check looks whether the expectations hold for a run. The order is that of the
// file.
func (s *Set) Check(r *scenario.Result) []scenario.Seen {
	view := newView(s.file, r)
	all := make([]scenario.Seen, len(s.all))
	for i := range s.all {
		all[i] = s.all[i].check(view)
		all[i].Seed = r.Seed
	}
	return all
}

// Expectations returns what the set holds, in the order of the file.
func (s *Set) Expectations() []scenario.Expectation {
	all := make([]scenario.Expectation, len(s.all))
	for i, c := range s.all {
		all[i] = c.Expectation
	}
	return all
}

// Until returns by when all is over that the expectations look at.
func (s *Set) Until() des.Time {
	var until des.Time
	for _, c := range s.all {
		until = max(until, c.until)
	}
	return whole(s.file, until)
}

// whole returns a time of the run of a file, the end of the run for that of its last
// window: of what is counted over a whole run, some may come after it.
func whole(f *scenario.File, until des.Time) des.Time {
	if until+f.Run.Window.Time() > f.Run.For.Time() {
		return f.Run.For.Time()
	}
	return until
}

// view is a run as expressions see it.
type view struct {
	clock  clock
	places map[string]int // of series in the result
	result *scenario.Result
	made   map[string]*series
	good   float64
}

func newView(f *scenario.File, r *scenario.Result) *view {
	c := clock{
		width: f.Run.Window.Time(), windows: int(f.Run.For.Time() / f.Run.Window.Time()), zero: f.Run.Zero.Time(),
		reached: des.FromSeconds(r.Reached), ended: r.End,
	}
	v := &view{clock: c, places: map[string]int{}, result: r, made: map[string]*series{}, good: 1}
	for i, one := range r.Series {
		v.places[one.Name] = i
	}
	var good, offered int64
	for _, g := range r.Sources {
		good, offered = good+g.Good, offered+g.Offered
	}
	if offered > 0 {
		v.good = float64(good) / float64(offered)
	}
	return v
}

// series returns a series of the run, nil if it has none of that name.
func (v *view) series(name string) *series {
	if s := v.made[name]; s != nil {
		return s
	}
	i, ok := v.places[name]
	if !ok {
		return nil
	}
	s := &series{values: v.result.Series[i].Values, counts: v.result.Series[i].Unit == "count", clock: v.clock}
	s.values = s.values[:min(len(s.values), v.clock.windows)]
	v.made[name] = s
	return s
}

// variables returns what an expression reads of a run. Where the run does not
// have it, why not is told.
func (c *compiled) variables(v *view) (map[string]any, scenario.Seen) {
	vars := map[string]any{goodShare: v.good}
	for _, name := range c.series {
		s := v.series(name)
		if s == nil {
			return nil, scenario.Seen{Why: fmt.Sprintf("the run has no series %q", name)}
		}
		vars[name] = s
	}
	if c.run && (!v.clock.ended.Finished() || v.clock.reached < v.clock.end()) {
		why := &notReached{v.clock.end(), v.clock}
		return nil, scenario.Seen{Why: why.Error(), NotReached: true}
	}
	return vars, scenario.Seen{}
}

// check evaluates one expectation.
func (c *compiled) check(v *view) scenario.Seen {
	vars, missing := c.variables(v)
	if missing.Why != "" {
		return missing
	}
	result, details, err := c.program.Eval(vars)
	t := teller{state: details.State(), info: c.written.SourceInfo(), clock: v.clock, functions: byName()}
	t.measure(c.written.Expr())
	seen := scenario.Seen{Values: t.values}
	var missed *notReached
	switch {
	case errors.As(err, &missed):
		seen.NotReached, seen.Why = true, missed.Error()
	case err != nil:
		seen.Why = t.failure(c.written.Expr(), err)
	default:
		if seen.Held, _ = result.Value().(bool); !seen.Held {
			seen.Why = strings.Join(t.why(c.written.Expr(), true), "; ")
		}
	}
	return seen
}

func byName() map[string]function {
	all := map[string]function{}
	for _, f := range functions() {
		all[f.name] = f
	}
	return all
}

// teller says what the pieces of an expression came to.
type teller struct {
	state     interpreter.EvalState
	info      *ast.SourceInfo
	clock     clock
	functions map[string]function
	values    []scenario.Measured
}

// value returns what a piece came to, nil where it was not looked at.
func (t *teller) value(e ast.Expr) ref.Val {
	v, _ := t.state.Value(e.ID())
	return v
}

// text writes a piece as it stands in the file.
func (t *teller) text(e ast.Expr) string {
	s, err := cel.ExprToString(e, t.info)
	if err != nil {
		return "the condition"
	}
	return s
}

// measure collects what the run gave: what functions made of series, and which
// results of the run were looked at.
func (t *teller) measure(e ast.Expr) {
	if name, ok := path(e); ok {
		if name == goodShare {
			t.add(e)
		}
		return
	}
	if e.Kind() != ast.CallKind {
		return
	}
	call := e.AsCall()
	f, ours := t.functions[call.FunctionName()]
	if ours && f.gives != chart && f.params[0].kind == chart {
		t.add(e)
		return
	}
	for _, a := range call.Args() {
		t.measure(a)
	}
}

func (t *teller) add(e ast.Expr) {
	m := scenario.Measured{Of: t.text(e)}
	for _, before := range t.values {
		if before.Of == m.Of {
			return
		}
	}
	switch v := fromCEL(t.value(e)).(type) {
	case float64:
		m.Value, m.Text = &v, figure(v)
	case des.Time:
		seconds := v.Seconds()
		m.Value, m.Text = &seconds, t.clock.moment(v)
	case bool:
		m.Text = fmt.Sprint(v)
		if because := t.because(e); because != "" {
			m.Text += ": " + because
		}
	case nil:
		return // it did not come to that
	case error:
		m.Text = "none: " + v.Error()
	}
	t.values = append(t.values, m)
}

// because says what a condition of ours has found.
func (t *teller) because(e ast.Expr) string {
	f := t.functions[e.AsCall().FunctionName()]
	if f.because == nil {
		return ""
	}
	var args arguments
	for _, a := range e.AsCall().Args() {
		v := t.value(a)
		if v == nil {
			return ""
		}
		args = append(args, fromCEL(v))
	}
	return f.because(args)
}

// shown writes a piece and what it came to.
func (t *teller) shown(e ast.Expr) string {
	text := t.text(e)
	if e.Kind() == ast.LiteralKind {
		return text
	}
	v := t.literal(e)
	if v == "" {
		return text
	}
	return text + " = " + v
}

// literal writes what a piece came to.
func (t *teller) literal(e ast.Expr) string {
	switch v := fromCEL(t.value(e)).(type) {
	case float64:
		return figure(v)
	case des.Time:
		if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Subtract {
			return duration(v) // between two moments
		}
		return t.clock.moment(v)
	case bool:
		return fmt.Sprint(v)
	}
	return ""
}

// why says which pieces of a condition were not as wanted: those of its parts
// that are to blame.
func (t *teller) why(e ast.Expr, want bool) []string {
	if got, ok := fromCEL(t.value(e)).(bool); ok && got == want {
		return nil
	}
	if e.Kind() != ast.CallKind {
		return []string{fmt.Sprintf("%s is %s", t.text(e), t.literal(e))}
	}
	call := e.AsCall()
	args := call.Args()
	switch name := call.FunctionName(); name {
	case operators.LogicalAnd, operators.LogicalOr:
		return append(t.why(args[0], want), t.why(args[1], want)...)
	case operators.LogicalNot:
		return t.why(args[0], !want)
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.Equals, operators.NotEquals:
		return []string{fmt.Sprintf("%s, wanted %s%s %s", t.shown(args[0]), not(want), signs[name], t.shown(args[1]))}
	case "within":
		return []string{fmt.Sprintf("%s, wanted %s%s to %s", t.shown(args[0]), not(want), t.shown(args[1]), t.shown(args[2]))}
	}
	because := t.because(e)
	if because != "" {
		because = ": " + because
	}
	if want {
		return []string{t.text(e) + " does not hold" + because}
	}
	return []string{t.text(e) + " holds" + because}
}

func not(want bool) string {
	if want {
		return ""
	}
	return "not "
}

// failure says which piece has no value, and why.
func (t *teller) failure(e ast.Expr, err error) string {
	if found := t.failed(e); found != nil {
		return fmt.Sprintf("%s has no value: %s", t.text(found), err)
	}
	return err.Error()
}

// failed returns the innermost piece that has an error for a value.
func (t *teller) failed(e ast.Expr) ast.Expr {
	if e.Kind() != ast.CallKind {
		return nil
	}
	for _, a := range e.AsCall().Args() {
		if found := t.failed(a); found != nil {
			return found
		}
	}
	if _, is := fromCEL(t.value(e)).(error); is {
		return e
	}
	return nil
}
