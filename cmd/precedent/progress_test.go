package main

import (
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		in   study.Progress
		took time.Duration
		lang bilingual.Lang
		want string
	}{
		{study.Progress{Stage: bilingual.Text{En: "db stands still", Ko: "db가 멈춘다"}, Done: 10, Total: 40, Events: 20_000_000}, 10 * time.Second, bilingual.English,
			"10 of 40 runs, 2 million events/s, about 30s left: db stands still"},
		{study.Progress{Stage: bilingual.Text{En: "a search", Ko: "찾기"}, Done: 1, Events: 500}, time.Second, bilingual.English, "1 run, 500 events/s: a search"},
		{study.Progress{Stage: bilingual.Text{En: "db stands still", Ko: "db가 멈춘다"}, Done: 10, Total: 40, Events: 20_000_000}, 10 * time.Second, bilingual.Korean,
			"실행 40번 가운데 10번, 초당 이벤트 200만개, 약 30s 남음: db가 멈춘다"},
	} {
		if got := progressText(c.in, c.took, c.lang); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestProgressLines sees that where no line can be written over there is one now
// and then, and none with --quiet.
func TestProgressLines(t *testing.T) {
	var out strings.Builder
	for _, quiet := range []bool{true, false} {
		out.Reset()
		g := (&process{err: &out, lang: "en"}).progress(quiet)
		seen := study.Progress{Stage: bilingual.Text{En: "db stands still"}, Done: 10, Total: 40, Events: 1}
		g.show(seen)
		if out.Len() > 0 {
			t.Errorf("what is quick writes %q", out.String())
		}
		g.next = time.Now()
		g.show(seen)
		g.show(seen)
		g.end()
		if got := strings.Count(out.String(), "\n"); (got == 1) == quiet || got > 1 || strings.Contains(out.String(), "\x1b") {
			t.Errorf("with quiet %t it writes %q", quiet, out.String())
		}
	}
}
