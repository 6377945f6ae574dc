package main

import (
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/app"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		in   app.SimProgress
		took time.Duration
		want string
	}{
		{app.SimProgress{Stage: "db stands still", Done: 10, Total: 40, Events: 20_000_000}, 10 * time.Second,
			"10 of 40 runs, 2 million events/s, about 30s left: db stands still"},
		{app.SimProgress{Stage: "a search", Done: 1, Events: 500}, time.Second, "1 run, 500 events/s: a search"},
	} {
		if got := progressText(c.in, c.took); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"load=50/s,80/s": "load=50/s,80/s", "api.calls[0].retries=1": "'api.calls[0].retries=1'", "it's": `'it'\''s'`, "": "''",
		"db.work=exp 10ms": "'db.work=exp 10ms'", "$(id)": "'$(id)'",
	} {
		if got := quoted(in); got != want {
			t.Errorf("quoted(%q) = %q, want %q", in, got, want)
		}
	}
}
