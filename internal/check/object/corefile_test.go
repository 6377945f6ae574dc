package object_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
)

var moment = time.Unix(0, 0)

// TestCorefile reads configurations of CoreDNS.
func TestCorefile(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"one server", ".:53 {\n  errors\n  health {\n    lameduck 5s\n  }\n  cache 30 # seconds\n}\n",
			"[.:53] errors[] | health[] (lameduck 5s) | cache[30]"},
		{"two, and blocks in blocks", "a.example, b.example {\n cache 30 {\n  serve_stale  1h\n  inner {\n   x\n  }\n }\n}\n. {\n forward . /etc/resolv.conf\n}",
			"[a.example b.example] cache[30] (serve_stale 1h, inner, x); [.] forward[. /etc/resolv.conf]"},
		{"a snippet", "(common) {\n errors\n}\n. {\n import common\n import elsewhere\n}", "[.] errors[] | import[elsewhere]"},
		{"the end is missing", ". {\n cache\n", ""},
		{"too many ends", "}\n}\n. {\n cache\n}", "[.] cache[]"},
	} {
		var servers []string
		for _, s := range object.Corefile(c.text) {
			var plugins []string
			for _, p := range s.Plugins {
				text := fmt.Sprint(p.Name, p.Args)
				if len(p.Options) > 0 {
					text += " (" + strings.Join(p.Options, ", ") + ")"
				}
				plugins = append(plugins, text)
			}
			servers = append(servers, fmt.Sprint(s.Zones, " ", strings.Join(plugins, " | ")))
		}
		if got := strings.Join(servers, "; "); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// FuzzCorefile reads any text.
func FuzzCorefile(f *testing.F) {
	f.Add(". {\n cache\n}\n}")
	f.Fuzz(func(_ *testing.T, text string) { object.Corefile(text) })
}
