package verdict

import (
	"strings"
	"testing"
)

// onlyChecks is a system that nobody calls: its load is health checks.
const onlyChecks = `name: only checks
parts:
  nlb: {kind: healthcheck, balancers: 100, targets: 4, checkers: 20, check: 20ms, change: 2s}
changes:
  - {about: bad checks, at: 10m, for: 5m, set: {nlb.bad: 30%}}
`

// flapping is a system without retries, hedges or anything else that makes more of
// a request: whoever comes back first gets the load of all, fails its next check and
// is taken out again.
const flapping = `name: flapping
parts:
  users: {kind: source, rate: 900/s, call: {to: lb, timeout: 1s}}
  lb:
    kind: balancer
    policy: least_loaded
    calls: [{to: web, timeout: 1s}]
    health_checks: {every: 5s, timeout: 200ms, failures: 1, successes: 1}
  web: {kind: server, copies: 10, work: exp 10ms}
changes:
  - {about: the pause, at: 60s, for: 20s, set: {web.speed: 0}}
`

// TestHealthChecks judges systems that are down by their health checks alone: what is
// said of them is what happens.
func TestHealthChecks(t *testing.T) {
	for _, c := range []struct {
		name, src string
		set       []string
		want      Class
		by, says  string
		calmDown  int
	}{
		{"only checks", onlyChecks, nil, Driven, "members of nlb", "bad checks hurts it while it lasts, and it comes back by itself, ", 0},
		{"only checks that nothing fails", onlyChecks, []string{"nlb.fall", "9", "nlb.most_zones", "0"}, Stable, "members of nlb", "it comes back by itself after every trigger", 0},
		{"hosts are taken out", flapping, nil, Metastable, "requests of users", "it does so without retries too, so they are not what keeps it down", 2},
		{"half of them at most", flapping, []string{"lb.panic_below", "50%"}, Driven, "requests of users", "hurts it while it lasts", 0},
		{"no checks look at them", strings.Replace(flapping, "    health_checks: {every: 5s, timeout: 200ms, failures: 1, successes: 1}\n", "", 1),
			nil, Driven, "requests of users", "hurts it while it lasts", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			j := judge(t, c.src, 2, settings(c.set...)...)
			own := j.Trials[0]
			if j.Class != c.want || !strings.Contains(j.Why.En, c.says) || own.CalmDown != c.calmDown {
				t.Errorf("the verdict is %s (%s), %d of %d down without feedback, want %s (%s), %d", j.Class, j.Why.En, own.CalmDown, own.CalmRuns, c.want, c.says, c.calmDown)
			}
			if len(j.JudgedBy) != 1 || j.JudgedBy[0].String() != c.by {
				t.Errorf("it is judged by %v, want %s", j.JudgedBy, c.by)
			}
			if j.Class == Metastable && (own.Amplification > 1.01 || own.Amplification == 0) {
				t.Errorf("each request became %.2f calls, want one", own.Amplification)
			}
			if j.Baseline.Unhealthy.Share > 0 {
				t.Errorf("without a trigger it is %+v", j.Baseline)
			}
		})
	}
}
