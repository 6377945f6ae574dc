package expect

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// tried is the file that the tests speak of: ten minutes in windows of 10 s, with
// T+0 after two of them.
const tried = `name: tried
parameters:
  cap: 62%
  load: {value: 100/s, source: a dashboard}
  wait: 7s
  many: 3_360
  work: exp 20ms
  order: fifo
parts:
  users: {kind: source, rate: $load, call: {to: db, timeout: 1s}}
  db: {kind: server, workers: 4, work: exp 20ms}
  web-1: {kind: server, work: exp 2ms, calls: [{to: db, timeout: 1s}]}
run: {for: 10m, window: 10s, zero: 2m}
`

// decode reads the file above with expectations.
func decode(t testing.TB, that ...string) (*scenario.File, Origin) {
	t.Helper()
	src := tried
	if len(that) > 0 {
		src += "expect:\n"
	}
	for i, one := range that {
		src += fmt.Sprintf("  - {name: e%d, that: '%s'}\n", i, strings.ReplaceAll(one, "'", "''"))
	}
	f := new(scenario.File)
	doc, problems := strictyaml.Decode("tried.yaml", []byte(src), f)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return f, Origin{Doc: doc, Src: []byte(src), Path: "expect"}
}

// made are series with known values: ten minutes are 60 windows.
func made() *scenario.Result {
	values := func(of func(i int) float64) []float64 {
		all := make([]float64, 60)
		for i := range all {
			all[i] = of(i)
		}
		return all
	}
	return &scenario.Result{
		Seed: 7, End: des.EndTime, Reached: 600, Sources: []scenario.Goodput{{Offered: 1000, Good: 750}, {Offered: 1000, Good: 750}},
		Series: []des.Series{
			{Name: "a.ramp", Unit: "ratio", Values: values(func(i int) float64 { return float64(i) })},
			{Name: "a.counted", Unit: "count", Values: values(func(int) float64 { return 50 })}, // 5/s
			{Name: "a.half", Unit: "count", Values: values(func(i int) float64 { return float64(25 * (1 - i%2)) })},
			{Name: "a.none", Unit: "count", Values: values(func(int) float64 { return 0 })},
			// Above 1 in the windows 12 to 29 and in 40.
			{Name: "a.hill", Unit: "ratio", Values: values(func(i int) float64 {
				if i >= 12 && i < 30 || i == 40 {
					return 2 + float64(i)/1000
				}
				return 0.5
			})},
			{Name: "a.3.busy", Unit: "requests", Values: values(func(int) float64 { return 3 })},
		},
	}
}

func names(r *scenario.Result) []string {
	var all []string
	for _, s := range r.Series {
		all = append(all, s.Name)
	}
	return all
}

// seen compiles one expression and checks it on a result.
func seen(t *testing.T, r *scenario.Result, that string) scenario.Seen {
	t.Helper()
	f, o := decode(t, that)
	set, problems := compile(f, names(made()), f.Expect, o)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	return set.Check(r)[0]
}

func TestFunctions(t *testing.T) {
	r := made()
	for _, test := range []struct {
		expr string
		want float64
	}{
		{`at(a.ramp, "0s")`, 0},
		{`at(a.ramp, "95s")`, 9},
		{`at(a.ramp, "T+3m")`, 30},
		{`at(a.ramp, "10m")`, 59},
		{`last(a.ramp)`, 59},
		{`least(a.ramp, "T-1m")`, 6},
		{`most(a.ramp, "1m", "2m")`, 11},
		{`mean(a.ramp)`, 29.5},
		{`mean(a.ramp, "5s", "35s")`, 1.5}, // the windows 1 and 2 lie in it whole
		{`mean(a.counted)`, 5},             // a second
		{`total(a.counted, "1m", "2m")`, 300},
		{`total(a.ramp, "0s", "30s")`, 30}, // 0 + 1 + 2, ten seconds each
		{`std(a.counted)`, 0},
		{`std(a.half)`, 1.25},
		{`quantile(a.ramp, 0.5)`, 29.5},
		{`quantile(a.ramp, 0.99, "0s", "10s")`, 0},
		{`slope(a.ramp)`, 0.1},
		{`slope(a.ramp * -2, "1m", "5m")`, -0.2},
		{`share_above(a.hill, 1)`, 19.0 / 60},
		{`share_above(a.hill, 1, "2m", "5m")`, 1},
		{`ratio(a.half, a.counted)`, 0.25},
		{`ratio(a.half, a.counted, "10s", "20s")`, 0},
		{`mean(a.half / a.counted)`, 0.25},
		{`mean(a.counted / a.half)`, 2}, // every other window has none
		{`last(a.ramp - a.counted)`, 54},
		{`last(a.ramp + a.counted)`, 64},
		{`last(a.ramp * 2 + 1)`, 119},
		{`last(1 - a.ramp / 59)`, 0},
		{`last(2 * a.ramp / 2)`, 59},
		{`last(sum_over(a.counted, "5m"))`, 1500},
		{`most(sum_over(a.half, "1m"))`, 75},
		{`least(sum_over(a.ramp, "30s"))`, 30},
		{`last(mean_over(a.counted, "1m"))`, 5},
		{`last(mean_over(a.ramp, "1m"))`, 56.5},
		{`mean(mean_over(a.counted / a.none, "1m") + a.ramp) + 1`, math.NaN()},
		{`mean(series("a.3.busy"))`, 3},
		{`param("cap") + 0`, 0.62},
		{`param("load") + 0`, 100},
		{`param("wait") * 1`, 7},
		{`param("many") - 0`, 3360},
		{`run.good_share + 0`, 0.75},
		{`-last(a.ramp)`, -59},
		{`sqrt(param("many") - 111)`, 57},
		{`(1 > 2 ? 1 : 3) / 2`, 1.5},
	} {
		if math.IsNaN(test.want) {
			if got := seen(t, r, test.expr+" > 0"); got.Held || !strings.Contains(got.Why, "no value") {
				t.Errorf("%s: got %+v, want that it has no value", test.expr, got)
			}
			continue
		}
		got := seen(t, r, fmt.Sprintf("within(%s, %.10f, %.10f)", test.expr, test.want-1e-9, test.want+1e-9))
		if !got.Held {
			t.Error(got.Why)
		}
	}
}

func TestConditions(t *testing.T) {
	r := made()
	for _, test := range []struct {
		expr string
		want bool
		why  string // part of what is told
	}{
		{`crosses(a.hill, 1, "T+10s")`, true, ""},
		{`crosses(a.hill, 1, "T")`, false, "it is 0.5 at most, at T-2m"},
		{`never(a.hill, 1, "5m", "6m30s")`, true, ""},
		{`never(a.hill, 1)`, false, "it is 2.04 at most, at T+4m40s, and first above 1 at T"},
		{`never(a.hill, 1, "7m")`, true, ""},
		{`never(a.none / a.none, 1)`, false, "no value"},
		{`recovers(a.hill, 1, "T+3m", "1m30s")`, true, ""},
		{`recovers(a.hill, 1, "T+3m")`, false, "it is above 1 until T+4m50s, when it is 2.04"},
		{`recovers(a.hill, 1, "T+2m50s", "1m")`, false, "it is above 1 until T+3m"},
		{`recovers(a.hill, 1, "7m")`, true, ""},
		{`recovers(a.hill, 5, "7m")`, false, "it was never above 5"},
		{`first_above(a.hill, 1) == "T"`, true, ""},
		{`first_above(a.hill, 1, "5m") == "6m40s"`, true, ""},
		{`first_above(a.hill, 1, "0s", "2m") == "2m"`, true, ""},
		{`first_above(a.hill, 1, "5m", "20s") == "2m"`, false, "never above 1 for 20s"},
		{`first_above(a.hill, 7) < "5m"`, false, "first_above(a.hill, 7) has no value: never above 7"},
		{`!(first_above(a.hill, 7) < "5m")`, false, "never above 7"},
		{`first_below(a.hill, 1, "T+1m") == "T+3m"`, true, ""},
		{`last_above(a.hill, 1) == "T+4m50s"`, true, ""},
		{`last_above(a.hill, 1, "0s", "6m") - first_above(a.hill, 1) == "3m"`, true, ""},
		{`last_above(a.hill, 1) > "T+9m"`, false, `last_above(a.hill, 1) = T+4m50s, wanted > "T+9m"`},
		{`within(first_above(a.hill, 1), "T-10s", "T+10s")`, true, ""},
		{`within(mean(a.counted), 4, 4.5)`, false, "mean(a.counted) = 5, wanted 4 to 4.5"},
		{`mean(a.counted) > 5`, false, "mean(a.counted) = 5, wanted > 5"},
		{`mean(a.counted) > param("cap") * 10`, false, `mean(a.counted) = 5, wanted > param("cap") * 10 = 6.2`},
		{`mean(a.counted) > 4 && last(a.ramp) < 59`, false, "last(a.ramp) = 59, wanted < 59"},
		{`mean(a.counted) > 5 || last(a.ramp) < 59`, false, "mean(a.counted) = 5, wanted > 5; last(a.ramp) = 59, wanted < 59"},
		{`!(mean(a.counted) < 6)`, false, "mean(a.counted) = 5, wanted not < 6"},
		{`!never(a.hill, 9)`, false, "never(a.hill, 9) holds: it is 2.04 at most"},
		{`1 / 0 > 0`, false, "1 / 0 has no value: divided by 0"},
		{`mean(a.none / a.none) > 0 || true`, true, ""}, // as everywhere in CEL
		{`ratio(a.ramp, a.none) > 0`, false, "the total that is divided by is 0"},
		{`false`, false, "false is false"},
		{`run.good_share > 0.8`, false, "run.good_share = 0.75, wanted > 0.8"},
	} {
		got := seen(t, r, test.expr)
		if got.Held != test.want || !strings.Contains(got.Why, test.why) || got.Held != (got.Why == "") {
			t.Errorf("%s: held %t because %q, want %t because %q", test.expr, got.Held, got.Why, test.want, test.why)
		}
		if got.Seed != 7 {
			t.Errorf("%s: seed %d, want that of the run", test.expr, got.Seed)
		}
	}
}

// TestUnfinished holds that what a run did not come to does not pass, and that
// what it showed until then counts.
func TestUnfinished(t *testing.T) {
	r := made()
	r.End, r.Reached = des.EndEvents, 305
	for i := range r.Series {
		r.Series[i].Values = r.Series[i].Values[:30]
	}
	for _, test := range []struct {
		expr    string
		held    bool
		reached bool
	}{
		{`mean(a.ramp, "1m", "2m") == 8.5`, true, true},
		{`mean(a.ramp) > 0`, false, false},
		{`mean(a.ramp, "4m", "6m") > 0`, false, false},
		{`at(a.ramp, "6m") > 0`, false, false},
		{`last(a.ramp) > 0`, false, false},
		{`never(a.hill, 1)`, false, true},
		{`never(a.hill, 5)`, false, false},
		{`never(a.hill, 5, "6m")`, false, false},
		{`crosses(a.hill, 1, "8m")`, true, true},
		{`crosses(a.hill, 5, "8m")`, false, false},
		{`crosses(a.hill, 5, "5m")`, false, true},
		{`first_above(a.hill, 1) == "2m"`, true, true},
		{`first_above(a.hill, 1, "6m") == "2m"`, false, false},
		{`last_above(a.hill, 1) > "2m"`, false, false},
		{`recovers(a.hill, 1, "4m", "3m")`, false, false},
		{`run.good_share > 0`, false, false},
	} {
		got := seen(t, r, test.expr)
		if got.Held != test.held || got.NotReached == test.reached || !test.reached != strings.HasPrefix(got.Why, "not reached: ") {
			t.Errorf("%s: got %+v, want held %t, reached %t", test.expr, got, test.held, test.reached)
		}
	}
	if got := seen(t, made(), `mean(a.ramp, "11m") > 0`); !got.NotReached {
		t.Errorf("got %+v, want that it is not reached", got)
	}
	got := seen(t, r, `mean(a.ramp, "4m", "T+6m") > 0`).Why
	if want := "not reached: the run ended at T+3m5s (events), and this looks until T+6m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestValuesAreShown(t *testing.T) {
	got := seen(t, made(), `mean(a.counted) > 4 && (first_above(a.hill, 1) > "T-1m" || last(a.ramp) > 3) && never(a.hill, 9, "0s", "5m") && mean(a.counted) < 6`)
	var all []string
	for _, v := range got.Values {
		all = append(all, v.Of+" = "+v.Text)
	}
	want := "mean(a.counted) = 5 | first_above(a.hill, 1) = T+0s | never(a.hill, 9, \"0s\", \"5m\") = true: it is 2.029 at most, at T+2m50s"
	if text := strings.Join(all, " | "); !got.Held || text != want {
		t.Errorf("held %t with %s\nwant %s", got.Held, text, want)
	}
	if v := got.Values[1].Value; v == nil || *v != 120 {
		t.Errorf("the value of a time is %v, want 120 seconds from the start", v)
	}
}
