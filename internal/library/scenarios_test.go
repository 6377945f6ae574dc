package library

import (
	"strings"
	"testing"
	"testing/fstest"
)

// withScenarios adds scenario files to a layer, by name.
func withScenarios(l Layer, files map[string]string) Layer {
	for name, text := range files {
		l.FS.(fstest.MapFS)["scenarios/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	l.FS.(fstest.MapFS)["vocab/mechanism.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(vocabulary, "%s", "mechanism", 1))}
	return l
}

const scenarioText = "title: {en: A storm, ko: 폭풍}\nreplays: PR-0001\nmechanisms: [one]\nparts: {anything: at all}\n"

func TestScenariosAreFoundByFolder(t *testing.T) {
	lib, problems := Load(
		withScenarios(layer("public", map[string]string{"PR-0001": ""}), map[string]string{
			"PR-0001.yaml": scenarioText, "general.yaml": "title: {en: General, ko: 일반}\n"}),
		withScenarios(layer("mine", nil), map[string]string{"General.yaml": "title: {en: Mine, ko: 내 것}\n"}),
	)
	if lib == nil {
		t.Fatal(problems)
	}
	all := lib.Scenarios()
	if len(all) != 2 || all[0].Case != "PR-0001" || all[0].Title.Ko != "폭풍" || string(all[0].Text) != scenarioText {
		t.Errorf("the scenarios are %+v", all)
	}
	if s, ok := lib.Scenario("GENERAL"); !ok || s.Layer != "mine" || s.Title.En != "Mine" {
		t.Errorf("the later layer has not replaced %+v", s)
	}
}

func TestScenariosNameWhatIsThere(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"case", strings.Replace(scenarioText, "PR-0001", "PR-0002", 1), "dangling"},
		{"mechanism", strings.Replace(scenarioText, "[one]", "[one, too]", 1), "dangling"},
		{"title", strings.Replace(scenarioText, "title", "titel", 1), "required"},
		{"no YAML", "parts: [", "syntax"},
	} {
		lib, problems := Load(withScenarios(layer("public", map[string]string{"PR-0001": ""}), map[string]string{"a.yaml": tt.text}))
		if lib != nil || rules(problems) != tt.want {
			t.Errorf("%s: the problems are %v, want %s", tt.name, problems, tt.want)
		}
	}
}
