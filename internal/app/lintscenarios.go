package app

import (
	"encoding/json"
	"slices"

	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/sim/expect"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// LintScenarios reports what the simulator finds wrong with the scenarios of a
// layer, which the library knows the heads of only: fields and values, the
// variants, the expectations, and recordings and judgments that are not of the file.
func LintScenarios(layer library.Layer) strictyaml.Problems {
	scenarios := layer.ScenarioFiles()
	found := make([]strictyaml.Problems, len(scenarios))
	parallel.Each(len(scenarios), func(i int) { found[i] = lintScenario(scenarios[i]) })
	all := slices.Concat(found...)
	for _, name := range layer.StrayRecordings() {
		all = append(all, strictyaml.Problem{
			File: name, Line: 1, Col: 1, Rule: "stray-recording", Level: strictyaml.Warning,
			Msg: "is the recording of no scenario", Help: "delete it, or give the scenario the same name",
		})
	}
	for _, name := range layer.StrayJudgments() {
		all = append(all, strictyaml.Problem{
			File: name, Line: 1, Col: 1, Rule: "stray-judgment", Level: strictyaml.Warning,
			Msg: "is the judgment of no scenario", Help: "delete it, or give the scenario the same name",
		})
	}
	return all
}

// lintScenario reports what is wrong with one scenario and its variants, each thing
// once: variants share most of the file. What is doubtful about a system may be what its
// scenario is about, and is told to who runs it.
func lintScenario(s *library.Scenario) strictyaml.Problems {
	f, found := scenario.Decode(s.File, s.Text, nil)
	if len(found.Errors()) == 0 {
		_, problems := expect.Prepare(f, s.File, s.Text, nil)
		found = append(found, problems...)
	}
	var all strictyaml.Problems
	for _, one := range slices.Concat(found, staleRecording(s), staleJudgment(s)) {
		if one.Rule != "doubtful" && !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// staleRecording reports a recording that is not of the scenario beside it.
func staleRecording(s *library.Scenario) strictyaml.Problems {
	if len(s.Recording) == 0 {
		return nil
	}
	var r Recording
	err := json.Unmarshal(s.Recording, &r)
	return stale(s, "recording", "--all --record DIR/"+library.RecordingDir, err, r.Version, r.Scenario)
}

// staleJudgment reports a judgment that is not of the scenario beside it.
func staleJudgment(s *library.Scenario) strictyaml.Problems {
	if len(s.Judgment) == 0 {
		return nil
	}
	var j Judging
	err := json.Unmarshal(s.Judgment, &j)
	return stale(s, "judgment", "--judge --record DIR/"+library.JudgmentDir, err, j.Version, j.Scenario)
}

// stale reports what is kept of a scenario where it could not be read, or is of
// another version of the program or another state of the file: it is not shown. The
// flags are those of the replay that makes it anew.
func stale(s *library.Scenario, what, flags string, unread error, version int, sum string) strictyaml.Problems {
	p := strictyaml.Problem{
		File: s.File, Line: 1, Col: 1, Rule: "stale-" + what, Level: strictyaml.Warning,
		Help: "make it anew with `precedent replay " + s.ID + " " + flags + "`, or delete it",
	}
	switch {
	case unread != nil:
		p.Msg = "its " + what + " is no JSON of a " + what
	case version != study.WireVersion:
		p.Msg = "its " + what + " was made by another version of the program"
	case sum != sumOf(s.Text):
		p.Msg = "its " + what + " is of another state of this file, and is not shown"
	default:
		return nil
	}
	return strictyaml.Problems{p}
}
