package search

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// An Index is an immutable full-text index. It is safe for concurrent use.
type Index struct {
	docs []Document
	byID map[string]uint32

	lex   *lexicon
	words map[string]uint32 // word term to its number
	pairs map[uint64]uint32 // pair of characters to the number of its term
	post  postings
	idf   []float32
	norm  []float32 // length of the vector of a document for comparisons

	sents    []sentence // of all documents
	docSents []uint32   // first sentence by document, with one more at the end

	terms   []Term
	phrases *phraseSet
	dict    *dictionary
	facets  map[string]*facetList
	titles  []string // names of fields that passages are not taken from
	places  []string // lists of terms that say where something happens

	absent func() []absentPhrase

	pool sync.Pool // of *scratch
}

// A sentence is a part of a field.
type sentence struct {
	field      uint16
	start, end uint32
}

// maxFields is the number of fields of a document that are indexed.
const maxFields = math.MaxUint16

// New builds an index. It fails on a document without id, on an id that occurs
// twice, and on a document with more than 65,535 fields.
func New(docs []Document, opt Options) (*Index, error) {
	byID := make(map[string]uint32, len(docs))
	for i, d := range docs {
		if d.ID == "" {
			return nil, fmt.Errorf("indexing document %d: it has no id", i)
		}
		if _, dup := byID[d.ID]; dup {
			return nil, fmt.Errorf("indexing document %d: id %q occurs twice", i, d.ID)
		}
		if len(d.Fields) > maxFields {
			return nil, fmt.Errorf("indexing document %q: more than %d fields", d.ID, maxFields)
		}
		byID[d.ID] = uint32(i)
	}
	b := newBuilder(docs, opt)
	b.add()
	x := b.finish()
	x.byID = byID
	x.titles = opt.Titles
	x.places = opt.Places
	x.facets = buildFacets(x.docs)
	x.absent = sync.OnceValue(x.absentPhrases)
	return x, nil
}

// normalised returns d with its own slice of fields, in NFC.
func normalised(d Document) Document {
	fields := make([]Field, len(d.Fields))
	for i, f := range d.Fields {
		if !isNFC(f.Text) {
			f.Text = norm.NFC.String(f.Text)
		}
		fields[i] = f
	}
	d.Fields = fields
	return d
}

// isNFC reports whether s holds nothing but characters that are their own NFC
// whatever stands beside them: Latin letters, syllables of Hangul, punctuation.
// Of other texts it does not tell.
func isNFC(s string) bool {
	for _, r := range s {
		if r >= 0x300 && !(r >= hangulBase && r <= hangulLast) && !(r >= 0x2010 && r < 0x2028) {
			return false
		}
	}
	return true
}

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.docs) }

// Stats tell how large an index is.
type Stats struct {
	Documents, Terms, Sentences, Words int
	PostingBytes                       int
}

// Stats returns the size of the index.
func (x *Index) Stats() Stats {
	return Stats{
		Documents:    len(x.docs),
		Terms:        len(x.post.df),
		Sentences:    len(x.sents),
		Words:        len(x.dict.words),
		PostingBytes: len(x.post.data),
	}
}

// sentencesOf returns the sentences of a document.
func (x *Index) sentencesOf(doc uint32) []sentence {
	return x.sents[x.docSents[doc]:x.docSents[doc+1]]
}

// has reports whether a document is tagged with a vocabulary term.
func (x *Index) has(doc uint32, list, id string) bool {
	return slices.Contains(x.docs[doc].Facets[list], id)
}
