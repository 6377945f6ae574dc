package system

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// TestFormulasHaveKorean holds the words of every formula in this package to have
// Korean; what stays are the signs of mathematics.
func TestFormulasHaveKorean(t *testing.T) {
	written := regexp.MustCompile(`Formula: (?:strings\.Join\(factors, " x "\) \+ )?"([^"]+)"`)
	word := regexp.MustCompile(`[A-Za-z]{2,}`)
	found := 0
	for _, file := range []string{"bounds.go", "timeouts.go"} {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range written.FindAllStringSubmatch(string(src), -1) {
			found++
			got := Bound{Formula: m[1]}.FormulaIn(bilingual.Korean)
			for _, w := range word.FindAllString(got, -1) {
				if !strings.Contains(" rho exp theta ", " "+w+" ") {
					t.Errorf("the formula %q reads %q: no Korean of %q", m[1], got, w)
				}
			}
			if got := (Bound{Formula: m[1]}).FormulaIn(bilingual.English); got != m[1] {
				t.Errorf("in English it is %q, want %q", got, m[1])
			}
		}
	}
	if found == 0 {
		t.Fatal("no formula was found")
	}
}
