package draft

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

var updateGolden = flag.Bool("update", false, "rewrite the golden files")

// terms are a few of the vocabulary, for suggestions.
var terms = []Term{
	{"cause", "expired-credential", []string{"expired credential", "certificate expired", "인증서 만료"}},
	{"mechanism", "retry-storm", []string{"retry storm", "retried at once", "재시도가 겹치"}},
	{"mechanism", "connection-pool-exhaustion", []string{"exhausted their connection pool", "커넥션 풀이 고갈"}},
	{"component", "in-memory-cache", []string{"memory cache", "인메모리 캐시"}},
	{"component", "database", []string{"database", "데이터베이스"}},
	{"symptom", "timeout", []string{"timeout", "타임아웃"}},
	{"remedy", "restart", []string{"restart", "restarted", "재시작"}},
	{"remedy", "rollback", []string{"rolled back", "rollback"}},
}

// vocabulary is the real one.
var vocabulary = sync.OnceValue(func() *vocab.Set {
	set, _ := vocab.Load(vocab.Source{FS: os.DirFS(filepath.Join("..", "..", "..", "corpus"))})
	return set
})

func fixtures(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.md", "*.html"} {
		found, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

func readDraft(t testing.TB, file string, opt Options) ([]byte, *Draft) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := From(Detect(file, src), src, opt)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return src, d
}

func TestGolden(t *testing.T) {
	for _, file := range fixtures(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			_, d := readDraft(t, file, Options{ID: "PR-0001", Terms: terms})
			golden := file + ".golden"
			if *updateGolden {
				if err := os.WriteFile(golden, d.YAML(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(d.YAML())); diff != "" {
				t.Errorf("the draft differs from %s (-want +got):\n%s", golden, diff)
			}
			checkDraft(t, d)
		})
	}
}

// checkDraft tests what holds for every draft: the strict decoder takes it,
// lint finds no error but missing data, and formatting changes nothing.
func checkDraft(t testing.TB, d *Draft) *casefile.Case {
	t.Helper()
	c, doc, problems := casefile.Decode("PR-0001.yaml", d.YAML())
	for _, p := range append(problems, casefile.Lint(c, doc, vocabulary())...) {
		// A report may contradict itself; that it does is for lint to say.
		allowed := []string{"required", "time-order", "contradiction"}
		if p.Level == strictyaml.Error && !slices.Contains(allowed, p.Rule) {
			t.Errorf("the draft has a problem: %v", p)
		}
	}
	if c.State != "draft" || c.Review.Status != "unreviewed" || c.ID != "PR-0001" {
		t.Errorf("id, state, review = %q, %q, %q", c.ID, c.State, c.Review.Status)
	}
	again, _ := casefile.Format("PR-0001.yaml", d.YAML())
	if diff := cmp.Diff(string(d.YAML()), string(again)); diff != "" {
		t.Errorf("formatting changes the draft (-draft +formatted):\n%s", diff)
	}
	return c
}

// allText returns all values and comments of a draft in their order.
func allText(t testing.TB, src []byte) string {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		t.Fatalf("the draft is no YAML: %v", err)
	}
	var b strings.Builder
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		b.WriteString(n.HeadComment + "\n")
		if n.Kind == yaml.ScalarNode {
			b.WriteString(n.Value + "\n")
		}
		b.WriteString(n.LineComment + "\n")
		for _, child := range n.Content {
			visit(child)
		}
		b.WriteString(n.FootComment + "\n")
	}
	visit(&root)
	return b.String()
}

// missingWords returns the words that occur more often in want than in got.
func missingWords(got, want string) []string {
	count := map[string]int{}
	for _, w := range tokens(got) {
		count[w]++
	}
	var missing []string
	seen := map[string]int{}
	for _, w := range tokens(want) {
		if seen[w]++; seen[w] > count[w] {
			missing = append(missing, w)
		}
	}
	return missing
}

// inventedWords returns words in texts of the case that the report has not.
func inventedWords(c *casefile.Case, report string) []string {
	have := map[string]bool{}
	for _, w := range tokens(report) {
		have[w] = true
	}
	var invented []string
	check := func(s string) {
		for _, w := range tokens(s) {
			if !have[w] {
				invented = append(invented, w)
			}
		}
	}
	for _, text := range c.Texts() {
		check(text.En)
		check(text.Ko)
	}
	check(c.Product)
	check(c.Org.Name)
	check(strings.Join(c.Impact.Regions, " "))
	if c.Severity != nil {
		check(c.Severity.Stated)
	}
	for _, r := range c.References {
		check(r.Title)
	}
	return invented
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      Format
	}{
		{"a.md", "<html>", Markdown},
		{"a.HTM", "# x", HTML},
		{"report", "\ufeff\n<!DOCTYPE html>", HTML},
		{"report", "# Title", Markdown},
		{"", "<p>text", Markdown},
	} {
		if got := Detect(tt.name, []byte(tt.src)); got != tt.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", tt.name, tt.src, got, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		format Format
		src    string
		is     error
		want   string
	}{
		{"too large", Markdown, strings.Repeat("x", MaxBytes+1), errTooLarge, "the limit is"},
		{"draft too large", Markdown, "```\n" + strings.Repeat("a line of a log\n", 80_000), errTooLarge, "cut the report"},
		{"not UTF-8", Markdown, "caf\xe9", errEncoding, "save it as UTF-8"},
		{"EUC-KR", HTML, `<meta charset="euc-kr"><p>` + "\xc0\xe5\xbe\xd6", errEncoding, `"euc-kr"`},
		{"binary", Markdown, "a\x00b", errEncoding, "save it as UTF-8"},
		{"deep quotation", Markdown, strings.Repeat("> ", 400) + "x", nil, "line 1 nests more than"},
		{"deep list", Markdown, "a\n" + strings.Repeat("- ", 400) + "x", nil, "line 2 nests more than"},
		{"open links", Markdown, "a\n\n" + strings.Repeat("[a](", 600), nil, "line 3 has links without an end"},
		{"long paragraph", Markdown, strings.Repeat("word ", 40_000), nil, "the paragraph at line 1 has more than"},
		{
			"wide table", Markdown, strings.Repeat("|a", 5000) + "\n" + strings.Repeat("|-", 5000) + "\n" +
				strings.Repeat("|\n", 5000), nil, "the table at line 41 has more than",
		},
		{"deep page", HTML, strings.Repeat("<div>", 5000) + "x", nil, "reading HTML"},
		{"unknown format", "docx", "x", nil, `unknown format "docx"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := From(tt.format, []byte(tt.src), Options{ID: "PR-0001"})
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestOtherLanguage(t *testing.T) {
	for _, src := range []string{
		"# データベース障害\n\n## 概要\n\n接続が切れた。\n\n- 2024-07-30 10:00 JST 開始\n",
		"---\nlang: de\n---\n# Ausfall der Datenbank\n\n## Summary\n\nDie Verbindung brach ab.\n",
	} {
		d, err := fromMarkdown([]byte(src), Options{ID: "PR-0001"})
		if err != nil {
			t.Fatal(err)
		}
		c := checkDraft(t, d)
		if d.Lang != "" || len(c.Texts()) > 0 && c.Texts()[0].En+c.Texts()[0].Ko != "" {
			t.Errorf("lang %q, texts %v; want the text in comments only", d.Lang, c.Texts())
		}
		if missing := missingWords(allText(t, d.YAML()), strings.TrimPrefix(src, "---\nlang: de\n---")); len(missing) > 0 {
			t.Errorf("lost %q", missing)
		}
	}
}

func TestNothingToRead(t *testing.T) {
	for _, src := range []string{"", "\n", "---\na: 1\n---\n", "#\n", "<!-- -->"} {
		for _, format := range []Format{Markdown, HTML} {
			d, err := From(format, []byte(src), Options{ID: "PR-0001"})
			if strings.TrimSpace(src) == "" {
				if !errors.Is(err, errEmpty) {
					t.Errorf("From(%s, %q): %v, want %v", format, src, err, errEmpty)
				}
				continue
			}
			if err != nil {
				t.Errorf("From(%s, %q): %v", format, src, err)
				continue
			}
			checkDraft(t, d)
		}
	}
}

// TestManySections would take minutes if each heading were compared with all
// before it.
func TestManySections(t *testing.T) {
	src := strings.Repeat("## h\n\n", 100_000)
	if _, err := fromMarkdown([]byte(src), Options{ID: "PR-0001"}); err != nil && !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
}

// TestTooMuch is refused by its size, before it is read.
func TestTooMuch(t *testing.T) {
	long := []byte("# Outage\n\n" + strings.Repeat("- some words of a line\n", 80_000))
	if _, err := fromMarkdown(long, Options{ID: "PR-0001"}); !errors.Is(err, errTooLarge) || !strings.Contains(err.Error(), "bytes of text") {
		t.Errorf("a report of %d bytes: %v, want %v", len(long), err, errTooLarge)
	}
	picture := []byte("# Outage\n\nAll was down.\n\n![graph](data:image/png;base64," + strings.Repeat("A", 20_000) + ")\n")
	if size := weight(picture); size > 100 {
		t.Errorf("the weight of a report with a picture is %d", size)
	}
}

func TestEmpty(t *testing.T) {
	for _, src := range []string{"", " \n\t", "\ufeff\n"} {
		if _, err := fromMarkdown([]byte(src), Options{ID: "PR-0001"}); !errors.Is(err, errEmpty) {
			t.Errorf("a report of %q: %v, want %v", src, err, errEmpty)
		}
	}
}
