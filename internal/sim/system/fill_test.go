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

// plainest writes a part of a kind with nothing but what must stand.
func plainest(k parts.Kind) (string, bool) {
	forms := map[reflect.Type]string{
		reflect.TypeFor[parts.Call](): "{to: db}", reflect.TypeFor[[]parts.Call](): "[{to: db}]", reflect.TypeFor[parts.Duration](): "1m",
		reflect.TypeFor[parts.Spread](): "10m", reflect.TypeFor[parts.Amount](): "2", reflect.TypeFor[parts.Count](): "3",
		reflect.TypeFor[parts.Backoff](): "{first: 1s}", reflect.TypeFor[parts.Rate](): "5/s",
	}
	fields := []string{"kind: " + k.Name}
	config := reflect.TypeOf(k.New()).Elem()
	for i := range config.NumField() {
		f := config.Field(i)
		if f.Tag.Get("required") != "true" {
			continue
		}
		form, ok := forms[f.Type]
		if !ok {
			return "", false
		}
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		fields = append(fields, name+": "+form)
	}
	if k.Name == "source" {
		fields = append(fields, "rate: 1/s")
	}
	return "{" + strings.Join(fields, ", ") + "}", true
}

// TestFillEveryKind fills in a part of every kind that needs nothing special.
func TestFillEveryKind(t *testing.T) {
	filled := 0
	for _, k := range parts.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			part, ok := plainest(k)
			if !ok {
				t.Skip("it needs more than plain values")
			}
			src := "name: one\nparts:\n  one: " + part + "\n  users: {kind: source, rate: 1/s, call: {to: db}}\n  db: {kind: server, work: 1ms}\n"
			want, problems := scenario.Decode("one.yaml", []byte(src), nil)
			if len(problems.Errors()) > 0 {
				t.Skip(problems)
			}
			out, _, err := system.Fill([]byte(src), want, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, problems := scenario.Decode("filled.yaml", out, nil)
			if len(problems.Errors()) > 0 {
				t.Fatalf("%v\n%s", problems, out)
			}
			if !reflect.DeepEqual(got.Parts[0].Config, want.Parts[0].Config) {
				t.Errorf("it reads as %+v, want %+v, of\n%s", got.Parts[0].Config, want.Parts[0].Config, out)
			}
			filled++
		})
	}
	if filled < 8 {
		t.Errorf("%d kinds were filled in", filled)
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
