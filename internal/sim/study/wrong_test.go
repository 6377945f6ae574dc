package study

import (
	"context"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

// TestAllAtOnce asks questions that are wrong in several places: all of it is told,
// each with the parameter and what to do.
func TestAllAtOnce(t *testing.T) {
	const good = "name: x\nparameters: {load: 5/s}\nparts:\n  u: {kind: source, rate: $load, call: {to: d}}\n  d: {kind: server, work: 1ms}\n"
	for _, c := range []struct {
		name string
		q    Question
		want []string // parameters of the question that are refused
		file []string // problems of the system
	}{
		{"both axes", Question{System: good, Kind: KindMap, X: "load", Y: "=1"}, []string{"x", "y"}, nil},
		{"no axes", Question{System: good, Kind: KindMap}, []string{"x", "y"}, nil},
		{"an axis and a setting of the other", Question{System: good, Kind: KindMap, X: "load", Y: "d.wrk=1ms,2ms"}, []string{"x"}, []string{"parts.d.wrk"}},
		{"values of both axes", Question{System: good, Kind: KindMap, X: "load=1/s,much", Y: "d.work=1ms,2ms,long"}, nil, []string{"much", "long"}},
		{"axes of another kind", Question{System: good, Kind: KindRun, X: "load=1/s,2/s", Y: "d.work=1ms,2ms"}, []string{"x", "y"}, nil},
		{"axes of a kind that is not there", Question{System: good, Kind: "mapp", X: "load", Y: "d.work=1ms,2ms"}, []string{"kind", "x"}, nil},
		{"too many cells and a number", Question{System: good, Kind: KindMap, X: "load=1/s..9/s:400", Y: "d.work=1ms..9ms:400", Seeds: -1}, []string{"seeds", "x"}, nil},
		{"numbers", Question{System: good, Kind: KindJudge, Seeds: -1, Limit: 3, Windows: -2}, []string{"seeds", "limit", "windows"}, nil},
		{"settings", Question{System: good, Set: []string{"a", "load=9/s", "=3", "d.wrk=1"}}, []string{"set", "set"}, []string{"parts.d.wrk"}},
		{"a variant, a number and the file", Question{System: good + "  e: {kind: sever}\n", Variant: "other", Seeds: -1}, []string{"seeds"}, []string{"other", "sever"}},
		{"variants and values", Question{System: good, Kind: KindStress, Variant: "a,b", Set: []string{"load=1/s,2/s"}}, []string{"variant", "set"}, []string{`"a"`}},
		{"series and a run that is too large", Question{System: good + "run: {for: 1000h, window: 1h}\n", Set: []string{"load=1000000/s"}, Series: []string{"none"}},
			[]string{"series"}, []string{"million events"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.q, Limits{})
			refusals, problems := Refused(err)
			var params []string
			for _, r := range refusals {
				params = append(params, r.Param)
				if r.Text.En == "" || r.Text.Ko == "" || r.Help.En == "" || r.Help.Ko == "" {
					t.Errorf("the refusal lacks words: %+v", r)
				}
				if !strings.Contains(err.Error(), r.Text.En) {
					t.Errorf("the error does not say %q: %v", r.Text.En, err)
				}
			}
			if got, want := strings.Join(params, " "), strings.Join(c.want, " "); got != want {
				t.Errorf("refused are %q, want %q: %v", got, want, err)
			}
			if len(problems) != len(c.file) {
				t.Errorf("%d problems of the file, want %d: %v", len(problems), len(c.file), problems)
			}
			for _, want := range c.file {
				if !strings.Contains(problems.Error(), want) {
					t.Errorf("no problem says %q: %v", want, problems)
				}
			}
		})
	}
}

// TestRefusedTakesOthersForNothing gives errors that are about no question.
func TestRefusedTakesOthersForNothing(t *testing.T) {
	for _, err := range []error{nil, context.Canceled} {
		if refusals, problems := Refused(err); refusals != nil || problems != nil {
			t.Errorf("%v: %v and %v", err, refusals, problems)
		}
	}
	_, problems := Refused(strictyaml.Problems{{Msg: "one"}})
	if len(problems) != 1 {
		t.Errorf("%v", problems)
	}
	if err := (Question{System: ""}).Wrong(Limits{}); err != nil {
		t.Errorf("a question without a system: %v", err)
	}
}
