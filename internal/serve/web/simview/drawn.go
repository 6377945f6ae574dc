package simview

import "github.com/openprecedent/precedent/internal/sim/scenario"

// drawn draws the charts that a scenario asks for.
func (v *view) drawn(panels []scenario.Panel, c *chart) {
	c.marksRow()
	for _, p := range panels {
		var lines []line
		for i, d := range p.Lines {
			lines = append(lines, line{v.read(d.Name), panelClass(i), d.Values})
		}
		c.panel(v.read(p.Title), lines, v.writer(p.Unit))
	}
	c.axis()
}

// panelClass tells the lines of a panel apart: the first is the one that matters.
func panelClass(i int) string {
	return []string{"a", "fail", "heal", "recover"}[i%4]
}

// writer returns how values of a unit are written.
func (v *view) writer(u scenario.Unit) func(float64) string {
	switch u {
	case "share":
		return percent
	case "rate":
		return func(x float64) string { return count(x) + "/s" }
	case "time":
		return v.span
	}
	return count
}
