package search

import (
	"math"
	"slices"

	"github.com/openprecedent/precedent/internal/parallel"
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

// A builder gathers an index document by document, in two stages that run at
// the same time: [builder.parse] finds the terms of a document, and
// [builder.weigh] makes postings of them.
type builder struct {
	x *Index

	// Of the first stage.
	weights map[string]float64
	average map[fieldClass]float64 // mean bytes of a class of fields
	english *english
	chunks  map[string]*piece
	runs    map[string]*runInfo
	terms   int // numbers of terms that are given away

	// Of the second stage.
	lists [][]byte // encoded postings by term
	last  []uint32 // last document by term
	slot  []int32  // by term: its entry of the current document, -1
	tags  map[tag][]uint32
	found []entry
	occs  []occurrence
	flat  flatText
	tmp   []byte
	tmp2  []uint32
}

type fieldClass struct{ name, lang string }

// A tag is a vocabulary term that a document may be tagged with.
type tag struct{ list, id string }

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

// newBuilder prepares the indexing of docs, which it brings to NFC.
func newBuilder(docs []Document, opt Options) *builder {
	lex := newLexicon()
	terms := slices.Concat(opt.Terms, nameTerms())
	b := &builder{
		x: &Index{
			docs: make([]Document, len(docs)), lex: lex, terms: terms,
			docSents: []uint32{0},
		},
		weights: opt.Weights,
		english: newEnglish(lex),
		terms:   len(terms),
		tags:    make(map[tag][]uint32, len(terms)),
	}
	for t, term := range terms {
		key := tag{term.List, term.ID}
		b.tags[key] = append(b.tags[key], uint32(t))
	}
	b.makeRoom(docs)
	parallel.Do(
		func() { b.x.phrases = newPhraseSet(terms, lex) },
		func() {
			for i, d := range docs {
				b.x.docs[i] = normalised(d)
			}
			b.average = averageLengths(b.x.docs)
		},
	)
	return b
}

// makeRoom makes the tables as large as texts of that size need, so that they
// need not grow again and again. Of large libraries it would be a guess: their
// texts share words.
func (b *builder) makeRoom(docs []Document) {
	bytes := 0
	for _, d := range docs {
		for _, f := range d.Fields {
			bytes += len(f.Text)
		}
	}
	bytes = min(bytes, 4<<20)
	b.x.words, b.x.pairs = make(map[string]uint32, bytes/300), make(map[uint64]uint32, bytes/60)
	b.chunks, b.runs = make(map[string]*piece, bytes/180), make(map[string]*runInfo, bytes/100)
	b.x.dict = newDictionary(b.x.lex, bytes/60)
	terms := b.terms + bytes/50
	b.lists, b.last, b.slot = make([][]byte, 0, terms), make([]uint32, 0, terms), make([]int32, 0, terms)
	b.x.post.df = make([]uint32, 0, terms)
	b.x.sents = make([]sentence, 0, bytes/90)
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

// waiting is how many documents may wait between the stages.
const waiting = 4

// add indexes all documents.
func (b *builder) add() {
	parsed, spare := make(chan *parsedDoc, waiting), make(chan *parsedDoc, waiting)
	parallel.Do(
		func() {
			defer close(parsed)
			for doc := range b.x.docs {
				var p *parsedDoc
				select {
				case p = <-spare:
				default:
					p = &parsedDoc{}
				}
				b.parse(uint32(doc), p)
				parsed <- p
			}
		},
		func() {
			defer func() { // after a panic here the first stage must end too
				for range parsed {
				}
			}()
			for p := range parsed {
				b.weigh(p)
				select {
				case spare <- p:
				default:
				}
			}
		},
	)
}

// weigh is the second stage.
func (b *builder) weigh(p *parsedDoc) {
	b.grow(p.terms)
	b.found, b.occs = b.found[:0], b.occs[:0]
	b.count(p.id, -1, idWeight)
	from := 0
	for number, s := range p.sents {
		b.flat.reset()
		for _, it := range p.items[from:s.end] {
			if it.piece == nil {
				b.count(it.term, number, s.weight)
				continue
			}
			for _, t := range it.terms {
				b.count(t, number, s.weight)
			}
			b.flat.add(it.tokens, it.start)
		}
		from = s.end
		b.x.phrases.mark(&b.flat, func(term uint32) { b.count(term, number, s.weight) })
	}
	// The terms that a document is tagged with count as one more sentence.
	for list, ids := range b.x.docs[p.doc].Facets {
		for i, id := range ids {
			if slices.Contains(ids[:i], id) {
				continue
			}
			for _, t := range b.tags[tag{list, id}] {
				b.count(t, len(p.sents), tagWeight)
			}
		}
	}
	b.flush(p.doc)
}

// grow makes room for n terms.
func (b *builder) grow(n int) {
	for have := len(b.lists); have < n; have++ {
		b.lists = append(b.lists, nil)
		b.last = append(b.last, 0)
		b.slot = append(b.slot, -1)
		b.x.post.df = append(b.x.post.df, 0)
	}
}

// idTerm is the term that an id is found by.
func idTerm(id string) string {
	s, _ := joined(id)
	return s
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
	b.grow(b.terms)
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
