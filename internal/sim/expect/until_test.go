package expect

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// TestUntil holds what is known of how far an expectation looks to what it shows: a run
// that was cut there shows the same as a whole one. At the end of a run stands 0.
func TestUntil(t *testing.T) {
	for _, test := range []struct {
		expr string
		want time.Duration
	}{
		{`at(a.ramp, "T+1m") == 18.0`, 3*time.Minute + 10*time.Second},
		{`at(a.ramp, "65s") > 3.0`, 80 * time.Second},
		{`at(a.ramp, "1m" + "1m") > 3.0`, 0},
		{`crosses(a.hill, 1, "T+3m")`, 5 * time.Minute},
		{`crosses(a.hill, 5, "T+3m")`, 5 * time.Minute},
		{`first_above(a.hill, 1) == "2m"`, 0},
		{`first_above(a.hill, 1, "1m", "30s") == "2m"`, 0},
		{`last(a.ramp) == 59.0`, 0},
		{`last_above(a.hill, 1, "0s", "T+5m") > "T+2m"`, 7 * time.Minute},
		{`last_above(a.hill, 1) > "T+2m"`, 0},
		{`mean(a.ramp) > 3.0`, 0},
		{`mean(a.ramp, "1m") > 3.0`, 0},
		{`mean(a.ramp, "1m", "2m") == 8.5 && most(a.hill, "0s", "4m") > 2.0`, 4 * time.Minute},
		{`mean(a.ramp, "1m", "125s") > 3.0`, 130 * time.Second},
		{`never(a.hill, 5, "0s", "3m") || mean(a.ramp) > 3.0`, 0},
		{`most(mean_over(a.hill, "1m"), "0s", "3m") > 1.0`, 3 * time.Minute},
		{`most(mean_over(a.hill, "1m")) > 1.0`, 0},
		{`ratio(a.half, a.counted, "1m", "3m") == 0.25`, 3 * time.Minute},
		{`recovers(a.hill, 1, "T+5m")`, 0},
		{`recovers(a.hill, 1, "T+5m", "2m")`, 9 * time.Minute},
		{`within(mean(a.counted, "0s", "1m"), param("cap"), 6.0)`, time.Minute},
		{`run.good_share > 0.7 && mean(a.ramp, "0s", "1m") > 1.0`, 0},
		{`mean(a.ramp / a.counted, "0s", "10m") > 1.0`, 0},
	} {
		f, o := decode(t, test.expr)
		whole := made()
		set, problems := compile(f, names(whole), f.Expect, o)
		if len(problems) > 0 {
			t.Errorf("%s: %v", test.expr, problems)
			continue
		}
		want := des.FromSeconds(test.want.Seconds())
		if want == 0 {
			want = f.Run.For.Time()
		}
		until := set.Until()
		if until != want {
			t.Errorf("%s: looks until %v, want %v", test.expr, until.Seconds(), want.Seconds())
		}
		cut := made()
		cut.Reached = until.Seconds()
		for i := range cut.Series {
			cut.Series[i].Values = cut.Series[i].Values[:until/f.Run.Window.Time()]
		}
		if diff := cmp.Diff(set.Check(whole), set.Check(cut)); diff != "" {
			t.Errorf("%s: a run that was cut shows something else (-whole +cut):\n%s", test.expr, diff)
		}
	}
}

// TestCutRun holds that a run that was cut has shown nothing of what counts over a
// whole one.
func TestCutRun(t *testing.T) {
	r := made()
	r.Reached = 300
	if got := seen(t, r, `run.good_share > 0`); got.Held || !got.NotReached {
		t.Errorf("half of a run gives %+v, want that it is not reached", got)
	}
}
