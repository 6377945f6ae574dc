package system

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Graph is how the parts of a system call each other, and what flows over each
// call while nothing fails.
type Graph struct {
	Nodes []Node // in the order of the parts
	Calls []Flow // in the order of the parts and their ports
	// Endless names a part whose calls come back to it: the rates of what it
	// reaches are then not known.
	Endless string
	// anew tells that the hosts of leases establish them rather than renew them,
	// as they do when all were lost.
	anew bool
}

// Node is one part with what reaches it.
type Node struct {
	Part Part
	// Rate is how many calls reach the part a second, and of a source how many
	// requests it makes.
	Rate float64
	// AtMost tells that the rate is an upper bound: it varies, users of a
	// population wait for answers, and some kinds of parts answer without a call of
	// their own.
	AtMost   bool
	Cached   float64 // of the rate, what comes only when a cache does not hold it
	Size     float64 // mean size of what reaches it
	Large    float64 // mean size of those calls that are always the largest: of the members that have grown, say
	Workers  float64 // of all copies, 0 where the kind has none
	Work     float64 // mean seconds of work for a call
	Held     float64 // mean seconds for which an unhindered call holds a worker
	Answers  float64 // mean seconds until an unhindered call is answered
	Capacity float64 // calls a second that all workers together can serve, 0 without workers
}

// Utilisation returns the share of the workers that the rate keeps busy, 0 for
// parts without workers. It is more than 1 where they cannot keep up.
func (n *Node) Utilisation() float64 {
	if n.Capacity == 0 {
		return 0
	}
	return n.Rate / n.Capacity
}

// Flow is one call of the graph.
type Flow struct {
	From   string
	Port   string
	Call   *parts.Call
	Rate   float64 // requests a second, retries apart
	AtMost bool
	of     float64 // share of the calls to the part that the port says, 0 for each
	share  float64 // of what reaches the caller
	cached float64 // share of it that comes only when a cache does not hold it
	own    bool    // the caller makes these requests by itself
}

// Graph computes what flows through the system.
func (p Parts) Graph() *Graph { return p.graph(false) }

func (p Parts) graph(anew bool) *Graph {
	g := &Graph{anew: anew}
	for _, part := range p {
		g.Nodes = append(g.Nodes, Node{Part: part})
		for _, port := range part.Config.Ports() {
			g.Calls = append(g.Calls, Flow{From: part.Name, Port: port.Name, Call: port.Call, of: port.Share})
		}
	}
	order := g.order()
	for _, name := range order {
		g.flow(g.node(name))
	}
	for _, name := range slices.Backward(order) {
		g.capacity(g.node(name))
	}
	return g
}

// Node returns the node of a part, nil if there is none.
func (g *Graph) Node(name string) *Node { return g.node(name) }

func (g *Graph) node(name string) *Node {
	for i := range g.Nodes {
		if g.Nodes[i].Part.Name == name {
			return &g.Nodes[i]
		}
	}
	return nil
}

// From returns the calls that a part makes.
func (g *Graph) From(name string) []*Flow {
	return g.calls(func(f *Flow) bool { return f.From == name })
}

// To returns the calls that a part gets.
func (g *Graph) To(name string) []*Flow {
	return g.calls(func(f *Flow) bool { return f.Call.To == name })
}

func (g *Graph) calls(match func(*Flow) bool) []*Flow {
	var all []*Flow
	for i := range g.Calls {
		if match(&g.Calls[i]) {
			all = append(all, &g.Calls[i])
		}
	}
	return all
}

// order returns the parts so that callers stand before what they call, without
// the calls that go round.
func (g *Graph) order() []string {
	const open, closed = 1, 2
	state := map[string]int{}
	var after []string // each after what it calls
	var walk func(name string)
	walk = func(name string) {
		state[name] = open
		for _, f := range g.From(name) {
			switch to := f.Call.To; {
			case g.node(to) == nil || state[to] == closed:
			case state[to] == open:
				g.Endless = to
			default:
				walk(to)
			}
		}
		state[name] = closed
		after = append(after, name)
	}
	for _, n := range g.Nodes {
		if state[n.Part.Name] == 0 {
			walk(n.Part.Name)
		}
	}
	slices.Reverse(after)
	return after
}

// flow hands what reaches a part on to what it calls.
func (g *Graph) flow(n *Node) {
	if n.Part.Kind.Name == "source" {
		n.Rate, n.AtMost = offered(n.Part)
		n.Size = mean(n.Part, "size")
		n.Large = n.Size
	}
	flows := g.From(n.Part.Name)
	for _, f := range flows {
		f.Rate, f.AtMost, f.share = n.Rate, n.AtMost, 1
		if n.Rate > 0 {
			f.cached = n.Cached / n.Rate
		}
		size, large := n.Size, n.Large
		switch kind := n.Part.Kind.Name; {
		case kind == "balancer":
			f.share = g.balanced(n.Part, flows, f)
			f.Rate = float64(n.Rate * f.share)
		case f.of > 0:
			f.share = f.of
			f.Rate = float64(n.Rate * f.share)
		case f.Port == "dead_letters" || kind == "queue" && number(n.Part, "consumers") == 0:
			f.Rate = 0 // nothing dies while nothing fails, and nobody takes what no consumer does
		case f.Port == "call" && periodic(n.Part) > 0: // made by the part itself
			f.Rate, f.AtMost, f.own, f.cached = periodic(n.Part), false, true, 0
			size, large = grown(n.Part)
			lease := mean(n.Part, g.leaseCall())
			size, large = size+lease, large+lease
		case kind == "ratelimit":
			f.Rate = min(n.Rate, number(n.Part, "rate"))
		case kind == "cache":
			f.AtMost, f.cached = true, 1
		case !passing(n.Part, f.Port):
			f.AtMost = true
		}
		g.into(f, size, large)
	}
}

// grown returns the mean size of what the members of a fleet call for, and that of
// the members for whom it has grown.
func grown(p Part) (size, large float64) {
	size = mean(p, "size")
	share, growth := number(p, "grown"), number(p, "growth")
	if share == 0 || growth <= 1 {
		return size, size
	}
	large = float64(size * growth)
	if most := number(p, "size_most"); most > 0 {
		large = min(large, most)
	}
	return float64(size*(1-share)) + float64(share*large), large
}

// leaseCall is the setting that has the size of the calls about leases.
func (g *Graph) leaseCall() string {
	if g.anew {
		return "establish_size"
	}
	return "renew_size"
}

// failing returns the graph as it is when all that can be lost was lost.
func (g *Graph) failing() *Graph {
	var all Parts
	for _, n := range g.Nodes {
		all = append(all, n.Part)
	}
	return all.graph(true)
}

// passing reports whether a part makes one call of a port for each that reaches it.
func passing(p Part, port string) bool {
	switch p.Kind.Name {
	case "source", "server":
		return true
	case "bulkhead", "concurrency", "gate", "pool", "queue":
		return port == "call"
	}
	return false
}

// ownCall reports whether the calls of a port are of the part itself, which it makes
// whoever calls it: a fleet renews its leases, and answers its callers meanwhile.
func ownCall(p Part, port string) bool {
	return p.Kind.Source && p.Kind.Callable && port != "serve.then"
}

// into adds a call to what reaches its target.
func (g *Graph) into(f *Flow, size, large float64) {
	to := g.node(f.Call.To)
	if to == nil {
		return
	}
	if all := to.Rate + f.Rate; all > 0 {
		to.Size = (float64(to.Size*to.Rate) + float64(size*f.Rate)) / all
	}
	to.Large = max(to.Large, large)
	to.Rate += f.Rate
	to.Cached += float64(f.cached * f.Rate)
	to.AtMost = to.AtMost || f.AtMost
}

// periodic returns the calls that the members or hosts of a part make a second
// by themselves.
func periodic(p Part) float64 {
	period := number(p, "period")
	if period == 0 {
		return 0
	}
	return float64((number(p, "members")+number(p, "hosts"))*1e9) / period
}

// balanced returns the share of its calls that a balancer sends over one of them,
// by weight and by the copies of the target.
func (g *Graph) balanced(p Part, all []*Flow, one *Flow) float64 {
	weights, _ := setting(p, "weights").([]parts.Factor)
	sum, own := 0.0, 0.0
	for i, f := range all {
		weight := 1.0
		if i < len(weights) {
			weight = float64(weights[i])
		}
		if to := g.node(f.Call.To); to != nil {
			weight = float64(weight * copies(to.Part))
		}
		sum += weight
		if f == one {
			own = weight
		}
	}
	if sum == 0 {
		return 0
	}
	return own / sum
}

// copies returns how many there are of a part.
func copies(p Part) float64 { return float64(max(p.Copies, 1)) }

// offered returns the requests that a source makes a second: its rate, the most
// of one that varies, or what its population asks for when every answer comes at
// once.
func offered(p Part) (perSecond float64, atMost bool) {
	if users := number(p, "population"); users > 0 {
		if think := mean(p, "think"); think > 0 {
			return float64(users*1e9) / think, true
		}
	}
	peak := parts.PeakShare(p.Config)
	return float64(number(p, "rate") * peak), varies(p)
}

// varies reports whether a source has a rate that varies by itself.
func varies(p Part) bool {
	points, ok := setting(p, "profile").([]parts.ProfilePoint)
	return ok && len(points) > 0
}

// capacity works out how many calls a part can serve.
func (g *Graph) capacity(n *Node) {
	n.Workers = float64(workers(n.Part) * copies(n.Part))
	n.Work = (mean(n.Part, "work") + float64(number(n.Part, "work_per_size")*n.Size) + mean(n.Part, "work_after")) / 1e9
	n.Answers, n.Held = n.Work, float64(n.Work+g.waits(n))
	if !n.Part.Kind.Stores {
		n.Answers = n.Held
	}
	if released, _ := setting(n.Part, "release").(bool); released {
		n.Held = n.Work
	}
	if n.Workers > 0 && n.Held > 0 {
		n.Capacity = n.Workers / n.Held
	}
}

// workers returns how much work a part can do at once: its workers, its consumers
// or its cores, those of a store of all shards that share its queries. What asks
// several shards is work for each of them.
func workers(p Part) float64 {
	cores := number(p, "cores")
	switch p.Kind.Name {
	case "store":
	case "queue":
		return number(p, "consumers")
	default:
		return max(number(p, "workers"), cores)
	}
	cores = float64(cores * (1 + number(p, "replicas")))
	if fmt.Sprint(setting(p, "query")) == "point" {
		cores = float64(cores * number(p, "shards"))
	}
	return cores
}

// waits returns the mean seconds for which an unhindered call of a part waits
// for the calls that the part makes. Those must have been looked at before;
// calls that go round count nothing.
func (g *Graph) waits(n *Node) float64 {
	together, _ := setting(n.Part, "together").(bool)
	sum, longest := 0.0, 0.0
	for _, f := range g.From(n.Part.Name) {
		to := g.node(f.Call.To)
		if to == nil || f.Port == "dead_letters" || ownCall(n.Part, f.Port) {
			continue
		}
		took := to.Answers + float64(2*f.Call.Delay.Time().Seconds())
		if n.Part.Kind.Name == "balancer" || f.of > 0 { // which makes one of its calls
			took = float64(took * f.share)
		}
		sum, longest = sum+took, max(longest, took)
	}
	if together {
		return longest
	}
	return sum
}

// Events estimates how many events a run of a length has while nothing fails:
// for each request its arrival, for each call its work, and its way there and
// back where that takes time.
func (g *Graph) Events(span des.Time) float64 {
	perSecond := 0.0
	for _, n := range g.Nodes {
		if n.Part.Kind.Name == "source" {
			perSecond += n.Rate
		}
	}
	for _, f := range g.Calls {
		each := 1.0
		if f.Call.Delay > 0 {
			each += 2
		}
		perSecond += float64(f.Rate * each)
	}
	if g.Endless != "" {
		return math.Inf(1)
	}
	return float64(perSecond * span.Seconds())
}

// setting returns a setting of a part by its name in the file, nil if the kind
// has none of that name or is not known.
func setting(p Part, name string) any {
	if p.Config == nil {
		return nil
	}
	v := reflect.ValueOf(p.Config).Elem()
	for i := range v.NumField() {
		tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if tag == name {
			return v.Field(i).Interface()
		}
	}
	return nil
}

// number returns a setting that is a number: a rate a second, a count, a share, or
// a span in nanoseconds. It is 0 where the kind has no such setting.
func number(p Part, name string) float64 {
	switch x := setting(p, name).(type) {
	case parts.Rate:
		return float64(x)
	case parts.Count:
		return float64(x)
	case parts.Limit:
		return float64(x)
	case parts.Duration:
		return float64(x)
	case parts.Share:
		return float64(x)
	case parts.Factor:
		return float64(x)
	}
	return 0
}

// mean returns the mean of a setting that is a distribution, 0 where the kind
// has no such setting.
func mean(p Part, name string) float64 {
	switch x := setting(p, name).(type) {
	case parts.Spread:
		return x.Mean()
	case parts.Amount:
		return x.Mean()
	}
	return 0
}
