package parts_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// played is a scenario that has run to its end.
type played struct {
	t   *testing.T
	net *parts.Net
	by  map[string][]float64
	at  float64 // width of a window in seconds
}

// play runs a scenario, with settings written as path=value, and holds it to
// its laws.
func play(t *testing.T, src string, seed uint64, set ...string) *played {
	t.Helper()
	return playOption(t, src, seed, false, set...)
}

// playCalm runs a scenario without feedback.
func playCalm(t *testing.T, src string, seed uint64, set ...string) *played {
	t.Helper()
	return playOption(t, src, seed, true, set...)
}

func playOption(t *testing.T, src string, seed uint64, calm bool, set ...string) *played {
	t.Helper()
	f, problems := scenario.Decode("test.yaml", []byte(src), settings(set))
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	net := f.Start(seed, calm)
	most := 2 // the recorder and the changes
	for _, part := range f.Parts {
		most += max(int(part.Copies), 1) * parts.Handlers(part.Config)
	}
	if n := net.Sim.Handlers(); n > most {
		t.Errorf("the system has %d handlers of events, more than the %d that lint counts", n, most)
	}
	if end := net.Sim.Run(context.Background(), des.Budget{Until: f.Run.For.Time()}); !end.Finished() {
		t.Fatalf("the run ended by %q", end)
	}
	net.Rec.Finish()
	for _, err := range net.Check() {
		t.Error(err)
	}
	p := &played{t: t, net: net, by: map[string][]float64{}, at: net.Rec.Width().Seconds()}
	for _, s := range net.Rec.Series() {
		p.by[s.Name] = s.Values
	}
	return p
}

func settings(set []string) []strictyaml.Setting {
	var all []strictyaml.Setting
	for _, s := range set {
		path, value, _ := strings.Cut(s, "=")
		all = append(all, strictyaml.Setting{Path: path, Value: value})
	}
	return all
}

// series returns the values of a series.
func (p *played) series(name string) []float64 {
	p.t.Helper()
	values, ok := p.by[name]
	if !ok {
		p.t.Fatalf("there is no series %q", name)
	}
	return values
}

// between returns the windows from one second to another.
func (p *played) between(name string, from, to float64) []float64 {
	p.t.Helper()
	values := p.series(name)
	return values[int(from/p.at):min(int(to/p.at), len(values))]
}

// sum adds a series up between two seconds; mean is its mean.
func (p *played) sum(name string, from, to float64) float64 {
	p.t.Helper()
	sum := 0.0
	for _, v := range p.between(name, from, to) {
		sum += v
	}
	return sum
}

func (p *played) mean(name string, from, to float64) float64 {
	p.t.Helper()
	return p.sum(name, from, to) / float64(len(p.between(name, from, to)))
}

// total adds a whole series up.
func (p *played) total(name string) float64 {
	p.t.Helper()
	return p.sum(name, 0, 1e9)
}

// near fails unless got is within a tolerance of what is wanted.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.5g, want %.5g within %.2g", what, got, want, tolerance)
	}
}

// wantProblem fails unless a scenario, with settings, is refused or warned of
// with a problem whose text holds each of the words.
func wantProblem(t *testing.T, src, set string, words ...string) {
	t.Helper()
	_, problems := scenario.Decode("test.yaml", []byte(src), settings([]string{set}))
	for _, p := range problems {
		text := p.String()
		found := true
		for _, w := range words {
			found = found && strings.Contains(text, w)
		}
		if found {
			return
		}
	}
	t.Errorf("with %s the problems are %v, want one with %q", set, problems, words)
}

// sameSeries fails unless two runs have the same series.
func sameSeries(t *testing.T, a, b *played) {
	t.Helper()
	for name, values := range a.by {
		for i, v := range values {
			if b.by[name][i] != v {
				t.Fatalf("window %d of %s is %v in one run and %v in another of the same seed", i, name, v, b.by[name][i])
			}
		}
	}
}
