package search

// A plan is a query as the index will evaluate it.
type plan struct {
	words []queryWord
	spans []span
	// weight is that of all words together.
	weight float32
	// missing is the weight of the words that no document has.
	missing float32
	// named is the number of terms and names that the query has and some document too.
	named int
	// what is the number of those that say what happens, and not where.
	what int
	// absent is the number of terms that the query has and no document.
	absent int
	// aside says that the query asks for something else than incidents.
	aside bool

	terms       []uint32 // vocabulary terms the query names
	corrections []Correction
	suggestions []Correction
	unmatched   []string
	dropped     int
}

// A queryWord is a word of the query. It is matched by the best of its
// options.
type queryWord struct {
	typed   string
	raw     int     // its position among the words of the query
	weight  float32 // how much the word tells
	light   bool    // it says too little to be a reason by itself
	options []option
}

// An option is one reading of a word: all its slots should be present, and a
// document that has only some gets their shares. They are in the order of their
// frequency, the rarest first.
type option struct {
	factor float32
	slots  []slot
}

// A slot is filled by any of its alternatives.
type slot struct {
	share float32
	alts  []alternative
}

// An alternative is an index term that is worth factor of the slot.
type alternative struct {
	term   uint32
	factor float32
}

// A span is a range of words that may be matched together by one term: a
// vocabulary term, or the joined form of two words.
type span struct {
	first, last int // words[first:last]
	alts        []alternative
	weight      float32 // of a match by alternative
}

// Bounds of a query.
const (
	maxQueryBytes  = 16 << 10
	maxQueryWords  = 24
	maxSlots       = 16
	maxCorrections = 4       // words that are looked up in the dictionary
	typedWords     = 12      // more words were pasted, not typed
	postingBudget  = 1 << 20 // postings that a typed query reads
	pastedBudget   = 1 << 18 // and a pasted one, of which fewer words matter
	longQuery      = 200     // bytes; more was pasted
)

// Factors of matches that are not literal.
const (
	termFactor      = 0.8  // vocabulary term instead of the words
	partsFactor     = 0.85 // parts instead of the whole identifier
	splitFactor     = 0.9  // two words instead of a compound
	correctedFactor = 0.9
	inflectedFactor = 0.8 // other form of a Korean verb
	lightFactor     = 0.3 // words that say little
	numberFactor    = 0.6
	endingShare     = 0.25 // pairs that reach into a Korean ending
)

func one(term uint32) []alternative { return []alternative{{term, 1}} }
