package app

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/vocab"
)

// Topic is all that the library knows under one term.
type Topic struct {
	Version   int            `json:"wire_version"`
	List      string         `json:"list"`
	ListName  bilingual.Text `json:"list_name"`
	Term      vocab.Term     `json:"term"`
	Narrower  []TermRef      `json:"narrower" jsonschema:"terms under this one, whose cases are counted here too"`
	Count     int            `json:"count" jsonschema:"number of cases"`
	Since     string         `json:"since,omitempty" jsonschema:"date of the oldest case"`
	Years     []YearCount    `json:"years"`
	Durations *Spread        `json:"durations,omitempty" jsonschema:"how long the incidents lasted, where known"`
	With      []Occurrence   `json:"occurs_with" jsonschema:"terms that occur with it more often than by chance, strongest first"`
	Remedies  []Remedy       `json:"remedies" jsonschema:"what was done in these cases and what it did"`
	Lessons   []Lesson       `json:"lessons"`
	Scenarios []ScenarioRef  `json:"scenarios"`
	Checks    []CheckLink    `json:"checks"`
	Cases     []Brief        `json:"cases" jsonschema:"newest first"`
}

// Spread tells how durations are distributed.
type Spread struct {
	Known  int         `json:"known" jsonschema:"number of cases whose duration is known"`
	Min    string      `json:"min"`
	Median string      `json:"median"`
	Max    string      `json:"max"`
	Each   []CaseValue `json:"each" jsonschema:"shortest first"`
}

// CaseValue is a duration of one case.
type CaseValue struct {
	ID      string `json:"id"`
	Value   string `json:"value"`
	Seconds int64  `json:"seconds"`
}

// Occurrence is a term that occurs together with the topic's.
type Occurrence struct {
	TermRef
	Cases int     `json:"cases" jsonschema:"cases of the topic that have it"`
	Lift  float64 `json:"lift" jsonschema:"how many times more often than in the whole library"`
}

// Remedy is a kind of action with the cases by its effect.
type Remedy struct {
	TermRef
	Total   int                 `json:"total" jsonschema:"number of actions"`
	Effects map[string][]string `json:"effects" jsonschema:"case ids by effect (worked, partial, failed, worsened, unknown), one entry an action"`
}

// Lesson is a lesson of one case.
type Lesson struct {
	ID   string         `json:"id"`
	Text bilingual.Text `json:"text"`
}

// Topic returns what is known under a term: "mechanism/retry-storm", or the
// id, name or a synonym alone.
func (a *App) Topic(name string) (*Topic, error) {
	list, term, err := a.term(name)
	if err != nil {
		return nil, err
	}
	t := &Topic{
		Version: WireVersion, List: list, Term: *term, Narrower: []TermRef{}, With: []Occurrence{},
		Remedies: []Remedy{}, Lessons: []Lesson{}, Cases: []Brief{},
	}
	if l, ok := a.lib.Vocab.List(list); ok {
		t.ListName = l.Name
	}
	under := a.terms.under(list, term.ID)
	for _, id := range under[1:] {
		t.Narrower = append(t.Narrower, a.termRef(list, id))
	}
	t.Scenarios = a.scenariosUnder(list, under)
	t.Checks = a.checksUnder(list, under)
	t.fill(a, a.terms.cases[termKey{list, term.ID}], under)
	return t, nil
}

func (t *Topic) fill(a *App, cases []*library.Entry, under []string) {
	t.Count = len(cases)
	t.Years = years(cases)
	for _, e := range cases {
		t.Cases = append(t.Cases, brief(e))
		t.Since = e.Date.String()
		for _, lesson := range e.Lessons {
			t.Lessons = append(t.Lessons, Lesson{e.ID, lesson})
		}
	}
	t.Durations = spread(cases)
	t.With = a.occursWith(t.List, append(a.terms.above(t.List, t.Term.ID), under...), cases)
	t.Remedies = a.remedies(t.List, under, cases)
}

// years counts cases by the year of their date, oldest first.
func years(cases []*library.Entry) []YearCount {
	by := map[int]int{}
	for _, e := range cases {
		by[e.Date.Earliest().Year()]++
	}
	all := []YearCount{}
	for _, year := range slices.Sorted(maps.Keys(by)) {
		all = append(all, YearCount{year, by[year]})
	}
	return all
}

func spread(cases []*library.Entry) *Spread {
	type known struct {
		id    string
		value casefile.Duration
	}
	var all []known
	for _, e := range cases {
		if d, ok := length(e.Case); ok {
			all = append(all, known{e.ID, d})
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b known) int {
		return cmp.Or(cmp.Compare(a.value.Length(), b.value.Length()), cmp.Compare(a.id, b.id))
	})
	n := len(all)
	median := (all[(n-1)/2].value.Length() + all[n/2].value.Length()) / 2
	s := &Spread{Known: n, Min: all[0].value.String(), Max: all[n-1].value.String(), Median: casefile.DurationOf(median).String()}
	for _, k := range all {
		s.Each = append(s.Each, CaseValue{k.id, k.value.String(), int64(k.value.Length() / time.Second)})
	}
	return s
}

// occursWith returns the terms that at least two of the cases have and that
// are more frequent among them than in the whole library. It leaves out those
// of the topic's list that are related to it: they must occur with it.
func (a *App) occursWith(list string, related []string, cases []*library.Entry) []Occurrence {
	inTopic := map[termKey]int{}
	for _, e := range cases {
		for l, ids := range a.terms.of[e.ID] {
			for _, id := range ids {
				inTopic[termKey{l, id}]++
			}
		}
	}
	found := []Occurrence{}
	for _, l := range []string{"mechanism", "cause", "symptom", "component"} {
		for _, id := range a.lib.Vocab.IDs(l) {
			n := inTopic[termKey{l, id}]
			if n < 2 || l == list && slices.Contains(related, id) {
				continue
			}
			lift := float64(n) / float64(len(cases)) / (float64(a.terms.count(l, id)) / float64(len(a.lib.Cases())))
			if lift > 1.1 {
				found = append(found, Occurrence{a.termRef(l, id), n, lift})
			}
		}
	}
	// Weighing the lift by the number of cases keeps pairs that met by chance
	// from leading.
	weight := func(o Occurrence) float64 { return (o.Lift - 1) * float64(o.Cases) }
	slices.SortStableFunc(found, func(x, y Occurrence) int { return cmp.Compare(weight(y), weight(x)) })
	return found[:min(len(found), 12)]
}

// remedies counts the actions of the cases by kind and effect. On the page of
// a remedy only its own kind is counted.
func (a *App) remedies(list string, under []string, cases []*library.Entry) []Remedy {
	by := map[string]*Remedy{}
	for _, e := range cases {
		for _, x := range e.Actions {
			if list == "remedy" && !slices.Contains(under, x.Kind) {
				continue
			}
			r := by[x.Kind]
			if r == nil {
				r = &Remedy{TermRef: a.termRef("remedy", x.Kind), Effects: map[string][]string{}}
				by[x.Kind] = r
			}
			r.Total++
			r.Effects[x.Effect] = append(r.Effects[x.Effect], e.ID)
		}
	}
	all := make([]Remedy, 0, len(by))
	for _, id := range a.lib.Vocab.IDs("remedy") {
		if r := by[id]; r != nil {
			all = append(all, *r)
		}
	}
	slices.SortStableFunc(all, func(x, y Remedy) int {
		return cmp.Or(cmp.Compare(len(y.Effects["worked"]), len(x.Effects["worked"])), cmp.Compare(y.Total, x.Total))
	})
	return all
}

// TopicIndex lists all topics that have cases.
type TopicIndex struct {
	Version int           `json:"wire_version"`
	Lists   []TopicsOfOne `json:"lists"`
}

// TopicsOfOne are the topics of one list, most cases first.
type TopicsOfOne struct {
	List   string         `json:"list"`
	Name   bilingual.Text `json:"name"`
	Topics []TopicCount   `json:"topics"`
}

// TopicCount is a topic with its number of cases, those of narrower terms
// included.
type TopicCount struct {
	TermRef
	Cases int `json:"cases"`
}

// Topics lists all topics that have cases.
func (a *App) Topics() *TopicIndex {
	index := &TopicIndex{Version: WireVersion, Lists: []TopicsOfOne{}}
	for _, list := range topicLists {
		l, ok := a.lib.Vocab.List(list)
		if !ok {
			continue
		}
		one := TopicsOfOne{List: list, Name: l.Name, Topics: []TopicCount{}}
		for _, t := range l.Terms {
			if n := a.terms.count(list, t.ID); n > 0 {
				one.Topics = append(one.Topics, TopicCount{a.termRef(list, t.ID), n})
			}
		}
		slices.SortStableFunc(one.Topics, func(x, y TopicCount) int { return cmp.Compare(y.Cases, x.Cases) })
		index.Lists = append(index.Lists, one)
	}
	return index
}
