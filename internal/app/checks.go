package app

import (
	"cmp"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// rules returns the compiled checks that are asked for, by id.
func (a *App) rules(q CheckQuery) ([]*rule.Rule, error) {
	asked, err := a.asked(q)
	if err != nil {
		return nil, err
	}
	rules := make([]*rule.Rule, len(asked))
	return rules, a.eachRule(asked, q, func(i int, r *rule.Rule) { rules[i] = r })
}

// asked returns the checks that are asked for, by id.
func (a *App) asked(q CheckQuery) ([]*library.Check, error) {
	asked := a.lib.Checks()
	if len(q.Only) > 0 {
		asked = nil
		for _, id := range q.Only {
			c, err := a.check(id)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(asked, c) {
				asked = append(asked, c)
			}
		}
	}
	for id := range q.Set {
		if _, err := a.check(id); err != nil {
			return nil, err
		}
	}
	return asked, nil
}

// eachRule compiles checks and calls use with each, several at a time. What a compiled
// check needs is free again once use has returned, if that keeps none.
func (a *App) eachRule(asked []*library.Check, q CheckQuery, use func(i int, r *rule.Rule)) error {
	files := make([]rule.File, len(asked))
	wrong := make([]strictyaml.Problems, len(asked))
	parallel.Each(len(asked), func(i int) {
		c := asked[i]
		var r *rule.Rule
		if r, wrong[i] = rule.Compile(c.File, c.Text, q.Set[c.ID]); len(wrong[i]) == 0 {
			files[i] = r.File
			use(i, r)
		}
	})
	if problems := slices.Concat(wrong...); len(problems) > 0 {
		return Invalidf("", "run `precedent lint` on the library and mend it", "compiling the checks: %s", problems[0]).
			Korean("라이브러리에 `precedent lint`를 돌려 고친다", "점검을 읽지 못했다: %s")
	}
	return a.setParameters(files, q)
}

// setParameters reports parameters that no check has.
func (a *App) setParameters(rules []rule.File, q CheckQuery) error {
	for _, r := range rules {
		var names []string
		for _, p := range r.Parameters {
			names = append(names, p.Name)
		}
		for name := range q.Set[r.ID] {
			if slices.Contains(names, name) {
				continue
			}
			hint, ko := "it has none", "매개변수가 없는 점검이다"
			if len(names) > 0 {
				hint, ko = "it has "+strings.Join(names, ", "), "있는 것: "+strings.Join(names, ", ")
			}
			return Invalidf("set", hint, "the check %s has no parameter %q", r.ID, name).Korean(ko, "점검 %s에 그런 매개변수가 없다: %q")
		}
	}
	return nil
}

// check returns the check of an id, or an error that offers a near one.
func (a *App) check(id string) (*library.Check, error) {
	if c, ok := a.lib.Check(id); ok {
		return c, nil
	}
	var ids []string
	for _, c := range a.lib.Checks() {
		ids = append(ids, c.ID)
	}
	e := NotFoundf("check", "see {call} for those that there are", "no check %q", Short(id)).
		Korean("있는 것: {call}", "그런 점검이 없다: %q").Calling(UseChecks, "")
	if near, ok := nearest.Of(id, ids); ok {
		return nil, e.offer(near)
	}
	return nil, e
}

// CheckRef is a check in a list.
type CheckRef struct {
	ID         string         `json:"id"`
	Title      bilingual.Text `json:"title"`
	Applies    []string       `json:"applies" jsonschema:"kinds of objects; Workload stands for all that make pods"`
	Severity   rule.Severity  `json:"severity" jsonschema:"of the worst outcome"`
	Mechanisms []TermRef      `json:"mechanisms"`
	Cases      []string       `json:"cases" jsonschema:"ids of the incidents behind it"`
	Library    string         `json:"library" jsonschema:"the library it comes from"`
}

// CheckIndex lists checks.
type CheckIndex struct {
	Version int        `json:"wire_version"`
	Checks  []CheckRef `json:"checks"`
}

// CheckPage is one check, whole.
type CheckPage struct {
	Version int `json:"wire_version"`
	CheckRef
	About      bilingual.Text   `json:"about" jsonschema:"how the state becomes an outage"`
	State      string           `json:"state,omitempty" jsonschema:"condition, in CEL, for: in that state"`
	Exposed    string           `json:"exposed,omitempty" jsonschema:"condition for: has what it takes to get there"`
	Evidence   []CheckCase      `json:"evidence"`
	Remedy     bilingual.Text   `json:"remedy"`
	Doubts     bilingual.Text   `json:"doubts,omitzero"`
	Parameters []CheckParameter `json:"parameters"`
	Scenarios  []ScenarioRef    `json:"scenarios" jsonschema:"replays of the incidents behind it"`
	Text       string           `json:"text" jsonschema:"the file"`
}

// CheckParameter is a number of a check that one may set otherwise.
type CheckParameter struct {
	Name  string         `json:"name"`
	Value float64        `json:"value"`
	About bilingual.Text `json:"about"`
}

// Checks returns all checks in short.
func (a *App) Checks() (*CheckIndex, error) {
	rules, err := a.checks()
	if err != nil {
		return nil, err
	}
	index := &CheckIndex{Version: WireVersion, Checks: []CheckRef{}}
	for i, r := range rules {
		index.Checks = append(index.Checks, a.checkRef(r, a.lib.Checks()[i]))
	}
	return index, nil
}

// CheckIDs returns the ids of all checks.
func (a *App) CheckIDs() []string {
	ids := []string{}
	for _, c := range a.lib.Checks() {
		ids = append(ids, c.ID)
	}
	return ids
}

// checksWhere returns the checks of the library for which wanted is true, in
// short.
func (a *App) checksWhere(wanted func(*library.Check) bool) []CheckLink {
	links := []CheckLink{}
	for _, c := range a.lib.Checks() {
		if wanted(c) {
			links = append(links, CheckLink{c.ID, c.Title})
		}
	}
	return links
}

// checksOf returns the checks that a case stands behind.
func (a *App) checksOf(id string) []CheckLink {
	return a.checksWhere(func(c *library.Check) bool { return slices.Contains(c.Evidence, id) })
}

// checksUnder returns the checks of mechanisms.
func (a *App) checksUnder(list string, ids []string) []CheckLink {
	return a.checksWhere(func(c *library.Check) bool {
		return list == "mechanism" && slices.ContainsFunc(c.Mechanisms, func(m string) bool { return slices.Contains(ids, m) })
	})
}

// CheckLink leads to a check.
type CheckLink struct {
	ID    string         `json:"id"`
	Title bilingual.Text `json:"title"`
}

// OneCheck returns a check, whole.
func (a *App) OneCheck(id string) (*CheckPage, error) {
	c, err := a.check(id)
	if err != nil {
		return nil, err
	}
	rules, err := a.checks()
	if err != nil {
		return nil, err
	}
	r := rules[slices.Index(a.lib.Checks(), c)]
	page := &CheckPage{
		Version: WireVersion, CheckRef: a.checkRef(r, c), About: r.About, State: r.State, Exposed: r.Exposed, Evidence: a.evidence(&r.File),
		Remedy: r.Remedy, Doubts: r.Doubts, Parameters: []CheckParameter{}, Text: string(c.Text), Scenarios: []ScenarioRef{},
	}
	for _, e := range page.Evidence {
		page.Scenarios = append(page.Scenarios, a.scenariosOf(e.ID)...)
	}
	for _, p := range r.Parameters {
		page.Parameters = append(page.Parameters, CheckParameter{p.Name, p.Value, p.About})
	}
	return page, nil
}

func (a *App) checkRef(r *rule.Rule, c *library.Check) CheckRef {
	ref := CheckRef{ID: r.ID, Title: r.Title, Applies: r.Applies, Severity: cmp.Or(r.Severity.State, r.Severity.Exposed), Mechanisms: []TermRef{}, Cases: []string{}, Library: c.Layer}
	if r.Severity.Exposed != "" && r.Severity.Exposed.AtLeast(ref.Severity) {
		ref.Severity = r.Severity.Exposed
	}
	for _, m := range r.Mechanisms {
		ref.Mechanisms = append(ref.Mechanisms, a.termRef("mechanism", m))
	}
	for _, e := range a.evidence(&r.File) {
		ref.Cases = append(ref.Cases, e.ID)
	}
	return ref
}
