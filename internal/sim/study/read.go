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

// Read reads a question. The error tells all at once that keeps it from being
// answered: what is wrong with its system, as [strictyaml.Problems], and with the
// rest of it, each as a [*Refusal]. [Refused] takes it apart.
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
	s := &Study{q: q, l: l, given: len(q.Set)}
	variants, combinations, wrong := s.plan()
	if err := s.read(variants, combinations); err != nil {
		return nil, whole(append(wrong, err))
	}
	if f := s.models[0].file; q.Windows > 0 && int64(f.Run.For) > int64(q.Windows)*int64(f.Run.Window) {
		fine := s.models
		wide := (int64(f.Run.For) + int64(q.Windows) - 1) / int64(q.Windows)
		set := "run.window=" + parts.Duration(wide).String()
		s.q.Set = append(slices.Clone(q.Set), set)
		for i, one := range combinations {
			combinations[i] = append(slices.Clone(one), settingOf(set))
		}
		if err := s.read(variants, combinations); err != nil {
			return nil, whole(append(wrong, err))
		}
		s.lookAt(fine)
	}
	if s.models[0].graph().Endless == "" {
		wrong = append(wrong, s.unmatched(), s.chosen())
	}
	if wrong = kept(wrong); len(wrong) > 0 && q.Kind != KindRun { // how long another takes depends on what is wrong
		return nil, whole(wrong)
	}
	s.fewer()
	if err := s.bounded(); err != nil || len(wrong) > 0 {
		return nil, whole(append(wrong, err))
	}
	return s, nil
}

// Wrong returns all that is wrong with a question apart from its system, for who
// has no system to show.
func (q Question) Wrong(l Limits) error {
	_, err := Read(q, l)
	refusals, _ := Refused(err)
	var all []error
	for _, r := range refusals {
		all = append(all, r)
	}
	return whole(all)
}

// plan returns the variants that are read, with each combination of the values
// that were set, and all that is wrong with the question apart from its system.
// What is wrong is left out of what is read.
func (s *Study) plan() (variants []string, combinations [][]Setting, wrong []error) {
	wrong = s.q.check(s.l)
	variants = s.q.variants()
	switch n := len(variants); {
	case n > 1 && s.q.Kind != KindRun:
		wrong = append(wrong, refuse("variant", bilingual.Text{En: "%d variants are named where one is wanted", Ko: "변형 하나가 필요한 곳에 %d개를 적었다"}, bilingual.Text{
			En: "name one here; `precedent run` compares several", Ko: "하나만 적는다. 여럿은 `precedent run`이 비교한다"}, n))
		variants = variants[:1]
	case n > s.l.Runs:
		wrong = append(wrong, refuse("variant", bilingual.Text{En: "%d variants are more than are compared here", Ko: "변형 %d개는 여기서 비교하기에 너무 많다"},
			bilingual.Text{En: fmt.Sprintf("keep it to %d", s.l.Runs), Ko: fmt.Sprintf("%d개까지 준다", s.l.Runs)}, n))
		variants = variants[:1]
	}
	combinations, unset := s.q.combinations(s.l.Runs / len(variants))
	wrong = append(wrong, unset...)
	if n := len(combinations); n > 1 && s.q.Kind != KindRun && s.q.Kind.Known() {
		wrong = append(wrong, refuse("set", bilingual.Text{En: "%d values are set where one is wanted", Ko: "값 하나가 필요한 곳에 %d개를 주었다"}, bilingual.Text{
			En: "give one value here; `precedent run` compares several, and `precedent map` draws them",
			Ko: "값을 하나만 준다. 여럿은 `precedent run`이 비교하고 `precedent map`이 그린다"}, n))
		combinations = combinations[:1]
	}
	return variants, combinations, append(wrong, s.axes()...)
}

// check refuses what is wrong with the numbers and the kind of a question.
func (q Question) check(l Limits) []error {
	var all []error
	bad := func(is bool, param, en, ko, helpEn, helpKo string, value any) {
		if is {
			all = append(all, refuse(param, bilingual.Text{En: en, Ko: ko}, bilingual.Text{En: helpEn, Ko: helpKo}, value))
		}
	}
	if !q.Kind.Known() {
		all = append(all, unknownKind(q.Kind))
	}
	bad(q.Seeds < 0 || q.Seeds > MaxSeeds, "seeds", "%d seeds", "시드가 %d개다",
		fmt.Sprintf("give 1 to %d", MaxSeeds), fmt.Sprintf("1에서 %d까지 쓴다", MaxSeeds), q.Seeds)
	bad(l.Workers < 0 || l.Workers > 1024, "workers", "%d workers", "워커가 %d개다",
		"give 1 to 1024, or none for all processors", "1에서 1024까지 쓴다. 쓰지 않으면 모든 프로세서를 쓴다", l.Workers)
	bad(q.Limit < 0 || q.Limit >= 1 || math.IsNaN(q.Limit), "limit", "the limit %v is no share of errors", "오류 비율이 아니다: limit %v",
		"give a share below 1, such as 0.01", "0.01처럼 1보다 작은 비율을 쓴다", q.Limit)
	bad(q.Windows < 0, "windows", "%d windows", "구간이 %d개다", "give at least 1", "1 이상을 쓴다", q.Windows)
	for _, axis := range [][2]string{{"x", q.X}, {"y", q.Y}} {
		bad(axis[1] != "" && q.Kind != KindMap && q.Kind.Known(), axis[0], "a question of kind %s has no axes", "%s에는 축이 없다",
			"ask for a map, or leave them out", "map으로 묻거나 축을 뺀다", q.Kind)
	}
	return all
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

// read decodes the system with each variant and each combination of the values
// that were set.
func (s *Study) read(variants []string, combinations [][]Setting) error {
	s.models = nil
	var all strictyaml.Problems
	for _, variant := range variants {
		for _, settings := range combinations {
			m, problems := readModel(s.q.called(), []byte(s.q.System), variant, append(s.q.small(), settings...))
			if len(problems.Errors()) == 0 && !s.wide() {
				problems = append(problems, m.prepare(s.l.Prepare)...)
			}
			s.models = append(s.models, m)
			all = joined(all, problems)
		}
	}
	all = joined(all, s.alongAxes())
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

// joined returns all problems of two lists, each once.
func joined(all, more strictyaml.Problems) strictyaml.Problems {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
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
// separated by commas, each of them with each of the others'. With what is wrong
// come those that are right.
func (q Question) combinations(most int) ([][]Setting, []error) {
	all := [][]Setting{nil}
	var wrong []error
	for _, one := range q.Set {
		set := settingOf(one)
		if set.Path == "" || set.Value == "" {
			wrong = append(wrong, refuse("set", bilingual.Text{En: "%q sets nothing", Ko: "정하는 것이 없다: %q"},
				bilingual.Text{En: "write it as path=value, such as db.workers=8", Ko: "db.workers=8처럼 경로=값으로 쓴다"}, one))
			continue
		}
		values := strings.Split(set.Value, ",")
		if len(values) > max(most, 1)/len(all) {
			wrong = append(wrong, refuse("set", bilingual.Text{En: "%q makes more combinations of values than are compared here", Ko: "%q까지 합치면 값의 조합이 너무 많다"},
				bilingual.Text{En: fmt.Sprintf("keep it to %d", most), Ko: fmt.Sprintf("%d개까지 준다", most)}, one))
			values = values[:1]
		}
		var next [][]Setting
		for _, before := range all {
			for _, value := range values {
				next = append(next, append(slices.Clone(before), Setting{set.Path, strings.TrimSpace(value)}))
			}
		}
		all = next
	}
	return all, wrong
}

// settingOf reads path=value; what it cannot read has no path or no value.
func settingOf(text string) Setting {
	path, value, _ := strings.Cut(text, "=")
	return Setting{strings.TrimSpace(path), value}
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
		return s.models[0].judgeable(s.triggers() * stressSteps * 5)
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
			r.For, Magnitude(n, bilingual.English), Magnitude(scenario.MaxEvents, bilingual.English)), help)
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
			runs, parts.Duration(des.FromSeconds(math.Ceil(span))), Magnitude(events, bilingual.English), Magnitude(maxJudgedEvents, bilingual.English)),
			"scale the rates down together with the workers, shorten the longest timeouts, or give fewer --seeds")
	}
	return nil
}

// net returns the system as it would run, to be asked and not to be run.
func (m *model) net() *parts.Net {
	return parts.Build(m.file.Parts.Build(), parts.Options{Window: des.Second})
}

// Magnitude writes a large number so that one can read it, with the units of the
// language: Korean counts in ten thousands.
func Magnitude(n float64, l bilingual.Lang) string {
	type unit struct {
		size float64
		name string
	}
	units := []unit{{1e12, " million million"}, {1e9, " thousand million"}, {1e6, " million"}, {1e3, " thousand"}}
	if l == bilingual.Korean {
		units = []unit{{1e12, "조"}, {1e8, "억"}, {1e4, "만"}}
	}
	for _, u := range units {
		switch {
		case n/u.size >= 100:
			return fmt.Sprintf("%.0f%s", n/u.size, u.name)
		case n >= u.size:
			return fmt.Sprintf("%.3g%s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.0f", n)
}
