package web

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// topicPage shows all that the library knows under one term.
type topicPage struct {
	frame
	ListName   string
	Heading    text
	Definition text
	Synonyms   []string
	Narrower   []link
	Count      string
	Since      string
	Search     string
	Effects    []effect
	Remedies   []remedyRow
	Strip      *strip
	With       []withTerm
	Years      []yearBar
	Scenarios  []scenarioLink
	Checks     []checkLine
	Lessons    []lesson
	MoreLess   []lesson
	Cases      []brief
	More       string // how many cases there are in all, where not all are listed
}

func (*topicPage) template() string { return "topic" }

// remedyRow is a kind of action with a dot for each of its cases, by effect.
type remedyRow struct {
	Remedy link
	Total  int
	Cells  []remedyCell // in the order of the effects
}

type remedyCell struct {
	Effect effect
	Cases  []dot
	More   int // actions beyond the dots
}

type dot struct{ Href, Label string }

// strip places the durations of the cases on an axis. It is logarithmic, since
// they reach from minutes to weeks, and says so.
type strip struct {
	Marks  []stripMark
	Ticks  []stripTick
	Median string
	At     string // place of the median
	Text   string
	Height int
}

type stripMark struct {
	X     string
	Y     int
	Href  string
	Label string
}

type stripTick struct {
	X, Label, Anchor string
	Minor            bool // left out on a phone
}

type withTerm struct {
	link
	Cases int
	Lift  string
}

type yearBar struct {
	Year  int
	Cases int
	Dots  int
}

type lesson struct {
	Case link
	Text text
}

// bounds of a topic page, which must stay light in a library of any size.
const (
	shownLessons  = 8 // that are not folded away
	foldedLessons = 16
	shownCases    = 24
	shownDots     = 160 // in all cells of the table
	shownYears    = 30
	shownMarks    = 120 // on the strip
	shownPerYear  = 40
)

func (s *site) topic(r *request) (page, error) {
	asked := r.PathValue("list") + "/" + r.PathValue("term")
	t, err := r.app.Topic(asked)
	if err != nil {
		return nil, err
	}
	at := "/topics/" + t.List + "/" + t.Term.ID
	if t.List+"/"+t.Term.ID != asked {
		return nil, &moved{localPath(r.lang, at)}
	}
	p := &topicPage{Heading: read(&t.Term.Name, r.lang), Definition: read(&t.Term.Definition, r.lang), ListName: read(&t.ListName, r.lang).S}
	p.frame = s.newFrame(r, at, p.Heading.S+" · "+p.ListName)
	p.Nav, p.Kind, p.Data, p.Desc = "topics", "topic", at, p.Definition.S
	p.Count, p.Since = count(t.Count, r.lang), isoDate(t.Since, r.lang)
	p.Search = p.U("/search?" + t.List + "=" + t.Term.ID)
	p.Synonyms = t.Term.Synonyms.En
	if r.lang == bilingual.Korean {
		p.Synonyms = t.Term.Synonyms.Ko
	}
	p.Scenarios, p.Checks = p.scenarioLinks(t.Scenarios), p.checkLinks(t.Checks)
	p.fill(t, r)
	return p, nil
}

// findTopic leads from an id, a name or a synonym to the topic, and from a list
// to its place among the topics.
func (s *site) findTopic(r *request) (page, error) {
	name := r.PathValue("term")
	if slices.Contains(app.TopicLists(), name) {
		return nil, &moved{localPath(r.lang, "/topics#"+name)}
	}
	t, err := r.app.Topic(name)
	if err != nil {
		return nil, err
	}
	return nil, &moved{localPath(r.lang, "/topics/"+t.List+"/"+t.Term.ID)}
}

func (p *topicPage) fill(t *app.Topic, r *request) {
	for _, n := range t.Narrower {
		p.Narrower = append(p.Narrower, termLink(n, p.Lang))
	}
	for _, e := range effects(r.app, p.Lang) {
		if slices.ContainsFunc(t.Remedies, func(m app.Remedy) bool { return len(m.Effects[e.ID]) > 0 }) {
			p.Effects = append(p.Effects, e)
		}
	}
	titles := map[string]string{}
	for _, c := range t.Cases {
		b := newBrief(c, p.Lang)
		if len(p.Cases) < shownCases {
			p.Cases = append(p.Cases, b)
		}
		titles[b.ID] = b.Org + ", " + b.Date
	}
	if len(t.Cases) > shownCases {
		p.More = fmt.Sprintf(word("all-of", p.Lang), count(t.Count, p.Lang))
	}
	p.remedies(t, titles)
	p.Strip = newStrip(t.Durations, titles, p.Lang)
	for _, w := range t.With {
		p.With = append(p.With, withTerm{termLink(w.TermRef, p.Lang), w.Cases, fmt.Sprintf("×%.1f", w.Lift)})
	}
	p.Years = yearBars(t.Years)
	for i, l := range t.Lessons {
		one := lesson{link{p.U("/cases/" + l.ID), l.ID}, read(&l.Text, p.Lang)}
		switch {
		case i < shownLessons:
			p.Lessons = append(p.Lessons, one)
		case i < shownLessons+foldedLessons:
			p.MoreLess = append(p.MoreLess, one)
		}
	}
}

func (p *topicPage) remedies(t *app.Topic, titles map[string]string) {
	most := dotsPerCell(t.Remedies)
	for _, m := range t.Remedies {
		row := remedyRow{Remedy: termLink(m.TermRef, p.Lang), Total: m.Total}
		for _, e := range p.Effects {
			ids := m.Effects[e.ID]
			cell := remedyCell{Effect: e, More: max(0, len(ids)-most)}
			for _, id := range ids[:min(len(ids), most)] {
				cell.Cases = append(cell.Cases, dot{p.U("/cases/" + id), id + ", " + titles[id] + ": " + e.Name})
			}
			row.Cells = append(row.Cells, cell)
		}
		p.Remedies = append(p.Remedies, row)
	}
}

// dotsPerCell returns how many dots a cell may have so that all cells together
// keep to their bound.
func dotsPerCell(remedies []app.Remedy) int {
	for most := 24; most > 1; most-- {
		total := 0
		for _, m := range remedies {
			for _, ids := range m.Effects {
				total += min(len(ids), most)
			}
		}
		if total <= shownDots {
			return most
		}
	}
	return 1
}

// yearBars counts the cases of every year from the first to the last, those
// without cases too, so that the axis is to scale.
func yearBars(years []app.YearCount) []yearBar {
	var bars []yearBar
	if len(years) == 0 {
		return nil
	}
	first, last := years[0].Year, years[len(years)-1].Year
	for y := max(first, last-shownYears+1); y <= last; y++ {
		bar := yearBar{Year: y}
		if i := slices.IndexFunc(years, func(c app.YearCount) bool { return c.Year == y }); i >= 0 {
			bar.Cases = years[i].Cases
			bar.Dots = min(bar.Cases, shownPerYear)
		}
		bars = append(bars, bar)
	}
	return bars
}

// stripTicks are durations that a reader has a feeling for.
var stripTicks = []time.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
	24 * time.Hour, 72 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour,
}

// newStrip lays out durations. Those that would lie on each other are stacked.
func newStrip(s *app.Spread, titles map[string]string, l bilingual.Lang) *strip {
	if s == nil || len(s.Each) < 3 {
		return nil
	}
	lo, hi := float64(s.Each[0].Seconds), float64(s.Each[len(s.Each)-1].Seconds)
	from, to := 0, len(stripTicks)-1
	for from < to && stripTicks[from+1].Seconds() <= lo {
		from++
	}
	for to > from+1 && stripTicks[to-1].Seconds() >= hi {
		to--
	}
	low, high := math.Log(min(stripTicks[from].Seconds(), lo)), math.Log(max(stripTicks[to].Seconds(), hi))
	x := func(seconds float64) float64 { return 2 + 96*(math.Log(seconds)-low)/(high-low) }
	out := &strip{}
	for i := from; i <= to; i++ {
		t := stripTick{percent(x(stripTicks[i].Seconds())), output.Length(stripTicks[i], l), "middle", (i-from)%2 == 1 && i != to}
		if i == from {
			t.Anchor = "start"
		} else if i == to {
			t.Anchor = "end"
		}
		out.Ticks = append(out.Ticks, t)
	}
	var rows stacker
	every := (len(s.Each) + shownMarks - 1) / shownMarks
	for i, e := range s.Each {
		if i%every != 0 {
			continue
		}
		at := x(float64(max(e.Seconds, 1)))
		row := rows.row(at, at+11/narrow*100)
		out.Marks = append(out.Marks, stripMark{
			percent(at), row, localPath(l, "/cases/"+e.ID), output.Duration(e.Value, l) + ": " + e.ID + ", " + titles[e.ID],
		})
	}
	tall := len(rows.ends)
	for i := range out.Marks {
		out.Marks[i].Y = 24 + 11*(tall-1-out.Marks[i].Y)
	}
	out.Height = 24 + 11*tall + 4
	out.Median = output.Duration(s.Median, l)
	if i := len(s.Each); i > 0 {
		mid := (s.Each[(i-1)/2].Seconds + s.Each[i/2].Seconds) / 2
		out.At = percent(x(float64(max(mid, 1))))
	}
	out.Text = fmt.Sprintf(word("strip", l), out.Median, output.Duration(s.Min, l), output.Duration(s.Max, l), s.Known)
	if every > 1 {
		out.Text += " " + fmt.Sprintf(word("strip-sample", l), every)
	}
	return out
}

// Foot is the y of the axis of the strip.
func (s *strip) Foot() int { return s.Height }

// TickY is the baseline of the words under the axis.
func (s *strip) TickY() int { return s.Height + 16 }

// Total is the height with these words.
func (s *strip) Total() int { return s.Height + 22 }

// topicsPage lists all topics that have cases.
type topicsPage struct {
	frame
	Lists []topicList
}

type topicList struct {
	ID, Name string
	Topics   []topicCount
}

type topicCount struct {
	link
	Cases int
}

func (*topicsPage) template() string { return "topics" }

func (s *site) topics(r *request) (page, error) {
	p := &topicsPage{frame: s.newFrame(r, "/topics", word("nav-topics", r.lang))}
	p.Nav, p.Kind, p.Data, p.Desc = "topics", "list", "/topics", word("topics-desc", r.lang)
	for _, l := range r.app.Topics().Lists {
		one := topicList{ID: l.List, Name: read(&l.Name, r.lang).S}
		for _, t := range l.Topics {
			one.Topics = append(one.Topics, topicCount{termLink(t.TermRef, r.lang), t.Cases})
		}
		slices.SortStableFunc(one.Topics, func(a, b topicCount) int { return cmp.Compare(b.Cases, a.Cases) })
		if len(one.Topics) > 0 {
			p.Lists = append(p.Lists, one)
		}
	}
	return p, nil
}
