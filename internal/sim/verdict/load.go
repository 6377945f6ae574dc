package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// JudgedBy is a load that a system is judged by: the requests of all its users
// together, and each other one by itself.
type JudgedBy struct {
	Parts []string       `json:"parts"`
	Kind  parts.LoadKind `json:"kind"`
}

// String names the load.
func (j JudgedBy) String() string {
	return fmt.Sprintf("%s of %s", j.Kind, strings.Join(j.Parts, ", "))
}

// judgedBy returns what a system is judged by.
func judgedBy(net *parts.Net) []JudgedBy {
	var all []JudgedBy
	users := -1
	for _, l := range net.Loads() {
		if l.Kind == parts.Requests && users >= 0 {
			all[users].Parts = append(all[users].Parts, l.Part)
			continue
		}
		if l.Kind == parts.Requests {
			users = len(all)
		}
		all = append(all, JudgedBy{Parts: []string{l.Part}, Kind: l.Kind})
	}
	return all
}

// look is what was seen of one load.
type look struct {
	by      JudgedBy
	before  parts.Load
	since   des.Time
	windows int // since then
	share   float64
}

// lookWindows is over how many windows a load is looked at, at most, where too
// little of it comes in one.
const lookWindows = 10

// see looks at the load at the end of a window, and returns the share of it that
// did not get what it was there for.
func (k *look) see(now parts.Load, at des.Time, limit float64) float64 {
	k.windows++
	rare := k.by.Kind == parts.Messages || k.by.Kind == parts.Runs
	if rare && now.Offered-k.before.Offered < windowRequests/2 && k.windows < lookWindows {
		return k.share
	}
	if k.by.Kind == parts.Members {
		k.share = now.Lost(k.before, at-k.since)
	} else {
		bad, all := missed(k.before, now)
		switch {
		case all > 0:
			k.share = bad / all
		case now.Waiting > 0 && !rare: // all who could ask are stuck
			k.share = 1
		default:
			k.share = 0
		}
		if rare && bad <= 1 { // a single one is no sign
			k.share = min(k.share, limit)
		}
	}
	k.before, k.since, k.windows = now, at, 0
	return k.share
}

// missed returns how much of what was asked for in a window got no good answer,
// and of how much: of what ended and of what is stuck. How much is under way
// changes by chance, so only what has piled up beyond chance, four standard
// deviations of as many arrivals, is stuck.
func missed(before, now parts.Load) (bad, all float64) {
	offered := now.Offered - before.Offered
	bad = float64(now.Late + now.Failed - before.Late - before.Failed)
	ended := float64(now.Good-before.Good) + bad
	stuck := float64(offered) - ended
	if stuck <= float64(4*math.Sqrt(float64(max(offered, 1)))) {
		stuck = 0
	}
	return bad + stuck, ended + stuck
}

// see takes a window that has ended.
func (c *course) see() window {
	now, loads := c.net.Sim.Now(), c.net.Loads()
	w := window{backlog: c.net.InUse()}
	for i := range c.looks {
		k := &c.looks[i]
		var sum parts.Load
		for _, l := range loads {
			if l.Part == k.by.Parts[0] || k.by.Kind == parts.Requests && l.Kind == parts.Requests {
				sum = sum.With(l)
			}
		}
		w.backlog += int(sum.Behind)
		if share := k.see(sum, now, c.p.limit); share > w.errors {
			w.errors, w.of = share, i
		}
	}
	return w
}

// worst returns the load that did worst in most of some windows.
func (p *protocol) worst(ws []window) int {
	times := make([]int, len(p.by))
	best := 0
	for _, w := range ws {
		if w.errors > p.limit {
			times[w.of]++
		}
	}
	for i, n := range times {
		if n > times[best] {
			best = i
		}
	}
	return best
}

// ongoing returns the changes of the scenario that go on without an end, as they
// are from a time of its clock on: they are no trigger, and come in every run.
func (p *protocol) ongoing(from des.Time) []scenario.Change {
	var all []scenario.Change
	for _, c := range p.file.Changes {
		if c.Every == 0 || c.Times > 0 || c.When != nil {
			continue
		}
		at, every := c.At.Time(), c.Every.Time()
		if at < from {
			if at = from + (at-from)%every; at < from { // the remainder is not above 0
				at += every
			}
		}
		c.At = scenario.At(at - from)
		all = append(all, c)
	}
	return all
}

// started returns the runs a second that changes which go on without an end begin.
func (p *protocol) started() float64 {
	sum := 0.0
	for _, c := range p.ongoing(0) {
		for _, t := range c.Set {
			for _, k := range p.knobs {
				if k.Name == t.Knob && k.Pulse {
					sum += float64(t.Value / c.Every.Time().Seconds())
				}
			}
		}
	}
	return sum
}
