package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Model is a scenario file that can be run, with the values that were set from
// outside.
type Model struct {
	File     *scenario.File
	Warnings strictyaml.Problems
	Set      []Setting

	name string
	src  []byte
}

// Setting is a value that was set from outside.
type Setting struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// ReadModel reads a scenario file with some values set from outside, each as
// path=value. An error of kind [Findings] holds all that is wrong with the file.
func ReadModel(name string, src []byte, set []string) (*Model, error) {
	all, err := ReadModels(name, src, set)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, Invalidf("set", "give one value here; `precedent run` compares several, and `precedent map` draws them",
			"%d values are set where one is wanted", len(all)).
			Korean("값을 하나만 준다. 여럿은 `precedent run`이 비교하고 `precedent map`이 그린다", "값 하나가 필요한 곳에 %d개를 주었다")
	}
	return all[0], nil
}

// MaxRuns bounds how many runs are compared at once.
const MaxRuns = 64

// ReadModels is ReadModel where a setting may have several values, separated by
// commas: it returns a model for each, and for each pair where two settings have.
func ReadModels(name string, src []byte, set []string) ([]*Model, error) {
	combinations := [][]Setting{nil}
	for _, s := range set {
		path, values, ok := strings.Cut(s, "=")
		if !ok || path == "" || values == "" {
			return nil, Invalidf("set", "write it as path=value, such as db.workers=8", "%q sets nothing", s).
				Korean("db.workers=8처럼 경로=값으로 쓴다", "%q은(는) 아무것도 정하지 않는다")
		}
		var next [][]Setting
		for _, before := range combinations {
			for value := range strings.SplitSeq(values, ",") {
				next = append(next, append(slices.Clone(before), Setting{strings.TrimSpace(path), strings.TrimSpace(value)}))
			}
		}
		if combinations = next; len(combinations) > MaxRuns {
			return nil, Invalidf("set", fmt.Sprintf("keep it to %d", MaxRuns), "%q makes %d combinations of values", s, len(combinations)).
				Korean(fmt.Sprintf("%d개까지 준다", MaxRuns), "%q까지 합치면 값의 조합이 %d개다")
		}
	}
	var all []*Model
	var problems strictyaml.Problems
	for _, settings := range combinations {
		m, found := readModel(name, src, settings)
		for _, one := range found {
			if !slices.Contains(problems, one) {
				problems = append(problems, one)
			}
		}
		all = append(all, m)
	}
	if len(problems) > 0 {
		return nil, findings(problems)
	}
	return all, nil
}

// findings is the error of a file that cannot be run.
func findings(problems strictyaml.Problems) error {
	return &Error{Kind: Findings, Err: fmt.Errorf("reading the scenario:\n%w", problems), Hint: "nothing was run; mend these first"}
}

func readModel(name string, src []byte, set []Setting) (*Model, strictyaml.Problems) {
	m := &Model{name: name, src: src, Set: set}
	f, problems := scenario.Decode(name, src, m.settings())
	m.File = f
	m.Warnings = slices.DeleteFunc(slices.Clone(problems), func(p strictyaml.Problem) bool { return p.Level == strictyaml.Error })
	return m, problems.Errors()
}

// with returns the model with further values set.
func (m *Model) with(set ...Setting) (*Model, error) {
	next, problems := readModel(m.name, m.src, append(slices.Clone(m.Set), set...))
	if len(problems) > 0 {
		return nil, findings(problems)
	}
	return next, nil
}

// settings returns what was set from outside, with whole paths: db.workers is
// that of a part, and load alone the parameter of that name.
func (m *Model) settings() []strictyaml.Setting {
	roots := []string{"parameters", "parts", "run", "changes", "remedies"}
	all := make([]strictyaml.Setting, len(m.Set))
	for i, s := range m.Set {
		first, _, dotted := strings.Cut(s.Path, ".")
		first, _, _ = strings.Cut(first, "[")
		switch {
		case slices.Contains(roots, first):
		case dotted:
			s.Path = "parts." + s.Path
		default:
			s.Path = "parameters." + s.Path + ".value"
		}
		all[i] = strictyaml.Setting(s)
	}
	return all
}

// problem returns a problem of a field of the file, as an error of kind
// [Findings].
func (m *Model) problem(path, msg, help string) error {
	doc, _ := strictyaml.DecodeSet(m.name, m.src, new(scenario.File), m.settings())
	return findings(strictyaml.Problems{doc.Problem(strictyaml.Error, "too-large", path, msg, help)})
}

// bounded refuses a run that would take too many events, before it starts.
func (m *Model) bounded() error {
	g := m.File.Parts.Graph()
	if g.Endless != "" {
		return m.endless(g)
	}
	if events := g.Events(m.File.Run.For.Time()); events > scenario.MaxEvents {
		return m.problem("run.for", fmt.Sprintf("%v of this system are about %s events, and a run may have %s",
			m.File.Run.For, Magnitude(events), Magnitude(scenario.MaxEvents)),
			fmt.Sprintf("run for %v at most, or scale the rates down together with the workers",
				parts.Duration(max(des.FromSeconds(m.File.Run.For.Time().Seconds()*scenario.MaxEvents/events), des.Millisecond))))
	}
	return nil
}

func (m *Model) endless(g *system.Graph) error {
	return m.problem("parts."+g.Endless, fmt.Sprintf("calls come back to %q, and each makes new ones: their number grows without end", g.Endless),
		"let the calls end at a part that makes none")
}

// judgeable refuses a judgment that would take too many events: so many runs of
// so many time constants.
func (m *Model) judgeable(runs int) error {
	g := m.File.Parts.Graph()
	if g.Endless != "" {
		return m.endless(g)
	}
	net := parts.Build(m.File.Parts.Build(), parts.Options{Window: des.Second})
	const taus, requests = 16, 9 * 300 // of a run that comes back at once
	span := float64(taus * net.Slowest().Seconds())
	if rate := net.OfferedRate(); rate > 0 {
		span = max(span, requests/rate)
	}
	events := float64(g.Events(des.FromSeconds(min(span, 1e9))) * float64(runs))
	if events > maxJudgedEvents {
		return m.problem("parts", fmt.Sprintf("%d runs of %s each are about %s events, and all may have %s",
			runs, parts.Duration(des.FromSeconds(math.Ceil(span))), Magnitude(events), Magnitude(maxJudgedEvents)),
			"scale the rates down together with the workers, shorten the longest timeouts, or give fewer --seeds")
	}
	return nil
}

// maxJudgedEvents bounds what one command may be expected to take, in events:
// about an hour on one processor.
const maxJudgedEvents = 2e10

// Magnitude writes a large number so that one can read it.
func Magnitude(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, " million million"}, {1e9, " thousand million"}, {1e6, " million"}, {1e3, " thousand"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.3g%s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0f", n)
}

// SimProgress tells how far a simulation is.
type SimProgress struct {
	Stage  string
	Done   int // runs that have ended
	Total  int // of all stages, 0 where that is not known
	Events uint64
}

// SimOptions say how thoroughly a system is simulated. Zeros ask for defaults.
type SimOptions struct {
	Seeds    int
	Workers  int
	Limit    float64
	Progress func(SimProgress)
}

// MaxSeeds bounds the runs of each kind.
const MaxSeeds = 10_000

func (o SimOptions) check() error {
	switch {
	case o.Seeds < 0 || o.Seeds > MaxSeeds:
		return Invalidf("seeds", fmt.Sprintf("give 1 to %d", MaxSeeds), "%d seeds", o.Seeds).
			Korean(fmt.Sprintf("1에서 %d까지 쓴다", MaxSeeds), "시드가 %d개다")
	case o.Workers < 0 || o.Workers > 1024:
		return Invalidf("workers", "give 1 to 1024, or none for all processors", "%d workers", o.Workers).
			Korean("1에서 1024까지 쓴다. 쓰지 않으면 모든 프로세서를 쓴다", "작업자가 %d개다")
	case o.Limit < 0 || o.Limit >= 1 || math.IsNaN(o.Limit):
		return Invalidf("limit", "give a share below 1, such as 0.01", "the limit %v is no share of errors", o.Limit).
			Korean("0.01처럼 1보다 작은 비율을 쓴다", "limit %v은(는) 오류 비율이 아니다")
	}
	return nil
}

// Interrupted reports whether err says that a simulation was ended from outside,
// so that an answer beside it is what was known by then.
func Interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Graph returns what flows through the system of a model.
func (m *Model) Graph() *system.Graph { return m.File.Parts.Graph() }
