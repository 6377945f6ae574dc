package parts

import (
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// balanced is a balancer in front of copies of a server.
func balanced(t testing.TB, rate float64, c *balancerConfig, copies int, server *serverConfig) []Named {
	t.Helper()
	if c.Calls == nil {
		c.Calls = []Call{{To: "web", Backoff: Backoff{Factor: 2, Most: 60 * sec}}}
	}
	if c.Choices == 0 {
		c.Choices = 2
	}
	return []Named{
		usersOf(t, rate, Call{To: "lb"}),
		{Name: "lb", Config: c},
		{Name: "web", Config: server, Copies: copies},
	}
}

// TestBalancerRandom: a Poisson process that is split at random is as many
// Poisson processes, and each target an M/M/1.
func TestBalancerRandom(t *testing.T) {
	n := runFor(t, 1, 60_000*des.Second, balanced(t, 2.8, &balancerConfig{Policy: "random"}, 4, serverOf(t, 1, "exp 1s"))...)
	s := n.parts[0].(*source)
	const rho = 0.7
	se := math.Sqrt(rho * (2 + 5*rho - 4*rho*rho + rho*rho*rho) / (math.Pow(1-rho, 4) * float64(s.good.Total())))
	near(t, "mean latency", s.latency.Mean(), 1/(1-rho), 3*se)
}

// TestBalancerRoundRobin: each of two targets gets every second arrival, which
// makes it E2/M/1. Its wait follows from the root of z = A(mu(1-z)).
func TestBalancerRoundRobin(t *testing.T) {
	const lambda = 0.8 // of each target
	n := runFor(t, 1, 100_000*des.Second, balanced(t, 2*lambda, &balancerConfig{Policy: "round_robin"}, 2, serverOf(t, 1, "exp 1s"))...)
	z := 0.5
	for range 200 {
		z = math.Pow(2*lambda/(2*lambda+1-z), 2)
	}
	near(t, "mean latency", n.parts[0].(*source).latency.Mean(), 1/(1-z), 0.12)
}

// TestBalancerSupermarket holds power of two to the mean field of many servers:
// a share rho^(2^k-1) of them has k calls or more (Vvedenskaya et al. 1996).
func TestBalancerSupermarket(t *testing.T) {
	const rho, copies = 0.9, 300
	n := runFor(t, 1, 400*des.Second, balanced(t, rho*copies, &balancerConfig{Policy: "power_of_two"}, copies, serverOf(t, 1, "exp 1s"))...)
	waiting := 0.0
	for k := 2; k < 10; k++ {
		waiting += math.Pow(rho, math.Pow(2, float64(k))-1)
	}
	near(t, "busy share", meanFrom(t, n, "web.busy", 60)/copies, rho, 0.01)
	near(t, "waiting for each server", meanFrom(t, n, "web.queue", 60)/copies, waiting, 0.06)
}

// TestBalancerLeastLoaded: as long as one target is idle it gets the call, so
// that targets without a waiting room are one M/M/c/c, with Erlang's loss.
func TestBalancerLeastLoaded(t *testing.T) {
	server := serverOf(t, 1, "exp 1s")
	server.Room = 0
	n := runFor(t, 1, 30_000*des.Second, balanced(t, 5, &balancerConfig{Policy: "least_loaded"}, 6, server)...)
	loss := 1.0
	for k := 1; k <= 6; k++ {
		loss = 5 * loss / (float64(k) + 5*loss)
	}
	s := n.parts[0].(*source)
	near(t, "loss", float64(s.failed.Total())/float64(s.offered.Total()), loss, 0.008)
}

func TestBalancerWeights(t *testing.T) {
	for _, policy := range []Policy{"random", "round_robin", "power_of_two", "least_loaded"} {
		c := &balancerConfig{Policy: policy, Weights: []Factor{1, 2, 5}, Choices: 2}
		all := []Named{usersOf(t, 80, Call{To: "lb"}), {Name: "lb", Config: c}}
		for i := range 3 {
			name := fmt.Sprintf("s%d", i)
			c.Calls = append(c.Calls, Call{To: name})
			all = append(all, Named{Name: name, Config: serverOf(t, 1000, "exp 1s")})
		}
		n := runFor(t, 1, 200*des.Second, all...)
		sum := total(t, n, "lb.arrived")
		tolerance := map[Policy]float64{"random": 0.015, "round_robin": 0.0005, "least_loaded": 0.02}[policy]
		for i, w := range c.Weights {
			got := total(t, n, fmt.Sprintf("s%d.arrived", i)) / float64(sum)
			if policy == "power_of_two" { // of two drawn, the heavier tends to be the less loaded
				if i == 2 && got < 0.5 {
					t.Errorf("%s: the heaviest target gets %.3f", policy, got)
				}
				continue
			}
			near(t, fmt.Sprintf("%s: share of target %d", policy, i), got, float64(w)/8, tolerance)
		}
	}
}

// TestBalancerEjectsInRow: of ten targets that take turns, one is down. It fails
// five calls, is out for 30 s, and fails the next five.
func TestBalancerEjectsInRow(t *testing.T) {
	c := &balancerConfig{Policy: "round_robin", Eject: &Ejection{InRow: 5, For: 30 * sec, Most: 0.1}}
	n := Build(balanced(t, 100, c, 10, serverOf(t, 10, "exp 10ms")), Options{Seed: 1, Window: des.Second})
	setKnob(t, n, "web.3.down", 1)
	goOn(t, n, 3000*des.Second)
	// A turn comes every 0.1 s, so a cycle takes 30 s and five turns, the first
	// of them within one turn after the return.
	cycle := 30 + 0.1*4.5
	near(t, "failures", total(t, n, "lb.failed"), 5*3000/cycle, 5)
	near(t, "ejections", total(t, n, "lb.ejected"), 3000/cycle, 1)
	near(t, "targets out", meanFrom(t, n, "lb.set_aside", 0), 30/cycle, 0.002)
}

// TestBalancerEjectsRuns: a target that loses half of its calls is ejected after
// five failures in a row, which takes (1-q^5)/(q^5(1-q)) = 62 calls of it.
func TestBalancerEjectsRuns(t *testing.T) {
	c := &balancerConfig{Policy: "round_robin", Eject: &Ejection{InRow: 5, For: 10 * sec, Most: 1},
		Calls: []Call{{To: "a"}, {To: "web"}}}
	all := balanced(t, 20, c, 1, serverOf(t, 100, "exp 1ms"))
	n := Build(append(all, Named{Name: "a", Config: serverOf(t, 100, "exp 1ms")}), Options{Seed: 1, Window: des.Second})
	setKnob(t, n, "lb.calls[0].cut", 0.5)
	goOn(t, n, 40_000*des.Second)
	cycle := 10 + 62/10.0
	near(t, "ejections", total(t, n, "lb.ejected"), 40_000/cycle, 3*math.Sqrt(40_000/cycle))
}

func TestBalancerEjectsByShare(t *testing.T) {
	c := &balancerConfig{Policy: "random",
		Eject: &Ejection{Share: 0.4, Every: 10 * sec, Least: 10, For: 5 * sec, Most: 0.2, Longer: true}}
	n := Build(balanced(t, 100, c, 10, serverOf(t, 10, "exp 10ms")), Options{Seed: 1, Window: des.Second})
	for _, k := range []string{"web.1.down", "web.4.down", "web.7.down"} {
		setKnob(t, n, k, 1)
	}
	goOn(t, n, 200*des.Second)
	// Two of the three may be out at once; each time they are for 5 s longer.
	if peak := series(t, n, "lb.set_aside"); peak[12] != 2 {
		t.Errorf("%v targets are out after the first interval, want 2 of 10", peak[12])
	}
	if e := total(t, n, "lb.ejected"); e < 12 || e > 24 {
		t.Errorf("%v ejections in 200 s", e)
	}
}

func TestBalancerHealthChecks(t *testing.T) {
	c := &balancerConfig{Policy: "round_robin",
		Checks: &HealthChecks{Every: 10 * sec, Timeout: sec, Failures: 3, Successes: 2}}
	n := Build(balanced(t, 40, c, 4, serverOf(t, 10, "exp 10ms")), Options{Seed: 1, Window: des.Second})
	goOn(t, n, 100*des.Second)
	setKnob(t, n, "web.2.down", 1)
	goOn(t, n, 200*des.Second)
	setKnob(t, n, "web.2.down", 0)
	goOn(t, n, 300*des.Second)
	available, refused := series(t, n, "lb.available"), series(t, n, "lb.failed")
	for at, want := range map[int]float64{90: 4, 119: 4, 131: 3, 199: 3, 209: 3, 221: 4} {
		if available[at] != want {
			t.Errorf("at %d s %v targets are available, want %v", at, available[at], want)
		}
	}
	if refused[110] == 0 || refused[150] != 0 {
		t.Errorf("%v calls failed while the check had not noticed and %v after", refused[110], refused[150])
	}
}

func TestBalancerPanicAndRetries(t *testing.T) {
	for _, panicBelow := range []Share{0, 0.5} {
		c := &balancerConfig{Policy: "round_robin", Panic: panicBelow, Retries: 1,
			Eject: &Ejection{InRow: 3, For: 1000 * sec, Most: 1}}
		n := Build(balanced(t, 40, c, 4, serverOf(t, 10, "exp 10ms")), Options{Seed: 1, Window: des.Second})
		for _, k := range []string{"web.0.down", "web.1.down", "web.2.down"} {
			setKnob(t, n, k, 1)
		}
		goOn(t, n, 200*des.Second)
		available := series(t, n, "lb.available")[100]
		if want := map[Share]float64{0: 1, 0.5: 4}[panicBelow]; available != want {
			t.Errorf("with panic below %v, %v targets are available, want %v", panicBelow, available, want)
		}
		if failed := meanFrom(t, n, "lb.failed", 100); (failed > 0) != (panicBelow > 0) {
			t.Errorf("with panic below %v, %v calls fail a second", panicBelow, failed)
		}
		if total(t, n, "lb.retries") == 0 {
			t.Error("nothing was retried")
		}
	}
}

func TestBalancerKnobs(t *testing.T) {
	n := Build(balanced(t, 100, &balancerConfig{Policy: "least_loaded"}, 10, serverOf(t, 10, "exp 10ms")), Options{Seed: 1, Window: des.Second})
	setKnob(t, n, "lb.calls[0].copies", 4)
	n.group("web").takeOut(1, true)
	goOn(t, n, 10*des.Second)
	for i := range 10 {
		if got := total(t, n, fmt.Sprintf("web.%d.arrived", i)) > 0; got != (i < 4 && i != 1) {
			t.Errorf("copy %d gets calls: %v", i, got)
		}
	}
	setKnob(t, n, "lb.calls[0].weight", 0)
	goOn(t, n, 20*des.Second)
	if refused := series(t, n, "lb.refused")[15]; refused == 0 {
		t.Error("a balancer without targets refuses nothing")
	}
	if k, _ := n.knob("web.workers"); k.Get() != 10 {
		t.Errorf("the mean of the copies' workers is %v", k.Get())
	}
}

// TestBalancerWithdraws: calls whose callers give up leave the balancer and its
// target.
func TestBalancerWithdraws(t *testing.T) {
	c := &balancerConfig{Policy: "least_loaded", Calls: []Call{{To: "web", Cancel: true}}}
	all := balanced(t, 30, c, 3, serverOf(t, 10, "exp 1s"))
	all[0] = usersOf(t, 60, Call{To: "lb", Timeout: sec, Cancel: true, Retries: 1})
	n := runFor(t, 1, 100*des.Second, all...)
	if total(t, n, "lb.withdrawn") == 0 || total(t, n, "web.withdrawn") == 0 {
		t.Error("nothing was withdrawn")
	}
}

func TestBalancerSameSeed(t *testing.T) {
	for _, policy := range []Policy{"random", "power_of_two"} {
		sameAgain(t, 20*des.Second, func() []Named {
			return balanced(t, 50, &balancerConfig{Policy: policy}, 20, serverOf(t, 3, "exp 1s"))
		})
	}
}

func TestBalancerChecksSettings(t *testing.T) {
	call := []Call{{To: "web", Backoff: Backoff{Factor: 2}}}
	reported(t, &balancerConfig{Choices: 2}, "calls")
	reported(t, &balancerConfig{Calls: call, Weights: []Factor{1, 2}, Choices: 2}, "weights")
	reported(t, &balancerConfig{Calls: call}, "choices")
	reported(t, &balancerConfig{Calls: []Call{{To: "web", Retries: 2}}}, "calls[0].retries")
	reported(t, &balancerConfig{Calls: []Call{{To: "web", Hedge: sec}}}, "calls[0].hedge")
	reported(t, &balancerConfig{Calls: call, Eject: &Ejection{For: sec}}, "eject")
	reported(t, &balancerConfig{Calls: call, Eject: &Ejection{InRow: 1}}, "eject.for")
	reported(t, &balancerConfig{Calls: call, Eject: &Ejection{Share: 1, For: sec}}, "eject.interval")
	reported(t, &balancerConfig{Calls: call, Checks: &HealthChecks{}}, "health_checks")
}
