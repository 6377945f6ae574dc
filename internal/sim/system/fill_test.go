package system_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

const manyForms = `name: "true"
about: "a colon: inside, and # a mark"
parameters:
  load: {value: 50/s, assumed: "half the capacity"}
  patience: {value: 300ms, about: "how long, at most", source: "page 3 of the report"}
  retries: 3
parts:
  users:
    kind: source
    about: people
    rate: $load
    keys: {distinct: 1k}
    call: {to: db, timeout: $patience, retries: $retries, backoff: {first: 1ms}, breaker: {open: 2s}}
  db: {kind: server, work: exp 10ms, calls: [{to: disk}]}
  disk: {kind: server, work: lognormal 1ms p99 9ms, workers: 8}
  web: {kind: server, copies: $retries, work: 1ms}
  lb: {kind: balancer, calls: [{to: web}, {to: disk}]}
run: {for: 2m}
changes:
  - {at: 10s, for: 4s, set: {db.speed: 0.05, users.rate: 3x, users.call.cut: 20%}}
remedies:
  - {name: fewer, set: {users.rate: 10/s}}
`

// TestFillReadsTheSame reads back what Fill writes.
func TestFillReadsTheSame(t *testing.T) {
	for name, set := range map[string][]strictyaml.Setting{
		"as it stands": nil,
		"with values from outside": {
			{Path: "parts.db.workers", Value: "4"}, {Path: "parameters.load.value", Value: "20/s"},
			{Path: "parts.disk.room", Value: "9"}, {Path: "run.seed", Value: "7"}, {Path: "parameters.retries.value", Value: "1"},
			{Path: "parts.db.calls[0].breaker.open", Value: "1s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, problems := scenario.Decode("test.yaml", []byte(manyForms), set)
			if len(problems.Errors()) > 0 {
				t.Fatal(problems)
			}
			filled, settings, err := system.Fill([]byte(manyForms), want, set)
			if err != nil {
				t.Fatal(err)
			}
			got, problems := scenario.Decode("filled.yaml", filled, nil)
			if len(problems.Errors()) > 0 {
				t.Fatalf("%v\n%s", problems, filled)
			}
			for i := range want.Parts { // which hold functions, and those are never equal
				if got.Parts[i].Kind.Name != want.Parts[i].Kind.Name {
					t.Errorf("part %d is a %s, want a %s", i, got.Parts[i].Kind.Name, want.Parts[i].Kind.Name)
				}
				got.Parts[i].Kind, want.Parts[i].Kind = parts.Kind{}, parts.Kind{}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("it reads as\n%+v, want\n%+v, of\n%s", got, want, filled)
			}
			if len(settings) < 40 {
				t.Errorf("%d settings are listed", len(settings))
			}
		})
	}
}

func TestFillTellsOrigins(t *testing.T) {
	set := []strictyaml.Setting{{Path: "parts.db.workers", Value: "4"}}
	f, _ := scenario.Decode("test.yaml", []byte(manyForms), set)
	filled, settings, err := system.Fill([]byte(manyForms), f, set)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]system.Filled{}
	for _, s := range settings {
		s.Doc = ""
		got[s.Path] = s
	}
	for _, want := range []system.Filled{
		{Path: "parts.users.rate", Value: "50/s", Origin: system.FromParameter, Parameter: "load", Assumed: "half the capacity"},
		{Path: "parts.users.call.timeout", Value: "300ms", Origin: system.FromParameter, Parameter: "patience", Source: "page 3 of the report"},
		{Path: "parts.db.workers", Value: "4", Origin: system.FromOutside},
		{Path: "parts.db.room", Value: "unlimited", Origin: system.FromDefault},
		{Path: "parts.db.work", Value: "exp 10ms", Origin: system.FromFile},
		{Path: "run.window", Value: "1s", Origin: system.FromDefault},
	} {
		if got[want.Path] != want {
			t.Errorf("got %+v, want %+v", got[want.Path], want)
		}
	}
	for _, want := range []string{"rate: $load # 50/s, assumed: half the capacity", "workers: 4 # set from outside", "room: unlimited # default"} {
		if !strings.Contains(string(filled), want) {
			t.Errorf("it lacks %q:\n%s", want, filled)
		}
	}
}
