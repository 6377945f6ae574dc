package web

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/output"
)

// widths of the narrowest drawing and of a wide one, in pixels.
const (
	narrow = 330.0
	wide   = 860.0
)

// moment is an event with its place on the axis, in minutes.
type moment struct {
	app.Event
	n     int
	at    casefile.Time
	x     float64
	until float64
	ends  bool
}

// timelineDrawing lays out the events of a case. It returns nil where they are
// too few or too close for a drawing to say more than the list.
func timelineDrawing(c *app.Case, names output.Names, l bilingual.Lang) *drawing {
	moments, zero := place(c)
	if len(moments) < 2 {
		return nil
	}
	lo, hi := moments[0].x, moments[0].x
	for _, m := range moments {
		lo, hi = min(lo, m.x), max(hi, m.x)
		if m.ends {
			hi = max(hi, m.until)
		}
	}
	if hi-lo < 2 {
		return nil
	}
	p := &plotter{lo: lo, hi: hi, zero: zero, moments: moments, names: names, l: l, known: c.Times.Start != nil && c.Times.Start.At.HasClock()}
	d := &drawing{Zone: zoneText(zero)}
	p.ticks(d)
	p.points(d)
	p.band(d, c)
	p.lanes(d)
	for _, a := range c.Actions {
		if a.At == nil || !a.At.HasClock() {
			d.Undrawn++
		}
	}
	d.Label = fmt.Sprintf(word("timeline-label", l), c.ID, len(moments))
	d.Below = word("after-first", l)
	if p.known {
		d.Below = word("after-start", l)
	}
	return d
}

// place puts the events on an axis whose zero is the start, or the first event
// where the start is not known.
func place(c *app.Case) ([]moment, time.Time) {
	var moments []moment
	var zero time.Time
	for i, e := range c.Timeline {
		at, err := casefile.ParseTime(e.At)
		if err != nil {
			continue
		}
		if zero.IsZero() || e.Kind == "start" {
			zero = at.Earliest()
		}
		moments = append(moments, moment{Event: e, n: i + 1, at: at})
	}
	for i := range moments {
		m := &moments[i]
		m.x = m.at.Earliest().Sub(zero).Minutes()
		if u, err := casefile.ParseTime(m.Until); err == nil && u.HasClock() {
			m.until, m.ends = u.Earliest().Sub(zero).Minutes(), true
		}
	}
	return moments, zero
}

type plotter struct {
	lo, hi  float64
	zero    time.Time
	known   bool // the start is known
	moments []moment
	names   output.Names
	l       bilingual.Lang
}

// pos is the place of a minute in percent of the width.
func (p *plotter) pos(minute float64) float64 { return 1 + 98*(minute-p.lo)/(p.hi-p.lo) }

func percent(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) + "%" }

// steps are the distances of ticks, in minutes.
var steps = []int{1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 5760, 10080, 20160, 43200}

// maxTicks is how many fit side by side on a wide screen.
const maxTicks = 7

func (p *plotter) ticks(d *drawing) {
	step := steps[len(steps)-1]
	for _, s := range steps {
		if (p.hi-p.lo)/float64(s) <= maxTicks {
			step = s
			break
		}
	}
	d.Axis = 18
	if p.days() {
		d.Axis = 32
	}
	// Below: from the start in both directions.
	for m := ceil(p.lo, step); float64(m) <= p.hi && len(d.Since) < 3*maxTicks; m += step {
		t := p.tick(float64(m), m/step)
		t.Text, t.Zero = p.past(m, step), m == 0
		d.Since = append(d.Since, t)
	}
	// Above: from midnight of the day of the zero. The first tick says the date.
	midnight := time.Date(p.zero.Year(), p.zero.Month(), p.zero.Day(), 0, 0, 0, 0, p.zero.Location()).Sub(p.zero).Minutes()
	shown, onPhone := 0, 0 // days whose date stands already
	for m := ceil(p.lo-midnight, step); float64(m)+midnight <= p.hi && len(d.Clock) < 3*maxTicks; m += step {
		at := p.zero.Add(minutes(float64(m) + midnight))
		t := p.tick(float64(m)+midnight, m/step)
		t.Text = at.Format("15:04")
		if day := at.YearDay(); p.days() {
			if day != shown {
				t.Date, shown = shortDate(at, p.l), day
			}
			if day != onPhone && !t.Minor {
				t.PhoneDate, onPhone = shortDate(at, p.l), day
			}
			if t.Date == t.PhoneDate {
				t.PhoneDate = ""
			}
		}
		d.Clock = append(d.Clock, t)
	}
}

// ceil returns the smallest multiple of step that is not below x.
func ceil(x float64, step int) int { return int(math.Ceil(x/float64(step))) * step }

// tick places a tick. On a phone every second one is left out where there are
// many.
func (p *plotter) tick(m float64, number int) tick {
	x := p.pos(m)
	t := tick{X: percent(x), Anchor: "middle", Minor: number%2 != 0}
	switch {
	case x < 4:
		t.Anchor = "start"
	case x > 94:
		t.Anchor = "end"
	}
	return t
}

// days reports whether the drawing spans a midnight.
func (p *plotter) days() bool {
	from, to := p.zero.Add(minutes(p.lo)), p.zero.Add(minutes(p.hi))
	return from.YearDay() != to.YearDay() || from.Year() != to.Year()
}

func minutes(m float64) time.Duration { return time.Duration(m * float64(time.Minute)) }

// past writes the time since the zero in the unit of the step.
func (p *plotter) past(m, step int) string {
	if m == 0 {
		return "0"
	}
	unit, per := "unit-min", 1
	switch {
	case step%1440 == 0:
		unit, per = "unit-d", 1440
	case step%60 == 0:
		unit, per = "unit-h", 60
	}
	sign := "+"
	if m < 0 {
		sign, m = "−", -m
	}
	return fmt.Sprintf("%s%d%s", sign, m/per, word(unit, p.l))
}

// width estimates how wide small text is, in pixels.
func width(s string) float64 {
	w := 0.0
	for _, r := range s {
		if utf8.RuneLen(r) > 2 && r >= 0x1100 {
			w += 12
		} else {
			w += 6.6
		}
	}
	return w
}

// stacker puts things that would overlap into rows.
type stacker struct{ ends []float64 }

func (s *stacker) row(from, to float64) int {
	for i, end := range s.ends {
		if from >= end {
			s.ends[i] = to
			return i
		}
	}
	s.ends = append(s.ends, to)
	return len(s.ends) - 1
}

// points labels the published points of the incident directly.
func (p *plotter) points(d *drawing) {
	var rows stacker
	first := d.Axis + 18
	for _, m := range p.moments {
		if m.Kind == "action" || m.Kind == "observed" {
			continue
		}
		label := output.Word(m.Kind, p.l)
		x := p.pos(m.x)
		wide := (width(label) + 14) / narrow * 100
		mark := pointMark{X: percent(x), Anchor: "start", DX: 5, Label: label, Kind: m.Kind}
		from, to := x, x+wide
		if to > 100 {
			mark.Anchor, mark.DX = "end", -5
			from, to = x-wide, x
		}
		mark.Y = first + 16*rows.row(from, to)
		d.Points = append(d.Points, mark)
	}
	d.BandY = first + 16*max(len(rows.ends)-1, 0) + 8
	if len(rows.ends) == 0 {
		d.BandY = d.Axis + 10
	}
}

// at returns the minute of a kind of point.
func (p *plotter) at(kinds ...string) (float64, bool) {
	for _, kind := range kinds {
		i := slices.IndexFunc(p.moments, func(m moment) bool { return m.Kind == kind })
		if i >= 0 {
			return p.moments[i].x, true
		}
	}
	return 0, false
}

// band draws the periods of the service. Nothing is drawn before the first
// point that a source tells.
func (p *plotter) band(d *drawing, c *app.Case) {
	start, ok := p.at("start", "detected", "identified")
	if !ok {
		return
	}
	mitigated, eased := p.at("mitigated")
	resolved, over := p.at("resolved")
	add := func(state string, from, to float64, label string) {
		x, w := p.pos(from), p.pos(to)-p.pos(from)
		s := segment{X: percent(x), W: percent(w), TextX: percent(x + 0.7), State: state, Label: label}
		room := width(label) + 12
		s.Wide = room > w/100*narrow
		if room > w/100*wide {
			s.Label = ""
		}
		if w > 0.05 {
			d.Band = append(d.Band, s)
		}
	}
	length := func(from, to float64) string {
		return " " + output.Length(minutes(to-from).Round(time.Minute), p.l)
	}
	failing, recovering, healthy := word("failing", p.l), word("recovering", p.l), word("healthy", p.l)
	if start > p.lo && p.known {
		add("healthy", p.lo, start, healthy)
	}
	switch {
	case eased && over:
		add("failing", start, mitigated, failing+length(start, mitigated))
		add("recovering", mitigated, resolved, recovering+length(mitigated, resolved))
		add("healthy", resolved, p.hi, healthy)
	case over:
		add("failing", start, resolved, failing+length(start, resolved))
		add("healthy", resolved, p.hi, healthy)
	case eased:
		add("failing", start, mitigated, failing+length(start, mitigated))
		add("recovering", mitigated, p.hi, word("end-unknown", p.l))
	default:
		add("open", start, p.hi, word("end-unknown", p.l))
	}
}
