package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the figures of one server. No label takes a value from a
// request, so that nobody can make their number grow.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec   // class, status
	duration *prometheus.HistogramVec // class
	wait     *prometheus.HistogramVec // line
	inFlight prometheus.Gauge
	shed     *prometheus.CounterVec // line
	limited  *prometheus.CounterVec // class
	panics   prometheus.Counter
	conns    prometheus.Gauge
	refused  *prometheus.CounterVec // reason
}

func newMetrics(lib *Library) *metrics {
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "precedent", Name: name, Help: help}
	}
	histogram := func(name, help string) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{
			Namespace: "precedent", Name: name, Help: help,
			Buckets: prometheus.ExponentialBuckets(0.0001, 2.5, 14), // 0.1 ms to 15 s
		}
	}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "precedent", Name: name, Help: help})
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(counter("requests_total", "Requests answered."),
			[]string{"class", "status"}),
		duration: prometheus.NewHistogramVec(histogram("request_duration_seconds",
			"Time from the header of a request to the end of its answer."), []string{"class"}),
		wait: prometheus.NewHistogramVec(histogram("queue_wait_seconds",
			"Time that requests waited for their turn, those turned away included."), []string{"line"}),
		inFlight: gauge("requests_in_flight", "Requests that are being answered."),
		shed: prometheus.NewCounterVec(counter("shed_total", "Requests turned away at the gate."),
			[]string{"line"}),
		limited: prometheus.NewCounterVec(counter("rate_limited_total",
			"Requests turned away for the rate of their address."), []string{"class"}),
		panics: prometheus.NewCounter(counter("panics_total", "Requests that ended in a panic.")),
		conns:  gauge("connections", "Open connections."),
		refused: prometheus.NewCounterVec(counter("connections_refused_total",
			"Connections closed at once, by the bound that was reached."), []string{"reason"}),
	}
	m.registry.MustRegister(m.requests, m.duration, m.wait, m.inFlight, m.shed, m.limited, m.panics,
		m.conns, m.refused, lib, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.seed()
	return m
}

// seed makes the figures that alerts look at exist from the start.
func (m *metrics) seed() {
	for _, line := range lineNames() {
		m.shed.WithLabelValues(line)
		m.wait.WithLabelValues(line)
	}
	for _, c := range classes() {
		m.duration.WithLabelValues(c.name)
		if c.cost > 0 {
			m.limited.WithLabelValues(c.name)
		}
	}
	for _, reason := range []string{reasonAddress, reasonTotal} {
		m.refused.WithLabelValues(reason)
	}
}

// answered counts one request.
func (m *metrics) answered(c *class, status int, took time.Duration) {
	m.requests.WithLabelValues(c.name, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(c.name).Observe(took.Seconds())
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: 4, DisableCompression: true,
	})
}
