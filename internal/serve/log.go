package serve

import (
	"context"
	"encoding/hex"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// requestIDForm is what is taken over from a trusted proxy.
var requestIDForm = lazyregexp.New(`^[A-Za-z0-9._-]{8,64}$`)

// identify gives the request an id, that of a trusted proxy if it has one.
func (e *exchange) identify() {
	if given := e.r.Header.Get("X-Request-Id"); given != "" &&
		contains(e.s.opt.TrustProxy, peerOf(e.r.RemoteAddr)) && requestIDForm.MatchString(given) {
		e.id = given
	} else {
		var b [8]byte
		for i, n := 0, rand.Uint64(); i < len(b); i, n = i+1, n>>8 {
			b[i] = byte(n)
		}
		e.id = hex.EncodeToString(b[:])
	}
	e.out.Header().Set("X-Request-Id", e.id)
}

// log writes the access log. It names the class of an address and not the
// address: what people search for, and even mistyped paths, can hold pieces of
// their logs. At level debug the path is there, still without the query.
// Requests that a limit turned away are summed up, since logging each would
// make an overload worse; so are probes, of which nobody wants to read.
func (e *exchange) log(took time.Duration) {
	log := e.s.opt.Log
	level := slog.LevelInfo
	limited := e.out.status == http.StatusServiceUnavailable || e.out.status == http.StatusTooManyRequests
	switch {
	case e.refused && limited:
		e.s.refused.add(e.out.status)
		level = slog.LevelDebug
	case e.class == classHealth:
		level = slog.LevelDebug
	}
	ctx := context.Background()
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", methodName(e.r.Method)), slog.String("class", e.class.name),
		slog.Int("status", e.out.status), slog.Int64("bytes", e.out.bytes),
		slog.Duration("took", took.Round(time.Microsecond)),
		slog.String("from", e.from.String()), slog.String("id", e.id),
	}
	if log.Enabled(ctx, slog.LevelDebug) {
		attrs = append(attrs, slog.String("path", e.r.URL.Path))
	}
	log.LogAttrs(ctx, level, "request", attrs...)
}

// methodName keeps invented methods out of the log.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut,
		http.MethodDelete, http.MethodPatch, http.MethodConnect, http.MethodTrace:
		return method
	}
	return "other"
}

// tally sums up refusals and logs them once a second while there are any.
type tally struct {
	log *slog.Logger

	mu      sync.Mutex
	counts  map[int]int // by status
	pending bool
}

func newTally(log *slog.Logger) *tally { return &tally{log: log, counts: map[int]int{}} }

func (t *tally) add(status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[status]++
	if !t.pending {
		t.pending = true
		time.AfterFunc(time.Second, t.flush)
	}
}

func (t *tally) flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.Warn("requests turned away in the last second",
		"too_busy", t.counts[http.StatusServiceUnavailable], "rate_limited", t.counts[http.StatusTooManyRequests])
	clear(t.counts)
	t.pending = false
}
