package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
)

// shownTerms is the number of terms of a facet that are not folded away.
const shownTerms = 6

// maxRest bounds the folded ones.
const maxRest = 24

func (b *searchBuilder) facet(f app.Facet) {
	name, _ := f.Name.Read(b.Lang)
	out := facet{Name: name, List: f.List}
	if len(f.Terms) < 2 && len(b.q.Terms[f.List]) == 0 {
		return // nothing to choose
	}
	for _, t := range f.Terms {
		if slices.Contains(b.q.Terms[f.List], t.ID) {
			continue
		}
		label, _ := t.Name.Read(b.Lang)
		one := refinement{Label: label, Count: t.Cases, Name: f.List, Value: t.ID}
		if len(b.q.Text) < longText {
			one.Href = b.link(b.q.with(f.List, t.ID, true))
		}
		if len(out.Top) < shownTerms {
			out.Top = append(out.Top, one)
		} else if len(out.Rest) < maxRest {
			out.Rest = append(out.Rest, one)
		}
	}
	if len(out.Top) > 0 {
		b.Facets = append(b.Facets, out)
	}
}

// active lists the filters that are on, each with a way to take it off.
func (b *searchBuilder) active() {
	add := func(label string, v url.Values) {
		one := refinement{Label: label}
		if len(b.q.Text) < longText {
			one.Href = b.link(v)
		} else {
			one.Keep = params(v)
		}
		b.Active = append(b.Active, one)
	}
	for _, list := range app.FilterLists() {
		for _, id := range b.q.Terms[list] {
			add(b.r.app.Name(list, id, b.Lang), b.q.with(list, id, false))
		}
	}
	without := func(names ...string) url.Values {
		v := b.q.values()
		for _, n := range names {
			v.Del(n)
		}
		return v
	}
	if b.q.Year != "" && b.q.Year != "-" {
		add(strings.Replace(b.q.Year, "-", "–", 1), without("year"))
	}
	if b.q.Longer != "" {
		add("≥ "+output.Duration(b.q.Longer, b.Lang), without("longer_than"))
	}
	if b.q.Shorter != "" {
		add("≤ "+output.Duration(b.q.Shorter, b.Lang), without("shorter_than"))
	}
	if b.q.Literal {
		add(word("literal", b.Lang), without("literal"))
	}
	v := b.q.values()
	v.Del("q")
	b.Hidden = params(v)
}

func params(v url.Values) []param {
	var all []param
	for _, name := range slices.Sorted(keys(v)) {
		for _, value := range v[name] {
			all = append(all, param{name, value})
		}
	}
	return all
}

// ranges fills the form for years and durations.
func (b *searchBuilder) ranges() {
	b.From, b.To, _ = strings.Cut(b.q.Year, "-")
	if !strings.Contains(b.q.Year, "-") {
		b.To = b.q.Year
	}
	for _, y := range b.Stats.Years {
		b.Years = append(b.Years, y.Year)
	}
	slices.Reverse(b.Years)
	lasted := b.q.Longer + "-" + b.q.Shorter
	for _, value := range []string{"-1h", "1h-4h", "4h-24h", "24h-"} {
		longer, shorter, _ := strings.Cut(value, "-")
		label := ""
		switch {
		case longer == "":
			label = fmt.Sprintf(word("at-most", b.Lang), output.Duration(shorter, b.Lang))
		case shorter == "":
			label = fmt.Sprintf(word("at-least", b.Lang), output.Duration(longer, b.Lang))
		default:
			label = output.Duration(longer, b.Lang) + "–" + output.Duration(shorter, b.Lang)
		}
		b.Ranges = append(b.Ranges, option{value, label, value == lasted})
	}
}

// YearOptions are the years to choose from, with the chosen one.
func (p *searchPage) YearOptions(chosen string) []option {
	var all []option
	for _, y := range p.Years {
		s := strconv.Itoa(y)
		all = append(all, option{s, s, s == chosen})
	}
	return all
}

// Kept are the parameters that the form of years and durations keeps.
func (p *searchPage) Kept() []param {
	return slices.DeleteFunc(slices.Clone(p.Hidden), func(x param) bool {
		return x.Name == "year" || x.Name == "longer_than" || x.Name == "shorter_than"
	})
}
