package parts

import (
	"cmp"
	"slices"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// setHold shuts the gate or opens it. Those that wait are let through in the
// order of their arrival; who comes meanwhile does not wait behind them.
func (g *gate) setHold(shut bool) {
	if g.shut == shut {
		return
	}
	g.shut = shut
	g.opening++
	if shut {
		return
	}
	if g.set.Release == 0 {
		for n := g.line.len(); n > 0 && g.line.len() > 0; n-- {
			g.letIn()
		}
		return
	}
	if n := g.line.len(); n > 0 {
		g.between = float64(g.set.Release) / float64(n)
		g.next(g.between, gateRelease, g.opening)
	}
}

// letIn lets the first of those that wait through.
func (g *gate) letIn() {
	c := g.line.pop(g.net)
	g.waiting.Add(-1)
	g.through(c)
}

func (g *gate) next(ns float64, kind uint16, arg uint32) {
	g.net.Sim.After(des.FromNanoseconds(ns), g.self, kind, arg)
}

func (g *gate) release() {
	if g.line.len() == 0 { // the last ones were withdrawn
		return
	}
	g.letIn()
	if g.line.len() > 0 {
		g.next(g.between, gateRelease, g.opening)
	}
}

// reopenSteps is in how many steps a cut goes back.
const reopenSteps = 100

// setCut changes the share that does not get through: upwards at once,
// downwards over the time of reopening.
func (g *gate) setCut(x float64) {
	x = min(max(x, 0), 1)
	g.epoch++
	g.goal = x
	if x >= g.cut || g.set.Reopen == 0 {
		g.cut = x
		g.healed()
		return
	}
	g.fall = (g.cut - x) / reopenSteps
	g.step()
}

// step lowers the cut a little.
func (g *gate) step() {
	g.cut = max(g.cut-g.fall, g.goal)
	if g.cut > g.goal+g.fall/2 {
		g.next(float64(g.set.Reopen)/reopenSteps, gateReopen, g.epoch)
		return
	}
	g.cut = g.goal
	g.healed()
}

// healed asks again for what was lost, if nothing is cut any more.
func (g *gate) healed() {
	if g.cut > 0 || len(g.lost) == 0 {
		return
	}
	// Callers that have asked several times for the same ask once. Calls without
	// keys all have the key 0 and are as many callers.
	byKey := func(a, b lostCall) int { return cmp.Compare(a.key, b.key) }
	if slices.ContainsFunc(g.lost, func(l lostCall) bool { return l.key != 0 }) {
		slices.SortStableFunc(g.lost, byKey)
		g.lost = slices.CompactFunc(g.lost, func(a, b lostCall) bool { return a.key == b.key })
	}
	slices.Reverse(g.lost) // taken from the end
	g.apart = float64(g.set.Spread) / float64(len(g.lost))
	g.refetch()
}

// refetch asks for the next that was lost, or for all at once.
func (g *gate) refetch() {
	for k := len(g.lost); k > 0; k = len(g.lost) {
		l := g.lost[k-1]
		g.lost = g.lost[:k-1]
		g.refetched.Inc()
		g.outs[0].ask(want{token: refetchToken, kind: l.kind, key: l.key, size: l.size, deadline: des.Never})
		if g.apart > 0 && len(g.lost) > 0 {
			g.next(g.apart, gateRefetch, g.epoch)
			return
		}
	}
}
