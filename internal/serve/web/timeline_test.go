package web

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// noNames names terms by their ids.
type noNames struct{}

func (noNames) Name(_, id string, _ bilingual.Lang) string { return id }

func at(t *testing.T, s string) casefile.Time {
	t.Helper()
	v, err := casefile.ParseTime(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// course makes a case from "kind time" lines.
func timelineOf(t *testing.T, lines ...string) *app.Case {
	t.Helper()
	c := &app.Case{Case: &casefile.Case{ID: "PR-0000"}}
	for _, line := range lines {
		kind, when, _ := strings.Cut(line, " ")
		when, until, _ := strings.Cut(when, " ")
		e := app.Event{Kind: kind, At: when, Until: until}
		if kind == "start" {
			c.Times.Start = &casefile.Instant{At: at(t, when)}
		}
		if kind == "action" {
			e.Effect = "worked"
		}
		c.Timeline = append(c.Timeline, e)
	}
	return c
}

func place0(s string) float64 {
	f, _ := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	return f
}

func TestNoDrawing(t *testing.T) {
	for name, c := range map[string]*app.Case{
		"no events":        timelineOf(t),
		"one event":        timelineOf(t, "start 2024-01-01T10:00Z"),
		"all at one time":  timelineOf(t, "start 2024-01-01T10:00Z", "detected 2024-01-01T10:00Z", "observed 2024-01-01T10:00Z"),
		"within a minute":  timelineOf(t, "start 2024-01-01T10:00:00Z", "resolved 2024-01-01T10:00:30Z"),
		"unreadable times": timelineOf(t, "observed yesterday", "observed today"),
	} {
		if d := timelineDrawing(c, noNames{}, bilingual.English); d != nil {
			t.Errorf("%s: drawn with %d lanes", name, len(d.Lanes))
		}
	}
}

func TestDrawingIsToScale(t *testing.T) {
	d := timelineDrawing(timelineOf(t,
		"start 2024-01-01T10:00+09:00", "detected 2024-01-01T01:30Z", "action 2024-01-01T11:00+09:00",
		"mitigated 2024-01-01T11:30+09:00", "resolved 2024-01-01T12:00+09:00"), noNames{}, bilingual.English)
	if d == nil {
		t.Fatal("not drawn")
	}
	want := map[string]float64{"start": 1, "detected": 25.5, "mitigated": 74.5, "resolved": 99}
	for _, p := range d.Points {
		if got := place0(p.X); got != want[p.Kind] {
			t.Errorf("%s at %v%%, want %v%%", p.Kind, got, want[p.Kind])
		}
	}
	if got := place0(d.Lanes[0].Marks[0].X); got != 50 {
		t.Errorf("the action is at %v%%, want 50%%", got)
	}
	if d.Zone != "UTC+9" {
		t.Errorf("zone %s, want that of the start, UTC+9", d.Zone)
	}
	states := ""
	for _, s := range d.Band {
		states += fmt.Sprintf("%s %s %s;", s.State, s.X, s.W)
	}
	if want := "failing 1.00% 73.50%;recovering 74.50% 24.50%;"; states != want {
		t.Errorf("band %s, want %s", states, want)
	}
}

func TestOpenEndsAreSaid(t *testing.T) {
	d := timelineDrawing(timelineOf(t, "start 2024-01-01T10:00Z", "observed 2024-01-01T12:00Z"), noNames{}, bilingual.English)
	if len(d.Band) != 1 || d.Band[0].State != "open" {
		t.Errorf("band %+v, want one open period", d.Band)
	}
	d = timelineDrawing(timelineOf(t, "observed 2024-01-01T10:00Z", "observed 2024-01-01T12:00Z"), noNames{}, bilingual.English)
	if len(d.Band) != 0 || d.Below != word("after-first", bilingual.English) {
		t.Errorf("without a start: band %+v, axis %q", d.Band, d.Below)
	}
}

// TestManyEvents lays out far more events than any case has, close together
// and over weeks, and looks for marks on top of each other.
func TestManyEvents(t *testing.T) {
	for _, span := range []string{"minutes", "days"} {
		lines := []string{"start 2024-01-01T00:00Z"}
		for i := range 60 {
			when := fmt.Sprintf("2024-01-01T%02d:%02dZ", i/30, i%30)
			if span == "days" {
				when = fmt.Sprintf("2024-01-%02dT%02d:00Z", 1+i/3, i%24)
			}
			lines = append(lines, []string{"observed ", "action "}[i%2]+when)
		}
		d := timelineDrawing(timelineOf(t, append(lines, "resolved 2024-01-30T00:00Z")...), noNames{}, bilingual.Korean)
		if len(d.Clock) > 8 || len(d.Since) > 8 {
			t.Errorf("%s: %d and %d ticks", span, len(d.Clock), len(d.Since))
		}
		for _, l := range d.Lanes {
			seen := map[int]float64{}
			for _, m := range l.Marks {
				if before, ok := seen[m.Y]; ok && place0(m.X)-before < 12/narrow*100 {
					t.Errorf("%s: mark %d lies on the one before it", span, m.N)
				}
				seen[m.Y] = place0(m.X)
				if m.Y > d.Foot {
					t.Errorf("%s: mark %d lies under the axis", span, m.N)
				}
			}
		}
	}
}

// TestLaneNamesKeepClearOfTheZero holds that the line of the zero runs through
// no name.
func TestLaneNamesKeepClearOfTheZero(t *testing.T) {
	for _, before := range []string{"10:00", "09:50", "09:00"} { // a point, and the start at 10:00
		d := timelineDrawing(timelineOf(t, "observed 2024-01-01T"+before+"Z", "start 2024-01-01T10:00Z", "action 2024-01-01T11:00Z"),
			noNames{}, bilingual.English)
		zero := -1.0
		for _, tick := range d.Since {
			if tick.Zero {
				zero = place0(tick.X)
			}
		}
		for _, l := range d.Lanes {
			from := place0(l.X) + float64(l.DX)/narrow*100
			if from < zero && zero < from+width(l.Name)/narrow*100 {
				t.Errorf("first point at %s: the zero at %v%% runs through %q at %s", before, zero, l.Name, l.X)
			}
		}
	}
}

// TestActionsNameTheirNumber holds that an action has the number of its mark.
func TestActionsNameTheirNumber(t *testing.T) {
	page := get(newSite(t), "/cases/IL-0150").Body.String()
	for _, want := range []string{
		`<a class="no" href="#timeline" aria-label="number 11 in the timeline" title="number 11 in the timeline">11</a>`,
		`<li class="action"><span class="no">11</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
