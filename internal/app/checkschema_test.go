package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// TestCheckSchemaTakesChecks holds every check of the repository to the schema, and
// the schema against what a check may not be.
func TestCheckSchemaTakesChecks(t *testing.T) {
	raw, err := json.Marshal(publicApp(t).CheckSchema())
	if err != nil {
		t.Fatal(err)
	}
	s := &jsonschema.Schema{}
	if err := json.Unmarshal(raw, s); err != nil {
		t.Fatal(err)
	}
	schema, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"../../corpus/checks/*.yaml", "../../cmd/precedent/newlibrary/checks/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		files = append(files, found...)
	}
	var last string
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, schema, string(src)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		last = string(src)
	}
	for name, change := range map[string][2]string{
		"a field that there is not": {"remedy:", "cure:"},
		"a severity":                {"severity: {state: high}", "severity: {state: dire}"},
		"a mechanism":               {"[connection-pool-exhaustion,", "[bad-luck,"},
		"no condition":              {"state: size(small) > 0\n", ""},
		"one language":              {"  ko: 커넥션 풀이 야간 부하에 맞춰져 있다\n", ""},
		"a parameter without value": {"    value: 20\n", ""},
		"an outcome":                {"outcome: clear", "outcome: fine"},
		"a case":                    {"case: ACME-0001", "case: acme one"},
		"a number for a text":       {"state: size(small) > 0", "state: 7"},
	} {
		text := strings.Replace(last, change[0], change[1], 1)
		if text == last {
			t.Fatalf("%s: the example does not hold %q", name, change[0])
		}
		if validate(t, schema, text) == nil {
			t.Errorf("the schema takes %s: %q", name, change[1])
		}
	}
}
