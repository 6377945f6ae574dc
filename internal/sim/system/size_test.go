package system_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// TestHandlers: a system with more handlers than a run has room for is reported
// where most of them are, and one that just fits can be built.
func TestHandlers(t *testing.T) {
	const src = `name: wide
parts:
  users: {kind: source, rate: 1/s, call: {to: front}}
  front: {kind: balancer, calls: [{to: web}]}
  web:
    kind: server
    copies: %d
    work: 1ms
    calls: [%s{to: db}]
  db: {kind: server, work: 1ms}
run: {for: 1s}
`
	calls := strings.Repeat("{to: db, timeout: 1s, connect_timeout: 500ms, hedge: 100ms}, ", 20)
	f, problems := scenario.Decode("wide.yaml", fmt.Appendf(nil, src, 700, calls), nil)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	if n := f.Start(1, false).Sim.Handlers(); n > des.MaxHandlers || n < 50_000 {
		t.Errorf("%d handlers were registered", n)
	}
	_, problems = scenario.Decode("wide.yaml", fmt.Appendf(nil, src, 900, calls), nil)
	if got := problems.Error(); !strings.Contains(got, "parts.web.copies") || !strings.Contains(got, "handlers of events") {
		t.Errorf("got %s", got)
	}
}
