package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// model is a scenario file that can be run, with the values that were set from
// outside.
type model struct {
	file    *scenario.File
	variant string
	set     []Setting

	name string
	src  []byte

	checks scenario.Checks // of what the file expects; nil where it is not looked at
	fine   *model          // that is looked at, if it is not this one
}

// MaxRuns bounds how many runs are compared at once.
const MaxRuns = 64

// MaxSeeds bounds the runs of each kind.
const MaxSeeds = 10_000

// Read reads a question. What is wrong with its system is an error that holds
// all of it, as [strictyaml.Problems]; what is wrong with the rest of it is a
// [*Refusal].
func Read(q Question, l Limits) (*Study, error) {
	if q.Kind == "" {
		q.Kind = KindRun
	}
	if l.Runs == 0 {
		l.Runs = MaxRuns
	}
	if l.Cells == 0 {
		l.Cells = verdict.MaxCells
	}
	if err := q.check(l); err != nil {
		return nil, err
	}
	s := &Study{q: q, l: l, given: len(q.Set)}
	if err := s.read(); err != nil {
		return nil, err
	}
	if f := s.models[0].file; q.Windows > 0 && int64(f.Run.For) > int64(q.Windows)*int64(f.Run.Window) {
		fine := s.models
		wide := (int64(f.Run.For) + int64(q.Windows) - 1) / int64(q.Windows)
		s.q.Set = append(slices.Clone(q.Set), "run.window="+parts.Duration(wide).String())
		if err := s.read(); err != nil {
			return nil, err
		}
		s.lookAt(fine)
	}
	s.fewer()
	return s, s.bounded()
}

// check refuses what is wrong with a question apart from its system.
func (q Question) check(l Limits) error {
	switch {
	case !q.Kind.Known():
		return unknownKind(q.Kind)
	case q.Seeds < 0 || q.Seeds > MaxSeeds:
		return refuse("seeds", bilingual.Text{En: "%d seeds", Ko: "시드가 %d개다"},
			bilingual.Text{En: fmt.Sprintf("give 1 to %d", MaxSeeds), Ko: fmt.Sprintf("1에서 %d까지 쓴다", MaxSeeds)}, q.Seeds)
	case l.Workers < 0 || l.Workers > 1024:
		return refuse("workers", bilingual.Text{En: "%d workers", Ko: "워커가 %d개다"},
			bilingual.Text{En: "give 1 to 1024, or none for all processors", Ko: "1에서 1024까지 쓴다. 쓰지 않으면 모든 프로세서를 쓴다"}, l.Workers)
	case q.Limit < 0 || q.Limit >= 1 || math.IsNaN(q.Limit):
		return refuse("limit", bilingual.Text{En: "the limit %v is no share of errors", Ko: "limit %v은(는) 오류 비율이 아니다"},
			bilingual.Text{En: "give a share below 1, such as 0.01", Ko: "0.01처럼 1보다 작은 비율을 쓴다"}, q.Limit)
	case q.Windows < 0:
		return refuse("windows", bilingual.Text{En: "%d windows", Ko: "구간이 %d개다"},
			bilingual.Text{En: "give at least 1", Ko: "1 이상을 쓴다"}, q.Windows)
	case q.Kind != KindMap && (q.X != "" || q.Y != ""):
		return refuse("x", bilingual.Text{En: "a question of kind %s has no axes", Ko: "%s에는 축이 없다"},
			bilingual.Text{En: "ask for a map, or leave them out", Ko: "map으로 묻거나 축을 뺀다"}, q.Kind)
	}
	return nil
}

func unknownKind(k Kind) error {
	var names []string
	for _, known := range Kinds() {
		names = append(names, string(known))
	}
	last := len(names) - 1
	help := bilingual.Text{
		En: "write " + strings.Join(names[:last], ", ") + " or " + names[last],
		Ko: strings.Join(names, ", ") + " 가운데 쓴다",
	}
	if near, ok := nearest.Of(string(k), names); ok {
		help = bilingual.Text{En: fmt.Sprintf("did you mean %q?", near), Ko: fmt.Sprintf("혹시 %q?", near)}
	}
	name := []rune(k)
	return refuse("kind", bilingual.Text{En: "no kind of question is named %q", Ko: "그런 질문이 없다: %q"}, help, string(name[:min(len(name), 80)]))
}

// read decodes the system with each combination of the values that were set.
func (s *Study) read() error {
	variants := s.q.variants()
	if len(variants) > 1 && s.q.Kind != KindRun {
		return refuse("variant", bilingual.Text{En: "%d variants are named where one is wanted", Ko: "변형 하나가 필요한 곳에 %d개를 적었다"}, bilingual.Text{
			En: "name one here; `precedent run` compares several", Ko: "하나만 적는다. 여럿은 `precedent run`이 비교한다"}, len(variants))
	}
	if len(variants) > s.l.Runs {
		return refuse("variant", bilingual.Text{En: "%d variants are more than are compared here", Ko: "변형 %d개는 여기서 비교하기에 너무 많다"},
			bilingual.Text{En: fmt.Sprintf("keep it to %d", s.l.Runs), Ko: fmt.Sprintf("%d개까지 준다", s.l.Runs)}, len(variants))
	}
	combinations, err := s.q.combinations(s.l.Runs / len(variants))
	if err != nil {
		return err
	}
	if len(combinations) > 1 && s.q.Kind != KindRun {
		return refuse("set", bilingual.Text{En: "%d values are set where one is wanted", Ko: "값 하나가 필요한 곳에 %d개를 주었다"}, bilingual.Text{
			En: "give one value here; `precedent run` compares several, and `precedent map` draws them",
			Ko: "값을 하나만 준다. 여럿은 `precedent run`이 비교하고 `precedent map`이 그린다"}, len(combinations))
	}
	s.models = nil
	var all strictyaml.Problems
	for _, variant := range variants {
		for _, settings := range combinations {
			m, problems := readModel(s.q.called(), []byte(s.q.System), variant, append(s.q.small(), settings...))
			if len(problems.Errors()) == 0 && !s.wide() {
				problems = append(problems, m.prepare(s.l.Prepare)...)
			}
			s.models = append(s.models, m)
			for _, one := range problems {
				if !slices.Contains(all, one) {
					all = append(all, one)
				}
			}
		}
	}
	if len(all.Errors()) > 0 {
		if m := s.models[0]; s.q.Kind == KindRun && readable(all) && m.graph().Endless == "" {
			if large := (strictyaml.Problems)(nil); errors.As(m.bounded(s.l), &large) {
				all = append(all, large...)
			}
		}
		return all.Bound()
	}
	all = all.Bound()
	s.warnings = all
	return nil
}

// variants returns the variants that a question names; one without a name where
// it names none.
func (q Question) variants() []string {
	var all []string
	for name := range strings.SplitSeq(q.Variant, ",") {
		all = append(all, strings.TrimSpace(name))
	}
	return all
}

// combinations returns the settings of each run: where one has several values,
// separated by commas, each of them with each of the others'.
func (q Question) combinations(most int) ([][]Setting, error) {
	all := [][]Setting{nil}
	for _, one := range q.Set {
		path, values, ok := strings.Cut(one, "=")
		if path = strings.TrimSpace(path); !ok || path == "" || values == "" {
			return nil, refuse("set", bilingual.Text{En: "%q sets nothing", Ko: "%q은(는) 아무것도 정하지 않는다"},
				bilingual.Text{En: "write it as path=value, such as db.workers=8", Ko: "db.workers=8처럼 경로=값으로 쓴다"}, one)
		}
		var next [][]Setting
		for _, before := range all {
			for value := range strings.SplitSeq(values, ",") {
				next = append(next, append(slices.Clone(before), Setting{path, strings.TrimSpace(value)}))
			}
			if len(next) > max(most, 1) {
				return nil, refuse("set", bilingual.Text{En: "%q makes more combinations of values than are compared here", Ko: "%q까지 합치면 값의 조합이 너무 많다"},
					bilingual.Text{En: fmt.Sprintf("keep it to %d", most), Ko: fmt.Sprintf("%d개까지 준다", most)}, one)
			}
		}
		all = next
	}
	return all, nil
}

func readModel(name string, src []byte, variant string, set []Setting) (*model, strictyaml.Problems) {
	m := &model{name: name, src: src, variant: variant, set: set}
	f, problems := scenario.DecodeVariant(name, src, variant, m.outside())
	m.file = f
	return m, problems
}

// with returns the model with further values set.
func (m *model) with(set ...Setting) (*model, error) {
	next, problems := readModel(m.name, m.src, m.variant, append(slices.Clone(m.set), set...))
	if wrong := problems.Errors(); len(wrong) > 0 {
		return nil, wrong
	}
	return next, nil
}

// settings returns what the variant sets and what was set from outside, with
// whole paths.
func (m *model) settings() []strictyaml.Setting {
	return append(m.file.VariantSettings(), m.outside()...)
}

// outside returns what was set from outside, with whole paths.
func (m *model) outside() []strictyaml.Setting {
	all := make([]strictyaml.Setting, len(m.set))
	for i, s := range m.set {
		all[i] = strictyaml.Setting(s)
	}
	return scenario.Absolute(all)
}

// graph returns what flows through the system.
func (m *model) graph() *system.Graph { return m.file.Parts.Graph() }

// problem returns an error about a field of the file.
func (m *model) problem(rule, path, msg, help string) error {
	doc, _ := strictyaml.DecodeSet(m.name, m.src, new(scenario.File), m.settings())
	return strictyaml.Problems{doc.Problem(strictyaml.Error, rule, path, msg, help)}
}

// bounded refuses questions whose answers would take too long, before anything
// runs.
func (s *Study) bounded() error {
	switch s.q.Kind {
	case KindRun:
		for _, m := range s.models {
			if err := m.bounded(s.l); err != nil {
				return err
			}
		}
	case KindJudge:
		if s.q.Course {
			if err := s.models[0].bounded(s.l); err != nil {
				return err
			}
		}
		return s.models[0].judgeable(s.judgeRuns())
	case KindStress:
		return s.models[0].judgeable(s.models[0].triggers() * stressSteps * 5)
	case KindRemedies:
		return s.models[0].judgeable(30 * s.seeds(5))
	case KindMap:
		return s.boundedMap()
	case KindExplore:
		return s.readOrders()
	}
	return nil
}

// seeds returns the number of seeds that was asked for, or another one.
func (s *Study) seeds(otherwise int) int {
	if s.q.Seeds > 0 {
		return s.q.Seeds
	}
	return otherwise
}

// bounded refuses a run that would take too many events or windows.
func (m *model) bounded(l Limits) error {
	g, r := m.graph(), m.file.Run
	if g.Endless != "" {
		return m.endless(g)
	}
	var windows, events error
	if n := int64(r.For) / max(int64(r.Window), 1); l.Windows > 0 && n > int64(l.Windows) {
		windows = m.problem("too-many", "run.window", fmt.Sprintf("the run has %d windows of %v, and %d is the most here", n, r.Window, l.Windows),
			"make them wider in run.window, or run it on your own machine")
	}
	if n := g.Events(r.For.Time()); n > scenario.MaxEvents {
		longest := des.FromSeconds(r.For.Time().Seconds() / (n / scenario.MaxEvents))
		help := "scale the rates down together with the workers"
		if longest >= des.Second {
			help = fmt.Sprintf("run for %v at most, or %s", parts.Duration(longest), help)
		}
		events = m.problem("too-large", "run.for", fmt.Sprintf("%v of this system are about %s events, and a run may have %s",
			r.For, Magnitude(n), Magnitude(scenario.MaxEvents)), help)
	}
	return bothProblems(windows, events)
}

// bothProblems returns the problems of two errors, each of which may be nil.
func bothProblems(a, b error) error {
	var first, second strictyaml.Problems
	if !errors.As(a, &first) {
		return b
	}
	if !errors.As(b, &second) {
		return a
	}
	return append(first, second...)
}

// readable reports whether what a run takes could be read, whatever else is wrong
// with a file: its parts, their parameters, and how long it runs.
func readable(all strictyaml.Problems) bool {
	return !slices.ContainsFunc(all, func(p strictyaml.Problem) bool {
		if p.Level != strictyaml.Error || p.Rule == "impossible" || p.Rule == "unknown-field" {
			return false
		}
		switch first, _, _ := strings.Cut(p.Field, "."); first {
		case "", "parts", "parameters", "run":
			return true
		}
		return false
	})
}

func (m *model) endless(g *system.Graph) error {
	return m.problem("too-large", "parts."+g.Endless, fmt.Sprintf("calls come back to %q, and each makes new ones: their number grows without end", g.Endless),
		"let the calls end at a part that makes none")
}

// maxJudgedEvents bounds what one answer may be expected to take, in events:
// about an hour on one processor.
const maxJudgedEvents = 2e10

// judgeable refuses a judgment that would take too many events: so many runs of
// so many time constants.
func (m *model) judgeable(runs int) error {
	g := m.graph()
	if g.Endless != "" {
		return m.endless(g)
	}
	net := m.net()
	const taus, requests = 16, 9 * 300 // of a run that comes back at once
	span := float64(taus * net.Slowest().Seconds())
	if rate := net.OfferedRate(); rate > 0 {
		span = max(span, requests/rate)
	}
	events := float64(g.Events(des.FromSeconds(min(span, 1e9))) * float64(runs))
	if events > maxJudgedEvents {
		return m.problem("too-large", "parts", fmt.Sprintf("%d runs of %s each are about %s events, and all may have %s",
			runs, parts.Duration(des.FromSeconds(math.Ceil(span))), Magnitude(events), Magnitude(maxJudgedEvents)),
			"scale the rates down together with the workers, shorten the longest timeouts, or give fewer --seeds")
	}
	return nil
}

// net returns the system as it would run, to be asked and not to be run.
func (m *model) net() *parts.Net {
	return parts.Build(m.file.Parts.Build(), parts.Options{Window: des.Second})
}

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
