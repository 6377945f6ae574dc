package web

import (
	"strings"
	"testing"
)

func TestCaseMarkdown(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"One.[^b] Two.[^a][^b]", `<p>One.<sup><a href="#source-2" aria-label="source 2">2</a></sup> Two.<sup><a href="#source-1" aria-label="source 1">1</a></sup><sup><a href="#source-2" aria-label="source 2">2</a></sup></p>`},
		{"No such source.[^zz]", "<p>No such source.[^zz]</p>"},
		{"# Big\n\n###### Small", "<h3>Big</h3>\n<h3>Small</h3>"},
		{"a <script>alert(1)</script> b", "<p>a alert(1) b</p>"},
		{"<img src=x onerror=alert(1)>", ""},
		{"[x](javascript:alert(1))", `<p><a href="">x</a></p>`},
		{"![a picture](https://example.com/a.png)", `<p><a href="https://example.com/a.png">a picture</a></p>`},
		{"![x](javascript:alert(1))", `<p><a href="">x</a></p>`},
		{"[x](java&#10;script:alert(1)) [y](ms-settings:x)", `<p><a href="">x</a> <a href="">y</a></p>`},
		{"[x](/about#a:b) [y](HTTPS://example.com) [z](#a)", `<p><a href="/about#a:b">x</a> <a href="HTTPS://example.com">y</a> <a href="#a">z</a></p>`},
		{"| a |\n|:-:|\n| b |", "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table></div>"},
	} {
		got := strings.TrimSpace(string(caseMarkdown(test.src, &footnotes{numbers: map[string]int{"a": 1, "b": 2}, label: "source"})))
		if got != test.want {
			t.Errorf("%q\n got %s\nwant %s", test.src, got, test.want)
		}
	}
}

// TestTangledMarkdown would take minutes or all memory in the parser.
func TestTangledMarkdown(t *testing.T) {
	for name, src := range map[string]string{
		"quotations": strings.Repeat(">", 400_000) + "a",
		"list":       strings.Repeat("- ", 100_000) + "a",
		"numbers":    strings.Repeat("1. ", 30_000) + "a",
		"table":      strings.Repeat("|a", 50_000) + "\n" + strings.Repeat("|-", 50_000) + "\n" + strings.Repeat("|\n", 5000),
		"long":       strings.Repeat("*a **a ", 100_000),
	} {
		if got := string(caseMarkdown(src, &footnotes{})); !strings.HasPrefix(got, "<pre>") || strings.Contains(got, "<p>") {
			t.Errorf("%s: is rendered as %.100q", name, got)
		}
	}
	for _, src := range []string{
		strings.Repeat("-", 100) + "\n\na", "> - 1. a", strings.Repeat("a | b | c\n", 300), strings.Repeat("word ", 10_000),
	} {
		if tangled(src) {
			t.Errorf("%.60q counts as tangled", src)
		}
	}
}

func FuzzCaseMarkdown(f *testing.F) {
	for _, src := range []string{"a[^b]", "[^b](x)", "![^b](y)", "# [^b]", "<b onclick=x>", "|a|\n|-|\n|[^b]|", "[^b", "\x00[^\xff]"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 {
			return
		}
		out := string(caseMarkdown(src, &footnotes{numbers: map[string]int{"b": 1}, label: "source"}))
		for _, bad := range []string{"<script", "<img", " style=", "javascript:alert"} {
			if strings.Contains(strings.ToLower(out), bad) && !strings.Contains(strings.ToLower(src), bad) {
				t.Errorf("%q renders %q", src, out)
			}
		}
		if strings.Contains(strings.ToLower(out), "<script") {
			t.Errorf("%q renders a script: %q", src, out)
		}
	})
}
