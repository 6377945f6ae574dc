package system

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// timeouts holds the timeout of a call against what it waits for.
func (b *bounder) timeouts(f *Flow) {
	timeout := f.Call.Timeout.Time().Seconds()
	to := b.g.node(f.Call.To)
	if timeout == 0 || to == nil {
		return
	}
	at := f.From + "." + f.Port
	if took := to.Answers + float64(2*f.Call.Delay.Time().Seconds()); took > 0 {
		x := Bound{
			Rule: RuleTimeout, At: at, Formula: "time of an unhindered answer < timeout", Left: took, Right: timeout, Unit: "s",
			Holds: took < timeout, Exact: to.Part.Kind.Name == "server", Source: sourceDeadline,
		}
		if x.Says = (bilingual.Text{
			En: fmt.Sprintf("without any queue, %s answers in %s on average, inside the timeout", to.Part.Name, span(took)),
			Ko: fmt.Sprintf("대기열이 없으면 %s의 응답이 평균 %s 만에 와서 타임아웃에 걸리지 않는다", to.Part.Name, span(took)),
		}); !x.Holds {
			x.Says = bilingual.Text{
				En: fmt.Sprintf("the timeout ends before %s answers on average, even without any queue: wait longer, or make the work shorter", to.Part.Name),
				Ko: fmt.Sprintf("대기열이 없어도 평균적으로 %s의 응답보다 타임아웃이 먼저 온다. 더 기다리거나 작업을 줄여야 한다", to.Part.Name),
			}
		}
		b.add(x)
	}
	if budget := b.g.patience(to, f.Call); budget > 0 {
		x := Bound{
			Rule: RuleNested, At: at, Formula: "time in which the callee gives up < timeout", Left: budget, Right: timeout, Unit: "s",
			Holds: budget <= timeout, Exact: true, Source: sourceDeadline,
		}
		if x.Says = (bilingual.Text{
			En: fmt.Sprintf("%s gives up on its own calls while the caller still waits", to.Part.Name),
			Ko: fmt.Sprintf("%s에서는 호출자가 기다리는 동안 자신의 호출을 포기한다", to.Part.Name),
		}); !x.Holds {
			x.Says = bilingual.Text{
				En: fmt.Sprintf("%s goes on with its own calls, for up to %s, after its caller has given up: that work is wasted. Let the calls inherit the deadline, or shorten them", to.Part.Name, span(budget)),
				Ko: fmt.Sprintf("호출자가 포기한 뒤에도 %s의 호출이 최대 %s까지 이어진다. 그동안의 작업은 헛일이다. 기한을 물려받게 하거나 타임아웃을 줄여야 한다", to.Part.Name, span(budget)),
			}
		}
		b.add(x)
	}
}

// patience returns the longest time in seconds for which a part waits for its
// own calls, over all their attempts, 0 if it makes none or one without a bound.
// Calls that end with the caller's patience do not count.
func (g *Graph) patience(n *Node, by *parts.Call) float64 {
	total := 0.0
	if n.Part.Kind.Stores {
		return 0
	}
	together, _ := setting(n.Part, "together").(bool)
	for _, f := range g.From(n.Part.Name) {
		if f.Call.Inherit || by.Cancel || ownCall(n.Part, f.Port) {
			continue
		}
		took := longest(f.Call)
		if together || n.Part.Kind.Name == "balancer" || f.of > 0 {
			total = max(total, took)
		} else {
			total += took
		}
	}
	return total
}

// longest returns how long a request can wait on a call, over all attempts.
func longest(c *parts.Call) float64 {
	total := des.Time(0)
	for i := 0; i <= int(c.Retries) && c.Timeout > 0; i++ {
		if i > 0 {
			wait := backoff(&c.Backoff, i)
			if c.GiveUp > 0 && total+wait > c.GiveUp.Time() {
				break
			}
			total += wait
		}
		total += c.Timeout.Time()
	}
	return total.Seconds()
}

// room holds a full waiting room against the timeout of the callers.
func (b *bounder) room(n *Node) {
	wait, large, timeout, ok := b.g.roomAndTimeout(n)
	if !ok {
		return
	}
	x := Bound{
		Rule: RuleRoom, At: n.Part.Name, Formula: "room x time held / workers + time of a large call < timeout",
		Left: wait + large, Right: timeout, Unit: "s", Holds: wait+large < timeout, Source: sourceQueues,
	}
	switch {
	case x.Holds:
		x.Says = bilingual.Text{
			En: fmt.Sprintf("what %s accepts is answered in %s at most on average, while its callers still wait: retries cannot keep it congested", n.Part.Name, span(x.Left)),
			Ko: fmt.Sprintf("%s에 들어간 호출은 평균적으로 늦어도 %s 안에, 호출자가 기다리는 동안 응답을 받는다. 재시도가 혼잡을 이어 갈 수 없다", n.Part.Name, span(x.Left)),
		}
	case wait+n.Held < timeout:
		x.Says = bilingual.Text{
			En: fmt.Sprintf("with its waiting room full, %s answers its large calls after %s, when their callers have given up: they are worked on for nobody, and asked for again. Shorten the room, or bound the size", n.Part.Name, span(x.Left)),
			Ko: fmt.Sprintf("대기실이 가득 차면 %s의 큰 호출은 %s 뒤에야 응답을 받고, 그때 호출자는 이미 포기했다. 그 일은 헛일이 되고 요청은 다시 온다. 대기실을 줄이거나 크기를 제한해야 한다", n.Part.Name, span(x.Left)),
		}
	default:
		x.Says = bilingual.Text{
			En: fmt.Sprintf("a full waiting room takes %s, longer than the callers wait: %s then works for nobody. Shorten the room", span(x.Left), n.Part.Name),
			Ko: fmt.Sprintf("대기실이 가득 차면 응답까지 걸리는 시간(%s)이 호출자의 타임아웃보다 길다. 그때 %s의 작업은 헛일이다. 대기실을 줄여야 한다", span(x.Left), n.Part.Name),
		}
	}
	b.add(x)
}

// roomAndTimeout returns how long the last call that finds room waits, how long
// its work then holds a worker if it is a large one, and the timeout of the least
// patient caller, all in seconds.
func (g *Graph) roomAndTimeout(n *Node) (wait, large, timeout float64, ok bool) {
	room, is := setting(n.Part, "room").(parts.Limit)
	if !is || room == parts.Unlimited || n.Workers == 0 || len(n.Part.Config.Ports()) > 0 {
		return 0, 0, 0, false // what its own calls take is not bounded by its room
	}
	for _, f := range g.To(n.Part.Name) {
		if t := f.Call.Timeout.Time().Seconds(); t > 0 && (timeout == 0 || t < timeout) {
			timeout = t
		}
	}
	room *= parts.Limit(max(n.Part.Copies, 1))
	wait = float64(float64(room)*n.Held) / n.Workers
	large = n.Held + float64(number(n.Part, "work_per_size")*max(n.Large-n.Size, 0))/1e9
	return wait, large, timeout, timeout > 0
}

// held looks how many workers wait when what they call stands still.
func (b *bounder) held(n *Node) {
	released, _ := setting(n.Part, "release").(bool)
	if n.Capacity == 0 || released || n.Part.Kind.Stores {
		return
	}
	var slowest *Flow
	for _, f := range b.g.From(n.Part.Name) {
		if f.Call.Timeout > 0 && (slowest == nil || longest(f.Call) > longest(slowest.Call)) {
			slowest = f
		}
	}
	if slowest == nil {
		return
	}
	hold := n.Work + longest(slowest.Call)
	x := Bound{
		Rule: RuleHeld, At: n.Part.Name, Formula: "load x (work + time until the call gives up) < workers",
		Left: float64(n.Rate * hold), Right: n.Workers, Unit: "workers", Holds: float64(n.Rate*hold) < n.Workers, Source: sourceQueues,
	}
	if x.Says = (bilingual.Text{
		En: fmt.Sprintf("when %s stands still, %s still has free workers", slowest.Call.To, n.Part.Name),
		Ko: fmt.Sprintf("%s 쪽이 멈춰도 %s에는 빈 워커가 남는다", slowest.Call.To, n.Part.Name),
	}); !x.Holds {
		x.Says = bilingual.Text{
			En: fmt.Sprintf("when %s stands still, each call holds a worker of %s for up to %s: all of them wait, and %s goes down as well", slowest.Call.To, n.Part.Name, span(hold), n.Part.Name),
			Ko: fmt.Sprintf("%s 쪽이 멈추면 호출마다 %s의 워커를 최대 %s 동안 붙든다. 모든 워커가 기다리게 되어 %s도 함께 멈춘다", slowest.Call.To, n.Part.Name, span(hold), n.Part.Name),
		}
	}
	b.add(x)
}

// way is a way from a source to a part.
type way struct {
	times float64 // calls at its end for one request
	flows []*Flow
}

// product finds the way through the system on which retries multiply most.
func (b *bounder) product() {
	// Of the ways to a part, the one with the most calls, by how many of its
	// calls are retried: none, one, or several.
	const several = 2
	best := map[string][several + 1]way{}
	var worst way
	for _, name := range b.g.order() {
		here := best[name]
		if b.g.node(name).Part.Kind.Name == "source" {
			here[0].times = 1
		}
		if here[several].times > worst.times {
			worst = here[several]
		}
		for _, f := range b.g.From(name) {
			there, n := best[f.Call.To], b.g.attempts(f)
			for k, w := range here {
				if n > 1 {
					k = min(k+1, several)
				}
				if times := float64(w.times * n); times > there[k].times {
					there[k] = way{times, append(slices.Clone(w.flows), f)}
				}
			}
			best[f.Call.To] = there
		}
	}
	if worst.times == 0 {
		return
	}
	var factors []string
	most := 1.0
	for _, f := range worst.flows {
		n := b.g.attempts(f)
		if most = max(most, n); n > 1 {
			factors = append(factors, trimmed(n))
		}
	}
	last := worst.flows[len(worst.flows)-1]
	b.add(Bound{
		Rule: RuleProduct, At: last.From + "." + last.Port, Formula: strings.Join(factors, " x ") + " attempts on one way <= those of one level",
		Left: worst.times, Right: most, Unit: "calls", Source: sourceEdge,
		Says: bilingual.Text{
			En: fmt.Sprintf("when %s fails, one request becomes up to %s calls to it, since several levels retry: retry at one level only", last.Call.To, trimmed(worst.times)),
			Ko: fmt.Sprintf("여러 단계가 재시도하므로 %s의 호출이 실패하면 요청 하나가 최대 %s번의 호출이 된다. 한 단계에서만 재시도해야 한다", last.Call.To, trimmed(worst.times)),
		},
	})
}

func trimmed(x float64) string { return fmt.Sprintf("%.4g", x) }

// span writes seconds as a duration.
func span(seconds float64) string {
	d := des.FromSeconds(seconds)
	for _, step := range []des.Time{des.Second, des.Millisecond, des.Microsecond} {
		if d >= 10*step {
			d = (d + step/20) / (step / 10) * (step / 10) // a tenth is enough
			break
		}
	}
	return parts.Duration(d).String()
}
