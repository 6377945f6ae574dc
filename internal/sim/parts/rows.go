package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// RowOrder says which of the members that wait is next.
type RowOrder string

// UnmarshalText reads an order of members.
func (o *RowOrder) UnmarshalText(text []byte) error {
	return oneOf((*string)(o), string(text), o.Words()...)
}

// Words returns the words that may stand.
func (*RowOrder) Words() []string { return []string{"fifo", "lifo", "random"} }

// rowLine is a line of rows that wait, in a ring that grows. A row stands in it
// once at most; one that has lost interest stays until its turn.
type rowLine struct {
	order  RowOrder
	ring   []uint32 // its length is a power of two
	head   uint32   // number of the first one
	n      int
	random *des.Stream
}

func newRowLine(b *Builder, o RowOrder) rowLine {
	l := rowLine{order: o, ring: make([]uint32, 16)}
	if o == "random" {
		l.random = b.Stream("order")
	}
	return l
}

func (l *rowLine) at(k int) *uint32 { return &l.ring[(l.head+uint32(k))&uint32(len(l.ring)-1)] }

// push lets a row wait.
func (l *rowLine) push(i uint32) {
	if l.n == len(l.ring) {
		larger := make([]uint32, 2*len(l.ring))
		for k := range l.n {
			larger[k] = *l.at(k)
		}
		l.ring, l.head = larger, 0
	}
	*l.at(l.n) = i
	l.n++
}

// pop takes the row that is next. There must be one.
func (l *rowLine) pop() uint32 {
	l.n--
	switch l.order {
	case "lifo":
		return *l.at(l.n)
	case "random":
		k := l.random.IntN(l.n + 1)
		i := *l.at(k)
		*l.at(k) = *l.at(l.n)
		return i
	}
	i := *l.at(0)
	l.head++
	return i
}
