package parts

import (
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// TestPopulation: users come and leave as the population is turned. With
// thinking and answers of a second each, n of them ask n/2 times a second.
func TestPopulation(t *testing.T) {
	n := describe(t, 1, des.Second, "users source {population: 100, think: exp 1s, call: {to: db}}", "db server {workers: 1000, work: exp 1s}")
	u := part[*source](n, 0)
	for i, users := range []float64{100, 300, 0, 50} {
		knob(t, n, "users.population").Set(users)
		from := float64(i * 200)
		run(t, n, from+20)
		before := u.offered.Total()
		run(t, n, from+200)
		if got := float64(u.offered.Total()-before) / 180; math.Abs(got-users/2) > 3 {
			t.Errorf("%v users ask %v times a second, want %v", users, got, users/2)
		}
		if u.present.Value() != int64(users) {
			t.Errorf("%d users are there, want %v", u.present.Value(), users)
		}
	}
}

// TestOverflow: failures bring users besides, up to a limit, and answers let
// them go.
func TestOverflow(t *testing.T) {
	n := describe(t, 1, des.Second, "users source {population: 100, overflow: 40, think: exp 1s, call: {to: db}}", "db server {workers: 1000, work: exp 1s}")
	u := part[*source](n, 0)
	for i, step := range []struct {
		cut  float64
		want int64
	}{{0, 100}, {1, 140}, {0, 100}} {
		knob(t, n, "users.call.cut").Set(step.cut)
		run(t, n, float64(i+1)*60)
		if u.present.Value() != step.want {
			t.Errorf("with a share %v cut, %d users are there, want %d", step.cut, u.present.Value(), step.want)
		}
	}
	wantFinding(t, "source", "{rate: 1/s, overflow: 3, call: {to: db}}", "overflow")
	wantFinding(t, "source", "{population: 999_999, overflow: 3, call: {to: db}}", "overflow")
}

// TestOverflowFollows: fewer users may come besides a population that was
// lowered, and more again besides one that was raised.
func TestOverflowFollows(t *testing.T) {
	n := describe(t, 1, des.Second, "users source {population: 100, overflow: 40, think: exp 1s, call: {to: db}}", "db server {workers: 1000, work: exp 1s}")
	knob(t, n, "users.call.cut").Set(1)
	for i, step := range []struct{ wanted, want float64 }{{100, 140}, {50, 70}, {200, 280}} {
		knob(t, n, "users.population").Set(step.wanted)
		run(t, n, float64(i+1)*60)
		if got := part[*source](n, 0).present.Value(); float64(got) != step.want {
			t.Errorf("besides a population of %v there are %d users in all, want %v", step.wanted, got, step.want)
		}
	}
}

// TestLeave: users who leave at once take with them what they wait for, and the
// work for it ends; others leave after an answer. Those who think ask no more.
func TestLeave(t *testing.T) {
	for _, c := range []struct {
		leave string
		share float64 // of the population that stays
		left  float64 // share of what waits that is withdrawn at once
	}{
		{"answered", 0.5, 0}, {"at_once", 0.5, 2.0 / 3}, {"at_once", 0, 1},
	} {
		n := describe(t, 1, des.Second,
			"users source {population: 4000, think: exp 100s, leave: "+c.leave+", call: {to: db, cancel: true}}",
			"db server {workers: 10_000, work: exp 300s}")
		run(t, n, 3000)
		u, db := part[*source](n, 0), part[*server](n, 1)
		before := float64(u.inside.Value()) // about three of four
		knob(t, n, "users.population").Set(4000 * c.share)
		want := before - min(float64(c.left*before), 4000-4000*c.share)
		if got := float64(u.inside.Value()); math.Abs(got-want) > 60 {
			t.Errorf("%s: %v of %v still wait, want about %v", c.leave, got, before, want)
		}
		if u.inside.Value() != int64(db.busy) {
			t.Errorf("%s: %d users wait and %d workers are busy", c.leave, u.inside.Value(), int64(db.busy))
		}
		offered := u.offered.Total()
		run(t, n, 10_000)
		if c.share == 0 && u.offered.Total() != offered {
			t.Errorf("%s: %d requests were made by users who should have left", c.leave, u.offered.Total()-offered)
		}
		if got := float64(u.present.Value()); got != 4000*c.share {
			t.Errorf("%s: %v users are there in the end, want %v", c.leave, got, 4000*c.share)
		}
	}
	wantFinding(t, "source", "{rate: 1/s, leave: at_once, call: {to: db}}", "leave")
}
