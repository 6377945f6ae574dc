package search

import (
	"math/bits"
	"slices"
	"strings"
)

// A bitset is a set of documents.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(doc uint32)      { b[doc/64] |= 1 << (doc % 64) }
func (b bitset) has(doc uint32) bool { return b[doc/64]&(1<<(doc%64)) != 0 }

func (b bitset) and(other bitset) {
	for i := range b {
		b[i] &= other[i]
	}
}

func (b bitset) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// each calls f with the documents of b in order until f returns false.
func (b bitset) each(f func(doc uint32) bool) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			if !f(uint32(i*64 + bits.TrailingZeros64(w))) {
				return
			}
		}
	}
}

// fillAll puts n documents into b.
func (b bitset) fillAll(n int) {
	for i := range b {
		b[i] = ^uint64(0)
	}
	if n%64 != 0 {
		b[len(b)-1] = 1<<(n%64) - 1
	}
}

// A facetList holds the documents of each id of one list.
type facetList struct {
	ids  []string // sorted
	docs map[string][]uint32
}

func buildFacets(docs []Document) map[string]*facetList {
	lists := map[string]*facetList{}
	for i, d := range docs {
		for _, facets := range []map[string][]string{d.Facets, d.Wider} {
			for name, ids := range facets {
				l := lists[name]
				if l == nil {
					l = &facetList{docs: map[string][]uint32{}}
					lists[name] = l
				}
				for _, id := range ids {
					have := l.docs[id]
					if len(have) == 0 || have[len(have)-1] != uint32(i) {
						l.docs[id] = append(have, uint32(i))
					}
				}
			}
		}
	}
	for _, l := range lists {
		for id := range l.docs {
			l.ids = append(l.ids, id)
		}
		slices.Sort(l.ids)
	}
	return lists
}

// passing returns the documents that pass a filter, leaving out the condition
// on the list except. It is nil if all pass.
func (x *Index) passing(f Filter, except string) bitset {
	var result bitset
	narrow := func(b bitset) {
		if result == nil {
			result = b
		} else {
			result.and(b)
		}
	}
	for name, ids := range f.Facets {
		if name == except || len(ids) == 0 {
			continue
		}
		b := newBitset(len(x.docs))
		if l := x.facets[name]; l != nil {
			for _, id := range ids {
				for _, d := range l.docs[id] {
					b.set(d)
				}
			}
		}
		narrow(b)
	}
	if f.YearFrom != 0 || f.YearTo != 0 || f.MinDuration != 0 || f.MaxDuration != 0 {
		narrow(x.inRange(f))
	}
	return result
}

// inRange returns the documents whose year and duration are in the ranges of
// a filter. A document that does not know its own is outside.
func (x *Index) inRange(f Filter) bitset {
	b := newBitset(len(x.docs))
	for i, d := range x.docs {
		if (f.YearFrom != 0 || f.YearTo != 0) && (d.Year == 0 || d.Year < f.YearFrom) ||
			f.YearTo != 0 && d.Year > f.YearTo {
			continue
		}
		if f.MinDuration != 0 || f.MaxDuration != 0 {
			if !d.HasDuration || d.Duration < f.MinDuration ||
				f.MaxDuration != 0 && d.Duration > f.MaxDuration {
				continue
			}
		}
		b.set(uint32(i))
	}
	return b
}

// countFacets counts the values of the lists over the documents of matching,
// each with the other lists' conditions of the filter.
func (x *Index) countFacets(q Query, matching bitset) []FacetCount {
	counts := make([]FacetCount, 0, len(q.Facets))
	common := slices.Clone(matching)
	if pass := x.passing(q.Filter, ""); pass != nil {
		common.and(pass)
	}
	for _, name := range q.Facets {
		set := common
		if len(q.Filter.Facets[name]) > 0 {
			set = slices.Clone(matching)
			if pass := x.passing(q.Filter, name); pass != nil {
				set.and(pass)
			}
		}
		counts = append(counts, FacetCount{List: name, Values: x.facets[name].count(set)})
	}
	return counts
}

// count returns the ids with documents in set, most frequent first.
func (l *facetList) count(set bitset) []ValueCount {
	if l == nil {
		return nil
	}
	var values []ValueCount
	for _, id := range l.ids {
		n := 0
		for _, d := range l.docs[id] {
			if set.has(d) {
				n++
			}
		}
		if n > 0 {
			values = append(values, ValueCount{id, n})
		}
	}
	slices.SortStableFunc(values, func(a, b ValueCount) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.ID, b.ID)
	})
	return values
}
