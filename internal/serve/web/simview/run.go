package simview

import (
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// run shows the course of a run; its numbers too where there is no verdict.
func (v *view) run(one *study.Run, numbers bool) {
	r, marks := one.Result, one.Marks
	v.f(`<section class="sim-run"><h2>%s</h2><p class="sub">%s</p>`,
		v.w("run"), v.w("figure", v.span(r.Reached), count(float64(r.Events)), int(r.Seed)))
	if !r.End.Finished() {
		v.f(`<p class="fail">%s</p>`, v.w("unfinished", v.span(r.Reached)))
	}
	if numbers {
		v.backAgain(r, marks)
	}
	switch {
	case r.Windows == 0:
	case len(one.Charts) > 0:
		v.drawn(one.Charts, &chart{view: v, end: float64(r.Windows) * r.Window, marks: marks})
	case len(r.Series) > 0:
		v.charts(r, marks)
	}
	v.expectations(one)
	v.sources(r.Sources)
	v.WriteString("</section>\n")
}

// backAgain compares the end of a run with what was before its first change.
func (v *view) backAgain(r *scenario.Result, marks []study.Mark) {
	if len(marks) == 0 || r.Windows < 20 {
		return
	}
	first := int(marks[0].At / r.Window)
	offered, good := total(r, ".offered"), total(r, ".good")
	if first < 2 || first > len(offered) || len(good) != len(offered) {
		return
	}
	share := func(from, to int) float64 {
		o, g := 0.0, 0.0
		for i := from; i < to; i++ {
			o += offered[i]
			g += good[i]
		}
		if o == 0 {
			return 0
		}
		return min(g/o, 1)
	}
	n := len(offered)
	after, before := share(n-max(n/10, 1), n), share(0, first)
	class := "heal"
	if after < 0.9*before {
		class = "fail"
	}
	v.f(`<p class="%s"><b>%s</b></p>`, class, v.w("came-back", percent(after), percent(before)))
}

// total sums the series of all sources.
func total(r *scenario.Result, suffix string) []float64 {
	var sum []float64
	for _, g := range r.Sources {
		for _, s := range r.Series {
			if s.Name != g.Source+suffix {
				continue
			}
			if sum == nil {
				sum = make([]float64, len(s.Values))
			}
			for i, x := range s.Values {
				sum[i] += x
			}
		}
	}
	return sum
}

// line is one line of a chart.
type line struct {
	name   string
	class  string
	values []float64
}

// charts draws the panels, all over the same time.
func (v *view) charts(r *scenario.Result, marks []study.Mark) {
	end := float64(r.Windows) * r.Window
	c := &chart{view: v, end: end, marks: marks}
	perSecond := func(values []float64) []float64 {
		out := make([]float64, len(values))
		for i, x := range values {
			out[i] = x / r.Window
		}
		return out
	}
	c.marksRow()
	c.panel(c.w("goodput"), []line{
		{v.w("offered"), "soft", perSecond(total(r, ".offered"))},
		{v.w("good"), "heal", perSecond(total(r, ".good"))},
	}, count)
	c.panel(c.w("errors"), []line{
		{v.w("failed"), "fail", perSecond(total(r, ".failed"))},
		{v.w("late"), "recover", perSecond(total(r, ".late"))},
	}, count)
	var latency []line
	for i, g := range r.Sources {
		if s := find(r.Series, g.Source+".latency.p99"); s != nil && i < maxLines {
			latency = append(latency, line{g.Source, lineClass(i), s.Values})
		}
	}
	c.panel(c.w("latency"), latency, v.span)
	c.panel(c.w("queues"), largest(r.Series, ".queue", nil), count)
	if messages := largest(r.Series, ".backlog", nil); len(messages) > 0 {
		c.panel(c.w("backlogs"), messages, count)
	}
	c.panel(c.w("retries"), largest(r.Series, ".retries", perSecond), count)
	c.axis()
}

func find(all []des.Series, name string) *des.Series {
	i := slices.IndexFunc(all, func(s des.Series) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// maxLines is how many lines of a panel can be told apart.
const maxLines = 4

func lineClass(i int) string { return []string{"a", "b", "c", "d"}[i] }

// largest returns the series of a suffix that reach highest.
func largest(all []des.Series, suffix string, change func([]float64) []float64) []line {
	var lines []line
	for _, s := range all {
		name, ok := strings.CutSuffix(s.Name, suffix)
		if !ok || len(s.Values) == 0 || slices.Max(s.Values) == 0 {
			continue
		}
		values := s.Values
		if change != nil {
			values = change(values)
		}
		lines = append(lines, line{name: name, values: values})
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		x, y := slices.Max(a.values), slices.Max(b.values)
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	lines = lines[:min(len(lines), maxLines)]
	for i := range lines {
		lines[i].class = lineClass(i)
	}
	return lines
}

// sources shows the sums of a run.
func (v *view) sources(all []scenario.Goodput) {
	v.f(`<h3>%s</h3><div class="sim-table"><table><thead><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>p99</th></tr></thead><tbody>`,
		v.w("numbers"), v.w("source"), v.w("offered"), v.w("good"), v.w("late"), v.w("failed"), v.w("waiting"), v.w("mean"))
	for _, g := range all {
		v.f("<tr><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%s</td><td>%s</td></tr>",
			g.Source, g.Offered, g.Good, g.Late, g.Failed, g.Waiting, v.span(g.Mean), v.span(g.P99))
	}
	v.WriteString("</tbody></table></div>\n")
}
