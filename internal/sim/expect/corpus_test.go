package expect

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// The replays take minutes. To run them:
//
//	go test ./internal/sim/expect -run Replays -replays 'IL-0574/*' -v
var (
	replays = flag.String("replays", "", "run the scenarios of the corpus whose file and variant match, such as 'IL-0574/*' or '*'")
	only    = flag.Int("replays-seeds", 0, "seeds to run each with, instead of those of the file")
)

// corpusScenarios returns the scenario files of the corpus by name.
func corpusScenarios(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../../corpus/scenarios/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".yaml")] = src
	}
	return all
}

// TestCorpusScenarios: every scenario of the corpus, and every variant of it, can
// be read and run, and what it expects can be checked.
func TestCorpusScenarios(t *testing.T) {
	for name, src := range corpusScenarios(t) {
		t.Run(name, func(t *testing.T) {
			f, problems := scenario.Decode(name+".yaml", src, nil)
			if len(problems.Errors()) > 0 {
				t.Fatal(problems)
			}
			for _, variant := range append([]string{""}, f.VariantNames()...) {
				_, set := compiledVariant(t, name, src, variant)
				if len(set.Expectations()) == 0 {
					t.Errorf("nothing is expected of the variant %q", variant)
				}
			}
		})
	}
}

// compiledVariant returns a variant of a scenario of the corpus and what it
// expects.
func compiledVariant(t *testing.T, name string, src []byte, variant string) (*scenario.File, *Set) {
	t.Helper()
	f, problems := scenario.DecodeVariant(name+".yaml", src, variant, nil)
	if len(problems.Errors()) > 0 {
		t.Fatalf("the variant %q: %v", variant, problems)
	}
	doc, problems := strictyaml.Decode(name+".yaml", src, new(scenario.File))
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	set, problems := Compile(f, f.Expect, Origin{Doc: doc, Src: src, Path: "expect"})
	if len(problems.Errors()) > 0 {
		t.Fatalf("what the variant %q expects: %v", variant, problems)
	}
	return f, set
}

// TestReplays runs the scenarios of the corpus that -replays names, and holds
// them to what they expect.
func TestReplays(t *testing.T) {
	if *replays == "" {
		t.Skip("takes minutes; choose scenarios with -replays")
	}
	for name, src := range corpusScenarios(t) {
		f, problems := scenario.Decode(name+".yaml", src, nil)
		if len(problems.Errors()) > 0 {
			t.Fatal(problems)
		}
		for _, variant := range append([]string{""}, f.VariantNames()...) {
			whole, _ := filepath.Match(*replays, name)
			if one, _ := filepath.Match(*replays, name+"/"+variant); !one && !whole {
				continue
			}
			t.Run(name+"/"+variant, func(t *testing.T) { replay(t, name, src, variant) })
		}
	}
}

// replay runs a variant with its seeds.
func replay(t *testing.T, name string, src []byte, variant string) {
	f, set := compiledVariant(t, name, src, variant)
	var seen [][]scenario.Seen
	seeds := int(f.Run.Seeds)
	if *only > 0 {
		seeds = *only
	}
	for k := range seeds {
		r, err := f.Simulate(context.Background(), uint64(f.Run.Seed)+uint64(k), des.Budget{})
		if err != nil || !r.End.Finished() {
			t.Fatalf("seed %d ended by %q: %v", r.Seed, r.End, err)
		}
		for _, b := range r.Broken {
			t.Error(b)
		}
		seen = append(seen, set.Check(r))
	}
	for _, o := range scenario.Outcomes(set.Expectations(), seen) {
		for _, s := range o.Seeds {
			var values []string
			for _, v := range s.Values {
				values = append(values, v.Of+" = "+v.Text)
			}
			t.Logf("%s, seed %d: %s", o.Name, s.Seed, strings.Join(values, "; "))
			if !o.Holds && !s.Held {
				t.Errorf("%s does not hold with seed %d: %s", o.Name, s.Seed, s.Why)
			}
		}
	}
}
