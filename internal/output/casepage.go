package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// Names puts codes into words.
type Names interface {
	// Name returns the name of a vocabulary term in language l, or its id.
	Name(list, id string, l bilingual.Lang) string
}

// sections are the parts of a case page in their order: what a reader in an
// outage needs first comes first.
var sections = []struct {
	name string
	add  func(*casePage)
}{
	{"summary", (*casePage).summary}, {"actions", (*casePage).actions}, {"timeline", (*casePage).timeline},
	{"narrative", (*casePage).narrative}, {"mechanisms", (*casePage).mechanisms}, {"symptoms", (*casePage).symptoms},
	{"trigger", (*casePage).trigger}, {"causes", (*casePage).causes}, {"components", (*casePage).components},
	{"impact", (*casePage).impact}, {"detection", (*casePage).detection}, {"followups", (*casePage).followups},
	{"lessons", (*casePage).lessons}, {"conditions", (*casePage).conditions},
	{"conflicts", (*casePage).conflicts}, {"sources", (*casePage).sources},
}

// Sections returns the names of the sections of a case page in their order.
func Sections() []string {
	names := make([]string, len(sections))
	for i, s := range sections {
		names[i] = s.name
	}
	return names
}

// CasePage returns the page of a case in language l with the given sections;
// none means all.
func CasePage(c *app.Case, names Names, l bilingual.Lang, only ...string) Page {
	p := &casePage{c: c, names: names, l: l}
	p.head()
	for _, s := range sections {
		if len(only) == 0 || slices.Contains(only, s.name) {
			s.add(p)
		}
	}
	if len(only) == 0 {
		p.scenarios(c.Scenarios, l)
		p.checks(c.Checks, l)
		p.guides(c.Guides, l)
	}
	return p.page
}

type casePage struct {
	builder
	c     *app.Case
	names Names
	l     bilingual.Lang
}

func (p *casePage) word(key string) string { return Word(key, p.l) }

// read returns the side of t in the page's language. The other side stands in
// only with a mark.
func (p *casePage) read(t *bilingual.Text) string { return Read(t, p.l) }

// Read returns the side of t in language l, or else the other side with a
// mark that says so.
func Read(t *bilingual.Text, l bilingual.Lang) string {
	if t == nil || t.IsZero() {
		return ""
	}
	s, in := t.Read(l)
	if in != l {
		return Word("other-language", l) + " " + s
	}
	return s
}

func (p *casePage) name(list, id string) string { return p.names.Name(list, id, p.l) }

func (p *casePage) summary() {
	if text := p.read(&p.c.Summary); text != "" {
		p.heading(2, p.word("summary"))
		p.prose(text)
	}
}

func (p *casePage) narrative() {
	if text := p.read(p.c.Narrative); text != "" {
		p.heading(2, p.word("narrative"))
		p.prose(text)
	}
}

func (p *casePage) actions() {
	var items []Item
	for _, a := range p.c.Actions {
		items = append(items, Item{Lead: p.name("effect", a.Effect), Text: p.read(&a.Text), Sub: p.under(p.name("remedy", a.Kind), timeText(a.At, a.About, p.l))})
	}
	p.section(p.word("remedies"), items)
}

// under joins the parts that are there into one line under an item.
func (p *casePage) under(parts ...string) []string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, " · ")}
}

func timeText(t *casefile.Time, about bool, l bilingual.Lang) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return clock(t.String(), about, l)
}

// clock writes an ISO time for a reader: date, time and offset apart.
func clock(iso string, about bool, l bilingual.Lang) string {
	s := strings.Replace(iso, "T", " ", 1)
	if i := strings.LastIndexAny(s, "+-Z"); i > 10 {
		s = s[:i] + " " + strings.Replace(s[i:], "Z", "UTC", 1)
	}
	if about {
		s = Word("about", l) + " " + s
	}
	return s
}

func (p *casePage) timeline() {
	var items []Item
	for _, e := range p.c.Timeline {
		when := clock(e.At, e.About, p.l)
		if e.Until != "" {
			when += " – " + clock(e.Until, false, p.l)
		}
		if e.Minutes != nil {
			when += " (" + Past(*e.Minutes, p.l) + ")"
		}
		text := p.word(e.Kind)
		if e.Text != nil {
			text = p.read(e.Text)
		}
		if e.Effect != "" {
			text += " [" + p.name("effect", e.Effect) + "]"
		}
		items = append(items, Item{Lead: when, Text: text})
	}
	p.section(p.word("timeline"), items)
}

func (p *casePage) mechanisms() {
	var items []Item
	for _, m := range p.c.Mechanisms {
		items = append(items, Item{Lead: p.name("mechanism", m.Code), Text: p.read(m.Text)})
	}
	p.section(p.word("mechanisms"), items)
}

func (p *casePage) symptoms() {
	var codes []string
	for _, id := range p.c.Symptoms.Codes {
		codes = append(codes, p.name("symptom", id))
	}
	text := p.read(&p.c.Symptoms.Text)
	if text == "" && len(codes) == 0 {
		return
	}
	p.heading(2, p.word("symptoms"))
	p.prose(text)
	p.note(strings.Join(codes, " · "))
}

func (p *casePage) trigger() {
	if t := p.c.Trigger; t != nil {
		p.section(p.word("trigger"), []Item{{Lead: p.name("trigger", t.Kind), Text: p.read(&t.Text)}})
	}
}

func (p *casePage) causes() {
	var items []Item
	for _, c := range p.c.Causes {
		items = append(items, Item{Lead: p.name("cause", c.Code) + p.role(c.Role), Text: p.read(c.Text)})
	}
	p.section(p.word("causes"), items)
}

// role puts a role into words behind a name; a draft may lack it.
func (p *casePage) role(role string) string {
	if role == "" {
		return ""
	}
	return " (" + p.word(role) + ")"
}

func (p *casePage) components() {
	var items []Item
	for _, c := range p.c.Components {
		text := strings.TrimSpace(c.Product + " " + c.Version)
		items = append(items, Item{Lead: p.name("component", c.Code) + p.role(c.Role), Text: text})
	}
	p.section(p.word("components"), items)
}

func (p *casePage) impact() {
	var kinds []string
	for _, id := range p.c.Impact.Kinds {
		kinds = append(kinds, p.name("impact", id))
	}
	scope, users, loss := p.read(p.c.Impact.Scope), p.read(p.c.Impact.Users), p.c.Impact.DataLoss
	if len(kinds) == 0 && scope == "" && users == "" && loss == "" {
		return
	}
	p.heading(2, p.word("impact"))
	p.prose(scope)
	p.prose(users)
	p.note(strings.Join(kinds, " · "))
	if loss != "" {
		p.facts([2]string{p.word("data-loss"), p.name("data-loss", loss)})
	}
}

func (p *casePage) detection() {
	d := p.c.Detection
	if d == nil {
		return
	}
	item := Item{Lead: p.name("detection", d.How), Text: p.read(&d.Text)}
	if gap := p.read(d.Gap); gap != "" {
		item.Sub = []string{p.word("gap") + ": " + gap}
	}
	p.section(p.word("detection"), []Item{item})
}

func (p *casePage) followups() {
	var items []Item
	for _, f := range p.c.Followups {
		lead := p.name("aim", f.Aim)
		if f.Status != "" {
			lead += ", " + p.name("followup-status", f.Status)
		}
		items = append(items, Item{Lead: lead, Text: p.read(&f.Text), Sub: []string{p.name("remedy", f.Kind)}})
	}
	p.section(p.word("followups"), items)
}

func (p *casePage) lessons() {
	var items []Item
	for _, t := range p.c.Lessons {
		items = append(items, Item{Text: p.read(&t)})
	}
	p.section(p.word("lessons"), items)
}

func (p *casePage) conditions() {
	var items []Item
	for _, c := range p.c.Conditions {
		items = append(items, Item{Text: p.read(&c.Statement)})
	}
	p.section(p.word("conditions"), items)
}

func (p *casePage) conflicts() {
	var items []Item
	for _, c := range p.c.Conflicts {
		item := Item{Lead: c.Field}
		var values []string
		for _, v := range c.Values {
			values = append(values, fmt.Sprintf("%s (%s)", v.Value, v.Source))
		}
		item.Text = strings.Join(values, "; ") + ". " + p.word("chosen") + ": " + c.Chosen
		if why := p.read(c.Why); why != "" {
			item.Sub = []string{why}
		}
		items = append(items, item)
	}
	p.section(p.word("conflicts"), items)
}

func (p *casePage) sources() {
	var items []Item
	for _, s := range p.c.Sources {
		items = append(items, Item{Lead: s.ID, Text: strings.TrimSpace(s.Title + " <" + s.URL + ">"),
			Sub: p.under(p.name("source-kind", s.Kind), s.Publisher, s.Lang, archive(s.ArchivedURL))})
	}
	p.section(p.word("sources"), items)
	items = nil
	for _, r := range p.c.References {
		items = append(items, Item{Text: r.Title + " <" + r.URL + ">"})
	}
	p.section(p.word("references"), items)
}

func archive(url string) string {
	if url == "" {
		return ""
	}
	return "<" + url + ">"
}
