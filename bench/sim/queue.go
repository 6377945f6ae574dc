package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
)

const (
	arrivals    = 1_000_000
	simpyNumber = 100_000
	between     = 1250 * des.Millisecond
	work        = des.Second
	seed        = 1
)

// queueRows are the single server at load 0.8: the same course in all but
// SimPy, which draws by its own generator. An event is an arrival or a
// departure.
func queueRows(dir string) []row {
	cpp := sync.OnceValues(func() (string, error) { return compile(dir) })
	return []row{
		{name: "mm1 hand-written Go", events: 2 * arrivals, trial: handLoop},
		{name: "mm1", events: 2 * arrivals, trial: kernel, peer: "mm1 hand-written Go", most: 1.15},
		{name: "mm1 C++", events: 2 * arrivals, trial: func() (time.Duration, float64, error) {
			binary, err := cpp()
			if err != nil {
				return 0, 0, err
			}
			a, s := seeds("arrivals"), seeds("service")
			return peer(binary, strconv.Itoa(arrivals), a[0], a[1], s[0], s[1])
		}},
		{name: "mm1 SimPy", events: 2 * simpyNumber, trial: func() (time.Duration, float64, error) { return simpy("mm1.py") }},
		{name: "mm1 again, to C++", events: 2 * arrivals, trial: kernel, peer: "mm1 C++", most: 2.5},
		{name: "mm1 again, to SimPy", events: 2 * arrivals, trial: kernel, peer: "mm1 SimPy", most: 0.01},
	}
}

// server is the single server as a model of the kernel.
type server struct {
	sim         *des.Sim
	self        des.Target
	in, service *des.Stream
	arrived     int
	left        int
	line        fifo
	sum         float64
}

func (m *server) Handle(kind uint16, _ uint32) {
	if kind == 0 {
		if m.arrived++; m.arrived < arrivals {
			m.sim.After(m.in.Span(between), m.self, 0, 0)
		}
		if m.line.push(m.sim.Now()); m.line.len() == 1 {
			m.sim.After(m.service.Span(work), m.self, 1, 0)
		}
		return
	}
	m.sum += (m.sim.Now() - m.line.pop()).Seconds()
	m.left++
	if m.line.len() > 0 {
		m.sim.After(m.service.Span(work), m.self, 1, 0)
	}
}

func kernel() (time.Duration, float64, error) {
	start := cpuTime()
	s := des.New(seed)
	m := &server{sim: s, in: s.Stream("arrivals"), service: s.Stream("service"), line: newFIFO()}
	m.self = s.Register(m)
	s.After(m.in.Span(between), m.self, 0, 0)
	s.Run(context.Background(), des.Budget{Until: des.Never})
	if m.left != arrivals {
		return 0, 0, fmt.Errorf("%d customers left, want %d", m.left, arrivals)
	}
	return cpuTime() - start, m.sum / arrivals, nil
}

// fifo is a ring buffer of instants.
type fifo struct {
	at         []des.Time
	head, tail int
}

func newFIFO() fifo      { return fifo{at: make([]des.Time, 1024)} }
func (f *fifo) len() int { return f.tail - f.head }
func (f *fifo) push(t des.Time) {
	if f.len() == len(f.at) {
		panic("the line is longer than a server at load 0.8 has")
	}
	f.at[f.tail&(len(f.at)-1)] = t
	f.tail++
}
func (f *fifo) pop() des.Time {
	t := f.at[f.head&(len(f.at)-1)]
	f.head++
	return t
}

// simpy runs a peer in SimPy, by the Python that Debian's package is for
// where the first one in the path has none.
func simpy(program string) (time.Duration, float64, error) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import simpy").Run() == nil {
			return peer(python, "sim/peers/"+program, strconv.Itoa(simpyNumber))
		}
	}
	return 0, 0, fmt.Errorf("%w: SimPy is missing; install Debian's package python3-simpy3", errMissing)
}

// compile builds the peer in C++.
func compile(dir string) (string, error) {
	if _, err := exec.LookPath("g++"); err != nil {
		return "", fmt.Errorf("%w: g++ is missing; install it", errMissing)
	}
	binary := filepath.Join(dir, "mm1")
	cmd := exec.Command("g++", "-O2", "-o", binary, "sim/peers/mm1.cpp")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("compiling the peer: %w", err)
	}
	return binary, nil
}

// peer runs a program that prints its processor seconds and its check.
func peer(name string, args ...string) (time.Duration, float64, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("running the peer %q: %w", name, err)
	}
	var seconds, check float64
	if _, err := fmt.Sscan(string(out), &seconds, &check); err != nil {
		return 0, 0, fmt.Errorf("reading %q from the peer %q: %w", out, name, err)
	}
	return time.Duration(seconds * 1e9), check, nil
}

// seeds are the two words with which the kernel seeds the generator of a
// stream, for peers that draw the same numbers.
func seeds(name string) [2]string {
	h := uint64(14695981039346656037)
	for _, b := range []byte(name) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	mix := func(x uint64) string {
		x += 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return strconv.FormatUint(x^x>>31, 10)
	}
	return [2]string{mix(seed), mix(h)}
}
