package web

import (
	"strconv"

	"github.com/openprecedent/precedent/internal/output"
)

// lanes draws actions, one lane for each effect, and observations.
func (p *plotter) lanes(d *drawing) {
	y := d.BandY + 16 + 6
	for _, kind := range append(output.Effects(), "observed") {
		name := output.Word("observed", p.l)
		if kind != "observed" {
			name = p.names.Name("effect", kind, p.l)
		}
		one := lane{Y: y + 14, Name: name}
		one.X, one.DX = p.lanePlace(name)
		var rows stacker
		for _, m := range p.moments {
			if m.Kind == "action" && m.Effect == kind || m.Kind == kind {
				one.Marks = append(one.Marks, p.mark(m, kind, y+30, &rows))
			}
		}
		if len(one.Marks) == 0 {
			continue
		}
		d.Lanes = append(d.Lanes, one)
		y += 22 + 19*len(rows.ends)
	}
	d.Foot = y + 10
	d.Height = d.Foot + 40
}

// lanePlace is where the name of a lane begins: at the left edge, or behind the
// line of the zero where that would run through the name.
func (p *plotter) lanePlace(name string) (x string, dx int) {
	zero := p.pos(0)
	if zero > 0 && zero < (width(name)+8)/narrow*100 {
		return percent(zero), 6
	}
	return "0", 0
}

func (p *plotter) mark(m moment, kind string, y int, rows *stacker) mark {
	x := p.pos(m.x)
	end := x
	out := mark{X: percent(x), N: m.n, Kind: kind}
	if m.ends && m.until > m.x {
		end = p.pos(m.until)
		out.W = percent(end - x)
	}
	// The mark, its number beside it, and some air.
	room := (15 + 7*float64(len(strconv.Itoa(m.n)))) / narrow * 100
	from, to := x-6/narrow*100, end+room
	out.TextX, out.DX, out.Anchor = percent(end), 9, "start"
	if to > 101 {
		from, to = x-room, end+6/narrow*100
		out.TextX, out.DX, out.Anchor = percent(x), -9, "end"
	}
	out.Y = y + 19*rows.row(from, to)
	out.Title = clockText(m.at)
	if m.Text != nil {
		out.Title += " " + noteMark.ReplaceAllString(read(m.Text, p.l).S, "")
	}
	return out
}
