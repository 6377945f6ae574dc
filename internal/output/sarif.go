package output

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/rule"
)

// The parts of SARIF 2.1.0 (OASIS, 2020) that findings need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		Language    string            `json:"language"`
		Newlines    []string          `json:"newlineSequences"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name     string      `json:"name"`
		Version  string      `json:"version,omitempty"`
		Rules    []sarifRule `json:"rules"`
		Language string      `json:"language"`
	}
	sarifRule struct {
		ID         string          `json:"id"`
		Short      sarifText       `json:"shortDescription"`
		Help       *sarifText      `json:"help,omitempty"`
		Properties sarifProperties `json:"properties,omitzero"`
	}
	sarifProperties struct {
		Tags     []string `json:"tags,omitempty"`
		Severity string   `json:"security-severity,omitempty"` // which GitHub sorts by
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
		Col  int `json:"startColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

// sarifLevels are the levels of SARIF, of which there are fewer.
var sarifLevels = map[rule.Severity]string{rule.Critical: "error", rule.High: "error", rule.Medium: "warning", rule.Low: "note"}

// sarifScores are what GitHub orders findings by, from 0 to 10.
var sarifScores = map[rule.Severity]string{rule.Critical: "9.5", rule.High: "8.0", rule.Medium: "5.5", rule.Low: "2.0"}

// SARIF writes findings in the Static Analysis Results Interchange Format 2.1.0, as
// code hosts show them. What was not checked and could have been is a notification
// of a run that did not succeed, so that it does not look like an all-clear.
func SARIF(w io.Writer, a *app.CheckAnswer, version string, l bilingual.Lang) error {
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "precedent", Version: version, Rules: []sarifRule{}, Language: string(l)}},
		Results: []sarifResult{}, Language: string(l), Newlines: []string{"\n"},
	}
	index := map[string]int{}
	for _, f := range a.Findings {
		at, ok := index[f.Check]
		if !ok {
			at = len(run.Tool.Driver.Rules)
			index[f.Check] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f, l))
		}
		run.Results = append(run.Results, sarifResultOf(f, at, l))
	}
	done := sarifInvocation{Successful: !a.Incomplete}
	for _, e := range a.Expired {
		level := "error"
		if e.Unused {
			level = "note"
		}
		done.Notifications = append(done.Notifications, sarifNotification{level, sarifText{Text: e.Check + ": " + expiredText(e, l)}})
	}
	for _, g := range a.Gaps {
		done.Notifications = append(done.Notifications, sarifNotification{"error", sarifText{Text: g.What + ": " + Read(&g.Reason, l)}})
	}
	for _, u := range a.NotChecked {
		level := "note"
		if u.Tried {
			level = "warning"
		}
		done.Notifications = append(done.Notifications, sarifNotification{level, sarifText{Text: u.Check + ": " + Read(&u.Why, l)}})
	}
	run.Invocations = []sarifInvocation{done}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func sarifRuleOf(f app.CheckFinding, l bilingual.Lang) sarifRule {
	r := sarifRule{ID: f.Check, Short: sarifText{Text: Read(&f.Title, l)}, Properties: sarifProperties{Severity: sarifScores[f.Severity]}}
	help := sarifText{Text: Read(&f.Remedy, l), Markdown: Read(&f.Remedy, l) + "\n"}
	for _, c := range f.Cases {
		help.Text += "\n" + c.ID + ": " + Read(&c.Title, l)
		help.Markdown += "\n- " + c.ID + ": " + Read(&c.Title, l)
	}
	r.Help = &help
	for _, m := range f.Mechanisms {
		r.Properties.Tags = append(r.Properties.Tags, m.ID)
	}
	return r
}

func sarifResultOf(f app.CheckFinding, at int, l bilingual.Lang) sarifResult {
	r := sarifResult{
		RuleID: f.Check, RuleIndex: at, Level: sarifLevels[f.Severity], Message: sarifText{Text: f.Object.ID() + ": " + Read(&f.Message, l)},
		Fingerprints: map[string]string{"precedent/v1": f.Fingerprint},
	}
	logical := []sarifLogical{{f.Object.ID(), "resource"}}
	for _, p := range f.At {
		o, of := f.Object, logical
		if p.Object != nil {
			o, of = *p.Object, []sarifLogical{{p.Object.ID(), "resource"}}
		}
		switch {
		case p.Line > 0:
			r.Locations = append(r.Locations, sarifLocation{&sarifPhysical{sarifArtifact{fileURI(o.Source)}, sarifRegion{p.Line, p.Col}}, of})
		case p.Object != nil:
			r.Locations = append(r.Locations, sarifLocation{nil, of})
		}
	}
	if len(r.Locations) == 0 && f.Object.Line > 0 {
		r.Locations = []sarifLocation{{&sarifPhysical{sarifArtifact{fileURI(f.Object.Source)}, sarifRegion{Line: f.Object.Line}}, logical}}
	}
	if len(r.Locations) == 0 {
		r.Locations = []sarifLocation{{nil, logical}}
	}
	if f.Muted != nil {
		r.Suppressions = []sarifSuppression{{"external", mutedWhy(f.Muted, l)}}
	}
	return r
}

// fileURI writes the name of a file as SARIF wants it, relative where it is so.
func fileURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	return u.String()
}
