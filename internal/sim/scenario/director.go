package scenario

import (
	"slices"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Made is a change that was made.
type Made struct {
	Change int      // its place among the changes of the file
	At     des.Time // when it began
	Until  des.Time // when it was to be taken back, 0 if never
}

// director makes the changes of a running system. Those of one knob may overlap:
// the one that began last holds, and when the last of them has ended, the knob is
// as it was before the first.
//
// What is known beforehand is scheduled beforehand: a change comes before all
// else that happens at its instant.
type director struct {
	net     *parts.Net
	self    des.Target
	end     des.Time // of the run that the file describes
	changes []Change
	going   []going // by change
	knobs   map[string]parts.Knob
	turned  map[string]*turned
	made    []Made
}

// going is how far a change is.
type going struct {
	read  func() float64 // the metric of its condition
	met   bool           // the condition held when it was last looked at
	since des.Time       // when it was first found to hold
	begun bool
	step  int // of the way to its values
}

// turned is a knob that changes hold.
type turned struct {
	back func() // puts it back to how it was before all of them
	by   []hold // in the order in which they began
}

// hold is a turn of a change that has begun and not ended.
type hold struct {
	change, turn int
	from, to     float64
	value        float64 // between the two
}

// The events of a director. Each is about a change.
const (
	directorBegin uint16 = iota
	directorBack
	directorStep  // a step on the way to the values of a change
	directorWatch // its condition counts from now on
	directorLook  // whether its condition holds
)

// direct lets the changes of a file be made in a system that is about to run.
func (f *File) direct(net *parts.Net) *director {
	d := &director{
		net: net, end: f.Run.For.Time(), changes: f.Changes, going: make([]going, len(f.Changes)),
		knobs: map[string]parts.Knob{}, turned: map[string]*turned{},
	}
	for _, k := range net.Knobs() {
		d.knobs[k.Name] = k
	}
	d.self = net.Sim.Register(d)
	for i, c := range f.Changes {
		if c.When != nil {
			net.Sim.At(c.At.Time(), d.self, directorWatch, uint32(i))
		} else {
			d.plan(i, c.At.Time())
		}
	}
	return d
}

// plan schedules a change, as often as it is made.
func (d *director) plan(i int, at des.Time) {
	c := &d.changes[i]
	for range c.times(at, d.end) {
		d.net.Sim.At(at, d.self, directorBegin, uint32(i))
		if c.For > 0 {
			d.net.Sim.At(at+c.For.Time(), d.self, directorBack, uint32(i))
		}
		at += c.Every.Time()
	}
}

// times returns how often a change is made that begins at a time, in a run up to
// an end.
func (c *Change) times(at, end des.Time) int64 {
	switch {
	case c.Every == 0:
		return 1
	case c.Times > 0:
		return int64(c.Times)
	}
	return int64(max(end-at, 0)/c.Every.Time()) + 1
}

// Handle begins a change, carries it on or ends it, or looks at its condition.
func (d *director) Handle(kind uint16, arg uint32) {
	i := int(arg)
	switch kind {
	case directorBegin:
		d.begin(i)
	case directorBack:
		for k, t := range d.changes[i].Set {
			d.back(i, k, t)
		}
	case directorStep:
		d.step(i)
	case directorWatch:
		d.going[i].read = d.net.Read(d.changes[i].When.Metric)
		d.net.Sim.After(d.changes[i].When.Every.Time(), d.self, directorLook, arg)
	case directorLook:
		d.look(i)
	}
}

// look reads the metric of a condition. The change is made once the condition has
// been found to hold for long enough.
func (d *director) look(i int) {
	g, w, now := &d.going[i], d.changes[i].When, d.net.Sim.Now()
	met := w.holds(g.read())
	if met && !g.met {
		g.since = now
	}
	g.met = met
	if met && now-g.since >= w.Held.Time() {
		d.plan(i, now+d.changes[i].After.Time())
		return
	}
	d.net.Sim.After(w.Every.Time(), d.self, directorLook, uint32(i))
}

// holds reports whether a condition holds for a value of its metric.
func (w *Condition) holds(value float64) bool {
	return (w.Above == nil || value > float64(*w.Above)) && (w.Below == nil || value < float64(*w.Below))
}

func (d *director) begin(i int) {
	c, now := &d.changes[i], d.net.Sim.Now()
	d.going[i].begun, d.going[i].step = true, 0
	m := Made{Change: i, At: now}
	if c.For > 0 {
		m.Until = now + c.For.Time()
	}
	d.made = append(d.made, m)
	for k, t := range c.Set {
		d.turn(i, k, t)
	}
	if c.Over > 0 {
		d.net.Sim.After(c.stepTime(), d.self, directorStep, uint32(i))
	}
}

// turn begins a turn of a change.
func (d *director) turn(change, at int, t Turn) {
	k := d.knobs[t.Knob]
	if k.Pulse {
		k.Set(t.Value)
		return
	}
	held := d.turned[t.Knob]
	if held == nil {
		held = &turned{back: k.Save()}
		d.turned[t.Knob] = held
	}
	h := hold{change: change, turn: at, from: k.Get(), to: t.Value}
	if t.Times {
		h.to = float64(t.Value * h.from)
	}
	h.value = d.changes[change].between(h.from, h.to, 0)
	held.drop(change, at) // where it is made again and was never taken back
	held.by = append(held.by, h)
	k.Set(h.value)
}

// step carries a change one step further on the way to its values.
func (d *director) step(i int) {
	c, g := &d.changes[i], &d.going[i]
	g.step++
	for at, t := range c.Set {
		held := d.turned[t.Knob]
		if held == nil {
			continue // a pulse, or taken back
		}
		last := len(held.by) - 1
		for n := range held.by {
			if h := &held.by[n]; h.change == i && h.turn == at {
				if h.value = c.between(h.from, h.to, g.step); n == last {
					d.knobs[t.Knob].Set(h.value)
				}
			}
		}
	}
	if g.step < c.steps() {
		d.net.Sim.After(c.stepTime(), d.self, directorStep, uint32(i))
	}
}

// back ends a turn of a change.
func (d *director) back(change, at int, t Turn) {
	held := d.turned[t.Knob]
	if held == nil {
		return // a pulse leaves nothing to turn back
	}
	held.drop(change, at)
	if n := len(held.by); n > 0 {
		d.knobs[t.Knob].Set(held.by[n-1].value)
		return
	}
	held.back()
	delete(d.turned, t.Knob)
}

func (t *turned) drop(change, turn int) {
	t.by = slices.DeleteFunc(t.by, func(h hold) bool { return h.change == change && h.turn == turn })
}

// rampSteps is in how many steps knobs move that do so evenly.
const rampSteps = 100

// steps returns in how many steps the knobs of a change move.
func (c *Change) steps() int {
	return int(min(max(c.Over.Time()/des.Microsecond, 1), rampSteps))
}

// stepTime returns how long a step takes.
func (c *Change) stepTime() des.Time { return c.Over.Time() / des.Time(c.steps()) }

// between returns the value of a knob from a step on: the middle of what it
// passes during the step, so that the mean over the way is that of a line.
func (c *Change) between(from, to float64, step int) float64 {
	n := c.steps()
	if c.Over == 0 || step >= n {
		return to
	}
	return from + float64(float64(to-from)*(float64(step)+0.5))/float64(n)
}

// unmade names the changes that were not made by the end of a run: those whose
// condition did not hold.
func (d *director) unmade() []string {
	var all []string
	for i, c := range d.changes {
		if !d.going[i].begun && c.When != nil {
			all = append(all, c.Label().En)
		}
	}
	return all
}
