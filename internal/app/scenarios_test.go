package app_test

import (
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

func TestScenariosAreToldWhereTheyBelong(t *testing.T) {
	a := small(t)
	all := a.Scenarios().Scenarios
	if len(all) != 1 || all[0].ID != "TEST-0001" || all[0].Case != "TEST-0001" || all[0].Mechanisms[0].Name.Ko != "재시도 폭주" {
		t.Fatalf("the scenarios are %+v", all)
	}
	with, err := a.Case("TEST-0001")
	if err != nil || len(with.Scenarios) != 1 {
		t.Errorf("the case has the scenarios %+v: %v", with, err)
	}
	if without, err := a.Case("TEST-0002"); err != nil || without.Scenarios == nil || len(without.Scenarios) > 0 {
		t.Errorf("the other case has the scenarios %+v: %v", without, err)
	}
	for term, want := range map[string]int{"retry-storm": 1, "overload": 1, "cold-cache": 0, "component/database": 0} {
		topic, err := a.Topic(term)
		if err != nil || len(topic.Scenarios) != want {
			t.Errorf("%s has the scenarios %+v, want %d: %v", term, topic.Scenarios, want, err)
		}
	}
}

func TestSearchFiltersByWhatCanBeReplayed(t *testing.T) {
	a := small(t)
	with := func(has ...string) app.SearchQuery {
		return app.SearchQuery{Filter: app.Filter{Terms: map[string][]string{"has": has}}}
	}
	r, err := a.Search(with("replay"))
	if err != nil || r.Total != 1 || r.Hits[0].ID != "TEST-0001" {
		t.Errorf("the cases that can be replayed are %+v: %v", r, err)
	}
	if facets := r.Facets; len(facets) == 0 || facets[len(facets)-1].Terms[0].Name.In(bilingual.Korean) != "재현" {
		t.Errorf("the facets are %+v", facets)
	}
	if _, err := a.Search(with("repaly")); app.KindOf(err) != app.Invalid || !strings.Contains(err.Error(), "repaly") {
		t.Errorf("a wrong value gives %v", err)
	}
}
