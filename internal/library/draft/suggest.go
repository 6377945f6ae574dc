package draft

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSuggestions bounds how many terms of one list are offered.
const maxSuggestions = 6

// suggest notes which terms of the vocabularies occur in the report. They
// stand in comments: whether a term holds is for the editor to judge.
func (p *placer) suggest() {
	text := strings.ToLower(markdown(p.doc.blocks))
	p.rec.symptoms.notes = append(p.rec.symptoms.notes, p.terms("symptom", text)...)
	if len(p.rec.causes.list) == 0 {
		p.rec.causes.pending = append(p.rec.causes.pending, p.terms("cause", text)...)
	}
	for i := range p.rec.causes.list {
		e := &p.rec.causes.list[i]
		e.notes = append(e.notes, p.terms("cause", strings.ToLower(e.text))...)
	}
	for i := range p.rec.actions.list {
		e := &p.rec.actions.list[i]
		e.notes = append(e.notes, p.remedies(e.text)...)
	}
	for i := range p.rec.followups.list {
		e := &p.rec.followups.list[i]
		e.notes = append(e.notes, p.terms("remedy", strings.ToLower(e.text))...)
	}
	p.rec.trigger.notes = append(p.rec.trigger.notes, p.terms("trigger", strings.ToLower(p.rec.trigger.text))...)
	for _, list := range []string{"mechanism", "component", "tag", "impact"} {
		p.rec.suggested = append(p.rec.suggested, p.terms(list, text)...)
	}
}

// remedies returns the remedies that an action names, and those that its steps
// are in other forms of the words than the vocabulary has.
func (p *placer) remedies(text string) []string {
	notes := p.terms("remedy", strings.ToLower(text))
	if len(text) > maxDeed {
		return notes
	}
	for _, d := range deedsIn(deeds(), text) {
		id := remedyOf(d.name)
		named := slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, "suggestion: remedy "+id+" (") })
		known := slices.ContainsFunc(p.opt.Terms, func(t Term) bool { return t.List == "remedy" && t.ID == id })
		if known && !named && len(notes) < maxSuggestions {
			notes = append(notes, fmt.Sprintf("suggestion: remedy %s (%q occurs)", id, d.words))
		}
	}
	return notes
}

// terms returns the terms of a list that text names, the most frequent first.
func (p *placer) terms(list, text string) []string {
	type hit struct {
		id, phrase string
		count      int
	}
	var hits []hit
	for _, term := range p.opt.Terms {
		if term.List != list {
			continue
		}
		best := hit{id: term.ID}
		for _, phrase := range term.Phrases {
			n := countPhrase(text, strings.ToLower(phrase))
			if n > 0 && best.phrase == "" {
				best.phrase = phrase
			}
			best.count += n
		}
		if best.count > 0 {
			hits = append(hits, best)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.count, a.count) })
	var notes []string
	for _, h := range hits[:min(len(hits), maxSuggestions)] {
		notes = append(notes, fmt.Sprintf("suggestion: %s %s (%q occurs)", list, h.id, h.phrase))
	}
	return notes
}

// countPhrase counts where phrase stands in text as whole words and is not
// denied. In Korean the words around it may be joined to it.
func countPhrase(text, phrase string) int {
	if utf8.RuneCountInString(phrase) < 2 || len(phrase) < 3 {
		return 0
	}
	count := 0
	for at := 0; ; {
		i := strings.Index(text[at:], phrase)
		if i < 0 {
			return count
		}
		from, to := at+i, at+i+len(phrase)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		first, _ := utf8.DecodeRuneInString(phrase)
		last, _ := utf8.DecodeLastRuneInString(phrase)
		if !joined(before, first) && !joined(last, after) && !denied(text, from, to) {
			count++
		}
		at = to
	}
}

// joined reports whether a and b are part of one word, in an alphabet that
// writes words apart.
func joined(a, b rune) bool {
	return isWord(a) && isWord(b) && !unicode.Is(unicode.Hangul, a) && !unicode.Is(unicode.Hangul, b)
}
