package object

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// PartOfSystem is the kind of the parts that a system file describes.
const PartOfSystem = "System/Part"

// SystemPart is a part of a system file with the calls that it makes.
type SystemPart struct {
	*Object // the namespace is the system
	Calls   []*SystemCall

	callers []*SystemCall
	called  bool
	load    float64     // calls of it that a request may lead to, at least 1
	by      *SystemCall // the one over which there are most of them, nil for none
}

// SystemCall is a call that a part makes of another one.
type SystemCall struct {
	Path   string // where it stands in the part, such as calls[0]
	Fields Tree
	From   *SystemPart
	To     *SystemPart // nil where the file has no such part

	round bool // it comes back to a part that has led to it
}

// SystemParts returns the parts of all systems.
func (s *Snapshot) SystemParts() ([]*SystemPart, error) {
	return s.related().system, s.Whole(PartOfSystem)
}

// systemParts finds the calls of the parts, each within its file and system.
func (s *Snapshot) systemParts() []*SystemPart {
	var all []*SystemPart
	named := map[string]*SystemPart{}
	key := func(o *Object, name string) string { return o.Source + "\x00" + o.Namespace + "\x00" + name }
	for _, o := range s.objects[PartOfSystem] {
		p := &SystemPart{Object: o, load: 1}
		if t, written := o.Fields.(Tree); written {
			p.find("", map[string]any(t))
		}
		all = append(all, p)
		named[key(o, o.Name)] = p
	}
	for _, p := range all {
		for _, c := range p.Calls {
			if c.To = named[key(p.Object, c.Fields.Text("to"))]; c.To != nil {
				c.To.called, c.To.callers = true, append(c.To.callers, c)
			}
		}
	}
	for _, p := range inOrder(all) {
		for _, c := range p.Calls {
			if load := c.Load(); c.To != nil && !c.round && (load > c.To.load || c.To.by == nil) {
				c.To.load, c.To.by = load, c
			}
		}
	}
	return all
}

// find adds the calls within a value: all that says where it goes to.
func (p *SystemPart) find(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if Tree(v).Text("to") != "" && path != "" {
			p.Calls = append(p.Calls, &SystemCall{Path: path, Fields: v, From: p})
			return
		}
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			inner := name
			if path != "" {
				inner = Join(path, name)
			}
			p.find(inner, v[name])
		}
	case []any:
		for i, one := range v {
			p.find(path+"["+strconv.Itoa(i)+"]", one)
		}
	}
}

// inOrder returns parts so that callers stand before what they call, but for calls
// that come back to a part, which are marked.
func inOrder(all []*SystemPart) []*SystemPart {
	const open, closed = 1, 2
	state := map[*SystemPart]int{}
	var after []*SystemPart // each after what it calls
	var walk func(p *SystemPart)
	walk = func(p *SystemPart) {
		state[p] = open
		for _, c := range p.Calls {
			switch {
			case c.To == nil:
			case state[c.To] == open:
				c.round = true
			case state[c.To] != closed:
				walk(c.To)
			}
		}
		state[p] = closed
		after = append(after, p)
	}
	for _, first := range []bool{true, false} { // from where requests begin
		for _, p := range all {
			if first == !p.called && state[p] == 0 {
				walk(p)
			}
		}
	}
	slices.Reverse(after)
	return after
}

// PartAnswersFirst reports whether a kind of part answers those who call it before it
// makes its own calls, or makes these whoever calls it. The tries of its callers are
// then not those of what it calls.
func PartAnswersFirst(kind string) bool {
	switch kind {
	case "queue", "healthcheck", "heartbeats", "leases", "planner", "refresher":
		return true
	}
	return false
}

// Begins reports whether the call is not made for a caller of its part.
func (c *SystemCall) Begins() bool {
	return PartAnswersFirst(c.From.Fields.Text("kind")) && c.Path != "serve.then"
}

// Tries returns how often a request that fails is sent over the call, the first time
// included. A budget bounds it, and so does a breaker, which stops all but the first.
func (c *SystemCall) Tries() float64 {
	retries := systemNumber(c.Fields["retries"])
	if budget := systemNumber(c.Fields["retry_budget"]); budget > 0 {
		retries = min(retries, budget)
	}
	if c.Fields["breaker"] != nil {
		return 1
	}
	return 1 + retries
}

// Load returns how often a request at the start may be sent over the call: the tries
// of all calls on the way, multiplied, over the way where that is most.
func (c *SystemCall) Load() float64 {
	if c.Begins() {
		return c.Tries()
	}
	return c.Tries() * c.From.load
}

// Way returns the parts of that way, from the first to the one that is called.
func (c *SystemCall) Way() []string {
	way := []string{c.Fields.Text("to"), c.From.Name}
	for at := c; !at.Begins() && at.From.by != nil; {
		at = at.From.by
		way = append(way, at.From.Name)
	}
	slices.Reverse(way)
	return way
}

// Timeout returns for how many seconds the caller waits for an answer; 0 for ever.
func (c *SystemCall) Timeout() float64 { return systemSeconds(c.Fields["timeout"]) }

// Patience returns for how many seconds the caller waits until the call is taken up,
// by a connection for example; 0 for ever.
func (c *SystemCall) Patience() float64 {
	if s := systemSeconds(c.Fields["connect_timeout"]); s > 0 {
		return s
	}
	return c.Timeout()
}

// Borrow returns for how many seconds the pool that is called lets the call wait for
// a connection; 0 where it is no pool, or sets no limit.
func (c *SystemCall) Borrow() float64 {
	if c.To == nil || c.To.Fields.Text("kind") != "pool" {
		return 0
	}
	return systemSeconds(c.To.Fields.At("borrow_timeout"))
}

// Below returns for how many seconds what is called may wait for its own calls, over
// all their attempts; 0 where it makes none with a timeout, or stops with its caller.
// The calls of a server come one after the other, of other parts the longest counts.
func (c *SystemCall) Below() float64 {
	if c.To == nil || c.Fields["cancel"] == true || c.To.Fields.Text("kind") == "queue" {
		return 0
	}
	inTurn := c.To.Fields.Text("kind") == "server" && c.To.Fields.At("together") != true
	total := 0.0
	for _, own := range c.To.Calls {
		switch took := own.longest(); {
		case own.Begins() || own.Fields["inherit_deadline"] == true:
		case inTurn:
			total += took
		default:
			total = max(total, took)
		}
	}
	return total
}

// Connections returns how many connections a pool may have open at once; 0 of what is
// no pool.
func (p *SystemPart) Connections() float64 {
	if p.Fields.Text("kind") != "pool" {
		return 0
	}
	return systemNumber(p.Fields.At("max"))
}

// Pinned returns the sources whose users each hold a connection of a pool for as long as
// their session lasts; none where sessions share connections.
func (p *SystemPart) Pinned() []*SystemPart {
	session, ok := asFields(p.Fields.At("session"))
	if p.Connections() == 0 || !ok || session.At("multiplex") == true {
		return nil
	}
	var all []*SystemPart
	for _, c := range p.callers {
		if systemNumber(c.From.Fields.At("population")) > 0 && !slices.Contains(all, c.From) {
			all = append(all, c.From)
		}
	}
	return all
}

// Sessions returns how many users these are together.
func (p *SystemPart) Sessions() float64 {
	n := 0.0
	for _, from := range p.Pinned() {
		n += systemNumber(from.Fields.At("population"))
	}
	return n
}

// maxAttempts bounds the attempts that are counted one by one.
const maxAttempts = 1000

// longest returns for how many seconds a request may wait on the call, with the waits
// between its attempts, 0 where an attempt has no end.
func (c *SystemCall) longest() float64 {
	timeout, giveUp := c.Timeout(), systemSeconds(c.Fields["give_up"])
	if timeout == 0 {
		return 0
	}
	total := timeout
	for i := 1; i <= int(min(systemNumber(c.Fields["retries"]), maxAttempts)); i++ {
		wait := c.backoff(i)
		if giveUp > 0 && total+wait > giveUp {
			break
		}
		total += wait + timeout
	}
	return total
}

// backoff returns the shortest wait in seconds before a retry, from 1: what is drawn
// at random of it may be 0.
func (c *SystemCall) backoff(retry int) float64 {
	b := c.Fields.Sub("backoff")
	factor, most := 2.0, 60.0
	if f := systemNumber(b.At("factor")); f > 0 {
		factor = f
	}
	if b.At("most") != nil {
		most = systemSeconds(b.At("most"))
	}
	wait := systemSeconds(b.At("first")) * math.Pow(factor, float64(retry-1))
	return min(wait, most) * (1 - systemNumber(b.At("jitter")))
}

// systemSeconds reads a span of time of a system file, 0 of what is none.
func systemSeconds(v any) float64 {
	s, ok := v.(string)
	if !ok {
		return 0
	}
	s = strings.TrimSpace(s)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, _ := strconv.ParseFloat(days, 64)
		return n * 86400
	}
	d, _ := time.ParseDuration(s)
	return d.Seconds()
}

// systemNumber reads a count, a share or a factor of a system file, 0 of what is none.
func systemNumber(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case string:
		s := strings.ReplaceAll(strings.TrimSpace(v), "_", "")
		for unit, scale := range map[string]float64{"%": 0.01, "x": 1, "k": 1e3, "M": 1e6} {
			if number, ok := strings.CutSuffix(s, unit); ok {
				n, _ := strconv.ParseFloat(strings.TrimSpace(number), 64)
				return n * scale
			}
		}
		n, _ := strconv.ParseFloat(s, 64)
		return n
	}
	return 0
}
