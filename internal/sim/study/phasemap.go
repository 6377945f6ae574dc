package study

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// PhaseMap is the class of a system over two of its settings, with what formulas
// foretell of each cell.
type PhaseMap struct {
	*verdict.Map
	// Foretold says for each cell, by y and then by x, what formulas say.
	Foretold [][]Foretold `json:"foretold"`
	Exact    bool         `json:"exact"` // the formulas are exact in all cells
	// Edges are those of the file's page that lie along one of the axes.
	Edges []MapEdge `json:"edges,omitempty"`
}

// MapEdge is where a formula of the page of a file says that the system begins to
// tip, over a phase map.
type MapEdge struct {
	Name    bilingual.Text `json:"name"`
	Formula string         `json:"formula"`
	Along   string         `json:"along" jsonschema:"x or y: the axis that the formula gives a value of"`
	// At has a value for each of the other axis.
	At []string `json:"at" jsonschema:"what the formula gives at each value of the other axis"`
	// Places say where that is between the values of its axis.
	Places []float64 `json:"places" jsonschema:"the same as a place among the values of its axis, 0 the first; -1 below and one more than the last above all"`
}

// Foretold is what formulas say of a cell of a phase map.
type Foretold string

// What formulas can say of a cell.
const (
	ForetoldSafe    Foretold = "safe"    // no congestion can keep itself going
	ForetoldRetries Foretold = "retries" // retries can keep a congestion going
	ForetoldLoad    Foretold = "load"    // the load alone is more than can be served
)

// axes reads the axes of a map, and returns what is wrong with them.
func (s *Study) axes() []error {
	if s.q.Kind != KindMap && s.q.Kind.Known() {
		return nil
	}
	var wrong []error
	for _, one := range []struct {
		name, text string
		axis       *verdict.Axis
	}{{"x", s.q.X, &s.x}, {"y", s.q.Y, &s.y}} {
		if s.q.Kind != KindMap && one.text == "" {
			continue // of a kind that is not known
		}
		var err error
		if *one.axis, err = parseAxis(one.name, one.text); err != nil {
			wrong = append(wrong, err)
		}
	}
	if n := len(s.x.Values) * len(s.y.Values); n > s.l.Cells {
		wrong = append(wrong, refuse("x", bilingual.Text{En: "the map has %d cells", Ko: "지도의 칸이 %d개다"},
			bilingual.Text{En: fmt.Sprintf("keep it to %d", s.l.Cells), Ko: fmt.Sprintf("%d칸까지로 줄인다", s.l.Cells)}, n))
		s.x.Values, s.y.Values = s.x.Values[:1], s.y.Values[:1]
	}
	return wrong
}

// alongAxes returns what is wrong with the system at the values of the axes: each
// value is tried once.
func (s *Study) alongAxes() strictyaml.Problems {
	var all strictyaml.Problems
	for i := range max(len(s.x.Values), len(s.y.Values)) {
		var set []Setting
		for _, axis := range []verdict.Axis{s.x, s.y} {
			if n := len(axis.Values); n > 0 {
				set = append(set, Setting{axis.Setting, axis.Values[min(i, n-1)]})
			}
		}
		m := s.models[0]
		_, problems := readModel(m.name, m.src, m.variant, append(slices.Clone(m.set), set...))
		all = joined(all, problems.Errors())
	}
	return all
}

// boundedMap refuses a map that takes too long.
func (s *Study) boundedMap() error {
	nx, ny := len(s.x.Values), len(s.y.Values)
	for _, corner := range [][2]int{{0, 0}, {nx - 1, ny - 1}} {
		m, err := s.cell(corner[0], corner[1])
		if err != nil {
			return err
		}
		if err := m.judgeable(nx * ny * 10 / 2); err != nil { // about half of the cells are run
			return err
		}
	}
	return nil
}

// cell returns the system of a cell.
func (s *Study) cell(x, y int) (*model, error) {
	return s.models[0].with(Setting{s.x.Setting, s.x.Values[x]}, Setting{s.y.Setting, s.y.Values[y]})
}

// phaseMap judges a system over two settings.
func (s *Study) phaseMap(ctx context.Context, a *Answer, progress func(Progress)) error {
	out, err := s.foretell(ctx)
	if err != nil {
		return err
	}
	at := func(x, y string) (*scenario.File, error) {
		m, err := s.models[0].with(Setting{s.x.Setting, x}, Setting{s.y.Setting, y})
		if err != nil {
			return nil, err
		}
		return m.file, nil
	}
	out.Map, err = verdict.PhaseMap(ctx, s.x, s.y, at, s.options(len(s.x.Values)*len(s.y.Values), progress))
	if out.Map == nil {
		return unjudged(err)
	}
	out.Edges = s.pageEdges()
	a.Map = out
	return err
}

// pageEdges returns what the formulas of the file's page say of where it tips, for
// the edges along one of the axes. Where nobody can compute them there are none.
func (s *Study) pageEdges() []MapEdge {
	var all []MapEdge
	for i, e := range s.models[0].file.Page.Edges {
		setting, _, _ := strings.Cut(e.Along, "=")
		one := MapEdge{Name: e.Name.Text, Formula: e.Shown, Along: "x"}
		along, other := s.x, s.y
		switch strings.TrimSpace(setting) {
		case s.x.Setting:
		case s.y.Setting:
			one.Along, along, other = "y", s.y, s.x
		default:
			continue
		}
		if !rising(along.Values) {
			continue
		}
		for _, v := range other.Values {
			x, ok := s.formulaAt(i, Setting{other.Setting, v})
			if !ok {
				return nil
			}
			one.At = append(one.At, written(x, along.Values[0]))
			one.Places = append(one.Places, place(x, along.Values))
		}
		all = append(all, one)
	}
	return all
}

// formulaAt returns what the formula of an edge gives where a setting has a value.
func (s *Study) formulaAt(edge int, set Setting) (float64, bool) {
	m, err := s.models[0].with(set)
	if err != nil {
		return 0, false
	}
	if problems := m.prepare(s.l.Prepare); len(problems.Errors()) > 0 || m.checks == nil {
		return 0, false
	}
	x, err := m.checks.Formula(edge)
	return x, err == nil && !math.IsNaN(x)
}

// rising reports whether each of some amounts is above the one before.
func rising(values []string) bool {
	before := math.Inf(-1)
	for _, v := range values {
		x, err := amount(v)
		if err != nil || x <= before {
			return false
		}
		before = x
	}
	return true
}

// place returns where an amount lies among values, between two neighbours as they
// are apart. Below the first it is -1, above the last their number.
func place(x float64, values []string) float64 {
	before := 0.0
	for i, v := range values {
		here, _ := amount(v)
		switch {
		case x == here:
			return float64(i)
		case x < here && i == 0:
			return -1
		case x < here:
			return float64(i-1) + math.Floor(float64(1000*(x-before))/(here-before)+0.5)/1000
		}
		before = here
	}
	return float64(len(values))
}

// foretell fills in what formulas say of every cell, and finds values that the
// file may not have before anything runs.
func (s *Study) foretell(ctx context.Context) (*PhaseMap, error) {
	out := &PhaseMap{Exact: true}
	for y := range s.y.Values {
		var row []Foretold
		for x := range s.x.Values {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			des.Pace(ctx)
			m, err := s.cell(x, y)
			if err != nil {
				return nil, err
			}
			word := ForetoldSafe
			for _, b := range m.graph().Bounds() {
				edge := b.Rule == system.RuleCapacity || b.Rule == system.RuleRetries
				out.Exact = out.Exact && (!edge || b.Exact)
				switch {
				case b.Holds:
				case b.Rule == system.RuleCapacity:
					word = ForetoldLoad
				case b.Rule == system.RuleRetries && word == ForetoldSafe:
					word = ForetoldRetries
				}
			}
			row = append(row, word)
		}
		out.Foretold = append(out.Foretold, row)
	}
	return out, nil
}

// The numbers of values of an axis.
const (
	axisValues = 11  // of a range that says nothing else
	axisMost   = 500 // at most
)

var quantity = regexp.MustCompile(`^([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)([^0-9]*)$`)

// parseAxis reads an axis of a phase map: a setting and its values, as a list
// (retries=0,1,3) or a range with its unit (load=10/s..60/s). A range may say how
// many values it has and that these are spaced evenly on a logarithmic scale:
// load=10/s..1000/s:12:log. Without a number, whole numbers without a unit are
// taken one by one, and other ranges have eleven values.
func parseAxis(name, s string) (verdict.Axis, error) {
	bad := func(en, ko string, args ...any) (verdict.Axis, error) {
		return verdict.Axis{}, refuse(name, bilingual.Text{En: "the axis %s, %.80q: " + en, Ko: "%s 축을 읽을 수 없다. %.80q: " + ko}, bilingual.Text{
			En: "write it as load=10/s..60/s:12, as load=10/s..1000/s:12:log, or as retries=0,1,3",
			Ko: "load=10/s..60/s:12, load=10/s..1000/s:12:log, 또는 retries=0,1,3처럼 쓴다"}, append([]any{name, s}, args...)...)
	}
	setting, values, ok := strings.Cut(s, "=")
	setting = strings.TrimSpace(setting)
	if !ok || setting == "" || values == "" {
		return bad("it names no setting with values", "값이 있는 설정이 없다")
	}
	axis := verdict.Axis{Setting: setting}
	from, rest, ranged := strings.Cut(values, "..")
	if !ranged {
		for v := range strings.SplitSeq(values, ",") {
			axis.Values = append(axis.Values, strings.TrimSpace(v))
		}
		if len(axis.Values) > axisMost || slices.Contains(axis.Values, "") {
			return bad("it has an empty value, or more than %d", "빈 값이 있거나 값이 %d개보다 많다", axisMost)
		}
		return axis, nil
	}
	words := strings.Split(rest, ":")
	low, high := quantity.FindStringSubmatch(strings.TrimSpace(from)), quantity.FindStringSubmatch(strings.TrimSpace(words[0]))
	if low == nil || high == nil || low[2] != high[2] && low[2] != "" {
		return bad("the range has no two numbers of one unit", "범위가 단위가 같은 두 수가 아니다")
	}
	a, errA := strconv.ParseFloat(low[1], 64)
	b, errB := strconv.ParseFloat(high[1], 64)
	whole := high[2] == "" && !strings.ContainsAny(low[1]+high[1], ".eE")
	n, log := axisValues, false
	if whole && b-a < axisMost {
		n = int(b-a) + 1
	}
	for _, w := range words[1:] {
		if w == "log" {
			log = true
			continue
		}
		var err error
		if n, err = strconv.Atoi(w); err != nil {
			return bad("%.80q is no number of values", "값의 개수가 아니다: %.80q", w)
		}
	}
	if errA != nil || errB != nil || a >= b || n < 2 || n > axisMost || log && a <= 0 {
		return bad("the range does not go up in 2 to %d values", "범위가 값 2~%d개로 커지지 않는다", axisMost)
	}
	axis.Values = spaced(a, b, n, log, whole, high[2])
	return axis, nil
}

// spaced returns values from a to b, without those that rounding makes equal.
func spaced(a, b float64, n int, log, whole bool, unit string) []string {
	var all []string
	for i := range n {
		share := float64(i) / float64(n-1)
		v := a + float64(share*(b-a))
		if log {
			v = float64(a * des.Pow(b/a, share))
		}
		if whole {
			v = math.Floor(v + 0.5)
		}
		text := strconv.FormatFloat(v, 'g', 4, 64)
		if v >= 1e4 || whole {
			text = strconv.FormatFloat(math.Floor(v+0.5), 'f', 0, 64)
		}
		if text += unit; len(all) == 0 || all[len(all)-1] != text {
			all = append(all, text)
		}
	}
	return all
}
