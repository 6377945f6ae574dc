package simview

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/study"
)

// chart draws panels above each other over the same time. The plot of a panel
// is stretched to the width of the page; words are placed in percent of it, so
// that they keep their size.
type chart struct {
	*view
	end   float64 // seconds
	zero  float64 // moment from which the axis counts
	marks []study.Mark
}

// Sizes of a plot in its own units.
const (
	plotWidth  = 1000.0
	plotHeight = 100.0
	maxPoints  = 400 // places along a plot that can be told apart
)

func (c *chart) x(seconds float64) float64 {
	if c.end <= 0 {
		return 0
	}
	return min(max(seconds/c.end, 0), 1)
}

// bands returns the marks as areas of a plot.
func (c *chart) bands() string {
	var b strings.Builder
	for _, m := range c.marks {
		until := m.Until
		switch {
		case until == 0 && c.zero > 0: // of a replay, which has too many to fill the picture with
			until = m.At
		case until == 0:
			until = c.end
		}
		x := plotWidth * c.x(m.At)
		fmt.Fprintf(&b, `<rect class="band" x="%.1f" y="0" width="%.1f" height="%.0f"/>`, x, max(plotWidth*c.x(until)-x, 1.5), plotHeight)
	}
	return b.String()
}

// marksRow names the marks above the panels, each at its place.
func (c *chart) marksRow() {
	const rows = 4
	n := min(len(c.marks), rows)
	if n == 0 {
		return
	}
	c.f(`<svg class="sim-marks" height="%d" aria-hidden="true"><svg class="plot">`, 18*n+4)
	for i, m := range c.marks[:n] {
		// The text of a picture does not end in "…" where the room does: that of a page does.
		x := 100 * c.x(m.At)
		from, room, side := x, 100-x, "start"
		if x > 55 {
			from, room, side = 0, x, "end"
		}
		c.f(`<line x1="%.2f%%" x2="%.2f%%" y1="%d" y2="100%%"/><foreignObject x="%.2f%%" width="%.2f%%" y="%d" height="18"><div class="%s">%s</div></foreignObject>`,
			x, x, 18*i+4, from, room, 18*i, side, clip(c.read(m.About), 120))
	}
	c.WriteString("</svg></svg>\n")
}

func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// panel draws lines with their names at their ends.
func (c *chart) panel(title string, lines []line, write func(float64) string) {
	top := 0.0
	lines = slices.DeleteFunc(lines, func(l line) bool { return len(l.values) == 0 })
	for _, l := range lines {
		for _, x := range l.values {
			if x > top { // and not where there is none
				top = x
			}
		}
	}
	c.f(`<figure class="sim-panel"><figcaption>%s</figcaption>`, title)
	if top == 0 || math.IsInf(top, 0) || math.IsNaN(top) {
		c.f(`<p class="sub">%s</p></figure>`, c.w("nothing"))
		return
	}
	top = ceiling(top)
	label := c.w("chart", title, c.span(c.end), write(top))
	c.f(`<svg class="sim-plot" height="112" role="img" aria-label="%s">`, label)
	fmt.Fprintf(c, `<svg class="plot" y="6" height="100" viewBox="0 0 %.0f %.0f" preserveAspectRatio="none">%s`, plotWidth, plotHeight, c.bands())
	c.WriteString(`<line class="grid" x1="0" x2="1000" y1="0" y2="0"/><line class="grid" x1="0" x2="1000" y1="50" y2="50"/><line class="base" x1="0" x2="1000" y1="100" y2="100"/>`)
	for _, l := range lines {
		for _, stretch := range stretches(l.values) {
			fmt.Fprintf(c, `<polyline class="line %s" points="%s"></polyline>`, l.class, points(stretch, len(l.values), top))
		}
	}
	c.WriteString(`</svg><svg class="plot">`)
	c.f(`<text class="tick" x="0" y="17" dx="2">%s</text><text class="tick" x="0" y="67" dx="2">%s</text>`, write(top), write(top/2))
	for i, y := range labelPlaces(lines, top) {
		c.f(`<text class="name %s" x="100%%" dx="6" y="%.0f">%s</text>`, lines[i].class, y, clip(lines[i].name, 14))
	}
	c.WriteString("</svg></svg></figure>\n")
}

// ceiling returns a round number that is at least x.
func ceiling(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10} {
		if x <= m*unit {
			return m * unit
		}
	}
	return 10 * unit
}

// stretch is a part of a line without gaps.
type stretch struct {
	from   int
	values []float64
}

// stretches cuts a line where there is no value.
func stretches(values []float64) []stretch {
	var all []stretch
	from := -1
	for i := 0; i <= len(values); i++ {
		switch there := i < len(values) && !math.IsNaN(values[i]); {
		case there && from < 0:
			from = i
		case !there && from >= 0:
			all = append(all, stretch{from, values[from:i]})
			from = -1
		}
	}
	return all
}

// points writes a stretch of a line of n values. Where there are more than can
// be told apart, the least and the most of each stretch are drawn, so that no
// peak is lost.
func points(s stretch, n int, top float64) string {
	var b strings.Builder
	values := s.values
	at := func(i int, value float64) {
		fmt.Fprintf(&b, "%.1f,%.1f ", plotWidth*(float64(s.from+i)+0.5)/float64(n), plotHeight*(1-min(max(value/top, 0), 1)))
	}
	if n <= 2*maxPoints {
		for i, x := range values {
			at(i, x)
		}
		return strings.TrimSpace(b.String())
	}
	places := max(maxPoints*len(values)/n, 1)
	for k := range places {
		from, to := k*len(values)/places, (k+1)*len(values)/places
		part := values[from:to]
		low, high := from, from
		for i := range part {
			if part[i] < values[low] {
				low = from + i
			}
			if part[i] > values[high] {
				high = from + i
			}
		}
		at(min(low, high), values[min(low, high)])
		if low != high {
			at(max(low, high), values[max(low, high)])
		}
	}
	return strings.TrimSpace(b.String())
}

// labelPlaces returns where the names of lines stand, at their ends and apart.
func labelPlaces(lines []line, top float64) []float64 {
	const apart, low, high = 15, 102, 12
	places := make([]float64, len(lines))
	order := make([]int, len(lines))
	for i, l := range lines {
		tail := l.values[len(l.values)-max(len(l.values)/20, 1):]
		sum, n := 0.0, 0
		for _, x := range tail {
			if !math.IsNaN(x) {
				sum, n = sum+x, n+1
			}
		}
		places[i] = 10 + plotHeight*(1-min(sum/float64(max(n, 1))/top, 1))
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case places[a] < places[b]:
			return -1
		case places[a] > places[b]:
			return 1
		}
		return 0
	})
	for k, i := range order {
		places[i] = max(places[i], high)
		if k > 0 {
			places[i] = max(places[i], places[order[k-1]]+apart)
		}
	}
	for k := len(order) - 1; k >= 0; k-- {
		limit := float64(low)
		if k < len(order)-1 {
			limit = places[order[k+1]] - apart
		}
		places[order[k]] = min(places[order[k]], limit)
	}
	return places
}

// axis writes the time below all panels.
func (c *chart) axis() {
	c.WriteString(`<svg class="sim-axis" height="22" aria-hidden="true"><svg class="plot">`)
	step := tickStep(c.end)
	for i := -int(c.zero / step); float64(i)*step <= (c.end-c.zero)*1.0001; i++ {
		s := float64(i) * step
		x := 100 * c.x(s+c.zero)
		anchor := "middle"
		switch {
		case x < 5:
			anchor = "start"
		case x > 95:
			anchor = "end"
		}
		c.f(`<line x1="%.2f%%" x2="%.2f%%" y1="0" y2="4"/><text x="%.2f%%" y="17" text-anchor="%s">%s</text>`, x, x, x, anchor, c.since(s))
	}
	c.WriteString("</svg></svg>\n")
}

// since writes a time of the axis, counted from T+0 where there is one.
func (c *chart) since(s float64) string {
	switch {
	case c.zero == 0:
		return c.span(s)
	case s < 0:
		return "T−" + c.span(-s)
	}
	return "T+" + c.span(s)
}

// tickStep returns a round distance of at most five ticks.
func tickStep(end float64) float64 {
	for _, s := range []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 4 * 3600, 6 * 3600, 12 * 3600, 24 * 3600, 48 * 3600, 7 * 24 * 3600} {
		if end/s <= 5.01 {
			return s
		}
	}
	return end / 4
}
