package web

import (
	"html/template"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/output"
)

// casePage is the page of a case. Its parts stand in the order in which a
// reader in an outage needs them.
type casePage struct {
	frame
	Case      *app.Case
	Heading   text
	Lede      text // the first sentence of the summary
	Rest      text // the others
	Note      string
	NoteLink  link
	Facts     []fact
	Drawing   *drawing
	Caption   string
	Events    []event
	Actions   []entry
	Narrative prosePart
	Sections  []section
	Replays   []caseReplay
	Checks    []checkLine
	Guides    []scenarioLink // pages of the field guide
	Similar   []similarCase
	NoFirst   text // why no first-party source could be read
	Sources   []source
	Further   []link
	Citation  string
	contents  []link
	side      map[string][]source // sources by the part that cites them first
}

func (*casePage) template() string { return "case" }

// Contents are the parts of the page, for its table of contents.
func (p *casePage) Contents() []link { return p.contents }

// SideOf returns the sources that a part of the page is the first to cite, for
// the margin.
func (p *casePage) SideOf(part string) []source { return p.side[part] }

// fact is one of the facts at a glance.
type fact struct {
	Label string
	Value []link
	Note  string
}

// event is a point of the timeline as a list.
type event struct {
	N       int
	Past    string // since the start
	When    string
	ISO     string
	Kind    string // start, detected, …, observed or action
	Effect  *effect
	Name    string // of the kind, where there is no text
	Text    text
	Sources []int
}

// entry is one item of a section: a lead that names a term, and prose.
type entry struct {
	N       int // in the timeline; 0 where it is not there
	Lead    link
	Effect  *effect
	Role    string
	Text    text
	Sub     []link
	Sources []int
}

// prosePart is prose in Markdown.
type prosePart struct {
	HTML    template.HTML
	Text    text  // for its language; the words are in HTML
	Sources []int // of the whole
	Noted   []int // named inside
}

// section is a part of a case page below the narrative.
type section struct {
	ID      string
	Title   string
	Prose   prosePart
	Terms   []link
	Entries []entry
	Chain   []chainLink // how the components passed the failure on
	Plain   bool        // entries without leads
}

// chainLink is a step of the way that a failure took.
type chainLink struct {
	Role  string
	Parts []link
}

// source is a piece of evidence with its number.
type source struct {
	N          int
	URL, Title string
	Site       string
	Facts      []string
	Archive    string
	Dead       bool
}

// similarCase is a case like this one.
type similarCase struct {
	Brief  brief
	Why    text
	Worked []worked
}

func (s *site) casePage(r *request) (page, error) {
	c, err := r.app.Case(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if c.ID != r.PathValue("id") {
		return nil, &moved{localPath(r.lang, "/cases/"+c.ID)}
	}
	like, err := r.app.Similar(c.ID, 6)
	if err != nil {
		return nil, err
	}
	p := &casePage{Case: c, Heading: read(&c.Title, r.lang)}
	p.frame = s.newFrame(r, "/cases/"+c.ID, c.ID+" · "+p.Heading.S)
	p.Nav, p.Kind, p.Data = "cases", "case", "/cases/"+c.ID
	p.NoIndex = c.State != "published"
	b := &caseBuilder{casePage: p, c: c, names: r.app, l: r.lang, numbers: map[string]int{}}
	p.Replays, p.Checks = s.caseReplays(r, &p.frame, c), p.checkLinks(c.Checks)
	p.Guides = p.guideLinks(c.Guides[:min(len(c.Guides), maxGuides)])
	p.Charted = len(p.Replays) > 0
	b.build(like)
	p.LD = caseLD(p)
	return p, nil
}

// caseBuilder turns a case into its page.
type caseBuilder struct {
	*casePage
	c       *app.Case
	names   output.Names
	l       bilingual.Lang
	numbers map[string]int // of the sources by id
}

func (b *caseBuilder) build(like *app.SimilarResult) {
	for i, s := range b.c.Sources {
		b.numbers[s.ID] = i + 1
	}
	b.summary()
	b.state()
	b.facts()
	b.Drawing = timelineDrawing(b.c, b.names, b.l)
	b.Caption = b.caption()
	b.events()
	b.actions()
	b.narrative()
	b.sections()
	for _, one := range like.Cases {
		b.Similar = append(b.Similar, similarCase{newBrief(one.Brief, b.l), read(&one.Why, b.l), workedOf(b.names, one.Worked, b.l)})
	}
	b.sources()
	b.Citation = b.citation()
	b.tableOfContents()
	b.sideNotes()
}

func (b *caseBuilder) word(key string) string { return output.Word(key, b.l) }

// read returns a text without its notes; [caseBuilder.cited] finds them.
func (b *caseBuilder) read(t *bilingual.Text) text {
	shown := read(t, b.l)
	shown.S = noteMark.ReplaceAllString(shown.S, "")
	return shown
}

// noteMark is a note in prose that names a source.
var noteMark = lazyregexp.New(`\[\^[^\]\s]{1,64}\]`)

// term returns the name of a term with the address of its topic.
func (b *caseBuilder) term(list, id string) link {
	name := b.names.Name(list, id, b.l)
	if !slices.Contains(app.TopicLists(), list) {
		return link{Text: name}
	}
	return link{localPath(b.l, "/topics/"+list+"/"+id), name}
}

var firstSentence = lazyregexp.New(`^(.{40,}?[.!?])\s+(\p{Lu}|\p{Hangul}|[0-9]).*`)

func (b *caseBuilder) summary() {
	t := b.read(&b.c.Summary)
	b.Desc = t.S
	b.Lede, b.Rest = t, text{Lang: t.Lang, Foreign: t.Foreign}
	flat := strings.Join(strings.Fields(t.S), " ")
	if m := firstSentence.FindStringSubmatch(flat); m != nil {
		b.Lede.S, b.Rest.S = m[1], strings.TrimSpace(flat[len(m[1]):])
	}
	if b.Lede.Foreign {
		b.Rest.Mark = ""
	}
}

func (b *caseBuilder) state() {
	switch b.c.State {
	case "draft":
		b.Note = b.word("state-draft")
	case "merged":
		b.Note = b.word("state-merged")
		b.NoteLink = link{localPath(b.l, "/cases/"+b.c.SupersededBy), b.c.SupersededBy}
	}
}

func (b *caseBuilder) facts() {
	add := func(label, note string, values ...link) {
		values = slices.DeleteFunc(values, func(v link) bool { return v.Text == "" })
		if len(values) > 0 {
			b.Facts = append(b.Facts, fact{label, values, note})
		}
	}
	plain := func(s string) link { return link{Text: s} }
	date, note := dateText(b.c.Date, b.l), ""
	if s := b.c.Times.Start; s != nil && s.At.HasClock() {
		date = about(dateText(s.At, b.l)+" "+clockText(s.At), s.About, b.l)
		note = zoneText(s.At.Earliest())
		if s.Zone != "" && s.Zone != "UTC" {
			note = s.Zone + ", " + note
		}
	}
	if b.c.DateKind == "published" {
		note = b.word("published")
	}
	add(b.word("date"), note, plain(date))
	for _, m := range b.c.Measured {
		add(b.word(m.Name), word("basis-short-"+m.Basis, b.l), plain(about(output.Duration(m.Value, b.l), m.About, b.l)))
	}
	if r := b.c.Impact.ErrorRateMax; r != nil {
		add(b.word("error-rate"), "", plain(output.Percent(*r)))
	}
	if s := b.c.Severity; s != nil {
		add(b.word("severity"), "", plain(s.Stated))
	}
	add(b.word("regions"), "", plain(strings.Join(b.c.Impact.Regions, ", ")))
	var root []link
	for _, x := range b.c.Causes {
		if x.Role == "root" {
			root = append(root, b.term("cause", x.Code))
		}
	}
	add(word("root-cause", b.l), "", root...)
	var tags []link
	for _, id := range b.c.Tags {
		tags = append(tags, b.term("tag", id))
	}
	add(b.word("tags"), "", tags...)
	review := ""
	if b.c.Review.MachineDrafted {
		review = b.word("machine-draft")
	}
	add(b.word("review"), review, link{localPath(b.l, "/about#review"), b.word(b.c.Review.Status)})
	if b.c.Replaces != "" {
		add(b.word("replaces"), "", plain(b.c.Replaces))
	}
}

// citation is how to name the case elsewhere.
func (b *caseBuilder) citation() string {
	s := "precedent, " + b.c.ID + ", “" + b.Heading.S + "”"
	if b.l == bilingual.Korean {
		s = "precedent, " + b.c.ID + ", 「" + b.Heading.S + "」"
	}
	return s + ", " + word("library-version", b.l) + " " + b.Stats.Library + ", " + b.Abs(b.l)
}

func (b *caseBuilder) tableOfContents() {
	add := func(id, title string, there bool) {
		if there {
			b.contents = append(b.contents, link{"#" + id, title})
		}
	}
	add("timeline", b.word("timeline"), len(b.Events) > 0)
	add("actions", b.word("remedies"), len(b.Actions) > 0)
	add("replay", word("replay", b.l), len(b.Replays) > 0)
	add("checks", word("checks-yours", b.l), len(b.Checks) > 0)
	add("guides", word("guide-of", b.l), len(b.Guides) > 0)
	add("narrative", b.word("narrative"), b.Narrative.HTML != "")
	for _, s := range b.Sections {
		add(s.ID, s.Title, true)
	}
	add("related", b.word("related"), true)
	add("sources", b.word("sources"), true)
}
