package search

import (
	"math"
	"slices"
	"strings"
)

// BM25F: k1 bounds what repetition adds, lengthShare how far long fields count
// less.
const (
	bm25K1          = 3
	bm25LengthShare = 0.5
)

// Weights of what does not come from a field.
const (
	idWeight  = 20 // the document's own id
	tagWeight = 8  // a vocabulary term the document is tagged with
)

// A builder gathers an index document by document.
type builder struct {
	x       *Index
	weights map[string]float64
	average map[fieldClass]float64 // mean bytes of a class of fields
	english *english

	chunks map[string]*chunkInfo
	runs   map[string]*runInfo
	lists  [][]byte // encoded postings by term
	last   []uint32 // last document by term
	slot   []int32  // by term: its entry of the current document, -1
	found  []entry
	occs   []occurrence
	flat   flatText
	tmp    []byte
	tmp2   []uint32
}

type fieldClass struct{ name, lang string }

// An entry is a term of the current document.
type entry struct {
	term       uint32
	weight     float32
	head, tail int32 // occurrences, -1 if none
}

type occurrence struct {
	sentence uint32
	next     int32
}

func newBuilder(docs []Document, opt Options) *builder {
	lex := newLexicon()
	terms := slices.Concat(opt.Terms, nameTerms())
	b := &builder{
		x: &Index{
			docs: docs, lex: lex, terms: terms,
			words: map[string]uint32{}, pairs: map[uint64]uint32{},
			dict: newDictionary(lex), docSents: []uint32{0},
		},
		weights: opt.Weights,
		average: averageLengths(docs),
		english: newEnglish(lex),
		chunks:  map[string]*chunkInfo{},
		runs:    map[string]*runInfo{},
	}
	for range terms {
		b.newTerm()
	}
	b.x.phrases = newPhraseSet(terms, lex)
	return b
}

// averageLengths returns the mean length of each class of fields over the
// documents that have it. Bytes stand for words: within a class, that is one
// name in one language, they go together.
func averageLengths(docs []Document) map[fieldClass]float64 {
	total, count := map[fieldClass]int{}, map[fieldClass]int{}
	for _, d := range docs {
		for c, n := range classLengths(d) {
			total[c] += n
			count[c]++
		}
	}
	avg := make(map[fieldClass]float64, len(total))
	for c, n := range total {
		avg[c] = max(1, float64(n)/float64(count[c]))
	}
	return avg
}

func classLengths(d Document) map[fieldClass]int {
	lengths := map[fieldClass]int{}
	for _, f := range d.Fields {
		lengths[fieldClass{f.Name, f.Lang}] += len(f.Text)
	}
	return lengths
}

func (b *builder) newTerm() uint32 {
	b.lists = append(b.lists, nil)
	b.last = append(b.last, 0)
	b.slot = append(b.slot, -1)
	b.x.post.df = append(b.x.post.df, 0)
	return uint32(len(b.lists) - 1)
}

func (b *builder) wordTerm(w string) uint32 {
	t, ok := b.x.words[w]
	if !ok {
		t = b.newTerm()
		b.x.words[strings.Clone(w)] = t
	}
	return t
}

func (b *builder) pairTerm(key uint64) uint32 {
	t, ok := b.x.pairs[key]
	if !ok {
		t = b.newTerm()
		b.x.pairs[key] = t
	}
	return t
}

// add indexes one document.
func (b *builder) add(doc uint32) {
	d := &b.x.docs[doc]
	b.found, b.occs = b.found[:0], b.occs[:0]
	b.count(b.wordTerm(idTerm(d.ID)), -1, idWeight)
	lengths := classLengths(*d)
	number := 0
	for i, f := range d.Fields {
		c := fieldClass{f.Name, f.Lang}
		weight := 1.0
		if w, ok := b.weights[f.Name]; ok {
			weight = w
		}
		weight /= 1 - bm25LengthShare + bm25LengthShare*float64(lengths[c])/b.average[c]
		sentences(f.Text, func(start, end int) {
			b.x.sents = append(b.x.sents, sentence{uint16(i), uint32(start), uint32(end)})
			b.sentence(f.Text[start:end], number, float32(weight))
			number++
		})
	}
	// The terms that a document is tagged with count as one more sentence.
	for t, term := range b.x.terms {
		if b.x.has(doc, term.List, term.ID) {
			b.count(uint32(t), number, tagWeight)
		}
	}
	b.x.docSents = append(b.x.docSents, uint32(len(b.x.sents)))
	b.x.dict.endDocument()
	b.flush(doc)
}

// idTerm is the term that an id is found by.
func idTerm(id string) string {
	s, _ := joined(id)
	return s
}

// A chunkInfo is what the index needs to know of a word chunk.
type chunkInfo struct {
	terms  []uint32    // its parts, and the whole of more than one part
	dict   []int32     // entries of the dictionary
	tokens []flatToken // for phrases, with places relative to the chunk
}

// A runInfo is what the index needs to know of a run of characters.
type runInfo struct {
	terms       []uint32 // its pairs
	dict        []int32
	token       flatToken
	first, last rune
	particle    bool // a particle, if it follows a word directly
}

// sentence counts the terms of one sentence.
func (b *builder) sentence(text string, number int, weight float32) {
	b.flat.reset()
	var last rune // of the run that ended at lastEnd
	lastEnd := -2
	for s := newScanner(text); ; {
		c, ok := s.next()
		if !ok {
			break
		}
		if c.kind == kindWord {
			info := b.chunk(text[c.start:c.end])
			b.countAll(info.terms, number, weight)
			b.x.dict.see(info.dict)
			b.flat.add(info.tokens, c.start)
			lastEnd = -2
			continue
		}
		info := b.run(text[c.start:c.end])
		if c.glued && info.particle {
			lastEnd = -2
			continue
		}
		if c.start == lastEnd+1 && isSpace(text[lastEnd]) {
			b.count(b.pairTerm(pairKey(last, info.first)), number, weight)
		}
		b.countAll(info.terms, number, weight)
		b.x.dict.see(info.dict)
		b.flat.addOne(info.token, c.start)
		last, lastEnd = info.last, c.end
	}
	b.x.phrases.mark(&b.flat, func(term uint32) {
		b.count(term, number, weight)
	})
}

// chunk returns what there is to know of a word chunk.
func (b *builder) chunk(s string) *chunkInfo {
	if info, ok := b.chunks[s]; ok {
		return info
	}
	s = strings.Clone(s)
	info := &chunkInfo{}
	note := func(folded string, letters bool, term string) {
		info.terms = append(info.terms, b.wordTerm(term))
		if at, ok := b.x.dict.word(folded, letters, term); ok {
			info.dict = append(info.dict, at)
		}
	}
	parts := splitWord(s)
	for _, p := range parts {
		part := s[p.Start:p.End]
		folded, letters := fold(part)
		term := b.english.termOf(part, folded, letters)
		info.tokens = append(info.tokens, b.x.phrases.word(term, p.Start, p.End))
		if !b.x.lex.stop[folded] {
			note(folded, letters, term)
		}
	}
	if len(parts) > 1 && len(s) <= maxWhole {
		folded, letters := joined(s)
		note(folded, letters, b.english.stem(folded, letters))
	}
	b.chunks[s] = info
	return info
}

// maxWhole bounds the bytes of a chunk that is indexed as a whole.
const maxWhole = 80

// run returns what there is to know of a run.
func (b *builder) run(s string) *runInfo {
	if info, ok := b.runs[s]; ok {
		return info
	}
	s = strings.Clone(s)
	info := &runInfo{
		dict:     b.x.dict.run(s),
		token:    b.x.phrases.run(s, 0),
		particle: b.x.lex.particle[s],
	}
	chars := []rune(s)
	info.first, info.last = chars[0], chars[len(chars)-1]
	for i := 1; i < len(chars); i++ {
		info.terms = append(info.terms, b.pairTerm(pairKey(chars[i-1], chars[i])))
	}
	if len(chars) == 1 {
		info.terms = append(info.terms, b.pairTerm(pairKey(0, chars[0])))
	} else if r, ok := b.x.lex.noun(chars); ok {
		info.terms = append(info.terms, b.pairTerm(pairKey(0, r)))
	}
	b.runs[s] = info
	return info
}

func (b *builder) countAll(terms []uint32, number int, weight float32) {
	for _, t := range terms {
		b.count(t, number, weight)
	}
}

// count adds an occurrence of a term; number is its sentence, or -1.
func (b *builder) count(term uint32, number int, weight float32) {
	at := b.slot[term]
	if at < 0 {
		at = int32(len(b.found))
		b.slot[term] = at
		b.found = append(b.found, entry{term: term, head: -1, tail: -1})
	}
	e := &b.found[at]
	e.weight += weight
	if number < 0 {
		return
	}
	if e.tail >= 0 && b.occs[e.tail].sentence == uint32(number) {
		return
	}
	o := int32(len(b.occs))
	b.occs = append(b.occs, occurrence{uint32(number), -1})
	if e.tail < 0 {
		e.head = o
	} else {
		b.occs[e.tail].next = o
	}
	e.tail = o
}

// flush appends the terms of a document to the postings.
func (b *builder) flush(doc uint32) {
	for _, e := range b.found {
		b.slot[e.term] = -1
		b.tmp2 = b.tmp2[:0]
		for o := e.head; o >= 0; o = b.occs[o].next {
			b.tmp2 = append(b.tmp2, b.occs[o].sentence)
		}
		saturated := e.weight / (bm25K1 + e.weight)
		impact := uint8(max(1, math.Round(float64(saturated)*impactSteps)))
		b.lists[e.term] = appendPosting(b.lists[e.term], doc-b.last[e.term], impact, b.tmp2, b.tmp)
		b.last[e.term] = doc
		b.x.post.df[e.term]++
	}
}

// finish joins the postings and computes what depends on all documents.
func (b *builder) finish() *Index {
	x := b.x
	total := 0
	for _, l := range b.lists {
		total += len(l)
	}
	x.post.data = make([]byte, 0, total)
	x.post.start = make([]uint64, 0, len(b.lists)+1)
	for t, l := range b.lists {
		x.post.start = append(x.post.start, uint64(len(x.post.data)))
		x.post.data = append(x.post.data, l...)
		b.lists[t] = nil
	}
	x.post.start = append(x.post.start, uint64(len(x.post.data)))
	x.post.addMarks()
	x.idf = make([]float32, len(x.post.df))
	for t, df := range x.post.df {
		x.idf[t] = idf(len(x.docs), int(df))
	}
	x.norm = x.norms()
	x.dict.finish()
	return x
}

// idf is how much a term tells that df of n documents have.
func idf(n, df int) float32 {
	return float32(math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5)))
}
