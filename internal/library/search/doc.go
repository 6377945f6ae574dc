// Package search holds an in-memory fielded full-text index for two languages,
// English and Korean.
//
// The package knows nothing of cases. It indexes [Document] values, whose
// fields carry text in either language, and answers a [Query] with ranked hits
// that explain themselves. An [Index] is built once by [New], never changes
// afterwards, and may be read by any number of goroutines.
//
// # How text becomes terms
//
// Text is normalised to NFC and cut at white space, punctuation and script
// borders, so that "Proxy로" is "Proxy" and a particle.
//
//   - English words are folded to lower case and stemmed (Porter2). Identifiers,
//     error codes and product names are kept whole and also split: max_connections,
//     us-east-1 and ConnectionBorrowTimeout are found by the whole and by the parts.
//   - Hangul becomes pairs of neighbouring syllables, also across a single space, so
//     that particles and spacing ("커넥션 풀", "커넥션풀") do not hide a word. Han and
//     kana are treated the same way.
//   - A vocabulary [Term] is a term of the index itself: a document holds it when it is
//     tagged with it or when its text has one of the term's phrases in either
//     language. A query that has one of the phrases therefore crosses languages.
//
// # How documents are ranked
//
// Documents are scored by BM25F with a weight per field. Each word of the
// query counts once, however many syllable pairs it has; a part of a word
// counts less than its share. The best two hundred are then weighed by how
// much of the query one single sentence of theirs covers. Equal scores keep
// the order in which the documents were given.
//
// # What a query may be
//
// A query may be a few words, a question, a pasted log line, a stack trace or
// JSON. Time stamps, addresses and random ids are dropped; of many words
// those that tell most are kept; a word that no document has is corrected
// where a near one exists, and the result says so. Of JSON, logfmt and YAML the
// values count and not the names of fields, of a stack trace the message. A
// result also says when even the best documents are far from the query. Work
// per query is bounded.
package search
