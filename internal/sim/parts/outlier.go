package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// maxLonger bounds how much longer each ejection of a target is.
const maxLonger = 100

// saw counts the end of a call to a target, which may eject it.
func (l *balancer) saw(i int, ok bool) {
	t := &l.targets[i]
	t.calls++
	if ok {
		t.inRow = 0
		return
	}
	t.failures++
	t.inRow++
	if e := l.set.Eject; e != nil && e.InRow > 0 && int64(t.inRow) >= int64(e.InRow) {
		l.eject(i)
	}
}

// interval looks at the shares of failed calls.
func (l *balancer) interval() {
	e := l.set.Eject
	for i := range l.targets {
		t := &l.targets[i]
		if int64(t.calls) >= int64(e.Least) && t.calls > 0 &&
			float64(t.failures) >= float64(float64(e.Share)*float64(t.calls)) {
			l.eject(i)
		}
		t.calls, t.failures = 0, 0
	}
}

// eject sets a target aside, if it is not and not too many are.
func (l *balancer) eject(i int) {
	e, t := l.set.Eject, &l.targets[i]
	most := max(int(float64(float64(e.Most)*float64(len(l.targets)))), 1)
	if t.ejected || l.setAside >= most {
		return
	}
	t.ejected, t.inRow = true, 0
	t.ejections++
	l.setAside++
	l.ejected.Inc()
	l.aside.Add(1)
	span := e.For.Time()
	if e.Longer {
		span *= des.Time(min(t.ejections, maxLonger))
	}
	l.net.Sim.After(span, l.self, balancerBack, uint32(i))
	l.refresh()
}

// check asks a target whether it is well, unless the last check is still out.
func (l *balancer) check(i int) {
	t := &l.targets[i]
	if t.asking || int(t.copy) >= l.active[t.entry] {
		return
	}
	t.asking = true
	l.checks[t.entry].ask(want{
		token: uint32(i), kind: uint8(l.set.Checks.Class), copy: t.copy, deadline: des.Never,
	})
}

// sawCheck counts the end of a check.
func (l *balancer) sawCheck(i int, ok bool) {
	t, h := &l.targets[i], l.set.Checks
	t.asking = false
	if ok != t.sick { // it says what was known
		t.checked = 0
		return
	}
	t.checked++
	need := h.Failures
	if t.sick {
		need = h.Successes
	}
	if int64(t.checked) >= int64(need) {
		t.sick, t.checked = !t.sick, 0
		l.refresh()
	}
}
