package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// A cache with a capacity evicts the key that was not used for the longest
// (LRU); its hit ratio under independent requests is what Che, Tung and Wang
// (IEEE JSAC 20(7), 2002) approximate. Fetching a key once for all who miss it
// is called single flight, or request coalescing.
var cacheKind = Kind{
	Name: "cache",
	About: "A cache in front of another part, read through or looked aside: a call whose keys are held is answered, " +
		"another one fetches what is missing and stores it.",
	New:      func() Config { return new(cacheConfig) },
	Callable: true,
	Begins:   true,
}

type cacheConfig struct {
	Nodes    Count    `yaml:"nodes" doc:"nodes that the keys are spread over by a hash" default:"1"`
	Capacity Limit    `yaml:"capacity" doc:"keys that a node holds; the one that was not used for the longest leaves first" default:"unlimited"`
	TTL      Duration `yaml:"ttl" doc:"how long a key is held after it was stored; 0 for ever"`
	Jitter   Share    `yaml:"ttl_jitter" doc:"share of the ttl that is drawn at random"`
	Sliding  bool     `yaml:"sliding" doc:"a hit lets the ttl begin anew"`
	PerCall  Count    `yaml:"keys_per_call" doc:"keys that a call needs" default:"1"`
	Distinct Count    `yaml:"distinct" doc:"keys that there are, where a call needs several: they follow from the key of the call"`
	Warm     Count    `yaml:"warm" doc:"keys that are held from the start, from the first one on"`
	Lookup   Spread   `yaml:"lookup" doc:"time of looking up the keys of a call" default:"0"`
	Single   bool     `yaml:"single_flight" doc:"a key is fetched once for all who miss it at the same time"`
	Fetch    Fetch    `yaml:"fetch" doc:"what a call with a miss fetches" default:"misses"`
	Each     bool     `yaml:"each" doc:"each key is fetched by a call of its own and stored when it comes; without it, one call fetches them, of as many units of size as keys, and nothing is stored unless it succeeds"`
	Stale    Duration `yaml:"stale_on_error" doc:"how long after its ttl a key still answers when fetching it fails"`

	Away   Away     `yaml:"away" doc:"what happens to calls for keys of a node that is away" default:"miss"`
	Grace  Duration `yaml:"grace" doc:"how long a node may be away before it is taken out; when it returns by then, it has lost nothing"`
	Spares Count    `yaml:"spares" doc:"empty nodes that stand in for nodes that were taken out"`
	Keep   bool     `yaml:"keep_on_return" doc:"a node that was taken out and returns still has its keys; without it, it is emptied"`
	Call   Call     `yaml:"call" doc:"what is called for keys that are not held" required:"true"`
}

// Fetch says what a call with a miss fetches.
type Fetch string

// UnmarshalText reads what a call with a miss fetches.
func (f *Fetch) UnmarshalText(text []byte) error {
	return oneOf((*string)(f), string(text), f.Words()...)
}

// Words returns the words that may stand.
func (*Fetch) Words() []string { return []string{"misses", "all"} }

// Away says what happens to calls for keys of a node that is away.
type Away string

// UnmarshalText reads what happens to calls for keys of a node that is away.
func (a *Away) UnmarshalText(text []byte) error {
	return oneOf((*string)(a), string(text), a.Words()...)
}

// Words returns the words that may stand.
func (*Away) Words() []string { return []string{"miss", "fail"} }

const (
	maxNodes   = 10_000
	maxPerCall = 64
)

func (c *cacheConfig) Ports() []Port { return []Port{{Name: "call", Call: &c.Call}} }

func (c *cacheConfig) Instant() bool { return c.Lookup.Mean() == 0 }

func (c *cacheConfig) Check(r *Report) {
	if c.Nodes < 1 || c.Nodes > maxNodes {
		r.Add("nodes", fmt.Sprintf("%d nodes", c.Nodes), fmt.Sprintf("write 1 to %d", maxNodes))
	}
	if c.Capacity < 1 {
		r.Add("capacity", "a node holds nothing", "write 1 or more, or unlimited")
	}
	if c.PerCall < 1 || c.PerCall > maxPerCall {
		r.Add("keys_per_call", fmt.Sprintf("%d keys", c.PerCall), fmt.Sprintf("write 1 to %d", maxPerCall))
	}
	switch {
	case c.PerCall > 1 && (c.Distinct < 1 || c.Distinct > MaxKeys):
		r.Add("distinct", fmt.Sprintf("%d keys for calls that need %d each", c.Distinct, c.PerCall), fmt.Sprintf("write 1 to %d", MaxKeys))
	case c.PerCall == 1 && c.Distinct > 0:
		r.Add("distinct", "calls for one key bring it with them", "leave it out: the source says how many keys there are")
	}
	if c.Warm > MaxKeys {
		r.Add("warm", fmt.Sprintf("%d keys", c.Warm), fmt.Sprintf("write at most %d", MaxKeys))
	}
	if c.PerCall > 1 && c.Single {
		r.Add("single_flight", "calls need several keys each", "leave it out, or write keys_per_call: 1")
	}
	if c.TTL == 0 && (c.Jitter > 0 || c.Sliding || c.Stale > 0) {
		r.Add("ttl", "keys are held for ever, so that there is no end to draw, renew or outlast", "write a ttl such as 5m")
	}
	if c.Keep && c.Spares > 0 {
		r.Warn("keep_on_return", "a node that a spare stands in for becomes a spare itself", "leave one of them out")
	}
	c.Call.check("call", r)
}

// cache holds keys. It keeps a few numbers for each key, in columns.
type cache struct {
	net  *Net
	set  *cacheConfig
	self des.Target
	out  *edge

	lookup, ttl, lots *des.Stream

	perCall        uint32
	nodes          []cacheNode
	spares         int
	lost, returned int // nodes that went away and came back so far
	misses         bool
	each           bool

	held       []uint32   // by key: the epoch of its node when it was stored, 0 if it is not held
	until      []des.Time // by key, with a ttl
	prev, next []uint32   // by key, with a capacity: those used after and before
	flights    []uint32   // by key, with single flight: the visit that fetches it

	visits []visit
	free   []uint32
	told   []CallID // followers that are being told the end of what they wait for
	slots  []uint32 // of the requests: perCall for each visit

	arrived, done, failed, withdrawn *des.Counter
	lookups, hits, fills, evicted    *des.Counter
	stale, joined                    *des.Counter
	inside, items, away              *des.Gauge
}

// cacheNode is one node, or the spare in its place.
type cacheNode struct {
	epoch       uint32
	count       int
	first, last uint32 // keys: last used, and not used for the longest
	since       des.Time
	state       nodeState
}

type nodeState uint8

const (
	nodeHere   nodeState = iota
	nodeAway             // it may come back in time
	nodeOut              // it was taken out
	nodeSpared           // a spare stands in for it
)

// visit is a call inside.
type visit struct {
	call      CallID
	due       des.Time
	followers CallID // a list of calls that wait for the same key
	turn      uint32 // changes with each use of the record
	open      uint16 // calls for keys that were not answered
	failed    bool
	gone      bool // its call was withdrawn while others wait for its key
	state     visitState
}

type visitState uint8

const (
	visitGone visitState = iota
	visitLooking
	visitFetching
)

const (
	noKey    = ^uint32(0)
	noVisit  = ^uint32(0)
	follower = ^uint32(0) // in place of the visit of a call that waits for another one's
	told     = 1 << 31    // added to the place of a follower among those who are told
)

// The events of a cache.
const (
	cacheLooked uint16 = iota
	cacheGrace         // arg is the node
)

func (c *cacheConfig) Build(b *Builder) Part {
	s := &cache{
		net: b.Net, set: c, perCall: uint32(c.PerCall), spares: int(c.Spares), misses: c.Fetch == "misses", each: c.Each,
		nodes:  make([]cacheNode, c.Nodes),
		lookup: b.Stream("lookup"), ttl: b.Stream("ttl"), lots: b.Stream("flush"),
		arrived: b.Counter("arrived"), done: b.Counter("done"), failed: b.Counter("failed"), withdrawn: b.Counter("withdrawn"),
		lookups: b.Counter("lookups"), hits: b.Counter("hits"), fills: b.Counter("fills"), evicted: b.Counter("evicted"),
		stale: b.Counter("stale"), joined: b.Counter("joined"),
		inside: b.Gauge("calls", "calls"), items: b.Gauge("items", "keys"), away: b.Gauge("away", "nodes"),
	}
	b.Ratio("hit_ratio", s.hits, s.lookups)
	for i := range s.nodes {
		s.nodes[i] = cacheNode{epoch: 1, first: noKey, last: noKey}
	}
	b.Slow(c.TTL.Time())
	s.self = b.Register(s)
	s.out = b.Edge(s, 0, "call", &c.Call)
	s.addKnobs(b)
	s.warm(uint32(c.Warm))
	b.Law("calls are conserved", s.conserved)
	return s
}

func (s *cache) addKnobs(b *Builder) {
	b.Knob(Knob{
		Name: "flush", Unit: "1", Pulse: true, About: "share of the keys that are lost at once",
		Get: func() float64 { return 0 }, Set: s.flush,
		Worst: &Worst{Value: 1, About: named(b.Name(), "%s is emptied", "%s의 내용이 모두 비워진다")},
	})
	b.Knob(Knob{
		Name: "lose", Unit: "nodes", Pulse: true, About: "so many further nodes go away, one after the other in turn",
		Get: func() float64 { return 0 }, Set: func(x float64) { s.lose(int(x)) },
	})
	b.Knob(Knob{
		Name: "return", Unit: "nodes", Pulse: true, About: "so many of the nodes that are away return, in the order in which they went",
		Get: func() float64 { return 0 }, Set: func(x float64) { s.comeBack(int(x)) },
	})
	b.Knob(Knob{
		Name: "misses_only", Unit: "1", About: "1: a call with a miss fetches its misses; 0: all its keys",
		Get: func() float64 { return number(s.misses) }, Set: func(x float64) { s.misses = x != 0 },
	})
}

// Arrive takes a call in.
func (s *cache) Arrive(c CallID) {
	s.arrived.Inc()
	s.inside.Add(1)
	s.net.Begin(c)
	var v uint32
	if k := len(s.free); k > 0 {
		v = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.visits = append(s.visits, visit{})
		v = uint32(len(s.visits) - 1)
		for range s.perCall {
			s.slots = append(s.slots, 0)
		}
	}
	s.visits[v] = visit{call: c, turn: s.visits[v].turn + 1, followers: noCall, state: visitLooking, due: des.Never}
	for i := range s.perCall {
		s.slots[v*s.perCall+i] = noSlot
	}
	s.net.call(c).local = v
	if s.set.Lookup.Mean() > 0 {
		d := s.set.Lookup.Span(s.lookup)
		s.visits[v].due = s.net.Sim.Now() + d
		s.net.Sim.After(d, s.self, cacheLooked, v)
		return
	}
	s.look(v)
}

// Handle receives the events of the cache.
func (s *cache) Handle(kind uint16, arg uint32) {
	switch kind {
	case cacheLooked:
		if vi := &s.visits[arg]; vi.state == visitLooking && vi.due == s.net.Sim.Now() {
			s.look(arg)
		}
	case cacheGrace:
		if nd := &s.nodes[arg]; nd.state == nodeAway && nd.since+s.set.Grace.Time() == s.net.Sim.Now() {
			s.takeOut(nd)
		}
	}
}

// key returns a key that a call needs. Those of one call follow from its own
// key, so that the same call always needs the same ones.
func (s *cache) key(call *call, i uint32) uint32 {
	if s.perCall == 1 {
		return call.key
	}
	h := hash(uint64(call.key)*maxPerCall + uint64(i))
	return uint32(h % uint64(s.set.Distinct))
}

// look answers a call whose keys are held and begins to fetch for another one.
func (s *cache) look(v uint32) {
	c := s.visits[v].call
	call := s.net.call(c)
	missing := uint32(0)
	for i := range s.perCall {
		key := s.key(call, i)
		s.lookups.Inc()
		if !s.nodeOf(key).serves() {
			if s.set.Away == "fail" {
				s.answer(v, Failed)
				return
			}
			missing++
			continue
		}
		if s.holds(key, 0) {
			s.hits.Inc()
			s.touch(key)
			continue
		}
		missing++
	}
	switch {
	case missing == 0:
		s.answer(v, OK)
	case s.set.Single:
		s.fetchOnce(v, call)
	default:
		s.fetch(v, missing)
	}
}

// fetchOnce fetches the key of a call unless that is under way.
func (s *cache) fetchOnce(v uint32, call *call) {
	s.grow(call.key)
	leader := s.flights[call.key]
	if leader == noVisit {
		s.flights[call.key] = v
		s.fetch(v, 1)
		return
	}
	s.joined.Inc()
	c := s.visits[v].call
	s.release(v)
	l := &s.visits[leader]
	call.local, call.prev, call.next = follower, noCall, l.followers
	if l.followers != noCall {
		s.net.call(l.followers).prev = c
	}
	l.followers = c
}

// fetch calls for what is missing.
func (s *cache) fetch(v uint32, missing uint32) {
	s.visits[v].state = visitFetching
	call := *s.net.call(s.visits[v].call)
	w := want{token: v * s.perCall, kind: call.kind, key: call.key, size: call.size, deadline: call.deadline}
	if !s.each || s.perCall == 1 {
		if s.perCall > 1 {
			w.size = float32(missing)
			if !s.misses {
				w.size = float32(s.perCall)
			}
		}
		s.visits[v].open = 1
		s.ask(v, 0, w)
		return
	}
	s.visits[v].open = 1 // for this loop, which may be overtaken by answers
	for i := range s.perCall {
		key := s.key(&call, i)
		if s.misses && s.nodeOf(key).serves() && s.holds(key, 0) {
			continue
		}
		s.visits[v].open++
		w.token, w.key = v*s.perCall+i, key
		s.ask(v, i, w)
	}
	s.visits[v].open--
	if s.visits[v].open == 0 {
		s.fetched(v)
	}
}

func (s *cache) ask(v, i uint32, w want) {
	turn := s.visits[v].turn
	slot := s.out.ask(w)
	if vi := &s.visits[v]; vi.state == visitFetching && vi.turn == turn {
		s.slots[v*s.perCall+i] = slot
	}
}

// Ended takes the end of a call for keys.
func (s *cache) Ended(_ int, token uint32, o Outcome) {
	v, i := token/s.perCall, token%s.perCall
	vi := &s.visits[v]
	s.slots[token] = noSlot
	vi.open--
	if o != OK {
		vi.failed = true
	} else {
		s.store(vi, i)
	}
	if vi.open == 0 {
		s.fetched(v)
	}
}

const noSlot = ^uint32(0)
