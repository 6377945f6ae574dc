package app

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/nearest"
)

// Filter narrows a search. Lists are joined by "and", the terms of one list
// by "or". A term includes its narrower ones, as on the page of its topic.
type Filter struct {
	Terms       map[string][]string // term ids by list; "org" takes slugs, "library" names, "has" what can be done
	YearFrom    int
	YearTo      int
	MinDuration time.Duration
	MaxDuration time.Duration
}

var yearsForm = lazyregexp.New(`^(\d{4})?(-)?(\d{4})?$`)

// ParseYears reads a year or a range of years: 2021, 2019-2022, 2019- or
// -2022. Zero means open.
func ParseYears(s string) (from, to int, err error) {
	m := yearsForm.FindStringSubmatch(s)
	nothing := m == nil || m[1] == "" && m[3] == "" || m[1] != "" && m[2] == "" && m[3] != ""
	// Zero means open, so that 0000 would silently filter nothing.
	if nothing || m[1] == "0000" || m[3] == "0000" {
		return 0, 0, Invalidf("year", "write 2021, 2019-2022, 2019- or -2022", "the year %q is not readable", Short(s)).
			Korean("2021, 2019-2022, 2019-, -2022처럼 쓴다", "연도를 읽을 수 없다: %q")
	}
	from, _ = strconv.Atoi("0" + m[1]) // four digits
	to, _ = strconv.Atoi("0" + m[3])
	if m[2] == "" {
		to = from
	}
	return from, to, nil
}

// FilterLists returns the lists that a filter and the facets know.
func FilterLists() []string { return slices.Clone(facetLists) }

// checkFilter reports lists and terms that do not exist, which would otherwise
// look like an empty library.
func (a *App) checkFilter(f Filter) error {
	for _, list := range slices.Sorted(maps.Keys(f.Terms)) {
		ids := f.Terms[list]
		if !slices.Contains(facetLists, list) {
			return Invalidf(list, "filter by "+strings.Join(facetLists, ", "), "no filter %q", Short(list)).
				Korean("쓸 수 있는 필터: "+strings.Join(facetLists, ", "), "그런 필터가 없다: %q")
		}
		for _, id := range ids {
			if err := a.checkFilterTerm(list, id); err != nil {
				return err
			}
		}
	}
	if f.YearFrom != 0 && f.YearTo != 0 && f.YearFrom > f.YearTo {
		return Invalidf("year", "put the earlier year first", "the years %d to %d are no period", f.YearFrom, f.YearTo).
			Korean("이른 해를 먼저 쓴다", "%d년부터 %d년까지는 기간이 아니다")
	}
	if f.MaxDuration != 0 && f.MinDuration > f.MaxDuration {
		return Invalidf("duration", "put the shorter duration first", "the durations %s to %s are no range",
			casefile.DurationOf(f.MinDuration), casefile.DurationOf(f.MaxDuration)).
			Korean("짧은 쪽을 먼저 쓴다", "%s부터 %s까지는 범위가 아니다")
	}
	return nil
}

func (a *App) checkFilterTerm(list, id string) error {
	switch list {
	case "org", "library":
		return a.checkName(list, id)
	case hasList:
		return checkHas(id)
	}
	t, ok := a.lib.Vocab.Term(list, id)
	if ok && t.ReplacedBy == "" {
		return nil
	}
	if ok {
		return Invalidf(list, fmt.Sprintf("use %q", t.ReplacedBy), "the term %q was replaced", id).
			Korean(fmt.Sprintf("%q 쪽을 쓴다", t.ReplacedBy), "다른 용어로 바뀌었다: %q")
	}
	ids := a.lib.Vocab.IDs(list)
	e := Invalidf(list, fmt.Sprintf("see {call} for its %d terms", len(ids)), "the list %s has no term %q", list, Short(id)).
		Korean(fmt.Sprintf("용어 %d개: {call}", len(ids)), "목록 %s에 그런 용어가 없다: %q").Calling(UseVocab, list)
	if near, ok := nearest.Of(id, ids); ok {
		return e.offer(near)
	}
	if in := a.lib.Vocab.Find(id); len(in) > 0 {
		lists := strings.Join(in, ", ")
		e.Hint, e.koHint = "it is a term of the list "+lists, "이 용어가 있는 목록: "+lists
	} else if len(ids) <= 16 {
		all := strings.Join(ids, ", ")
		e.Hint, e.koHint = "use one of "+all, "쓸 수 있는 용어: "+all
	}
	return e
}

// checkHas reports what no case can have.
func checkHas(id string) error {
	if _, ok := hasNames[id]; ok {
		return nil
	}
	all := strings.Join(HasTerms(), ", ")
	return Invalidf(hasList, "use one of "+all, "a case cannot have %q", Short(id)).
		Korean("쓸 수 있는 값: "+all, "사례가 갖출 수 있는 것이 아니다: %q")
}

// checkName reports an organisation or a library that no case has.
func (a *App) checkName(list, id string) error {
	if _, ok := a.orgs[id]; ok && list == "org" {
		return nil
	}
	var known []string
	for _, e := range a.lib.Cases() {
		known = append(known, map[string]string{"org": e.Org.Slug, "library": e.Layer}[list])
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if slices.Contains(known, id) {
		return nil
	}
	all := strings.Join(known, ", ")
	e := Invalidf(list, "known are "+all, "no case has the %s %q", list, Short(id)).
		Korean("있는 것: "+all, "사례에 없는 %s 값: %q")
	if near, ok := nearest.Of(id, known); ok {
		return e.offer(near)
	}
	return e
}
