package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

const variedFile = `name: varied
parameters:
  load: {value: 10/s, assumed: little}
parts:
  users: {kind: source, rate: $load, arrivals: regular, call: {to: db}}
  db: {kind: server, work: 50ms}
run: {for: 1m}
changes:
  - {name: rush, at: 10s, for: 10s, set: {users.rate: 2x}}
  - {name: rollback, at: 30s, set: {db.speed: 2}}
expect:
  - {name: base, that: "true"}
variants:
  - name: busy
    about: twice the load
    set: {load: 20/s, db.workers: 2, run.for: 2m}
  - name: left-alone
    without: [rollback, rush]
    expect:
      - {name: quiet, that: "true"}
  - name: worse
    without: [rollback]
    changes:
      - {at: 50s, set: {db.speed: 0}}
`

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		variant  string
		set      []strictyaml.Setting
		offered  float64
		made     []des.Time // in seconds
		expected string
	}{
		{"", nil, 700, []des.Time{10, 30}, "base"},
		{"busy", nil, 20*120 + 200, []des.Time{10, 30}, ""},
		{"busy", []strictyaml.Setting{{Path: "load", Value: "5/s"}}, 5*120 + 50, []des.Time{10, 30}, ""},
		{"left-alone", nil, 600, nil, "quiet"},
		{"worse", nil, 700, []des.Time{10, 50}, ""},
	} {
		f, problems := DecodeVariant("test.yaml", []byte(variedFile), c.variant, c.set)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", c.variant, problems)
		}
		r, err := f.Simulate(t.Context(), 1, des.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		var made []des.Time
		for _, m := range r.Made {
			made = append(made, m.At/des.Second)
		}
		if got := sum(seriesOf(t, r, "users.offered")); got < c.offered-1 || got > c.offered+1 || !slices.Equal(made, c.made) {
			t.Errorf("%q with %v: %v requests and changes at %v, want %v and %v", c.variant, c.set, got, made, c.offered, c.made)
		}
		expected := ""
		if len(f.Expect) > 0 {
			expected = f.Expect[0].Name
		}
		if expected != c.expected || f.Variant != c.variant || r.Variant != c.variant {
			t.Errorf("%q: it is %q and %q and expects %q, want %q", c.variant, f.Variant, r.Variant, expected, c.expected)
		}
	}
}

func TestVariantsRefused(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(variedFile, old, new, 1) }
	for text, want := range map[string]string{
		change("without: [rollback]", "without: [rolback]"):               `test.yaml:22:15: error: variants[2].without[0]: no change is named "rolback"; did you mean "rollback"?`,
		change("db.workers: 2", "db.workrs: 2"):                           `test.yaml:16:34: error: variants[0].set.db.workrs: no such field exists; did you mean "parts.db.work"?`,
		change("db.workers: 2", "db.workers: two"):                        `test.yaml:16:35: error: variants[0].set.db.workers: "two" is not a`,
		change("db.workers: 2", "parts.db.workers: two"):                  `variants[0].set.parts.db.workers: "two" is not a`,
		change("db.workers: 2", "laod: 2/s"):                              `variants[0].set.laod: no such field exists`,
		change("run.for: 2m", "run.for: 5s"):                              `with the variant "busy": 10s is after the end of the run at 5s`,
		change("set: {db.speed: 0}", "set: {db.sped: 0}"):                 `variants[2].changes[0].set.db.sped: no knob is named "db.sped"; did you mean "db.speed"?`,
		change("{at: 50s", "{at: 90s"):                                    `variants[2].changes[0].at: 1m30s is after the end of the run`,
		change("{at: 50s", "{name: rush, at: 50s"):                        `variants[2].changes[0].name: "rush" is the name of changes[0] too`,
		change("name: worse", "name: base"):                               `"base" stands for the file as it is; give it another name`,
		change("name: worse", "name: busy"):                               `variants[2].name: "busy" is the name of variants[0] too`,
		change("name: worse", "name: much worse"):                         `cannot be written after --variant; join its words with hyphens`,
		change("    set: {load: 20/s, db.workers: 2, run.for: 2m}\n", ""): `variants[0]: nothing is different about this variant`,
		change("about: twice", "abut: twice"):                             `no field "abut" exists here; did you mean "about"?`,
	} {
		t.Run(want, func(t *testing.T) { refusedText(t, text, want) })
	}
	for name, want := range map[string]string{
		"bsy":  `no variant is named "bsy"; did you mean "busy"?`,
		"none": `no variant is named "none"; the variants are busy, left-alone, worse, and base is the file as it is`,
	} {
		if _, problems := DecodeVariant("test.yaml", []byte(variedFile), name, nil); !strings.Contains(problems.Error(), want) {
			t.Errorf("%q gives %v, want %s", name, problems, want)
		}
	}
}
