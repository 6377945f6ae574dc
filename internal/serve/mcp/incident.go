package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// The sections that are no part of a case's page.
const (
	similarSection = "similar" // the most similar cases, with what worked in them
	allSections    = "all"
)

// usualSections are shown where none is asked for: what helps in an outage.
var usualSections = []string{"summary", "actions", "causes", "mechanisms", "lessons"}

// sectionFields are the fields of the record that a section shows, where they
// are not just the one of its name.
var sectionFields = map[string][]string{"sources": {"sources", "references"}}

// headFields are the fields that every answer about a case has.
var headFields = []string{
	"wire_version", "id", "state", "superseded_by", "withdrawn_reason", "org", "product", "also_affected", "title", "date", "date_kind",
	"severity", "tags", "review", "measured", "library", "replaces",
}

// sectioned reports whether a field of the record is shown by the head or by a
// section.
func sectioned(field string) bool {
	return slices.Contains(headFields, field) || slices.Contains(output.Sections(), field) || field == "references"
}

// incident is the answer of get_incident: a case with the asked-for sections.
type incident struct {
	*app.Case
	Similar []app.SimilarOne `json:"similar,omitempty"`
	Alike   []alike          `json:"similar_ids,omitempty"`
	More    []string         `json:"more_sections"`

	sections []string
}

// alike names a similar case and the reason in words.
type alike struct {
	ID    string         `json:"id"`
	Title bilingual.Text `json:"title"`
	Why   bilingual.Text `json:"why"`
}

// MarshalJSON writes the fields of the shown sections, in the order of the
// wire form.
func (i *incident) MarshalJSON() ([]byte, error) {
	raw, err := marshal(i.Case)
	if err != nil {
		return nil, err
	}
	keep := slices.Clone(headFields)
	for _, s := range i.sections {
		if fields, ok := sectionFields[s]; ok {
			keep = append(keep, fields...)
		} else {
			keep = append(keep, s)
		}
	}
	kept, err := pick(raw, keep)
	if err != nil {
		return nil, err
	}
	rest, err := marshal(struct {
		Similar []app.SimilarOne `json:"similar,omitempty"`
		Alike   []alike          `json:"similar_ids,omitempty"`
		More    []string         `json:"more_sections"`
	}{i.Similar, i.Alike, i.More})
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(kept[:len(kept)-1], ",%s", rest[1:]), nil
}

// pick returns a JSON object with the fields named in keep only, in the order
// in which they stand.
func pick(object []byte, keep []string) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var parts [][]byte
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		if slices.Contains(keep, name.(string)) {
			parts = append(parts, fmt.Appendf(nil, "%q:%s", name, value))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}")), nil
}

// incidentHead are the fields of a case that the schema of get_incident names;
// there are as many more as the sections have, and definitions are to be short.
type incidentHead struct {
	ID       string         `json:"id"`
	Title    bilingual.Text `json:"title"`
	Timeline []any          `json:"timeline"`
	Actions  []any          `json:"actions"`
	Lessons  []any          `json:"lessons"`
	Similar  []any          `json:"similar"`
	More     []string       `json:"more_sections"`
}

var getIncident = &tool{
	name: "get_incident", title: "Get an incident",
	doc: "Read one case by id. Default sections: " + strings.Join(usualSections, ", ") + " and the ids of similar cases. " +
		"Ask for others by name, similar for the most similar cases with reasons, or all.",
	params: func(*app.App) []param {
		return []param{
			{name: "id", required: true, doc: "Case id, e.g. IL-0574"},
			{name: "sections", kind: words, enum: append(output.Sections(), similarSection, allSections)},
			langParam,
		}
	},
	out: reflect.TypeFor[incidentHead](), depth: 1,
	next: bilingual.Text{
		En: "Ids come from search_incidents or list_incidents.", Ko: "id는 search_incidents나 list_incidents에서 얻는다."},
	answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
		c, err := a.Case(strings.TrimSpace(in.text["id"]))
		if err != nil {
			return nil, err
		}
		sections := wanted(in.words["sections"])
		limit := usualSimilar
		if slices.Contains(sections, similarSection) {
			limit = app.DefaultSimilar
		}
		r, err := a.Similar(c.ID, limit)
		if err != nil {
			return nil, err
		}
		return fit(ctx, len(sections), func(n int) (*reply, error) {
			return incidentReply(a, c, r.Cases, in.lang(), sections[:n], sections[n:]), nil
		})
	},
}

// wanted returns the sections that are asked for, each once.
func wanted(asked []string) []string {
	switch {
	case len(asked) == 0:
		return usualSections
	case slices.Contains(asked, allSections):
		return append(output.Sections(), similarSection)
	}
	var sections []string
	for _, s := range asked {
		if !slices.Contains(sections, s) {
			sections = append(sections, s)
		}
	}
	return sections
}

// usualSimilar is the number of similar cases that are named unasked.
const usualSimilar = 3

func incidentReply(a *app.App, c *app.Case, similar []app.SimilarOne, l bilingual.Lang, sections, left []string) *reply {
	i := &incident{Case: c, More: []string{}, sections: sections}
	if slices.Contains(sections, similarSection) {
		i.Similar = similar
		for j := range i.Similar {
			shorten(&i.Similar[j])
		}
	} else {
		for _, one := range first(similar, usualSimilar) {
			i.Alike = append(i.Alike, alike{one.ID, one.Title, one.Why})
		}
	}
	i.More = others(a, c, l, sections)
	out := &reply{wire: i, lang: l, whole: "The whole case is the resource precedent://cases/" + c.ID + "."}
	out.page = func(wire any) output.Page { return incidentPage(a, wire.(*incident), l) }
	out.notes = incidentNotes(i, left, l)
	return out
}

// shorten keeps of a similar case what its line on the page tells.
func shorten(one *app.SimilarOne) {
	one.Score, one.Worked = round(one.Score), first(one.Worked, 1)
	for i := range one.Reasons {
		r := &one.Reasons[i]
		r.Share, r.Terms = round(r.Share), first(r.Terms, 3)
	}
}

// others returns the sections that have content and are not shown.
func others(a *app.App, c *app.Case, l bilingual.Lang, sections []string) []string {
	more := []string{}
	none := len(output.CasePage(c, termNames{a}, l, "none"))
	for _, s := range output.Sections() {
		if !slices.Contains(sections, s) && len(output.CasePage(c, termNames{a}, l, s)) > none {
			more = append(more, s)
		}
	}
	if !slices.Contains(sections, similarSection) {
		more = append(more, similarSection)
	}
	return more
}

func incidentPage(a *app.App, i *incident, l bilingual.Lang) output.Page {
	only := i.sections
	if len(only) == 0 || len(only) == 1 && only[0] == similarSection {
		only = []string{"none"} // no name at all would mean all sections
	}
	page := output.CasePage(i.Case, termNames{a}, l, only...)
	var items []output.Item
	for _, one := range i.Similar {
		items = append(items, similarItem(one, l))
	}
	for _, one := range i.Alike {
		items = append(items, output.Item{
			Lead: one.ID, Text: output.Read(&one.Title, l), Sub: []string{output.Read(&one.Why, l)},
		})
	}
	if len(items) > 0 {
		page = append(page, output.Block{Kind: output.Heading, Level: 2, Text: output.Word("related", l)},
			output.Block{Kind: output.List, Items: items})
	}
	return page
}

// similarItem tells of a similar case why, by which terms, and what worked.
func similarItem(one app.SimilarOne, l bilingual.Lang) output.Item {
	item := output.Item{Lead: one.ID, Text: output.Read(&one.Title, l) + " — " + one.Org.Name + ", " + one.Date}
	item.Sub = append(item.Sub, fmt.Sprintf("%s (%s %.2f)", output.Read(&one.Why, l), output.Word("score", l), one.Score))
	var ids []string
	for _, r := range one.Reasons {
		for _, t := range r.Terms {
			ids = append(ids, output.Read(&t.Name, l))
		}
	}
	if len(ids) > 0 {
		item.Sub = append(item.Sub, strings.Join(ids, ", "))
	}
	for _, w := range one.Worked {
		text, remedy := output.Read(&w.Text, l), output.Read(&w.Remedy.Name, l)
		item.Sub = append(item.Sub, output.Word("worked", l)+": "+text+" ("+remedy+")")
	}
	return item
}

func incidentNotes(i *incident, left []string, l bilingual.Lang) []string {
	var notes []string
	if len(left) > 0 {
		format := "Left out for size: %s."
		if l == bilingual.Korean {
			format = "길이 제한 때문에 뺀 부분: %s."
		}
		notes = append(notes, fmt.Sprintf(format, strings.Join(left, ", ")))
	}
	if len(i.More) > 0 {
		format := "More sections: call get_incident with sections from %s."
		if l == bilingual.Korean {
			format = "다른 부분: get_incident의 sections에 %s 가운데서 준다."
		}
		notes = append(notes, fmt.Sprintf(format, strings.Join(i.More, ", ")))
	}
	return notes
}
