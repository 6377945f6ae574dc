package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// Processor sharing is the usual model of a machine whose operating system
// switches between all that is ready to run (Kleinrock, Queueing Systems II,
// ch. 4): with n jobs on c cores each runs at min(1, c/n) of a core. Nobody
// waits in line, everybody becomes slow, and the mean time in an M/G/1 machine
// depends on the mean of the work alone.
var cpuKind = Kind{
	Name: "cpu",
	About: "Processors that are shared by all calls at once (processor sharing): a machine whose threads all run, " +
		"each the slower the more there are. What a call needs is time of one core.",
	New:      func() Config { return new(cpuConfig) },
	Callable: true,
	Begins:   true,
}

type cpuConfig struct {
	Cores   Count    `yaml:"cores" doc:"processors" default:"1"`
	Work    Spread   `yaml:"work" doc:"time of one core that a call needs" required:"true"`
	PerSize Duration `yaml:"work_per_size" doc:"time of one core added for each unit of a call's size"`
	Room    Limit    `yaml:"room" doc:"calls that may run at once, such as a limit of threads" default:"unlimited"`
	Full    Full     `yaml:"when_full" doc:"what happens to a call that finds no room: drop gives no answer" default:"refuse"`
}

func (c *cpuConfig) Ports() []Port { return nil }

func (c *cpuConfig) Instant() bool { return c.Work.Mean() == 0 && c.PerSize == 0 }

func (c *cpuConfig) Check(r *Report) {
	if c.Cores < 1 || c.Cores > maxWorkers {
		r.Add("cores", fmt.Sprintf("%d cores", c.Cores), fmt.Sprintf("write 1 to %d", maxWorkers))
	}
	if c.Room < 1 {
		r.Add("room", "no call may run", "write 1 or more, or unlimited")
	}
	if c.Work.Mean() == 0 && c.PerSize == 0 {
		r.Add("work", "calls need no time", "write the time of a core that one needs, such as exp 5ms")
	}
}

// cpu shares its cores among all its jobs. The clock below runs as fast as each
// job does, so a job ends when the clock has advanced by its work, whoever came
// and went meanwhile: an arrival or a departure changes one number, not all
// jobs.
type cpu struct {
	noRequests
	net  *Net
	set  *cpuConfig
	self des.Target
	work *des.Stream

	cores int
	speed float64
	clock float64  // nanoseconds of work that each job has got since the cpu was idle
	asOf  des.Time // when the clock was read
	due   des.Time // of the earliest event for the first job; des.Never if there is none
	jobs  []cpuJob // a binary heap by end

	arrived, done, refused, dropped, withdrawn *des.Counter
	wasted                                     *des.Counter // answers that nobody waited for
	running, busy                              *des.Gauge
	sojourn                                    *des.Spans
}

// cpuJob is a call and what the clock shows when its work is done. The call
// knows its place in the heap.
type cpuJob struct {
	end  float64
	call CallID
}

func (c *cpuConfig) Build(b *Builder) Part {
	s := &cpu{
		net: b.Net, set: c, cores: int(c.Cores), speed: 1, due: des.Never, work: b.Stream("work"),
		arrived: b.Counter("arrived"), done: b.Counter("done"), refused: b.Counter("refused"),
		dropped: b.Counter("dropped"), withdrawn: b.Counter("withdrawn"), wasted: b.Counter("wasted"),
		running: b.Gauge("running", "calls"), busy: b.Gauge("busy", "cores"), sojourn: b.Spans("time"),
	}
	s.self = b.Register(s)
	b.Knob(Knob{
		Name: "cores", Unit: "cores", About: "processors",
		Get:      func() float64 { return float64(s.cores) },
		Set:      func(x float64) { s.turn(func() { s.cores = int(min(max(x, 0), maxWorkers)) }) },
		Remedies: []Remedy{{Value: 2, Times: true, About: named(b.Name(), "twice the cores of %s", "%s의 코어를 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "speed", Unit: "1", About: "how fast work is done, 1 as described, 0 not at all",
		Get:   func() float64 { return s.speed },
		Set:   func(x float64) { s.turn(func() { s.speed = max(x, 0) }) },
		Worst: &Worst{Value: 0, About: named(b.Name(), "%s stands still", "%s 정지")},
	})
	b.Slow(des.FromNanoseconds(c.Work.Mean()))
	b.Law("calls are conserved", s.conserved)
	return s
}

// turn changes how fast the clock runs.
func (s *cpu) turn(change func()) {
	s.read()
	change()
	s.changed()
}

// rate is how fast each job runs, in cores.
func (s *cpu) rate() float64 {
	if n := len(s.jobs); n > s.cores {
		return float64(s.speed*float64(s.cores)) / float64(n)
	}
	return s.speed
}

// read advances the clock to now.
func (s *cpu) read() {
	now := s.net.Sim.Now()
	if len(s.jobs) == 0 {
		s.clock = 0 // small numbers are exact ones
	} else {
		s.clock += float64(float64(now-s.asOf) * s.rate())
	}
	s.asOf = now
}

// changed notes the number of jobs and schedules the end of the first one.
func (s *cpu) changed() {
	n := len(s.jobs)
	s.running.Set(int64(n))
	s.busy.Set(int64(min(n, s.cores)))
	rate := s.rate()
	if n == 0 || rate == 0 {
		return
	}
	at := s.asOf + des.FromNanoseconds((s.jobs[0].end-s.clock)/rate)
	// An event that comes too early looks again; most arrivals thus need none.
	if at < s.due || s.due < s.asOf {
		s.due = at
		s.net.Sim.At(at, s.self, 0, 0)
	}
}

// Arrive begins the work of a call.
func (s *cpu) Arrive(c CallID) {
	s.arrived.Inc()
	if len(s.jobs) >= int(s.set.Room) {
		if s.set.Full == "drop" {
			s.dropped.Inc()
			s.net.Drop(c)
			return
		}
		s.refused.Inc()
		s.net.Reply(c, Refused)
		return
	}
	s.net.Begin(c)
	span := s.set.Work.Draw(s.work)
	if s.set.PerSize > 0 {
		span += float64(float64(s.set.PerSize) * float64(s.net.call(c).size))
	}
	s.read()
	s.jobs = append(s.jobs, cpuJob{})
	s.up(len(s.jobs)-1, cpuJob{end: s.clock + span, call: c})
	s.changed()
}

// Handle ends the jobs whose work is done. Events of which a nearer one has
// become due are void.
func (s *cpu) Handle(uint16, uint32) {
	if s.net.Sim.Now() != s.due {
		return
	}
	s.due = des.Never
	s.read()
	// Events come at whole nanoseconds: what ends within one is done.
	for len(s.jobs) > 0 && s.jobs[0].end <= s.clock+s.rate() {
		c := s.jobs[0].call
		s.remove(0)
		s.done.Inc()
		s.sojourn.Measure(s.net.Sim.Now() - s.net.call(c).since)
		if !s.net.Waited(c) {
			s.wasted.Inc()
		}
		s.net.Reply(c, OK) // may bring new calls at once
	}
	s.changed()
}

// Withdraw stops the work for a call.
func (s *cpu) Withdraw(c CallID) {
	s.withdrawn.Inc()
	s.read()
	s.remove(int(s.net.call(c).local))
	s.net.Drop(c)
	s.changed()
}

// up puts j at place i of the heap or above.
func (s *cpu) up(i int, j cpuJob) {
	for i > 0 {
		parent := (i - 1) / 2
		if s.jobs[parent].end <= j.end {
			break
		}
		s.put(i, s.jobs[parent])
		i = parent
	}
	s.put(i, j)
}

// down puts j at place i of the heap or below.
func (s *cpu) down(i int, j cpuJob) {
	n := len(s.jobs)
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && s.jobs[right].end < s.jobs[child].end {
			child = right
		}
		if j.end <= s.jobs[child].end {
			break
		}
		s.put(i, s.jobs[child])
		i = child
	}
	s.put(i, j)
}

func (s *cpu) put(i int, j cpuJob) {
	s.jobs[i] = j
	s.net.call(j.call).local = uint32(i)
}

// remove takes the job at place i out of the heap.
func (s *cpu) remove(i int) {
	n := len(s.jobs) - 1
	last := s.jobs[n]
	s.jobs = s.jobs[:n]
	switch {
	case i == n:
	case i > 0 && last.end < s.jobs[(i-1)/2].end:
		s.up(i, last)
	default:
		s.down(i, last)
	}
}

func (s *cpu) conserved() error {
	out := s.done.Total() + s.refused.Total() + s.dropped.Total() + s.withdrawn.Total()
	if inside := int64(len(s.jobs)); s.arrived.Total() != out+inside {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", s.arrived.Total(), out, inside)
	}
	return nil
}
