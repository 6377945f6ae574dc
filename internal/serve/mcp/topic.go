package mcp

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// topic is the answer of get_topic.
type topic struct {
	*app.Topic
	TotalLessons int    `json:"total_lessons"`
	Next         string `json:"next,omitempty"`
}

// topicHead are the fields of a topic that the schema of get_topic names.
type topicHead struct {
	Count    int    `json:"count"`
	Remedies []any  `json:"remedies"`
	Lessons  []any  `json:"lessons"`
	Cases    []any  `json:"cases"`
	Next     string `json:"next"`
}

// Numbers of a topic's lessons and cases in one answer; see [fit].
const (
	topicLessons = 15
	topicCases   = 25
)

var getTopic = &tool{
	name: "get_topic", title: "Get a topic",
	doc: "All that the library knows under one term: definition, number of cases, how long they lasted, what occurs with it, " +
		"which remedies worked, failed or made it worse, lessons, cases.",
	params: func(*app.App) []param {
		return []param{
			{name: "topic", also: "term", required: true, doc: "list/id, or an id, name or synonym, e.g. retry storm, 캐시"},
			cursorParam, langParam,
		}
	},
	out: reflect.TypeFor[topicHead](), depth: 1,
	next: bilingual.Text{
		En: "vocab lists the terms; search_incidents finds cases by any words.",
		Ko: "용어는 vocab에 있고, 아무 낱말로나 사례를 찾으려면 search_incidents를 부른다."},
	answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
		t, err := a.Topic(shown(strings.TrimSpace(in.text["topic"])))
		if err != nil {
			return nil, err
		}
		for i := range t.With {
			t.With[i].Lift = round(t.With[i].Lift)
		}
		from, err := parseOffsets(in.text["cursor"], 2)
		if err != nil {
			return nil, err
		}
		return fit(ctx, topicLessons, func(n int) (*reply, error) {
			return topicReply(a, t, from[0], from[1], n, in.lang()), nil
		})
	},
}

// parseOffsets reads a cursor of the form "20.40". Topics and lists of terms
// are short and change with the library only, so their cursors hold positions.
func parseOffsets(cursor string, n int) ([]int, error) {
	offsets := make([]int, n)
	if cursor == "" {
		return offsets, nil
	}
	parts := strings.Split(cursor, ".")
	for i := range offsets {
		ok := len(parts) == n
		if ok {
			v, err := strconv.Atoi(parts[i])
			offsets[i], ok = v, err == nil && v >= 0
		}
		if !ok {
			const hint = "take the cursor from the result of the same call, or start without one"
			return nil, app.Invalidf("cursor", hint, "the cursor %q is not readable", shown(cursor)).
				Korean("같은 호출의 결과에 있던 커서를 쓰거나 커서 없이 처음부터 부른다", "읽을 수 없는 커서: %q")
		}
	}
	return offsets, nil
}

// window returns the part of a list that begins at from, and where it ends.
func window[T any](list []T, from, n int) (part []T, end int) {
	from = min(from, len(list))
	end = min(from+n, len(list))
	return list[from:end], end
}

// topicReply shows n lessons and as many cases in proportion. Answers after the
// first go on with these two lists only.
func topicReply(a *app.App, whole *app.Topic, lessons, cases, n int, l bilingual.Lang) *reply {
	c := *whole
	t := &topic{Topic: &c, TotalLessons: len(whole.Lessons)}
	var lessonsEnd, casesEnd int
	t.Lessons, lessonsEnd = window(whole.Lessons, lessons, n)
	t.Cases, casesEnd = window(whole.Cases, cases, max(1, n*topicCases/topicLessons))
	t.Years = []app.YearCount{} // the cases tell as much
	if lessons > 0 || cases > 0 {
		t.With, t.Remedies, t.Narrower, t.Durations = []app.Occurrence{}, []app.Remedy{}, []app.TermRef{}, nil
	}
	if d := t.Durations; d != nil {
		short := *d
		short.Each, t.Durations = []app.CaseValue{}, &short // each case tells its own
	}
	out := &reply{wire: t, lang: l}
	out.whole = "The cases, with all their lessons, are in list_incidents with terms " + c.List + "/" + c.Term.ID + "."
	out.page = func(wire any) output.Page { return output.TopicPage(wire.(*topic).Topic, a, l) }
	if lessonsEnd < len(whole.Lessons) || casesEnd < len(whole.Cases) {
		t.Next = fmt.Sprintf("%d.%d", lessonsEnd, casesEnd)
		out.notes = []string{topicNote(t, lessonsEnd, casesEnd, l)}
	}
	return out
}

func topicNote(t *topic, lessons, cases int, l bilingual.Lang) string {
	if l == bilingual.Korean {
		const format = "교훈 %d개 가운데 %d개, 사례 %d건 가운데 %d건까지다. 나머지: get_topic에 topic %q, cursor %q를 준다."
		return fmt.Sprintf(format, t.TotalLessons, lessons, t.Count, cases, t.List+"/"+t.Term.ID, t.Next)
	}
	const format = "Up to lesson %d of %d and case %d of %d. The rest: call get_topic with topic %q and cursor %q."
	return fmt.Sprintf(format, lessons, t.TotalLessons, cases, t.Count, t.List+"/"+t.Term.ID, t.Next)
}

// terms is the answer of vocab.
type terms struct {
	Version int        `json:"wire_version"`
	Lists   []termList `json:"lists"`
	Next    string     `json:"next,omitempty"`
}

// termList is one list with some of its terms.
type termList struct {
	ID         string         `json:"id"`
	Name       bilingual.Text `json:"name"`
	Definition bilingual.Text `json:"definition"`
	Size       int            `json:"size"`
	Terms      []termCount    `json:"terms"`
}

// termCount is a term with the number of cases that have it.
type termCount struct {
	ID         string         `json:"id"`
	Name       bilingual.Text `json:"name"`
	Definition bilingual.Text `json:"definition,omitzero"`
	Parent     string         `json:"parent,omitempty"`
	Cases      int            `json:"cases"`
}

// overviewTerms is the number of terms of each list in the overview.
const overviewTerms = 6

var vocabulary = &tool{
	name: "vocab", title: "Vocabulary",
	doc: "Terms that cases are coded with, for filters and topics. Without list: all lists, the most used terms.",
	params: func(a *app.App) []param {
		return []param{{name: "list", enum: listIDs(a)}, cursorParam, langParam}
	},
	out: reflect.TypeFor[terms](), depth: 1,
	next: bilingual.Text{
		En: "Then call vocab again, or get_topic with any word: it knows synonyms.",
		Ko: "고쳐서 vocab을 다시 부르거나, 동의어를 아는 get_topic을 아무 낱말로나 부른다."},
	answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
		v, err := a.Vocab(in.text["list"])
		if err != nil {
			return nil, err
		}
		from, err := parseOffsets(in.text["cursor"], 1)
		if err != nil {
			return nil, err
		}
		if in.text["list"] == "" {
			return fit(ctx, overviewTerms, func(n int) (*reply, error) { return overview(v, n, in.lang()), nil })
		}
		return fit(ctx, max(1, len(v.Lists[0].Terms)), func(n int) (*reply, error) {
			return oneList(v, from[0], n, in.lang()), nil
		})
	},
}

func listIDs(a *app.App) []string {
	v, err := a.Vocab("")
	if err != nil {
		return nil // a library without any list
	}
	var ids []string
	for _, l := range v.Lists {
		ids = append(ids, l.ID)
	}
	return ids
}

func listOf(l *app.VocabList) termList {
	return termList{ID: l.ID, Name: l.Name, Definition: l.Definition, Size: len(l.Terms), Terms: []termCount{}}
}

// overview shows the n most used terms of each list.
func overview(v *app.Vocab, n int, l bilingual.Lang) *reply {
	t := &terms{Version: v.Version, Lists: []termList{}}
	for _, all := range v.Lists {
		one := listOf(&all)
		used := slices.Clone(all.Terms)
		slices.SortStableFunc(used, func(x, y app.VocabTerm) int { return y.Cases - x.Cases })
		for _, term := range first(used, n) {
			one.Terms = append(one.Terms, termCount{ID: term.ID, Name: term.Name, Cases: term.Cases})
		}
		t.Lists = append(t.Lists, one)
	}
	note := "All terms of a list: vocab with list."
	if l == bilingual.Korean {
		note = "한 목록의 모든 용어: vocab에 list를 준다."
	}
	return &reply{wire: t, lang: l, notes: []string{note}, page: func(wire any) output.Page {
		var items []output.Item
		for _, list := range wire.(*terms).Lists {
			var names []string
			for _, term := range list.Terms {
				names = append(names, fmt.Sprintf("%s (%s) %d", output.Read(&term.Name, l), term.ID, term.Cases))
			}
			items = append(items, output.Item{
				Lead: list.ID,
				Text: fmt.Sprintf("%s (%d). %s", output.Read(&list.Name, l), list.Size, output.Read(&list.Definition, l)),
				Sub:  []string{strings.Join(names, ", ")},
			})
		}
		return output.Page{{Kind: output.List, Items: items}}
	}}
}

// oneList shows n terms of a list from an offset on.
func oneList(v *app.Vocab, from, n int, l bilingual.Lang) *reply {
	one := listOf(&v.Lists[0])
	part, end := window(v.Lists[0].Terms, from, n)
	for _, term := range part {
		one.Terms = append(one.Terms, termCount{term.ID, term.Name, term.Definition, term.Parent, term.Cases})
	}
	t := &terms{Version: v.Version, Lists: []termList{one}}
	out := &reply{wire: t, lang: l, whole: "get_topic tells more about a term.", page: func(wire any) output.Page {
		return listPage(&wire.(*terms).Lists[0], l)
	}}
	if end < one.Size {
		t.Next = strconv.Itoa(end)
		out.notes = []string{moreNote(l, "vocab", end, one.Size, t.Next)}
	}
	return out
}

func listPage(list *termList, l bilingual.Lang) output.Page {
	shown := &app.Vocab{Lists: []app.VocabList{{Terms: []app.VocabTerm{}}}}
	one := &shown.Lists[0]
	one.ID, one.Name, one.Definition = list.ID, list.Name, list.Definition
	for _, t := range list.Terms {
		term := app.VocabTerm{Cases: t.Cases}
		term.ID, term.Name, term.Definition = t.ID, t.Name, t.Definition
		if t.Parent != "" {
			term.Definition = under(term.Definition, t.Parent)
		}
		one.Terms = append(one.Terms, term)
	}
	return output.VocabPage(shown, l)
}

// under names the wider term at the end of a definition.
func under(definition bilingual.Text, parent string) bilingual.Text {
	if definition.En != "" {
		definition.En += " Part of: " + parent + "."
	}
	if definition.Ko != "" {
		definition.Ko += " 상위 용어: " + parent + "."
	}
	return definition
}
