// Package verdict tells what a system does after something went wrong: whether
// it comes back by itself, and if not, that it is the system that keeps itself
// down and not what tipped it.
//
// The protocol runs a scenario without a trigger, then with triggers that are
// taken away again, and watches until the system is healthy or clearly is not.
// A backlog that shrinks is no verdict: it is watched until it is gone. What
// keeps a system down shows in a counterfactual, the same run without the
// feedback (no retries, no hedges), and in the share of its work that is of use.
package verdict

import (
	"math"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Class is what a system is found to be.
type Class string

// The classes, from worst to best.
const (
	// Unjudged systems have a judgment that was interrupted before it was known.
	Unjudged Class = ""
	// Overloaded systems are unhealthy without any trigger.
	Overloaded Class = "overloaded"
	// Metastable systems stay unhealthy after the trigger of the scenario is
	// gone, though the same system is healthy when it starts afresh.
	Metastable Class = "metastable"
	// Vulnerable systems survive the trigger of the scenario, or have none, but
	// do not come back after a larger one that was tried.
	Vulnerable Class = "vulnerable"
	// Undecided systems were neither healthy nor clearly down when the watch after
	// the trigger of the scenario ended.
	Undecided Class = "undecided"
	// Driven systems are unhealthy while the trigger lasts, and come back after
	// every trigger that was tried.
	Driven Class = "driven"
	// Stable systems stay healthy under the trigger of the scenario, or have
	// none, and come back after every trigger that was tried.
	Stable Class = "stable"
)

// Options say how thoroughly a system is judged. The zero value asks for the
// defaults.
type Options struct {
	Seeds   int     // runs of each kind, with seeds from 1; 10 if 0
	Workers int     // runs at a time; as many as there are processors if 0
	Limit   float64 // error share up to which a window is healthy; 0.01 if 0
	// Trigger is the only one that is tried, by its id, or names changes of the file
	// that are its own trigger instead of those with an end: a,b.
	Trigger  string
	Progress func(Progress)
	Memo     Memo // nil keeps nothing
}

// Progress tells how far a judgment is.
type Progress struct {
	Stage  bilingual.Text // what is being run
	Done   int            // runs that have ended, of all stages
	Events uint64         // events handled by them
}

// Trigger is something that is done to a system for a while.
type Trigger struct {
	ID    string         `json:"id"` // "own", the knob that it turns, or the names of changes
	Name  bilingual.Text `json:"name"`
	Turns scenario.Turns `json:"-"`
	For   des.Time       `json:"-"`
	Own   bool           `json:"own"` // the scenario names it
	At    des.Time       `json:"-"`   // where the profiles of the sources are when it begins
}

// Span returns how long the trigger lasts, in seconds.
func (t Trigger) Span() float64 { return t.For.Seconds() }

// Interval is a share with its 95 % confidence interval.
type Interval struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Wilson returns the share of hits among n and its 95 % score interval (Wilson,
// JASA 22, 1927), which is honest for few runs and for shares near 0 and 1.
func Wilson(hits, n int) Interval {
	if n == 0 {
		return Interval{Low: 0, High: 1}
	}
	const z = 1.959963984540054
	p, m := float64(hits)/float64(n), float64(n)
	centre := p + z*z/float64(2*m)
	half := float64(z * math.Sqrt(float64(p*(1-p))/m+z*z/float64(float64(4*m)*m)))
	scale := 1 + z*z/m
	return Interval{p, max((centre-half)/scale, 0), min((centre+half)/scale, 1)}
}

// protocol is what all runs of one judgment share.
type protocol struct {
	file   *scenario.File
	tau    des.Time // longest time constant of the system
	window des.Time // over which the share of errors is taken
	warm   des.Time // before anything is looked at
	peak   des.Time // when the sources send most, where their rates vary
	limit  float64  // error share up to which a window is healthy
	by     []JudgedBy
	knobs  []parts.Knob // of a system that does not run: what can be turned, and from what
	only   string       // trigger that is tried; all if empty
	votes  int          // runs a step of a search for the smallest trigger
	named  []string     // changes that make up the trigger of the scenario; those with an end if empty
}

// The lengths of the protocol in time constants of the system.
const (
	warmTaus     = 3
	baselineTaus = 10
	watchTaus    = 6    // after the trigger, before a system can be called tipped
	longestTaus  = 2000 // after the trigger, while a backlog shrinks
	healthyRun   = 3    // windows in a row that count as recovered
	// A window needs this many requests, so that an error share of a per cent is
	// more than one of them.
	windowRequests = 300
)

func newProtocol(f *scenario.File, o Options) (*protocol, error) {
	p := &protocol{file: f, limit: o.Limit}
	if p.limit == 0 {
		p.limit = 0.01
	}
	net := parts.Build(f.Parts.Build(), parts.Options{Window: des.Second})
	p.knobs = net.Knobs()
	if err := p.choose(o.Trigger); err != nil {
		return nil, err
	}
	p.tau = max(net.Slowest(), des.Millisecond)
	p.peak = net.Peak()
	rate := net.OfferedRate()
	if own, ok := p.own(); ok && net.OfferedRateAt(own.At) > 0 {
		rate = min(rate, net.OfferedRateAt(own.At))
	}
	p.by = judgedBy(net)
	if rate == 0 && !net.Fleets() {
		rate = p.started()
	}
	switch {
	case rate > 0:
		p.window = max(p.tau, des.FromSeconds(windowRequests/rate))
	case net.Fleets():
		p.window = p.tau
	default:
		return nil, &Unfit{text("nothing arrives: no source and no workflow has a rate, and no change goes on starting runs",
			"아무것도 들어오지 않는다. 소스나 워크플로에 rate가 없고, 실행을 계속 시작하는 변경도 없다")}
	}
	p.warm = max(warmTaus*p.tau, 3*p.window)
	return p, nil
}

// triggers returns the trigger of the scenario, if it has one, and the ones
// that every system is tried with: each server stands still, and each source
// sends three times as much. Where one was chosen, it is the only one.
func (p *protocol) triggers() []Trigger {
	all := p.known()
	if p.only == "" {
		return all
	}
	return slices.DeleteFunc(all, func(t Trigger) bool { return t.ID != p.only })
}

// known returns all triggers that a system can be tried with.
func (p *protocol) known() []Trigger {
	var all []Trigger
	if own, ok := p.own(); ok {
		all = append(all, own)
	}
	span := min(max(10*p.tau, 10*des.Second), des.Hour)
	for _, k := range p.knobs {
		if k.Worst == nil {
			continue
		}
		all = append(all, Trigger{
			ID:    k.Name,
			Name:  text("%s for %s", "%s, %s 동안", k.Worst.About, parts.Duration(span).String()),
			Turns: scenario.Turns{{Knob: k.Name, Value: k.Worst.Value, Times: k.Worst.Times}},
			For:   span,
			At:    p.peak,
		})
	}
	return all
}

// own returns the changes of the scenario that are taken back, as one trigger.
func (p *protocol) own() (Trigger, bool) {
	t := Trigger{ID: p.ownID(), Own: true}
	first, last := des.Never, des.Time(0)
	for i := range p.file.Changes {
		c := &p.file.Changes[i]
		until, ours := p.ours(c)
		if !ours {
			continue
		}
		t.Turns = append(t.Turns, c.Set...)
		first = min(first, c.At.Time())
		last = max(last, until)
		if t.Name.IsZero() {
			t.Name = c.About.Text
		}
	}
	if len(t.Turns) == 0 {
		return t, false
	}
	if t.Name.IsZero() {
		t.Name = bilingual.Text{En: "the trigger of the scenario", Ko: "시나리오의 촉발 요인"}
	}
	t.For, t.At = last-first, first
	return t, true
}

// changes returns the changes that make up a trigger that begins at a time. The
// changes of the scenario keep their distances.
func (p *protocol) changes(t Trigger, at des.Time) []scenario.Change {
	if !t.Own {
		return []scenario.Change{{At: scenario.At(at), For: parts.Duration(t.For), Set: t.Turns}}
	}
	var all []scenario.Change
	first := des.Never
	for i := range p.file.Changes {
		if c := &p.file.Changes[i]; p.isOurs(c) {
			first = min(first, c.At.Time())
			all = append(all, *c)
		}
	}
	for i := range all {
		all[i].At = scenario.At(all[i].At.Time() - first + at)
	}
	return all
}
