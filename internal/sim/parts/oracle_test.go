package parts

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// The tests here hold the parts to exact results of queueing theory. Service
// takes a second on average. Each figure is the mean over replications with
// seeds of their own, and must lie within three of their standard errors, which
// must themselves be small.

// replications is how many runs a figure is the mean of.
const replications = 8

// figure is what a run measures.
type figure func(s *source, db *server) float64

// measure returns the mean of a figure over replications of a system of users
// and a server, and its standard error.
func measure(t *testing.T, users sourceConfig, db serverConfig, customers float64, f figure) (mean, se float64) {
	t.Helper()
	var sum, squares float64
	for seed := range uint64(replications) {
		u, d := users, db
		n := Build([]Named{{Name: "users", Config: &u}, {Name: "db", Config: &d}}, Options{Seed: seed + 1, Window: des.Hour})
		until := des.FromSeconds(customers / float64(users.Rate))
		if end := n.Sim.Run(context.Background(), des.Budget{Until: until}); !end.Finished() {
			t.Fatalf("the run ended by %q", end)
		}
		for _, err := range n.Check() {
			t.Error(err)
		}
		x := f(n.parts[0].(*source), n.parts[1].(*server))
		sum += x
		squares += x * x
	}
	mean = sum / replications
	variance := (squares - replications*mean*mean) / (replications - 1)
	return mean, math.Sqrt(max(variance, 0) / replications)
}

func usersAt(t *testing.T, rate float64) sourceConfig {
	return sourceConfig{
		Rate: Rate(rate), Arrivals: "poisson", Size: amount(t, "1"), Think: spread(t, "exp 1s"), Call: Call{To: "db"},
	}
}

func queueOf(t *testing.T, workers int, work string) serverConfig {
	return serverConfig{
		Workers: Count(workers), Room: Unlimited, Order: "fifo", Full: "refuse", Expired: "run",
		Work: spread(t, work), After: spread(t, "0"), MaxWait: spread(t, "0"),
	}
}

func meanSojourn(s *source, _ *server) float64 { return s.latency.Mean() }
func meanWait(_ *source, db *server) float64   { return db.wait.Mean() }
func share(part, all *des.Counter) float64     { return float64(part.Total()) / float64(all.Total()) }
func refusedShare(_ *source, db *server) float64 {
	return share(db.refused, db.arrived)
}

// erlangB is the loss of M/M/c/c at a erlangs, by the usual recursion.
func erlangB(c int, a float64) float64 {
	b := 1.0
	for k := 1; k <= c; k++ {
		b = a * b / (float64(k) + a*b)
	}
	return b
}

// erlangC is the share of customers of M/M/c who wait.
func erlangC(c int, a float64) float64 {
	b, rho := erlangB(c, a), a/float64(c)
	return b / (1 - rho*(1-b))
}

// birthDeath returns the stationary law of a birth-death chain on 0 to n.
func birthDeath(n int, birth, death func(k int) float64) []float64 {
	p := []float64{1}
	sum := 1.0
	for k := 1; k <= n; k++ {
		p = append(p, p[k-1]*birth(k-1)/death(k))
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// lossOfRoom is the loss of M/M/c/K.
func lossOfRoom(c, room int, lambda float64) float64 {
	p := birthDeath(c+room, func(int) float64 { return lambda }, func(k int) float64 { return float64(min(k, c)) })
	return p[c+room]
}

// erlangA is the share of customers of M/M/c+M who leave the line, whose
// patience is exponential with rate theta.
func erlangA(c int, lambda, theta float64) float64 {
	const far = 4000
	p := birthDeath(far, func(int) float64 { return lambda },
		func(k int) float64 { return float64(min(k, c)) + theta*float64(max(k-c, 0)) })
	waiting := 0.0
	for k := c + 1; k <= far; k++ {
		waiting += float64(k-c) * p[k]
	}
	return theta * waiting / lambda
}

// patienceD is the share of customers of M/M/1+D who leave a line after tau.
func patienceD(lambda, tau float64) float64 {
	e := math.Exp(-(1 - lambda) * tau)
	p0 := 1 / (1 + lambda/(1-lambda)*(1-e) + lambda*e)
	return lambda * p0 * e
}

func TestClosedForms(t *testing.T) {
	mm1 := func(rho float64) (sourceConfig, serverConfig) { return usersAt(t, rho), queueOf(t, 1, "exp 1s") }
	type system func() (sourceConfig, serverConfig)
	with := func(rate float64, workers int, work string, change func(*sourceConfig, *serverConfig)) system {
		return func() (sourceConfig, serverConfig) {
			u, d := usersAt(t, rate), queueOf(t, workers, work)
			if change != nil {
				change(&u, &d)
			}
			return u, d
		}
	}
	order := func(o Order) func(*sourceConfig, *serverConfig) {
		return func(_ *sourceConfig, d *serverConfig) { d.Order = o }
	}
	maxWait := func(s string) func(*sourceConfig, *serverConfig) {
		return func(_ *sourceConfig, d *serverConfig) { d.MaxWait = spread(t, s) }
	}
	room := func(n int) func(*sourceConfig, *serverConfig) {
		return func(_ *sourceConfig, d *serverConfig) { d.Room = Limit(n) }
	}
	for _, c := range []struct {
		name   string
		system system
		figure figure
		want   float64
		n      float64 // customers a run
	}{
		{"M/M/1 sojourn", func() (sourceConfig, serverConfig) { return mm1(0.8) }, meanSojourn, 1 / (1 - 0.8), 100_000},
		{"M/M/1 busy share", func() (sourceConfig, serverConfig) { return mm1(0.8) },
			func(_ *source, db *server) float64 { return db.inWork.Mean() }, 0.8, 40_000},
		{"M/M/1 share of sojourns above 5", with(0.8, 1, "exp 1s", func(u *sourceConfig, _ *serverConfig) {
			u.Call.Timeout = Duration(5 * des.Second)
		}), func(s *source, _ *server) float64 { return share(s.failed, s.offered) }, math.Exp(-(1 - 0.8) * 5), 100_000},
		{"M/M/4 wait", with(3.2, 4, "exp 1s", nil), meanWait, erlangC(4, 3.2) / (4 - 3.2), 100_000},
		{"M/M/4 line", with(3.2, 4, "exp 1s", nil),
			func(_ *source, db *server) float64 { return db.queue.Mean() }, erlangC(4, 3.2) * 3.2 / (4 - 3.2), 100_000},
		{"M/M/20/20 loss", with(18, 20, "exp 1s", room(0)), refusedShare, erlangB(20, 18), 100_000},
		{"M/D/20/20 loss", with(18, 20, "1s", room(0)), refusedShare, erlangB(20, 18), 100_000},
		{"M/M/3/8 loss", with(2.7, 3, "exp 1s", room(5)), refusedShare, lossOfRoom(3, 5, 2.7), 100_000},
		{"M/M/3/8 loss above capacity", with(4, 3, "exp 1s", room(5)), refusedShare, lossOfRoom(3, 5, 4), 100_000},
		{"M/D/1 wait", with(0.8, 1, "1s", nil), meanWait, 0.8 / (2 * (1 - 0.8)), 100_000},
		{"M/E4/1 wait", with(0.8, 1, "erlang 4 1s", nil), meanWait, 0.8 * 1.25 / (2 * (1 - 0.8)), 100_000},
		{"M/G/1 wait, uniform", with(0.7, 1, "uniform 0s 2s", nil), meanWait, 0.7 * (4.0 / 3) / (2 * (1 - 0.7)), 100_000},
		{"M/D/1 wait, lifo", with(0.8, 1, "1s", order("lifo")), meanWait, 0.8 / (2 * (1 - 0.8)), 100_000},
		{"M/D/1 wait, random", with(0.8, 1, "1s", order("random")), meanWait, 0.8 / (2 * (1 - 0.8)), 100_000},
		{"M/M/5+M loss", with(5, 5, "exp 1s", maxWait("exp 2s")), refusedShare, erlangA(5, 5, 0.5), 100_000},
		{"M/M/5+M loss above capacity", with(8, 5, "exp 1s", maxWait("exp 2s")), refusedShare, erlangA(5, 8, 0.5), 100_000},
		{"M/M/1+D loss", with(0.8, 1, "exp 1s", maxWait("3s")), refusedShare, patienceD(0.8, 3), 100_000},
		{"M/M/1+D loss above capacity", with(1.5, 1, "exp 1s", maxWait("3s")), refusedShare, patienceD(1.5, 3), 100_000},
		{"M/M/1+D of callers whose calls are dropped", with(1.5, 1, "exp 1s", func(u *sourceConfig, d *serverConfig) {
			d.MaxWait = spread(t, "3s")
			u.Call.Cancel = true
		}), refusedShare, patienceD(1.5, 3), 100_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u, d := c.system()
			got, se := measure(t, u, d, c.n, c.figure)
			if se > 0.03*c.want {
				t.Errorf("the standard error %.4g of %.4g is too large to tell anything", se, got)
			}
			if math.Abs(got-c.want) > 3*se {
				t.Errorf("%.5g, want %.5g within %.2g", got, c.want, 3*se)
			}
		})
	}
}

// watcher counts how many calls an arriving one finds at a server.
type watcher struct {
	*server
	seen, arrivals float64
}

func (w *watcher) Arrive(c CallID) {
	w.seen += float64(w.busy + w.line.len())
	w.arrivals++
	w.server.Arrive(c)
}

// TestLaws holds runs to Little's law and to PASTA: Poisson arrivals see the
// average over time.
func TestLaws(t *testing.T) {
	for _, c := range []struct {
		rate    float64
		workers int
		work    string
	}{{0.5, 1, "exp 1s"}, {0.8, 1, "1s"}, {7, 8, "lognormal 600ms p99 4s"}} {
		t.Run(fmt.Sprint(c.workers, " workers, ", c.work), func(t *testing.T) {
			var difference, squares float64
			for seed := range uint64(replications) {
				u, d := usersAt(t, c.rate), queueOf(t, c.workers, c.work)
				n := Build([]Named{{Name: "users", Config: &u}, {Name: "db", Config: &d}}, Options{Seed: seed + 1, Window: des.Hour})
				db := n.parts[1].(*server)
				w := &watcher{server: db}
				n.parts[1] = w
				n.Sim.Run(context.Background(), des.Budget{Until: des.FromSeconds(50_000 / c.rate)})

				// Little; those still in line have not waited in full.
				rate := float64(db.arrived.Total()) / n.Sim.Now().Seconds()
				if in, want := db.queue.Mean(), rate*db.wait.Mean(); math.Abs(in-want) > 1e-3*want+1e-2 {
					t.Errorf("%.4f wait on average, but rate times wait is %.4f", in, want)
				}
				x := w.seen/w.arrivals - (db.queue.Mean() + db.inWork.Mean())
				difference += x / replications
				squares += x * x
			}
			se := math.Sqrt(squares-replications*difference*difference) / replications
			if math.Abs(difference) > 4*se {
				t.Errorf("arrivals see %.4f more than there is on average, want 0 within %.2g", difference, 4*se)
			}
		})
	}
}

// TestFormulas holds the formulas above to an independent implementation, see
// testdata/queueing.m.
func TestFormulas(t *testing.T) {
	src, err := os.ReadFile("testdata/queueing.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(src)) {
		words := strings.Fields(line)
		var x []float64
		for _, w := range words[1:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatalf("reading %q: %v", line, err)
			}
			x = append(x, v)
		}
		var got float64
		switch words[0] {
		case "mm1-sojourn":
			got = 1 / (1 - x[0])
		case "mmc-line":
			got = erlangC(int(x[0]), x[1]) * x[1] / (x[0] - x[1])
		case "erlang-b":
			got = erlangB(int(x[0]), x[1])
		case "erlang-c":
			got = erlangC(int(x[0]), x[1])
		case "mmck-loss":
			got = lossOfRoom(int(x[0]), int(x[1]), x[2])
		case "mg1-wait":
			got = x[0] * x[1] / (2 * (1 - x[0]))
		default:
			t.Fatalf("no formula for %q", words[0])
		}
		if want := x[len(x)-1]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s is %.12g, want %.12g", strings.Join(words[:len(words)-1], " "), got, want)
		}
	}
}
