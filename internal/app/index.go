package app

import (
	"maps"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/search"
	"github.com/openprecedent/precedent/internal/parallel"
)

// fieldWeights tells how much a word in a field says about the whole case: the
// title and proper names most, what came afterwards least. Changes are judged
// by bench/search.
var fieldWeights = map[string]float64{
	"title": 4, "names": 3, "summary": 2.5, "symptoms": 2, "trigger": 1.5, "causes": 1.5, "mechanisms": 1.5,
	"actions": 1, "lessons": 1, "observed": 1, "narrative": 1, "detection": 0.8, "impact": 0.8, "conditions": 0.8, "followups": 0.6,
}

// synonymLists are the lists whose words search understands.
var synonymLists = []string{"mechanism", "cause", "symptom", "component", "remedy", "tag"}

// placeLists are those that say where something happens, and not what.
var placeLists = []string{"component", "tag"}

// facetLists are the lists by which results can be narrowed.
var facetLists = []string{"mechanism", "cause", "symptom", "component", "remedy", "trigger", "impact", "tag", "org", "library", hasList}

func newIndex(lib *library.Library, all *terms) (*search.Index, error) {
	docs := make([]search.Document, len(lib.Cases()))
	parallel.Each(len(docs), func(i int) {
		docs[i] = document(lib, lib.Cases()[i], all)
	})
	var terms []search.Term
	for _, list := range synonymLists {
		l, ok := lib.Vocab.List(list)
		if !ok {
			continue
		}
		for i := range l.Terms {
			terms = append(terms, search.Term{List: list, ID: l.Terms[i].ID, Phrases: l.Terms[i].Phrases()})
		}
	}
	return search.New(docs, search.Options{Weights: fieldWeights, Terms: terms, Places: placeLists, Titles: []string{"title", "names"}})
}

// document returns what search holds of a case.
func document(lib *library.Library, e *library.Entry, all *terms) search.Document {
	d := search.Document{ID: e.ID, Facets: maps.Clone(e.Terms()), Wider: all.wider(e), Year: e.Date.Earliest().Year()}
	d.Facets["org"] = []string{e.Org.Slug}
	d.Facets["library"] = []string{e.Layer}
	if slices.ContainsFunc(lib.Scenarios(), func(s *library.Scenario) bool { return s.Case == e.ID }) {
		d.Facets[hasList] = append(d.Facets[hasList], hasReplay)
	}
	if slices.ContainsFunc(lib.Checks(), func(c *library.Check) bool { return slices.Contains(c.Evidence, e.ID) }) {
		d.Facets[hasList] = append(d.Facets[hasList], hasCheck)
	}
	if l, ok := length(e.Case); ok {
		d.Duration, d.HasDuration = l.Length(), true
	}
	add := func(name string, texts ...*bilingual.Text) {
		for _, t := range texts {
			if t == nil {
				continue
			}
			for _, lang := range bilingual.Langs {
				if s := plain(t.In(lang)); s != "" {
					d.Fields = append(d.Fields, search.Field{Name: name, Lang: string(lang), Text: s})
				}
			}
		}
	}
	add("title", &e.Title)
	for _, name := range names(e.Case) {
		d.Fields = append(d.Fields, search.Field{Name: "names", Text: name})
	}
	add("summary", &e.Summary)
	add("symptoms", &e.Symptoms.Text)
	for field, texts := range prose(e.Case) {
		add(field, texts...)
	}
	return d
}

// prose yields the remaining texts of a case by field, in reading order.
func prose(c *casefile.Case) func(yield func(string, []*bilingual.Text) bool) {
	var trigger, causes, mechanisms, detection, actions, lessons, observed, impact, conditions, followups []*bilingual.Text
	if c.Trigger != nil {
		trigger = append(trigger, &c.Trigger.Text)
	}
	for i := range c.Causes {
		causes = append(causes, c.Causes[i].Text)
	}
	for i := range c.Mechanisms {
		mechanisms = append(mechanisms, c.Mechanisms[i].Text)
	}
	if c.Detection != nil {
		detection = append(detection, &c.Detection.Text, c.Detection.Gap)
	}
	for i := range c.Actions {
		actions = append(actions, &c.Actions[i].Text)
	}
	for i := range c.Lessons {
		lessons = append(lessons, &c.Lessons[i])
	}
	for i := range c.Observed {
		observed = append(observed, &c.Observed[i].Text)
	}
	impact = append(impact, c.Impact.Scope, c.Impact.Users)
	for i := range c.Conditions {
		conditions = append(conditions, &c.Conditions[i].Statement)
	}
	for i := range c.Followups {
		followups = append(followups, &c.Followups[i].Text)
	}
	return func(yield func(string, []*bilingual.Text) bool) {
		_ = yield("trigger", trigger) && yield("causes", causes) && yield("mechanisms", mechanisms) &&
			yield("narrative", []*bilingual.Text{c.Narrative}) && yield("actions", actions) &&
			yield("lessons", lessons) && yield("observed", observed) && yield("detection", detection) &&
			yield("impact", impact) && yield("conditions", conditions) && yield("followups", followups)
	}
}

// names returns the proper names of a case: organisation, products, regions.
func names(c *casefile.Case) []string {
	all := append([]string{c.Org.Name, c.Product}, c.AlsoAffected...)
	for _, m := range c.Components {
		all = append(all, m.Product)
	}
	all = append(all, c.Impact.Regions...)
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}
