package verdict

import (
	"strings"
	"testing"
	"unicode"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// spoken fails unless a text says something in each language.
func spoken(t *testing.T, what string, x bilingual.Text) {
	t.Helper()
	korean := strings.ContainsFunc(x.Ko, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
	if x.En == "" || !korean || strings.Contains(x.En+x.Ko, "%!") {
		t.Errorf("%s says %q and %q, want it in both languages", what, x.En, x.Ko)
	}
}

// TestWords sees that whatever is concluded is said in both languages.
func TestWords(t *testing.T) {
	own := Trigger{Name: bilingual.Text{En: "the rush", Ko: "몰림"}, Own: true}
	other := Trigger{Name: bilingual.Text{En: "a pause", Ko: "멈춤"}}
	tips := Interval{Share: 1}
	for _, kind := range parts.LoadKinds() {
		by := []JudgedBy{{[]string{"a", "b"}, kind}}
		for want, j := range map[Class]Judgment{
			Overloaded: {Baseline: Baseline{Unhealthy: tips, Errors: 0.5}},
			Metastable: {Trials: []Trial{{Trigger: own, Tip: tips, After: 0.9, CalmDown: 1}}},
			Undecided:  {Trials: []Trial{{Trigger: own, Undecided: 2, Seeds: 3}}},
			Vulnerable: {Trials: []Trial{{Trigger: other, Tip: tips}}},
			Driven:     {Trials: []Trial{{Trigger: own, During: 0.9, Seeds: 3}}},
			Stable:     {},
		} {
			j.JudgedBy = by
			class, why := classify(&j)
			if class != want {
				t.Errorf("the class is %s, want %s", class, want)
			}
			spoken(t, string(class)+" by "+string(kind), why)
		}
	}
	f := decode(t, retryStorm)
	p, err := newProtocol(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range p.triggers()[1:] {
		spoken(t, "a trigger", tr.Name)
	}
	for _, m := range p.offered() {
		spoken(t, "a remedy", m.name)
	}
}
