package main

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The forms of an answer.
const (
	html     = "text/html"
	markdown = "text/markdown"
	data     = "application/json"
	refused  = "application/problem+json"
)

// kindsOfPage are pages by the forms that they have.
var kindsOfPage = []struct {
	path  string
	forms []string
}{
	{"/", []string{html, markdown}},
	{"/about", []string{html, markdown}},
	{"/ko/docs/mcp", []string{html, markdown}},
	{"/simulator", []string{html, markdown}},
	{"/simulator/parts", []string{html, data, markdown}},
	{"/cases/IL-0212", []string{html, data, markdown}},
	{"/ko/search?q=dns", []string{html, data, markdown}},
	{"/scenarios", []string{html, data, markdown}},
	{"/topics", []string{html, data, markdown}},
}

// accepts are headers with the forms that they ask for, the best one first.
var accepts = []struct {
	header string
	best   []string
}{
	{"", []string{html}},
	{"*/*", []string{html}},
	{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", []string{html}},
	{"text/markdown", []string{markdown}},
	{"application/json", []string{data}},
	{"text/*", []string{html}},
	{"text/*, text/html;q=0", []string{markdown}},
	{"text/markdown, text/html, */*", []string{markdown}},
	{"text/markdown, text/html;q=0.9", []string{markdown}},
	{"text/html, text/markdown", []string{html}},
	{"text/html;q=0.4, text/markdown;q=0.5, application/json;q=0.6", []string{data, markdown}},
	{"application/json, text/html;q=0.1", []string{data, html}},
	{"application/json, text/markdown;q=0.1", []string{data, markdown}},
	{"*/*;q=0.1, text/html;q=0, application/json;q=0", []string{markdown}},
	{"text/html;q=0, */*", []string{data, markdown}},
	{"text/html;q=0.000", nil},
	{"text/html;q=0, text/markdown;q=0, application/json;q=0, */*", nil},
	{"image/png", nil},
	{"application/*;q=0.2, image/png", []string{data}},
}

// TestPagesGiveTheFormAskedFor asks each kind of page with each header.
func TestPagesGiveTheFormAskedFor(t *testing.T) {
	base := startServer(t)
	for _, page := range kindsOfPage {
		for _, a := range accepts {
			want := refused
			for _, form := range a.best {
				if slices.Contains(page.forms, form) {
					want = form
					break
				}
			}
			status, got, body := fetchAs(t, base+page.path, a.header)
			if got != want || (status == http.StatusOK) == (want == refused) {
				t.Errorf("GET %s as %q: %d %s, want %s", page.path, a.header, status, got, want)
			}
			if want != refused {
				continue
			}
			var p struct {
				Status    int
				Available []string
			}
			if err := json.Unmarshal(body, &p); err != nil || p.Status != 406 || !slices.Equal(p.Available, page.forms) {
				t.Errorf("GET %s as %q: %s (%v), want status 406 with %q", page.path, a.header, body, err, page.forms)
			}
		}
	}
}

var sitemapPage = regexp.MustCompile(`<loc>https?://[^/]+([^<]*)</loc>`)

// TestEveryPageIsMarkdown asks for each page of the sitemap with the suffix
// .md; a few suffice of the many of a kind.
func TestEveryPageIsMarkdown(t *testing.T) {
	base := startServer(t)
	_, _, sitemap := fetchAs(t, base+"/sitemap.xml", "")
	seen := map[string]int{}
	for _, m := range sitemapPage.FindAllSubmatch(sitemap, -1) {
		path := string(m[1])
		kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/ko"), "-")
		if seen[kind]++; seen[kind] > 4 {
			continue
		}
		if strings.HasSuffix(path, "/") {
			path += "index"
		}
		status, form, body := fetchAs(t, base+path+".md", html)
		if status != http.StatusOK || form != markdown || !strings.HasPrefix(strings.TrimLeft(string(body), "\n"), "#") {
			t.Errorf("GET %s.md: %d %s: %.80q", path, status, form, body)
		}
	}
	if len(seen) < 20 {
		t.Errorf("the sitemap has %d kinds of pages", len(seen))
	}
}

// fetchAs returns the status, the media type without parameters, and the body.
func fetchAs(t *testing.T, address, accept string) (int, string, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	form, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	return resp.StatusCode, form, body
}
