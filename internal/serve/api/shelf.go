package api

import (
	"sync"

	"github.com/openprecedent/precedent/internal/app"
)

// shelf keeps the representations made for one library.
type shelf struct {
	app *app.App

	mu    sync.Mutex
	size  int
	books map[string]*body
	hosts map[string]bool // whose absolute links are kept
}

// maxShelf bounds the bytes that a shelf keeps. A library that has more is
// made anew as it is read, which costs a millisecond a case.
const maxShelf = 64 << 20

// maxHosts bounds the hosts whose documents are kept: any client can name one.
const maxHosts = 4

// shelf returns the shelf of the current library.
func (a *api) shelf() *shelf {
	current := a.current()
	for {
		s := a.kept.Load()
		if s != nil && s.app == current {
			return s
		}
		made := &shelf{app: current, books: map[string]*body{}, hosts: map[string]bool{}}
		if a.kept.CompareAndSwap(s, made) {
			return made
		}
	}
}

func (s *shelf) get(key string) *body {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.books[key]
}

// put keeps a representation; where the shelf is full it starts again.
func (s *shelf) put(key string, b *body) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size += len(b.plain) + len(b.plain)/4; s.size > maxShelf {
		s.books, s.size = map[string]*body{}, len(b.plain)
	}
	s.books[key] = b
}

// keeps reports whether documents with links to a host are worth keeping.
func (s *shelf) keeps(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hosts[host] && len(s.hosts) < maxHosts {
		s.hosts[host] = true
	}
	return s.hosts[host]
}
