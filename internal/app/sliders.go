package app

import (
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// sliders returns the settings that the page of a file offers, each with the values
// of the page and those that a variant sets, so that whatever a variant shows can be
// set by hand too.
func (s *Scenario) sliders(p *scenario.Page) []Slider {
	all := []Slider{}
	for _, one := range p.Sliders {
		slider := Slider{one.Set, one.Name.Text, slices.Clone(one.Values), s.own(one.Set)}
		for _, v := range s.file.Variants {
			for _, set := range v.Set {
				if set.Path == one.Set && slider.spelled(set.Value) == "" {
					slider.offer(set.Value)
				}
			}
		}
		all = append(all, slider)
	}
	return all
}

// In returns the value that a slider has in a variant, as the slider spells it.
func (s *Slider) In(v *VariantRef) string {
	if v != nil {
		for _, set := range v.Set {
			if set.Path == s.Set {
				return s.spelled(set.Value)
			}
		}
	}
	return s.Own
}

// spelled returns a value as the slider spells it, since 2m and 120s are the same;
// empty where it does not offer it.
func (s *Slider) spelled(value string) string {
	if slices.Contains(s.Values, value) {
		return value
	}
	x, unit, ok := quantity(value)
	for _, one := range s.Values {
		if y, other, is := quantity(one); ok && is && x == y && unit == other {
			return one
		}
	}
	return ""
}

// offer adds a value in its place among those that grow, else at the end.
func (s *Slider) offer(value string) {
	at := len(s.Values)
	if x, unit, ok := quantity(value); ok {
		for i := len(s.Values) - 1; i >= 0; i-- {
			y, other, is := quantity(s.Values[i])
			if !is || unit != other || y < x {
				break
			}
			at = i
		}
	}
	s.Values = slices.Insert(s.Values, at, value)
}

// quantity reads a number with its unit, or a time in seconds.
func quantity(value string) (x float64, unit string, ok bool) {
	var d parts.Duration
	if d.UnmarshalText([]byte(value)) == nil {
		return d.Time().Seconds(), "s", true
	}
	number := strings.TrimRight(value, "/abcdefghijklmnopqrstuvwxyz%")
	x, err := strconv.ParseFloat(strings.ReplaceAll(number, "_", ""), 64)
	return x, value[len(number):], err == nil
}
