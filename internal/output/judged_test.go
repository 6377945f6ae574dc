package output

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
)

// corpusApp loads the public library, whose judgments are real ones.
func corpusApp(t *testing.T) *app.App {
	t.Helper()
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS("../../corpus")})
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	return app.New(lib)
}

// TestJudgedPages tells the verdict, the smallest trigger and the map of a scenario
// wherever it is shown.
func TestJudgedPages(t *testing.T) {
	a := corpusApp(t)
	r, err := a.Replay("api-retries", "")
	if err != nil {
		t.Fatal(err)
	}
	g, err := a.Guide("api-retries")
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range map[bilingual.Lang][]string{
		bilingual.English: {"Verdict: metastable", "Smallest trigger", "Phase map", "by the formula", "Seeds of each kind of run: 5."},
		bilingual.Korean:  {"판정: 준안정", "가장 작은 촉발 요인", "상태 지도", "공식", "시드 5개"},
	} {
		for name, page := range map[string]Page{
			"replay": ReplayPage(r, l), "guide": GuidePage(g, l), "judged": JudgedPage(r.Scenario, r.Scenario.Judged, l),
		} {
			var b bytes.Buffer
			if err := Text(&b, page, Terminal{Width: 200}); err != nil {
				t.Fatal(err)
			}
			for _, w := range want {
				if !strings.Contains(b.String(), w) {
					t.Errorf("%s in %s does not say %q", name, l, w)
				}
			}
		}
	}
}

// TestJudgedSystem says which system was judged where it is not that of the file,
// and that a race is one.
func TestJudgedSystem(t *testing.T) {
	a := corpusApp(t)
	race, err := a.Scenario("plan-apply-clean")
	if err != nil {
		t.Fatal(err)
	}
	j := &app.Judged{Why: bilingual.Text{En: "it is too large", Ko: "너무 크다"}, Asked: app.Asked{Seeds: 1, Set: []string{"nodes=10"}, Alone: true, Variant: "light-tail"}}
	got := strings.Join(JudgedWhy(race, j, bilingual.English), " ")
	for _, want := range []string{"It cannot be judged: it is too large.", "of the system with nodes=10", "of the variant light-tail", "is a race", "Only one trigger"} {
		if !strings.Contains(got, want) {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
