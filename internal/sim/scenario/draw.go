package scenario

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Panel is a chart of a run.
type Panel struct {
	Title bilingual.Text `json:"title"`
	Unit  Unit           `json:"unit" jsonschema:"count, rate (a second), share or time (in seconds)"`
	// Window is how many seconds a value stands for.
	Window float64 `json:"window" jsonschema:"seconds that a value stands for"`
	Lines  []Drawn `json:"lines"`
}

// Thin returns the panel with at most n values a line, each the mean of some in a
// row; what is left over at the end is dropped.
func (p Panel) Thin(n int) Panel {
	most := 0
	for _, l := range p.Lines {
		most = max(most, len(l.Values))
	}
	if n < 1 || most <= n {
		return p
	}
	group := (most + n - 1) / n
	out := p
	out.Window, out.Lines = float64(p.Window*float64(group)), make([]Drawn, len(p.Lines))
	for i, l := range p.Lines {
		out.Lines[i] = Drawn{l.Name, make(Values, 0, n)}
		for at := 0; at+group <= len(l.Values); at += group {
			out.Lines[i].Values = append(out.Lines[i].Values, l.Values[at:at+group].mean())
		}
	}
	return out
}

// mean is that of the values that are there.
func (v Values) mean() float64 {
	sum, n := 0.0, 0
	for _, x := range v {
		if x == x { // and is a number
			sum, n = sum+x, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// Drawn is a line of a panel.
type Drawn struct {
	Name   bilingual.Text `json:"name"`
	Values Values         `json:"values" jsonschema:"one a window; null where there is none"`
}

// Values are the values of a line, by window. Where there is none, such as a
// share of nothing, it is NaN, and null as JSON.
type Values []float64

// MarshalJSON writes four digits of each value, which is more than a picture
// shows.
func (v Values) MarshalJSON() ([]byte, error) {
	out := make([]*float64, len(v))
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		// Rounding digits, unlike powers of ten, is the same on every machine.
		x, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
		if err != nil {
			return nil, err
		}
		out[i] = &x
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Values) UnmarshalJSON(raw []byte) error {
	var in []*float64
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	*v = make(Values, len(in))
	for i, x := range in {
		(*v)[i] = math.NaN()
		if x != nil {
			(*v)[i] = *x
		}
	}
	return nil
}

// Panels returns the charts of the file for a run of it. A series that the run
// does not have, since a variant has other parts, gives no line.
func (f *File) Panels(r *Result) []Panel {
	byName := map[string]des.Series{}
	for _, s := range r.Series {
		byName[s.Name] = s
	}
	panels := []Panel{}
	for _, c := range f.Page.Charts {
		p := Panel{Title: c.Title.Text, Unit: c.Unit, Window: r.Window, Lines: []Drawn{}}
		for _, l := range c.Lines {
			if values, ok := valuesOf(l.Of, byName, r); ok {
				p.Lines = append(p.Lines, Drawn{l.Name.Text, values})
			}
		}
		panels = append(panels, p)
	}
	return panels
}

// valuesOf returns a metric of a run by window. As everywhere in metrics, what
// counts events is a rate per second.
func valuesOf(m parts.Metric, byName map[string]des.Series, r *Result) (Values, bool) {
	of, per := m.Names()
	top, ok := sumOf(of, byName, r)
	if !ok || len(per) == 0 {
		return top, ok
	}
	bottom, ok := sumOf(per, byName, r)
	if !ok {
		return nil, false
	}
	for i := range top {
		if bottom[i] == 0 {
			top[i] = math.NaN()
			continue
		}
		top[i] /= bottom[i]
	}
	return top, true
}

func sumOf(names []string, byName map[string]des.Series, r *Result) (Values, bool) {
	sum := make(Values, r.Windows)
	for _, name := range names {
		s, ok := byName[name]
		if !ok {
			return nil, false
		}
		per := 1.0
		if s.Unit == "count" {
			per = r.Window
		}
		for i := range min(len(sum), len(s.Values)) {
			sum[i] += s.Values[i] / per
		}
	}
	return sum, true
}
