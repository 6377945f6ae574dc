package scenario

import (
	"context"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// simulateText runs a scenario file.
func simulateText(t *testing.T, text string) *Result {
	t.Helper()
	f, problems := Decode("test.yaml", []byte(text), nil)
	if len(problems) > 0 {
		t.Fatalf("the file has problems:\n%v", problems)
	}
	r, err := f.Simulate(context.Background(), 1, des.Budget{})
	if err != nil || !r.End.Finished() {
		t.Fatalf("the run ended by %q: %v", r.End, err)
	}
	for _, b := range r.Broken {
		t.Error(b)
	}
	return r
}

// windowOf returns a window of a series.
func windowOf(t *testing.T, r *Result, name string, at int) float64 {
	t.Helper()
	for _, s := range r.Series {
		if s.Name == name {
			return s.Values[at]
		}
	}
	t.Fatalf("there is no series %q", name)
	return 0
}

// refusedText fails unless a problem of a file says what is wanted.
func refusedText(t *testing.T, text, want string) {
	t.Helper()
	_, problems := Decode("test.yaml", []byte(text), nil)
	for _, p := range problems {
		if strings.Contains(p.String(), want) {
			return
		}
	}
	t.Errorf("no problem says %q, only:\n%v", want, problems)
}

const balancedFile = `
name: balanced
parts:
  users:
    kind: source
    rate: 100/s
    call: {to: lb}
  lb:
    kind: balancer
    policy: power_of_two
    calls: [{to: web}]
    eject: {failures_in_row: 3}
  web:
    kind: server
    copies: 20
    workers: 2
    work: exp 100ms
run: {for: 1m}
changes:
  - at: 20s
    for: 20s
    set:
      web.3.down: 1
`

func TestBalancerFile(t *testing.T) {
	r := simulateText(t, balancedFile)
	if before, after := windowOf(t, r, "lb.available", 10), windowOf(t, r, "lb.available", 30); before != 20 || after != 19 {
		t.Errorf("%v and then %v targets are available, want 20 and 19", before, after)
	}
	refusedText(t, strings.Replace(balancedFile, "to: lb", "to: web", 1), "has 20 copies")
	refusedText(t, strings.Replace(balancedFile, "copies: 20", "copies: 2000", 1), "at most 1000")
	refusedText(t, strings.Replace(balancedFile, "power_of_two", "power_of_tow", 1), "power_of_two")
	refusedText(t, strings.Replace(balancedFile, "web.3.down", "web.3.dwn", 1), "web.3.down")
}
