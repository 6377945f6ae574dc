package scenario

import (
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

const ordered = `name: ordered
parts:
  users: {kind: source, rate: 1/s, call: {to: dns}}
  dns: {kind: planner, period: 30s, endpoints: 100, step: exp 100ms}
variants: [{name: swap, set: {dns.write: compare-and-swap}}]
explore:
  set: {dns.endpoints: 1}
  of:
    - {breaks: [records-exist]}
    - {variant: swap, set: {dns.keep: 2}, keeps: [records-exist]}
`

func TestOrders(t *testing.T) {
	t.Parallel()
	f, problems := Decode("test.yaml", []byte(ordered), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	o := OrdersOf([]byte(ordered))
	if o == nil || len(o.Of) != 2 || len(f.Explore.Of) != 2 {
		t.Fatalf("the orders are %v", o)
	}
	if got := o.Settings(&o.Of[1]); len(got) != 2 || got[0].Path != "parts.dns.endpoints" || got[1].Path != "parts.dns.keep" {
		t.Errorf("the settings are %v", got)
	}
	for _, c := range []struct {
		of, name     string
		keeps, known bool
	}{{"base", "records-exist", false, true}, {"swap", "records-exist", true, true}, {"swap", "never-older", false, false}} {
		for i := range o.Of {
			if o.Of[i].Variant != c.of {
				continue
			}
			if keeps, known := o.Of[i].Says(c.name); keeps != c.keeps || known != c.known {
				t.Errorf("%s: that %s is kept is %t, known: %t", c.of, c.name, keeps, known)
			}
		}
	}
}

func TestOrdersRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{"variant: swap", "variant: swop", `did you mean "swap"`},
		{"breaks: [records-exist]", "breaks: [record-exist]", `did you mean "records-exist"`},
		{"keeps: [records-exist]", "keeps: [never-older], breaks: [never-older]", "cannot hold and be broken"},
		{"{kind: planner, period: 30s, endpoints: 100, step: exp 100ms}", "{kind: server, workers: 2, work: 1ms}", "no part of the system is a protocol"},
	} {
		src := strings.Replace(ordered, c.from, c.to, 1)
		if c.from[0] == '{' {
			src = strings.Replace(src, "dns.write: compare-and-swap", "dns.workers: 3", 1)
		}
		refusedText(t, src, c.want)
	}
}

// TestSetBesideSliders: readers may set other values than those of a slider.
func TestSetBesideSliders(t *testing.T) {
	t.Parallel()
	src := "name: a\nparameters: {load: 10/s}\nparts:\n  users: {kind: source, rate: $load, call: {to: web}}\n" +
		"  web: {kind: server, workers: 1, work: 1ms}\npage: {sliders: [{set: load, name: load, values: [10/s, 20/s]}]}\n"
	if _, problems := Decode("test.yaml", []byte(src), nil); len(problems) > 0 {
		t.Error(problems)
	}
	if _, problems := Decode("test.yaml", []byte(src), []strictyaml.Setting{{Path: "load", Value: "15/s"}}); len(problems) > 0 {
		t.Error(problems)
	}
}
