package serve

import (
	"encoding/json"
	"net/http"
	"time"
)

// readiness is the body of /readyz.
type readiness struct {
	Status  string `json:"status"` // ready or stopping
	Library string `json:"library_version"`
	Cases   int    `json:"cases"`
	Loaded  string `json:"loaded"`
	// CasesBefore is present while the last change of the library left fewer
	// cases than there were: meant, or a folder that has gone.
	CasesBefore int `json:"cases_before,omitempty"`
	// ReloadFailed is when a reload last failed, present while it is the last
	// good library that is served and not what is on disk. Why it failed is in
	// the log, since it quotes files.
	ReloadFailed string `json:"reload_failed,omitempty"`
}

// health answers the addresses for operators.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch r.URL.Path {
	case "/healthz":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok\n"))
	case "/readyz":
		s.ready(w)
	case "/metrics":
		if !s.opt.Metrics || !s.hostAllowed(r) || proxied(r) {
			refuse(w, r, &refusal{
				status: http.StatusNotFound,
				detail: both("metrics are not shown at this address", "이 주소에는 지표가 없다"),
				remedy: both("start the server with --metrics-addr", "서버를 --metrics-addr와 함께 시작한다"),
			})
			return
		}
		s.metrics.handler().ServeHTTP(w, r)
	}
}

// proxied reports whether a request came through a proxy, which may have let
// in the whole internet.
func proxied(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"} {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return false
}

func (s *Server) ready(w http.ResponseWriter) {
	state := s.opt.Library.State()
	body := readiness{
		Status: "ready", Library: state.Version, Cases: state.Cases, CasesBefore: state.Before,
		Loaded: state.Loaded.UTC().Format(time.RFC3339),
	}
	status := http.StatusOK
	if s.closing.Load() {
		body.Status, status = "stopping", http.StatusServiceUnavailable
	}
	if state.Err != nil {
		body.ReloadFailed = state.Failed.UTC().Format(time.RFC3339)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have gone
}
