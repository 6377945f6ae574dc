package scenario

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// seriesOf returns a series of a result.
func seriesOf(t *testing.T, r *Result, name string) []float64 {
	t.Helper()
	for _, s := range r.Series {
		if s.Name == name {
			return s.Values
		}
	}
	t.Fatalf("there is no series %q", name)
	return nil
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

const queueFile = `name: queue
parts:
  users: {kind: source, rate: 10/s, arrivals: regular, call: {to: db}}
  db: {kind: server, work: 50ms}
run: {for: 3m}
`

// TestCondition stops a server at 30 s, which lets 10 calls a second pile up, and
// starts it again once more than 50 have waited for as long as is asked.
func TestCondition(t *testing.T) {
	const stop = queueFile + `changes:
  - {at: 30s, set: {db.speed: 0}}
  - {name: mend, about: the mending, when: {metric: db.queue, above: 50HELD}, after: 7s, set: {db.speed: 1}}
`
	for _, c := range []struct {
		held string
		want float64 // when it begins
	}{
		// The mean queue over a second is 0.5 higher each tenth of one: above 50 in
		// the window from 35 s to 36 s, and 150 in that of ten seconds up to 50 s.
		{"", 36 + 7}, {", held: 4s", 40 + 7}, {", held: 2500ms", 39 + 7}, {", every: 10s", 50 + 7},
	} {
		r := simulateText(t, strings.Replace(stop, "HELD", c.held, 1))
		if len(r.Made) != 2 || math.Abs(r.Made[1].At.Seconds()-c.want) > 1 {
			t.Errorf("with %q the changes were made %v, want the second at %v s", c.held, r.Made, c.want)
		}
		if len(r.Unmade) > 0 {
			t.Errorf("with %q %q were not made", c.held, r.Unmade)
		}
		if got := seriesOf(t, r, "db.queue")[170]; got > 1 {
			t.Errorf("with %q %v still wait", c.held, got)
		}
	}
}

// TestConditionNotBefore has a condition that holds all along: the change comes
// once, at the first look after its time.
func TestConditionNotBefore(t *testing.T) {
	r := simulateText(t, queueFile+`changes:
  - {at: 1m, for: 20s, when: {metric: users.offered, above: 9, below: 11}, set: {users.rate: 20/s}}
`)
	if want := []Made{{Change: 0, At: 61 * des.Second, Until: 81 * des.Second}}; !slices.Equal(r.Made, want) {
		t.Errorf("the changes were made %v, want %v", r.Made, want)
	}
	if got := sum(seriesOf(t, r, "users.offered")[61:81]); got != 400 {
		t.Errorf("%v requests came while it lasted, want 400", got)
	}
	if got := sum(seriesOf(t, r, "users.offered")[82:]); got != 98*10 {
		t.Errorf("%v requests came afterwards, want 980", got)
	}
}

func TestConditionNeverTrue(t *testing.T) {
	r := simulateText(t, queueFile+`changes:
  - {about: the rescue, when: {metric: db.queue + db.busy, above: 100}, set: {db.workers: 9}}
`)
	if len(r.Made) > 0 || !slices.Equal(r.Unmade, []string{"the rescue"}) {
		t.Errorf("made were %v and not made %q, want none and the rescue", r.Made, r.Unmade)
	}
}

// TestRamp compares what comes while a rate moves with the area under the line.
func TestRamp(t *testing.T) {
	const ramp = queueFile + `changes:
  - {at: 20s, over: 100s, for: 120s, set: {users.rate: 3x}}
`
	r := simulateText(t, ramp)
	got := seriesOf(t, r, "users.offered")
	for _, c := range []struct {
		from, to int
		want     float64
	}{
		{0, 20, 200}, {20, 70, 750}, {20, 120, 2000}, {120, 140, 600}, {140, 180, 400},
	} {
		if n := sum(got[c.from:c.to]); math.Abs(n-c.want) > 2 {
			t.Errorf("%v requests came from %d s to %d s, want %v", n, c.from, c.to, c.want)
		}
	}
	// Poisson arrivals have the same mean: within three standard errors.
	total, runs := 0.0, 20
	f, problems := Decode("test.yaml", []byte(strings.Replace(ramp, "regular", "poisson", 1)), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for seed := range runs {
		r, err := f.Simulate(t.Context(), uint64(seed+1), des.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		total += sum(seriesOf(t, r, "users.offered")[20:120])
	}
	if mean, se := total/float64(runs), math.Sqrt(2000/float64(runs)); math.Abs(mean-2000) > 3*se {
		t.Errorf("%.1f requests come during the ramp, want 2000 within %.1f", mean, 3*se)
	}
}

// TestRampUnderChange lets a change of the same knob begin during a ramp: it
// holds until it ends, and then the ramp is where it would have been.
func TestRampUnderChange(t *testing.T) {
	r := simulateText(t, queueFile+`changes:
  - {at: 20s, over: 100s, set: {users.rate: 30/s}}
  - {at: 60s, for: 10s, set: {users.rate: 1/s}}
`)
	got := seriesOf(t, r, "users.offered")
	if n := sum(got[60:70]); n > 11 {
		t.Errorf("%v requests came while the other change held, want 10", n)
	}
	if n := sum(got[70:120]); math.Abs(n-50*25) > 10 {
		t.Errorf("%v requests came on the rest of the ramp, want 1250", n)
	}
}

func TestRepeats(t *testing.T) {
	r := simulateText(t, queueFile+`changes:
  - {at: 20s, for: 10s, every: 40s, times: 3, set: {users.rate: 2x}}
`)
	got := seriesOf(t, r, "users.offered")
	for i, from := range []int{20, 60, 100} {
		if n := sum(got[from : from+10]); n != 200 {
			t.Errorf("%v requests came during the change at %d s, want 200", n, from)
		}
		if at := r.Made[i].At; at != des.Time(from)*des.Second {
			t.Errorf("it was made at %v, want %d s", at, from)
		}
	}
	if len(r.Made) != 3 || math.Abs(sum(got)-2100) > 1 {
		t.Errorf("it was made %d times and %v requests came, want 3 and 2100", len(r.Made), sum(got))
	}
	r = simulateText(t, queueFile+`changes:
  - {at: 20s, for: 10s, every: 10s, set: {users.rate: 20/s}}
`)
	if n := len(r.Made); n < 16 || n > 17 || sum(seriesOf(t, r, "users.offered")[20:]) != 160*20 {
		t.Errorf("it was made %d times and %v requests came, want 16 or 17 and 3200", n, sum(seriesOf(t, r, "users.offered")[20:]))
	}
}

// TestRepeatedPulse empties a queue every ten seconds: each time what waits then
// is lost, and the end of a change does not do it again.
func TestRepeatedPulse(t *testing.T) {
	r := simulateText(t, queueFile+`changes:
  - {at: 10s, set: {db.speed: 0}}
  - {at: 20s, every: 10s, times: 3, set: {db.clear: 1}}
  - {at: 55s, for: 10s, set: {db.clear: 1}}
`)
	queue := seriesOf(t, r, "db.queue")
	for _, at := range []int{20, 30, 40, 55} {
		if queue[at] > 12 {
			t.Errorf("%v wait after the queue was emptied at %d s", queue[at], at)
		}
	}
	if queue[66] < 100 {
		t.Errorf("%v wait at 66 s: the end of a change emptied the queue", queue[66])
	}
}

func TestZero(t *testing.T) {
	r := simulateText(t, strings.Replace(queueFile, "for: 3m", "for: 3m, zero: 1m", 1)+`changes:
  - {at: T-10s, for: 10s, set: {users.rate: 20/s}}
  - {at: T+30s, for: 10s, set: {users.rate: 20/s}}
  - {at: T+1m, when: {metric: db.queue, below: 1}, set: {db.workers: 2}}
`)
	var at []des.Time
	for _, m := range r.Made {
		at = append(at, m.At/des.Second)
	}
	if want := []des.Time{50, 90, 121}; !slices.Equal(at, want) {
		t.Errorf("the changes were made at %v s, want %v", at, want)
	}
}

func TestChangesRefused(t *testing.T) {
	const run = "run: {for: 3m}\n"
	with := func(change string) string { return queueFile + "changes:\n  - {" + change + "}\n" }
	const set = ", set: {db.workers: 2}"
	for text, want := range map[string]string{
		with("set: {db.workers: 2}"): `changes[0].at: nothing says when it happens; write at`,
		with("at: T+5s" + set):       `changes[0].at: the file does not say when T+0 is; write the moment in run.zero`,
		with("at: 4m" + set):         `changes[0].at: 4m is after the end of the run at 3m`,
		with("at: T5s" + set):        `"T5s" is not a time of a run`,
		with("at: 5" + set):          `"5" is not a time of a run; write a span`,
		strings.Replace(with("at: T-2m"+set), run, "run: {for: 3m, zero: 1m}\n", 1):     `this is 1m before the start of the run`,
		strings.Replace(with("at: T+2m"+set), run, "run: {for: 3m, zero: 4m}\n", 1):     `run.zero: 4m is after the end of the run at 3m`,
		strings.Replace(with("at: 1m"+set), run, "run: {for: 3m, seeds: 0}\n", 1):       `run.seeds: 0 seeds; write 1 to 1000`,
		with("at: 5s, after: 3s" + set):                                                 `changes[0].after: there is no condition`,
		with("when: {metric: db.queue}" + set):                                          `the condition says nothing about the metric; write above or below`,
		with("when: {metric: db.queue, above: 5, below: 5}" + set):                      `nothing is above 5 and below 5`,
		with("when: {metric: db.queu, above: 5}" + set):                                 `no series or knob is named "db.queu"; did you mean "db.queue"?`,
		with("when: {metric: queue, above: 5}" + set):                                   `"queue" is no metric`,
		with("when: {metric: db.queue, above: 5, every: 1us}" + set):                    `write 1ms or more`,
		with("when: {metric: db.queue, abov: 5}" + set):                                 `did you mean "above"?`,
		with("at: 5s, for: 5s, over: 6s" + set):                                         `the knobs are turned back after 5s and need 6s to get there`,
		with("at: 5s, times: 3" + set):                                                  `3 times, and nothing says when; write every`,
		with("at: 5s, every: 1us" + set):                                                `it is made every 1µs; write 1ms or more`,
		with("at: 5s, for: 11s, every: 10s" + set):                                      `it lasts 11s and would be made again while it does`,
		with("at: 5s, over: 10s, every: 10s" + set):                                     `the knobs need 10s to get there and would begin again`,
		with("at: 5s, every: 1s, times: 1001" + set):                                    `1001 times; write at most 1000`,
		with("at: 5s, every: 10ms" + set):                                               `it is made 17501 times until the end of the run`,
		with("at: 5s, name: a"+set) + "  - {at: 6s, name: a, set: {db.workers: 1}}":     `"a" is the name of changes[0] too`,
		with("at: 5s, set: {db.speed: 5/s}"):                                            `changes[0].set.db.speed: 5/s is a rate, and db.speed takes a number or a share; write one such as`,
		with("at: 5s, set: {users.rate: 50%}"):                                          `50% is a share, and users.rate takes a rate; write one such as 100/s`,
		with("at: 5s, set: {users.rate: 50}"):                                           `50 is a number, and users.rate takes a rate`,
		with("at: 5s, set: {db.workers: 2s}"):                                           `2s is a time, and db.workers takes a number of workers`,
		with("at: 5s, set: {users.call.delay: 2}"):                                      `2 is a number, and users.call.delay takes a time`,
		with("at: 5s, set: {db.clear: 2x}"):                                             `db.clear keeps no value that 2x could multiply`,
		with("at: 5s, over: 5s, set: {db.clear: 1}"):                                    `db.clear does something once and has no way to go`,
		queueFile + "remedies: [{name: slower, set: {db.speed: 5/s, db.workers: 50%}}]": `remedies[0].set.db.workers: 50% is a share, and db.workers takes a number of workers`,
		queueFile + "expect: [{name: a, that: x}, {name: a, that: y}]":                  `expect[1].name: "a" is the name of expect[0] too`,
		queueFile + "expect: [{name: a, that: x, share: 0%}]":                           `it need not hold for any seed`,
		queueFile + "expect: [{name: a, that: x, mark: publishd}]":                      `did you mean "published"?`,
		queueFile + "expect: [{name: a, that: x, mark: published}]":                     `expect[0].source: nothing says where it was published`,
	} {
		t.Run(want, func(t *testing.T) { refusedText(t, text, want) })
	}
}

// TestUnitsTaken has values in all forms that fit.
func TestUnitsTaken(t *testing.T) {
	simulateText(t, queueFile+`changes:
  - {at: 1s, set: {users.rate: 600/min, db.workers: 0.004k, users.call.delay: 2ms, db.speed: 50%}}
  - {at: 2s, set: {users.rate: 2x, db.workers: 3x, users.call.delay: 3x, db.speed: 2}}
  - {at: 3s, set: {users.rate: 0, db.workers: 0, users.call.delay: 0, db.speed: 0}}
`)
}

// TestWorkflowFile adds capacity through the path that is overloaded: the work of
// six steps cannot get through until the load is gone, the next attempt does, and
// what it has done takes effect.
func TestWorkflowFile(t *testing.T) {
	r := simulateText(t, `name: adding capacity
parts:
  users: {kind: source, rate: 50/s, arrivals: regular, call: {to: metadata, timeout: 1s}}
  metadata: {kind: server, workers: 2, work: 25ms, room: 100}
  admin: {kind: workflow, steps: 6, think: 2s, call: {to: metadata, timeout: 500ms}}
run: {for: 10m}
changes:
  - {at: 1m, for: 3m, set: {users.rate: 200/s}}
  - {name: add, at: 150s, every: 1m, times: 4, set: {admin.start: 1}}
  - {name: capacity, when: {metric: admin.finished, above: 0}, after: 10s, set: {metadata.workers: 5x}}
`)
	finished, failed := sum(seriesOf(t, r, "admin.finished")), sum(seriesOf(t, r, "admin.failed"))
	if finished != 2 || failed != 2 {
		t.Errorf("%v runs finished and %v failed, want 2 and 2", finished, failed)
	}
	if c := r.Made[len(r.Made)-2]; c.Change != 2 || c.At < 290*des.Second || c.At > 293*des.Second {
		t.Errorf("the capacity came %v, want it some 20 s after 4m30s", c)
	}
}
