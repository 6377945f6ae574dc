package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// Effects are the effects of an action in the order in which they are shown.
func Effects() []string { return []string{"worked", "partial", "failed", "worsened", "unknown"} }

// TopicPage returns the page of a topic.
func TopicPage(t *app.Topic, names Names, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, Read(&t.Term.Name, l))
	b.prose(Read(&t.Term.Definition, l))
	b.facts(
		[2]string{Read(&t.ListName, l), t.List + "/" + t.Term.ID},
		[2]string{Word("cases", l), fmt.Sprint(t.Count)},
		[2]string{Word("since", l), t.Since},
		[2]string{Word("durations", l), spreadLine(t.Durations, l)},
		[2]string{Word("narrower", l), refs(t.Narrower, l)},
		[2]string{Word("occurs-with", l), occurrences(t.With, l)},
		[2]string{Word("synonyms", l), strings.Join(synonyms(t, l), ", ")},
	)
	topicRemedies(b, t, names, l)
	topicLists(b, t, l)
	b.scenarios(t.Scenarios, l)
	b.checks(t.Checks, l)
	return b.page
}

func synonyms(t *app.Topic, l bilingual.Lang) []string {
	if l == bilingual.Korean {
		return t.Term.Synonyms.Ko
	}
	return t.Term.Synonyms.En
}

func spreadLine(s *app.Spread, l bilingual.Lang) string {
	if s == nil {
		return ""
	}
	median, shortest, longest := Duration(s.Median, l), Duration(s.Min, l), Duration(s.Max, l)
	if l == bilingual.Korean {
		return fmt.Sprintf("중앙값 %s, %s에서 %s까지 (알려진 사례 %d건)", median, shortest, longest, s.Known)
	}
	return fmt.Sprintf("median %s, from %s to %s (known for %s)", median, shortest, longest, cases(s.Known))
}

func refs(terms []app.TermRef, l bilingual.Lang) string {
	var names []string
	for _, t := range terms {
		name, _ := t.Name.Read(l)
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// occurrences names the terms that occur with a topic's; the first one says in
// words what its figures are.
func occurrences(with []app.Occurrence, l bilingual.Lang) string {
	var all []string
	for i, o := range with {
		name, _ := o.Name.Read(l)
		switch {
		case l == bilingual.Korean && i == 0:
			name += fmt.Sprintf(" %d건(라이브러리 전체보다 %.1f배 자주)", o.Cases, o.Lift)
		case l == bilingual.Korean:
			name += fmt.Sprintf(" %d건(%.1f배)", o.Cases, o.Lift)
		case i == 0:
			name += fmt.Sprintf(" in %s (%.1f times as often as in the whole library)", cases(o.Cases), o.Lift)
		default:
			name += fmt.Sprintf(" in %d (%.1f times)", o.Cases, o.Lift)
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

func topicRemedies(b *builder, t *app.Topic, names Names, l bilingual.Lang) {
	var items []Item
	for _, r := range t.Remedies {
		var parts []string
		for _, effect := range Effects() {
			if ids := r.Effects[effect]; len(ids) > 0 {
				parts = append(parts, fmt.Sprintf("%s %d (%s)", names.Name("effect", effect, l), len(ids), strings.Join(unique(ids), ", ")))
			}
		}
		name, _ := r.Name.Read(l)
		items = append(items, Item{Lead: name, Text: strings.Join(parts, "; ")})
	}
	b.section(Word("remedies", l), items)
}

func unique(ids []string) []string {
	var out []string
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func topicLists(b *builder, t *app.Topic, l bilingual.Lang) {
	var lessons, cases []Item
	for _, x := range t.Lessons {
		lessons = append(lessons, Item{Lead: x.ID, Text: Read(&x.Text, l)})
	}
	for _, c := range t.Cases {
		cases = append(cases, Item{Lead: c.ID, Text: briefLine(c, l)})
	}
	b.section(Word("lessons", l), lessons)
	b.heading(2, Word("cases", l))
	if len(cases) == 0 {
		b.prose(Word("no-cases", l))
	}
	b.list(cases)
}

// VocabPage returns the page of the vocabulary: of one list its terms with
// their definitions, of several their terms' ids and names.
func VocabPage(v *app.Vocab, l bilingual.Lang) Page {
	b := &builder{}
	for _, list := range v.Lists {
		b.heading(2, fmt.Sprintf("%s (%s)", Read(&list.Name, l), list.ID))
		b.prose(Read(&list.Definition, l))
		var items []Item
		for _, t := range list.Terms {
			item := Item{Lead: t.ID, Text: fmt.Sprintf("%s (%d)", Read(&t.Name, l), t.Cases)}
			if len(v.Lists) == 1 {
				item.Sub = append(item.Sub, Read(&t.Definition, l))
			}
			items = append(items, item)
		}
		b.list(items)
	}
	return b.page
}
