package verdict

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// decode reads a scenario that must be right.
func decode(t *testing.T, src string, set ...strictyaml.Setting) *scenario.File {
	t.Helper()
	f, problems := scenario.Decode("test.yaml", []byte(src), set)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	return f
}

const retryStorm = `name: retries
parameters:
  load: {value: 50/s, assumed: half the capacity}
  timeout: 300ms
  retries: 3
parts:
  users:
    kind: source
    rate: $load
    call: {to: db, timeout: $timeout, retries: $retries}
  db: {kind: server, work: exp 10ms}
changes:
  - {about: the slow database, at: 10s, for: 4s, set: {db.speed: 0.05}}
`

func judge(t *testing.T, src string, seeds int, set ...strictyaml.Setting) *Judgment {
	t.Helper()
	j, err := Judge(context.Background(), decode(t, src, set...), Options{Seeds: seeds})
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Broken) > 0 {
		t.Fatalf("laws are broken: %v", j.Broken)
	}
	return j
}

// TestRetryEdge holds the verdict to the mean field of a single server with
// impatient clients: with R attempts the congested state keeps itself going if,
// and only if, the load is above 1/R.
func TestRetryEdge(t *testing.T) {
	for _, c := range []struct {
		attempts int
		load     float64
		want     Class
	}{
		{2, 0.47, Driven}, {2, 0.54, Metastable},
		{3, 0.31, Driven}, {3, 0.36, Metastable},
		{4, 0.20, Driven}, {4, 0.24, Driven}, {4, 0.27, Metastable}, {4, 0.35, Metastable}, {4, 0.50, Metastable},
		{4, 0.95, Overloaded},
	} {
		t.Run(fmt.Sprintf("%d attempts, load %.2f", c.attempts, c.load), func(t *testing.T) {
			t.Parallel()
			j := judge(t, retryStorm, 5,
				strictyaml.Setting{Path: "load", Value: fmt.Sprintf("%.0f/s", 100*c.load)},
				strictyaml.Setting{Path: "retries", Value: fmt.Sprint(c.attempts - 1)})
			if j.Class != c.want {
				t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, c.want)
			}
			if c.want != Metastable {
				return
			}
			if own := j.Trials[0]; own.Useful > 0.1 || own.Amplification < 0.9*float64(c.attempts) {
				t.Errorf("useful work %.2f and amplification %.2f do not show the loop of %d attempts",
					own.Useful, own.Amplification, c.attempts)
			}
		})
	}
}

// TestShortPause is a service at 70 % whose four attempts of half a second do
// not survive a pause of a second.
func TestShortPause(t *testing.T) {
	const src = `name: pause
parts:
  users: {kind: source, rate: 70/s, call: {to: api, timeout: 500ms, retries: 3}}
  api: {kind: server, work: exp 10ms}
changes:
  - {about: the pause, at: 10s, for: 1s, set: {api.speed: 0}}
`
	if j := judge(t, src, 5); j.Class != Metastable {
		t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, Metastable)
	}
	j := judge(t, src, 5, strictyaml.Setting{Path: "users.call.retry_budget", Value: "10%"})
	if j.Class != Driven {
		t.Errorf("with a retry budget of 10%% the verdict is %s (%s), want %s", j.Class, j.Why, Driven)
	}
}

// TestSameOnAnyNumberOfWorkers compares a judgment made one run at a time with
// one made four at a time.
func TestSameOnAnyNumberOfWorkers(t *testing.T) {
	f := decode(t, retryStorm)
	var all [2]*Judgment
	for i, workers := range []int{1, 4} {
		j, err := Judge(context.Background(), f, Options{Seeds: 4, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		all[i] = j
	}
	if d := cmp.Diff(all[0], all[1]); d != "" {
		t.Errorf("judgments differ by the number of workers:\n%s", d)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Judge(ctx, decode(t, retryStorm), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want %v", err, context.Canceled)
	}
}

// TestStress looks for the smallest trigger of the retrying clients. It is a
// probability: about half of the runs tip at the edge, fewer below, more above.
func TestStress(t *testing.T) {
	edges, err := Stress(context.Background(), decode(t, retryStorm), Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := edges[0]
	if !own.Own || !own.Tips || own.Shortest < 0.3 || own.Shortest > 0.7 {
		t.Fatalf("the edge is %+v, want the scenario's own trigger to tip from about half a second on", own)
	}
	if below, at := own.Around[0].Share, own.Around[1].Share; below >= 0.5 || at < 0.5 {
		t.Errorf("%.2f of the runs tip below the edge and %.2f at it, want half of them between", below, at)
	}
	for i := 1; i < len(own.Frontier); i++ {
		a, b := own.Frontier[i-1], own.Frontier[i]
		if b.Tips && b.Shortest < a.Shortest {
			t.Errorf("at %.0f %% it takes %.2f s, and at %.0f %% only %.2f s", 100*a.Magnitude, a.Shortest, 100*b.Magnitude, b.Shortest)
		}
	}
	stable, err := Stress(context.Background(), decode(t, retryStorm, strictyaml.Setting{Path: "load", Value: "15/s"}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range stable {
		if e.Tips {
			t.Errorf("below 1/4 of the capacity, %q tips the system after %.2f s", e.Trigger, e.Shortest)
		}
		if e.Longest < e.Lasts || e.Longest > max(e.Lasts, 64*e.Lasts) {
			t.Errorf("%q of %.2f s was tried for up to %.2f s", e.Trigger, e.Lasts, e.Longest)
		}
	}
}

// TestRemediesOfOverload tries what keeps a system healthy that its own hedges
// overload: nothing has to be restored there.
func TestRemediesOfOverload(t *testing.T) {
	found, err := Remedy(context.Background(), decode(t, `name: hedged
parts:
  users: {kind: source, rate: 250/s, call: {to: web, timeout: 500ms, hedge: 50ms}}
  web: {kind: server, workers: 10, work: exp 30ms}
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !found.Overloaded || found.Tipped != found.Seeds {
		t.Errorf("%d of %d runs are unhealthy, overloaded: %t", found.Tipped, found.Seeds, found.Overloaded)
	}
	if len(found.Weakest) != 1 || found.Weakest[0].En != "no hedges of users.call" {
		t.Errorf("the weakest is %v, want no hedges", found.Weakest)
	}
	for _, tried := range found.Tried {
		if tried.Prevents == nil || tried.Held != 0 || tried.Restores.Share != 0 {
			t.Errorf("%v: %+v, want what it prevents and nothing else", tried.Remedies, tried)
		}
	}
}

// TestRemedies tries what brings the retrying clients back. A queue limit works
// when the queue is served within the timeout, and no retries when the load is
// below the capacity; half of the load times four attempts is all of the
// capacity, so turning half away does not.
func TestRemedies(t *testing.T) {
	found, err := Remedy(context.Background(), decode(t, retryStorm), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found.Tipped != found.Seeds {
		t.Errorf("%d of %d runs were tipped, want all", found.Tipped, found.Seeds)
	}
	got := map[string]Tried{}
	for _, tried := range found.Tried {
		got[together(tried.Remedies...).En] = tried
	}
	for _, c := range []struct {
		remedy             string
		prevents, restores bool
	}{
		{"a retry budget of 10 % on users.call", true, true},
		{"no retries of users.call", true, true},
		{"a waiting room of 15 at db", true, true},
		{"half of the requests of users turned away", false, false},
		{"twice the workers of db", false, false},
	} {
		tried, ok := got[c.remedy]
		if !ok {
			t.Errorf("%q was not tried", c.remedy)
			continue
		}
		if prevents := tried.Prevents.Share > 0.5; prevents != c.prevents {
			t.Errorf("%q prevents: %v (%.2f), want %v", c.remedy, prevents, tried.Prevents.Share, c.prevents)
		}
		if restores := tried.Restores.Share > 0.5; restores != c.restores {
			t.Errorf("%q restores: %v (%.2f), want %v", c.remedy, restores, tried.Restores.Share, c.restores)
		}
	}
	if want := "a retry budget of 10 % on users.call"; together(found.Weakest...).En != want {
		t.Errorf("the weakest remedies are %q, want %q", found.Weakest, want)
	}
}

// TestPhaseMap draws the load against the number of retries. The lower edge of
// the metastable cells is the load of one over the attempts; cells that were not
// run must have the class that a run gives them.
func TestPhaseMap(t *testing.T) {
	x := Axis{Setting: "load"}
	for load := 12; load <= 60; load += 4 {
		x.Values = append(x.Values, fmt.Sprintf("%d/s", load))
	}
	y := Axis{Setting: "retries", Values: []string{"0", "1", "2", "3", "4", "5", "6"}}
	at := func(load, retries string) (*scenario.File, error) {
		return decode(t, retryStorm, strictyaml.Setting{Path: "load", Value: load},
			strictyaml.Setting{Path: "retries", Value: retries}), nil
	}
	m, err := PhaseMap(context.Background(), x, y, at, Options{Seeds: 6})
	if err != nil {
		t.Fatal(err)
	}
	for retries, row := range m.Cells {
		for i, class := range row {
			load, edge := float64(12+4*i), 100/float64(retries+1)
			up := class == Driven || class == Stable
			if load > 1.1*edge && class != Metastable || load < 0.9*edge && !up {
				t.Errorf("with %d retries at %.0f/s the class is %s; the edge is at %.0f/s", retries, load, class, edge)
			}
		}
	}
	if all := len(x.Values) * len(y.Values); m.Judged > 3*all/4 {
		t.Errorf("%d of %d cells were run", m.Judged, all)
	}
}

// TestManyUnderWay is a healthy service with hundreds of calls under way, whose
// number changes by chance: that is no error.
func TestManyUnderWay(t *testing.T) {
	j := judge(t, `name: many under way
parts:
  users: {kind: source, rate: 10/s, call: {to: web}}
  web: {kind: server, workers: 500, work: exp 10s}
`, 5)
	if j.Class != Stable {
		t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, Stable)
	}
}

// TestAllStuck is a population that hangs: nothing is offered any more, which is
// not health.
func TestAllStuck(t *testing.T) {
	f := decode(t, `name: hung
parts:
  users: {kind: source, population: 100, think: exp 1s, call: {to: db}}
  db: {kind: server, workers: 100, work: exp 10ms}
changes:
  - {about: the halt, at: 10s, for: 1h, set: {db.speed: 0}}
`)
	p, err := newProtocol(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	own, _ := p.own()
	c := p.begin(1, &own, false)
	warm := windowsIn(p.warm, p.window)
	if err := c.run(context.Background(), warm+5); err != nil {
		t.Fatal(err)
	}
	for i, w := range c.windows {
		if bad := w.errors > p.limit; bad != (i >= warm) {
			t.Errorf("window %d has an error share of %.3f; the halt is from window %d on", i, w.errors, warm)
		}
	}
}

// TestLongDrain has a backlog that takes 2,500 s without retries, hundreds of
// time constants; with retries it never drains.
func TestLongDrain(t *testing.T) {
	const src = `name: long drain
parts:
  users: {kind: source, rate: 85/s, in_time: 1s, call: {to: db, timeout: 1s, retries: 3}}
  db: {kind: server, work: 10ms}
changes:
  - {about: the rush, at: 10s, for: 40s, set: {users.rate: 3x}}
`
	if j := judge(t, src, 3); j.Class != Metastable {
		t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, Metastable)
	}
	if j := judge(t, src, 3, strictyaml.Setting{Path: "users.call.retries", Value: "0"}); j.Class != Driven {
		t.Errorf("without retries the verdict is %s (%s), want %s", j.Class, j.Why, Driven)
	}
}

// TestBalancerRetries has its retries at a balancer: they are feedback too.
func TestBalancerRetries(t *testing.T) {
	j := judge(t, `name: retries at the balancer
parts:
  users: {kind: source, rate: 50/s, call: {to: lb, timeout: 2s}}
  lb: {kind: balancer, retries: 3, calls: [{to: web, timeout: 300ms}]}
  web: {kind: server, work: exp 10ms}
changes:
  - {about: the slow server, at: 10s, for: 4s, set: {web.speed: 0.05}}
`, 3)
	if j.Class != Metastable || j.Trials[0].CalmDown > 0 {
		t.Errorf("the verdict is %s (%s), with %d of %d runs down without retries; want %s, and none",
			j.Class, j.Why, j.Trials[0].CalmDown, j.Trials[0].CalmRuns, Metastable)
	}
}

// TestProfiles has a load that is larger in the second half of each hour:
// a pause tips the system then, and does not in the first half. A larger load
// takes it down by itself, though only in the second half.
func TestProfiles(t *testing.T) {
	const src = `name: half of each hour
parameters:
  when: {value: 10m, assumed: in the quiet half}
  load: {value: 100/s, assumed: never all of it comes}
parts:
  users:
    kind: source
    rate: $load
    profile: [{at: 0s, share: 20%}, {at: 29m, share: 20%}, {at: 30m, share: 70%}, {at: 59m, share: 70%}]
    profile_every: 1h
    call: {to: db, timeout: 200ms, retries: 3}
  db: {kind: server, work: exp 10ms, room: 50}
run: {for: 2h}
changes:
  - {about: the pause, at: $when, for: 1s, set: {db.speed: 0}}
`
	for _, c := range []struct {
		set  []strictyaml.Setting
		want Class
	}{
		{[]strictyaml.Setting{{Path: "when", Value: "45m"}}, Metastable},
		{[]strictyaml.Setting{{Path: "when", Value: "1h45m"}}, Metastable},
		{nil, Vulnerable}, // standing still for longer at the peak is tried too
		{[]strictyaml.Setting{{Path: "load", Value: "160/s"}}, Overloaded},
	} {
		if j := judge(t, src, 4, c.set...); j.Class != c.want {
			t.Errorf("with %v the verdict is %s (%s), want %s", c.set, j.Class, j.Why, c.want)
		}
	}
}
