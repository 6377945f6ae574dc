package parts

import (
	"context"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

func spread(t testing.TB, s string) Spread {
	t.Helper()
	var d Spread
	if err := d.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return d
}

func amount(t testing.TB, s string) Amount {
	t.Helper()
	var d Amount
	if err := d.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return d
}

// retryQueue is M/M/4 at load 0.45 whose clients wait three service times and
// try a second time after a drawn backoff.
func retryQueue(t testing.TB, seed uint64) *Net {
	second := Duration(des.Second)
	return Build([]Named{
		{Name: "users", Config: &sourceConfig{
			Rate: 1.8, Arrivals: "poisson", Size: amount(t, "1"), Think: spread(t, "exp 1s"),
			Call: Call{To: "db", Timeout: 3 * second, Retries: 1,
				Backoff: Backoff{First: second, Factor: 2, Most: 60 * second, Jitter: 1}},
		}},
		{Name: "db", Config: &serverConfig{
			Workers: 4, Room: Unlimited, Order: "fifo", Full: "refuse", Expired: "run", Work: spread(t, "exp 1s"), After: spread(t, "0"),
		}},
	}, Options{Seed: seed, Window: des.Minute})
}

// TestRetryQueue holds the parts to five independent programs, which found
// 9,799 to 10,312 failures in a million requests and 1.0626 to 1.0633 million
// attempts.
func TestRetryQueue(t *testing.T) {
	n := retryQueue(t, 1)
	until := des.FromSeconds(1e6 / 1.8)
	if end := n.Sim.Run(context.Background(), des.Budget{Until: until}); end != des.EndTime {
		t.Fatalf("the run ended by %q", end)
	}
	for _, err := range n.Check() {
		t.Error(err)
	}
	s := n.parts[0].(*source)
	perMillion := 1e6 / float64(s.offered.Total())
	if got := float64(s.failed.Total()) * perMillion; math.Abs(got-10_050) > 400 {
		t.Errorf("%.0f of a million requests failed, want about 10,050", got)
	}
	if got := float64(s.out.attempts.Total()) * perMillion; math.Abs(got-1.06295e6) > 1500 {
		t.Errorf("%.0f attempts for a million requests, want about 1,062,950", got)
	}
}

func BenchmarkRetryQueue(b *testing.B) {
	n := retryQueue(b, 1)
	until := des.FromSeconds(1e6 / 1.8)
	n.Sim.Run(context.Background(), des.Budget{Until: until / 10})
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		n.Sim.Run(context.Background(), des.Budget{Until: until / 10 * des.Time(i+2)})
	}
	s := n.parts[0].(*source)
	logical := float64(s.offered.Total()) + float64(s.out.attempts.Total())*2 + float64(s.out.retries.Total())
	b.ReportMetric(logical/b.Elapsed().Seconds()/1e6*float64(b.N)/float64(b.N+1), "M-logical/s")
}
