package output

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0s"}, {2.5e-6, "2.5µs"}, {0.0123, "12.3ms"}, {1.25, "1.25s"}, {90, "90s"}, {120, "2m"}, {130, "2m10s"},
		{600, "10m"}, {3600, "1h"}, {3660, "1h1m"}, {7230, "2h0m30s"},
	} {
		if got := Seconds(c.in); got != c.want {
			t.Errorf("Seconds(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0%"}, {0.00002, "0.002%"}, {0.034, "3.4%"}, {0.5, "50%"}, {0.9995, ">99.9%"}, {0.994, "99.4%"}, {1, "100%"},
	} {
		if got := share(c.in); got != c.want {
			t.Errorf("share(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	for _, c := range []struct {
		values []float64
		width  int
		want   string
	}{
		{nil, 10, ""}, {[]float64{0, 0}, 10, "  "}, {[]float64{0, 1, 2, 4, 8}, 10, " ▂▃▅█"},
		{[]float64{8, 8, 0, 0}, 2, "█ "}, {[]float64{1, 3}, 1, "█"},
	} {
		if got := sparkline(c.values, c.width); got != c.want {
			t.Errorf("sparkline(%v, %d) = %q, want %q", c.values, c.width, got, c.want)
		}
	}
}

func aRun() *study.Answer {
	return &study.Answer{Runs: []study.Run{{
		Marks: []study.Mark{{At: 1, Until: 3, About: bilingual.Text{En: "<the trigger> & co"}}},
		Result: &scenario.Result{
			Name: "a | b <c>", End: des.EndTime, Reached: 4, Window: 1, Windows: 4,
			Sources: []scenario.Goodput{{Source: "users", Offered: 100, Good: 90, Failed: 10, Mean: 0.01, P99: 0.1}},
			Series: []des.Series{
				{Name: "users.good", Unit: "count", Values: []float64{30, 30, 0, 30}},
				{Name: "users.latency.p99", Unit: "seconds", Values: []float64{0.1, 0.2, 0, 0.1}},
				{Name: "db.queue", Unit: "calls", Values: []float64{0, 0, 5, 1}},
			},
		},
	}}}
}

// wellFormed reads a picture as XML, names of anybody in it included.
func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v\n%s", err, svg)
		}
	}
}

func TestChart(t *testing.T) {
	var b bytes.Buffer
	if err := Chart(&b, &aRun().Runs[0], bilingual.English, true); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.Bytes())
	for _, want := range []string{"a | b &lt;c&gt;", "&lt;the trigger&gt; &amp; co", ">latency.p99<", ">queue<", "prefers-color-scheme:dark"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Error("a place in the picture is no number")
	}
}

func TestRunPage(t *testing.T) {
	for l, want := range map[bilingual.Lang]string{bilingual.English: "Every law held", bilingual.Korean: "모든 보존 법칙이 성립했다"} {
		var text, md bytes.Buffer
		page := AnswerPage(aRun(), l, true)
		if err := Text(&text, page, Terminal{Width: 80}); err != nil {
			t.Fatal(err)
		}
		if err := Markdown(&md, page); err != nil {
			t.Fatal(err)
		}
		for _, out := range []string{text.String(), md.String()} {
			if !strings.Contains(out, want) || !strings.Contains(out, "90 (90%)") {
				t.Errorf("the page in %s is\n%s", l, out)
			}
		}
	}
}

func TestMap(t *testing.T) {
	m := &study.PhaseMap{
		Map: &verdict.Map{
			Name: "m", X: verdict.Axis{Setting: "load", Values: []string{"1/s", "2/s", "3/s"}},
			Y:     verdict.Axis{Setting: "retries", Values: []string{"0", "10"}},
			Cells: [][]verdict.Class{{verdict.Stable, verdict.Driven, verdict.Overloaded}, {verdict.Vulnerable, verdict.Metastable, verdict.Overloaded}},
		},
		Foretold: [][]study.Foretold{
			{study.ForetoldSafe, study.ForetoldSafe, study.ForetoldLoad},
			{study.ForetoldSafe, study.ForetoldRetries, study.ForetoldLoad},
		},
	}
	if got, want := grid(m), "10  V|M‖O\n 0  s d‖O\n    1/s 3/s\n"; got != want {
		t.Errorf("the map is\n%s, want\n%s", got, want)
	}
	var b bytes.Buffer
	if err := MapChart(&b, m, bilingual.Korean); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.Bytes())
}

func TestUpperFirst(t *testing.T) {
	for in, want := range map[string]string{"": "", "the load": "The load", "데이터베이스": "데이터베이스", "é": "É"} {
		if got := upperFirst(in); got != want {
			t.Errorf("upperFirst(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestCounterfactual says of a trigger what the system does without retries and
// hedges: where it stays down, no time is told.
func TestCounterfactual(t *testing.T) {
	for down, want := range []string{
		"without retries and hedges: healthy after 3s",
		"without retries and hedges: 1 of 2 runs do not come back either, the others are healthy after 3s",
		"without retries and hedges it does not come back either",
	} {
		trial := verdict.Trial{Seeds: 2, CalmRuns: 2, CalmDown: down, Counterfactual: 3, Tip: verdict.Wilson(2, 2)}
		sub := trialItem(trial, bilingual.English).Sub
		if got := sub[len(sub)-1]; got != want {
			t.Errorf("%d of 2 down: %q, want %q", down, got, want)
		}
		ko := trialItem(trial, bilingual.Korean).Sub
		if strings.Contains(ko[len(ko)-1], "%!") {
			t.Errorf("in Korean: %q", ko[len(ko)-1])
		}
	}
}

// TestEndedEarly writes a judgment of which no run had ended.
func TestEndedEarly(t *testing.T) {
	a := &study.Answer{
		Name: "slow", Command: "precedent judge system.yaml", Missing: []bilingual.Text{{En: "10 of 10 runs: without a trigger"}},
		Judgment: &study.Judgment{Judgment: &verdict.Judgment{Why: bilingual.Text{En: "the judgment was interrupted"}, Baseline: verdict.Baseline{Unhealthy: verdict.Wilson(0, 0)}}},
	}
	var b bytes.Buffer
	if err := Markdown(&b, AnswerPage(a, bilingual.English, false)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"it lacks: 10 of 10 runs: without a trigger", "slow: not judged to the end", "no run had ended"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "went down by itself") {
		t.Errorf("it says how long nothing has been watched:\n%s", b.String())
	}
	a.Judgment = nil
	b.Reset()
	if err := Markdown(&b, AnswerPage(a, bilingual.English, false)); err != nil || !strings.Contains(b.String(), "it lacks") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestMapFigure draws a map to stand in a page: the formula of the file as a line
// through its places, and thin letters where nothing was run.
func TestMapFigure(t *testing.T) {
	m := &study.PhaseMap{
		Map: &verdict.Map{
			Name: "m", X: verdict.Axis{Setting: "load", Values: []string{"1/s", "2/s", "3/s"}},
			Y:     verdict.Axis{Setting: "<retries>", Values: []string{"0", "10"}},
			Cells: [][]verdict.Class{{verdict.Stable, verdict.Driven, verdict.Overloaded}, {verdict.Vulnerable, verdict.Metastable, verdict.Overloaded}},
			Ran:   [][]bool{{true, false, true}, {true, true, true}}, Judged: 5,
		},
		Foretold: [][]study.Foretold{{study.ForetoldSafe, study.ForetoldSafe, study.ForetoldSafe}, {study.ForetoldSafe, study.ForetoldSafe, study.ForetoldSafe}},
		Edges: []study.MapEdge{
			{Name: bilingual.Text{En: "full", Ko: "가득"}, Formula: "load = c", Along: "x", At: []string{"1.5/s", "9/s"}, Places: []float64{0.5, 3}},
			{Name: bilingual.Text{En: "patient", Ko: "참을성"}, Formula: "r = 5", Along: "y", At: []string{"5", "5", "5"}, Places: []float64{0.5, 0.5, 0.5}},
		},
	}
	svg := MapFigure(m, bilingual.English)
	wellFormed(t, []byte(svg))
	if strings.Count(svg, "between") != 1 || strings.Count(svg, `class="theory"`) != 2 || !strings.Contains(svg, "stable 1") {
		t.Errorf("the picture is %s", svg)
	}
	lines := strings.Join(MapEdges(m, bilingual.English), "\n")
	if want := "full, by the formula `load = c`: load = 1.5/s from <retries> = 0 on, 9/s from <retries> = 10 on.\npatient, by the formula `r = 5`: <retries> = 5."; lines != want {
		t.Errorf("the edges are\n%s, want\n%s", lines, want)
	}
}

// TestMoment tells of a trigger that does something once how strong it must be.
func TestMoment(t *testing.T) {
	e := verdict.Edge{Trigger: bilingual.Text{En: "a cut"}, Moment: true}
	if got := edgeItem(e, bilingual.English).Text; got != "does not tip the system, which takes a moment" {
		t.Errorf("one that does not tip: %q", got)
	}
	e.Tips, e.Around[1] = true, verdict.Wilson(3, 3)
	e.Frontier = []verdict.Point{{Magnitude: 0.75, Tips: true}, {Magnitude: 0.625}, {Magnitude: 0.5}}
	got := SmallestText(&app.Judged{Smallest: &e}, bilingual.English)
	if want := "a cut takes a moment and tips 100% (44%–100%) of the runs; the weakest that tips it has 75% of its size; 62% does not."; got != want {
		t.Errorf("one that does: %q, want %q", got, want)
	}
}
