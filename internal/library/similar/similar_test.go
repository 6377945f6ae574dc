package similar

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/search"
)

// engine makes a library of the given cases, lines of YAML by the number of
// the id, and compares them. Their texts are alike only where texts says so.
func engine(t *testing.T, cases map[int]string, texts map[int]string) *Engine {
	t.Helper()
	files := fstest.MapFS{}
	for list, terms := range map[string]string{
		"mechanism": "overload retry-storm/overload cold-cache/overload stale-check", "cause": "small-pool no-test",
		"symptom": "timeout high-cpu", "component": "database cache queue", "trigger": "deploy", "relation": "same-cause other",
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "list: %s\nname: {en: L, ko: 목록}\ndefinition: {en: L., ko: 목록.}\nterms:\n", list)
		for _, id := range strings.Fields(terms) {
			id, parent, _ := strings.Cut(id, "/")
			if parent != "" {
				parent = ", parent: " + parent
			}
			fmt.Fprintf(&b, "  - {id: %s, name: {en: %s, ko: %s 말}, definition: {en: T., ko: 낱말.}%s}\n", id, id, id, parent)
		}
		files["vocab/"+list+".yaml"] = &fstest.MapFile{Data: []byte(b.String())}
	}
	for n, lines := range cases {
		if !strings.Contains(lines, "state: ") {
			lines = "state: published\n" + lines
		}
		src := fmt.Sprintf("schema: 1\nid: T-%04d\ndate: %d\n%s\n", n, 2000+n, lines)
		files[fmt.Sprintf("cases/T-%04d.yaml", n)] = &fstest.MapFile{Data: []byte(src)}
	}
	lib, problems := library.Load(library.Layer{Name: "test", FS: files, Linted: true})
	if lib == nil {
		t.Fatal(problems)
	}
	var docs []search.Document
	for _, c := range lib.Cases() {
		n := c.Date.Earliest().Year() - 2000
		text := texts[n]
		if text == "" {
			text = strings.Repeat(string(rune('a'+n)), 5) // a word that no other case has
		}
		docs = append(docs, search.Document{ID: c.ID, Fields: []search.Field{{Name: "title", Lang: "en", Text: text}}})
	}
	index, err := search.New(docs, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(lib, index)
}

func ids(matches []Match) string {
	var all []string
	for _, m := range matches {
		all = append(all, strings.TrimLeft(strings.TrimPrefix(m.Entry.ID, "T-"), "0"))
	}
	return strings.Join(all, " ")
}

const (
	storm = "mechanisms: [{code: retry-storm}]\n"
	cold  = "mechanisms: [{code: cold-cache}]\n"
	stale = "mechanisms: [{code: stale-check}]\n"
	pool  = "causes: [{code: small-pool, role: root}]\n"
	parts = "components: [{code: database, role: origin}, {code: cache, role: carrier}, {code: queue, role: victim}]\n"
)

func TestTo(t *testing.T) {
	tests := []struct {
		name  string
		cases map[int]string
		texts map[int]string
		want  string // cases like case 1, best first
	}{
		{"the mechanism says more than the cause", map[int]string{
			1: storm + pool, 2: storm, 3: stale + pool, 4: stale}, nil, "2 3"},
		{"components alone, however many", map[int]string{
			1: storm + parts, 2: parts, 3: cold + parts}, nil, ""},
		{"components and the kind of trigger", map[int]string{
			1: "trigger: {kind: deploy}\n" + parts, 2: "trigger: {kind: deploy}\n" + parts, 3: stale}, nil, ""},
		{"one symptom is not telling, two are", map[int]string{
			1: "symptoms: {codes: [timeout, high-cpu]}\n", 2: "symptoms: {codes: [timeout]}\n",
			3: "symptoms: {codes: [timeout, high-cpu]}\n", 4: stale, 5: storm}, nil, "3"},
		{"the same words", map[int]string{1: stale, 2: storm, 3: cold},
			map[int]string{1: "certificate expired at midnight", 2: "certificate expired at midnight"}, "2"},
		{"drafts are not offered", map[int]string{
			1: storm, 2: "state: draft\n" + storm, 3: "state: withdrawn\n" + storm, 4: stale}, nil, ""},
		{"an editor's link", map[int]string{
			1: storm + "related: [{id: T-0003, relation: same-cause}]\n", 2: storm + pool, 3: stale, 4: cold}, nil, "3 2"},
		{"an editor's link from the other side", map[int]string{
			1: storm, 2: storm + pool, 3: stale + "related: [{id: T-0001, relation: same-cause}]\n", 4: cold}, nil, "3 2"},
		{"set apart by this case", map[int]string{
			1: storm + "not_related: [{id: T-0002, reason: {en: No., ko: 아니다.}}]\n", 2: storm, 3: storm, 4: stale}, nil, "3"},
		{"set apart by the other case", map[int]string{
			1: storm, 2: storm + "not_related: [{id: T-0001, reason: {en: No., ko: 아니다.}}]\n", 3: storm, 4: stale}, nil, "3"},
		{"set apart by one, linked by the other", map[int]string{
			1: storm + "related: [{id: T-0002, relation: same-cause}]\n",
			2: storm + "not_related: [{id: T-0001, reason: {en: No., ko: 아니다.}}]\n", 3: stale}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(engine(t, tt.cases, tt.texts).To("T-0001", 10)); got != tt.want {
				t.Errorf("cases like case 1: %q, want %q", got, tt.want)
			}
		})
	}
}

func TestToGivesReasons(t *testing.T) {
	e := engine(t, map[int]string{
		1: storm + pool + "components: [{code: database, role: origin}]\nrelated: [{id: T-0002, relation: same-cause, reason: {en: One pool., ko: 한 풀.}}]\n",
		2: storm + pool + "components: [{code: database, role: victim}]\nrelated: [{id: T-0001, relation: other}]\n",
		3: pool, 4: stale,
	}, nil)
	m := e.To("T-0001", 1)[0]
	want := []Shared{{"mechanism", []string{"retry-storm"}}, {"cause", []string{"small-pool"}}, {"component", []string{"database"}}}
	if diff := cmp.Diff(want, m.Shared); diff != "" {
		t.Errorf("shared (-want +got):\n%s", diff)
	}
	if m.Relation != "same-cause" || m.Reason == nil || m.Reason.En != "One pool." {
		t.Errorf("relation %q, reason %v, want the word of the asked-for case", m.Relation, m.Reason)
	}
	if m.Score < editor || m.Score > 1 || math.IsNaN(m.Score) {
		t.Errorf("score %v of a linked case, want %v to 1", m.Score, editor)
	}
	if back := e.To("T-0002", 1)[0]; back.Relation != "other" {
		t.Errorf("relation seen from the other case: %q, want its own word", back.Relation)
	}
}

func TestAWiderTermCountsLessThanTheTermItself(t *testing.T) {
	e := engine(t, map[int]string{1: storm, 2: storm, 3: cold, 4: stale}, nil)
	from, _ := e.lib.Case("T-0001")
	score := func(id string) float64 {
		to, _ := e.lib.Case(id)
		return e.compare(from, to, 0).Score
	}
	if same, sibling, other := score("T-0002"), score("T-0003"), score("T-0004"); !(same > sibling && sibling > other) {
		t.Errorf("same term %v, same wider term %v, neither %v; want falling", same, sibling, other)
	}
}

func TestToBoundsAndMisses(t *testing.T) {
	e := engine(t, map[int]string{1: storm, 2: storm, 3: storm, 4: stale}, nil)
	for _, tt := range []struct {
		id    string
		limit int
		want  int
	}{{"T-0001", 1, 1}, {"T-0001", 0, 0}, {"T-0001", -1, 0}, {"t-0001", 9, 2}, {"T-0099", 9, 0}} {
		if got := len(e.To(tt.id, tt.limit)); got != tt.want {
			t.Errorf("To(%q, %d) gives %d cases, want %d", tt.id, tt.limit, got, tt.want)
		}
	}
}

// The scores come from sums over maps, whose order must not show.
func TestToIsDeterministic(t *testing.T) {
	cases := map[int]string{}
	for n := 1; n <= 12; n++ {
		cases[n] = []string{storm, cold, stale}[n%3] + pool + parts + "symptoms: {codes: [timeout, high-cpu]}\n"
	}
	first := engine(t, cases, nil).To("T-0001", 20)
	for range 5 {
		again := engine(t, cases, nil).To("T-0001", 20)
		if diff := cmp.Diff(first, again, cmpopts.IgnoreFields(Match{}, "Entry")); diff != "" || ids(first) != ids(again) {
			t.Fatalf("order %s, then %s (-first +again):\n%s", ids(first), ids(again), diff)
		}
	}
	if !slices.IsSortedFunc(first, func(a, b Match) int { return int(math.Copysign(1, b.Score-a.Score)) }) {
		t.Errorf("matches are not in order of their score: %v", ids(first))
	}
}
