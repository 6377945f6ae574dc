package system

import (
	"fmt"
	"math"
	"strconv"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Bound is a check of a system by formula, before anything runs.
type Bound struct {
	Rule    string  `json:"rule"`
	At      string  `json:"at"`      // the part, or the call as part.port
	Formula string  `json:"formula"` // which holds while all is well
	Left    float64 `json:"left"`    // the value of its left side
	Right   float64 `json:"right"`   // and of its right side
	Unit    string  `json:"unit,omitempty"`
	Holds   bool    `json:"holds"` // the formula holds
	// Exact tells that the formula is exact for a system as this one is; else it
	// bounds from the safe side, or holds on average.
	Exact  bool           `json:"exact"`
	Says   bilingual.Text `json:"says"`   // what follows, in a sentence
	Source string         `json:"source"` // where the formula is from
}

// The rules of the bounds.
const (
	RuleCapacity   = "capacity"            // load against capacity of a server
	RuleHidden     = "hidden-capacity"     // load with empty caches against capacity of what is behind them
	RuleHealthy    = "healthy-state"       // load up to which retries leave a healthy state
	RuleHedges     = "hedge-edge"          // load with all its hedges against capacity
	RuleRetries    = "retry-edge"          // load with all its retries against capacity
	RuleBoth       = "two-states"          // whether retries allow a healthy and a congested state
	RuleProduct    = "retries-multiply"    // retries at several levels
	RuleTimeout    = "timeout-and-work"    // a timeout against the work it waits for
	RuleNested     = "timeout-and-retries" // a timeout against those of the callee
	RuleRoom       = "room-and-timeout"    // a full waiting room against the timeout
	RuleHeld       = "held-workers"        // workers that wait for a callee that stands still
	sourceQueues   = "Little's law; the stability condition of a queue with c workers, c/E[S]"
	sourceEdge     = "Bronson et al., Metastable Failures in Distributed Systems, HotOS 2021; Huang et al., Metastable Failures in the Wild, OSDI 2022 (workload amplification)"
	sourceField    = "mean field of an M/M/1 queue whose clients give up after a timeout: each attempt times out with probability exp(-theta(1-rho)), theta being the timeout in service times"
	sourceDeadline = "arithmetic of the settings"
)

// Bounds checks a system by formula.
func (g *Graph) Bounds() []Bound {
	b := &bounder{g: g, hedged: g.hedged(), worst: g.worst(), failing: g.failing()}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		b.capacity(n)
		b.hedges(n)
		b.retries(n)
		b.room(n)
		b.held(n)
	}
	for i := range g.Calls {
		b.timeouts(&g.Calls[i])
	}
	b.product()
	return b.all
}

// bounder collects bounds.
type bounder struct {
	g       *Graph
	hedged  map[string]float64 // calls a second to a part when each is hedged
	worst   map[string]float64 // calls a second to a part when all calls time out
	failing *Graph             // what each of them is then like
	all     []Bound
}

func (b *bounder) add(x Bound) { b.all = append(b.all, x) }

// Attempts returns how many calls become of a request when each times out: the
// workload amplification of a call.
func Attempts(c *parts.Call) float64 {
	if c.Timeout == 0 && !c.Inherit {
		return 1 // it waits, and what fails is not the work of the callee
	}
	n, at := 1.0, des.Time(0)
	for i := 1; i <= int(c.Retries); i++ {
		at += c.Timeout.Time() + backoff(&c.Backoff, i)
		if c.GiveUp > 0 && at > c.GiveUp.Time() {
			break
		}
		n++
	}
	if c.Budget > 0 {
		n = min(n, 1+float64(c.Budget))
	}
	return float64(n * hedging(c))
}

// hedging returns how many calls become of an attempt that takes long.
func hedging(c *parts.Call) float64 {
	if c.Hedge > 0 && (c.Timeout == 0 || c.Hedge < c.Timeout) {
		return 2
	}
	return 1
}

// backoff is the longest wait before the retry of a number.
func backoff(b *parts.Backoff, retry int) des.Time {
	wait := float64(float64(b.First) * des.Pow(float64(b.Factor), float64(retry-1)))
	return des.Time(min(wait, float64(b.Most)))
}

// hedged returns how many calls a second reach each part when every call on the
// way to it is hedged.
func (g *Graph) hedged() map[string]float64 {
	hedged := map[string]float64{}
	for _, name := range g.order() {
		n, more := g.node(name), 1.0
		if all := hedged[name]; all > n.Rate && n.Rate > 0 {
			more = all / n.Rate
		}
		for _, f := range g.From(name) {
			times := hedging(f.Call)
			if !f.own {
				times = float64(times * more)
			}
			hedged[f.Call.To] += float64(f.Rate * times)
		}
	}
	return hedged
}

// worst returns how many calls a second reach each part when every call on the
// way to it times out and is retried as often as it may.
func (g *Graph) worst() map[string]float64 {
	worst := map[string]float64{}
	for _, name := range g.order() {
		n := g.node(name)
		if n.Part.Kind.Name == "source" {
			worst[name] = n.Rate
		}
		for _, f := range g.From(name) {
			requests := float64(worst[name] * f.share)
			switch {
			case n.Part.Kind.Name == "queue" && n.Workers == 0 && f.Port == "call": // nobody takes its messages
				requests = 0
			case f.own:
				requests = returning(n.Part, f)
			case f.Port == "call" && n.Part.Kind.Name == "queue" && f.Call.Timeout > 0:
				requests = math.Inf(1) // what fails is handed out again, as fast as consumers take it
			}
			worst[f.Call.To] += min(float64(requests*g.attempts(f)), g.threads(n, f))
		}
	}
	return worst
}

// threads returns how many calls a second the workers of a part can make over a
// call when each waits for its timeout, without bound where workers do not wait.
func (g *Graph) threads(n *Node, f *Flow) float64 {
	released, _ := setting(n.Part, "release").(bool)
	timeout := f.Call.Timeout.Time().Seconds()
	if n.Workers == 0 || released || timeout == 0 || f.Call.Hedge > 0 {
		return math.Inf(1)
	}
	return n.Workers / timeout
}

// returning returns the requests that the members or hosts of a part make a second
// when all fail: each comes back after its deadline and its wait, rather than
// after its period.
func returning(p Part, f *Flow) float64 {
	retry, ok := setting(p, "retry").(parts.Backoff)
	after := f.Call.Timeout.Time() + retry.First.Time()
	if !ok || after <= 0 {
		return f.Rate
	}
	return max((number(p, "members")+number(p, "hosts"))/after.Seconds(), f.Rate)
}

// attempts returns how many calls become of a request over a call when each
// times out, further targets of a balancer included.
func (g *Graph) attempts(f *Flow) float64 {
	n := Attempts(f.Call)
	if from := g.node(f.From); from.Part.Kind.Name == "balancer" {
		n = float64(n * (1 + number(from.Part, "retries")))
	}
	return n
}

func (b *bounder) capacity(n *Node) {
	if n.Capacity == 0 {
		return
	}
	if n.Cached > 0 {
		b.hidden(n)
		return
	}
	hedged := b.hedged[n.Part.Name] > n.Rate
	x := Bound{
		Rule: RuleCapacity, At: n.Part.Name, Formula: "load < workers / time held", Left: n.Rate, Right: n.Capacity, Unit: "/s",
		Holds: n.Rate < n.Capacity, Exact: !n.AtMost && b.g.Endless == "" && !hedged && n.Held == n.Work, Source: sourceQueues,
	}
	switch {
	case x.Holds && hedged:
		x.Says = bilingual.Text{
			En: fmt.Sprintf("%s is busy for %s of the time when nothing fails, hedges apart", n.Part.Name, percent(n.Utilisation())),
			Ko: fmt.Sprintf("장애가 없을 때 %s의 사용률은 헤지를 빼고 %s다", n.Part.Name, percent(n.Utilisation())),
		}
	case x.Holds:
		x.Says = bilingual.Text{
			En: fmt.Sprintf("%s is busy for %s of the time when nothing fails", n.Part.Name, percent(n.Utilisation())),
			Ko: fmt.Sprintf("장애가 없을 때 %s의 사용률은 %s다", n.Part.Name, percent(n.Utilisation())),
		}
	case n.AtMost:
		x.Says = bilingual.Text{
			En: fmt.Sprintf("%s cannot keep up with the most that can come, which may be more than does come", n.Part.Name),
			Ko: fmt.Sprintf("들어올 수 있는 최대 부하가 %s의 처리 능력을 넘는다. 실제 부하는 그보다 적을 수 있다", n.Part.Name),
		}
	default:
		x.Says = bilingual.Text{
			En: fmt.Sprintf("%s cannot keep up: its queue grows without end, or its waiting room turns calls away", n.Part.Name),
			Ko: fmt.Sprintf("%s의 처리 능력으로는 부하를 감당하지 못한다. 대기열이 끝없이 늘거나 대기실이 호출을 거절한다", n.Part.Name),
		}
	}
	b.add(x)
}

// hedges holds the load with a hedge for each call against the capacity.
func (b *bounder) hedges(n *Node) {
	hedged := b.hedged[n.Part.Name]
	if n.Capacity == 0 || hedged <= n.Rate {
		return
	}
	x := Bound{
		Rule: RuleHedges, At: n.Part.Name, Formula: "load when each call is hedged < workers / time held", Left: hedged, Right: n.Capacity, Unit: "/s",
		Holds: hedged < n.Capacity, Source: sourceEdge,
		Says: bilingual.Text{
			En: fmt.Sprintf("even if each call is hedged, %s keeps up", n.Part.Name),
			Ko: fmt.Sprintf("호출마다 헤지가 나가도 %s의 처리 능력을 넘지 않는다", n.Part.Name),
		},
	}
	if !x.Holds {
		x.Says = bilingual.Text{
			En: fmt.Sprintf("once answers of %s take longer than the hedges wait, hedges bring more than it can serve, and can keep it so without any failure: hedge later than nearly all answers come", n.Part.Name),
			Ko: fmt.Sprintf("%s의 응답이 헤지 대기 시간보다 늦어지면 헤지만으로 처리 능력을 넘고, 장애가 없어도 그 상태가 이어질 수 있다. 거의 모든 응답이 온 뒤에 헤지하게 한다", n.Part.Name),
		}
	}
	b.add(x)
}

// hidden holds the load that reaches what is behind caches when they are empty
// against its capacity.
func (b *bounder) hidden(n *Node) {
	x := Bound{
		Rule: RuleHidden, At: n.Part.Name, Formula: "load with empty caches < workers / time held", Left: n.Rate, Right: n.Capacity, Unit: "/s",
		Holds: n.Rate < n.Capacity, Source: sourceEdge,
		Says: bilingual.Text{
			En: fmt.Sprintf("even with its caches empty, %s keeps up", n.Part.Name),
			Ko: fmt.Sprintf("캐시가 비어도 %s의 처리 능력을 넘지 않는다", n.Part.Name),
		},
	}
	if !x.Holds {
		hits := percent(min((n.Rate-n.Capacity)/n.Cached, 1))
		x.Says = bilingual.Text{
			En: fmt.Sprintf("%s keeps up only while at least %s of the calls hit a cache: with empty caches its load is %s times its capacity", n.Part.Name, hits, trimmed(n.Rate/n.Capacity)),
			Ko: fmt.Sprintf("%s의 처리 능력으로는 호출의 %s 이상이 캐시에 있을 때만 감당할 수 있다. 캐시가 비면 부하가 처리 능력의 %s배가 된다", n.Part.Name, hits, trimmed(n.Rate/n.Capacity)),
		}
	}
	b.add(x)
}

// retries holds the load with all its retries against the capacity.
func (b *bounder) retries(n *Node) {
	worst, capacity := b.worst[n.Part.Name], b.failing.node(n.Part.Name).Capacity
	if n.Capacity == 0 || n.Part.Kind.Stores || worst <= n.Rate && capacity == n.Capacity || b.g.roomy(n) {
		return
	}
	x := Bound{
		Rule: RuleRetries, At: n.Part.Name, Formula: "load when all is tried again < workers / time held", Left: worst, Right: capacity, Unit: "/s",
		Holds: worst < capacity, Exact: b.g.plainRetries(n), Source: sourceEdge,
	}
	if x.Holds {
		x.Says = bilingual.Text{
			En: fmt.Sprintf("even if every call times out, %s keeps up with the retries%s: no congestion keeps itself going", n.Part.Name, b.limited(n, " (the workers that make them, each waiting for its timeout, make no more)")),
			Ko: fmt.Sprintf("모든 호출이 타임아웃되어도 재시도까지 합친 부하가 %s의 처리 능력을 넘지 않는다%s. 혼잡이 스스로 이어지지 않는다", n.Part.Name, b.limited(n, "(호출하는 워커가 저마다 타임아웃까지 기다리므로 그보다 많이 보내지 못한다)")),
		}
	} else if !x.Exact {
		x.Says = bilingual.Text{
			En: fmt.Sprintf("when calls to %s time out, their retries are more than it can serve: a congestion could keep itself going", n.Part.Name),
			Ko: fmt.Sprintf("%s의 호출이 타임아웃되면 재시도가 처리 능력을 넘는다. 혼잡이 스스로 이어질 수 있다", n.Part.Name),
		}
	} else {
		x.Says = bilingual.Text{
			En: fmt.Sprintf("once calls to %s time out, their retries alone keep it congested: a trigger that lasts long enough tips it for good", n.Part.Name),
			Ko: fmt.Sprintf("%s의 호출이 한번 타임아웃되기 시작하면 재시도만으로 혼잡이 이어진다. 촉발 요인이 충분히 길면 스스로 돌아오지 못한다", n.Part.Name),
		}
	}
	b.add(x)
	b.meanField(n)
}

// limited returns the words where the workers of a caller limit the retries.
func (b *bounder) limited(n *Node, words string) string {
	for _, f := range b.g.To(n.Part.Name) {
		for from := f; from != nil; {
			caller := b.g.node(from.From)
			if b.g.threads(caller, from) < float64(float64(b.worst[caller.Part.Name]*from.share)*b.g.attempts(from)) {
				return words
			}
			callers := b.g.To(caller.Part.Name)
			if from = nil; len(callers) == 1 && caller.Workers == 0 { // it hands on what one other sends
				from = callers[0]
			}
		}
	}
	return ""
}

// roomy reports whether the waiting room of a server is so short that whatever
// it accepts is answered while every caller still waits.
func (g *Graph) roomy(n *Node) bool {
	wait, large, timeout, ok := g.roomAndTimeout(n)
	return ok && wait+large < timeout
}

// plainRetries reports whether the edge of the retries is exact for a server: its
// callers are sources of a given rate that retry after a timeout, and the server
// does all that it is asked for, in order.
func (g *Graph) plainRetries(n *Node) bool {
	p := n.Part
	order, _ := setting(p, "order").(parts.Order)
	expired, _ := setting(p, "expired").(parts.Expired)
	room, _ := setting(p, "room").(parts.Limit)
	if p.Kind.Name != "server" || len(p.Config.Ports()) > 0 || order != "fifo" || expired != "run" ||
		room != parts.Unlimited || number(p, "max_wait") > 0 || n.AtMost || math.IsInf(n.Work, 0) {
		return false
	}
	for _, f := range g.To(p.Name) {
		from, c := g.node(f.From), f.Call
		if from.Part.Kind.Name != "source" || c.Cancel || c.Inherit || c.Breaker != nil || c.GiveUp > 0 || c.Hedge > 0 || c.Timeout == 0 {
			return false
		}
	}
	return true
}

// meanField adds what is known of one worker with exponential work and impatient
// clients of one kind.
func (b *bounder) meanField(n *Node) {
	work, _ := setting(n.Part, "work").(parts.Spread)
	callers := b.g.To(n.Part.Name)
	if !b.g.plainRetries(n) || n.Workers != 1 || work.Shape() != des.ShapeExponential || len(callers) != 1 {
		return
	}
	c := callers[0].Call
	arrivals, _ := setting(b.g.node(callers[0].From).Part, "arrivals").(parts.Arrivals)
	if arrivals != "poisson" || c.Budget > 0 || n.Work != work.Mean()/1e9 {
		return
	}
	attempts, theta := Attempts(c), c.Timeout.Time().Seconds()/n.Work
	most := float64(n.Capacity * largestLoad(attempts, theta))
	healthy := Bound{
		Rule: RuleHealthy, At: n.Part.Name, Formula: "load < capacity x max over rho of rho (1-q)/(1-q^R), q = exp(-theta (1-rho))",
		Left: n.Rate, Right: most, Unit: "/s", Holds: n.Rate < most, Source: sourceField,
		Says: bilingual.Text{
			En: "a healthy state exists at this load; noise can still end it, the sooner the nearer the load is to the bound",
			Ko: "이 부하에는 정상 상태가 있다. 다만 부하가 경계에 가까울수록 우연한 변동만으로도 빨리 무너질 수 있다",
		},
	}
	if !healthy.Holds {
		healthy.Says = bilingual.Text{
			En: "no healthy state exists at this load: the retries alone overload the server",
			Ko: "이 부하에는 정상 상태가 없다. 재시도만으로 서버가 과부하에 빠진다",
		}
	}
	b.add(healthy)
	both := Bound{
		Rule: RuleBoth, At: n.Part.Name, Formula: "(attempts - 1) x timeout / work <= 2",
		Left: float64((attempts - 1) * theta), Right: 2, Holds: float64((attempts-1)*theta) <= 2, Source: sourceField,
		Says: bilingual.Text{
			En: "there are loads at which a healthy and a congested state exist side by side",
			Ko: "정상 상태와 혼잡 상태가 모두 가능한 부하 구간이 있다",
		},
	}
	if both.Holds {
		both.Says = bilingual.Text{
			En: "at every load there is one state only: what goes down comes back when the cause is gone",
			Ko: "어떤 부하에서도 상태는 하나뿐이다. 원인이 사라지면 돌아온다",
		}
	}
	b.add(both)
}

// largestLoad returns the largest load, as a share of the capacity, at which a
// healthy state exists: the maximum over rho of rho(1-q)/(1-q^R).
func largestLoad(attempts, theta float64) float64 {
	most := 0.0
	const steps = 10_000
	for i := 1; i < steps; i++ {
		rho := float64(i) / steps
		q := des.Exp(-float64(theta * (1 - rho)))
		most = max(most, float64(rho*(1-q))/(1-des.Pow(q, attempts)))
	}
	return most
}

func percent(x float64) string { return strconv.FormatFloat(float64(100*x), 'g', 3, 64) + " %" }
