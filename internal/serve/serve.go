// Package serve is the HTTP server around the faces: it bounds what a client
// can take, tells pages from data, keeps the library fresh, and counts and
// logs what happens. It knows no face; the command passes their handlers in.
//
// A request passes, in this order: the bounds of the connection, a glance at
// its address and method, the bucket of the client's address, the reading of
// its body, and the gate; then a face computes the answer into memory, the slot
// is given back, and the answer goes out. What is turned away is turned away as
// early and as cheaply as possible, so that an overload costs little and ends
// when the load does.
package serve

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/openprecedent/precedent/internal/app"
)

// Options say what is served and to whom.
type Options struct {
	Library *Library
	Faces   http.Handler // the site and the API, see [Negotiate]
	MCP     http.Handler // may be nil

	// BaseURL is the address under which clients know the server, if it is
	// another than the one it listens on.
	BaseURL *url.URL
	// TrustProxy are the addresses whose X-Forwarded-For is believed.
	TrustProxy []netip.Prefix
	// Rate scales how much one address may ask; 0 lifts that limit.
	Rate float64
	// Slots is how many requests may compute at once, 0 as many as GOMAXPROCS.
	// The runtime should have a processor more than that: with all of them
	// computing, requests that arrive are read only when a computation pauses,
	// and what is refused or answered then comes too late.
	Slots int
	// Unlimited takes all limits of rate and concurrency off, which only a
	// benchmark wants.
	Unlimited bool
	// Origins are the origins of web pages that may read answers besides those
	// of this server; a single * stands for all, which is right where everybody
	// may read the library. The pages of a browser can reach what the browser
	// can, so for a private library it is wrong.
	Origins []string
	// Metrics shows /metrics on the main address.
	Metrics bool
	// StopDelay is how long /readyz says no before the server stops, for
	// balancers that need a while to look.
	StopDelay time.Duration
	Log       *slog.Logger
}

// Server answers requests.
type Server struct {
	opt     Options
	buckets *buckets // nil without a limit
	gate    *gate    // nil without limits
	reading chan struct{}
	metrics *metrics
	refused *tally
	held    sync.Pool // of *[]byte, memory for answers
	closing atomic.Bool

	timeouts timeouts
}

// New returns a server.
func New(opt Options) *Server {
	s := &Server{
		opt: opt, reading: make(chan struct{}, maxReading),
		metrics: newMetrics(opt.Library), refused: newTally(opt.Log), timeouts: defaultTimeouts(),
	}
	s.held.New = func() any { return new([]byte) }
	if opt.Unlimited {
		return s
	}
	if opt.Rate > 0 {
		s.buckets = newBuckets(opt.Rate)
	}
	slots := opt.Slots
	if slots == 0 {
		slots = runtime.GOMAXPROCS(0)
	}
	s.gate = newGate(slots, 64*slots, lineNames()...)
	s.gate.lines[runLine].weight = runWeight
	return s
}

// runWeight is how much more the computing of a simulation counts than that of
// an answer: somebody waits for the next page, and has asked for a simulation.
const runWeight = 4

// Turn waits until a simulation may compute, for a few milliseconds at a time.
// It gives its turn back by calling leave. However long it takes, it is never
// turned away: who waits for a simulation has time.
func (s *Server) Turn(ctx context.Context) (leave func(), err error) {
	if s.gate == nil {
		return func() {}, ctx.Err()
	}
	for {
		leave, err = s.gate.lines[runLine].enter(ctx)
		if err == nil || ctx.Err() != nil {
			return leave, err
		}
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.metrics.inFlight.Inc()
	defer s.metrics.inFlight.Dec()
	e := &exchange{
		s: s, r: r, start: time.Now(), class: classify(r),
		from: client(r, s.opt.TrustProxy),
		out:  response{to: w, origin: r.Header.Get("Origin"), closed: !s.originAllowed(r)},
	}
	e.out.some = !s.openToAll() && e.class != classStatic
	defer e.finish()
	headers(w.Header())
	e.identify()
	if f := e.admit(); f != nil {
		e.refused = true
		refuse(&e.out, r, f)
		e.drain()
		return
	}
	e.memory = s.held.Get().(*[]byte)
	e.out.held = (*e.memory)[:0]
	e.answer()
}

// exchange is one request on its way through the server.
type exchange struct {
	s       *Server
	r       *http.Request
	out     response
	start   time.Time
	class   *class
	from    netip.Addr
	id      string
	memory  *[]byte // for out.held, back to the pool at the end
	refused bool    // by a limit; not logged one by one
}

// admit passes a request through all bounds. With nil, a slot of the gate is
// given back through e.out.ready.
func (e *exchange) admit() *refusal {
	s := e.s
	if f := s.check(e.r, e.class); f != nil {
		return f
	}
	if f := s.price(e.from, e.class); f != nil {
		s.metrics.limited.WithLabelValues(e.class.name).Inc()
		return f
	}
	if f := s.readBody(e.out.to, e.r, e.class); f != nil {
		return f
	}
	if s.gate == nil || e.class.line == "" {
		return nil
	}
	began := time.Now()
	leave, err := s.gate.lines[e.class.line].enter(e.r.Context())
	s.metrics.wait.WithLabelValues(e.class.line).Observe(time.Since(began).Seconds())
	if err != nil {
		s.metrics.shed.WithLabelValues(e.class.line).Inc()
		return busy()
	}
	e.out.ready = leave
	return nil
}

// answer asks the face that the class belongs to.
func (e *exchange) answer() {
	ctx, cancel := context.WithTimeout(e.r.Context(), e.class.patience())
	defer cancel()
	r := e.r.WithContext(app.WithClient(ctx, neighbourhood(e.from).String()))
	if e.class.stream {
		e.stream()
	}
	switch {
	case e.class == classHealth:
		e.s.health(&e.out, r)
	case e.class == classMCP:
		e.s.mcp(&e.out, r)
	default:
		e.s.opt.Faces.ServeHTTP(&e.out, r)
	}
}

// stream lifts the deadlines of the connection for an answer that may take
// long, in favour of one a write.
func (e *exchange) stream() {
	e.out.stream = e.s.timeouts.write
	// The body has been read; a read deadline would cancel the request.
	_ = http.NewResponseController(e.out.to).SetReadDeadline(time.Time{})
}

func (s *Server) mcp(w http.ResponseWriter, r *http.Request) {
	if s.opt.MCP == nil {
		refuse(w, r, &refusal{status: http.StatusNotFound, detail: both("this server does not speak MCP", "이 서버는 MCP를 지원하지 않는다")})
		return
	}
	s.opt.MCP.ServeHTTP(w, r)
}

// finish sends what is held, gives the slot back whatever happened, and counts
// and logs the request.
func (e *exchange) finish() {
	p := recover()
	e.out.release()
	if p != nil {
		e.panicked(p)
	}
	if err := e.out.end(e.r.Method); err != nil {
		e.s.opt.Log.Debug("client went away", "id", e.id, "error", err)
	}
	if e.memory != nil {
		*e.memory = e.out.held[:0]
		e.s.held.Put(e.memory)
	}
	took := time.Since(e.start)
	e.s.metrics.answered(e.class, e.out.status, took)
	e.log(took)
	if e.out.broken {
		panic(http.ErrAbortHandler) // half an answer must not look whole
	}
}

// panicked turns a panic into a clean answer, or marks the answer as broken
// where part of it has gone out.
func (e *exchange) panicked(p any) {
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		e.out.broken = true
		return
	}
	e.s.metrics.panics.Inc()
	e.s.opt.Log.Error("panic while answering", "id", e.id, "class", e.class.name,
		"panic", p, "stack", string(debug.Stack()))
	if e.out.sent {
		e.out.broken = true
		return
	}
	clear(e.out.to.Header())
	headers(e.out.to.Header())
	e.out.held, e.out.status = e.out.held[:0], 0
	refuse(&e.out, e.r, &refusal{
		status: http.StatusInternalServerError, detail: both("this is a fault of the server", "서버의 잘못이다"),
		remedy: both("report the id in the header X-Request-Id; it finds the reason in the log",
			"헤더 X-Request-Id의 id를 알려 준다. 로그에서 까닭을 찾을 수 있다"),
	})
	e.out.Header().Set("X-Request-Id", e.id)
}

// headers sets what every answer carries; a face may change them.
func headers(h http.Header) {
	h["X-Content-Type-Options"] = []string{"nosniff"}
	// Queries may hold a pasted log line; they stay out of the logs of sources.
	h["Referrer-Policy"] = []string{"no-referrer"}
	h["X-Frame-Options"] = []string{"DENY"}
	h["Cross-Origin-Opener-Policy"] = []string{"same-origin"}
	h["Cross-Origin-Resource-Policy"] = []string{"same-origin"}
	h["Permissions-Policy"] = []string{"camera=(), geolocation=(), microphone=()"}
	h["Content-Security-Policy"] = []string{"default-src 'none'; frame-ancestors 'none'"}
}
