package parts

import "fmt"

// Failure detection by heartbeats calls a host failed when nothing was heard of
// it for long (Chandra and Toueg, JACM 43(2), 1996: such a detector cannot tell
// a failed host from a slow report). The collector is the part that is called,
// most often a server whose work grows with the size of a report.
var heartbeatsKind = Kind{
	Name: "heartbeats",
	About: "Hosts that report how they are from time to time. One that was not heard of for long counts as failed, " +
		"and what it holds moves to others, whose reports then grow.",
	New:      func() Config { return new(heartbeatsConfig) },
	Source:   true,
	Callable: true,
}

type heartbeatsConfig struct {
	Hosts     Count    `yaml:"hosts" doc:"how many there are" required:"true"`
	Heavy     Count    `yaml:"heavy" doc:"items with traffic that a host holds at first; the calls of others ask for one of them" default:"1"`
	Light     Count    `yaml:"light" doc:"items with hardly any traffic that a host holds at first"`
	Traffic   Amount   `yaml:"traffic" doc:"traffic of a heavy item, drawn once for each" default:"1"`
	Weight    Factor   `yaml:"light_traffic" doc:"traffic of a light item" default:"0"`
	Period    Duration `yaml:"period" doc:"time between two reports of a host" default:"30s"`
	Jitter    Share    `yaml:"jitter" doc:"each period is longer or shorter by up to this share, drawn at random" default:"5%"`
	Knee      Count    `yaml:"knee" doc:"items at which an item of a report costs twice as much as a single one: a report of n items has the size n(1+n/knee); 0 leaves it at n"`
	Part      Limit    `yaml:"part" doc:"a report of more items goes in several calls" default:"unlimited"`
	Unhealthy Duration `yaml:"unhealthy_after" doc:"a host of which no report was taken for this long counts as failed" default:"90s"`
	Place     Place    `yaml:"place" doc:"where the items of such a host go"`
	Rollout   Rollout  `yaml:"rollout" doc:"an operation that takes one host after the other; the knob rollout begins it"`
	Serve     Serve    `yaml:"serve" doc:"how the hosts answer the calls of others"`
	Call      Call     `yaml:"call" doc:"what takes the reports; its timeout is the limit of their delivery" required:"true"`
	Connect   *Call    `yaml:"connect" doc:"what makes connections: for items that have moved, before these answer, and for a host that counted as failed, before it reports again"`
	Renew     Duration `yaml:"renew" doc:"how long the connection lasts on which a host reports; it is then made anew, and the host reports nothing until it is; 0 for ever"`
	PerHeavy  Factor   `yaml:"connect_heavy" doc:"size of the connections of a heavy item that has moved" default:"1"`
	PerLight  Factor   `yaml:"connect_light" doc:"size of the connections of a light item that has moved" default:"1"`
}

// Place says where items go whose host is gone.
type Place struct {
	By    PlaceBy  `yaml:"by" doc:"what is balanced: traffic, count (of items), or both (whichever of the two is further from even)" default:"traffic"`
	Chunk Limit    `yaml:"chunk" doc:"light items that go to one host at most when those of a host move" default:"unlimited"`
	Room  Limit    `yaml:"room" doc:"items that a host holds at most; those that no host has room for stay without one until one has" default:"unlimited"`
	Most  Limit    `yaml:"most" doc:"hosts that are taken out within the window" default:"unlimited"`
	Per   Duration `yaml:"window" doc:"the window of most" default:"10m"`
}

// PlaceBy says what is balanced.
type PlaceBy string

// UnmarshalText reads what is balanced.
func (p *PlaceBy) UnmarshalText(text []byte) error {
	return oneOf((*string)(p), string(text), p.Words()...)
}

// Words returns the words that may stand.
func (*PlaceBy) Words() []string { return []string{"traffic", "count", "both"} }

// Rollout takes one host after the other out for a while, its items moved away
// before.
type Rollout struct {
	Gap  Duration `yaml:"gap" doc:"time from one host to the next" default:"5m"`
	Down Duration `yaml:"down" doc:"how long each is out" default:"2m"`
}

func (c *heartbeatsConfig) Ports() []Port {
	ports := []Port{{Name: "call", Call: &c.Call}}
	if c.Connect != nil {
		ports = append(ports, Port{Name: "connect", Call: c.Connect})
	}
	return c.Serve.ports(ports...)
}

// Instant reports true: calls to hosts pass through without time passing.
func (c *heartbeatsConfig) Instant() bool { return true }

func (c *heartbeatsConfig) Check(r *Report) {
	if c.Hosts < 2 || c.Hosts > maxHosts {
		r.Add("hosts", fmt.Sprintf("%d hosts", c.Hosts), fmt.Sprintf("write 2 to %d", maxHosts))
	}
	if c.Heavy < 1 || c.Hosts*c.Heavy > maxMembers {
		r.Add("heavy", fmt.Sprintf("%d heavy items on each of %d hosts", c.Heavy, c.Hosts),
			fmt.Sprintf("write 1 or more, %d on all together at most", maxMembers))
	}
	if c.Weight > 1 {
		r.Add("light_traffic", fmt.Sprintf("a light item with a traffic of %v", c.Weight), "write 0 to 1")
	}
	if c.Period == 0 {
		r.Add("period", "hosts report without end", "write the time between two reports, such as 30s")
	}
	if c.Unhealthy <= c.Period {
		r.Add("unhealthy_after", fmt.Sprintf("%v passes between any two reports of a period of %v", c.Unhealthy, c.Period),
			"write a few periods")
	}
	if c.Place.Room < Limit(c.Heavy+c.Light) {
		r.Add("place.room", fmt.Sprintf("a host that holds %d items has room for %d", c.Heavy+c.Light, c.Place.Room), "write more than what a host holds at first, or unlimited")
	}
	if c.Part < 1 {
		r.Add("part", "a report goes in calls of no items", "write 1 or more, or unlimited")
	} else if n := float64(float64(c.Hosts)*float64(c.Heavy+c.Light)) / float64(c.Part); n > maxReport {
		r.Add("part", fmt.Sprintf("a host that is left with the items of all reports in %.0f calls at once", n),
			fmt.Sprintf("write more items, so that it takes %d calls at most", maxReport))
	}
	if c.Rollout.Gap <= c.Rollout.Down {
		r.Add("rollout.gap", "the next host is taken before the last one is back", "write a longer gap than down")
	}
	if c.Renew > 0 && c.Connect == nil {
		r.Add("renew", "nothing makes connections", "write what does under connect, or leave it out")
	}
	if c.Renew > 0 && c.Renew <= c.Period {
		r.Add("renew", fmt.Sprintf("a connection of %v carries no report of a period of %v", c.Renew, c.Period), "write a longer time than the period")
	}
	c.Call.check("call", r)
	if c.Connect != nil {
		c.Connect.check("connect", r)
	}
	c.Serve.check(c.Hosts*c.Heavy, r)
}

// maxHosts bounds the hosts, whose loads are compared when items move.
const maxHosts = 5000

// maxReport bounds the calls that a report can go in.
const maxReport = 100_000
