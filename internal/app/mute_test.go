package app

import (
	"testing"

	"github.com/openprecedent/precedent/internal/check/rule"
)

// TestKnown tells findings of a baseline from new ones.
func TestKnown(t *testing.T) {
	finding := func(outcome rule.Outcome, muted *Muted) []CheckFinding {
		return []CheckFinding{{Fingerprint: "f", Outcome: outcome, Muted: muted}}
	}
	for name, tt := range map[string]struct {
		before, now []CheckFinding
		known       bool
	}{
		"the same":          {finding(rule.Exposed, nil), finding(rule.Exposed, nil), true},
		"it is better":      {finding(rule.InState, nil), finding(rule.Exposed, nil), true},
		"it is worse":       {finding(rule.Exposed, nil), finding(rule.InState, nil), false},
		"it was both":       {append(finding(rule.Exposed, nil), finding(rule.InState, nil)...), finding(rule.InState, nil), true},
		"it was muted":      {finding(rule.Exposed, &Muted{Reason: "r", Until: "2020-01-31"}), finding(rule.Exposed, nil), false},
		"it was known then": {finding(rule.Exposed, &Muted{Known: true}), finding(rule.Exposed, nil), true},
		"it is new":         {nil, finding(rule.Exposed, nil), false},
	} {
		ans := &CheckAnswer{Findings: tt.now}
		ans.Known(&CheckAnswer{Findings: tt.before})
		if got := ans.Findings[0].Muted != nil; got != tt.known {
			t.Errorf("%s: known is %v, want %v", name, got, tt.known)
		}
	}
}
