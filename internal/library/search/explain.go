package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// preferLang is how much of the best coverage a sentence in the reader's
// language must have to be quoted instead.
const preferLang = 0.5

// preferBody is how much of the best coverage a sentence of the body must have
// to be quoted instead of a title, which the reader sees anyway.
const preferBody = 0.5

// explain turns ranked candidates, whose sentence hits were gathered, into hits.
func (x *Index) explain(q Query, p *plan, ranked []candidate, s *scratch) []Hit {
	m := newMarker(x, p)
	hits := make([]Hit, 0, len(ranked))
	for _, c := range ranked {
		s.fill(s.hits[c.hits], len(p.words))
		slices.Sort(s.touched)
		hits = append(hits, x.hit(q, p, c, s, m))
		s.wipe(len(p.words))
	}
	return hits
}

// hit explains one candidate, whose sentence hits are laid out in s.cells.
func (x *Index) hit(q Query, p *plan, c candidate, s *scratch, m *marker) Hit {
	h := Hit{ID: x.docs[c.doc].ID, Score: float64(c.score)}
	var found foundForms
	if n, ok := x.bestSentence(q, p, c.doc, s); ok {
		h.Passage = x.passage(c.doc, n, m, &found)
	}
	words := len(p.words)
	var light []WordMatch
	looked := map[int]bool{}
	for i, w := range p.words {
		if len(found.byWord[i]) == 0 && len(looked) < maxLooked {
			n, ok := bestFor(i, words, s)
			if ok && !looked[n] && n < len(x.sentencesOf(c.doc)) {
				looked[n] = true
				x.marks(c.doc, n, m, &found)
			}
		}
		forms := found.byWord[i]
		if len(forms) == 0 && isID(w, x.docs[c.doc].ID) {
			forms = []string{x.docs[c.doc].ID}
		}
		switch {
		case len(forms) == 0:
		case w.light:
			light = append(light, WordMatch{w.typed, forms})
		default:
			h.Words = append(h.Words, WordMatch{w.typed, forms})
		}
	}
	for _, t := range p.terms {
		ref := TermRef{x.terms[t].List, x.terms[t].ID}
		tm := TermMatch{TermRef: ref, Tagged: x.has(c.doc, ref.List, ref.ID), Found: found.term(t)}
		if tm.Tagged || tm.Found != "" {
			h.Terms = append(h.Terms, tm)
		}
	}
	if len(h.Words)+len(h.Terms) == 0 {
		h.Words = light // a poor reason, but the only one
	}
	return h
}

// maxLooked bounds the further sentences of a hit that are looked into for words
// that its passage does not have.
const maxLooked = 12

func isID(w queryWord, id string) bool {
	folded, _ := joined(w.typed)
	return folded == idTerm(id)
}

// bestSentence returns the sentence that covers most of the query, if
// possible in the reader's language and not a title. Of equals the first wins.
// Who reads and asks in English is not shown Korean, which few of them can
// read; the opposite does no harm.
func (x *Index) bestSentence(q Query, p *plan, doc uint32, s *scratch) (int, bool) {
	onlyEnglish := q.Lang == "en" && strings.IndexFunc(q.Text, isHangul) < 0
	words := len(p.words)
	all, in := newPick(), newPick()
	for _, n := range s.touched {
		if int(n) >= len(x.sentencesOf(doc)) {
			continue // the tags
		}
		v := p.covered(s.cells[int(n)*words : (int(n)+1)*words])
		f := x.fieldOf(doc, int(n))
		title := slices.Contains(x.titles, f.Name)
		all.see(int(n), v, title)
		if f.Lang == q.Lang {
			in.see(int(n), v, title)
		}
	}
	if onlyEnglish || in.any.n >= 0 && in.any.has >= preferLang*all.any.has {
		return in.choose()
	}
	return all.choose()
}

// A pick remembers the best sentence, and the best that is no title.
type pick struct{ any, body picked }

type picked struct {
	n   int // -1 if none
	has float32
}

func newPick() *pick { return &pick{picked{n: -1}, picked{n: -1}} }

func (p *pick) see(n int, has float32, title bool) {
	if has > p.any.has {
		p.any = picked{n, has}
	}
	if has > p.body.has && !title {
		p.body = picked{n, has}
	}
}

func (p *pick) choose() (int, bool) {
	if p.body.n >= 0 && p.body.has >= preferBody*p.any.has {
		return p.body.n, true
	}
	return p.any.n, p.any.n >= 0
}

func (x *Index) fieldOf(doc uint32, n int) *Field {
	return &x.docs[doc].Fields[x.sentencesOf(doc)[n].field]
}

// bestFor returns the sentence that has most of word i.
func bestFor(i, words int, s *scratch) (int, bool) {
	best, top := -1, float32(minShare)
	for _, n := range s.touched {
		if v := s.cells[int(n)*words+i]; v > top {
			best, top = int(n), v
		}
	}
	return best, best >= 0
}

// sentenceText returns sentence n of a document on one line.
func (x *Index) sentenceText(doc uint32, n int) (Field, string) {
	st := x.sentencesOf(doc)[n]
	f := x.docs[doc].Fields[st.field]
	return f, oneLine(f.Text[st.start:st.end])
}

// oneLine joins lines and takes list markers and footnote marks away.
func oneLine(s string) string {
	for {
		i := strings.Index(s, "[^")
		if i < 0 {
			break
		}
		n := strings.IndexByte(s[i:], ']')
		if n < 0 {
			break
		}
		s = s[:i] + s[i+n+1:]
	}
	s = strings.Join(strings.Fields(s), " ")
	for _, mark := range []string{"- ", "* ", "> ", "# ", "## ", "### "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest
		}
	}
	return s
}

// passage quotes a sentence with its matches marked.
func (x *Index) passage(doc uint32, n int, m *marker, found *foundForms) *Passage {
	f, text := x.sentenceText(doc, n)
	marks := m.mark(text, found)
	text, marks = crop(text, marks)
	return &Passage{Field: f.Name, Lang: f.Lang, Text: text, Marks: marks}
}

// marks notes the forms that a sentence has of the words of the query.
func (x *Index) marks(doc uint32, n int, m *marker, found *foundForms) {
	_, text := x.sentenceText(doc, n)
	m.mark(text, found)
}

// maxPassage bounds the bytes of a passage.
const maxPassage = 480

// crop cuts a long sentence around its marks.
func crop(text string, marks []Range) (string, []Range) {
	if len(text) <= maxPassage {
		return text, marks
	}
	start := 0
	if len(marks) > 0 {
		start = max(0, min(marks[0].Start-maxPassage/4, len(text)-maxPassage))
	}
	end := min(len(text), start+maxPassage)
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	lead := ""
	if start > 0 {
		lead = "…"
	}
	cut := lead + text[start:end]
	if end < len(text) {
		cut += "…"
	}
	var kept []Range
	for _, r := range marks {
		if r.Start >= start && r.End <= end {
			kept = append(kept, Range{r.Start - start + len(lead), r.End - start + len(lead)})
		}
	}
	return cut, kept
}

// foundForms are the forms in which words and terms of a query were found.
type foundForms struct {
	byWord map[int][]string
	byTerm map[uint32]string
}

func (f *foundForms) addWord(i int, form string) {
	if f.byWord == nil {
		f.byWord = map[int][]string{}
	}
	if !slices.Contains(f.byWord[i], form) {
		f.byWord[i] = append(f.byWord[i], form)
	}
}

func (f *foundForms) addTerm(t uint32, form string) {
	if f.byTerm == nil {
		f.byTerm = map[uint32]string{}
	}
	if f.byTerm[t] == "" {
		f.byTerm[t] = form
	}
}

func (f *foundForms) term(t uint32) string { return f.byTerm[t] }

// merge sorts ranges and joins those that overlap or touch.
func merge(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out []Range
	for _, r := range ranges {
		if n := len(out); n > 0 && r.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, r.End)
			continue
		}
		out = append(out, r)
	}
	return out
}
