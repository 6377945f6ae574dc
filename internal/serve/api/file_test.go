package api

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

var (
	caseID   = regexp.MustCompile(`(?m)^      "id": "([A-Z]+-\d+)"`)
	nextForm = regexp.MustCompile(`^<([^>]+)>; rel="next"$`)
)

// nextLink returns the target of the header Link: rel="next".
func nextLink(h http.Header) string {
	for _, l := range h.Values("Link") {
		if m := nextForm.FindStringSubmatch(l); m != nil {
			return m[1]
		}
	}
	return ""
}

// TestLinksLead follows the alternate links of answers that are data.
func TestLinksLead(t *testing.T) {
	h := testHandler(t)
	form := regexp.MustCompile(`^<([^>]+)>; rel="[a-z-]+"; type="(application/json|text/markdown)"$`)
	for _, target := range []string{Root + "/cases/IL-0212", "/ko/cases/IL-0212.md", Root + "/search?q=a%26b&lang=ko", "/topics/mechanism/retry-storm", "/problems"} {
		found := 0
		for _, l := range get(t, h, "GET", target).Header().Values("Link") {
			m := form.FindStringSubmatch(l)
			if m == nil {
				continue
			}
			found++
			if w := get(t, h, "GET", m[1]); w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), m[2]) {
				t.Errorf("GET %s links to %s as %s: status %d, type %s", target, m[1], m[2], w.Code, w.Header().Get("Content-Type"))
			}
		}
		if found < 2 {
			t.Errorf("GET %s has %d links to data", target, found)
		}
	}
}

func TestArchive(t *testing.T) {
	h := testHandler(t)
	first := get(t, h, "GET", "/all.zip").Body.Bytes()
	if again := get(t, testHandler(t), "GET", "/all.zip").Body.Bytes(); !bytes.Equal(first, again) {
		t.Error("the same library gives other bytes")
	}
	zr, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range zr.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = raw
	}
	var index archiveIndex
	if err := json.Unmarshal(files["index.json"], &index); err != nil {
		t.Fatal(err)
	}
	if len(index.Cases) != len(testApp(t).All()) || len(files) != len(index.Cases)+3 || !bytes.Contains(files["LICENSE"], []byte("CC-BY-4.0")) {
		t.Errorf("%d files, %d cases in the index", len(files), len(index.Cases))
	}
	for _, c := range index.Cases {
		served := get(t, h, "GET", "/cases/"+c.ID+".json").Body.Bytes()
		sum := sha256.Sum256(files[c.File])
		if !bytes.Equal(served, files[c.File]) || hex.EncodeToString(sum[:]) != c.SHA256 {
			t.Errorf("%s differs from what is served", c.File)
		}
	}
	rows, err := csv.NewReader(get(t, h, "GET", "/modified.csv").Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows[0], []string{"id", "date", "sha256", "library"}) || len(rows) != len(index.Cases)+1 {
		t.Errorf("modified.csv has %d rows under %v", len(rows)-1, rows[0])
	}
	for i, c := range index.Cases {
		if row := rows[i+1]; row[0] != c.ID || row[1] != c.Date || row[2] != c.SHA256 {
			t.Errorf("row %v for the case %s of %s", row, c.ID, c.Date)
		}
	}
	if w := get(t, h, "GET", "/all.zip", "Range", "bytes=0-3"); w.Code != 206 || w.Body.String() != "PK\x03\x04" {
		t.Errorf("a part of the archive: status %d, %q", w.Code, w.Body)
	}
}

func TestFeeds(t *testing.T) {
	h := testHandler(t)
	want := min(len(testApp(t).All()), maxFeed)
	for _, head := range []string{"", "/ko"} {
		var feed atom
		if err := xml.Unmarshal(get(t, h, "GET", head+"/feed.atom").Body.Bytes(), &feed); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range feed.Entries {
			if seen[e.ID] || e.ID == "" || e.Title == "" || e.Updated == "" || e.Summary == "" || len(e.Links) != 3 {
				t.Errorf("entry %+v", e)
			}
			seen[e.ID] = true
			u, err := url.Parse(e.Links[1].Href)
			if err != nil {
				t.Fatal(err)
			}
			if w := get(t, h, "GET", u.Path); w.Code != 200 {
				t.Errorf("GET %s: status %d", u.Path, w.Code)
			}
		}
		var items jsonFeedFile
		if err := json.Unmarshal(get(t, h, "GET", head+"/feed.json").Body.Bytes(), &items); err != nil {
			t.Fatal(err)
		}
		if len(feed.Entries) != want || len(items.Items) != want || feed.Updated == "" {
			t.Errorf("%q: %d entries and %d items, want %d", head, len(feed.Entries), len(items.Items), want)
		}
		for i, item := range items.Items {
			if item.ID != feed.Entries[i].ID || item.Title != feed.Entries[i].Title || item.URL != feed.Entries[i].Links[0].Href {
				t.Errorf("item %+v beside entry %+v", item, feed.Entries[i])
			}
		}
	}
}

func TestSitemap(t *testing.T) {
	h := testHandler(t)
	raw := get(t, h, "GET", "/sitemap.xml").Body.Bytes()
	var set struct {
		URLs []struct {
			Loc     string        `xml:"loc"`
			LastMod string        `xml:"lastmod"`
			Links   []sitemapLink `xml:"http://www.w3.org/1999/xhtml link"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	locs := map[string]bool{}
	for _, u := range set.URLs {
		locs[u.Loc] = true
		if u.LastMod != "" || len(u.Links) != 3 {
			t.Errorf("%+v", u)
		}
	}
	for _, u := range set.URLs {
		for _, l := range u.Links {
			if !locs[l.Href] {
				t.Errorf("%s names %s, which is not in the sitemap", u.Loc, l.Href)
			}
		}
	}
	for _, want := range []string{"http://example.com/", "http://example.com/ko/cases/IL-0212", "http://example.com/topics/mechanism/retry-storm"} {
		if !locs[want] {
			t.Errorf("%s is missing", want)
		}
	}
	robots := get(t, h, "GET", "/robots.txt").Body.String()
	if !strings.Contains(robots, "Sitemap: http://example.com/sitemap.xml\n") || !strings.Contains(robots, "Allow: /\n") {
		t.Errorf("robots.txt: %s", robots)
	}
}

// TestGuideLeads follows the links of llms.txt.
func TestGuideLeads(t *testing.T) {
	h := testHandler(t)
	for _, head := range []string{"", "/ko"} {
		text := get(t, h, "GET", head+"/llms.txt").Body.String()
		if !strings.HasPrefix(text, "# precedent\n\n> ") {
			t.Errorf("llms.txt begins with %.40q", text)
		}
		if !strings.Contains(text, "`review.status`") || strings.Contains(text, "each fact from its source") {
			t.Errorf("llms.txt of %q does not say how far cases are checked against their sources", head)
		}
		for _, m := range regexp.MustCompile(`\]\(http://example.com([^)]+)\)`).FindAllStringSubmatch(text, -1) {
			if m[1] == "/mcp" || m[1] == "/ko/mcp" {
				continue // another face
			}
			if w := get(t, h, "GET", m[1]); w.Code != 200 {
				t.Errorf("llms.txt links to %s: status %d", m[1], w.Code)
			}
		}
	}
}

func TestSchemasAreServed(t *testing.T) {
	h := testHandler(t)
	for _, path := range []string{"/schema/case.json", "/schema/check.json", "/schema/system.json"} {
		s := &jsonschema.Schema{}
		if err := json.Unmarshal(get(t, h, "GET", path).Body.Bytes(), s); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if _, err := s.Resolve(nil); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestProblemsAreExplained holds that the type of each problem leads to its
// description, and that the reference names all there is.
func TestProblemsAreExplained(t *testing.T) {
	h := testHandler(t)
	slugs := map[string]bool{}
	for _, k := range problemKinds {
		if slugs[k.slug] {
			t.Errorf("the slug %s is there twice", k.slug)
		}
		slugs[k.slug] = true
		if p := problem(bilingual.English, k.status, bilingual.Text{}, bilingual.Text{}); !slugs[strings.TrimPrefix(p.Type, "/problems/")] {
			t.Errorf("status %d gives the type %s", k.status, p.Type)
		}
		for _, suffix := range []string{"", ".md"} {
			if w := get(t, h, "GET", "/problems/"+k.slug+suffix); w.Code != 200 || !strings.Contains(w.Body.String(), k.title.En) {
				t.Errorf("GET %s: %d %s", k.slug+suffix, w.Code, w.Body)
			}
		}
	}
	for _, l := range bilingual.Langs {
		raw, err := asMarkdown(Reference(testApp(t), l))
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range operations() {
			if !strings.Contains(string(raw), "### GET "+Root+op.path) || op.doc.In(l) == "" {
				t.Errorf("the reference lacks %s", op.id)
			}
			for _, p := range op.params {
				if p.doc.In(l) == "" {
					t.Errorf("%s: the parameter %s is not explained in %s", op.id, p.name, l)
				}
			}
		}
		for _, d := range documents() {
			if d.doc.In(l) == "" || !strings.Contains(string(raw), d.path) {
				t.Errorf("the reference lacks %s", d.path)
			}
		}
	}
}

func TestRemedyNamesAddresses(t *testing.T) {
	for _, tt := range []struct{ path, lang, detail, remedy string }{
		{"/api/v1/cases?symptom=zzzzzzzz", "", `the list symptom has no term "zzzzzzzz"`, "see /api/v1/vocab/symptom for its "},
		{"/api/v1/cases?symptom=zzzzzzzz", "ko", `목록 symptom에 그런 용어가 없다: "zzzzzzzz"`, ": /api/v1/vocab/symptom"},
		{"/api/v1/topics/zzzzzzzzzzzz", "", `no topic "zzzzzzzzzzzz"`, "see /api/v1/vocab for the terms"},
		{"/api/v1/topics/zzzzzzzzzzzz?lang=ko", "", `그런 주제가 없다: "zzzzzzzzzzzz"`, "용어 목록: /api/v1/vocab"},
		{"/ko/cases/XX-9.json", "", `그런 사례가 없다: "XX-9"`, "/api/v1/search?q="},
		{"/api/v1/cases?limit=0", "ko;q=0.8, en;q=0.1", `"0": 1에서 100까지의 수가 아니다`, "1에서 100까지의 수를 쓴다"},
		{"/api/v1/cases?limitt=3&lang=ko", "en", `그런 매개변수가 없다: "limitt"`, `혹시 "limit"?`},
		{"/api/v1/nothing", "ko", "이 주소에는 아무것도 없다", "있는 것: /openapi.json"},
	} {
		r := httptest.NewRequest("GET", tt.path, nil)
		r.Header.Set("Accept-Language", tt.lang)
		w := httptest.NewRecorder()
		testHandler(t).ServeHTTP(w, r)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Errorf("GET %s: %v in %s", tt.path, err, w.Body)
		}
		if p.Detail != tt.detail || !strings.Contains(p.Remedy, tt.remedy) {
			t.Errorf("GET %s (%s): %q, %q, want %q, %q", tt.path, tt.lang, p.Detail, p.Remedy, tt.detail, tt.remedy)
		}
		if korean := strings.ContainsFunc(p.Title, func(r rune) bool { return r > 0x1100 }); korean != (w.Header().Get("Content-Language") == "ko") {
			t.Errorf("GET %s: title %q in %q", tt.path, p.Title, w.Header().Get("Content-Language"))
		}
	}
	p := asProblem(bilingual.English, app.Invalidf("duration", "h", "m"), operations()[0])
	if len(p.Errors) != 1 || p.Errors[0].Parameter != "longer_than" {
		t.Errorf("problem %+v", p)
	}
}

// TestProblemsAreShort holds that a long value comes back cut.
func TestProblemsAreShort(t *testing.T) {
	h, long := testHandler(t), strings.Repeat("a", 9000)
	for _, path := range []string{
		"/api/v1/cases/" + long, "/api/v1/topics/" + long, "/api/v1/topics/cause/" + long, "/api/v1/vocab/" + long, "/problems/" + long,
		"/api/v1/cases?org=" + long, "/api/v1/cases?cause=" + long, "/api/v1/cases?year=" + long, "/api/v1/cases?limit=" + long,
		"/api/v1/cases?longer_than=" + long, "/api/v1/cases?lang=" + long, "/api/v1/cases?facets=" + long, "/api/v1/cases?" + long + "=1",
		"/api/v1/" + long,
	} {
		if w := get(t, h, "GET", path); w.Code < 400 || strings.Contains(w.Body.String(), long[:90]) {
			t.Errorf("GET %.40s…: status %d, %d bytes", path, w.Code, w.Body.Len())
		}
	}
}

// TestScenarioTellsTheVerdict has what a scenario was judged to be in its answer, with
// what was asked.
func TestScenarioTellsTheVerdict(t *testing.T) {
	w := get(t, testHandler(t), "GET", "/api/v1/scenarios/api-retries")
	var got struct {
		Scenario struct {
			Judged struct {
				Class string
				Asked struct {
					Seeds   int
					Trigger string
				}
				Smallest struct {
					Tips     bool
					Shortest float64
				}
				Map struct {
					Cells [][]string
					Ran   [][]bool
					Edges []struct{ Places []float64 }
				}
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	j := got.Scenario.Judged
	if j.Class != "metastable" || j.Asked.Trigger != "own" || j.Asked.Seeds == 0 || !j.Smallest.Tips || j.Smallest.Shortest <= 0 {
		t.Errorf("it was judged %+v", j)
	}
	if m := j.Map; len(m.Cells) != 5 || len(m.Ran) != 5 || len(m.Edges) == 0 || len(m.Edges[0].Places) != 5 {
		t.Errorf("its map is %+v", m)
	}
}
