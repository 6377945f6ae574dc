package app_test

import (
	"testing"

	"github.com/openprecedent/precedent/internal/app"
)

// TestOneCountEverywhere asks for the number of cases of each term in every
// way that there is.
func TestOneCountEverywhere(t *testing.T) {
	for name, a := range map[string]*app.App{"small": small(t), "public": open(t)} {
		t.Run(name, func(t *testing.T) {
			all, err := a.Search(app.SearchQuery{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			counts := map[string]int{}
			for _, f := range all.Facets {
				for _, one := range f.Terms {
					counts[f.List+"/"+one.ID] = one.Cases
				}
			}
			topics := map[string]int{}
			for _, list := range a.Topics().Lists {
				for _, one := range list.Topics {
					topics[list.List+"/"+one.ID] = one.Cases
				}
			}
			for _, list := range app.TopicLists() {
				v, err := a.Vocab(list)
				if err != nil {
					t.Fatal(err)
				}
				for _, term := range v.Lists[0].Terms {
					key := list + "/" + term.ID
					topic, err := a.Topic(key)
					if err != nil {
						t.Fatal(err)
					}
					found, err := a.Search(app.SearchQuery{
						Limit: 1, Facets: []string{}, Filter: app.Filter{Terms: map[string][]string{list: {term.ID}}},
					})
					if err != nil {
						t.Fatal(err)
					}
					if n := topic.Count; counts[key] != n || topics[key] != n || term.Cases != n || found.Total != n {
						t.Errorf("%s has %d cases on its page, %d in the facet, %d among the topics, %d in the vocabulary, %d by the filter",
							key, n, counts[key], topics[key], term.Cases, found.Total)
					}
				}
			}
		})
	}
}

func TestATopicDoesNotOccurWithItsRelatives(t *testing.T) {
	a := open(t)
	for _, list := range a.Topics().Lists {
		for _, one := range list.Topics {
			topic, err := a.Topic(list.List + "/" + one.ID)
			if err != nil {
				t.Fatal(err)
			}
			related := map[string]bool{topic.Term.Parent: true}
			for _, n := range topic.Narrower {
				related[n.ID] = true
			}
			for _, w := range topic.With {
				if w.List == topic.List && related[w.ID] {
					t.Errorf("%s/%s is said to occur with %s, its relative", topic.List, topic.Term.ID, w.ID)
				}
			}
		}
	}
}
