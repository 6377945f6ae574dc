package app_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
)

// small opens the library of testdata, whose cases are made for these tests.
func small(t *testing.T) *app.App {
	t.Helper()
	return load(t, "test", "testdata/library")
}

// load opens the library in a folder under the given name.
func load(t *testing.T, name, dir string) *app.App {
	t.Helper()
	lib, problems := library.Load(library.Layer{Name: name, FS: os.DirFS(dir)})
	if lib == nil {
		t.Fatal(problems.Errors())
	}
	return app.New(lib)
}

// number shortens TEST-0001 to 1.
func number(id string) string { return strings.TrimPrefix(id, "TEST-000") }

func numbers(ids []string) string {
	var all []string
	for _, id := range ids {
		all = append(all, number(id))
	}
	return strings.Join(all, " ")
}

func TestTopicCountsCases(t *testing.T) {
	a := small(t)
	tests := []struct {
		name, list, id, cases, since, median string
		known                                int
	}{
		{"retry-storm", "mechanism", "retry-storm", "1 2 5", "2021-11-11", "1h20m", 2},
		{"mechanism/retry-storm", "mechanism", "retry-storm", "1 2 5", "2021-11-11", "1h20m", 2},
		{" Retry Storm ", "mechanism", "retry-storm", "1 2 5", "2021-11-11", "1h20m", 2},
		{"재시도 폭풍", "mechanism", "retry-storm", "1 2 5", "2021-11-11", "1h20m", 2},
		{"overload", "mechanism", "overload", "1 2 5 3", "2020-01", "1h20m", 2},
		{"database", "component", "database", "1 2 4", "2019-07-01", "1h20m", 2},
		{"deploy", "trigger", "deploy", "1", "2024-05-02", "40m", 1},
		{"cause/cold-cache", "mechanism", "cold-cache", "3", "2020-01", "", 0}, // the wrong list
		{"i/o wait", "symptom", "high-cpu", "1 3", "2020-01", "40m", 1},        // a synonym with a slash
		{"cold-cache", "mechanism", "cold-cache", "3", "2020-01", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			topic, err := a.Topic(tt.name)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, c := range topic.Cases {
				ids = append(ids, c.ID)
			}
			if topic.List != tt.list || topic.Term.ID != tt.id || numbers(ids) != tt.cases || topic.Count != len(ids) || topic.Since != tt.since {
				t.Errorf("%s/%s: cases %q, count %d, since %s; want %s/%s, %q since %s",
					topic.List, topic.Term.ID, numbers(ids), topic.Count, topic.Since, tt.list, tt.id, tt.cases, tt.since)
			}
			var median string
			var known int
			if d := topic.Durations; d != nil {
				median, known = d.Median, d.Known
			}
			if median != tt.median || known != tt.known {
				t.Errorf("median %q of %d, want %q of %d", median, known, tt.median, tt.known)
			}
			years := 0
			for _, y := range topic.Years {
				years += y.Cases
			}
			if years != topic.Count {
				t.Errorf("the years hold %d cases, the topic %d", years, topic.Count)
			}
		})
	}
}

func TestTopicCountsRemediesByEffect(t *testing.T) {
	effects := func(topic *app.Topic) map[string]map[string]string {
		by := map[string]map[string]string{}
		for _, r := range topic.Remedies {
			by[r.ID] = map[string]string{}
			total := 0
			for effect, ids := range r.Effects {
				by[r.ID][effect] = numbers(ids)
				total += len(ids)
			}
			if r.Total != total {
				t.Errorf("%s: total %d, the effects hold %d", r.ID, r.Total, total)
			}
		}
		return by
	}
	a := small(t)
	topic, err := a.Topic("mechanism/retry-storm")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]string{
		"shed-load": {"worked": "1 2", "partial": "1"}, "rollback": {"failed": "1"}, "restart": {"worsened": "1"},
	}
	if diff := cmp.Diff(want, effects(topic)); diff != "" {
		t.Errorf("remedies of retry-storm (-want +got):\n%s", diff)
	}
	if topic.Remedies[0].ID != "shed-load" {
		t.Errorf("the remedy that worked most is not first: %s", topic.Remedies[0].ID)
	}
	// A remedy's own page has no other remedies.
	if topic, err = a.Topic("remedy/shed-load"); err != nil {
		t.Fatal(err)
	}
	want = map[string]map[string]string{"shed-load": {"worked": "1 2", "partial": "1 3"}}
	if diff := cmp.Diff(want, effects(topic)); diff != "" {
		t.Errorf("remedies of shed-load (-want +got):\n%s", diff)
	}
}

func TestTopicOccursWith(t *testing.T) {
	topic, err := small(t).Topic("retry-storm")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, o := range topic.With {
		got[o.List+"/"+o.ID] = o.Cases
		if o.Lift <= 1 {
			t.Errorf("%s occurs no more often than by chance: lift %v", o.ID, o.Lift)
		}
	}
	if want := map[string]int{"cause/pool-too-small": 2, "cause/missing-test": 2, "symptom/timeout": 3, "component/database": 2}; !cmp.Equal(want, got) {
		t.Errorf("occurs with %v, want %v", got, want)
	}
}

// near is the existing value that an error offers, or nothing.
func near(err error) string {
	var e *app.Error
	if errors.As(err, &e) {
		return e.Near
	}
	return ""
}

// hint is the next step of an error, with calls as the uses themselves.
func hint(err error) string {
	return app.Hint(err, bilingual.English, func(c app.Call) string { return strings.TrimSpace(string(c.Use) + " " + c.Arg) })
}

func TestNoSuchTopic(t *testing.T) {
	a := small(t)
	tests := []struct{ name, near string }{
		{"retry-strom", "retry-storm"},
		{"mechanism/retry-strom", "retry-storm"},
		{"alert", ""}, // a term of a list that has no topics
		{"I/O", ""},
		{"", ""},
	}
	for _, tt := range tests {
		_, err := a.Topic(tt.name)
		if app.KindOf(err) != app.NotFound || near(err) != tt.near || hint(err) == "" {
			t.Errorf("Topic(%q): %v, near %q, hint %q; want not found, near %q", tt.name, err, near(err), hint(err), tt.near)
		}
	}
}

func TestTopicsAgreeWithTheirPages(t *testing.T) {
	a := small(t)
	seen := 0
	for _, list := range a.Topics().Lists {
		for i, one := range list.Topics {
			topic, err := a.Topic(list.List + "/" + one.ID)
			if err != nil || topic.Count != one.Cases {
				t.Errorf("%s/%s: %d cases in the index, %v on its page (%v)", list.List, one.ID, one.Cases, topic, err)
			}
			if i > 0 && list.Topics[i-1].Cases < one.Cases {
				t.Errorf("%s/%s stands behind a topic of fewer cases", list.List, one.ID)
			}
			seen++
		}
	}
	if seen == 0 {
		t.Error("no topics")
	}
}

func TestCursor(t *testing.T) {
	a := small(t)
	var ids []string
	q := app.SearchQuery{Limit: 2}
	for range 10 {
		r, err := a.Search(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			ids = append(ids, h.ID)
		}
		if q.Cursor = r.Next; q.Cursor == "" {
			break
		}
		q.Limit = 1 // the length of a page may change on the way
	}
	if got, want := numbers(ids), "1 2 5 3 4"; got != want {
		t.Errorf("pages hold %q, want %q", got, want)
	}

	first, err := a.Search(app.SearchQuery{Limit: 1, Text: "pool"})
	if err != nil || first.Next == "" {
		t.Fatalf("next %q, %v", first.Next, err)
	}
	tests := []struct {
		name string
		a    *app.App
		q    app.SearchQuery
		want string
	}{
		{"another query", a, app.SearchQuery{Text: "database", Cursor: first.Next}, "the cursor belongs to another query"},
		{"another language", a, app.SearchQuery{Text: "pool", Lang: bilingual.Korean, Cursor: first.Next}, "the cursor belongs to another query"},
		{"another filter", a, app.SearchQuery{Text: "pool", Filter: app.Filter{YearFrom: 2020}, Cursor: first.Next}, "the cursor belongs to another query"},
		{"another library", open(t), app.SearchQuery{Text: "pool", Cursor: first.Next}, "the library has changed since the cursor was made"},
		{"not base64", a, app.SearchQuery{Cursor: "%%"}, "the cursor is not readable"},
		{"not a place", a, app.SearchQuery{Cursor: "bm8"}, "the cursor is not readable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.a.Search(tt.q)
			if app.KindOf(err) != app.Invalid || err.Error() != tt.want || hint(err) == "" {
				t.Errorf("got %v (%q), want %q with a hint", err, hint(err), tt.want)
			}
		})
	}
}

func TestSearchRefuses(t *testing.T) {
	a := small(t)
	terms := func(list, id string) app.Filter { return app.Filter{Terms: map[string][]string{list: {id}}} }
	tests := []struct {
		name             string
		q                app.SearchQuery
		field, msg, hint string
	}{
		{"limit", app.SearchQuery{Limit: 101}, "limit", "limit 101 is out of range", "give 1 to 100"},
		{"negative limit", app.SearchQuery{Limit: -1}, "limit", "limit -1 is out of range", "give 1 to 100"},
		{"list", app.SearchQuery{Filter: terms("colour", "red")}, "colour", `no filter "colour"`,
			"filter by mechanism, cause, symptom, component, remedy, trigger, impact, tag, org, library, has"},
		{"near term", app.SearchQuery{Filter: terms("cause", "pool-to-small")}, "cause",
			`the list cause has no term "pool-to-small"`, `did you mean "pool-too-small"?`},
		{"term of another list", app.SearchQuery{Filter: terms("cause", "timeout")}, "cause",
			`the list cause has no term "timeout"`, "it is a term of the list symptom"},
		{"far term", app.SearchQuery{Filter: terms("trigger", "xyzzy")}, "trigger",
			`the list trigger has no term "xyzzy"`, "use one of deploy, maintenance"},
		{"organisation", app.SearchQuery{Filter: terms("org", "example-shops")}, "org",
			`no case has the org "example-shops"`, `did you mean "example-shop"?`},
		{"library", app.SearchQuery{Filter: terms("library", "elsewhere")}, "library",
			`no case has the library "elsewhere"`, "known are Test"},
		{"years", app.SearchQuery{Filter: app.Filter{YearFrom: 2022, YearTo: 2020}}, "year",
			"the years 2022 to 2020 are no period", "put the earlier year first"},
		{"durations", app.SearchQuery{Filter: app.Filter{MinDuration: 2 * time.Hour, MaxDuration: time.Hour}}, "duration",
			"the durations 2h to 1h are no range", "put the shorter duration first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := a.Search(tt.q)
			e, ok := err.(*app.Error)
			if !ok || e.Kind != app.Invalid || e.Field != tt.field || e.Error() != tt.msg || e.Hint != tt.hint {
				t.Errorf("got %+v; %s, want %s: %s; %s", err, hint(err), tt.field, tt.msg, tt.hint)
			}
		})
	}
}

func TestSearchFilters(t *testing.T) {
	a := small(t)
	tests := []struct {
		name   string
		filter app.Filter
		want   string
	}{
		{"all, newest first", app.Filter{}, "1 2 5 3 4"},
		{"a term takes the narrower ones in", app.Filter{Terms: map[string][]string{"mechanism": {"overload"}}}, "1 2 5 3"},
		{"two terms of a list are joined by or", app.Filter{Terms: map[string][]string{"mechanism": {"retry-storm", "cold-cache"}}}, "1 2 5 3"},
		{"two lists are joined by and", app.Filter{Terms: map[string][]string{"mechanism": {"retry-storm"}, "component": {"database"}}}, "1 2"},
		{"organisation", app.Filter{Terms: map[string][]string{"org": {"example-shop"}}}, "1 4"},
		{"years", app.Filter{YearFrom: 2020, YearTo: 2022}, "2 5 3"},
		{"at least", app.Filter{MinDuration: 2 * time.Hour}, "2"},
		{"at most", app.Filter{MaxDuration: time.Hour}, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := a.Search(app.SearchQuery{Filter: tt.filter})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, h := range r.Hits {
				ids = append(ids, h.ID)
			}
			if numbers(ids) != tt.want || r.Total != len(ids) {
				t.Errorf("found %q of %d, want %q", numbers(ids), r.Total, tt.want)
			}
		})
	}
}

func TestSimilarGivesReasons(t *testing.T) {
	r, err := small(t).Similar("test-0001", 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]app.SimilarOne{}
	for _, one := range r.Cases {
		found[number(one.ID)] = one
	}
	// 4 shares components only, 5 is set apart by an editor, 6 is a draft.
	if len(found) != 2 || r.Of.ID != "TEST-0001" {
		t.Fatalf("cases like %s: %v, want 2 and 3", r.Of.ID, found)
	}
	kinds := func(one app.SimilarOne) string {
		var all []string
		for _, reason := range one.Reasons {
			if reason.Kind != "text" {
				all = append(all, reason.Kind+"="+reason.Terms[0].ID)
			}
		}
		return strings.Join(all, " ")
	}
	if got, want := kinds(found["2"]), "mechanism=retry-storm cause=pool-too-small symptom=timeout component=database"; got != want {
		t.Errorf("reasons for 2: %s, want %s", got, want)
	}
	why := found["2"].Why
	if !strings.HasPrefix(why.En, "same mechanism: retry storm; same cause: pool too small; ") ||
		!strings.HasPrefix(why.Ko, "같은 메커니즘: 재시도 폭주; 같은 원인: 부족한 풀; ") {
		t.Errorf("why 2: %+v", why)
	}
	linked := found["3"]
	if linked.Relation != "same-cause" || !strings.HasPrefix(linked.Why.En, "Both met their peak unprepared; ") {
		t.Errorf("3 is linked by %q, why %q; want the editor's word first", linked.Relation, linked.Why.En)
	}
	if len(linked.Worked) != 1 || linked.Worked[0].Effect != "partial" {
		t.Errorf("worked in 3: %+v, want what eased it, since nothing ended it", linked.Worked)
	}
}

func TestSimilarRefuses(t *testing.T) {
	a := small(t)
	for _, limit := range []int{-1, app.MaxLimit + 1} {
		if _, err := a.Similar("TEST-0001", limit); app.KindOf(err) != app.Invalid {
			t.Errorf("limit %d: %v, want invalid", limit, err)
		}
	}
	if _, err := a.Similar("TEST-0009", 0); app.KindOf(err) != app.NotFound || near(err) == "" {
		t.Errorf("unknown case: %v, near %q; want not found with a near id", err, near(err))
	}
	r, err := a.WithDrafts().Similar("TEST-0006", 0)
	if err != nil || r.Cases == nil {
		t.Errorf("a draft: %v, %v; want its cases, maybe none", r, err)
	}
}

func TestCaseTimeline(t *testing.T) {
	c, err := small(t).Case("TEST-0001")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range c.Timeline {
		if e.Minutes == nil {
			t.Fatalf("%s has no minutes after the start", e.At)
		}
		got = append(got, e.Kind+" "+(time.Duration(*e.Minutes)*time.Minute).String())
	}
	want := []string{
		"start 0s", "detected 4m0s", "observed 7m0s", "action 15m0s", "action 20m0s", "action 30m0s", "mitigated 35m0s", "resolved 40m0s",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
	// The stated two hours are on record as a conflict; the times decide.
	if m := c.Measured[2]; m.Name != "resolve" || m.Value != "40m" || m.Seconds != 2400 || m.Basis != "computed" {
		t.Errorf("resolve is %+v, want 40m computed", m)
	}
}

func TestStats(t *testing.T) {
	a := small(t)
	s := a.Stats()
	if s.Cases != 5 || s.Orgs != 4 || s.Excluded != 1 || s.From != "2019-07-01" || s.To != "2024-05-02" || len(s.Years) != 5 {
		t.Errorf("stats are %+v", s)
	}
	if want := []app.LibraryCount{{Name: "Test", Cases: 5}}; !cmp.Equal(want, s.Libraries) {
		t.Errorf("libraries are %v, want %v", s.Libraries, want)
	}
	v, err := a.Vocab("mechanism")
	if err != nil || len(v.Lists) != 1 || v.Lists[0].Terms[1].Cases != 3 {
		t.Errorf("mechanisms are %+v, %v", v, err)
	}
	if _, err := a.Vocab("mechanisms"); app.KindOf(err) != app.NotFound {
		t.Errorf("an unknown list: %v, want not found", err)
	}
}

// On the wire an empty list is [], never null, since readers loop over it.
func TestTheWireHasNoNull(t *testing.T) {
	a := small(t)
	nothing, err := a.Search(app.SearchQuery{Text: "xyzzy", Facets: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	draft, err := a.WithDrafts().Case("TEST-0006")
	if err != nil {
		t.Fatal(err)
	}
	alike, err := a.WithDrafts().Similar("TEST-0006", 0)
	if err != nil {
		t.Fatal(err)
	}
	topic, err := a.Topic("symptom/data-missing")
	if err != nil {
		t.Fatal(err)
	}
	for name, answer := range map[string]any{
		"search": nothing, "case": draft, "similar": alike, "topic": topic, "topics": a.Topics(), "stats": a.Stats(),
		"matrix": a.Matrix("mechanism", "component", 3, 3), "empty matrix": a.Matrix("aim", "component", 3, 3),
	} {
		raw, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), "null") {
			t.Errorf("%s holds null: %s", name, raw)
		}
	}
}
