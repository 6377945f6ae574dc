package app

import (
	"slices"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/study"
)

func TestSliderOffers(t *testing.T) {
	for _, x := range []struct {
		values []string
		value  string
		want   []string
	}{
		{[]string{"30s", "60s", "120s"}, "90s", []string{"30s", "60s", "90s", "120s"}},
		{[]string{"30s", "60s"}, "5m", []string{"30s", "60s", "5m"}},
		{[]string{"30s", "60s"}, "1s", []string{"1s", "30s", "60s"}},
		{[]string{"10/s", "100/s"}, "20/s", []string{"10/s", "20/s", "100/s"}},
		{[]string{"1x", "9x"}, "5x", []string{"1x", "5x", "9x"}},
		{[]string{"2000", "7_680"}, "9920", []string{"2000", "7_680", "9920"}},
		{[]string{"14", "unlimited"}, "28", []string{"14", "unlimited", "28"}},
		{[]string{"fifo", "lifo"}, "random", []string{"fifo", "lifo", "random"}},
	} {
		s := Slider{Values: slices.Clone(x.values)}
		if s.offer(x.value); !slices.Equal(s.Values, x.want) {
			t.Errorf("%v and %s: %v, want %v", x.values, x.value, s.Values, x.want)
		}
	}
}

func TestSliderIn(t *testing.T) {
	s := Slider{Set: "wait", Own: "60s", Values: []string{"60s", "120s", "1_000s"}}
	for value, want := range map[string]string{"": "60s", "2m": "120s", "120s": "120s", "1000s": "1_000s", "5m": ""} {
		v := &VariantRef{Set: []study.Setting{{Path: "other", Value: "1"}}}
		if value != "" {
			v.Set = append(v.Set, study.Setting{Path: "wait", Value: value})
		}
		if got := s.In(v); got != want {
			t.Errorf("a variant that sets %q: %q, want %q", value, got, want)
		}
	}
	if got := s.In(nil); got != "60s" {
		t.Errorf("without a variant: %q", got)
	}
}

// TestSlidersOfScenarios finds what each variant sets among the values of the slider.
func TestSlidersOfScenarios(t *testing.T) {
	a := publicApp(t)
	for _, ref := range a.Scenarios().Scenarios {
		sc, err := a.Scenario(ref.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range sc.Sliders {
			s := &sc.Sliders[i]
			for k := range sc.Variants {
				if v := s.In(&sc.Variants[k]); !slices.Contains(s.Values, v) {
					t.Errorf("%s: the slider of %s offers %v, and %s has %q", ref.ID, s.Set, s.Values, sc.Variants[k].Name, v)
				}
			}
		}
	}
}
