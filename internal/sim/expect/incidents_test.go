package expect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// clockOf is a run of six hours and forty minutes in windows of a minute; T+0 is
// its 20th minute.
const clockOf = `name: clock
parameters: {cap: 21%, most: 16k}
parts: {users: {kind: source, rate: 1/s, call: {to: db, timeout: 1s}}, db: {kind: server, work: 1ms}}
run: {for: 400m, window: 1m, zero: 20m}
`

// course is a series as steps: the value from each minute after T+0 on. Between two
// steps that begin with ~, it goes evenly.
type course struct {
	unit  string
	steps string // such as "-20: 0, 18: 0.55, 170~: 1, 180: 0"
}

func (c course) series(name string) des.Series {
	s := des.Series{Name: name, Unit: c.unit, Values: make([]float64, 400)}
	type step struct {
		at    int
		value float64
		ramp  bool
	}
	var steps []step
	for one := range strings.SplitSeq(c.steps, ", ") {
		at, value, _ := strings.Cut(one, ": ")
		var st step
		at, st.ramp = strings.CutSuffix(at, "~")
		fmt.Sscan(at, &st.at)
		fmt.Sscan(value, &st.value)
		steps = append(steps, st)
	}
	for i := range s.Values {
		for k, st := range steps {
			if i-20 < st.at {
				break
			}
			s.Values[i] = st.value
			if st.ramp && k+1 < len(steps) {
				s.Values[i] += (steps[k+1].value - st.value) * float64(i-20-st.at) / float64(steps[k+1].at-st.at)
			}
		}
	}
	return s
}

// incidents are courses as they were published, as far as they were, each with what
// a replay is to show of it. A flat course has the first value of each for ever;
// what is expected of a calm run holds there, and the rest does not.
var incidents = []struct {
	name   string
	series map[string]course
	shows  []string
	calm   []string
}{{
	name: "a membership service that loses its members",
	series: map[string]course{
		"users.offered": {"count", "-20: 60000"}, "users.failed": {"count", "-20: 6, 0~: 6, 15: 33000, 167~: 33000, 180: 60000, 260: 120"},
		"members.joined": {"count", "-20: 0, 15: 40, 167: 0"}, "members.left": {"count", "-20: 0, 15: 40, 167: 0"},
		"meta.arrived": {"count", "-20: 1200, 15: 9000, 167: 0, 255: 1200"},
		"meta.done":    {"count", "-20: 1000"}, "meta.wasted": {"count", "-20: 0, 15: 910, 167: 0"},
		"admin.failed": {"count", "-20: 0, 60: 1, 61: 0, 80: 1, 81: 0, 100: 1, 101: 0, 120: 1, 121: 0, 140: 1, 141: 0, 160: 1, 161: 0"},
		"admin.done":   {"count", "-20: 0, 180: 1, 181: 0"}, "one.failed": {"count", "-20: 0, 260: 80"}, "one.offered": {"count", "-20: 100"},
		"queue.stale":   {"ratio", "-20: 0, 20: 0.25, 170: 1, 260: 0"},
		"scale.waiting": {"requests", "-20: 0, 0~: 0, 260: 5000, 291~: 5000, 370: 0"},
	},
	shows: []string{
		`within(mean(users.failed / users.offered, "T+17m", "T+19m"), 0.50, 0.60)`,
		`within(mean(users.failed / users.offered, "T+20m", "T+167m"), 0.50, 0.60) && std(users.failed / users.offered, "T+20m", "T+167m") < 0.02`,
		`least(sum_over(members.joined, "5m"), "T+20m", "T+167m") > 0 && least(sum_over(members.left, "5m"), "T+20m", "T+167m") > 0`,
		`ratio(meta.done - meta.wasted, meta.done, "T+20m", "T+167m") < 0.2`,
		`total(admin.failed, "T+60m", "T+167m") == 6 && total(admin.done, "0s", "T+167m") == 0 && total(admin.done, "T+167m", "T+200m") >= 1`,
		`mean(meta.arrived, "T+168m", "T+178m") < 0.1 * mean(meta.arrived, "T+150m", "T+167m")`,
		`crosses(users.failed / users.offered, 0.95, "T+185m")`,
		`recovers(users.failed / users.offered, 0.01, "T+291m")`,
		`within(mean(users.failed / users.offered, "T+300m"), 0.001, 0.003) && least(one.failed / one.offered, "T+300m") > 0.5`,
		`within(mean(queue.stale, "T+20m", "T+167m"), 0.2, 0.3) && most(queue.stale, "T+180m", "T+255m") > 0.99`,
		`within(first_below(scale.waiting, 50, "T+291m", "10m"), "T+360m", "T+375m")`,
	},
	calm: []string{`never(users.failed / users.offered, 0.001)`, `run.good_share > 0.999`},
}, {
	name: "names without addresses, leases that lapse, networks and checks that come late",
	series: map[string]course{
		"plan.emptied": {"count", "-20: 0, 9: 1, 10: 0"}, "names.failed": {"ratio", "-20: 0, 9: 1, 157: 0"},
		"leases.held": {"hosts", "-20: 20000, 0~: 20000, 157: 200, 266~: 200, 340: 19900"}, "leases.all": {"hosts", "-20: 20000"},
		"work.useful": {"count", "-20: 5000, 157: 0, 270: 900"}, "work.done": {"count", "-20: 5000, 157: 5000, 270: 1000"},
		"work.waiting": {"items", "-20: 0, 157~: 0, 266: 700000, 267: 0"},
		"net.delay":    {"seconds", "-20: 1, 200~: 1, 250: 1440, 252~: 1440, 360: 1"},
		"lb.failing":   {"balancers", "-20: 0, 342: 110, 370: 0"}, "lb.all": {"balancers", "-20: 300"},
	},
	shows: []string{
		`total(plan.emptied) > 0`,
		`least(names.failed, "T+30m", "T+157m") == 1 && recovers(names.failed, 0.01, "T+172m")`,
		`slope(leases.held, "T", "T+157m") < 0 && at(leases.held, "T+157m") / last(leases.all) < 0.05`,
		`most(leases.held / leases.all, "T+157m", "T+266m") < 0.05 && ratio(work.useful, work.done, "T+160m", "T+260m") < 0.05`,
		`slope(work.waiting, "T+160m", "T+260m") > 0`,
		`within(first_above(leases.held / leases.all, 0.99, "T+266m"), "T+325m", "T+355m")`,
		`within(last_above(net.delay, 300) - first_above(net.delay, 300), "2h", "2h30m") && within(most(net.delay), 20 * 60, 28 * 60)`,
		`within(most(lb.failing / lb.all), 0.2, 0.9) && never(lb.failing, 0, "0s", "T+342m")`,
		`last_above(names.failed, 0.01) < first_above(leases.held / leases.all, 0.99, "T+200m") && first_above(leases.held / leases.all, 0.99, "T+200m") < last_above(net.delay, 60)`,
	},
	calm: []string{`total(plan.emptied) == 0`, `never(lb.failing / lb.all, 0.01)`, `never(net.delay, 120)`},
}, {
	name: "hosts that are given more shards than their reports can hold",
	series: map[string]course{
		"cell.failed": {"ratio", "-20: 0.001, 336~: 0.001, 340: 1, 375: 0.02"}, "other.failed": {"ratio", "-20: 0.001"},
		"hosts.traffic_most": {"ratio", "-20: 1.02"}, "hosts.shards_most": {"shards", "-20: 2500, 0~: 2500, 300: 28000"}, "hosts.shards_mean": {"shards", "-20: 2500"},
	},
	shows: []string{
		`mean(cell.failed, "T", "T+250m") < 0.01 && most(cell.failed) > 0.5`,
		`within(first_above(cell.failed, 0.1), "T+270m", "T+480m")`,
		`most(hosts.traffic_most) < 1.05 && most(hosts.shards_most / hosts.shards_mean) > 6`,
		`never(other.failed, 0.01) && crosses(cell.failed, 0.9, "T+350m")`,
		`within(last_above(cell.failed, 0.05) - first_above(cell.failed, 0.05), "20m", "45m")`,
		`quantile(cell.failed, 0.5, "T+341m", "T+370m") > 0.9 && last(cell.failed) < 0.05`,
	},
	calm: []string{`never(cell.failed, 0.1)`},
}, {
	name: "a cache that is emptied at the peak",
	series: map[string]course{
		"cache.hit":     {"ratio", "-20: 0.998, 0~: 0.998, 13: 0.87, 35~: 0.81, 45: 0.93, 130: 0.998"},
		"boots.offered": {"count", "-20: 6000"}, "boots.failed": {"count", "-20: 0, 13~: 3000, 18: 5940, 35: 4800, 80~: 4800, 130: 0"},
		"booted.failed": {"ratio", "-20: 0, 13: 0.99, 40: 0, 46: 0.7, 55: 0"}, "db.busy": {"cores", "-20: 16, 13: 32, 40: 20"},
	},
	shows: []string{
		`least(cache.hit, "0s", "T") > 0.99 && most(boots.failed / boots.offered, "0s", "T") < 0.001 && least(cache.hit) < 0.9`,
		`slope(cache.hit, "T", "T+13m") < 0 && crosses(boots.failed / boots.offered, 0.9, "T+20m") && mean(db.busy / 32, "T+14m", "T+35m") > 0.99`,
		`share_above(booted.failed, 0.9, "T+14m", "T+39m") == 1`,
		`mean(boots.failed / boots.offered, "T+20m", "T+35m") > 0.9`,
		`recovers(booted.failed, 0.01, "T+40m", "6m") && slope(cache.hit, "T+35m", "T+45m") > 0`,
		`most(booted.failed, "T+45m", "T+53m") > 0.5 && most(booted.failed, "T+60m") < 0.01`,
		`recovers(boots.failed / boots.offered, 0.01, "T+131m")`,
	},
	calm: []string{`never(booted.failed, 0.01) && never(boots.failed / boots.offered, 0.01)`, `least(cache.hit) > 0.99`},
}, {
	name: "a pool that opens what nobody waits for any more",
	series: map[string]course{
		"writer.attempts": {"count", "-20: 1500, 2: 53000, 18: 1500"}, "writer.aborted": {"count", "-20: 0, 2: 52300, 18: 0"},
		"writer.busy": {"cores", "-20: 14, 0~: 14, 4: 30.1, 16: 14"}, "proxy.open": {"connections", "-20: 3000, 2: 3360"},
		"proxy.waiting": {"requests", "-20: 0, 2: 4240, 16: 0"}, "users.offered": {"count", "-20: 7600"},
		"users.failed": {"count", "-20: 0, 0~: 0, 4: 3900, 16: 0"}, "pool.idle": {"connections", "-20: 100, 60: 4900"}, "pool.dead": {"count", "-20: 0, 70: 300"},
	},
	shows: []string{
		`most(sum_over(writer.attempts, "5m"), "0s", "T") < 10000 && most(sum_over(writer.attempts, "5m")) > 10000`,
		`crosses(users.failed / users.offered, 0.2, "T+4m")`,
		`mean(writer.busy / 32, "T+4m", "T+15m") > 0.9`,
		`within(most(sum_over(writer.attempts, "5m")), 200e3, 330e3) && within(ratio(writer.aborted, writer.attempts, "T+4m", "T+15m"), 0.95, 1)`,
		`within(mean(proxy.open, "T+4m", "T+15m"), 0.99 * param("cap") * param("most"), param("cap") * param("most")) && within(mean(proxy.waiting, "T+4m", "T+15m"), 3900, 4500)`,
		`recovers(users.failed / users.offered, 0.01, "T+25m")`,
		`within(last(pool.idle) - at(pool.idle, "T"), 4500, 5000)`,
		`total(pool.dead, "T+60m") > 0`,
	},
	calm: []string{
		`total(users.failed) == 0 && most(sum_over(writer.attempts, "5m")) < 20000`,
		`never(writer.busy / 32, 0.5)`, `mean(writer.attempts) * 300 < 10000`,
	},
}}

// TestIncidents holds that what replays are to show can be said, that it is found
// where it happens, and is not found where nothing does.
func TestIncidents(t *testing.T) {
	for _, in := range incidents {
		run := &scenario.Result{Seed: 1, End: des.EndTime, Reached: 24000}
		flat := &scenario.Result{Seed: 1, End: des.EndTime, Reached: 24000, Sources: []scenario.Goodput{{Offered: 1000, Good: 1000}}}
		for name, c := range in.series {
			run.Series = append(run.Series, c.series(name))
			c.steps, _, _ = strings.Cut(c.steps, ", ")
			flat.Series = append(flat.Series, c.series(name))
		}
		run.Sources = []scenario.Goodput{{Offered: 1000, Good: 600}}
		var list []scenario.Expectation
		for _, that := range append(in.shows, in.calm...) {
			list = append(list, scenario.Expectation{Name: that, That: that, Share: 1})
		}
		f := new(scenario.File)
		doc, problems := strictyaml.Decode("clock.yaml", []byte(clockOf), f)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		set, problems := compile(f, names(run), list, Origin{Doc: doc, Src: []byte(clockOf), Path: "expect"})
		if len(problems) > 0 {
			t.Errorf("%s: %v", in.name, problems)
			continue
		}
		found, calm := set.Check(run), set.Check(flat)
		for i, e := range list {
			if want := i < len(in.shows); found[i].Held != want || calm[i].Held == want {
				t.Errorf("%s: %s\nheld %t in the incident (%s), and %t in a calm run (%s)", in.name, e.That, found[i].Held, found[i].Why, calm[i].Held, calm[i].Why)
			}
		}
	}
}
