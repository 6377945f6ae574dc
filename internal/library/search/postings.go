package search

import "encoding/binary"

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
}

// impactSteps is the largest stored impact.
const impactSteps = 255

// A cursor walks over the postings of one term.
type cursor struct {
	data   []byte
	pos    int
	doc    uint32
	first  bool
	impact uint8
	sents  []byte // encoded sentences of the current document
	single bool
}

func (p *postings) cursor(term uint32) cursor {
	return cursor{data: p.data[p.start[term]:p.start[term+1]], first: true}
}

// next moves to the next document, and returns false at the end.
func (c *cursor) next() bool {
	if c.pos >= len(c.data) {
		return false
	}
	head := c.uvarint()
	if c.first {
		c.doc, c.first = uint32(head>>1), false
	} else {
		c.doc += uint32(head >> 1)
	}
	c.impact = c.data[c.pos]
	c.pos++
	c.single = head&1 == 0
	from := c.pos
	if c.single {
		for c.data[c.pos] >= 0x80 {
			c.pos++
		}
		c.pos++
	} else {
		n := int(c.uvarint())
		from = c.pos
		c.pos += n
	}
	c.sents = c.data[from:c.pos]
	return true
}

func (c *cursor) uvarint() uint64 {
	if b := c.data[c.pos]; b < 0x80 {
		c.pos++
		return uint64(b)
	}
	v, n := binary.Uvarint(c.data[c.pos:])
	c.pos += n
	return v
}

// eachSentence calls f with the sentences of the current document.
func (c *cursor) eachSentence(f func(sentence int)) {
	sentence := 0
	for rest := c.sents; len(rest) > 0; {
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
