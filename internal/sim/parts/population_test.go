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
