package study

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
)

// memory keeps what was found.
type memory struct {
	mu   sync.Mutex
	done map[string][]byte
}

func (m *memory) Load(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.done[key]
	return value, ok
}

func (m *memory) Store(key string, value []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done[key] = value
}

// TestGoingOn interrupts each kind of question again and again, until an answer
// is whole: it is the one that nobody interrupted, and no run was made in vain
// but those that an interrupt cut off.
func TestGoingOn(t *testing.T) {
	for _, q := range []Question{
		{Kind: KindJudge, Seeds: 3}, {Kind: KindStress, Seeds: 5}, {Kind: KindRemedies, Seeds: 2},
		{Kind: KindMap, Seeds: 4, X: "load=10/s,20/s,40/s,60/s", Y: "users.call.retries=0..3"},
	} {
		t.Run(string(q.Kind), func(t *testing.T) {
			q.System = simulated + "changes:\n  - {about: the slow database, at: 10s, for: 4s, set: {db.speed: 5%}}\n"
			needed := 0
			whole, err := Ask(t.Context(), q, Limits{Workers: 1}, func(Progress) { needed++ })
			if err != nil {
				t.Fatal(err)
			}
			kept := &memory{done: map[string][]byte{}}
			partial, tries := 0, 0
			for {
				ctx, cancel := context.WithCancel(t.Context())
				s, err := Read(q, Limits{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				s.Keep(kept)
				runs, most := 0, max(needed/3, 6)
				if q.Kind == KindMap {
					most += len(kept.done) // cells that are known count as runs
				}
				a, err := s.Answer(ctx, func(Progress) {
					if runs++; runs == most {
						cancel()
					}
				})
				cancel()
				if tries++; tries > 60 {
					t.Fatalf("it does not end; %d parts are kept, %d runs are needed", len(kept.done), needed)
				}
				if Interrupted(err) {
					if a != nil {
						partial++
						if len(a.Missing) == 0 {
							t.Error("an interrupted answer does not say what it lacks")
						}
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if got, want := asJSON(t, a), asJSON(t, whole); got != want {
					t.Errorf("the answer is\n%s\nwant\n%s", got, want)
				}
				break
			}
			if tries < 3 || partial == 0 {
				t.Errorf("%d tries with %d partial answers; nothing was tested", tries, partial)
			}
		})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
