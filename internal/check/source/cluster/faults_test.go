package cluster

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/testapi"
)

// wrong answers some requests in the place of the server.
type wrong func(w http.ResponseWriter, r *http.Request) bool

// page makes wrong what is asked for after the first page of the pods, the first
// times, or always where times is 0.
func laterPage(times int64, f wrong) wrong {
	var n atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/v1/pods" || !strings.Contains(r.URL.RawQuery, "continue=") {
			return false
		}
		return (n.Add(1) <= times || times == 0) && f(w, r)
	}
}

// status answers with a code, and the header Retry-After where there is one.
func status(code int, after string) wrong {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"kind": "Status", "message": "code %d"}`, code)
		return true
	}
}

// slow answers late, by way of the server.
func slow(d time.Duration) wrong {
	return func(_ http.ResponseWriter, r *http.Request) bool {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
		return false
	}
}

// stall never answers.
func stall(_ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

// half begins an answer and then falls silent.
func half(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Type", protobuf)
	_, _ = w.Write(envelope)
	_ = http.NewResponseController(w).Flush()
	return stall(w, r)
}

// torn begins an answer and closes the connection.
func torn(w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("Content-Length", "100000")
	_, _ = w.Write(envelope)
	panic(http.ErrAbortHandler)
}

// realFaults puts faults before a real server: those that pass are survived, those
// that stay make the pods, and the pods alone, not checked.
func realFaults(t *testing.T, s *testapi.Server, token string) {
	const wait = 500 * time.Millisecond
	for _, c := range []struct {
		name  string
		wrong wrong
		least time.Duration // that the reading takes
		want  string        // why the pods were not read; empty where they are
	}{
		{"slow", laterPage(3, slow(wait/2)), 3 * wait / 2, ""},
		{"stalls once", laterPage(1, stall), wait, ""},
		{"busy", laterPage(1, status(http.StatusServiceUnavailable, "1")), time.Second, ""},
		{"too many requests", laterPage(2, status(http.StatusTooManyRequests, "1")), 2 * time.Second, ""},
		{"too many requests at the first", func() wrong {
			var n atomic.Int64
			return func(w http.ResponseWriter, r *http.Request) bool {
				return strings.HasPrefix(r.URL.Path, "/version") && n.Add(1) == 1 && status(http.StatusTooManyRequests, "1")(w, r)
			}
		}(), time.Second, ""},
		{"torn once", laterPage(1, torn), 0, ""},
		{"stays slow", laterPage(0, slow(3*wait)), 0, "was not answered within 500ms"},
		{"stalls", laterPage(0, stall), 0, "was not answered within 500ms"},
		{"stalls half way", laterPage(0, half), 0, "was not answered within 500ms"},
		{"stays torn", laterPage(0, torn), 0, "EOF"},
		{"stays busy", laterPage(0, status(http.StatusServiceUnavailable, "")), 0, "answered 503: code 503"},
		{"fails", laterPage(0, status(http.StatusInternalServerError, "")), 0, "answered 500: code 500"},
		{"expires", laterPage(0, status(http.StatusGone, "")), 0, "answered 410: code 410"},
		{"account gone", laterPage(0, status(http.StatusUnauthorized, "")), 0, "not known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			front := s.Front(t)
			front.Wrong = c.wrong
			begin := time.Now()
			snap := readReal(t, s, front, token, Options{Wait: wait})
			if took := time.Since(begin); took < c.least {
				t.Errorf("took %v; want at least %v", took, c.least)
			}
			pods, err := snap.Pods()
			switch {
			case c.want == "" && (err != nil || len(pods) != realPods || len(snap.Gaps()) > 0):
				t.Errorf("%d pods, %v, not read: %v", len(pods), err, snap.Gaps())
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("the pods: %v; want %q", err, c.want)
			case c.want != "" && len(snap.Gaps()) != 1:
				t.Errorf("not read: %v; want the pods alone", snap.Gaps())
			}
		})
	}
}

// realExpired lets the server itself say that the next page is gone, as it does
// when its store was compacted meanwhile. The list is then read anew.
func realExpired(t *testing.T, s *testapi.Server, token string) {
	var gone atomic.Int64
	var answer atomic.Value
	front := s.Front(t)
	front.Wrong = laterPage(1, func(_ http.ResponseWriter, r *http.Request) bool {
		for i := 0; i < 150 && r.Context().Err() == nil; i++ {
			s.Apply(t, testapi.Objects(t, "touch.yaml", fmt.Sprintf(`
apiVersion: v1
kind: ConfigMap
metadata: {name: touched, namespace: shop}
data: {times: "%d"}
`, i))...)
			code, body, err := s.Do(r.Context(), http.MethodGet, r.URL.RequestURI(), "", nil)
			if err == nil && code == http.StatusGone {
				gone.Add(1)
				answer.Store(string(body))
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
		return false // the server answers by itself
	})
	snap := readReal(t, s, front, token, Options{Wait: 40 * time.Second})
	if gone.Load() != 1 {
		t.Fatal("the server kept the page for 30 s of compaction")
	}
	if all, err := snap.Pods(); err != nil || len(all) != realPods {
		t.Errorf("after %s: %d pods, %v", answer.Load(), len(all), err)
	}
	codes := map[int]int{}
	for _, one := range front.Seen() {
		if strings.HasPrefix(one.Path, "/api/v1/pods?") {
			codes[one.Code]++
		}
	}
	if codes[http.StatusGone] != 1 || codes[http.StatusOK] < (realPods+realPage-1)/realPage+1 {
		t.Errorf("the pages of the pods were answered with %v", codes)
	}
}

// TestSilence waits as long as a user would: a server that accepts connections and
// never answers is an error, and no all-clear.
func TestSilence(t *testing.T) {
	s := populated()
	s.wrong["/version"] = func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return true
	}
	if _, _, err := read(t, s, 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("a silent server: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.seen, func(one string) bool { return strings.HasSuffix(one, "/pods") }) {
		t.Error("went on to read")
	}
}
