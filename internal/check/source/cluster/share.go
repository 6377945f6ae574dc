package cluster

import (
	"hash/maphash"
	"maps"
	"math/bits"
	"reflect"
)

// pool lets the objects of a kind have in common what is the same in many of them:
// probes, resources, the proxy of a mesh. What was read is never changed, so nobody
// can tell; but of thousands of objects this is most of the memory.
type pool struct {
	seed  maphash.Seed
	texts map[string]any // each a string, in one interface for all that hold it
	trees map[uint64]map[string]any
	lists map[uint64][]any
}

func newPool() *pool {
	return &pool{maphash.MakeSeed(), map[string]any{}, map[uint64]map[string]any{}, map[uint64][]any{}}
}

// share returns a value that equals v, as far as possible of parts that were seen
// before, and a hash of it. Parts of v are replaced too: it is of no use any more.
func (p *pool) share(v any) (any, uint64) {
	switch v := v.(type) {
	case string:
		return p.boxed(v), maphash.String(p.seed, v)
	case map[string]any:
		return p.tree(v)
	case []any:
		return p.list(v)
	}
	return v, maphash.Comparable(p.seed, v) // numbers, truth values and nil
}

// maxText is the longest text that is kept once: longer ones differ.
const maxText = 64

func (p *pool) boxed(s string) any {
	if len(s) > maxText {
		return s
	}
	if known, ok := p.texts[s]; ok {
		return known
	}
	box := any(s)
	p.texts[s] = box
	return box
}

// text returns a text that equals s and is kept once.
func (p *pool) text(s string) string { return p.boxed(s).(string) }

func (p *pool) tree(t map[string]any) (map[string]any, uint64) {
	sum := uint64(len(t)) + 1
	for k, v := range t {
		shared, h := p.share(v)
		t[k] = shared
		sum += maphash.String(p.seed, k) * (h | 1) // in any order
	}
	known, ok := p.trees[sum]
	if ok && sameTrees(known, t) {
		return known, sum
	}
	// What was made of a struct has room for all of its fields, most of which are unset.
	small := make(map[string]any, len(t))
	maps.Copy(small, t)
	if !ok {
		p.trees[sum] = small
	}
	return small, sum
}

func (p *pool) list(l []any) ([]any, uint64) {
	sum := uint64(len(l)) + 3
	for i, v := range l {
		shared, h := p.share(v)
		l[i] = shared
		sum = bits.RotateLeft64(sum, 13)*31 + h
	}
	known, ok := p.lists[sum]
	if ok && sameLists(known, l) {
		return known, sum
	}
	if !ok {
		p.lists[sum] = l
	}
	return l, sum
}

// sameTrees compares trees whose parts are shared already.
func sameTrees(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || !same(v, w) {
			return false
		}
	}
	return true
}

func sameLists(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// same compares values: parts by being one, so that no depth is looked at twice.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	}
	switch b.(type) {
	case map[string]any, []any:
		return false // these cannot be compared
	}
	return a == b
}
