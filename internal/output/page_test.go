package output

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// open loads the small library of package app's tests.
func open(t *testing.T) *app.App {
	t.Helper()
	lib, problems := library.Load(library.Layer{Name: "test", FS: os.DirFS("../app/testdata/library")})
	if lib == nil {
		t.Fatal(problems.Errors())
	}
	return app.New(lib)
}

// must returns a function that fails the test on an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestPages compares every page, in both languages and formats, with a file of
// testdata; -update rewrites them.
func TestPages(t *testing.T) {
	a := open(t)
	search := must[*app.SearchResult](t)
	pages := map[string]func(bilingual.Lang) Page{
		"case": func(l bilingual.Lang) Page { return CasePage(must[*app.Case](t)(a.Case("TEST-0001")), a, l) },
		"lessons": func(l bilingual.Lang) Page {
			return CasePage(must[*app.Case](t)(a.Case("TEST-0001")), a, l, "lessons")
		},
		"draft": func(l bilingual.Lang) Page {
			return CasePage(must[*app.Case](t)(a.WithDrafts().Case("TEST-0006")), a, l)
		},
		"similar": func(l bilingual.Lang) Page {
			r := must[*app.SimilarResult](t)(a.Similar("TEST-0001", 0))
			for i := range r.Cases {
				r.Cases[i].Score = 0.9 - float64(i)/10 // the measure is not this package's
			}
			return SimilarPage(r, l)
		},
		"topic": func(l bilingual.Lang) Page { return TopicPage(must[*app.Topic](t)(a.Topic("overload")), a, l) },
		"search": func(l bilingual.Lang) Page {
			r := search(a.Search(app.SearchQuery{Text: "checkout retyr storm xyzzy", Lang: l, Facets: []string{"mechanism", "org"}}))
			return SearchPage(r, l, SearchOptions{Passages: true, Facets: true})
		},
		"nothing": func(l bilingual.Lang) Page {
			return SearchPage(search(a.Search(app.SearchQuery{Text: "xyzzy", Lang: l})), l, SearchOptions{})
		},
		"vocab": func(l bilingual.Lang) Page { return VocabPage(must[*app.Vocab](t)(a.Vocab("mechanism")), l) },
	}
	formats := map[string]func(io.Writer, Page) error{
		"md":  Markdown,
		"txt": func(w io.Writer, p Page) error { return Text(w, p, Terminal{Width: 80}) },
	}
	for name, page := range pages {
		for _, l := range bilingual.Langs {
			for format, write := range formats {
				file := strings.Join([]string{name, string(l), format}, ".")
				t.Run(file, func(t *testing.T) {
					var b bytes.Buffer
					if err := write(&b, page(l)); err != nil {
						t.Fatal(err)
					}
					golden(t, file, b.Bytes())
				})
			}
		}
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; go test ./internal/output -update writes it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is out of step; look at the difference, then -update (-want +got):\n%s", file, diff)
	}
}

func TestAPastedLogCannotSteerTheTerminal(t *testing.T) {
	r := &app.SearchResult{Query: "timeout \x1b[31mred\x07 \u202ewriter\u009b1m"}
	var b bytes.Buffer
	if err := Text(&b, SearchPage(r, bilingual.English, SearchOptions{}), Terminal{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\x07\u202e\u009b") {
		t.Errorf("control characters of the query reach the terminal: %q", b.String())
	}
}

// TestTextFits keeps every line within the terminal, Hangul counting double,
// and colours out of the count.
func TestTextFits(t *testing.T) {
	a := open(t)
	for _, l := range bilingual.Langs {
		page := CasePage(must[*app.Case](t)(a.Case("TEST-0001")), a, l)
		for _, terminal := range []Terminal{{Width: 40}, {Width: 60, Color: true}, {Width: 1}} {
			var b bytes.Buffer
			if err := Text(&b, page, terminal); err != nil {
				t.Fatal(err)
			}
			limit := max(terminal.Width, 40)
			for line := range strings.Lines(b.String()) {
				// A word that is half a line long, an address, cannot be broken.
				long := slices.ContainsFunc(strings.Fields(line), func(word string) bool { return visible(word) > limit/2 })
				if w := visible(strings.TrimSuffix(line, "\n")); w > limit && !long {
					t.Errorf("width %d, %s: a line of %d columns: %q", terminal.Width, l, w, line)
				}
			}
			if strings.Contains(b.String(), "\x1b") != terminal.Color {
				t.Errorf("width %d, %s: escapes do not follow Color", terminal.Width, l)
			}
		}
	}
}

func TestReadMarksTheOtherLanguage(t *testing.T) {
	tests := []struct {
		text *bilingual.Text
		lang bilingual.Lang
		want string
	}{
		{nil, bilingual.English, ""},
		{&bilingual.Text{}, bilingual.English, ""},
		{&bilingual.Text{En: "yes", Ko: "예"}, bilingual.Korean, "예"},
		{&bilingual.Text{En: "yes"}, bilingual.Korean, "[영어] yes"},
		{&bilingual.Text{Ko: "예"}, bilingual.English, "[in Korean] 예"},
	}
	for _, tt := range tests {
		if got := Read(tt.text, tt.lang); got != tt.want {
			t.Errorf("Read(%v, %s) = %q, want %q", tt.text, tt.lang, got, tt.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0%", 0.38: "38%", 0.055: "5.5%", 1: "100%", 0.0001: "0.01%"} {
		if got := Percent(share); got != want {
			t.Errorf("Percent(%v) = %q, want %q", share, got, want)
		}
	}
}

func TestWordsStandInBothLanguages(t *testing.T) {
	for key, text := range words {
		if text.En == "" || text.Ko == "" {
			t.Errorf("the word %q lacks a side: %+v", key, text)
		}
	}
}
