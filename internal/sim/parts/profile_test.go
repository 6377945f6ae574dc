package parts

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// day is a rate that falls, is nothing for a while, rises to twice the whole, and
// repeats; its mean share is that of the trapezes below.
const day = `profile: [{at: 10s, share: 100%}, {at: 30s, share: 0%}, {at: 50s, share: 0%}, {at: 80s, share: 2x}], profile_every: 100s`

// dayArea returns the integral of the shares of day over a span in seconds, by
// adding up small steps.
func dayArea(from, to float64) float64 {
	share := func(t float64) float64 {
		t = math.Mod(t, 100)
		line := func(t0, s0, t1, s1 float64) float64 { return s0 + (s1-s0)*(t-t0)/(t1-t0) }
		switch {
		case t < 10:
			return line(-20, 2, 10, 1)
		case t < 30:
			return line(10, 1, 30, 0)
		case t < 50:
			return 0
		case t < 80:
			return line(50, 0, 80, 2)
		}
		return line(80, 2, 110, 1)
	}
	sum, step := 0.0, 1e-3
	for i := range int((to-from)/step + 0.5) {
		sum += share(from+(float64(i)+0.5)*step) * step
	}
	return sum
}

// offered lets a source send to a server that takes no time, and returns how many
// requests came in each window.
func offered(t *testing.T, seed uint64, clock des.Time, seconds, window float64, settingsOfSource string, at func(n *Net)) []float64 {
	t.Helper()
	n := Build([]Named{
		{Name: "users", Config: settings(t, "source", "{call: {to: db}, "+settingsOfSource+"}")},
		{Name: "db", Config: settings(t, "server", "{workers: 1000, work: 1ms}")},
	}, Options{Seed: seed, Window: des.FromSeconds(window), Clock: clock})
	if at != nil {
		n.Sim.Run(context.Background(), des.Budget{Until: des.FromSeconds(seconds / 2)})
		at(n)
	}
	run(t, n, seconds)
	n.Rec.Finish()
	for _, s := range n.Rec.Series() {
		if s.Name == "users.offered" {
			return s.Values
		}
	}
	t.Fatal("nothing was offered")
	return nil
}

// TestProfilePoisson holds the arrivals of each window against the integral of the
// rate: the means within three standard errors, and the variances, which for a
// Poisson process are the same.
func TestProfilePoisson(t *testing.T) {
	const runs = 200
	var sums, squares [24]float64
	for seed := range uint64(runs) {
		for i, x := range offered(t, seed+1, 0, 240, 10, "rate: 4/s, "+day, nil) {
			sums[i] += x
			squares[i] += x * x
		}
	}
	dispersion, windows := 0.0, 0.0
	for i := range sums {
		want := 4 * dayArea(float64(10*i), float64(10*i+10))
		mean := sums[i] / runs
		if se := math.Sqrt(want / runs); math.Abs(mean-want) > 3.2*se {
			t.Errorf("from %d s: %.2f requests, want %.2f within %.2f", 10*i, mean, want, 3*se)
		}
		if want > 0 {
			dispersion += (squares[i]/runs - mean*mean) * runs / (runs - 1) / want
			windows++
		}
	}
	// The variance of an estimated variance of a Poisson count of mean m over n runs
	// is m²(2/(n-1) + 1/(nm)).
	if got, se := dispersion/windows, math.Sqrt((2.0/runs+1.0/(20*runs))/windows); math.Abs(got-1) > 3*se {
		t.Errorf("the variance is %.3f times the mean, want 1 within %.3f", got, 3*se)
	}
}

// TestProfileRegular holds arrivals at equal areas against the integral itself.
func TestProfileRegular(t *testing.T) {
	came := 0.0
	want := 0.0
	for i, x := range offered(t, 1, 0, 500, 10, "rate: 7/s, arrivals: regular, "+day, nil) {
		came += x
		if want += 7 * dayArea(float64(10*i), float64(10*i+10)); math.Abs(came-want) > 1.01 {
			t.Errorf("%v requests came by %d s, want %.1f", came, 10*i+10, want)
		}
	}
}

// TestProfileTurned doubles the rate in the middle: the profile goes on.
func TestProfileTurned(t *testing.T) {
	for _, arrivals := range []string{"regular", "poisson"} {
		const runs = 40
		var before, after float64
		for seed := range uint64(runs) {
			all := offered(t, seed+1, 0, 320, 10, "rate: 5/s, arrivals: "+arrivals+", "+day, func(n *Net) {
				knob(t, n, "users.rate").Set(10)
			})
			for i, x := range all {
				if i < 16 {
					before += x / runs
				} else {
					after += x / runs
				}
			}
		}
		for what, c := range map[string][2]float64{
			"before": {before, 5 * dayArea(0, 160)}, "after": {after, 10 * dayArea(160, 320)},
		} {
			bound := 3 * math.Sqrt(c[1]/runs)
			if arrivals == "regular" {
				bound = 1.1
			}
			if math.Abs(c[0]-c[1]) > bound {
				t.Errorf("%s: %.2f requests %s the turn, want %.2f within %.2f", arrivals, c[0], what, c[1], bound)
			}
		}
	}
}

// TestProfileClock begins a run in the middle of a profile.
func TestProfileClock(t *testing.T) {
	came := 0.0
	for i, x := range offered(t, 1, 250*des.Second, 200, 10, "rate: 9/s, arrivals: regular, "+day, nil) {
		came += x
		if want := 9 * dayArea(250, 250+float64(10*i+10)); math.Abs(came-want) > 1.1 {
			t.Errorf("%v requests came by %d s, want %.1f", came, 10*i+10, want)
		}
	}
}

// TestProfileOnce has no period: the first and the last share hold outside.
func TestProfileOnce(t *testing.T) {
	const once = "rate: 10/s, arrivals: regular, profile: [{at: 20s, share: 50%}, {at: 40s, share: 150%}]"
	for _, c := range []struct {
		clock des.Time
		want  [6]float64
	}{
		{0, [6]float64{50, 50, 75, 125, 150, 150}},
		{-20 * des.Second, [6]float64{50, 50, 50, 50, 75, 125}},
		{30 * des.Second, [6]float64{125, 150, 150, 150, 150, 150}},
	} {
		came, wanted := 0.0, 0.0
		for i, x := range offered(t, 1, c.clock, 60, 10, once, nil) {
			came, wanted = came+x, wanted+c.want[i]
			if math.Abs(came-wanted) > 1.1 {
				t.Errorf("from %v on, %v requests came by %d s, want %v", c.clock, came, 10*i+10, wanted)
			}
		}
	}
	ends := offered(t, 1, 0, 60, 10, "rate: 10/s, profile: [{at: 0s, share: 1}, {at: 20s, share: 0}]", nil)
	if ends[0] == 0 || ends[3]+ends[4]+ends[5] > 0 {
		t.Errorf("%v requests came in windows of 10 s, want none after 20 s", ends)
	}
}

// TestProfileRare has an arrival in many periods only.
func TestProfileRare(t *testing.T) {
	total := 0.0
	for _, x := range offered(t, 1, 0, 100_000, 1000, "rate: 1/h, arrivals: regular, "+day, nil) {
		total += x
	}
	if want := dayArea(0, 100) * 1000 / 3600; math.Abs(total-want) > 1 {
		t.Errorf("%v requests came, want %.1f", total, want)
	}
}

// TestPeak looks for when two sources send most together.
func TestPeak(t *testing.T) {
	n := describe(t, 1, des.Second,
		"a source {rate: 10/s, call: {to: db}, "+day+"}",
		"b source {rate: 30/s, call: {to: db}, profile: [{at: 0s, share: 0}, {at: 350s, share: 100%}, {at: 399s, share: 0%}], profile_every: 400s}",
		"db server {workers: 9, work: 1ms}",
	)
	if got := n.Peak(); got != 380*des.Second && got != 350*des.Second && got != 280*des.Second {
		t.Errorf("the peak is at %v", got)
	}
	best := 0.0
	for s := range 800 {
		best = max(best, n.OfferedRateAt(des.Time(s)*des.Second))
	}
	if got := n.OfferedRate(); math.Abs(got-best) > 0.5 {
		t.Errorf("the sources send %.2f a second at most, want %.2f", got, best)
	}
	if got, want := n.OfferedRateAt(470*des.Second), 10*dayArea(69.9995, 70.0005)*1000+30*70.0/350; math.Abs(got-want) > 0.1 {
		t.Errorf("they send %.2f at 470 s, want %.2f", got, want)
	}
}

func TestProfileRefused(t *testing.T) {
	const call = "{rate: 1/s, call: {to: db}, "
	points := "profile: ["
	for i := range MaxProfile + 1 {
		points += fmt.Sprintf("{at: %ds, share: 1}, ", i)
	}
	for settings, field := range map[string]string{
		call + "profile_every: 5s}":                                                          "profile_every",
		call + "profile: [{at: 5s, share: 1}, {at: 5s, share: 2}]}":                          "profile[1].at",
		call + "profile: [{at: 5s, share: 0}]}":                                              "profile",
		call + "profile: [{at: 5s, share: 1}], profile_every: 5s}":                           "profile_every",
		call + "profile: [{at: 5s, share: 2000}]}":                                           "profile[0].share",
		call + points + "]}":                                                                 "profile",
		"{population: 5, call: {to: db}, profile: [{at: 5s, share: 1}], profile_every: 10s}": "profile",
	} {
		wantFinding(t, "source", settings, field)
	}
}

func TestProfileSame(t *testing.T) {
	sameTwice(t, 100, func() *Net {
		return describe(t, 3, des.Second, "a source {rate: 10/s, call: {to: db}, "+day+"}", "db server {workers: 9, work: 1ms}")
	})
}
