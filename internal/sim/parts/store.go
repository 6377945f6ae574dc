package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// A query that asks several shards ends with the slowest of them, which is a
// fork-join queue; asking all of them is called scatter and gather.
var storeKind = Kind{
	Name: "store",
	About: "A database whose data is spread over shards, with replicas: each copy of a shard has cores and a line of " +
		"its own, and a query asks one shard, all of them, or those that hold what it wants.",
	New:      func() Config { return new(storeConfig) },
	Callable: true,
}

type storeConfig struct {
	Shards   Count      `yaml:"shards" doc:"parts that the data is spread over by a hash of the key" default:"1"`
	Cores    Count      `yaml:"cores" doc:"cores of each copy of a shard" default:"1"`
	Replicas Count      `yaml:"replicas" doc:"further copies of each shard that answer queries" default:"0"`
	Pick     Pick       `yaml:"pick" doc:"which copy of a shard is asked: any, drawn at random, or the one with the fewest queries" default:"random"`
	Query    Query      `yaml:"query" doc:"what a query asks: the shard of its key (point), all shards (scatter), or the shards that hold its items, as many as its size (items)" default:"point"`
	Work     Spread     `yaml:"work" doc:"time of a core that a query takes at each shard it asks" required:"true"`
	PerItem  Duration   `yaml:"work_per_item" doc:"time of a core added for each item of a query that a shard is asked for; a query has as many as its size"`
	Classes  []storeAs  `yaml:"classes" doc:"queries of other classes, where those are of another shape"`
	Room     Limit      `yaml:"room" doc:"queries that may wait at a copy of a shard" default:"unlimited"`
	Order    StoreOrder `yaml:"order" doc:"who is served next" default:"fifo"`
	Expired  Expired    `yaml:"expired" doc:"what happens when its turn comes to a query whose caller has stopped waiting" default:"run"`
	Partial  bool       `yaml:"partial" doc:"a query succeeds if at least one of the shards it asks answers"`
}

// storeAs is what queries of a class are like.
type storeAs struct {
	Class   Count    `yaml:"class" doc:"class of the queries" required:"true"`
	Query   Query    `yaml:"query" doc:"what such a query asks" default:"point"`
	Work    Spread   `yaml:"work" doc:"time of a core that it takes at each shard it asks" required:"true"`
	PerItem Duration `yaml:"work_per_item" doc:"time of a core added for each item that a shard is asked for"`
}

// Pick says which copy of a shard is asked.
type Pick string

// UnmarshalText reads which copy of a shard is asked.
func (p *Pick) UnmarshalText(text []byte) error {
	return oneOf((*string)(p), string(text), p.Words()...)
}

// Words returns the words that may stand.
func (*Pick) Words() []string { return []string{"random", "fewest"} }

// Query says which shards a query asks.
type Query string

// UnmarshalText reads which shards a query asks.
func (q *Query) UnmarshalText(text []byte) error {
	return oneOf((*string)(q), string(text), q.Words()...)
}

// Words returns the words that may stand.
func (*Query) Words() []string { return []string{"point", "scatter", "items"} }

// StoreOrder says which of the queries that wait at a shard is served next.
type StoreOrder string

// UnmarshalText reads an order.
func (o *StoreOrder) UnmarshalText(text []byte) error {
	return oneOf((*string)(o), string(text), o.Words()...)
}

// Words returns the words that may stand.
func (*StoreOrder) Words() []string { return []string{"fifo", "lifo"} }

const (
	maxShards   = 10_000
	maxReplicas = 15
	maxItems    = 10_000 // of a query that asks for items
)

func (c *storeConfig) Ports() []Port { return nil }

func (c *storeConfig) Instant() bool {
	for _, as := range c.Classes {
		if as.Work.Mean() == 0 && as.PerItem == 0 {
			return true
		}
	}
	return c.Work.Mean() == 0 && c.PerItem == 0
}

func (c *storeConfig) Check(r *Report) {
	if c.Shards < 1 || c.Shards > maxShards {
		r.Add("shards", fmt.Sprintf("%d shards", c.Shards), fmt.Sprintf("write 1 to %d", maxShards))
	}
	if c.Cores < 1 || c.Cores > maxWorkers {
		r.Add("cores", fmt.Sprintf("%d cores", c.Cores), fmt.Sprintf("write 1 to %d", maxWorkers))
	}
	if c.Replicas > maxReplicas {
		r.Add("replicas", fmt.Sprintf("%d further copies", c.Replicas), fmt.Sprintf("write at most %d", maxReplicas))
	}
	for i, as := range c.Classes {
		if as.Class > maxClass {
			r.Add(fmt.Sprintf("classes[%d].class", i), fmt.Sprintf("class %d", as.Class), fmt.Sprintf("write 0 to %d", maxClass))
		}
	}
	if c.Shards == 1 && c.Query != "point" {
		r.Warn("query", "there is one shard to ask", "leave it out, or write how many shards there are")
	}
}

// store spreads queries over copies of shards. The row of copy k of shard i is
// k*shards+i, so that copies can be added.
type store struct {
	noRequests
	net  *Net
	set  *storeConfig
	self des.Target

	draws, pick *des.Stream

	shards   int
	cores    int
	replicas int
	down     int // shards, from the first, that are away
	speed    float64
	query    Query                  // of classes that are not named
	as       [maxClass + 1]*storeAs // those that are
	rows     []shardRow
	asks     []shardAsk
	freeAsks []uint32
	queries  []storeQuery
	free     []uint32
	items    []float32 // of each shard, while a query is spread
	asked    []int     // shards that a query asks, while it is spread

	arrived, done, failed, refused, expired, withdrawn *des.Counter
	shardQueries, wasted                               *des.Counter
	inside, waiting, busy                              *des.Gauge
	wait                                               *des.Spans
}

// shardRow is one copy of a shard.
type shardRow struct {
	busy, waiting int
	first, last   uint32 // asks that wait
}

// shardAsk is what a query wants of one shard.
type shardAsk struct {
	query      uint32
	row        uint32
	prev, next uint32
	since      des.Time
	span       float64  // nanoseconds of work at full speed that are left, while it waits or stands still
	end        des.Time // of the work, des.Never while it waits
	running    bool
}

// storeQuery is a call inside.
type storeQuery struct {
	call                            CallID
	open, answered                  int32 // shards
	lost, refused, late, gone, held bool
}

const noAsk = ^uint32(0)

func (c *storeConfig) Build(b *Builder) Part {
	s := &store{
		net: b.Net, set: c, shards: int(c.Shards), cores: int(c.Cores), speed: 1, query: c.Query,
		draws: b.Stream("work"), pick: b.Stream("pick"), items: make([]float32, c.Shards),
		arrived: b.Counter("arrived"), done: b.Counter("done"), failed: b.Counter("failed"),
		refused: b.Counter("refused"), expired: b.Counter("expired"), withdrawn: b.Counter("withdrawn"),
		shardQueries: b.Counter("shard_queries"), wasted: b.Counter("wasted"),
		inside: b.Gauge("queries", "queries"), waiting: b.Gauge("queue", "shard queries"), busy: b.Gauge("busy", "cores"),
		wait: b.Spans("wait"),
	}
	for i := range c.Classes {
		s.as[min(c.Classes[i].Class, maxClass)] = &c.Classes[i]
	}
	s.setReplicas(float64(c.Replicas))
	s.self = b.Register(s)
	s.addKnobs(b)
	b.Slow(des.FromNanoseconds(c.Work.Mean()))
	b.Law("queries are conserved", s.conserved)
	return s
}

func (s *store) addKnobs(b *Builder) {
	b.Knob(Knob{
		Name: "cores", Unit: "cores", About: "cores of each copy of a shard",
		Get:      func() float64 { return float64(s.cores) },
		Set:      func(x float64) { s.cores = int(min(max(x, 0), maxWorkers)); s.serveAll() },
		Remedies: []Remedy{{Value: 2, Times: true, About: named(b.Name(), "twice the cores of %s", "%s의 코어를 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "speed", Unit: "1", About: "how fast work is done, 1 as described, 0 not at all",
		Get: func() float64 { return s.speed }, Set: s.setSpeed,
		Worst: &Worst{Value: 0, About: named(b.Name(), "%s stands still", "%s 정지")},
	})
	b.Knob(Knob{
		Name: "replicas", Unit: "copies", About: "further copies of each shard that answer queries",
		Get: func() float64 { return float64(s.replicas) }, Set: s.setReplicas,
	})
	b.Knob(Knob{
		Name: "down", Unit: "shards", About: "shards that are away: what is asked of them fails at once",
		Get: func() float64 { return float64(s.down) },
		Set: func(x float64) { s.down = int(min(max(x, 0), float64(s.shards))) },
	})
	shapes := s.query.Words()
	b.Knob(Knob{
		Name: "query", Unit: "1", About: "what a query, of the classes that are not named, asks: 0 the shard of its key, 1 all shards, 2 those that hold its items",
		Get: func() float64 {
			for i, w := range shapes {
				if w == string(s.query) {
					return float64(i)
				}
			}
			return 0
		},
		Set: func(x float64) { s.query = Query(shapes[int(min(max(x, 0), 2))]) },
	})
}

// setReplicas changes how many copies are asked; those that are not any more
// work off what waits for them.
func (s *store) setReplicas(x float64) {
	s.replicas = int(min(max(x, 0), maxReplicas))
	for len(s.rows) < (s.replicas+1)*s.shards {
		s.rows = append(s.rows, shardRow{first: noAsk, last: noAsk})
	}
}

// Arrive asks the shards of a query.
func (s *store) Arrive(c CallID) {
	s.arrived.Inc()
	s.inside.Add(1)
	var q uint32
	if k := len(s.free); k > 0 {
		q = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.queries = append(s.queries, storeQuery{})
		q = uint32(len(s.queries) - 1)
	}
	call := s.net.call(c)
	call.local = q
	s.queries[q] = storeQuery{call: c, held: true} // until all shards were asked
	as := s.as[call.kind]
	s.spread(call, as)
	for _, shard := range s.asked {
		s.ask(q, shard, s.work(as, s.items[shard]))
	}
	s.queries[q].held = false
	s.settle(q)
}

// work draws what a shard has to do for some items of a query, in nanoseconds.
func (s *store) work(as *storeAs, items float32) float64 {
	if as != nil {
		return as.Work.Draw(s.draws) + float64(float64(as.PerItem)*float64(items))
	}
	return s.set.Work.Draw(s.draws) + float64(float64(s.set.PerItem)*float64(items))
}

// spread finds which shards a query asks, and for how many items.
func (s *store) spread(call *call, as *storeAs) {
	s.asked = s.asked[:0]
	query := s.query
	if as != nil {
		query = as.Query
	}
	switch query {
	case "scatter":
		for i := range s.shards {
			s.asked = append(s.asked, i)
			s.items[i] = call.size / float32(s.shards)
		}
	case "items":
		for i := range s.shards {
			s.items[i] = 0
		}
		for i := range min(max(int(call.size+0.5), 1), maxItems) {
			shard := int(hash(uint64(call.key)*maxItems+uint64(i)+1) % uint64(s.shards))
			if s.items[shard] == 0 {
				s.asked = append(s.asked, shard)
			}
			s.items[shard]++
		}
	default:
		shard := int(hash(uint64(call.key)) % uint64(s.shards))
		s.asked = append(s.asked, shard)
		s.items[shard] = call.size
	}
}

// copyOf picks a copy of a shard and returns its row.
func (s *store) copyOf(shard int) uint32 {
	if s.replicas == 0 {
		return uint32(shard)
	}
	if s.set.Pick == "random" {
		return uint32(s.pick.IntN(s.replicas+1)*s.shards + shard)
	}
	best, load := shard, 0
	for k := range s.replicas + 1 {
		r := &s.rows[k*s.shards+shard]
		if n := r.busy + r.waiting; k == 0 || n < load {
			best, load = k*s.shards+shard, n
		}
	}
	return uint32(best)
}
