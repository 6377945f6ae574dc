package search

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Postings are one byte string for all terms. The postings of a term are, per
// document in ascending order:
//
//	uvarint  distance to the previous document, shifted left by one; the low
//	         bit tells whether a list of sentences follows instead of one
//	byte     impact: the saturated BM25F weight in 255 steps
//	         then either
//	uvarint  the only sentence, counted from the start of the document
//	         or
//	uvarint  length in bytes of the list, and
//	uvarints distances between the sentences
//
// Sentences make it possible to weigh how much of a query one sentence covers
// without reading texts again.
type postings struct {
	data  []byte
	start []uint64 // by term, with one more at the end
	df    []uint32 // documents by term

	// Long lists have a landmark every few documents, to be read in part.
	marks     []landmark
	markStart []uint32 // first landmark by term, with one more at the end
}

// A landmark is a place in the postings of a term: the document there, and
// where what follows it begins, counted from the start of the term.
type landmark struct{ doc, pos uint32 }

// Only lists of markedList documents or more have landmarks.
const (
	markedList = 256
	markEvery  = 32
)

// addMarks makes the landmarks.
func (p *postings) addMarks() {
	p.markStart = make([]uint32, 0, len(p.df)+1)
	for t, df := range p.df {
		p.markStart = append(p.markStart, uint32(len(p.marks)))
		if df < markedList {
			continue
		}
		n := 0
		for c := p.cursor(uint32(t)); c.next(); {
			if n++; n%markEvery == 0 {
				p.marks = append(p.marks, landmark{c.doc, uint32(c.pos)})
			}
		}
	}
	p.markStart = append(p.markStart, uint32(len(p.marks)))
}

// only calls f with the cursor at each of the documents that the term has of
// docs, which are in ascending order.
func (p *postings) only(term uint32, docs []uint32, f func(i int, c *cursor)) {
	c := p.cursor(term)
	marks := p.marks[p.markStart[term]:p.markStart[term+1]]
	if !c.next() {
		return
	}
	for i, doc := range docs {
		if c.doc < doc {
			n, _ := slices.BinarySearchFunc(marks, doc, func(m landmark, d uint32) int {
				return cmp.Compare(m.doc, d)
			})
			// marks[n-1] is the last landmark before doc; read on from there.
			if n > 0 && marks[n-1].doc > c.doc {
				c.pos, c.doc = int(marks[n-1].pos), marks[n-1].doc
			}
			marks = marks[n:]
		}
		for c.doc < doc {
			if !c.next() {
				return
			}
		}
		if c.doc == doc {
			f(i, &c)
		}
	}
}

// impactSteps is the largest stored impact.
const impactSteps = 255

// A cursor walks over the postings of one term.
type cursor struct {
	data   []byte
	pos    int
	from   int // where the sentences of the current document begin
	doc    uint32
	impact uint8
}

func (p *postings) cursor(term uint32) cursor {
	return cursor{data: p.data[p.start[term]:p.start[term+1]]}
}

// next moves to the next document, and returns false at the end.
func (c *cursor) next() bool {
	data, pos := c.data, c.pos
	if pos >= len(data) {
		return false
	}
	head := uint64(data[pos])
	pos++
	if head >= 0x80 {
		var n int
		head, n = binary.Uvarint(data[pos-1:])
		pos += n - 1
	}
	c.doc += uint32(head >> 1)
	c.impact = data[pos]
	pos++
	if head&1 == 0 {
		c.from = pos
		for data[pos] >= 0x80 {
			pos++
		}
		c.pos = pos + 1
		return true
	}
	size := uint64(data[pos])
	pos++
	if size >= 0x80 {
		var n int
		size, n = binary.Uvarint(data[pos-1:])
		pos += n - 1
	}
	c.from = pos
	c.pos = pos + int(size)
	return true
}

// eachSentence calls f with the sentences of the current document.
func (c *cursor) eachSentence(f func(sentence int)) {
	sentence := 0
	for rest := c.data[c.from:c.pos]; len(rest) > 0; {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			return
		}
		sentence += int(v)
		f(sentence)
		rest = rest[n:]
	}
}

// appendPosting appends one document to the postings of a term.
func appendPosting(dst []byte, distance uint32, impact uint8, sents []uint32, tmp []byte) []byte {
	if len(sents) == 1 {
		dst = binary.AppendUvarint(dst, uint64(distance)<<1)
		dst = append(dst, impact)
		return binary.AppendUvarint(dst, uint64(sents[0]))
	}
	dst = binary.AppendUvarint(dst, uint64(distance)<<1|1)
	dst = append(dst, impact)
	tmp = tmp[:0]
	last := uint32(0)
	for _, s := range sents {
		tmp = binary.AppendUvarint(tmp, uint64(s-last))
		last = s
	}
	dst = binary.AppendUvarint(dst, uint64(len(tmp)))
	return append(dst, tmp...)
}
