package parts_test

import "testing"

// starved is clients that keep sessions through a proxy with too few connections,
// at an eighth of the size of a published incident.
const starved = `
name: proxy
parameters:
  clients: 950
  cap: 420
  borrow: 7s
parts:
  users:
    kind: source
    population: $clients
    think: exp 1s
    call: {to: proxy, connect_timeout: 7s, cancel: true}
  proxy:
    kind: pool
    max: $cap
    borrow_timeout: $borrow
    reuse: false
    connect_time: 200ms
    session: {life: exp 300s, pause: exp 4s}
    connect: {to: writer, size: 28}
    call: {to: writer, size: 7}
  writer: {kind: cpu, cores: 4, work: 0, work_per_size: 1ms}
run: {for: 20m, window: 1m}
changes:
  - {at: 15m, set: {proxy.max: 2000}}
`

// TestStarvedProxy: sessions beyond the cap wait, each attempt to connect costs
// processor time though hardly one succeeds, and more connections end it.
func TestStarvedProxy(t *testing.T) {
	p := play(t, starved, 1)
	near(t, "open connections", p.mean("proxy.open", 600, 900), 420, 1)
	near(t, "sessions that wait", p.mean("proxy.queue", 600, 900), 530-70, 40)
	aborted := p.sum("proxy.aborted", 600, 900) / p.sum("proxy.connects", 600, 900)
	near(t, "share of connections opened in vain", aborted, 0.95, 0.05)
	// Each of the 530 that starve comes back every 7 s and a second.
	near(t, "attempts a second", p.sum("proxy.arrived", 600, 900)/300, 530.0/8, 4)
	near(t, "waiting once there are enough connections", p.mean("proxy.queue", 1080, 1200), 0, 0.5)
	near(t, "sessions without a connection that early", p.sum("proxy.borrow_timed_out", 0, 900), 0, 0.5)

	early := play(t, starved, 1, "borrow=6s")
	near(t, "connections opened in vain when the proxy gives up first", early.sum("proxy.aborted", 600, 900), 0, 20)
	near(t, "busy cores then", early.mean("writer.busy", 600, 900), 420/4.0*0.007+420/300.0*0.028, 0.1)
	sameSeries(t, p, play(t, starved, 1))
}

// restarted is a boot path whose caches are restarted one after the other, at a
// twentieth of the size of a published incident.
const restarted = `
name: boot path
parameters:
  boots: 5/s
  grace: 0s
  fetch: all
  retries: 5
parts:
  boots:
    kind: source
    rate: $boots
    keys: {distinct: 18000}
    call: {to: cache, timeout: 3s, retries: $retries, backoff: {first: 2s, most: 60s, jitter: 50%}}
  users:
    kind: source
    rate: 4/s
    keys: {distinct: 18000}
    call: {to: db, timeout: 3s}
  cache:
    kind: cache
    nodes: 64
    spares: 64
    grace: $grace
    keys_per_call: 20
    distinct: 72000
    warm: 72000
    fetch: $fetch
    call: {to: db, timeout: 3s}
  db: {kind: store, shards: 8, cores: 4, query: scatter, work: 500ms}
run: {for: 40m, window: 1m}
changes:
  - {at: 5m, set: {cache.lose: 8}}
  - {at: 315s, set: {cache.return: 8}}
  - {at: 7m, set: {cache.lose: 8}}
  - {at: 435s, set: {cache.return: 8}}
`

// TestRestartedCaches: a quarter of the keys lost at the peak of load lets
// nearly every boot ask every shard. That is more than they can do, nothing is
// stored any more, and it stays so. With half of the load, or nodes that may be
// away for as long as they are, nothing happens.
func TestRestartedCaches(t *testing.T) {
	p := play(t, restarted, 1)
	if got := p.mean("cache.hit_ratio", 60, 300); got < 0.99 {
		t.Errorf("the hit ratio before is %v", got)
	}
	late := p.sum("boots.good", 1800, 2400) / p.sum("boots.offered", 1800, 2400)
	near(t, "share of boots that succeed half an hour later", late, 0, 0.3)
	for _, set := range []string{"boots=2.5/s", "grace=30s"} {
		q := play(t, restarted, 1, set)
		good := q.sum("boots.good", 1800, 2400) / q.sum("boots.offered", 1800, 2400)
		near(t, "share of boots that succeed with "+set, good, 1, 0.02)
	}
}
