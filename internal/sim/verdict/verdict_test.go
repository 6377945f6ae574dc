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

// TestSlowDrain keeps a backlog that drains slowly, with no feedback at all,
// from being called metastable: 100 requests at 0.7 a second take 143 s.
func TestSlowDrain(t *testing.T) {
	j := judge(t, `name: slow drain
parts:
  users: {kind: source, rate: 9.3/s, arrivals: regular, in_time: 1s, call: {to: db}}
  db: {kind: server, work: 100ms}
changes:
  - {about: the rush, at: 10s, for: 5s, set: {users.rate: 30/s}}
`, 3)
	if j.Class != Driven {
		t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, Driven)
	}
	if got := j.Trials[0].Recovery; got < 120 || got > 180 {
		t.Errorf("it came back after %.0f s, want about the fluid drain time of 143 s", got)
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
