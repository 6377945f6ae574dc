package search

import (
	"slices"
	"strings"
	"testing"
)

// wordsIn returns the words of text that lie in a zone, and what is blanked.
func wordsIn(text string, want zone) []string {
	out, zs := structure(text, newLexicon())
	var words []string
	for s := newScanner(out); ; {
		c, ok := s.next()
		if !ok {
			return words
		}
		if zs.at(c.start) == want {
			words = append(words, out[c.start:c.end])
		}
	}
}

func TestStructure(t *testing.T) {
	const trace = "Error: pool is empty\n\tat com.shop.Pool.take(Pool.java:7)\n\t... 9 more"
	tests := []struct {
		name, in string
		zone     zone
		want     string
	}{
		{"values of JSON", `{"severity":"critical","summary":"disk full","pod":"db-0"}`, zoneText, "disk full db-0"},
		{"names of JSON", `{"severity":"critical","replication_lag": 3600}`, zoneKey, "replication_lag"},
		{"links of JSON", `{"a":"b","runbook_url":"https://x/y","startsAt":"noon"}`, zoneText, "b"},
		{"a quoted name is no key", `calling webhook "validate.svc": no endpoints`, zoneText, "calling webhook validate.svc no endpoints"},
		{"values of logfmt", `level=error caller=a.go:7 msg="too many open files" mysql`, zoneText, "too many open files mysql"},
		{"settings are no log", `max_connections=100 wait_timeout=50`, zoneText, "max_connections 100 wait_timeout 50"},
		{"values of YAML", "severity: page\nsummary: disk full\nteam: core\n", zoneText, "disk full"},
		{"two lines are no YAML", "ERROR: out of memory\nHINT: wait", zoneText, "ERROR out of memory HINT wait"},
		{"message of a trace", trace, zoneText, "Error pool is empty"},
		{"frames of a trace", trace, zoneFrame, "at com.shop.Pool.take Pool.java 7 9 more"},
		{"frames of Python", "  File \"/a/b.py\", line 3, in f\nTimeoutError: pool", zoneText, "TimeoutError pool"},
		{"a sentence", "the writer died: nobody was paged", zoneText, "the writer died nobody was paged"},
		{"broken JSON", `{"severity":"crit`, zoneText, "crit"},
	}
	for _, tt := range tests {
		if got := strings.Join(wordsIn(tt.in, tt.zone), " "); got != tt.want {
			t.Errorf("%s: %q has in zone %d %q, want %q", tt.name, tt.in, tt.zone, got, tt.want)
		}
	}
}

// TestPastedAlerts sees to it that the frame of an alert is not taken for what
// it says.
func TestPastedAlerts(t *testing.T) {
	x := testIndex(t)
	const alert = `{"status":"firing","labels":{"severity":"critical","title":"x509: certificate has expired"},` +
		`"annotations":{"runbook_url":"https://wiki/cache/restart"}}`
	r := firstIs(t, x, alert, "T-0006")
	if len(r.Unmatched) > 0 {
		t.Errorf("Search(%q) lists as in no document %q", alert, r.Unmatched)
	}
	const trace = "CannotAcquire: connection pool exhausted\n" +
		"\tat org.springframework.orm.jpa.JpaDialect.begin(JpaDialect.java:153)\n"
	r = firstIs(t, x, trace, "T-0001")
	if want := []string{"CannotAcquire"}; !slices.Equal(r.Unmatched, want) {
		t.Errorf("Search(%q) lists as in no document %q, want %q", trace, r.Unmatched, want)
	}
}

func TestSeverityIsNotSeveral(t *testing.T) {
	e := newEnglish(newLexicon())
	for _, pair := range [][2]string{
		{"severity", "several"}, {"customer", "custom"}, {"contention", "content"}, {"customers", "customs"},
	} {
		if a, b := e.term(pair[0]), e.term(pair[1]); a == b {
			t.Errorf("%q and %q share the term %q", pair[0], pair[1], a)
		}
	}
	if a, b := e.term("customer"), e.term("customers"); a != b {
		t.Errorf("customer and customers have the terms %q and %q", a, b)
	}
}
