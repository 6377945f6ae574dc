package verdict

import (
	"context"
	"fmt"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Map is a phase map: the class of a system over two of its settings.
type Map struct {
	Name    string         `json:"name"`
	Trigger bilingual.Text `json:"trigger"`
	X       Axis           `json:"x"`
	Y       Axis           `json:"y"`
	Cells   [][]Class      `json:"cells"`  // by y, then by x
	Ran     [][]bool       `json:"ran"`    // which cells were run; the others lie between cells of one class
	Judged  int            `json:"judged"` // how many were
	Events  uint64         `json:"events"`
}

// Axis is a setting and the values it takes, in order.
type Axis struct {
	Setting string   `json:"setting"`
	Values  []string `json:"values"`
}

// MaxCells bounds a phase map.
const MaxCells = 10_000

// mapVotes is how many runs judge a cell when they agree; where they do not, all
// seeds are run.
const mapVotes = 4

// PhaseMap judges a system over two settings by one trigger: the scenario's own,
// or the first one that every system is tried with. The file at a pair of values
// comes from at. A cell counts as metastable when most runs tip, and vulnerable
// when some do. Cells between equal ones are not run: a coarse grid is refined
// where the classes of neighbours differ. With an [*Interrupted] the cells that
// are not known are [Unjudged].
func PhaseMap(ctx context.Context, x, y Axis, at func(x, y string) (*scenario.File, error), o Options) (*Map, error) {
	if len(x.Values) == 0 || len(y.Values) == 0 || len(x.Values)*len(y.Values) > MaxCells {
		return nil, fmt.Errorf("a phase map of %d by %d cells: write 1 to %d in all", len(x.Values), len(y.Values), MaxCells)
	}
	if o.Seeds == 0 {
		o.Seeds = 10
	}
	first, err := at(x.Values[0], y.Values[0])
	if err != nil {
		return nil, err
	}
	m := &Map{Name: first.Name, X: x, Y: y, Cells: make([][]Class, len(y.Values))}
	m.Ran = make([][]bool, len(y.Values))
	for i := range m.Cells {
		m.Cells[i], m.Ran[i] = make([]Class, len(x.Values)), make([]bool, len(x.Values))
	}
	g := &grid{m: m, at: at, o: o, r: newRunner(ctx, o)}
	err = g.fill()
	m.Events = g.r.events
	switch n := m.unknown(); {
	case ended(err):
		return m, &Interrupted{err, []bilingual.Text{text("%d of %d cells", "칸 %[2]d개 가운데 %[1]d개", n, len(x.Values)*len(y.Values))}}
	case err != nil:
		return nil, err
	}
	return m, nil
}

// unknown counts the cells without a class.
func (m *Map) unknown() int {
	n := 0
	for _, row := range m.Cells {
		for _, class := range row {
			if class == Unjudged {
				n++
			}
		}
	}
	return n
}

// grid refines a phase map.
type grid struct {
	m  *Map
	at func(x, y string) (*scenario.File, error)
	o  Options
	r  *runner
}

// rect is a rectangle of cells, both corners included.
type rect struct{ x0, y0, x1, y1 int }

func (q rect) corners() [4][2]int {
	return [4][2]int{{q.x0, q.y0}, {q.x1, q.y0}, {q.x0, q.y1}, {q.x1, q.y1}}
}

// coarse is the side of the rectangles that the refinement begins with.
const coarse = 5

// fill judges the corners of rectangles level by level, so that the cells of a
// level can be run at the same time, and splits those whose corners differ.
func (g *grid) fill() error {
	var level []rect
	for y := 0; y < max(len(g.m.Y.Values)-1, 1); y += coarse {
		for x := 0; x < max(len(g.m.X.Values)-1, 1); x += coarse {
			level = append(level, rect{x, y, min(x+coarse, len(g.m.X.Values)-1), min(y+coarse, len(g.m.Y.Values)-1)})
		}
	}
	for len(level) > 0 {
		if err := g.judge(level); err != nil {
			return err
		}
		var next []rect
		for _, q := range level {
			if class, equal := g.equal(q); equal {
				g.paint(q, class)
			} else {
				next = append(next, q.split()...)
			}
		}
		level = next
	}
	return nil
}

// split returns the parts of a rectangle that has cells inside, none otherwise.
func (q rect) split() []rect {
	w, h := q.x1-q.x0, q.y1-q.y0
	if w <= 1 && h <= 1 {
		return nil
	}
	xs, ys := []int{q.x0, q.x1}, []int{q.y0, q.y1}
	if w > 1 {
		xs = []int{q.x0, (q.x0 + q.x1) / 2, q.x1}
	}
	if h > 1 {
		ys = []int{q.y0, (q.y0 + q.y1) / 2, q.y1}
	}
	var all []rect
	for i := 1; i < len(ys); i++ {
		for k := 1; k < len(xs); k++ {
			all = append(all, rect{xs[k-1], ys[i-1], xs[k], ys[i]})
		}
	}
	return all
}

func (g *grid) equal(q rect) (Class, bool) {
	c := q.corners()
	first := g.m.Cells[c[0][1]][c[0][0]]
	for _, at := range c[1:] {
		if g.m.Cells[at[1]][at[0]] != first {
			return "", false
		}
	}
	return first, true
}

func (g *grid) paint(q rect, class Class) {
	for y := q.y0; y <= q.y1; y++ {
		for x := q.x0; x <= q.x1; x++ {
			if g.m.Cells[y][x] == "" {
				g.m.Cells[y][x] = class
			}
		}
	}
}

// judge runs the corners of rectangles that were not run yet.
func (g *grid) judge(level []rect) error {
	var cells [][2]int
	seen := map[[2]int]bool{}
	for _, q := range level {
		for _, at := range q.corners() {
			if g.m.Cells[at[1]][at[0]] == "" && !seen[at] {
				seen[at] = true
				cells = append(cells, at)
			}
		}
	}
	classes, names := make([]Class, len(cells)), make([]bilingual.Text, len(cells))
	err := g.r.each(text("cells of the map", "지도의 칸"), len(cells), func(ctx context.Context, i int) (uint64, error) {
		x, y := g.m.X.Values[cells[i][0]], g.m.Y.Values[cells[i][1]]
		key := fmt.Sprintf("cell %d %d", cells[i][0], cells[i][1])
		var found cellFound
		if !g.r.load(key, &found) {
			f, err := g.at(x, y)
			if err != nil {
				return 0, err
			}
			if found.Class, found.Trigger, found.Events, err = g.cell(ctx, f); err != nil {
				return found.Events, fmt.Errorf("at %s=%s and %s=%s: %w", g.m.X.Setting, x, g.m.Y.Setting, y, err)
			}
			if err := g.r.store(key, found); err != nil {
				return found.Events, err
			}
		}
		classes[i], names[i] = found.Class, found.Trigger
		return found.Events, nil
	})
	for i, at := range cells {
		g.m.Cells[at[1]][at[0]], g.m.Ran[at[1]][at[0]] = classes[i], classes[i] != Unjudged
		if g.m.Trigger.IsZero() {
			g.m.Trigger = names[i]
		}
	}
	for _, class := range classes {
		if class != Unjudged {
			g.m.Judged++
		}
	}
	return err
}

// cellFound is what a memo keeps of a cell.
type cellFound struct {
	Class   Class          `json:"class"`
	Trigger bilingual.Text `json:"trigger"`
	Events  uint64         `json:"events"`
}

// cell judges one system by one trigger. It runs on one processor: the cells are
// what is run at the same time.
func (g *grid) cell(ctx context.Context, f *scenario.File) (Class, bilingual.Text, uint64, error) {
	p, err := newProtocol(f, g.o)
	if err != nil {
		return "", bilingual.Text{}, 0, err
	}
	triggers := p.triggers()
	if len(triggers) == 0 {
		return "", bilingual.Text{}, 0, &Unfit{text("there is no trigger to try: the file has none, and no part has one",
			"시험할 촉발 요인이 없다. 파일에도 없고 어느 부품에도 없다")}
	}
	t := triggers[0]
	r := newRunner(ctx, Options{Workers: 1})
	base, err := p.baseline(r, min(mapVotes, g.o.Seeds))
	if err == nil && base.Unhealthy.Share > 0 && base.Unhealthy.Share < 1 && g.o.Seeds > mapVotes {
		base, err = p.baseline(r, g.o.Seeds)
	}
	if err != nil || base.Unhealthy.Share >= 0.5 {
		return Overloaded, t.Name, r.events, err
	}
	trial, err := p.try(r, t, min(mapVotes, g.o.Seeds))
	if err == nil && trial.Tip.Share > 0 && trial.Tip.Share < 1 && g.o.Seeds > mapVotes {
		trial, err = p.try(r, t, g.o.Seeds)
	}
	if err == nil {
		err = r.fault()
	}
	switch {
	case err != nil:
		return "", t.Name, r.events, err
	case 2*trial.Undecided >= trial.Seeds:
		return Undecided, t.Name, r.events, nil
	case trial.Tip.Share >= 0.5:
		return Metastable, t.Name, r.events, nil
	case trial.Tip.Share > 0:
		return Vulnerable, t.Name, r.events, nil
	case trial.During > p.limit:
		return Driven, t.Name, r.events, nil
	}
	return Stable, t.Name, r.events, nil
}
