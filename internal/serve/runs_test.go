package serve

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/app"
)

func TestRunsAreClassified(t *testing.T) {
	for _, tt := range []struct {
		method, path string
		want         *class
	}{
		{"POST", "/api/v1/runs", classRun}, {"GET", "/api/v1/runs/abc", classState},
		{"DELETE", "/api/v1/runs/abc", classState}, {"GET", "/api/v1/runs/abc/events", classWatch},
		{"POST", "/simulator", classRun}, {"POST", "/ko/simulator", classRun},
		{"GET", "/simulator", classPage}, {"GET", "/ko/simulator/runs/abc", classPage},
	} {
		r := httptest.NewRequest(tt.method, tt.path, nil)
		if got := classify(r); got != tt.want {
			t.Errorf("%s %s is %s, want %s", tt.method, tt.path, got.name, tt.want.name)
		}
		if !allowed(tt.method, tt.want) {
			t.Errorf("%s %s is not allowed", tt.method, tt.path)
		}
	}
}

// TestRunsLetReadersPass holds both slots with simulations that take turns, and
// reads meanwhile: nobody is turned away, and nobody waits for long.
func TestRunsLetReadersPass(t *testing.T) {
	s := New(Options{Slots: 2, Library: must(openTest(t)), Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	for range 4 {
		go func() {
			for {
				leave, err := s.Turn(ctx)
				if err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
				leave()
			}
		}()
	}
	worst := time.Duration(0)
	for range 100 {
		began := time.Now()
		leave, err := s.gate.lines["read"].enter(ctx)
		if err != nil {
			t.Fatalf("a reader was turned away: %v", err)
		}
		worst = max(worst, time.Since(began))
		leave()
	}
	cancel()
	t.Logf("the longest wait of a reader: %v", worst)
	if worst > 10*patience {
		t.Errorf("a reader waited for %v", worst)
	}
}

// TestTurnEnds sees that who waits for a turn is let go with its context.
func TestTurnEnds(t *testing.T) {
	s := New(Options{Slots: 1, Library: must(openTest(t)), Log: slog.New(slog.DiscardHandler)})
	leave, err := s.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
	defer cancel()
	if second, err := s.Turn(ctx); err == nil {
		second() // a stuck gate lets one more in, which is right
	}
	leave()
	if _, err := New(Options{Unlimited: true, Library: must(openTest(t)), Log: slog.New(slog.DiscardHandler)}).Turn(t.Context()); err != nil {
		t.Errorf("a turn without limits: %v", err)
	}
}

func TestPagesOfOthersStartNothing(t *testing.T) {
	asked := ""
	faces := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = app.ClientOf(r.Context()) })
	for _, tt := range []struct {
		origin, host string
		want         int
	}{
		{"", "localhost", 200}, {"http://localhost:8080", "localhost:8080", 200},
		{"https://library.example", "library.example", 200},
		{"https://elsewhere.example", "library.example", 403}, {"null", "library.example", 403},
	} {
		s := New(Options{Faces: faces, Library: must(openTest(t)), Log: slog.New(slog.DiscardHandler)})
		r := httptest.NewRequest("POST", "/api/v1/runs", nil)
		r.Host, r.RemoteAddr = tt.host, "192.0.2.7:1234"
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("a page of %q at %s: status %d, want %d", tt.origin, tt.host, w.Code, tt.want)
		}
		if tt.want == 200 && asked != "192.0.2.7" {
			t.Errorf("the face sees the client %q", asked)
		}
	}
}
