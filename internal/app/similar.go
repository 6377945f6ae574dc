package app

import (
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/similar"
)

// SimilarResult are the cases most like one case.
type SimilarResult struct {
	Version int          `json:"wire_version"`
	Library string       `json:"library_version"`
	Of      Brief        `json:"of"`
	Cases   []SimilarOne `json:"cases" jsonschema:"most alike first"`
}

// SimilarOne is a case that is like another one, with the reasons.
type SimilarOne struct {
	Brief
	Score    float64        `json:"score" jsonschema:"0 to 1"`
	Reasons  []Reason       `json:"reasons"`
	Why      bilingual.Text `json:"why" jsonschema:"the reasons in words"`
	Relation string         `json:"relation,omitempty" jsonschema:"an editor's word: vocabulary list relation"`
	Worked   []ActionText   `json:"worked" jsonschema:"what ended or eased that incident"`
}

// Reason is what two cases share.
type Reason struct {
	Kind  string    `json:"kind" jsonschema:"mechanism, cause, symptom, component, trigger or text"`
	Terms []TermRef `json:"terms,omitempty"`
	Share float64   `json:"share,omitempty" jsonschema:"for text: how alike the words are, 0 to 1"`
}

// DefaultSimilar is the number of similar cases where none is asked for.
const DefaultSimilar = 8

// Similar returns the cases most like the one with the given id, at most limit
// (0 means [DefaultSimilar]).
func (a *App) Similar(id string, limit int) (*SimilarResult, error) {
	e, err := a.entry(id)
	if err != nil {
		return nil, err
	}
	if limit < 0 || limit > MaxLimit {
		return nil, badLimit(limit)
	}
	if limit == 0 {
		limit = DefaultSimilar
	}
	r := &SimilarResult{Version: WireVersion, Library: a.lib.Version, Of: brief(e), Cases: []SimilarOne{}}
	find, err := a.find()
	if err != nil {
		return nil, err
	}
	for _, m := range find.similar.To(e.ID, limit) {
		one := SimilarOne{
			Brief: brief(m.Entry), Score: m.Score, Reasons: a.reasons(m),
			Relation: m.Relation, Worked: a.worked(m.Entry),
		}
		one.Why = a.why(one.Reasons, m)
		r.Cases = append(r.Cases, one)
	}
	return r, nil
}

// tellingText is the likeness of words from which it is worth a mention.
const tellingText = 0.2

func (a *App) reasons(m similar.Match) []Reason {
	reasons := []Reason{}
	for _, s := range m.Shared {
		r := Reason{Kind: s.List}
		for _, id := range s.IDs {
			r.Terms = append(r.Terms, a.termRef(s.List, id))
		}
		reasons = append(reasons, r)
	}
	if m.Text >= tellingText {
		reasons = append(reasons, Reason{Kind: "text", Share: m.Text})
	}
	return reasons
}

// phrases are the words for what two cases share, for one and for several
// terms.
var phrases = map[string]struct{ one, many bilingual.Text }{
	"mechanism": {bilingual.Text{En: "same mechanism", Ko: "같은 메커니즘"}, bilingual.Text{En: "same mechanisms", Ko: "같은 메커니즘"}},
	"cause":     {bilingual.Text{En: "same cause", Ko: "같은 원인"}, bilingual.Text{En: "same causes", Ko: "같은 원인"}},
	"symptom":   {bilingual.Text{En: "same symptom", Ko: "같은 증상"}, bilingual.Text{En: "same symptoms", Ko: "같은 증상"}},
	"component": {bilingual.Text{En: "shared component", Ko: "공통 구성 요소"}, bilingual.Text{En: "shared components", Ko: "공통 구성 요소"}},
	"trigger":   {bilingual.Text{En: "same kind of trigger", Ko: "같은 종류의 촉발"}, bilingual.Text{En: "same kind of trigger", Ko: "같은 종류의 촉발"}},
}

// why puts reasons into words: "same mechanism: retry storm; shared
// components: database, connection pool". The editor's word comes first. At
// most three terms a reason are named.
func (a *App) why(reasons []Reason, m similar.Match) bilingual.Text {
	var en, ko []string
	add := func(t bilingual.Text) {
		// A side that is missing stays missing; its reader gets the other reasons.
		if t.En != "" {
			en = append(en, t.En)
		}
		if t.Ko != "" {
			ko = append(ko, t.Ko)
		}
	}
	switch {
	case m.Reason != nil:
		add(bilingual.Text{En: strings.TrimSuffix(m.Reason.En, "."), Ko: strings.TrimSuffix(m.Reason.Ko, ".")})
	case m.Relation != "":
		name := a.termRef("relation", m.Relation).Name
		add(bilingual.Text{En: lowerFirst(name.En), Ko: name.Ko})
	}
	for _, r := range reasons {
		if r.Kind == "text" {
			add(bilingual.Text{En: "told in much the same words", Ko: "본문에 같은 말이 많음"})
			continue
		}
		phrase := phrases[r.Kind].one
		if len(r.Terms) > 1 {
			phrase = phrases[r.Kind].many
		}
		add(bilingual.Text{
			En: phrase.En + ": " + join(r.Terms, bilingual.English),
			Ko: phrase.Ko + ": " + join(r.Terms, bilingual.Korean),
		})
	}
	return bilingual.Text{En: strings.Join(en, "; "), Ko: strings.Join(ko, "; ")}
}

func join(terms []TermRef, lang bilingual.Lang) string {
	var names []string
	for _, t := range terms[:min(3, len(terms))] {
		name, _ := t.Name.Read(lang)
		if lang == bilingual.English {
			name = lowerFirst(name)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// lowerFirst lowers the first letter of a name that is an ordinary word; an
// abbreviation such as DNS keeps its capitals.
func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
