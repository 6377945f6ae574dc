package parts

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

const sec = Duration(des.Second)

// usersOf are Poisson requests to a part.
func usersOf(t testing.TB, rate float64, call Call) Named {
	t.Helper()
	if call.Backoff.Factor == 0 {
		call.Backoff = Backoff{Factor: 2, Most: 60 * sec}
	}
	return Named{Name: "users", Config: &sourceConfig{
		Rate: Rate(rate), Arrivals: "poisson", Size: amount(t, "1"), Think: spread(t, "exp 1s"), Call: call,
	}}
}

// serverOf is a first come, first served server with a waiting room without end.
func serverOf(t testing.TB, workers int, work string) *serverConfig {
	t.Helper()
	return &serverConfig{
		Workers: Count(workers), Room: Unlimited, Order: "fifo", Full: "refuse", Expired: "run",
		Work: spread(t, work), After: spread(t, "0"),
	}
}

// runFor runs a system and holds it to its laws.
func runFor(t testing.TB, seed uint64, until des.Time, all ...Named) *Net {
	t.Helper()
	n := Build(all, Options{Seed: seed, Window: max(des.Second, until/400)}) // closing a window costs
	goOn(t, n, until)
	return n
}

// goOn runs a system up to an instant.
func goOn(t testing.TB, n *Net, until des.Time) {
	t.Helper()
	if end := n.Sim.Run(context.Background(), des.Budget{Until: until}); end != des.EndTime {
		t.Fatalf("the run ended by %q at %v", end, n.Sim.Now())
	}
	for _, err := range n.Check() {
		t.Error(err)
	}
}

// series returns a series by name.
func series(t testing.TB, n *Net, name string) []float64 {
	t.Helper()
	for _, s := range n.Rec.Series() {
		if s.Name == name {
			return s.Values
		}
	}
	t.Fatalf("there is no series %q", name)
	return nil
}

// meanFrom returns the mean of a series from a window on.
func meanFrom(t testing.TB, n *Net, name string, from int) float64 {
	t.Helper()
	values := series(t, n, name)[from:]
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// total returns the sum of a series of counts.
func total(t testing.TB, n *Net, name string) float64 {
	t.Helper()
	sum := 0.0
	for _, v := range series(t, n, name) {
		sum += v
	}
	return sum
}

// setKnob sets a knob.
func setKnob(t testing.TB, n *Net, name string, to float64) {
	t.Helper()
	k, ok := n.knob(name)
	if !ok {
		t.Fatalf("there is no knob %q", name)
	}
	k.Set(to)
}

// near fails unless got is want give or take a tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.5g, want %.5g ± %.2g", what, got, want, tolerance)
	}
}

// sameAgain fails unless two runs with one seed are alike and another differs.
func sameAgain(t *testing.T, until des.Time, all func() []Named) {
	t.Helper()
	a, b := runFor(t, 7, until, all()...), runFor(t, 7, until, all()...)
	if !reflect.DeepEqual(a.Rec.Series(), b.Rec.Series()) {
		t.Error("the same seed gave other series")
	}
	if c := runFor(t, 8, until, all()...); reflect.DeepEqual(a.Rec.Series(), c.Rec.Series()) {
		t.Error("another seed gave the same series")
	}
}

// reported fails unless the settings are reported at a field.
func reported(t *testing.T, c Config, field string) {
	t.Helper()
	var r Report
	c.Check(&r)
	for _, f := range r.Findings {
		if f.Field == field {
			if f.Msg == "" || !f.Warning && f.Help == "" {
				t.Errorf("%s: the finding %+v lacks a message or a remedy", field, f)
			}
			return
		}
	}
	t.Errorf("nothing was found at %s, only %+v", field, r.Findings)
}
