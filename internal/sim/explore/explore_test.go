package explore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/explore"
)

// counters are actors that each read a number, and write one more than they have
// read: the lost update.
type counters struct {
	actors int
	atomic bool // they read and write at once
}

const (
	read = iota
	write
)

// A state is the number, and for each actor what it has read, one more than that
// while it has read nothing, or "-" when it is done.
func (c counters) Start() string {
	s := "0"
	for range c.actors {
		s += "?"
	}
	return s
}

func (c counters) Steps(state string, visit func(explore.Step, string)) {
	for k := range c.actors {
		after := []byte(state)
		switch has := state[k+1]; {
		case has == '-':
			continue
		case has == '?' && c.atomic:
			after[0], after[k+1] = state[0]+1, '-'
			visit(explore.Step{Actor: k, Action: write}, string(after))
		case has == '?':
			after[k+1] = state[0]
			visit(explore.Step{Actor: k, Action: read}, string(after))
		default:
			after[0], after[k+1] = has+1, '-'
			visit(explore.Step{Actor: k, Action: write}, string(after))
		}
	}
}

func (c counters) Invariants() []explore.Invariant {
	done := func(state string) bool {
		return !slices.ContainsFunc([]byte(state[1:]), func(b byte) bool { return b != '-' })
	}
	return []explore.Invariant{
		{Name: "none is lost", Keeps: func(_ string, _ explore.Step, after string) bool {
			return !done(after) || int(after[0]-'0') == c.actors
		}},
		{Name: "all can be counted", Reached: func(state string) bool { return int(state[0]-'0') == c.actors }},
		{Name: "it grows", Keeps: func(before string, _ explore.Step, after string) bool { return after[0] >= before[0] }},
	}
}

func ExampleRun() {
	r, err := explore.Run(context.Background(), counters{actors: 2}, explore.Limits{})
	if err != nil {
		panic(err)
	}
	for _, f := range r.Findings {
		fmt.Println(f.Name, !f.Broken, f.Path)
	}
	fmt.Println(r.States, "states")
	// Output:
	// none is lost false [{0 0} {1 0} {0 1} {1 1}]
	// all can be counted false [{0 0} {1 0}]
	// it grows true []
	// 12 states
}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		p      counters
		limit  int
		states int
		steps  int
		depth  int
		whole  bool
		broken []int // lengths of the paths; -1 for kept
	}{
		// With two actors: none has read; one; both; one is done and the other has
		// read before it, or after, or not; both are done, with one or two.
		{"two", counters{actors: 2}, 0, 12, 14, 4, true, []int{4, 2, -1}},
		{"two at once", counters{actors: 2, atomic: true}, 0, 4, 4, 2, true, []int{-1, -1, -1}},
		{"three at once", counters{actors: 3, atomic: true}, 0, 8, 12, 3, true, []int{-1, -1, -1}},
		{"three", counters{actors: 3}, 0, 0, 0, 6, true, []int{6, 2, 6}},
		{"too many", counters{actors: 3}, 20, 20, 0, 0, false, nil},
	} {
		r, err := explore.Run(context.Background(), c.p, explore.Limits{States: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if r.Whole != c.whole || c.states > 0 && r.States != c.states || c.steps > 0 && r.Steps != c.steps || c.depth > 0 && r.Depth != c.depth {
			t.Errorf("%s: %d states, %d steps, depth %d, whole %t; want %d, %d, %d, %t", c.name,
				r.States, r.Steps, r.Depth, r.Whole, c.states, c.steps, c.depth, c.whole)
		}
		for i, want := range c.broken {
			f := r.Findings[i]
			if f.Broken != (want >= 0) || want >= 0 && len(f.Path) != want {
				t.Errorf("%s: %q is broken: %t, by %d steps, want %d", c.name, f.Name, f.Broken, len(f.Path), want)
			}
		}
	}
}

// TestPathsLead: each path is one of steps that can be taken, and ends where it
// says.
func TestPathsLead(t *testing.T) {
	t.Parallel()
	p := counters{actors: 3}
	r, err := explore.Run(context.Background(), p, explore.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range r.Findings {
		state, before := p.Start(), ""
		var last explore.Step
		for _, want := range f.Path {
			next := ""
			p.Steps(state, func(s explore.Step, after string) {
				if s == want {
					next = after
				}
			})
			if next == "" {
				t.Fatalf("%q: step %v cannot be taken in %q", f.Name, want, state)
			}
			before, state, last = state, next, want
		}
		if inv := p.Invariants()[i]; inv.Keeps != nil && f.Broken && inv.Keeps(before, last, state) {
			t.Errorf("%q is not broken by its path", f.Name)
		}
	}
}

// TestStuck counts the states from which a goal is out of reach, by hand.
func TestStuck(t *testing.T) {
	t.Parallel()
	r, err := explore.Run(context.Background(), counters{actors: 2}, explore.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	// Both have read 0; one of them has written since, either; both have.
	if got := r.Findings[1].Stuck; got != 4 {
		t.Errorf("%d states are stuck, want 4", got)
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := explore.Run(ctx, counters{actors: 3}, explore.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want that of the context", err)
	}
}
