package app

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// PhaseMap is the class of a system over two of its settings, with what formulas
// foretell of each cell.
type PhaseMap struct {
	Version int    `json:"wire_version"`
	Command string `json:"command,omitempty"`
	*verdict.Map
	// Foretold says for each cell, by y and then by x, what formulas say.
	Foretold [][]Foretold `json:"foretold"`
	Exact    bool         `json:"exact"` // the formulas are exact in all cells
}

// Foretold is what formulas say of a cell of a phase map.
type Foretold string

// What formulas can say of a cell.
const (
	ForetoldSafe    Foretold = "safe"    // no congestion can keep itself going
	ForetoldRetries Foretold = "retries" // retries can keep a congestion going
	ForetoldLoad    Foretold = "load"    // the load alone is more than can be served
)

// Map judges a system over two settings, each as path=values: see [ParseAxis].
func (m *Model) Map(ctx context.Context, x, y string, o SimOptions) (*PhaseMap, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	ax, err := ParseAxis("x", x)
	if err != nil {
		return nil, err
	}
	ay, err := ParseAxis("y", y)
	if err != nil {
		return nil, err
	}
	cells := len(ax.Values) * len(ay.Values)
	if cells > verdict.MaxCells {
		return nil, Invalidf("x", fmt.Sprintf("keep it to %d", verdict.MaxCells), "the map has %d cells", cells).
			Korean(fmt.Sprintf("%d칸까지 준다", verdict.MaxCells), "지도의 칸이 %d개다")
	}
	out := &PhaseMap{Version: WireVersion}
	if err := m.foretell(ax, ay, out); err != nil {
		return nil, err
	}
	for _, corner := range [][2]string{{ax.Values[0], ay.Values[0]}, {ax.Values[len(ax.Values)-1], ay.Values[len(ay.Values)-1]}} {
		at, err := m.with(Setting{ax.Setting, corner[0]}, Setting{ay.Setting, corner[1]})
		if err != nil {
			return nil, err
		}
		if err := at.judgeable(cells * 10 / 2); err != nil { // about half of the cells are run
			return nil, err
		}
	}
	at := func(x, y string) (*scenario.File, error) {
		cell, err := m.with(Setting{ax.Setting, x}, Setting{ay.Setting, y})
		if err != nil {
			return nil, err
		}
		return cell.File, nil
	}
	found, err := verdict.PhaseMap(ctx, ax, ay, at, o.verdict(cells))
	if err != nil {
		return nil, unjudged(err)
	}
	out.Map = found
	return out, nil
}

// foretell fills in what formulas say of every cell, and finds values that the
// file may not have before anything runs.
func (m *Model) foretell(x, y verdict.Axis, out *PhaseMap) error {
	out.Exact = true
	for _, vy := range y.Values {
		var row []Foretold
		for _, vx := range x.Values {
			cell, err := m.with(Setting{x.Setting, vx}, Setting{y.Setting, vy})
			if err != nil {
				return err
			}
			word := ForetoldSafe
			for _, b := range cell.Graph().Bounds() {
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
	return nil
}

// The numbers of values of an axis.
const (
	axisValues = 11  // of a range that says nothing else
	axisMost   = 500 // at most
)

var quantity = regexp.MustCompile(`^([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)([^0-9]*)$`)

// ParseAxis reads an axis of a phase map: a setting and its values, as a list
// (retries=0,1,3) or a range with its unit (load=10/s..60/s). A range may say how
// many values it has and that these are spaced evenly on a logarithmic scale:
// load=10/s..1000/s:12:log. Without a number, whole numbers without a unit are
// taken one by one, and other ranges have eleven values.
func ParseAxis(name, s string) (verdict.Axis, error) {
	bad := func(why string) (verdict.Axis, error) {
		return verdict.Axis{}, Invalidf(name, "write it as load=10/s..60/s:12, as load=10/s..1000/s:12:log, or as retries=0,1,3",
			"the axis %q: %s", s, why).
			Korean("load=10/s..60/s:12, load=10/s..1000/s:12:log, 또는 retries=0,1,3처럼 쓴다", "축을 읽을 수 없다: %q (%s)")
	}
	setting, values, ok := strings.Cut(s, "=")
	setting = strings.TrimSpace(setting)
	if !ok || setting == "" || values == "" {
		return bad("it names no setting with values")
	}
	axis := verdict.Axis{Setting: setting}
	from, rest, ranged := strings.Cut(values, "..")
	if !ranged {
		for v := range strings.SplitSeq(values, ",") {
			axis.Values = append(axis.Values, strings.TrimSpace(v))
		}
		if len(axis.Values) > axisMost || slices.Contains(axis.Values, "") {
			return bad(fmt.Sprintf("it has an empty value, or more than %d", axisMost))
		}
		return axis, nil
	}
	words := strings.Split(rest, ":")
	low, high := quantity.FindStringSubmatch(strings.TrimSpace(from)), quantity.FindStringSubmatch(strings.TrimSpace(words[0]))
	if low == nil || high == nil || low[2] != high[2] && low[2] != "" {
		return bad("the range has no two numbers of one unit")
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
			return bad(fmt.Sprintf("%q is no number of values", w))
		}
	}
	if errA != nil || errB != nil || a >= b || n < 2 || n > axisMost || log && a <= 0 {
		return bad(fmt.Sprintf("the range does not go up in 2 to %d values", axisMost))
	}
	axis.Values = spaced(a, b, n, log, whole, high[2])
	return axis, nil
}

// spaced returns values from a to b, without those that rounding makes equal.
func spaced(a, b float64, n int, log, whole bool, unit string) []string {
	var all []string
	for i := range n {
		share := float64(i) / float64(n-1)
		v := a + share*(b-a)
		if log {
			v = a * math.Pow(b/a, share)
		}
		if whole {
			v = math.Round(v)
		}
		text := strconv.FormatFloat(v, 'g', 4, 64)
		if v >= 1e4 || whole {
			text = strconv.FormatFloat(math.Round(v), 'f', 0, 64)
		}
		if text += unit; len(all) == 0 || all[len(all)-1] != text {
			all = append(all, text)
		}
	}
	return all
}
