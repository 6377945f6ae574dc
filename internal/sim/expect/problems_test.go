package expect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// TestProblems holds the place and the words of what is wrong with expressions. A
// caret stands below the letter that is pointed at.
func TestProblems(t *testing.T) {
	for _, test := range []struct{ that, at, want string }{
		{`mean(db.quee) < 3`,
			`     ^`, `no series is named "db.quee"; did you mean "db.queue"?`},
		{`mean(cache.busy) < 3`,
			`     ^`, `no series is named "cache.busy"; the parts are users, db, web-1`},
		{`3 + queue < 3`,
			`    ^`, `no series is named "queue"; the parts are users, db, web-1`},
		{`mean(series("web-1.bussy")) < 3`,
			`     ^`, `no series is named "web-1.bussy"; did you mean "web-1.busy"?`},
		{`series(db.queue) > 3`,
			`^`, `series takes a name in quotes; write series("db.0.queue")`},
		{`mean(web-1.queue) < 3`,
			`     ^`, `the name web-1.queue cannot stand by itself here; write series("web-1.queue")`},
		{`most(web-1.calls[0].open.peak) < 3`,
			`     ^`, `the name web-1.calls[0].open.peak cannot stand by itself here; write series("web-1.calls[0].open.peak")`},
		{`db.queue > 3`,
			`         ^`, `> does not go with a series, which has many values; take the mean, least, most or last of it, or share_above`},
		{`mean(db.queue, 60) > 3`,
			`               ^`, `mean wants a time as its from, and got a number; write it as text, such as "5m" or "T+5m"`},
		{`mean(db.queue, "soon") > 3`,
			`               ^`, `"soon" is no time; write one such as 90s or 5m, from the start of the run, or T+5m, from run.zero`},
		{`mean() > 3`,
			`^`, `mean has 0 arguments; write mean(series[, from[, to]])`},
		{`share_above(db.queue, db.busy) > 3`,
			`                      ^`, `share_above wants a number as its level, and got a series; take the mean, least, most or last of it`},
		{`mean(db.queue)`,
			`^`, `this gives a number, and not whether something holds; compare it, such as mean(db.busy) < 0.9`},
		{`db.queue.mean() > 3`,
			`^`, `functions do not come after a dot, as "mean" does; write mean(series[, from[, to]])`},
		{`1 > 0 && maen(db.queue) > 3`,
			`         ^`, `no function is named "maen"; did you mean "mean"?`},
		{`first_above(db.queue, 3) > 5`,
			`                         ^`, `a time is compared with a number; write times as text, such as "5m"; a number of seconds is none`},
		{`mean(db.queue) && true`,
			`^`, `&& wants a condition, and got a number; compare it, such as x > 0.9`},
		{`mean(db.queue + "5m") > 3`,
			`              ^`, `+ does not go with a series and a time; combine series and numbers, or times and times`},
		{`mean(db.queue, "5m", "4m") > 3`,
			`^`, `no whole window of 10s lies between T+3m and T+2m; let it end later, or make the windows of run.window shorter`},
		{`mean(db.queue, "T-5m") > 3`,
			`               ^`, `T-5m is before the start of the run; begin later, or let run.zero be later`},
		{`last(mean_over(db.queue, "25s")) > 3`,
			`                         ^`, `25s is not so many windows of 10s; write a multiple of run.window`},
		{`recovers(db.queue, 3, "5m", "T+1m")`,
			`                            ^`, `hold says for how long, not when; write it without T, such as "5m"`},
		{`param("lod") > 3`,
			`^`, `no parameter "lod" exists; did you mean "load"?`},
		{`param("order") > 3`,
			`^`, `the parameter "order" is "fifo", which is no number; write the number that is meant`},
		{`3 % 2 > 0`,
			`  ^`, `this operator is not part of expectations; write && || ! ?: and == != < <= > >=, or + - * /`},
		{`[1].exists(x, x > 0)`,
			`^`, `functions do not come after a dot, as "exists" does; the functions are `},
		{`mean(db.queue >`,
			`              ^`, "the expression ends where more must follow; write a condition in CEL"},
		{`mean(db.queue) > 3 ? 1 : "2m"`,
			`                         ^`, `one way gives a number, the other a time; let both give the same`},
		{`mean(db.queue, "T+9m") > 3`,
			`               ^`, `this looks until T+9m, and the run ends at T+8m; let it run for longer: as it is, it cannot hold`},
		{`never(db.queue, 3) == within(3, 2, "4m")`,
			`                                   ^`, `within wants a number or time as its most, and got a time; the form is within(value, least, most)`},
		{`b'x' == null`,
			`^`, `this is no number, time, series or condition; write a number such as 0.9, or a time such as "5m"`},
	} {
		f, o := decode(t, test.that)
		_, problems := Compile(f, f.Expect, o)
		lines := strings.Split(string(o.Src), "\n")
		first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  - {name: e0") })
		col := strings.Index(lines[first], "that: '") + len("that: '") + len(test.at) // that, from 1
		want := fmt.Sprintf("tried.yaml:%d:%d: ", first+1, col)
		if n := strings.Count(test.that, "'"); n > 0 && len(test.at) > 1 {
			t.Fatalf("%s: this test counts letters that stand once", test.that)
		}
		if len(problems) == 0 || !strings.HasPrefix(problems[0].String(), want) || !strings.Contains(problems[0].String(), test.want) {
			t.Errorf("%s\n%s\ngot  %v\nwant %s… %s", test.that, test.at, problems, want, test.want)
		}
	}
}

// TestAllProblemsAtOnce holds that one mistake hides no other, and causes none.
func TestAllProblemsAtOnce(t *testing.T) {
	f, o := decode(t, `mean(db.quee) < 3 && maen(db.queue) > 0 && param("lod") > 1`, `mean(db.busy) > 1`, `last(web-1.queue) > first_above(web-1.queue, "x")`)
	set, problems := Compile(f, f.Expect, o)
	if len(problems) != 7 {
		t.Errorf("got %d problems, want 7:\n%v", len(problems), problems)
	}
	if len(set.all) != 1 {
		t.Errorf("%d expectations are ready, want 1", len(set.all))
	}
}

func TestBounds(t *testing.T) {
	f, o := decode(t, "mean(db.busy) > 1 "+strings.Repeat("&& true ", maxLength/8), strings.Repeat("(", 300)+"true"+strings.Repeat(")", 300),
		"1"+strings.Repeat("+1", 900)+" > 0")
	if _, problems := Compile(f, f.Expect, o); len(problems) < 2 || !strings.Contains(problems[0].Msg, "letters") {
		t.Errorf("got %v, want that the expressions are too long and too deep", problems)
	}
	f, o = decode(t, strings.Repeat("least(db.busy*1*1*1*1*1*1*1*1*1*1)>1 && ", 20)+"true")
	f.Run.For, f.Run.Window = 100_000_000_000_000, 1_000_000_000
	if _, problems := Compile(f, f.Expect, o); !strings.Contains(problems.Error(), "windows, and may read") {
		t.Errorf("got %v, want that it costs too much", problems)
	}
	f.Expect = make([]scenario.Expectation, maxCount+1)
	if _, problems := Compile(f, f.Expect, o); len(problems) != 1 || problems[0].Rule != "too-many" {
		t.Errorf("got %v, want that there are too many", problems)
	}
}

// TestPlaces holds that a problem is found however the text is written.
func TestPlaces(t *testing.T) {
	for _, written := range []string{
		"that: mean(db.busy) < 3 && mean(db.quee) < 3",
		`that: "mean(db.busy) < 3 && first_above(db.busy, 1) > \"5m\" && mean(db.quee) < 3"`,
		`that: 'mean(db.busy) < 3 && first_above(db.busy, 1) > ''5m'' && mean(db.quee) < 3'`,
		"that: >-\n      mean(db.busy) < 3 &&\n      mean(db.quee) < 3",
		"that: |\n      mean(db.busy) < 3 &&\n\n        mean(db.quee) < 3",
		"that: mean(db.busy) < 3 &&\n      mean(db.quee) < 3",
		"about: 걱정\n    that: mean(db.busy) < 3 && mean(db.quee) < 3 # 걱정",
	} {
		src := tried + "expect:\n  - name: one\n    " + written + "\n"
		f := new(scenario.File)
		doc, problems := strictyaml.Decode("tried.yaml", []byte(src), f)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		_, problems = Compile(f, f.Expect, Origin{Doc: doc, Src: []byte(src), Path: "expect"})
		before, _, _ := strings.Cut(src, "db.quee)")
		line := strings.Count(before, "\n") + 1
		col := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
		if len(problems) != 1 || problems[0].Line != line || problems[0].Col != col {
			t.Errorf("%s\ngot %v, want it at %d:%d", written, problems, line, col)
		}
	}
}

// FuzzCompile holds that no text makes the compiler panic or take long, and that
// what it accepts can be checked.
func FuzzCompile(f *testing.F) {
	for _, that := range []string{
		`mean(a.ramp, "T+1m", "5m") > 0.9 && !never(a.hill, 1)`, `within(first_above(a.hill, 1, "0s", "2m"), "T", "5m")`,
		`series("a.3.busy") + 1 == 3`, `last(sum_over(a.counted / a.none, "1m")) != -1`, `param("cap") > run.good_share ? true : false`,
		`a.3.busy`, `web-1.calls[0].open`, `recovers(a.hill, 1, "7m") || quantile(a.ramp, 2) > 1`, `"`, `((((`, `a.b.c.d(e).f[g]{h: i}`,
	} {
		f.Add(that)
	}
	r := made()
	f.Fuzz(func(t *testing.T, that string) {
		file, o := decode(t)
		list := []scenario.Expectation{{Name: "one", That: that, Share: 1}}
		set, problems := compile(file, names(r), list, o)
		for _, p := range problems {
			if p.Msg == "" || p.Help == "" || strings.Contains(p.Msg, "does not compile") {
				t.Errorf("%q: %v", that, p)
			}
		}
		if len(problems.Errors()) == 0 && len(set.all) != 1 {
			t.Errorf("%q is neither wrong nor ready", that)
		}
		for _, seen := range set.Check(r) {
			if seen.Held == (seen.Why != "") || strings.Contains(seen.Why, "no such overload") || strings.Contains(seen.Why, "internal") {
				t.Errorf("%q: %+v", that, seen)
			}
		}
	})
}

// TestPrepare holds that the expectations of variants and the gain of a page's loop
// are looked at with the file, each where it stands, and that those of a variant are
// its own.
func TestPrepare(t *testing.T) {
	const src = tried + `expect:
  - {name: one, that: mean(db.busi) > 1}
variants:
  - name: fewer
    set: {db.workers: 2, run.for: 5m, cap: 70%}
    expect:
      - {name: two, that: 'mean(db.busy, "0s", "9m") > param("cap")'}
      - {name: three, that: mean(db.busi) > 1}
page:
  loop: {steps: [one], gain: db.busy}
`
	f, problems := scenario.Decode("tried.yaml", []byte(src), nil)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	_, problems = Prepare(f, "tried.yaml", []byte(src), nil)
	want := []string{
		`:15:28: error: expect[0].that: no series is named "db.busi"`,
		`:20:48: warning: variants[0].expect[0].that: this looks until T+7m, and the run ends at T+3m`,
		`:21:34: error: variants[0].expect[1].that: no series is named "db.busi"`,
		`:23:30: error: page.loop.gain: this gives a series, and not a number; write one such as mean(db.busy)`,
	}
	lines := strings.Split(problems.Error(), "\n")
	for i := range max(len(want), len(lines)) {
		if i >= len(want) || i >= len(lines) || !strings.HasPrefix(lines[i], "tried.yaml"+want[i]) {
			t.Fatalf("got\n%v\nwant\n%s", problems, strings.Join(want, "\n"))
		}
	}
	good := strings.ReplaceAll(src, "busi", "busy")
	f, problems = scenario.DecodeVariant("tried.yaml", []byte(good), "fewer", nil)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	checks, problems := Prepare(f, "tried.yaml", []byte(good), nil)
	if got := checks.Expectations(); len(got) != 2 || got[0].Name != "two" || len(problems.Errors()) > 0 {
		t.Errorf("got %+v and %v, want those of the variant", got, problems)
	}
	c := checks.(*Set).all[0]
	seen := c.check(newView(f, &scenario.Result{End: "time", Reached: 300}))
	if !strings.Contains(seen.Why, "no series") {
		t.Errorf("got %+v, want that there is no series", seen)
	}
}
