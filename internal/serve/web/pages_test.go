package web

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/output"
)

// maxPage is the most that a page may weigh as it is sent, without its fonts.
const maxPage = 100_000

// paths returns the address of every page that depends on the library, and one
// of every other kind, in one language.
func paths(a *app.App) []string {
	all := []string{
		"/", "/about", "/cases", "/search", "/search?q=connection+pool", "/search?q=%EC%BB%A4%EB%84%A5%EC%85%98+%ED%92%80",
		"/search?q=zzqxv+qqwx", "/search?q=retyr+strom", "/search?mechanism=retry-storm&component=database&year=2015-&longer_than=1h&shorter_than=40d&literal=1",
		"/search?q=" + url.QueryEscape(strings.Repeat("context deadline exceeded\n", 150)) + "&component=database",
		"/topics", "/vocab", "/docs/api", "/docs/mcp", "/docs/format", "/docs/system", "/simulator", "/simulator?example=api-retries", "/simulator/parts",
	}
	found, _ := a.Search(app.SearchQuery{Limit: app.MaxLimit})
	for found != nil {
		for _, h := range found.Hits {
			all = append(all, "/cases/"+h.ID, "/cases/"+h.ID+"/similar")
		}
		if found.Next == "" {
			break
		}
		found, _ = a.Search(app.SearchQuery{Limit: app.MaxLimit, Cursor: found.Next})
	}
	for _, l := range a.Topics().Lists {
		for _, t := range l.Topics {
			all = append(all, "/topics/"+t.List+"/"+t.ID)
		}
	}
	v, _ := a.Vocab("")
	for _, l := range v.Lists {
		all = append(all, "/vocab/"+l.ID)
	}
	return all
}

// TestEveryPage renders every page of the real library in both languages, and
// holds each to what any page must keep.
func TestEveryPage(t *testing.T) {
	h := newSite(t)
	heaviest, weight := "", 0
	for _, prefix := range []string{"", "/ko"} {
		for _, path := range paths(open(t)) {
			w := get(h, prefix+path)
			if w.Code != http.StatusOK {
				t.Errorf("%s%s: status %d", prefix, short(path, 60), w.Code)
				continue
			}
			body := w.Body.String()
			lang := "en"
			if prefix != "" {
				lang = "ko"
			}
			for _, wrong := range check(body, lang) {
				t.Errorf("%s%s: %s", prefix, short(path, 60), wrong)
			}
			if sent := len(newDocument([]byte(body)).gz); sent > weight {
				heaviest, weight = prefix+path, sent
			}
		}
	}
	assets := loadAssets()
	extra := 0
	for _, name := range []string{styleFile, scriptFile, iconFile} {
		extra += len(newDocument(assets.files[assets.names[name]].body).gz)
	}
	t.Logf("the heaviest page is %s with %d bytes, and %d of style, script and icon", short(heaviest, 60), weight, extra)
	if weight+extra > maxPage {
		t.Errorf("%s weighs %d bytes, and %d of style, script and icon; at most %d", short(heaviest, 60), weight, extra, maxPage)
	}
}

// TestReviewStatesAreExplained keeps the page that every case links to in step
// with the states that a case can have.
func TestReviewStatesAreExplained(t *testing.T) {
	h := newSite(t)
	for _, status := range casefile.Choices("review.status") {
		for l, path := range map[bilingual.Lang]string{bilingual.English: "/about", bilingual.Korean: "/ko/about"} {
			if want := "<td>" + output.Word(status, l) + "</td>"; !strings.Contains(get(h, path).Body.String(), want) {
				t.Errorf("%s does not explain %s", path, want)
			}
		}
	}
}

func TestErrorPages(t *testing.T) {
	h := newSite(t)
	for _, test := range []struct {
		path   string
		status int
		want   string // in the page
	}{
		{"/nowhere", 404, "/nowhere"},
		{"/cases/IL-02122", 404, `<a href="/cases/IL-0212">IL-0212</a>`},
		{"/ko/cases/IL-02122", 404, `<a href="/ko/cases/IL-0212">IL-0212</a>`},
		{"/cases/retry-storm-in-the-proxy", 404, "/cases/"},
		{"/topics/mechanism/retry-strom", 404, `href="/topics/mechanism/retry-storm"`},
		{"/topics/nothing-like-it", 404, "nothing-like-it"},
		{"/vocab/mechanisms", 404, "mechanism"},
		{"/search?mechanism=retry-strom", 400, `<a href="/search?mechanism=retry-storm">retry-storm</a>`},
		{"/ko/search?mechanism=retry-strom&q=a", 400, `<a href="/ko/search?mechanism=retry-storm&amp;q=a">`},
		{"/search?colour=red", 400, "colour"},
		{"/ko/search?colour=red", 400, "그런 필터가 없다: &#34;colour&#34;"},
		{"/ko/search?symptom=zzzzzzzz", 400, `<a href="/ko/vocab/symptom">용어</a>`},
		{"/search?symptom=zzzzzzzz", 400, `see <a href="/vocab/symptom">Vocabulary</a> for its`},
		{"/search?year=last", 400, "last"},
		{"/search?longer_than=long", 400, "long"},
		{"/search?year=2022-2019", 400, "2022"},
		{"/search?cursor=zzz", 400, "cursor"},
		{"/search?q=%zz", 400, "address"},
		{"/cases?cursor=zzz", 400, "cursor"},
	} {
		w := get(h, test.path)
		body := w.Body.String()
		if w.Code != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s: status %d, want %d with %q in it", test.path, w.Code, test.status, test.want)
		}
		lang := "en"
		if strings.HasPrefix(test.path, "/ko/") {
			lang = "ko"
		}
		for _, wrong := range check(body, lang) {
			t.Errorf("%s: %s", test.path, wrong)
		}
		if got := w.Header().Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: Cache-Control %q, want no-store", test.path, got)
		}
	}
}

// voids are the elements without an end tag.
var voids = []string{"meta", "link", "br", "hr", "img", "input", "wbr"}

// empty are SVG elements that templates close at once.
var empty = []string{"circle", "path", "rect", "line", "use"}

// unresolved is what a template leaves where something is missing.
var unresolved = regexp.MustCompile(`%!\w?\(|<no value>|ZgotmplZ|&lt;nil&gt;|\{\{|[^\x60>]\[\^`)

// TestWords holds the words of the site to having both languages.
func TestWords(t *testing.T) {
	for key, w := range siteWords {
		if w.En == "" || w.Ko == "" || strings.Count(w.En, "%") != strings.Count(w.Ko, "%") {
			t.Errorf("the word %q is %+v", key, w)
		}
		if output.HasWord(key) {
			t.Errorf("the word %q hides the one that all faces have", key)
		}
	}
}

// check returns what is wrong with a page.
func check(page, lang string) []string {
	var wrong []string
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if m := unresolved.FindString(page); m != "" {
		add("%q is left in it", m)
	}
	var stack []string
	ids, targets := map[string]bool{}, []string{}
	level, firsts := 0, 0
	script := ""
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() != io.EOF {
				add("%v", z.Err())
			}
			if len(stack) > 0 {
				add("<%s> is not closed", stack[len(stack)-1])
			}
			for _, id := range targets {
				if name, err := url.PathUnescape(id); err != nil || !ids[name] {
					add("a link leads to #%s, which is not there", id)
				}
			}
			if firsts != 1 {
				add("%d headings of the first level, want 1", firsts)
			}
			return wrong
		case html.TextToken:
			if script == "" && slices.Contains(stack, "script") && strings.TrimSpace(string(z.Raw())) != "" {
				add("a script stands in the page")
			}
		case html.EndTagToken:
			name := z.Token().Data
			if len(stack) == 0 || stack[len(stack)-1] != name {
				add("</%s> closes %v", name, stack)
				return wrong
			}
			stack = stack[:len(stack)-1]
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			for _, problem := range attributes(token, ids, &targets) {
				add("%s", problem)
			}
			switch token.Data {
			case "html":
				if attribute(token, "lang") != lang {
					add("the page's language is %q, want %q", attribute(token, "lang"), lang)
				}
			case "script":
				script = attribute(token, "src") + attribute(token, "type")
				if script != "" && attribute(token, "src") == "" && attribute(token, "type") != "application/ld+json" {
					add("a script of type %q stands in the page", attribute(token, "type"))
				}
			case "style":
				add("a style element stands in the page")
			case "h1", "h2", "h3", "h4", "h5", "h6":
				n := int(token.Data[1] - '0')
				if n > level+1 {
					add("a heading of level %d follows one of level %d", n, level)
				}
				if level = n; n == 1 {
					firsts++
				}
			}
			closed := token.Type == html.SelfClosingTagToken && slices.Contains(empty, token.Data)
			if !closed && !slices.Contains(voids, token.Data) {
				stack = append(stack, token.Data)
			}
		}
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// attributes checks those of one element.
func attributes(t html.Token, ids map[string]bool, targets *[]string) []string {
	var wrong []string
	for _, a := range t.Attr {
		switch {
		case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
			wrong = append(wrong, fmt.Sprintf("<%s> has the attribute %s", t.Data, a.Key))
		case a.Key == "id":
			if ids[a.Val] {
				wrong = append(wrong, fmt.Sprintf("the id %q stands twice", a.Val))
			}
			ids[a.Val] = true
		case a.Key == "src" || a.Key == "href" && t.Data == "link" || a.Key == "action":
			if !strings.HasPrefix(a.Val, "/") || strings.HasPrefix(a.Val, "//") {
				wrong = append(wrong, fmt.Sprintf("<%s> loads %q", t.Data, a.Val))
			}
		case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
			*targets = append(*targets, a.Val[1:])
		case a.Key == "href" && a.Val == "", a.Key == "lang" && a.Val != "en" && a.Val != "ko":
			wrong = append(wrong, fmt.Sprintf("<%s> has %s=%q", t.Data, a.Key, a.Val))
		}
	}
	return wrong
}
