package study

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// EdgeFound is where a file begins to tip along one of its settings, beside what
// its formula says.
type EdgeFound struct {
	Name    bilingual.Text `json:"name"`
	Variant string         `json:"variant,omitempty" jsonschema:"variant whose edge it is; absent for the file as it is"`
	Setting string         `json:"setting"`
	// Below and Above are neighbouring values of which the system tips at one, with
	// half of the seeds or more, and does not at the other.
	Below    string  `json:"below,omitempty" jsonschema:"value just below the simulated edge; absent where none lies along the values"`
	Above    string  `json:"above,omitempty" jsonschema:"value just above it"`
	Upwards  bool    `json:"upwards" jsonschema:"the system tips above the edge; else below it"`
	Formula  float64 `json:"formula" jsonschema:"value that the formula gives; a rate a second, a time in seconds"`
	Foretold string  `json:"foretold" jsonschema:"the same as the setting is written"`
	Within   float64 `json:"within" jsonschema:"share by which the two may differ"`
	Agrees   bool    `json:"agrees" jsonschema:"they do not differ by more"`
	Seeds    int     `json:"seeds" jsonschema:"runs at each value that was tried"`
	Tried    int     `json:"tried" jsonschema:"values that were tried"`
}

// Label names the setting, and the variant where it is of one.
func (e *EdgeFound) Label() string {
	if e.Variant == "" {
		return e.Setting
	}
	return e.Setting + " of " + e.Variant
}

// FindEdges runs a file, or the variant that an edge names, along the settings of the edges that its page names, and
// halves the values between which each lies until two neighbours are left. The
// limits must make expectations ready.
func FindEdges(ctx context.Context, q Question, l Limits) ([]EdgeFound, error) {
	s, err := Read(q, l)
	if err != nil {
		return nil, err
	}
	all := []EdgeFound{}
	for i, e := range s.models[0].file.Page.Edges {
		axis, err := parseAxis(fmt.Sprintf("page.edges[%d].along", i), e.Along)
		if err != nil {
			return nil, err
		}
		of := s
		if e.Variant != "" {
			q.Variant = e.Variant
			if of, err = Read(q, l); err != nil {
				return nil, err
			}
		}
		found, err := of.findEdge(ctx, i, &e, axis)
		if err != nil {
			return nil, fmt.Errorf("the edge along %s: %w", axis.Setting, err)
		}
		all = append(all, *found)
	}
	return all, nil
}

// findEdge bisects along an axis.
func (s *Study) findEdge(ctx context.Context, at int, e *scenario.Edge, axis verdict.Axis) (*EdgeFound, error) {
	m, last := s.models[0], len(axis.Values)-1
	formula, err := m.checks.Formula(at)
	if err != nil {
		return nil, err
	}
	out := &EdgeFound{
		Name: e.Name.Text, Variant: e.Variant, Setting: axis.Setting, Formula: formula, Foretold: written(formula, axis.Values[0]),
		Within: float64(e.Within), Seeds: max(int(m.file.Run.Seeds), 1),
	}
	if s.q.Seeds > 0 {
		out.Seeds = s.q.Seeds
	}
	tips := func(k int) (bool, error) {
		out.Tried++
		return s.tips(ctx, at, Setting{axis.Setting, axis.Values[k]}, out.Seeds)
	}
	first, err := tips(0)
	if err != nil {
		return nil, err
	}
	if out.Upwards, err = tips(last); err != nil {
		return nil, err
	}
	low, high := 0, last
	if first == out.Upwards {
		return out, nil // no edge lies between them
	}
	for high-low > 1 {
		mid := (low + high) / 2
		tipped, err := tips(mid)
		if err != nil {
			return nil, err
		}
		if tipped == first {
			low = mid
		} else {
			high = mid
		}
	}
	out.Below, out.Above = axis.Values[low], axis.Values[high]
	out.Agrees = near(formula, out.Within, out.Below, out.Above)
	return out, nil
}

// near reports whether a number lies between two values, or is no further from
// them than a share of itself.
func near(x, share float64, below, above string) bool {
	a, errA := amount(below)
	b, errB := amount(above)
	tolerance := float64(share * math.Abs(x))
	return errA == nil && errB == nil && x >= min(a, b)-tolerance && x <= max(a, b)+tolerance
}

// tips reports whether half of the seeds or more tip at a value.
func (s *Study) tips(ctx context.Context, at int, set Setting, seeds int) (bool, error) {
	m, err := s.models[0].with(set)
	if err != nil {
		return false, err
	}
	if problems := m.prepare(s.l.Prepare); len(problems.Errors()) > 0 {
		return false, problems.Errors()
	}
	if err := m.bounded(s.l); err != nil {
		return false, err
	}
	tipped, errs := make([]bool, seeds), make([]error, seeds)
	one := func(k int) {
		tipped[k], errs[k] = m.tipped(ctx, at, m.seed(s.q.Seed)+uint64(k), s.l)
	}
	if s.l.Workers == 1 {
		for k := range seeds {
			one(k)
		}
	} else {
		parallel.Each(seeds, one)
	}
	n := 0
	for k, err := range errs {
		if err != nil {
			return false, err
		}
		if tipped[k] {
			n++
		}
	}
	return 2*n >= seeds, nil
}

// tipped reports whether a run has passed an edge. It runs until that is told.
func (m *model) tipped(ctx context.Context, at int, seed uint64, l Limits) (bool, error) {
	r, err := m.run(ctx, seed, m.checks.TippedBy(at), l)
	if err != nil {
		return false, err
	}
	return m.checks.Tipped(at, r.Result)
}

// amount reads a value as expectations read parameters: a rate is one a second,
// and a span of time is in seconds.
func amount(text string) (float64, error) {
	var level parts.Level
	if err := level.UnmarshalText([]byte(text)); err == nil {
		return float64(level), nil
	}
	var count parts.Count
	err := count.UnmarshalText([]byte(text))
	return float64(count), err
}

// written writes a number as a value is written: with its unit.
func written(x float64, as string) string {
	var d parts.Duration
	switch {
	case strings.HasSuffix(as, "/s"):
		return short(x) + "/s"
	case strings.HasSuffix(as, "%"):
		return short(float64(100*x)) + "%"
	case strings.HasSuffix(as, "x"):
		return short(x) + "x"
	case d.UnmarshalText([]byte(as)) == nil && as != "0":
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return short(x)
		}
		step := des.Millisecond
		if x >= 10 {
			step = des.Second / 10
		}
		return parts.Duration(des.FromSeconds(x) / step * step).String()
	}
	return short(x)
}

// short writes three digits, and whole numbers whole.
func short(x float64) string {
	if math.Abs(x) >= 1000 {
		return strconv.FormatFloat(math.Floor(x+0.5), 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
