package search

// A parsedDoc is what the second stage needs to know of a document.
type parsedDoc struct {
	doc   uint32
	id    uint32 // its term
	sents []parsedSentence
	items []item
	terms int // that are known by now
}

type parsedSentence struct {
	weight float32
	end    int // of its items
}

// An item is a piece of a sentence, or a single term.
type item struct {
	*piece
	start int    // of the piece in its sentence
	term  uint32 // where there is no piece
}

// parse is the first stage.
func (b *builder) parse(doc uint32, p *parsedDoc) {
	d := &b.x.docs[doc]
	p.doc, p.id = doc, b.wordTerm(idTerm(d.ID))
	p.sents, p.items = p.sents[:0], p.items[:0]
	lengths := classLengths(*d)
	for i, f := range d.Fields {
		c := fieldClass{f.Name, f.Lang}
		weight := 1.0
		if w, ok := b.weights[f.Name]; ok {
			weight = w
		}
		weight /= 1 - bm25LengthShare + bm25LengthShare*float64(lengths[c])/b.average[c]
		sentences(f.Text, func(start, end int) {
			b.x.sents = append(b.x.sents, sentence{uint16(i), uint32(start), uint32(end)})
			p.items = b.sentence(f.Text[start:end], p.items)
			p.sents = append(p.sents, parsedSentence{float32(weight), len(p.items)})
		})
	}
	b.x.docSents = append(b.x.docSents, uint32(len(b.x.sents)))
	b.x.dict.endDocument()
	p.terms = b.terms
}

func (b *builder) newTerm() uint32 {
	b.terms++
	return uint32(b.terms - 1)
}

// wordTerm returns the number of a word term. Like the keys of the other maps,
// w may be a part of a text: the index keeps the texts anyway.
func (b *builder) wordTerm(w string) uint32 {
	t, ok := b.x.words[w]
	if !ok {
		t = b.newTerm()
		b.x.words[w] = t
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

// A piece is what the index needs to know of a word chunk or a run.
type piece struct {
	terms  []uint32    // parts, and the whole of more than one part; or pairs
	dict   []int32     // entries of the dictionary
	tokens []flatToken // for phrases, with places relative to the piece
}

// A runInfo is what the index needs to know of a run of characters.
type runInfo struct {
	piece
	token       [1]flatToken
	first, last rune
	particle    bool // a particle, if it follows a word directly
}

// sentence appends the items of one sentence.
func (b *builder) sentence(text string, items []item) []item {
	var last rune // of the run that ended at lastEnd
	lastEnd := -2
	for s := newScanner(text); ; {
		c, ok := s.next()
		if !ok {
			return items
		}
		if c.kind == kindWord {
			info := b.chunk(text[c.start:c.end])
			b.x.dict.see(info.dict)
			items = append(items, item{piece: info, start: c.start})
			lastEnd = -2
			continue
		}
		info := b.run(text[c.start:c.end])
		if c.glued && info.particle {
			lastEnd = -2
			continue
		}
		if c.start == lastEnd+1 && isSpace(text[lastEnd]) {
			items = append(items, item{term: b.pairTerm(pairKey(last, info.first))})
		}
		b.x.dict.see(info.dict)
		items = append(items, item{piece: &info.piece, start: c.start})
		last, lastEnd = info.last, c.end
	}
}

// chunk returns what there is to know of a word chunk.
func (b *builder) chunk(s string) *piece {
	if info, ok := b.chunks[s]; ok {
		return info
	}
	info := &piece{}
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
	info := &runInfo{particle: b.x.lex.particle[s]}
	info.dict = b.x.dict.run(s)
	info.token[0] = b.x.phrases.run(s, 0)
	info.tokens = info.token[:]
	chars := []rune(s)
	info.first, info.last = chars[0], chars[len(chars)-1]
	info.terms = make([]uint32, 0, len(chars))
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
