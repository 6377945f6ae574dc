package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// validate holds a YAML file to the schema, as an editor does.
func validate(t *testing.T, schema *jsonschema.Resolved, text string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(v)
}

func systemSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	raw, err := json.Marshal(SystemSchema())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the schema has %d bytes", len(raw))
	s := &jsonschema.Schema{}
	if err := json.Unmarshal(raw, s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// TestSystemSchemaTakesSystems holds every system of the repository to the
// schema, as it is written and with every default filled in.
func TestSystemSchemaTakesSystems(t *testing.T) {
	schema := systemSchema(t)
	var files []string
	for _, pattern := range []string{"../serve/web/testdata/systems/*.yaml", "../../corpus/scenarios/*.yaml", "../../cmd/precedent/newsystem/*.yaml", "../../bench/sim/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 5 {
		t.Fatalf("only %q are tested", files)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, schema, string(src)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		a, err := study.Ask(t.Context(), study.Question{System: string(src), Kind: study.KindExplain}, study.Limits{}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := validate(t, schema, a.Explanation.YAML); err != nil {
			t.Errorf("%s, filled: %v\n%s", name, err, a.Explanation.YAML)
		}
	}
}

// TestSystemSchemaTakesValues holds values in each of their forms to the schema
// and to the reader of files: both must say the same.
func TestSystemSchemaTakesValues(t *testing.T) {
	schema := systemSchema(t)
	const system = `name: values
parameters: {load: 10/s, n: {value: 3, assumed: as it is}}
parts:
  users: {kind: source, rate: 10/s, in_time: 3s, call: {to: db, timeout: 1s, retries: 1, jitter: 0.1}}
  db: {kind: server, workers: 4, work: exp 10ms, order: fifo, room: 100}
run: {for: 1m, window: 1s, seed: 1}
changes: [{at: 10s, for: 5s, set: {db.speed: 0.5}}]
`
	base := strings.Replace(system, ", jitter: 0.1", "", 1)
	for _, tt := range []struct {
		from, to string
		good     bool
	}{
		{"", "", true},
		{"rate: 10/s", "rate: $load", true}, {"rate: 10/s", "rate: 4k/s", true}, {"rate: 10/s", "rate: 10 / min", true},
		{"rate: 10/s", "rate: 10", false}, {"rate: 10/s", "rate: 10/w", false}, {"rate: 10/s", "rate: fast", false}, {"rate: 10/s", "rate: -1/s", false},
		{"for: 1m", "for: 1m30s", true}, {"for: 1m", "for: 1d", true}, {"for: 1m", "for: 1.5h", true}, {"for: 1m", "for: 60", false}, {"for: 1m", "for: 1 minute", false},
		{"seed: 1", "seed: 3_360", true}, {"seed: 1", "seed: 4k", true}, {"seed: 1", "seed: few", false}, {"seed: 1", "seed: -1", false},
		{"room: 100", "room: unlimited", true}, {"room: 100", "room: endless", false},
		{"exp 10ms", "lognormal 10ms p99 80ms", true}, {"exp 10ms", "0", true}, {"exp 10ms", "erlang 4 20ms", true}, {"exp 10ms", "uniform 1ms 2ms", true},
		{"exp 10ms", "pareto 5ms alpha 2.5", true}, {"exp 10ms", "exp 10", false}, {"exp 10ms", "normal 10ms 2ms", false}, {"exp 10ms", "10", false},
		{"fifo", "lifo", true}, {"fifo", "sorted", false}, {"fifo", "FIFO", false},
		{"db.speed: 0.5", "db.speed: 20%", true}, {"db.speed: 0.5", "users.rate: 3x", true}, {"db.speed: 0.5", "users.rate: 20/s", true}, {"db.speed: 0.5", "db.speed: slow", false},
		{"at: 10s", "at: soon", false}, {"at: 10s", "att: 10s", false}, {"kind: server", "kind: sever", false}, {"kind: server, ", "", false},
		{"workers: 4", "wrkers: 4", false}, {"workers: 4", "copies: 2, workers: 4", false}, {"timeout: 1s", "timout: 1s", false}, {"run: {for", "rnu: {for", false},
		{"name: values\n", "", false}, {"call: {to: db", "call: {too: db", false}, {"assumed: as it is", "guessed: as it is", false}, {"  db:", "  1db:", false},
		{"changes: [", "remedies: [{name: more, set: {db.workers: 8}, cost: 0.5}]\nchanges: [", true}, {"changes: [", "remedies: [{set: {db.workers: 8}}]\nchanges: [", false},
	} {
		text := base
		if tt.from != "" {
			if text = strings.Replace(base, tt.from, tt.to, 1); text == base {
				t.Fatalf("%q is not there", tt.from)
			}
		}
		err := validate(t, schema, text)
		if (err == nil) != tt.good && !strings.HasPrefix(tt.to, "copies") {
			t.Errorf("%q: the schema says %v, want good %t", tt.to, err, tt.good)
		}
		if _, read := study.Read(study.Question{System: text}, study.Limits{}); (read == nil) != tt.good {
			t.Errorf("%q: the reader says %v, want good %t", tt.to, read, tt.good)
		}
	}
}

// TestSystemSchemaKnowsEachKind looks whether an editor is offered all kinds of
// parts with what they are, and each of their settings.
func TestSystemSchemaKnowsEachKind(t *testing.T) {
	s := SystemSchema()
	for _, k := range parts.Reference() {
		def := s.Definitions["kind-"+k.Name]
		if def == nil || def.Description == "" {
			t.Errorf("the kind %s is not described", k.Name)
			continue
		}
		for _, f := range k.Fields {
			if field := def.Properties[f.Name]; field == nil || !strings.Contains(field.Description, f.About) {
				t.Errorf("%s.%s is described as %+v", k.Name, f.Name, field)
			}
		}
	}
}
