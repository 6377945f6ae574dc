package draft

import (
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What Markdown and HTML show, found without the code under test: a few
// patterns that hold for the fixtures.
var (
	mdHidden   = regexp.MustCompile(`(?s)<!--.*?-->|\]\([^)]*\)|(?m)^\x60{3}.*$|\[\^\d+\]|<br>|</?(?:details|summary)>|^ *\d+\. |\[x\]|^---$`)
	htmlHidden = regexp.MustCompile(`(?s)<!--.*?-->|<head>.*?</head>|<(nav|aside|footer|button|script|style)\b.*?</(nav|aside|footer|button|script|style)>|` +
		`<header role="banner">.*?</header>|<div class="(cookie-banner|masthead|page-footer|share-buttons)">.*?</div>|` +
		`<a class="skip-link".*?</a>`)
	htmlTag = regexp.MustCompile(`<[^>]*>`)
)

func visible(format Format, src []byte) string {
	s := string(src)
	if format == Markdown {
		return html.UnescapeString(mdHidden.ReplaceAllString(s, " "))
	}
	return html.UnescapeString(htmlTag.ReplaceAllString(htmlHidden.ReplaceAllString(s, " "), " "))
}

// TestEveryWordOfFixtures proves for the fixtures that nothing is dropped,
// that each line keeps its order, and that nothing is invented.
func TestEveryWordOfFixtures(t *testing.T) {
	for _, file := range fixtures(t) {
		t.Run(file, func(t *testing.T) {
			src, d := readDraft(t, file, Options{ID: "PR-0001"})
			seen := visible(Detect(file, src), src)
			out := allText(t, d.YAML())
			if missing := missingWords(out, seen); len(missing) > 0 {
				t.Errorf("the draft lost %q", missing)
			}
			for line := range strings.SplitSeq(seen, "\n") {
				parts := []string{line}
				if strings.HasPrefix(line, "|") { // the telling cell of a row moves behind the others
					parts = strings.Split(line, "|")
				}
				for _, part := range parts {
					if !covers(out, part) {
						t.Errorf("the draft has not, or not in this order: %q", part)
					}
				}
			}
			c := checkDraft(t, d)
			if invented := inventedWords(c, string(src)); len(invented) > 0 {
				t.Errorf("the draft invented %q", invented)
			}
		})
	}
}

// A report is a generated one: its source in both formats, and the words of
// each section in order. All words differ.
type report struct {
	markdown, html strings.Builder
	sections       [][]string
	next           int
	rand           *rand.Rand
}

func (r *report) words(n int) string {
	var list []string
	for range n {
		r.next++
		list = append(list, "w"+strings.Repeat("x", r.next%3)+letters(r.next))
	}
	last := len(r.sections) - 1
	r.sections[last] = append(r.sections[last], list...)
	return strings.Join(list, " ")
}

// letters writes n in letters, so that a word is one token.
func letters(n int) string {
	s := ""
	for ; n > 0; n /= 26 {
		s += string(rune('a' + n%26))
	}
	return s + "q"
}

func (r *report) heading(level int, text string) {
	fmt.Fprintf(&r.markdown, "%s %s\n\n", strings.Repeat("#", level), text)
	fmt.Fprintf(&r.html, "<h%d>%s</h%d>", level, html.EscapeString(text), level)
}

func (r *report) paragraph() {
	a, b := r.words(1+r.rand.IntN(6)), r.words(1+r.rand.IntN(3))
	fmt.Fprintf(&r.markdown, "%s **%s**.\n\n", a, b)
	fmt.Fprintf(&r.html, "<p>%s <em>%s</em>.</p>", a, b)
}

func (r *report) list() {
	r.html.WriteString("<ul>")
	for range 1 + r.rand.IntN(3) {
		one := r.words(1 + r.rand.IntN(4))
		if r.rand.IntN(3) == 0 {
			one = fmt.Sprintf("2024-05-01 %02d:%02d UTC %s", r.next/60%24, r.next%60, one)
		}
		fmt.Fprintf(&r.markdown, "- %s\n", one)
		fmt.Fprintf(&r.html, "<li>%s", one)
		if r.rand.IntN(4) == 0 {
			inner := r.words(2)
			fmt.Fprintf(&r.markdown, "  - %s\n", inner)
			fmt.Fprintf(&r.html, "<ul><li>%s</li></ul>", inner)
		}
		r.html.WriteString("</li>")
	}
	r.markdown.WriteString("\n")
	r.html.WriteString("</ul>")
}

func (r *report) table() {
	columns := 2 + r.rand.IntN(2)
	r.html.WriteString("<table>")
	for row := range 2 + r.rand.IntN(3) {
		r.html.WriteString("<tr>")
		for range columns {
			r.sections = append(r.sections, nil) // the telling cell of a row moves behind the others
			cell := r.words(1 + r.rand.IntN(2))
			fmt.Fprintf(&r.markdown, "| %s ", cell)
			fmt.Fprintf(&r.html, "<td>%s</td>", cell)
		}
		r.markdown.WriteString("|\n")
		r.html.WriteString("</tr>")
		if row == 0 {
			r.markdown.WriteString(strings.Repeat("| --- ", columns) + "|\n")
		}
	}
	r.sections = append(r.sections, nil)
	r.markdown.WriteString("\n")
	r.html.WriteString("</table>")
}

func (r *report) code() {
	line := r.words(3)
	fmt.Fprintf(&r.markdown, "```\n  %s\n```\n\n", line)
	fmt.Fprintf(&r.html, "<pre>  %s</pre>", line)
}

func (r *report) facts() {
	for _, key := range []string{"Severity", "Detection", "Service", "Unheard of", "Time to detect", "Region"} {
		if r.rand.IntN(2) == 0 {
			r.sections = append(r.sections, nil) // facts go to fields of their own
			value := r.words(1)
			r.sections = append(r.sections, nil)
			fmt.Fprintf(&r.markdown, "%s: %s\n\n", key, value)
			fmt.Fprintf(&r.html, "<p>%s: %s</p>", key, value)
		}
	}
}

// generate writes a report of random sections, with noise around the HTML.
func generate(seed uint64) *report {
	r := &report{rand: rand.New(rand.NewPCG(seed, 1))}
	r.html.WriteString("<html><body><nav>noisy</nav><main>")
	r.sections = append(r.sections, nil)
	if r.rand.IntN(4) > 0 {
		r.heading(1, r.words(3))
	}
	kinds := slices.Clone(headings)
	r.rand.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, one := range kinds[:r.rand.IntN(len(kinds))] {
		r.sections = append(r.sections, nil)
		text := one.phrases[r.rand.IntN(len(one.phrases))]
		if r.rand.IntN(5) == 0 {
			text = r.words(2)
		}
		r.heading(2+r.rand.IntN(2), text)
		for range r.rand.IntN(4) {
			if kindOf(text) == timeline {
				r.sections = append(r.sections, nil) // its prose goes to the narrative
			}
			[]func(){r.paragraph, r.list, r.table, r.code, r.facts}[r.rand.IntN(5)]()
		}
	}
	r.html.WriteString("</main><footer>noisy</footer></body></html>")
	return r
}

// TestEveryWordOfGenerated proves the same for random reports, in which every
// word is unique: each is in the draft exactly where its section went, after
// the word before it.
func TestEveryWordOfGenerated(t *testing.T) {
	for seed := range uint64(200) {
		r := generate(seed)
		for format, src := range map[Format]string{Markdown: r.markdown.String(), HTML: r.html.String()} {
			d, err := From(format, []byte(src), Options{ID: "PR-0001"})
			if errors.Is(err, errEmpty) && len(tokens(src)) == 0 {
				continue // it has nothing to lose
			}
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, format, err)
			}
			out := tokens(allText(t, d.YAML()))
			for _, words := range r.sections {
				at := -1
				for _, w := range words {
					next := slices.Index(out, w)
					if next < 0 {
						t.Fatalf("seed %d, %s: the draft lost %q of\n%s\n%s", seed, format, w, src, d.YAML())
					}
					if next < at {
						t.Fatalf("seed %d, %s: %q has moved in\n%s\n%s", seed, format, w, src, d.YAML())
					}
					at = next
				}
			}
			if c := checkDraft(t, d); len(inventedWords(c, src)) > 0 {
				t.Fatalf("seed %d, %s: the draft invented %q", seed, format, inventedWords(c, src))
			}
		}
		if t.Failed() {
			return
		}
	}
}

func FuzzDraft(f *testing.F) {
	for _, file := range fixtures(f) {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(Detect(file, src) == HTML, src)
	}
	for _, s := range []string{"# a\n\n- 10:00 b\n", "| a |\n| - |\n| b |\n", "**Timeline**\n\n10:00\n~ x", "\u2028# a\u0085",
		"<dl><dt>a<dd>b</dl>", "a: b\nStart: 1\n", "> - > a\n\t`b`", "[^1]\n\n[^1]: a", "<ul>a<li>b</ul>", "<table>x<tr><td>a", "# How we fixed it\n- [x] a\n- [ ] b\n", "# [^1]\n\n## Impact\n[^1] a",
		"<link rel=canonical href=\"https://a<b/c\"><p>a"} {
		f.Add(false, []byte(s))
		f.Add(true, []byte(s))
	}
	f.Fuzz(func(t *testing.T, isHTML bool, src []byte) {
		if len(src) > 20_000 {
			return
		}
		format, read := Markdown, readMarkdown
		if isHTML {
			format, read = HTML, func(src []byte) (*document, error) { return readPage(string(src)) }
		}
		d, err := From(format, src, Options{ID: "PR-0001"})
		if err != nil {
			return
		}
		doc, err := read(src)
		if err != nil {
			t.Fatal(err)
		}
		checkDraft(t, d)
		want := markdown(doc.blocks) + "\n" + markdown(doc.notes)
		want = regexp.MustCompile(`(?m)^[> ]*(?:(?:- |\d+\. )+(?:\[.\] )?)+`).ReplaceAllString(want, "")
		if missing := missingWords(allText(t, d.YAML()), want); len(missing) > 0 {
			t.Errorf("the draft lost %q of\n%s\n%s", missing, want, d.YAML())
		}
	})
}
