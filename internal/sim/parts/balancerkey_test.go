package parts_test

import "testing"

// TestBalancerKey: calls of a key all go to one target. Keys are spread by weight,
// the first part of them to the first target, as a gate that cuts by key counts
// them; where a target is out, the others have its keys.
func TestBalancerKey(t *testing.T) {
	const src = `
name: cells
parts:
  users: {kind: source, rate: 100/s, keys: {distinct: 997}, call: {to: net, timeout: 1s}}
  net: {kind: gate, by: key, call: {to: cells}}
  cells: {kind: balancer, policy: key, calls: [{to: one}, {to: two}], weights: [1, 3], retries: 1}
  one: {kind: cache, lookup: 1ms, call: {to: db}}
  two: {kind: cache, lookup: 1ms, call: {to: db}}
  db: {kind: server, workers: 100, work: 1ms}
run: {for: 100s, window: 1s}
changes: [{at: 50s, set: {one.lose: 1}}]
`
	p := play(t, src, 1)
	all := p.total("cells.arrived")
	near(t, "share of the first", p.total("one.arrived")/all, 0.25, 0.015)
	near(t, "keys that the first has fetched", p.sum("one.fills", 0, 50), 249, 1)
	near(t, "keys that the second has fetched", p.total("two.fills"), 748, 1)
	cut := play(t, src, 1, "net.cut=25%")
	near(t, "calls of the first, whose keys are cut", cut.total("one.arrived"), 0, 0)
	near(t, "calls of the second", cut.total("two.arrived"), p.total("two.arrived"), 0)
	lost := play(t, src, 1, "one.away=fail")
	near(t, "calls that another one answers in place of the first", lost.total("cells.retries"), lost.sum("one.arrived", 50, 100), 0)
	near(t, "failures then", lost.total("users.failed"), 0, 0)
	out := play(t, src, 1, "cells.weights[0]=0")
	near(t, "keys of the second alone", out.total("two.fills"), 997, 0)
	sameSeries(t, p, play(t, src, 1))
}
