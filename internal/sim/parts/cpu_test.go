package parts

import (
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// TestCPUInsensitive: the mean time in an egalitarian shared machine depends on
// the mean of the work alone, and on c cores it is that of M/M/c.
func TestCPUInsensitive(t *testing.T) {
	for _, cores := range []int{1, 3} {
		const rho = 0.7
		load := rho * float64(cores)
		want := 1 + erlangC(cores, load)/(float64(cores)-load)
		for _, work := range []string{"exp 1s", "1s", "erlang 3 1s", "uniform 0s 2s", "lognormal 500ms p99 3s"} {
			d := spread(t, work)
			mean := d.Mean() / 1e9
			withinSE(t, fmt.Sprintf("mean time of %s on %d cores", work, cores), want, 10, func(seed uint64) float64 {
				n := describe(t, seed, des.Hour,
					fmt.Sprintf("users source {rate: %g/s, call: {to: cpu}}", load/mean),
					fmt.Sprintf("cpu cpu {cores: %d, work: %s}", cores, work))
				run(t, n, 5000)
				return part[*cpu](n, 1).sojourn.Mean() / mean
			})
		}
	}
}

// TestCPUShares follows three jobs by hand: they begin at 1, 2 and 3 s and need
// 4 s each.
func TestCPUShares(t *testing.T) {
	n := describe(t, 1, des.Second,
		"users source {rate: 1/s, arrivals: regular, call: {to: cpu}}",
		"cpu cpu {work: 4s, room: 3}")
	s := part[*cpu](n, 1)
	// Work done by 3 s: 1 + 1/2 and 1/2; then three share. The first has 2.5 s
	// left and ends at 10.5 s, when all others were refused.
	run(t, n, 10.6)
	if got, want := s.sojourn.Mean(), 9.5; s.done.Total() != 1 || math.Abs(got-want) > 1e-6 {
		t.Errorf("%d jobs took %v s on average, want 1 and %v", s.done.Total(), got, want)
	}
	if got := s.refused.Total(); got != 7 {
		t.Errorf("%d calls found no room, want those from 4 s to 10 s", got)
	}
}

func TestCPUKnobs(t *testing.T) {
	build := func(changes map[string]float64) *cpu {
		n := describe(t, 1, des.Second,
			"users source {rate: 1/s, arrivals: regular, call: {to: cpu, size: 2}}",
			"cpu cpu {cores: 2, work: 500ms, work_per_size: 1s}")
		for name, x := range changes {
			knob(t, n, name).Set(x)
		}
		run(t, n, 100.5)
		return part[*cpu](n, 1)
	}
	for _, c := range []struct {
		about   string
		changes map[string]float64
		time    float64 // of the first jobs, 0 if they never end
	}{
		{"as described, three jobs of 2.5 s on two cores", nil, 0},
		{"three cores suffice", map[string]float64{"cpu.cores": 3}, 2.5},
		{"twice as fast", map[string]float64{"cpu.speed": 2}, 1.25},
		{"stopped", map[string]float64{"cpu.speed": 0}, 0},
	} {
		s := build(c.changes)
		if got := s.sojourn.Mean(); c.time > 0 && math.Abs(got-c.time) > 1e-6 {
			t.Errorf("%s: jobs took %v s, want %v", c.about, got, c.time)
		}
		if c.time == 0 && s.running.Value() < 10 {
			t.Errorf("%s: %d jobs are inside, want more than come out", c.about, s.running.Value())
		}
	}
}

// TestCPUWithdraw: callers that go take their work with them only where the
// policy withdraws it. With patience below the work and no withdrawal the
// machine works for nobody.
func TestCPUWithdraw(t *testing.T) {
	for _, cancel := range []bool{false, true} {
		n := describe(t, 1, des.Second,
			fmt.Sprintf("users source {rate: 100/s, call: {to: cpu, timeout: 500ms, cancel: %v}}", cancel),
			"cpu cpu {cores: 4, work: exp 50ms}")
		run(t, n, 100)
		s, c := part[*source](n, 0), part[*cpu](n, 1)
		good := float64(s.good.Total()) / 100
		if cancel && (good < 40 || c.withdrawn.Total() == 0 || c.running.Value() > 60) {
			t.Errorf("with withdrawal %v good answers a second, %d withdrawn, %d inside", good, c.withdrawn.Total(), c.running.Value())
		}
		if !cancel && (good > 20 || c.wasted.Total() < 1000) {
			t.Errorf("without withdrawal %v good answers a second and %d wasted", good, c.wasted.Total())
		}
	}
}

func TestCPUSettings(t *testing.T) {
	wantFinding(t, "cpu", "{work: 0}", "work")
	wantFinding(t, "cpu", "{work: 1s, cores: 0}", "cores")
	wantFinding(t, "cpu", "{work: 1s, room: 0}", "room")
	sameTwice(t, 50, func() *Net {
		return describe(t, 7, des.Second, "users source {rate: 9/s, call: {to: cpu, timeout: 1s, retries: 2}}",
			"cpu cpu {work: exp 100ms, when_full: drop, room: 50}")
	})
}

// TestCPUMany: ten thousand jobs cost about as much each as a hundred do.
func TestCPUMany(t *testing.T) {
	n := describe(t, 1, des.Second,
		"users source {population: 10000, think: exp 1s, call: {to: cpu}}",
		"cpu cpu {cores: 64, work: exp 100ms}")
	run(t, n, 100)
	if got := part[*cpu](n, 1).done.Total(); math.Abs(float64(got)-64_000) > 1000 {
		t.Errorf("%d jobs ended in 100 s, want about 64 cores x 10/s x 100 s", got)
	}
}

func BenchmarkCPU(b *testing.B) {
	for _, users := range []int{100, 10_000} {
		b.Run(fmt.Sprint(users), func(b *testing.B) {
			n := describe(b, 1, des.Minute,
				fmt.Sprintf("users source {population: %d, think: exp 1s, call: {to: cpu}}", users),
				"cpu cpu {cores: 4, work: exp 100us}")
			b.ReportAllocs()
			for i := range b.N {
				run(b, n, float64(i+1)*0.001)
			}
			b.ReportMetric(float64(n.Sim.Handled())/b.Elapsed().Seconds()/1e6, "M-events/s")
		})
	}
}
