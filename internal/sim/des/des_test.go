package des

import (
	"context"
	"math"
	"testing"
)

// queueModel is a single server: customers arrive, wait in line, and leave.
type queueModel struct {
	sim               *Sim
	self              Target
	arrivals, service *Stream
	between, work     Time
	inside            *Gauge
	arrived, left     *Counter
	sojourn           *Spans
	since             []Time // when those inside came, first in line first
}

const (
	arrive uint16 = iota
	leave
)

func newQueueModel(seed uint64, between, work Time) (*queueModel, *Recorder) {
	s := New(seed)
	r := s.Record(Minute)
	m := &queueModel{
		sim: s, between: between, work: work,
		arrivals: s.Stream("arrivals"), service: s.Stream("service"),
		inside: r.Gauge("inside", "customers"), arrived: r.Counter("arrived"), left: r.Counter("left"),
		sojourn: r.Spans("sojourn"),
	}
	m.self = s.Register(m)
	s.After(m.arrivals.Span(between), m.self, arrive, 0)
	return m, r
}

func (m *queueModel) Handle(kind uint16, _ uint32) {
	switch kind {
	case arrive:
		m.arrived.Inc()
		m.sim.After(m.arrivals.Span(m.between), m.self, arrive, 0)
		if m.since = append(m.since, m.sim.Now()); len(m.since) == 1 {
			m.sim.After(m.service.Span(m.work), m.self, leave, 0)
		}
	case leave:
		m.left.Inc()
		m.sojourn.Measure(m.sim.Now() - m.since[0])
		if m.since = m.since[1:]; len(m.since) > 0 {
			m.sim.After(m.service.Span(m.work), m.self, leave, 0)
		}
	}
	m.inside.Set(int64(len(m.since)))
}

// TestSingleServer holds the kernel to the M/M/1 queue at load 0.8. The
// standard error of the mean sojourn is that of Daley for n customers.
func TestSingleServer(t *testing.T) {
	m, r := newQueueModel(1, 1250*Millisecond, Second)
	end := m.sim.Run(context.Background(), Budget{Until: 10 * 24 * Hour})
	r.Finish()
	if end != EndTime {
		t.Fatalf("the run ended by %q, want %q", end, EndTime)
	}
	rho, n := 0.8, float64(m.left.Total())
	se := math.Sqrt(rho * (2 + 5*rho - 4*rho*rho + rho*rho*rho) / (math.Pow(1-rho, 4) * n))
	if got, want := m.sojourn.Mean(), 5.0; math.Abs(got-want) > 3*se {
		t.Errorf("mean sojourn %.3f s, want %.3f within %.3f", got, want, 3*se)
	}
	if arrived, left := m.arrived.Total(), m.left.Total(); arrived != left+m.inside.Value() {
		t.Errorf("%d arrived, but %d left and %d are inside", arrived, left, m.inside.Value())
	}
	// Little's law; those inside at the end have not paid their time in full.
	lambda := n / m.sim.Now().Seconds()
	if got, want := m.inside.Mean(), lambda*m.sojourn.Mean(); math.Abs(got-want)/want > 1e-3 {
		t.Errorf("mean number inside %.4f, want arrival rate times mean sojourn %.4f", got, want)
	}
	var sum float64
	for _, v := range m.arrived.values {
		sum += v
	}
	if int64(sum) != m.arrived.Total() {
		t.Errorf("the windows hold %v arrivals, the counter %d", sum, m.arrived.Total())
	}
}
