package main

import (
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/sim/study"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		in   study.Progress
		took time.Duration
		want string
	}{
		{study.Progress{Stage: "db stands still", Done: 10, Total: 40, Events: 20_000_000}, 10 * time.Second,
			"10 of 40 runs, 2 million events/s, about 30s left: db stands still"},
		{study.Progress{Stage: "a search", Done: 1, Events: 500}, time.Second, "1 run, 500 events/s: a search"},
	} {
		if got := progressText(c.in, c.took); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
