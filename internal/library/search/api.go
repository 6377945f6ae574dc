package search

import "time"

// A Document is what the index holds: named texts, and facets to filter by.
type Document struct {
	// ID identifies the document. It is itself searchable.
	ID string
	// Fields are the texts, in reading order. A name may occur many times.
	Fields []Field
	// Facets maps the name of a list (cause, org, tag, ...) to the ids that the
	// document has from it. Flags are lists as well.
	Facets map[string][]string
	// Wider holds by list what stands for more than the document is tagged with:
	// it counts for filters and facets like Facets, and not for ranking.
	Wider map[string][]string
	// Year is the year to filter by, 0 if unknown.
	Year int
	// Duration is the length to filter by; it counts only with HasDuration.
	Duration    time.Duration
	HasDuration bool
}

// A Field is one text of a document.
type Field struct {
	Name string // such as "title" or "summary"; selects the weight
	Lang string // "en", "ko" or empty
	Text string
}

// A Term is an entry of a controlled vocabulary with the phrases that mean
// it, in any language. A document holds the term when its facet List has the
// ID, or when its text has one of the phrases.
type Term struct {
	List, ID string
	Phrases  []string
}

// Options tune an index.
type Options struct {
	// Weights maps field names to their weight; a name that is missing weighs 1.
	Weights map[string]float64
	// Terms is the vocabulary.
	Terms []Term
	// Places names the lists whose terms say where something happens, or to whom,
	// and not what.
	Places []string
	// Titles names the fields that a reader sees of every hit. A passage is taken
	// from the others, if one of their sentences has enough of the query.
	Titles []string
}

// A Query asks an [Index].
type Query struct {
	// Text is what the reader typed or pasted. Without text all documents that
	// pass the filter are listed in the order in which they were indexed.
	Text string
	// Lang is the reader's language. It decides which side of a document is
	// quoted, and nothing else.
	Lang   string
	Filter Filter
	// Limit is the number of hits wanted, 10 if zero; Offset skips hits.
	Limit, Offset int
	// Facets names the lists whose values are to be counted.
	Facets []string
	// Partial says that the last word may still be unfinished, as in a search
	// box that answers while one types.
	Partial bool
	// Literal switches off the correction of words that no document has.
	Literal bool
}

// A Filter restricts the documents of a query. The zero value passes all.
type Filter struct {
	// Facets maps a list to the ids of which a document must have at least
	// one. All lists must be satisfied.
	Facets map[string][]string
	// YearFrom and YearTo are inclusive; zero means open.
	YearFrom, YearTo int
	// MinDuration and MaxDuration are inclusive; zero means open.
	MinDuration, MaxDuration time.Duration
}

// A Result answers a [Query].
type Result struct {
	// Total is the number of documents that match, Hits the page asked for.
	Total int
	Hits  []Hit
	// Far tells that no document is close to the query: even the best hits have too
	// little of what it says.
	Far bool
	// Facets holds the counts in the order of [Query.Facets]. The counts of a list
	// ignore the filter on that list, so that they tell what adding an id brings.
	Facets []FacetCount
	// Terms are the vocabulary terms that the query names.
	Terms []TermRef
	// Corrections are words that no document has, with what was searched for
	// instead; Suggestions are words that are rare, with a likelier one that was
	// not searched for.
	Corrections, Suggestions []Correction
	// Unmatched are words that no document has and that resemble none.
	Unmatched []string
	// Dropped is the number of words of the query that were not searched for: time
	// stamps, addresses, ids, and words beyond the bound.
	Dropped int
}

// A FacetCount holds the number of matching documents by id of a list, most
// frequent first.
type FacetCount struct {
	List   string
	Values []ValueCount
}

// A ValueCount is the number of documents that have a facet value.
type ValueCount struct {
	ID    string
	Count int
}

// A TermRef names a vocabulary term.
type TermRef struct{ List, ID string }

// A Correction is a word of the query and a better one.
type Correction struct{ Typed, Meant string }

// A Hit is a matching document and why it matches.
type Hit struct {
	ID    string
	Score float64
	// Words are the words of the query that the document has, in query order.
	Words []WordMatch
	// Terms are the vocabulary terms of the query that the document has.
	Terms []TermMatch
	// Passage is the sentence that covers most of the query. It is nil where only
	// the id or the facets of the document match.
	Passage *Passage
}

// A WordMatch is a word as typed, and the forms of it in the document.
type WordMatch struct {
	Typed string
	Found []string
}

// A TermMatch is a vocabulary term that a document has.
type TermMatch struct {
	TermRef
	// Tagged tells that the document is tagged with the term; Found is the
	// phrase that stands for it in the text, if any.
	Tagged bool
	Found  string
}

// A Passage is a sentence of a document, with the matches marked.
type Passage struct {
	Field, Lang string
	Text        string
	// Marks are ranges of bytes of Text, in order and apart from each other.
	Marks []Range
}

// A Range is a half-open range of bytes.
type Range struct{ Start, End int }
