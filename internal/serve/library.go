package serve

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/openprecedent/precedent/internal/app"
)

// Library is the library that is served now. A reload replaces it whole and at
// once; one that fails leaves the last good one in place.
type Library struct {
	load    func() (*app.App, error)
	current atomic.Pointer[app.App]

	mu    sync.Mutex // held while loading
	state atomic.Pointer[State]
}

// State tells how the library that is served came about.
type State struct {
	Version  string    // of the library that is served
	Cases    int       // in it
	Before   int       // cases before the last change, where that left fewer; else 0
	Loaded   time.Time // when it was loaded
	Reloads  int       // that replaced it, since the start
	Failures int       // reloads that failed, since the start
	Err      error     // why the last reload failed; nil where it did not
	Failed   time.Time // when it failed
}

// OpenLibrary loads the library for the first time.
func OpenLibrary(load func() (*app.App, error)) (*Library, error) {
	a, err := load()
	if err != nil {
		return nil, err
	}
	l := &Library{load: load}
	l.current.Store(a)
	l.state.Store(&State{Version: a.Version(), Cases: a.Stats().Cases, Loaded: time.Now()})
	return l, nil
}

// App returns the library that is served now. A request asks once and keeps
// the answer.
func (l *Library) App() *app.App { return l.current.Load() }

// State returns how that library came about.
func (l *Library) State() State { return *l.state.Load() }

// Reload loads the library again and, where that works, serves the new one.
// It reports whether anything changed.
func (l *Library) Reload(log *slog.Logger) (changed bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	start := time.Now()
	state := l.State()
	a, err := l.safeLoad()
	if err != nil {
		state.Failures++
		state.Err, state.Failed = err, time.Now()
		l.state.Store(&state)
		log.Error("reload failed; the last good library stays", "library", state.Version, "error", err)
		return false, err
	}
	mended := state.Err != nil
	state.Err, state.Failed = nil, time.Time{}
	if a.Version() == state.Version {
		l.state.Store(&state)
		log.Debug("reload found nothing new", "library", state.Version)
		if mended {
			log.Info("files are as they were when last good", "library", state.Version)
		}
		return false, nil
	}
	before := state.Cases
	state.Version, state.Cases, state.Loaded = a.Version(), a.Stats().Cases, time.Now()
	state.Before = 0
	if state.Cases < before {
		state.Before = before
		log.Warn("the library has fewer cases than before; look whether a folder has gone",
			"before", before, "cases", state.Cases)
	}
	state.Reloads++
	l.current.Store(a)
	l.state.Store(&state)
	log.Info("library reloaded", "library", state.Version, "cases", state.Cases,
		"took", time.Since(start).Round(time.Millisecond))
	return true, nil
}

// safeLoad makes a panic while reading files a failed reload: a strange file
// must not end a server that has a good library.
func (l *Library) safeLoad() (a *app.App, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reading the library: panic: %v", p)
		}
	}()
	return l.load()
}

// libraryMetrics are the figures about the library, read when asked for.
type libraryMetrics struct{ info, cases, loaded, reloads, failing *prometheus.Desc }

func newLibraryMetrics() libraryMetrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("precedent_library_"+name, help, labels, nil)
	}
	return libraryMetrics{
		info:    desc("info", "The library that is served.", "version"),
		cases:   desc("cases", "Published cases in the library that is served."),
		loaded:  desc("loaded_timestamp_seconds", "When the library that is served was loaded."),
		reloads: desc("reloads_total", "Reloads that changed the library, and those that failed.", "result"),
		failing: desc("reload_failing", "1 while the files on disk cannot be loaded."),
	}
}

// Describe implements [prometheus.Collector].
func (l *Library) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(l, to) }

// Collect implements [prometheus.Collector].
func (l *Library) Collect(to chan<- prometheus.Metric) {
	m, state := newLibraryMetrics(), l.State()
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, v, labels...)
	}
	failing := 0.0
	if state.Err != nil {
		failing = 1
	}
	send(m.info, prometheus.GaugeValue, 1, state.Version)
	send(m.cases, prometheus.GaugeValue, float64(state.Cases))
	send(m.loaded, prometheus.GaugeValue, float64(state.Loaded.UnixMilli())/1000)
	send(m.reloads, prometheus.CounterValue, float64(state.Reloads), "changed")
	send(m.reloads, prometheus.CounterValue, float64(state.Failures), "failed")
	send(m.failing, prometheus.GaugeValue, failing)
}
