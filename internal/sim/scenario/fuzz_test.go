package scenario

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// systemFiles returns the texts of all system files of the repository.
func systemFiles(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{
		"../../../corpus/scenarios/*.yaml", "../../serve/web/testdata/systems/*.yaml", "../../../cmd/precedent/newsystem/*.yaml",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		for _, name := range files {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text, _, _ := strings.Cut(string(raw), "\nvariants:") // each of which is read as a file of its own
			all = append(all, text)
		}
	}
	return all
}

// nasty are systems on the edge of what is accepted: many of one thing, none of
// it, calls in circles, everything on one call, instants without time.
var nasty = []string{
	`name: every policy
parts:
  users: {kind: source, rate: 1000/s, in_time: 1ms, call: {to: a, timeout: 1ms, retries: 9, backoff: {first: 1us, factor: 1, most: 1us}, hedge: 500us, retry_budget: 50%, cancel: true, inherit_deadline: true, breaker: {failures: 1, of: 2, open: 1ms}}}
  a: {kind: server, work: 0s, calls: [{to: b, timeout: 1us, retries: 3}, {to: b, delay: 1us}], together: true}
  b: {kind: server, work: exp 1ms, room: 0}
`,
	`name: circle
parts:
  users: {kind: source, rate: 10/s, call: {to: a, timeout: 1s}}
  a: {kind: server, work: 1ms, calls: [{to: b}]}
  b: {kind: server, work: 1ms, calls: [{to: a}]}
`,
	`name: many
parts:
  hosts: {kind: leases, hosts: 1M, period: 1ms, lapse: 1ms, establish_size: 1, retry: {first: 1ms}, call: {to: db}}
  db: {kind: server, copies: 1, work: 0s}
`,
	`name: closed
parts:
  users: {kind: source, population: 100k, overflow: 100k, think: 1ns, leave: at_once, call: {to: q}}
  q: {kind: queue, consumers: 100k, prefetch: 1M, visibility: 1ns, again_after: 1ms, call: {to: db, timeout: 1ns}, dead_letters: {to: q, delay: 1ns}, max_deliveries: 1}
  db: {kind: server, workers: 1M, work: 1h}
run: {for: 1000h, window: 1h}
changes:
  - {at: 1s, every: 1ms, times: 100, set: {q.clear: 1, users.population: 0.5x}}
`,
	`name: caches
parts:
  users: {kind: source, rate: 100k/s, keys: {distinct: 10M, zipf: 3}, call: {to: c}}
  c: {kind: cache, call: {to: db, timeout: 1ms}}
  db: {kind: store, shards: 3, replicas: 2, query: scatter, work: 1ms}
`,
	`name: beats
parts:
  h: {kind: heartbeats, hosts: 500, heavy: 1, light: 1M, period: 1ms, unhealthy_after: 2ms, part: 60k, knee: 1, call: {to: db, timeout: 1ms}, connect: {to: db, timeout: 1us}}
  db: {kind: server, work: 1s, room: 0}
changes:
  - {at: 1s, for: 1s, set: {h.down: 1}}
`,
	`name: work
parts:
  w: {kind: workflow, rate: 1M/s, steps: 1M, call: {to: db}}
  db: {kind: server, work: 0s}
`,
}

// FuzzSystem runs whatever is accepted for a small budget: without a panic, to an
// end, with its laws kept, with nothing counted below zero, and in bounded memory.
func FuzzSystem(f *testing.F) {
	for _, src := range append(systemFiles(f), nasty...) {
		f.Add(src, uint64(1))
	}
	f.Fuzz(func(t *testing.T, src string, seed uint64) {
		file, problems := Decode("fuzz.yaml", []byte(src), nil)
		if len(problems.Errors()) > 0 {
			for _, p := range problems {
				if p.Line < 1 || p.Msg == "" {
					t.Errorf("the problem %+v has no place or no words", p)
				}
			}
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		r, err := file.Simulate(context.Background(), seed, des.Budget{Events: 50_000, Pending: 200_000})
		runtime.ReadMemStats(&after)
		if err != nil || r.End == "" {
			t.Fatalf("the run ended by %q: %v", r.End, err)
		}
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("%d events took %v", r.Events, took)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 2<<30 {
			t.Errorf("%d events took %d MB", r.Events, used>>20)
		}
		if len(r.Broken) > 0 {
			t.Errorf("laws are broken: %s", strings.Join(r.Broken, "; "))
		}
		for _, s := range r.Series {
			for i, v := range s.Values {
				if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s is %v in window %d", s.Name, v, i)
				}
			}
		}
	})
}

// TestNastyAccepted keeps the systems that the fuzzing begins with within what is
// accepted.
func TestNastyAccepted(t *testing.T) {
	for _, src := range nasty {
		if _, problems := Decode("nasty.yaml", []byte(src), nil); len(problems.Errors()) > 0 {
			t.Errorf("%v", problems.Errors())
		}
	}
}
