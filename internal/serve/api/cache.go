package api

import (
	"sync"

	"github.com/openprecedent/precedent/internal/app"
)

// cache keeps the representations made for one library.
type cache struct {
	app *app.App

	mu     sync.Mutex
	size   int
	bodies map[string]*body
	hosts  map[string]bool // whose absolute links are kept
}

// maxCache bounds the bytes that a cache keeps. A library that has more is
// made anew as it is read, which costs a millisecond a case.
const maxCache = 64 << 20

// maxHosts bounds the hosts whose documents are kept: any client can name one.
const maxHosts = 4

// cache returns the cache of the current library.
func (a *api) cache() *cache {
	current := a.current()
	for {
		s := a.cached.Load()
		if s != nil && s.app == current {
			return s
		}
		made := &cache{app: current, bodies: map[string]*body{}, hosts: map[string]bool{}}
		if a.cached.CompareAndSwap(s, made) {
			return made
		}
	}
}

func (s *cache) get(key string) *body {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[key]
}

// put keeps a representation; where the cache is full it starts again.
func (s *cache) put(key string, b *body) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size += len(b.plain) + len(b.plain)/4; s.size > maxCache {
		s.bodies, s.size = map[string]*body{}, len(b.plain)
	}
	s.bodies[key] = b
}

// keeps reports whether documents with links to a host are worth keeping.
func (s *cache) keeps(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hosts[host] && len(s.hosts) < maxHosts {
		s.hosts[host] = true
	}
	return s.hosts[host]
}
