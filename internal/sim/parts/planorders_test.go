package parts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/explore"
)

// plansOf returns the settings of a protocol.
func plansOf(appliers, endpoints, keep int, w WriteRule, c CleanRule, onEmpty EmptyRule) *plannerConfig {
	return &plannerConfig{
		Appliers: Count(appliers), Endpoints: Count(endpoints), Keep: Limit(keep), Write: w, Clean: c, OnEmpty: onEmpty,
	}
}

func ordersOf(t *testing.T, c *plannerConfig) *planOrders {
	t.Helper()
	p, err := c.Protocol()
	if err != nil {
		t.Fatal(err)
	}
	return p.(*planOrders)
}

func explored(t *testing.T, p explore.Protocol) *explore.Result {
	t.Helper()
	r, err := explore.Run(context.Background(), p, explore.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Whole {
		t.Fatalf("there are more than %d states", r.States)
	}
	return r
}

// broken says which invariants are broken, by how many steps.
func broken(r *explore.Result) string {
	text := ""
	for _, f := range r.Findings {
		if f.Broken {
			text += fmt.Sprintf(" %s %d", f.Name, len(f.Path))
		}
	}
	return text
}

// TestPlanOrders holds what is known of the protocol, and the number of its
// states: two or three appliers, two endpoints, one generation kept, any number of
// plans.
func TestPlanOrders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		appliers int
		write    WriteRule
		clean    CleanRule
		states   int
		broken   string
	}{
		{3, checkOnce, cleanAny, 97416, " records-exist 9 active-kept 9 never-older 6 newest-in-reach 9"},
		// That no endpoint has a plan now does not keep it from getting it: a
		// deleted plan is written.
		{2, checkOnce, unapplied, 2006, " records-exist 9 never-older 6 newest-in-reach 9"},
		{3, checkOnce, neverActive, 67319, " never-older 6"},
		// Checking before each endpoint takes more steps to break, and no more.
		{2, checkEach, cleanAny, 6431, " records-exist 12 active-kept 12 never-older 8 newest-in-reach 12"},
		{3, compareAndSwap, cleanAny, 14766, ""},
		{3, compareAndSwap, neverActive, 16398, ""},
	} {
		r := explored(t, ordersOf(t, plansOf(c.appliers, 2, 1, c.write, c.clean, "stuck")))
		if got := broken(r); got != c.broken || r.States != c.states {
			t.Errorf("%s, %s: %d states, broken:%s; want %d,%s", c.write, c.clean, r.States, got, c.states, c.broken)
		}
	}
	// One applier alone breaks nothing, and neither does keeping more prevent it.
	if got := broken(explored(t, ordersOf(t, plansOf(1, 3, 1, checkOnce, cleanAny, "stuck")))); got != "" {
		t.Errorf("one applier breaks%s", got)
	}
	for keep, want := range []int{7, 8, 9, 10, 11} {
		r := explored(t, ordersOf(t, plansOf(2, 1, keep, checkOnce, cleanAny, "stuck")))
		if got := len(r.Findings[0].Path); got != want {
			t.Errorf("with %d generations kept it takes %d steps, want %d", keep, got, want)
		}
	}
	// Where nobody can write a deleted plan, it is enough to keep what endpoints have.
	refused := plansOf(3, 2, 1, checkOnce, unapplied, "stuck")
	refused.OnDeleted = "refuse"
	if got := broken(explored(t, ordersOf(t, refused))); got != " never-older 6" {
		t.Errorf("where deleted plans cannot be written:%s, want never-older only", got)
	}
	refused.Clean = cleanAny
	if got := broken(explored(t, ordersOf(t, refused))); got != " records-exist 9 active-kept 9 never-older 6 newest-in-reach 9" {
		t.Errorf("and what endpoints have is deleted:%s", got)
	}
	// An empty endpoint that can be written heals.
	if got, want := broken(explored(t, ordersOf(t, plansOf(2, 2, 1, checkOnce, cleanAny, "write")))), " records-exist 9 active-kept 9 never-older 6"; got != want {
		t.Errorf("where empty endpoints are written:%s, want%s", got, want)
	}
}

// numbered is the protocol with the numbers of the plans as they are, of which
// there are a few.
type numbered struct {
	*planOrders
	plans uint32
}

func (n numbered) pack(p *plans) string {
	return fmt.Sprint(p.newest, p.cut, p.spared, p.rows, p.appliers)
}

// explore walks through all states and returns how many there are, and after how
// many steps the first endpoint is empty, and the first one gets an older plan.
func (n numbered) explore() (states, emptied, older int) {
	known := map[string]bool{}
	start := n.first.copied()
	level := []*plans{start}
	known[n.pack(start)] = true
	for depth := 1; len(level) > 0; depth++ {
		var next []*plans
		for _, p := range level {
			for actor := range firstApplier + len(p.appliers) {
				q := p.copied()
				s := q.next(actor)
				was := endpoint{}
				if s.Action == doApply {
					was = q.rows[q.appliers[actor-1].next]
				}
				if s.Action == doPlan && q.newest == n.plans || !q.do(s) {
					continue
				}
				if emptied == 0 && len(q.lost) > 0 {
					emptied = depth
				}
				if older == 0 && s.Action == doApply && !was.empty && n.older(p, q, was) {
					older = depth
				}
				q.lost = nil
				if key := n.pack(q); !known[key] {
					known[key] = true
					next = append(next, q)
				}
			}
		}
		level = next
	}
	return len(known), emptied, older
}

func (n numbered) older(before, after *plans, was endpoint) bool {
	for i := range after.rows {
		if before.rows[i] == was && after.rows[i].gen < was.gen {
			return true
		}
	}
	return false
}

func (p *plans) copied() *plans {
	c := *p
	c.rows, c.appliers = append([]endpoint(nil), p.rows...), append([]applier(nil), p.appliers...)
	c.spared, c.lost, c.found, c.keepers = append([]uint32(nil), p.spared...), nil, nil, nil
	return &c
}

// TestPlanNumbers: leaving the numbers of the plans out loses nothing. With up to
// six plans, counted as they are, the same is broken by as few steps.
func TestPlanNumbers(t *testing.T) {
	t.Parallel()
	for _, w := range []WriteRule{checkOnce, checkEach, compareAndSwap} {
		for _, c := range []CleanRule{cleanAny, unapplied, neverActive} {
			for _, onEmpty := range []EmptyRule{"stuck", "write"} {
				cfg := plansOf(2, 2, 1, w, c, onEmpty)
				if onEmpty == "write" {
					cfg.OnDeleted = "refuse"
				}
				o := ordersOf(t, cfg)
				r := explored(t, o)
				states, emptied, older := numbered{o, 6}.explore()
				if len(r.Findings[0].Path) != emptied || len(r.Findings[2].Path) != older {
					t.Errorf("%s, %s, %s: emptied by %d steps and older by %d; of %d states with six plans by %d and %d",
						w, c, onEmpty, len(r.Findings[0].Path), len(r.Findings[2].Path), states, emptied, older)
				}
			}
		}
	}
}

// TestPlanStatesBehaveAlike walks at random through the protocol with its numbers
// as they are, and looks whether each step leads from the state that stands for
// where it is to the one that stands for where it comes.
func TestPlanStatesBehaveAlike(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, w := range []WriteRule{checkOnce, checkEach, compareAndSwap} {
		for _, c := range []CleanRule{cleanAny, unapplied, neverActive} {
			cfg := plansOf(3, 3, 2, w, c, EmptyRule([]string{"stuck", "write"}[r.IntN(2)]))
			cfg.OnDeleted = DeletedRule([]string{"write", "refuse"}[r.IntN(2)])
			o := ordersOf(t, cfg)
			p := o.first.copied()
			for range 10000 {
				actor := r.IntN(firstApplier + len(p.appliers))
				if actor == 0 && r.IntN(3) > 0 {
					continue
				}
				before := o.pack(p)
				s := p.next(actor)
				if !p.do(s) {
					continue
				}
				if !leads(o, before, s, o.pack(p)) {
					t.Fatalf("%s, %s: step %v leads from %v to %v, which the exploration does not know", w, c, s, []byte(before), []byte(o.pack(p)))
				}
				if r.IntN(200) == 0 {
					p = o.first.copied()
				}
			}
		}
	}
}

func leads(o *planOrders, before string, want explore.Step, after string) bool {
	found := false
	o.Steps(before, func(s explore.Step, next string) { found = found || s == want && next == after })
	return found
}

// TestSimulatedRaceIsExplored runs the part with times until an endpoint is empty,
// and holds each event to a step of the exploration, whose states it never leaves.
func TestSimulatedRaceIsExplored(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		write WriteRule
		clean CleanRule
		lock  bool
		empty bool
	}{
		{checkOnce, cleanAny, false, true}, {checkOnce, cleanAny, true, true},
		{checkOnce, neverActive, false, false}, {compareAndSwap, cleanAny, false, false},
	} {
		cfg := plansOf(3, 2, 1, c.write, c.clean, "stuck")
		cfg.Period, cfg.Serve.Asks, cfg.Serve.Needs = Duration(10*des.Second), 1, 1
		cfg.Step, cfg.Pause, cfg.CleanIn = spread(t, "exp 1s"), spread(t, "exp 5s"), spread(t, "exp 2s")
		if c.lock {
			cfg.Lock = "one"
			cfg.Backoff = Backoff{First: Duration(des.Second), Factor: 2, Most: Duration(60 * des.Second), Jitter: 1}
		}
		o := ordersOf(t, cfg)
		known := statesOf(o)
		empty := false
		for seed := range uint64(12) {
			net := Build([]Named{{Name: "dns", Config: cfg}}, Options{Seed: seed, Window: des.Second})
			part := net.parts[0].(*planner)
			part.slow = 30
			before := o.pack(&part.plans)
			for net.Sim.Now() < 600*des.Second {
				net.Sim.Run(context.Background(), des.Budget{Until: 600 * des.Second, Events: net.Sim.Handled() + 1})
				after := o.pack(&part.plans)
				if after != before && !follows(o, before, after) {
					t.Fatalf("%s, %s, seed %d: no step leads from %v to %v", c.write, c.clean, seed, []byte(before), []byte(after))
				}
				if !known[after] {
					t.Fatalf("%s, %s, seed %d: the exploration does not know the state %v", c.write, c.clean, seed, []byte(after))
				}
				before = after
			}
			empty = empty || part.empty.Value() > 0
		}
		if empty != c.empty {
			t.Errorf("%s, %s: some endpoint was emptied: %t, want %t", c.write, c.clean, empty, c.empty)
		}
	}
}

func follows(o *planOrders, before, after string) bool {
	found := false
	o.Steps(before, func(_ explore.Step, next string) { found = found || next == after })
	return found
}

// statesOf returns all states of a protocol.
func statesOf(p explore.Protocol) map[string]bool {
	known := map[string]bool{p.Start(): true}
	open := []string{p.Start()}
	for len(open) > 0 {
		state := open[len(open)-1]
		open = open[:len(open)-1]
		p.Steps(state, func(_ explore.Step, after string) {
			if !known[after] {
				known[after] = true
				open = append(open, after)
			}
		})
	}
	return known
}

// TestPlansTold: the shortest interleaving is that of the published course.
func TestPlansTold(t *testing.T) {
	t.Parallel()
	o := ordersOf(t, plansOf(2, 1, 1, checkOnce, cleanAny, "stuck"))
	r := explored(t, o)
	want := []string{
		"planner: makes plan 2 (plan 1)",
		"applier 1: takes plan 2, the newest (plan 1)",
		"planner: makes plan 3 (plan 1)",
		"planner: makes plan 4 (plan 1)",
		"applier 2: takes plan 4, the newest (plan 1)",
		"applier 2: writes plan 4 to endpoint 1 (plan 4)",
		"applier 1: writes plan 2 to endpoint 1, over plan 4 (plan 2)",
		"applier 2: cleans: deletes plans up to 2 (nothing)",
	}
	told := o.Tell(r.Findings[0].Path)
	if len(told) != len(want) {
		t.Fatalf("%d steps are told, want %d", len(told), len(want))
	}
	for i, one := range told {
		if got := fmt.Sprintf("%s: %s (%s)", o.Actors()[one.Actor].En, one.What.En, one.After[0].En); got != want[i] {
			t.Errorf("step %d is %q, want %q", i+1, got, want[i])
		}
		if one.What.Ko == "" || one.After[0].Ko == "" {
			t.Errorf("step %d is not told in Korean", i+1)
		}
	}
	for _, inv := range o.Invariants() {
		if says := o.Says(inv.Name); says.En == "" || says.Ko == "" {
			t.Errorf("%s says %v", inv.Name, says)
		}
	}
}

func TestPlansTooLarge(t *testing.T) {
	t.Parallel()
	for _, c := range []*plannerConfig{plansOf(3, 100, 1, checkOnce, cleanAny, "stuck"), plansOf(3, 1, 100, checkOnce, cleanAny, "stuck")} {
		if _, err := c.Protocol(); err == nil {
			t.Errorf("%d endpoints with %d generations kept can be explored", c.Endpoints, c.Keep)
		}
	}
}
