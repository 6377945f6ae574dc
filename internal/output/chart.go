package output

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// The charts are written by hand: lines with their names beside them, light and
// dark by style sheet, is less than any plotting library asks for. The one that
// is well kept, gonum/plot, brings eight modules and fonts of its own, and its
// colours are fixed.

// The measures of a chart, in pixels.
const (
	chartWidth  = 960
	chartLeft   = 64
	chartRight  = 220 // room for the names of the lines
	chartTop    = 64
	panelHeight = 120
	panelGap    = 34
	chartBottom = 44
)

const chartStyle = `
svg{--paper:#fdfdfb;--ink:#1d1d1b;--quiet:#6b6b66;--rule:#d9d9d2;--failing:#c8401c;--recovering:#a86a00;--healthy:#00756b;--a:#35507a;--b:#7a4f79;--c:#5d6a2f;background:var(--paper)}
@media (prefers-color-scheme:dark){svg{--paper:#161614;--ink:#ecece6;--quiet:#a3a39b;--rule:#3a3a36;--failing:#ff8a66;--recovering:#f0b44c;--healthy:#4fc4b6;--a:#9db8e6;--b:#d6a8d5;--c:#b9c981}}
text{font:13px system-ui,sans-serif;fill:var(--ink)}.quiet{fill:var(--quiet)}.title{font-size:17px;font-weight:600}
.rule{stroke:var(--rule)}.band{fill:var(--rule);opacity:.5}.line{fill:none;stroke-width:1.6;stroke-linejoin:round}
`

// tones are the colours of lines by the last word of a series: the signals where
// they mean something, others in turn.
var tones = map[string]string{
	"good": "--healthy", "ok": "--healthy", "done": "--healthy",
	"failed": "--failing", "timed_out": "--failing", "refused": "--failing", "late": "--recovering", "offered": "--quiet",
}

var otherTones = []string{"--a", "--b", "--c", "--ink"}

// panel is the series that share a scale.
type panel struct {
	title  string
	unit   string
	series []des.Series
}

// Chart writes a run as an SVG picture: a panel for each part and unit over one
// time axis. The series are those of the run if all is set, else those that tell
// most.
func Chart(w io.Writer, r *study.Run, l bilingual.Lang, all bool) error {
	series := r.Series
	if !all {
		series = r.Chosen()
	}
	panels := panelsOf(series, r.Window)
	height := chartTop + len(panels)*(panelHeight+panelGap) + chartBottom - panelGap
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		chartWidth, height, chartWidth, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(r.Name), chartStyle)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="var(--paper)"/><text class="title" x="%d" y="30">%s</text>`+"\n",
		chartLeft, html.EscapeString(r.Name))
	c := chart{out: &b, run: r, lang: l, span: max(float64(r.Windows)*r.Window, r.Window)}
	bottom := chartTop + len(panels)*(panelHeight+panelGap) - panelGap
	c.marks(bottom)
	for i, p := range panels {
		c.panel(p, chartTop+i*(panelHeight+panelGap))
	}
	c.axis(bottom)
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// panelsOf sorts series into panels in the order of their first.
func panelsOf(series []des.Series, window float64) []panel {
	var panels []panel
	for _, s := range series {
		part, _, _ := strings.Cut(s.Name, ".")
		values, unit := perSecond(s, window)
		s.Values = values
		i := slices.IndexFunc(panels, func(p panel) bool { return p.title == part && p.unit == unit && len(p.series) < 6 })
		if i < 0 {
			panels = append(panels, panel{title: part, unit: unit})
			i = len(panels) - 1
		}
		panels[i].series = append(panels[i].series, s)
	}
	return panels
}

type chart struct {
	out  *bytes.Buffer
	run  *study.Run
	lang bilingual.Lang
	span float64 // seconds
}

func (c *chart) x(seconds float64) float64 {
	return chartLeft + seconds/c.span*(chartWidth-chartLeft-chartRight)
}

// marks draws what is done to the system as bands behind all panels.
func (c *chart) marks(bottom int) {
	row := 0
	for _, m := range c.run.Marks {
		from, to := c.x(min(m.At, c.span)), c.x(min(m.Until, c.span))
		if m.Until == 0 {
			to = from
		}
		fmt.Fprintf(c.out, `<rect class="band" x="%.1f" y="%d" width="%.1f" height="%d"/>`+"\n", from, chartTop-8, max(to-from, 1), bottom-chartTop+8)
		if row < 4 {
			fmt.Fprintf(c.out, `<text class="quiet" x="%.1f" y="%d">%s</text>`+"\n", from, chartTop-12, html.EscapeString(Read(&m.About, c.lang)))
		}
		row++
	}
}

func (c *chart) panel(p panel, top int) {
	high := 0.0
	for _, s := range p.series {
		if len(s.Values) > 0 {
			_, most := span(s.Values)
			high = max(high, most)
		}
	}
	high = niceAbove(high)
	fmt.Fprintf(c.out, `<text x="%d" y="%d">%s <tspan class="quiet">%s</tspan></text>`+"\n", chartLeft, top-4, html.EscapeString(p.title), html.EscapeString(p.unit))
	for _, share := range []float64{0, 0.5, 1} {
		y := float64(top) + (1-share)*panelHeight
		fmt.Fprintf(c.out, `<line class="rule" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/><text class="quiet" text-anchor="end" x="%d" y="%.1f">%s</text>`+"\n",
			chartLeft, chartWidth-chartRight, y, y, chartLeft-8, y+4, number(high*share))
	}
	type label struct {
		y    float64
		text string
		tone string
	}
	var labels []label
	for i, s := range p.series {
		if len(s.Values) == 0 {
			continue
		}
		name := strings.TrimPrefix(s.Name, p.title+".")
		tone := tones[name[strings.LastIndex(name, ".")+1:]]
		if tone == "" {
			tone = otherTones[i%len(otherTones)]
		}
		last := c.line(s.Values, top, high, tone, s.Unit == "seconds")
		labels = append(labels, label{last, name, tone})
	}
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.y, b.y) })
	for i := range labels { // apart from each other, first downwards, then upwards
		if i > 0 {
			labels[i].y = max(labels[i].y, labels[i-1].y+15)
		}
	}
	for i := len(labels) - 1; i >= 0; i-- {
		limit := float64(top + panelHeight)
		if i < len(labels)-1 {
			limit = labels[i+1].y - 15
		}
		labels[i].y = min(labels[i].y, limit)
	}
	for _, l := range labels {
		fmt.Fprintf(c.out, `<text x="%d" y="%.1f" style="fill:var(%s)">%s</text>`+"\n", chartWidth-chartRight+8, l.y+4, l.tone, html.EscapeString(l.text))
	}
}

// line draws values and returns where the last one is. Of more values than
// pixels, the least and the largest of each pixel are drawn. With gaps, a 0 means
// that nothing was measured.
func (c *chart) line(values []float64, top int, high float64, tone string, gaps bool) float64 {
	const columns = chartWidth - chartLeft - chartRight
	var path strings.Builder
	letter := "M"
	y := func(v float64) float64 { return float64(top) + (1-v/high)*panelHeight }
	point := func(at int, v float64) {
		fmt.Fprintf(&path, "%s%.1f %.1f", letter, c.x((float64(at)+0.5)*c.run.Window), y(v))
		letter = "L"
	}
	for from := 0; from < len(values); {
		to := max((from*columns/len(values)+1)*len(values)/columns, from+1)
		to = min(to, len(values))
		low, most := span(values[from:to])
		if gaps && most == 0 {
			letter, from = "M", to
			continue
		}
		point(from, low)
		if most != low {
			point(from, most)
		}
		from = to
	}
	fmt.Fprintf(c.out, `<path class="line" style="stroke:var(%s)" d="%s"/>`+"\n", tone, path.String())
	return y(values[len(values)-1])
}

// axis writes the time below all panels.
func (c *chart) axis(bottom int) {
	step := niceStep(c.span / 6)
	for t := 0.0; t <= c.span*1.0001; t += step {
		fmt.Fprintf(c.out, `<line class="rule" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/><text class="quiet" text-anchor="middle" x="%.1f" y="%d">%s</text>`+"\n",
			c.x(t), c.x(t), bottom, bottom+5, c.x(t), bottom+20, Seconds(t))
	}
}

// niceAbove returns a round number that is not below x.
func niceAbove(x float64) float64 {
	if x <= 0 {
		return 1
	}
	scale := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if m*scale >= x {
			return m * scale
		}
	}
	return 10 * scale
}

// niceStep returns a step of a time axis that is not below x seconds.
func niceStep(x float64) float64 {
	for _, s := range []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400} {
		if s >= x && x > 0.5 {
			return s
		}
	}
	return niceAbove(x)
}

// CSV writes the series of a run as a table: a row a window, its start in
// seconds first, then the value of each series.
func CSV(w io.Writer, r *study.Run) error {
	out := csv.NewWriter(w)
	head := []string{"time_s"}
	for _, s := range r.Series {
		head = append(head, s.Name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range r.Windows {
		row := []string{strconv.FormatFloat(float64(i)*r.Window, 'g', -1, 64)}
		for _, s := range r.Series {
			cell := ""
			if i < len(s.Values) {
				cell = strconv.FormatFloat(s.Values[i], 'g', -1, 64)
			}
			row = append(row, cell)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
