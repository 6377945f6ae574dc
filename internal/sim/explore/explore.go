// Package explore looks at every order in which the steps of a small protocol can
// come, and tells which of its invariants hold in all of them.
//
// It knows nothing of what a protocol is about: states are texts, and steps are
// numbers. The search goes breadth first, so that what breaks an invariant is
// shown by the fewest steps, and its order is that in which the protocol names its
// steps, so that the same protocol gives the same answer.
package explore

import (
	"context"
	"fmt"
)

// Protocol is what some actors may do. All of it must be pure: the same state has
// the same steps, always.
type Protocol interface {
	// Start returns the state in which all begins.
	Start() string
	// Steps calls visit with each step that can come next, and the state after it.
	Steps(state string, visit func(s Step, after string))
	// Invariants returns what is to hold.
	Invariants() []Invariant
}

// Step is something that an actor does at once, so that nothing comes in between.
type Step struct {
	Actor  int
	Action int
}

// Invariant is what is to hold. One of the two functions is there.
type Invariant struct {
	Name string
	// Keeps reports whether it holds over a step. That of a state alone looks at
	// the state after it.
	Keeps func(before string, s Step, after string) bool
	// Reached reports whether a state is one that must stay within reach: from
	// every state, some steps lead to such a one.
	Reached func(state string) bool
}

// Limits bound a search.
type Limits struct {
	States int // defaultStates if 0
}

// defaultStates is how many states are looked at most, where nobody says
// otherwise: some hundred megabytes.
const defaultStates = 1_000_000

// Result is what was found. Where not all states were seen, an invariant that was
// not broken may still be.
type Result struct {
	States   int // that can be reached
	Steps    int // from one of them to another or the same
	Depth    int // of the state that takes most steps to reach, by the shortest way
	Whole    bool
	Findings []Finding // one an invariant, in their order
}

// Finding is what was found of an invariant.
type Finding struct {
	Name   string
	Broken bool
	// Path is the shortest way from the start that breaks it: its last step does,
	// or it ends where what must stay within reach is so no longer.
	Path []Step
	// Stuck is how many states there are from which it cannot be reached.
	Stuck int
}

// Run looks at all states of a protocol, as far as the limits go. The error is
// that of the context, or of a start that breaks an invariant.
func Run(ctx context.Context, p Protocol, l Limits) (*Result, error) {
	if l.States <= 0 {
		l.States = defaultStates
	}
	x := &search{p: p, limit: l.States, known: map[string]int32{}, invariants: p.Invariants()}
	x.findings = make([]Finding, len(x.invariants))
	for i, inv := range x.invariants {
		x.findings[i].Name = inv.Name
	}
	x.add(p.Start(), -1, Step{})
	if err := x.walk(ctx); err != nil {
		return nil, fmt.Errorf("exploring the protocol: %w", err)
	}
	whole := !x.cut
	if whole {
		x.reach()
	}
	return &Result{
		States: len(x.states), Steps: len(x.edges), Depth: x.depth(int32(len(x.states) - 1)), Whole: whole, Findings: x.findings,
	}, nil
}

// search is a search under way. States are numbered in the order in which they
// were met.
type search struct {
	p          Protocol
	limit      int
	invariants []Invariant
	known      map[string]int32
	states     []string
	parents    []int32
	by         []Step // that led there first
	edges      []edge
	cut        bool // there are more states than the limit
	findings   []Finding
}

type edge struct{ from, to int32 }

// add returns the number of a state, and false for one too many.
func (x *search) add(state string, parent int32, s Step) (int32, bool) {
	if n, ok := x.known[state]; ok {
		return n, true
	}
	if len(x.states) >= x.limit {
		x.cut = true
		return 0, false
	}
	n := int32(len(x.states))
	x.known[state] = n
	x.states, x.parents, x.by = append(x.states, state), append(x.parents, parent), append(x.by, s)
	return n, true
}

// patience is how many states are looked at between two looks at the context.
const patience = 4096

// walk goes through the states in the order in which they were met.
func (x *search) walk(ctx context.Context) error {
	for n := 0; n < len(x.states); n++ {
		if n%patience == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := int32(n)
		x.p.Steps(x.states[n], func(s Step, after string) {
			x.look(from, s, after)
			if to, ok := x.add(after, from, s); ok {
				x.edges = append(x.edges, edge{from, to})
			}
		})
	}
	return nil
}

// look holds a step to the invariants that are not broken yet. The first step
// that breaks one is at the end of a shortest way.
func (x *search) look(from int32, s Step, after string) {
	for i, inv := range x.invariants {
		if f := &x.findings[i]; !f.Broken && inv.Keeps != nil && !inv.Keeps(x.states[from], s, after) {
			f.Broken, f.Path = true, append(x.path(from), s)
		}
	}
}

// path returns the steps that lead to a state.
func (x *search) path(n int32) []Step {
	steps := make([]Step, x.depth(n), x.depth(n)+1)
	for k := len(steps) - 1; k >= 0; k-- {
		steps[k] = x.by[n]
		n = x.parents[n]
	}
	return steps
}

func (x *search) depth(n int32) int {
	depth := 0
	for x.parents[n] >= 0 {
		n, depth = x.parents[n], depth+1
	}
	return depth
}

// reach finds the states from which what must stay within reach is not, going
// backwards from where it is.
func (x *search) reach() {
	var back *backward
	for i, inv := range x.invariants {
		if inv.Reached == nil {
			continue
		}
		if back == nil {
			back = turned(x.edges, len(x.states))
		}
		can := back.from(func(n int32) bool { return inv.Reached(x.states[n]) })
		f := &x.findings[i]
		for n, ok := range can {
			if ok {
				continue
			}
			if f.Stuck++; !f.Broken {
				f.Broken, f.Path = true, x.path(int32(n))
			}
		}
	}
}

// backward holds the steps by the state that they lead to: those to n are
// sources[first[n]:first[n+1]].
type backward struct {
	first, sources []int32
}

func turned(edges []edge, states int) *backward {
	b := &backward{first: make([]int32, states+1), sources: make([]int32, len(edges))}
	for _, e := range edges {
		b.first[e.to+1]++
	}
	for n := range states {
		b.first[n+1] += b.first[n]
	}
	next := append([]int32(nil), b.first...)
	for _, e := range edges {
		b.sources[next[e.to]] = e.from
		next[e.to]++
	}
	return b
}

// from returns for each state whether some way leads from it to one of the goals.
func (b *backward) from(goal func(n int32) bool) []bool {
	can := make([]bool, len(b.first)-1)
	var open []int32
	for n := range can {
		if goal(int32(n)) {
			can[n] = true
			open = append(open, int32(n))
		}
	}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		for _, m := range b.sources[b.first[n]:b.first[n+1]] {
			if !can[m] {
				can[m] = true
				open = append(open, m)
			}
		}
	}
	return can
}
