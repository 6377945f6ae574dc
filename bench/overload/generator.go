package main

import (
	"bufio"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// giveUp is how long a client waits for an answer.
const giveUp = 2 * time.Second

// answer is what became of one question.
type answer struct {
	phase  int
	kind   kind
	at     time.Duration // when it was to be asked, since the start
	took   time.Duration // from then to the end of the answer
	status int           // 0 where there was no answer
}

// generator asks questions over connections that it keeps.
type generator struct {
	plan plan
	addr string
	mix  *mix

	mu    sync.Mutex
	idle  []*client
	count int // connections that are open
}

// client is one connection.
type client struct {
	conn net.Conn
	r    *bufio.Reader
}

func newGenerator(p plan, addr string, m *mix) *generator {
	return &generator{plan: p, addr: addr, mix: m}
}

var errNoConnection = errors.New("all connections are in use")

// take returns the connection that was used last, or a new one.
func (g *generator) take(until time.Time) (*client, error) {
	g.mu.Lock()
	if n := len(g.idle); n > 0 {
		c := g.idle[n-1]
		g.idle = g.idle[:n-1]
		g.mu.Unlock()
		return c, nil
	}
	if g.count >= g.plan.Conns {
		g.mu.Unlock()
		return nil, errNoConnection
	}
	g.count++
	g.mu.Unlock()
	conn, err := net.DialTimeout("tcp", g.addr, time.Until(until))
	if err != nil {
		g.drop(nil)
		return nil, err
	}
	return &client{conn, bufio.NewReaderSize(conn, 16<<10)}, nil
}

func (g *generator) keep(c *client) {
	g.mu.Lock()
	g.idle = append(g.idle, c)
	g.mu.Unlock()
}

func (g *generator) drop(c *client) {
	if c != nil {
		_ = c.conn.Close() // nothing more is wanted of it
	}
	g.mu.Lock()
	g.count--
	g.mu.Unlock()
}

func (g *generator) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.idle {
		_ = c.conn.Close()
	}
	g.idle, g.count = nil, g.count-len(g.idle)
}

// ask sends one request and reads the answer to its end.
func (g *generator) ask(request []byte, until time.Time) (status int) {
	c, err := g.take(until)
	if err != nil {
		return 0
	}
	status, reusable := c.ask(request, until)
	if reusable {
		g.keep(c)
	} else {
		g.drop(c)
	}
	return status
}

func (c *client) ask(request []byte, until time.Time) (status int, reusable bool) {
	if err := c.conn.SetDeadline(until); err != nil {
		return 0, false
	}
	if _, err := c.conn.Write(request); err != nil {
		return 0, false
	}
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0, false
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0, false
	}
	return resp.StatusCode, !resp.Close
}

// warm asks for each page once, so that the caches are as they are in service.
func (g *generator) warm() {
	for _, id := range g.mix.cases {
		for _, path := range []string{"/cases/" + id, "/ko/cases/" + id} {
			g.ask(get(path, browser), time.Now().Add(giveUp))
		}
		g.ask(get("/cases/"+id+".json", "*/*"), time.Now().Add(giveUp))
	}
}

// closed asks with some clients that never pause and returns the rate of good
// answers. Each asks its question until it is answered: if it went on to the
// next, a server that turns dear questions away would seem to be able to do
// more.
func (g *generator) closed(length time.Duration, clients int, ask asking) float64 {
	var good int
	var mu sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	end := began.Add(length)
	for i := range clients {
		all.Go(func() {
			r := rand.New(rand.NewPCG(g.plan.Seed, uint64(i)))
			for time.Now().Before(end) {
				request, _ := ask(g.mix, r)
				for time.Now().Before(end) {
					if g.ask(request, time.Now().Add(giveUp)) == http.StatusOK {
						mu.Lock()
						good++
						mu.Unlock()
						break
					}
				}
			}
		})
	}
	all.Wait()
	return float64(good) / time.Since(began).Seconds()
}

// phase is a time of constant load.
type phase struct {
	name   string
	rate   float64 // questions a second
	length time.Duration
}

// open asks at the times of a Poisson process, phase after phase, and returns
// what became of all questions.
func (g *generator) open(phases ...phase) []answer {
	r := rand.New(rand.NewPCG(g.plan.Seed, 1<<32))
	var answers []answer
	var mu sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	var from time.Duration
	for i, p := range phases {
		for at := from; at < from+p.length; {
			at += time.Duration(r.ExpFloat64() / p.rate * float64(time.Second))
			request, kind := g.mix.question(r)
			time.Sleep(time.Until(began.Add(at)))
			all.Go(func() {
				a := g.insist(request, began.Add(at))
				a.phase, a.at, a.kind = i, at, kind
				mu.Lock()
				answers = append(answers, a)
				mu.Unlock()
			})
		}
		from += p.length
	}
	all.Wait()
	return answers
}

// insist asks until the answer is good or the client has had enough.
func (g *generator) insist(request []byte, at time.Time) (a answer) {
	for range 1 + g.plan.Retries {
		asked := time.Now()
		if a.took == 0 {
			asked = at
		}
		a.status = g.ask(request, asked.Add(giveUp))
		a.took = time.Since(at)
		if a.status == http.StatusOK && time.Since(asked) <= g.plan.Deadline {
			break
		}
	}
	return a
}
