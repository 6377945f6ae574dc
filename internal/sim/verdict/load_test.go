package verdict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// leaseStorm is a fleet whose leases, once all are lost, are established again
// slower than their deadline: 200 hosts at 100 ms each take 20 s, of which a call
// waits 5 s at most, and the work of those that have given up is done all the same.
const leaseStorm = `name: leases
parts:
  hosts:
    kind: leases
    hosts: 200
    period: 60s
    lapse: 100s
    renew_size: 0.1
    establish_size: 1
    retry: {first: 1s, most: 1s, factor: 1}
    call: {to: manager, timeout: 5s}
  manager: {kind: server, work: 0, work_per_size: 100ms}
changes:
  - {about: the loss, at: 5m, for: 1s, set: {hosts.revoke: 1}}
`

// TestLoads judges systems whose load comes from each kind of part that brings
// work, with and without what keeps them down.
func TestLoads(t *testing.T) {
	for _, c := range []struct {
		name, src string
		set       []strictyaml.Setting
		want      Class
		by        []JudgedBy
	}{
		{"leases", leaseStorm, nil, Metastable, []JudgedBy{{[]string{"hosts"}, parts.Members}}},
		{"leases that come back", leaseStorm, settings("hosts.limit", "5"), Driven, nil},
		{"refresher", refreshStorm, nil, Metastable, []JudgedBy{{[]string{"nodes"}, parts.Members}}},
		{"refresher that waits", refreshStorm, settings("nodes.retry.first", "50s", "nodes.retry.most", "50s"), Driven, nil},
		{"refresher that stays", refreshStorm, settings("nodes.on_fail", "stay"), Metastable, nil},
		{"heartbeats", beatStorm, nil, Metastable, []JudgedBy{{[]string{"hosts"}, parts.Members}}},
		{"heartbeats with a cap", beatStorm, settings("hosts.place.most", "10"), Driven, nil},
		{"workflow", workStorm, nil, Metastable, []JudgedBy{{[]string{"deploys"}, parts.Runs}}},
		{"workflow without retries", workStorm, settings("deploys.call.retries", "0"), Driven, nil},
		{"consumers", mailStorm, nil, Metastable, []JudgedBy{{[]string{"users"}, parts.Requests}, {[]string{"mail"}, parts.Messages}}},
		{"fewer consumers", mailStorm, settings("mail.consumers", "50"), Driven, nil},
		{"planner", planRace, nil, Metastable, []JudgedBy{{[]string{"dns"}, parts.Members}}},
		{"planner that compares", planRace, settings("dns.write", "compare-and-swap"), Stable, nil},
		{"a mix", mix, nil, Metastable, []JudgedBy{{[]string{"others"}, parts.Requests}, {[]string{"hosts"}, parts.Members}}},
		{"a mix that comes back", mix, settings("hosts.limit", "5"), Driven, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			j := judge(t, c.src, 2, c.set...)
			if j.Class != c.want {
				t.Errorf("the verdict is %s (%s), want %s; baseline %+v, trials %+v", j.Class, j.Why, c.want, j.Baseline, j.Trials)
			}
			if d := cmp.Diff(c.by, j.JudgedBy); c.by != nil && d != "" {
				t.Errorf("it is judged by something else (-want +got):\n%s", d)
			}
		})
	}
}

// settings pairs paths and values, of the parts where they name one.
func settings(pairs ...string) []strictyaml.Setting {
	var all []strictyaml.Setting
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, strictyaml.Setting{Path: "parts." + pairs[i], Value: pairs[i+1]})
	}
	return all
}

// mix is leaseStorm beside users who are well whatever becomes of the leases.
var mix = strings.Replace(leaseStorm, "parts:\n", `parts:
  others: {kind: source, rate: 20/s, call: {to: web}}
  web: {kind: server, work: 1ms}
`, 1)

const refreshStorm = `name: refresh
parts:
  nodes:
    kind: refresher
    members: 200
    period: 60s
    retry: {first: 1s, most: 1s, factor: 1}
    call: {to: meta, timeout: 2s}
  meta: {kind: server, work: 75ms}
changes:
  - {about: the partition, at: 5m, for: 5s, set: {nodes.cut: 1}}
`

const beatStorm = `name: beats
parts:
  hosts: {kind: heartbeats, hosts: 200, light: 50, light_traffic: 0.01, period: 10s, unhealthy_after: 30s, knee: 60, call: {to: collector, timeout: 5s}}
  collector: {kind: server, work: 0, work_per_size: 300us, room: 1000}
changes:
  - {about: the pause, at: 5m, for: 90s, set: {collector.speed: 0}}
`

const workStorm = `name: work
parts:
  deploys: {kind: workflow, rate: 6/s, steps: 4, call: {to: api, timeout: 500ms, retries: 9}}
  api: {kind: server, work: exp 20ms}
changes:
  - {about: the pause, at: 1m, for: 5s, set: {api.speed: 0}}
`

const mailStorm = `name: mail
parts:
  users: {kind: source, rate: 50/s, call: {to: mail}}
  mail: {kind: queue, consumers: 400, call: {to: web, timeout: 1s}}
  web: {kind: server, work: exp 12ms}
changes:
  - {about: the pause, at: 1m, for: 10s, set: {web.speed: 0}}
`

const planRace = `name: plans
parts:
  dns: {kind: planner, endpoints: 20, appliers: 2, period: 10s, keep: 3, step: 100ms}
changes:
  - {about: the slow applier, at: 5m, for: 3m, set: {dns.slow: 60}}
`
