package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/rule"
)

// CheckQuery says what to look for in a snapshot.
type CheckQuery struct {
	Only []string                      // ids of checks; all where it is empty
	Set  map[string]map[string]float64 // parameters of checks, by id and name
}

// CheckAnswer is what the checks found.
type CheckAnswer struct {
	Version    int            `json:"wire_version"`
	Objects    int            `json:"objects" jsonschema:"objects that were read"`
	Kinds      []string       `json:"kinds" jsonschema:"their kinds"`
	Gaps       []Gap          `json:"gaps" jsonschema:"what was to be read and could not be, or not whole"`
	Findings   []CheckFinding `json:"findings" jsonschema:"the worst first"`
	NotChecked []Unchecked    `json:"not_checked"`
	Checks     []CheckCount   `json:"checks"`
	Expired    []Expired      `json:"expired" jsonschema:"mutes that have come to their end, or mute nothing"`
	Incomplete bool           `json:"incomplete" jsonschema:"true where something was to be read and could not be, so that no finding does not mean all clear"`
}

// Gap is what was to be read and could not be.
type Gap struct {
	What   string         `json:"what" jsonschema:"a kind of objects, or the name of a file"`
	Why    string         `json:"why" jsonschema:"the same as the reason in English"`
	Help   string         `json:"remedy,omitempty" jsonschema:"the same as the advice in English"`
	Reason bilingual.Text `json:"reason" jsonschema:"why, in both languages"`
	Advice bilingual.Text `json:"advice,omitzero" jsonschema:"what to do, in both languages"`
}

// GapOf makes a gap of a problem of what was to be read.
func GapOf(p manifest.Problem) Gap {
	what := p.Source
	if p.Line > 0 {
		what += ":" + strconv.Itoa(p.Line)
	}
	reason, advice := p.Texts()
	return Gap{what, p.Msg, p.Help, reason, advice}
}

// CheckFinding is an object that a check fires on.
type CheckFinding struct {
	Check       string         `json:"check"`
	Title       bilingual.Text `json:"title"`
	Outcome     rule.Outcome   `json:"outcome" jsonschema:"in-that-state, or exposed: it has what it takes to get there"`
	Severity    rule.Severity  `json:"severity"`
	Object      CheckedObject  `json:"object"`
	Message     bilingual.Text `json:"message" jsonschema:"what was seen"`
	At          []Pointed      `json:"at" jsonschema:"the fields that it hangs on"`
	NotChecked  bilingual.Text `json:"not_checked,omitzero" jsonschema:"why it could not be told whether it is in that state"`
	Mechanisms  []TermRef      `json:"mechanisms"`
	Cases       []CheckCase    `json:"cases" jsonschema:"the incidents behind the check"`
	Remedy      bilingual.Text `json:"remedy"`
	Doubts      bilingual.Text `json:"doubts,omitzero" jsonschema:"when it is not worth acting on"`
	Scenarios   []ScenarioRef  `json:"scenarios" jsonschema:"replays of those incidents"`
	Fingerprint string         `json:"fingerprint" jsonschema:"the same in every run, for the same check and object"`
	Muted       *Muted         `json:"muted,omitempty" jsonschema:"why it does not count; absent where it does"`
}

// CheckedObject is an object that a check looked at. The kind is Cluster where it
// was all of them together.
type CheckedObject struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Source    string `json:"source,omitempty" jsonschema:"where it was read"`
	Line      int    `json:"line,omitempty"`
}

// ID names the object as people do, such as Deployment shop/web.
func (o CheckedObject) ID() string {
	switch {
	case o.Namespace != "":
		return o.Kind + " " + o.Namespace + "/" + o.Name
	case o.Name != "":
		return o.Kind + " " + o.Name
	}
	return o.Kind
}

// Pointed is a field that a finding points to.
type Pointed struct {
	Object *CheckedObject `json:"object,omitempty" jsonschema:"the object that it is of, where that is not the finding's own"`
	Path   string         `json:"path"`
	Value  string         `json:"value,omitempty" jsonschema:"what stands there, if it is short and no secret"`
	Line   int            `json:"line,omitempty"`
	Col    int            `json:"col,omitempty"`
}

// CheckCase is a case behind a check.
type CheckCase struct {
	ID    string         `json:"id"`
	Title bilingual.Text `json:"title"`
	Why   bilingual.Text `json:"why" jsonschema:"what it has in common with the finding"`
}

// Unchecked is a check that could not be made, for one reason.
type Unchecked struct {
	Check   string         `json:"check"`
	Title   bilingual.Text `json:"title"`
	Why     bilingual.Text `json:"why"`
	Objects int            `json:"objects" jsonschema:"of how many objects; 0 where no object was read at all"`
	Tried   bool           `json:"tried" jsonschema:"true where a source was to read what it takes, and could not"`
}

// CheckCount counts the outcomes of a check.
type CheckCount struct {
	Check      string         `json:"check"`
	Title      bilingual.Text `json:"title"`
	InState    int            `json:"in_that_state"`
	Exposed    int            `json:"exposed"`
	NotChecked int            `json:"not_checked"`
	Clear      int            `json:"clear"`
}

// Check runs checks over a snapshot.
func (a *App) Check(ctx context.Context, snap *object.Snapshot, q CheckQuery) (*CheckAnswer, error) {
	asked, err := a.asked(q)
	if err != nil {
		return nil, err
	}
	results, errs := make([]rule.Result, len(asked)), make([]error, len(asked))
	err = a.eachRule(asked, q, func(i int, r *rule.Rule) { results[i], errs[i] = r.Run(ctx, snap) })
	if err := cmp.Or(append(errs, err)...); err != nil {
		return nil, err
	}
	ans := &CheckAnswer{
		Version: WireVersion, Objects: snap.Size(), Kinds: append([]string{}, snap.Kinds()...), Gaps: []Gap{},
		Findings: []CheckFinding{}, NotChecked: []Unchecked{}, Checks: []CheckCount{}, Expired: []Expired{},
	}
	for _, g := range snap.Gaps() {
		ans.Gap(Gap{What: g.Kind, Why: g.Why, Reason: g.Reason()})
	}
	for _, res := range results {
		a.count(ans, res)
	}
	slices.SortStableFunc(ans.Findings, worstFirst)
	return ans, nil
}

// Gap adds something that could not be read.
func (ans *CheckAnswer) Gap(g Gap) {
	ans.Gaps, ans.Incomplete = append(ans.Gaps, g), true
}

// AtLeast returns how many findings that are not muted are as severe as s, or more.
func (ans *CheckAnswer) AtLeast(s rule.Severity) int {
	n := 0
	for _, f := range ans.Findings {
		if f.Muted == nil && f.Severity.AtLeast(s) {
			n++
		}
	}
	return n
}

func worstFirst(a, b CheckFinding) int {
	levels, outcomes := rule.SeverityLevels(), rule.Outcomes()
	return cmp.Or(
		cmp.Compare(slices.Index(levels, a.Severity), slices.Index(levels, b.Severity)),
		cmp.Compare(slices.Index(outcomes, a.Outcome), slices.Index(outcomes, b.Outcome)),
		cmp.Compare(a.Check, b.Check),
		cmp.Compare(a.Object.Namespace, b.Object.Namespace), cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(a.Object.Name, b.Object.Name),
	)
}

// count adds the result of one check to an answer.
func (a *App) count(ans *CheckAnswer, res rule.Result) {
	n := CheckCount{Check: res.Rule.ID, Title: res.Rule.Title, Clear: res.Clear}
	for _, f := range res.Findings {
		switch f.Outcome {
		case rule.InState:
			n.InState++
		case rule.Exposed:
			n.Exposed++
		default:
			n.NotChecked++
			ans.unchecked(f)
			continue
		}
		ans.Findings = append(ans.Findings, a.finding(f))
	}
	ans.Checks = append(ans.Checks, n)
}

// unchecked adds what could not be told, with others of the same reason.
func (ans *CheckAnswer) unchecked(f rule.Finding) {
	ans.Incomplete = ans.Incomplete || f.Tried
	objects := 0
	if f.Object != nil {
		objects = 1
	}
	for i := range ans.NotChecked {
		if u := &ans.NotChecked[i]; u.Check == f.Rule.ID && u.Why == f.Why {
			u.Objects += objects
			return
		}
	}
	ans.NotChecked = append(ans.NotChecked, Unchecked{f.Rule.ID, f.Rule.Title, f.Why, objects, f.Tried})
}

func (a *App) finding(f rule.Finding) CheckFinding {
	r := f.Rule
	out := CheckFinding{
		Check: r.ID, Title: r.Title, Outcome: f.Outcome, Severity: r.Severity.Exposed, Message: f.Message, At: []Pointed{},
		NotChecked: f.Why, Mechanisms: []TermRef{}, Cases: []CheckCase{}, Remedy: r.Remedy, Doubts: r.Doubts, Scenarios: []ScenarioRef{},
		Object: CheckedObject{Kind: rule.Cluster},
	}
	if f.Outcome == rule.InState {
		out.Severity = r.Severity.State
	}
	if f.Object != nil {
		out.Object = checkedObject(f.Object)
	}
	for _, at := range f.At {
		if p, ok := pointed(f.Object, at); ok {
			out.At = append(out.At, p)
		}
	}
	for _, m := range r.Mechanisms {
		out.Mechanisms = append(out.Mechanisms, a.termRef("mechanism", m))
	}
	out.Cases = a.evidence(r)
	for _, c := range out.Cases {
		out.Scenarios = append(out.Scenarios, a.scenariosOf(c.ID)...)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{r.ID, out.Object.Kind, out.Object.Namespace, out.Object.Name}, "\x00")))
	out.Fingerprint = hex.EncodeToString(sum[:])[:16]
	return out
}

func checkedObject(o *object.Object) CheckedObject {
	line, _ := o.Place("")
	return CheckedObject{o.Kind, o.Namespace, o.Name, o.Source, line}
}

// pointed says what stands at a place of an object, or of another one than the finding's.
func pointed(own *object.Object, at object.Place) (Pointed, bool) {
	o, p := cmp.Or(at.Object, own), Pointed{Path: at.Path}
	if o == nil {
		return p, false
	}
	if o != own {
		other := checkedObject(o)
		p.Object = &other
	}
	p.Value = seen(o, at.Path)
	p.Line, p.Col = o.Place(at.Path)
	return p, true
}

// evidence returns the cases behind a check that are shown.
func (a *App) evidence(r *rule.File) []CheckCase {
	cases := []CheckCase{}
	for _, e := range r.Evidence {
		if entry, ok := a.lib.Case(e.Case); ok && a.shows(entry) {
			cases = append(cases, CheckCase{entry.ID, entry.Title, e.Why})
		}
	}
	return cases
}

// maxSeen is the longest value that a finding repeats, in letters.
const maxSeen = 80

// seen returns the value of a field as text, if it is one value and cannot be a
// secret: what environment variables, Secrets and ConfigMaps hold is not repeated.
func seen(o *object.Object, path string) string {
	if o.Kind == "Secret" || o.Kind == "ConfigMap" || strings.Contains(path, "env[") || strings.Contains(strings.ToLower(path), "password") {
		return ""
	}
	switch v := o.Fields.Lookup(path).(type) {
	case string, bool, int64, float64:
		text := fmt.Sprint(v)
		if letters := []rune(text); len(letters) > maxSeen {
			text = string(letters[:maxSeen]) + "…"
		}
		return text
	}
	return ""
}
