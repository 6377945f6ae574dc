package web

// A drawing is a timeline to scale. Places on the time axis are percentages of
// its width and heights are pixels, so that it fits a phone and a wide screen
// with letters of the same size; what might collide is set apart as if it were
// narrow. The axis is linear: a long wait looks long.
type drawing struct {
	Height  int
	Label   string // for those who do not see it
	Below   string // what the figures under the axis count
	Zone    string
	Axis    int    // y of the upper axis
	Foot    int    // y of the lower axis
	Clock   []tick // above: round times of day
	Since   []tick // below: round times since the start
	Points  []pointMark
	Band    []segment
	BandY   int
	Lanes   []lane
	Undrawn int // actions without a published clock time
}

type tick struct {
	X, Anchor string
	Date      string // where it changes
	PhoneDate string // where it changes among the ticks that a phone shows
	Text      string // time of day, or time since the start
	Minor     bool   // left out on a phone
	Zero      bool
}

type pointMark struct {
	X, Anchor string
	DX        int
	Y         int
	Label     string
	Kind      string
}

// segment is a period of the service: failing, recovering or healthy.
type segment struct {
	X, W, TextX string
	State       string
	Label       string
	Wide        bool // the label fits on a wide screen only
}

type lane struct {
	X     string
	DX    int
	Y     int
	Name  string
	Marks []mark
}

type mark struct {
	X, W   string // W is the length of a period
	Y      int
	N      int
	TextX  string
	DX     int
	Anchor string
	Kind   string // effect of an action, or observed
	Title  string
}

// ClockY is the baseline of the clock times.
func (d *drawing) ClockY() int { return d.Axis - 7 }

// PastY is the baseline of the times since the start.
func (d *drawing) PastY() int { return d.Foot + 16 }

// UnitY is the baseline of what these times are.
func (d *drawing) UnitY() int { return d.Foot + 34 }

// BandText is the baseline of the words on the band.
func (d *drawing) BandText() int { return d.BandY + 12 }

// Notch is where the short ticks of the clock end.
func (d *drawing) Notch() int { return d.Axis + 5 }

// Top is where the line of a point begins.
func (m *pointMark) Top() int { return m.Y - 10 }

// TextY is the baseline of the number of a mark.
func (m *mark) TextY() int { return m.Y + 4 }
