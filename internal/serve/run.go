package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/openprecedent/precedent/internal/app"
)

// timeouts bound one connection. A header or a body that does not arrive in
// time is an attack or a lost client. The write timeout holds for one answer,
// and for one write where an answer is streamed.
type timeouts struct{ header, read, write, idle time.Duration }

func defaultTimeouts() timeouts {
	return timeouts{5 * time.Second, 10 * time.Second, 30 * time.Second, 90 * time.Second}
}

// maxHeader bounds the bytes of a header: the longest address and 12 KiB of
// fields.
const maxHeader = maxURL + 12<<10

// drain is how long answers that are under way may take when the server stops.
const drain = 15 * time.Second

// Listen opens a TCP address. A port that is taken is the user's to solve.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, app.Invalidf("addr",
			"stop the other program, or choose another port: --addr 127.0.0.1:0 takes a free one",
			"listening on %q: the port is taken", addr).
			Korean("다른 프로그램을 멈추거나 다른 포트를 고른다. --addr 127.0.0.1:0은 빈 포트를 쓴다", "%q에서 들을 수 없다: 이미 쓰는 포트다")
	case errors.Is(err, syscall.EACCES):
		return nil, app.Invalidf("addr", "choose a port above 1023, or let a proxy listen there",
			"listening on %q: this user may not", addr).
			Korean("1023보다 큰 포트를 고르거나 그 포트는 프록시에 맡긴다", "%q에서 들을 수 없다: 이 사용자에게 권한이 없다")
	case err != nil:
		return nil, app.Invalidf("addr", "write host:port, for example 127.0.0.1:8080",
			"listening on %q: %w", addr, err).
			Korean("127.0.0.1:8080처럼 host:port로 쓴다", "%q에서 들을 수 없다: %w")
	}
	return l, nil
}

// Serve answers requests from l until ctx ends, then drains: /readyz tells
// balancers to stay away, what is being answered is finished, and the
// connections close. It returns nil after a clean stop.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	bound := s.bound(l)
	server := s.httpServer(s)
	server.ConnState = bound.state
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(bound) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	return s.stop(server)
}

// httpServer returns a bounded server for h. It speaks HTTP/1 only: whoever
// wants HTTP/2 wants TLS, and that is the proxy's.
func (s *Server) httpServer(h http.Handler) *http.Server {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: s.timeouts.header, ReadTimeout: s.timeouts.read,
		WriteTimeout: s.timeouts.write, IdleTimeout: s.timeouts.idle, MaxHeaderBytes: maxHeader,
		ErrorLog:  slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelDebug),
		Protocols: new(http.Protocols),
	}
	server.Protocols.SetHTTP1(true)
	return server
}

func (s *Server) stop(server *http.Server) error {
	s.closing.Store(true)
	s.opt.Log.Info("stopping: finishing what is being answered")
	time.Sleep(s.opt.StopDelay)
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		_ = server.Close() // what is left had its time
		s.opt.Log.Warn("stopped before all answers were finished", "after", drain)
		return nil
	}
	s.opt.Log.Info("stopped")
	return nil
}

// ServeMetrics shows /metrics, /healthz and /readyz on an address of their own
// until ctx ends.
func (s *Server) ServeMetrics(ctx context.Context, l net.Listener) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics.handler())
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /readyz", s.health)
	server := s.httpServer(mux)
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving metrics on %s: %w", l.Addr(), err)
	}
	return nil
}
