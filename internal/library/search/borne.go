package search

// isBorne reports whether a document bears a term: for one of the vocabulary, is
// tagged with it or a narrower one. That a text has a phrase of it by the way is
// no closeness.
func (x *Index) isBorne(term uint32) bool {
	if int(term) >= len(x.terms) || x.terms[term].List == "" {
		return x.post.df[term] > 0
	}
	t := x.terms[term]
	l := x.facets[t.List]
	if l == nil { // documents are not tagged from this list
		return x.post.df[term] > 0
	}
	return len(l.docs[t.ID]) > 0
}
