package prometheus_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/doc"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/source/prometheus"
)

// vector is an answer as the HTTP API of Prometheus documents it.
func vector(series ...string) string {
	return `{"status":"success","data":{"resultType":"vector","result":[` + strings.Join(series, ",") + `]}}`
}

const (
	memory = `{"metric":{"container":"consul","namespace":"infra","pod":"consul-a","precedent":"ContainerMemory"},"value":[1767225600.781,"492830720"]}`
	volume = `{"metric":{"namespace":"shop","persistentvolumeclaim":"data-cache-0","precedent":"VolumeUse"},"value":[1767225600.781,"0.91"]}`
	nan    = `{"metric":{"namespace":"shop","persistentvolumeclaim":"empty","precedent":"VolumeUse"},"value":[1767225600.781,"NaN"]}`
)

// answers serves what is asked for: the answer to the query for memory, and to that for
// volumes.
func answers(t *testing.T, code int, contentType, forMemory, forVolumes string) (*httptest.Server, *[]*http.Request) {
	t.Helper()
	var seen []*http.Request
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Clone(context.Background()))
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		if strings.Contains(r.URL.Query().Get("query"), "VolumeUse") {
			fmt.Fprint(w, forVolumes)
			return
		}
		fmt.Fprint(w, forMemory)
	}))
	t.Cleanup(s.Close)
	return s, &seen
}

func env(all map[string]string) func(string) string {
	return func(name string) string { return all[name] }
}

func read(t *testing.T, opt prometheus.Options) (*object.Snapshot, error) {
	t.Helper()
	snap := object.NewSnapshot(time.Unix(0, 0))
	opt.Queries = doc.CollectPrometheus
	if opt.Env == nil {
		opt.Env = env(nil)
	}
	return snap, prometheus.Read(t.Context(), snap, opt)
}

const asJSON = "application/json"

// TestRead reads both queries, each sent once and with GET.
func TestRead(t *testing.T) {
	s, seen := answers(t, 200, asJSON, vector(memory), vector(volume, nan))
	snap, err := read(t, prometheus.Options{Address: s.URL + "/prom/", Env: env(map[string]string{prometheus.TokenName: "hunter2"})})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{object.PrometheusMemory, object.PrometheusVolume} {
		if err := snap.Whole(kind); err != nil {
			t.Error(err)
		}
	}
	if all, _ := snap.Objects(object.PrometheusVolume); len(all) != 1 || all[0].Name != "data-cache-0" || all[0].Fields.At("share") != 0.91 {
		t.Errorf("volumes: %v", all)
	}
	if len(*seen) != 2 {
		t.Errorf("%d requests, want 2", len(*seen))
	}
	for _, r := range *seen {
		if r.Method != http.MethodGet || r.URL.Path != "/prom/api/v1/query" || r.Header.Get("Authorization") != "Bearer hunter2" || r.URL.Query().Get("timeout") != "30s" {
			t.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
		}
	}
}

// TestRefusals tells why figures were not read, and what to do about a server that is none.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name                        string
		code                        int
		contentType, memory, volume string
		want                        string // of the error of Read, or else of that of the kind for memory
		whole                       bool   // the error is of Read
	}{
		{"no series", 200, asJSON, vector(), vector(volume), "the server has no such series", false},
		{"of something else", 200, asJSON, vector(volume), vector(volume), "the server has no such series", false},
		{"a query that is refused", 400, asJSON, `{"status":"error","errorType":"bad_data","error":"unknown function"}`, vector(volume), "the server refuses the query: bad_data: unknown function", false},
		{"a query that took too long", 503, asJSON, `{"status":"error","errorType":"timeout","error":"query timed out in expression evaluation"}`, vector(volume), "timeout: query timed out", false},
		{"a part of the figures", 200, asJSON, strings.Replace(vector(memory), `{"status"`, `{"warnings":["store a is gone"],"status"`, 1), vector(volume), "the server warns: store a is gone", false},
		{"a range", 200, asJSON, `{"status":"success","data":{"resultType":"matrix","result":[]}}`, vector(volume), "not one of Prometheus to an instant query", false},
		{"half an answer", 200, asJSON, vector(memory)[:80], vector(volume), "not one of Prometheus", false},
		{"no Prometheus", 404, "text/html", "<html>", "<html>", "give the address that stands before /api/v1", true},
		{"no token", 401, "text/plain", "no", "no", "it wants a token in PROMETHEUS_TOKEN", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := answers(t, c.code, c.contentType, c.memory, c.volume)
			snap, err := read(t, prometheus.Options{Address: s.URL})
			if !c.whole {
				if err != nil {
					t.Fatal(err)
				}
				err = snap.Whole(object.PrometheusMemory)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}

// TestSlow gives a server no more time than it has.
func TestSlow(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(s.Close)
	snap, err := read(t, prometheus.Options{Address: s.URL, Wait: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := snap.Whole(object.PrometheusMemory); err == nil || !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Errorf("the error is %v", err)
	}
}

// TestRedirects stays with the server that was named.
func TestRedirects(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		w.Header().Set("Content-Type", asJSON)
		fmt.Fprint(w, vector(memory))
	}))
	t.Cleanup(other.Close)
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusFound)
	}))
	t.Cleanup(away.Close)
	_, err := read(t, prometheus.Options{Address: away.URL})
	if err == nil || !strings.Contains(err.Error(), "it redirects to another server") || asked {
		t.Errorf("the error is %v, and the other server was asked: %v", err, asked)
	}

	within := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/real") {
			http.Redirect(w, r, "/real"+r.URL.RequestURI(), http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", asJSON)
		fmt.Fprint(w, vector(memory))
	}))
	t.Cleanup(within.Close)
	snap, err := read(t, prometheus.Options{Address: within.URL})
	if err != nil || snap.Whole(object.PrometheusMemory) != nil {
		t.Errorf("within the server: %v, %v", err, snap.Whole(object.PrometheusMemory))
	}
}

// TestSecrets takes no password on the command line, and shows none.
func TestSecrets(t *testing.T) {
	if _, err := read(t, prometheus.Options{Address: "https://me:hunter2@prometheus.example.com"}); !errors.Is(err, prometheus.ErrSecret) {
		t.Errorf("the error is %v", err)
	}
	if _, err := read(t, prometheus.Options{Address: "env:PROM", Env: env(map[string]string{"PROM": "https://hunter2 no address"})}); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error is %v", err)
	}
	if _, err := read(t, prometheus.Options{Address: "env:PROM"}); err == nil || !strings.Contains(err.Error(), `the environment variable "PROM" is not set`) {
		t.Errorf("the error is %v", err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		w.Header().Set("Content-Type", asJSON)
		fmt.Fprintf(w, `{"status":"error","errorType":"internal","error":"%s may not, with %s or hunter4"}`, name, password)
	}))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("me", "hunter3")
	snap, err := read(t, prometheus.Options{Address: "env:PROM", Env: env(map[string]string{"PROM": u.String()})})
	if err != nil {
		t.Fatal(err)
	}
	if why := snap.Whole(object.PrometheusMemory).Error(); !strings.Contains(why, "me may not") || strings.Contains(why, "hunter3") {
		t.Errorf("the reason is %q", why)
	}
	u.Host = "127.0.0.1:9"
	if _, err = read(t, prometheus.Options{Address: "env:PROM", Env: env(map[string]string{"PROM": u.String()})}); err == nil || strings.Contains(err.Error(), "hunter3") {
		t.Errorf("the error is %v", err)
	}
}
