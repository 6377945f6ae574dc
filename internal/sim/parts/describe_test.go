package parts

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// describe makes a system of lines such as "db server {workers: 2, work: 1s}":
// the name, the kind and the settings of each part.
func describe(t testing.TB, seed uint64, window des.Time, lines ...string) *Net {
	t.Helper()
	var all []Named
	for _, line := range lines {
		words := strings.SplitN(strings.TrimSpace(line), " ", 3)
		all = append(all, Named{Name: words[0], Config: settings(t, words[1], words[2])})
	}
	return Build(all, Options{Seed: seed, Window: window})
}

// settings reads the settings of a part and fails unless they are right.
func settings(t testing.TB, kind, yaml string) Config {
	t.Helper()
	c, r := tryOut(t, kind, yaml)
	for _, f := range r.Findings {
		if !f.Warning {
			t.Fatalf("%s %s: %s: %s", kind, yaml, f.Field, f.Msg)
		}
	}
	return c
}

// tryOut reads the settings of a part and reports what is wrong with them.
func tryOut(t testing.TB, kind, yaml string) (Config, Report) {
	t.Helper()
	k, ok := KindNamed(kind)
	if !ok {
		t.Fatalf("no kind is named %q", kind)
	}
	c := k.New()
	if _, problems := strictyaml.Decode("part", []byte(yaml), c); len(problems) > 0 {
		t.Fatalf("%s %s: %v", kind, yaml, problems[0])
	}
	var r Report
	c.Check(&r)
	return c, r
}

// wantFinding checks that settings are reported at a field, with a remedy.
func wantFinding(t *testing.T, kind, yaml, field string) {
	t.Helper()
	_, r := tryOut(t, kind, yaml)
	for _, f := range r.Findings {
		if f.Field == field {
			if f.Help == "" {
				t.Errorf("%s %s: the finding %q has no remedy", kind, yaml, f.Msg)
			}
			return
		}
	}
	t.Errorf("%s %s: got findings %v, want one at %q", kind, yaml, r.Findings, field)
}

// run lets a system run and fails unless all its laws hold then.
func run(t testing.TB, n *Net, seconds float64) {
	t.Helper()
	if end := n.Sim.Run(context.Background(), des.Budget{Until: des.FromSeconds(seconds)}); end != des.EndTime {
		t.Fatalf("the run ended by %q", end)
	}
	for _, err := range n.Check() {
		t.Error(err)
	}
}

// knob returns the knob of a name.
func knob(t testing.TB, n *Net, name string) Knob {
	t.Helper()
	for _, k := range n.Knobs() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no knob is named %q", name)
	return Knob{}
}

// part returns the running part at a place.
func part[P Part](n *Net, i int) P { return n.parts[i].(P) }

// withinSE compares the mean of one figure over independent runs with what theory
// says: it must lie within three standard errors, and these must be small.
func withinSE(t *testing.T, what string, want float64, runs int, figure func(seed uint64) float64) {
	t.Helper()
	sum, square := 0.0, 0.0
	for seed := range runs {
		x := figure(uint64(seed + 1))
		sum += x
		square += x * x
	}
	n := float64(runs)
	mean := sum / n
	se := math.Sqrt(max(square/n-mean*mean, 0) / (n - 1))
	if math.Abs(mean-want) > 3*se+1e-6*math.Abs(want) {
		t.Errorf("%s: got %.5g, want %.5g within three standard errors of %.2g", what, mean, want, se)
	}
	if se > 0.03*math.Abs(want) {
		t.Errorf("%s: the standard error %.2g is too large to say much about %.5g", what, se, want)
	}
}

// sameTwice checks that a seed always gives the same series.
func sameTwice(t *testing.T, seconds float64, build func() *Net) {
	t.Helper()
	var last []des.Series
	for i := range 2 {
		n := build()
		run(t, n, seconds)
		n.Rec.Finish()
		all := n.Rec.Series()
		if n.Rec.Windows() == 0 {
			t.Fatal("there is no window to compare")
		}
		if i == 0 {
			last = all
			continue
		}
		for j, s := range all {
			for w, x := range s.Values {
				if x != last[j].Values[w] {
					t.Fatalf("%s differs in window %d of two runs with one seed: %v and %v", s.Name, w, last[j].Values[w], x)
				}
			}
		}
	}
}
