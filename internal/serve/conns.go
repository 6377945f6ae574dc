package serve

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// Bounds of the connections. A browser opens six, an agent one or two; a
// proxy, which brings everybody, is bounded by the total only.
const (
	maxConns        = 2048
	maxConnsAddress = 128
)

// Reasons to close a connection at once.
const (
	reasonAddress = "address"
	reasonTotal   = "total"
)

// bound is a listener that keeps the number of connections in bounds. When
// there are too many, the one that has been without a whole request longest
// makes room, be it idle or sending its header drop by drop; where all are
// being answered, the new one is closed at once, which tells its client more
// than waiting in the kernel's queue would.
type bound struct {
	net.Listener
	s          *Server
	total      int
	perAddress int

	mu    sync.Mutex
	open  map[net.Conn]*opened
	count map[netip.Addr]int
	idle  list.List // of net.Conn without a request, longest first
}

type opened struct {
	from netip.Addr    // neighbourhood
	idle *list.Element // place among the idle, nil while it is answered
}

// bound wraps l; without limits it only counts.
func (s *Server) bound(l net.Listener) *bound {
	b := &bound{
		Listener: l, s: s, total: maxConns, perAddress: maxConnsAddress,
		open: map[net.Conn]*opened{}, count: map[netip.Addr]int{},
	}
	if s.opt.Unlimited {
		b.total = 0
	}
	if s.opt.Unlimited || s.opt.Rate == 0 {
		b.perAddress = 0
	}
	return b
}

// Accept returns the next connection within bounds.
func (b *bound) Accept() (net.Conn, error) {
	for {
		conn, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if b.admit(conn) {
			return conn, nil
		}
		_ = conn.Close() // nothing was said on it
	}
}

func (b *bound) admit(conn net.Conn) bool {
	peer := peerOf(conn.RemoteAddr().String())
	from := neighbourhood(peer)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.perAddress > 0 && b.count[from] >= b.perAddress && !contains(b.s.opt.TrustProxy, peer) {
		b.s.metrics.refused.WithLabelValues(reasonAddress).Inc()
		return false
	}
	if b.total > 0 && len(b.open) >= b.total {
		oldest := b.idle.Front()
		if oldest == nil {
			b.s.metrics.refused.WithLabelValues(reasonTotal).Inc()
			return false
		}
		idle := oldest.Value.(net.Conn)
		b.forget(idle)
		_ = idle.Close() // the server notices by itself
	}
	b.open[conn] = &opened{from: from, idle: b.idle.PushBack(conn)}
	b.count[from]++
	b.s.metrics.conns.Inc()
	return true
}

// state follows the connections for [http.Server.ConnState].
func (b *bound) state(conn net.Conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o, ok := b.open[conn]
	if !ok {
		return
	}
	switch state {
	case http.StateIdle:
		o.idle = b.idle.PushBack(conn)
	case http.StateActive:
		if o.idle != nil {
			b.idle.Remove(o.idle)
			o.idle = nil
		}
	case http.StateClosed, http.StateHijacked:
		b.forget(conn)
	}
}

func (b *bound) forget(conn net.Conn) {
	o, ok := b.open[conn]
	if !ok {
		return
	}
	if o.idle != nil {
		b.idle.Remove(o.idle)
	}
	if b.count[o.from]--; b.count[o.from] == 0 {
		delete(b.count, o.from)
	}
	delete(b.open, conn)
	b.s.metrics.conns.Dec()
}
