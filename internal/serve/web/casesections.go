package web

import (
	"html/template"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/output"
)

// events lists the timeline in words.
func (b *caseBuilder) events() {
	for i, e := range b.c.Timeline {
		at, err := casefile.ParseTime(e.At)
		if err != nil {
			continue
		}
		one := event{N: i + 1, ISO: e.At, Kind: e.Kind, Name: b.word(e.Kind), Text: b.read(e.Text)}
		one.When = about(clockText(at), e.About, b.l)
		if u, err := casefile.ParseTime(e.Until); err == nil {
			one.When += "–" + clockText(u)
		}
		one.When += " " + zoneText(at.Earliest())
		if i == 0 || !sameDay(b.c.Timeline[i-1].At, e.At) {
			one.When = dateText(at, b.l) + " " + one.When
		}
		if e.Minutes != nil {
			one.Past = output.Past(*e.Minutes, b.l)
		}
		if e.Effect != "" {
			one.Effect = &effect{e.Effect, b.names.Name("effect", e.Effect, b.l)}
		}
		b.Events = append(b.Events, one)
	}
}

// sameDay reports whether two ISO times are of one calendar day.
func sameDay(a, b string) bool { return len(a) >= 10 && len(b) >= 10 && a[:10] == b[:10] }

// actions tells what was done, in order, with its effect and its time.
func (b *caseBuilder) actions() {
	for _, a := range b.c.Actions {
		one := entry{
			Effect: &effect{a.Effect, b.names.Name("effect", a.Effect, b.l)},
			Text:   b.read(&a.Text), Sub: []link{b.term("remedy", a.Kind)}, Sources: b.cited("actions", a.Sources, &a.Text),
		}
		if a.At != nil {
			one.N = b.eventOf(a.At.String(), a.Text)
			one.Sub = append(one.Sub, link{Text: b.when(*a.At, a.About)})
		}
		b.Actions = append(b.Actions, one)
	}
}

// eventOf returns the number in the timeline of the action with a time and a
// text, or 0.
func (b *caseBuilder) eventOf(at string, t bilingual.Text) int {
	return 1 + slices.IndexFunc(b.c.Timeline, func(e app.Event) bool {
		return e.Kind == "action" && e.At == at && e.Text != nil && *e.Text == t
	})
}

// when writes a time with the minutes since the start, where both are known.
func (b *caseBuilder) when(t casefile.Time, isAbout bool) string {
	s := instantText(t, isAbout, b.l)
	if start := b.c.Times.Start; start != nil {
		if gap, ok := t.Since(start.At); ok {
			s += " (" + output.Past(int(gap.Minutes()), b.l) + ")"
		}
	}
	return s
}

func (b *caseBuilder) markdown(field string, t *bilingual.Text) prosePart {
	shown := read(t, b.l) // with its notes, which Markdown makes links of
	if shown.Empty() {
		return prosePart{}
	}
	notes := &footnotes{numbers: b.numbers, label: word("source", b.l)}
	part := prosePart{HTML: caseMarkdown(shown.S, notes), Text: shown}
	part.Noted = notes.used
	if len(notes.used) == 0 || slices.ContainsFunc(b.c.Sources, func(s casefile.Source) bool { return slices.Contains(s.Supports, field) }) {
		part.Sources = b.cited(field, nil, nil)
		part.HTML = atEnd(part.HTML, b.Cite(part.Sources))
	}
	return part
}

// atEnd puts a note at the end of the last paragraph.
func atEnd(prose, note template.HTML) template.HTML {
	i := strings.LastIndex(string(prose), "</p>")
	if i < 0 {
		return prose + "<p>" + note + "</p>"
	}
	return prose[:i] + note + prose[i:]
}

func (b *caseBuilder) narrative() { b.Narrative = b.markdown("narrative", b.c.Narrative) }

// sections adds the parts below the narrative that the case has.
func (b *caseBuilder) sections() {
	for _, make := range []func() section{
		b.mechanisms, b.symptoms, b.trigger, b.causes, b.components, b.impact, b.detection,
		b.followups, b.lessons, b.conditions, b.conflicts,
	} {
		s := make()
		if len(s.Entries) > 0 || s.Prose.HTML != "" || len(s.Terms) > 0 || len(s.Chain) > 0 {
			b.Sections = append(b.Sections, s)
		}
	}
}

func (b *caseBuilder) section(key string) section { return section{ID: key, Title: b.word(key)} }

func (b *caseBuilder) mechanisms() section {
	s := b.section("mechanisms")
	for _, m := range b.c.Mechanisms {
		s.Entries = append(s.Entries, entry{Lead: b.term("mechanism", m.Code), Text: b.read(m.Text), Sources: b.cited("mechanisms", nil, m.Text)})
	}
	return s
}

func (b *caseBuilder) symptoms() section {
	s := b.section("symptoms")
	s.Prose = b.markdown("symptoms", &b.c.Symptoms.Text)
	for _, id := range b.c.Symptoms.Codes {
		s.Terms = append(s.Terms, b.term("symptom", id))
	}
	return s
}

func (b *caseBuilder) trigger() section {
	s := b.section("trigger")
	if t := b.c.Trigger; t != nil {
		s.Entries = []entry{{Lead: b.term("trigger", t.Kind), Text: b.read(&t.Text), Sources: b.cited("trigger", t.Sources, &t.Text)}}
	}
	return s
}

func (b *caseBuilder) causes() section {
	s := b.section("causes")
	for _, x := range b.c.Causes {
		s.Entries = append(s.Entries, entry{Lead: b.term("cause", x.Code), Role: b.role(x.Role), Text: b.read(x.Text), Sources: b.cited("causes", x.Sources, x.Text)})
	}
	return s
}

// role puts a role into words; a case with findings may hold any.
func (b *caseBuilder) role(role string) string {
	if slices.Contains([]string{"root", "contributing", "origin", "carrier", "victim"}, role) {
		return b.word(role)
	}
	return role
}

// components shows the way that the failure took: where it began, what passed
// it on, and what suffered.
func (b *caseBuilder) components() section {
	s := b.section("components")
	for _, role := range []string{"origin", "carrier", "victim"} {
		step := chainLink{Role: word("chain-"+role, b.l)}
		for _, c := range b.c.Components {
			if c.Role != role {
				continue
			}
			part := b.term("component", c.Code)
			if product := strings.TrimSpace(c.Product + " " + c.Version); product != "" {
				step.Parts = append(step.Parts, link{part.Href, part.Text + ": " + product})
			} else {
				step.Parts = append(step.Parts, part)
			}
		}
		if len(step.Parts) > 0 {
			s.Chain = append(s.Chain, step)
		}
	}
	return s
}

func (b *caseBuilder) impact() section {
	s := b.section("impact")
	add := func(label string, t *bilingual.Text, field string) {
		if shown := b.read(t); !shown.Empty() {
			s.Entries = append(s.Entries, entry{Lead: link{Text: label}, Text: shown, Sources: b.cited(field, nil, t)})
		}
	}
	add(word("scope", b.l), b.c.Impact.Scope, "impact.scope")
	add(b.word("users"), b.c.Impact.Users, "impact.users")
	if loss := b.c.Impact.DataLoss; loss != "" {
		s.Entries = append(s.Entries, entry{
			Lead: link{Text: b.word("data-loss")}, Text: text{S: b.names.Name("data-loss", loss, b.l), Lang: b.l},
			Sources: b.cited("impact.data_loss", nil, nil),
		})
	}
	if also := strings.Join(b.c.AlsoAffected, ", "); also != "" {
		s.Entries = append(s.Entries, entry{Lead: link{Text: b.word("also-affected")}, Text: text{S: also, Lang: b.l}, Sources: b.cited("also_affected", nil, nil)})
	}
	for _, id := range b.c.Impact.Kinds {
		s.Terms = append(s.Terms, b.term("impact", id))
	}
	return s
}

func (b *caseBuilder) detection() section {
	s := b.section("detection")
	d := b.c.Detection
	if d == nil {
		return s
	}
	s.Entries = []entry{{Lead: b.term("detection", d.How), Text: b.read(&d.Text), Sources: b.cited("detection", nil, &d.Text)}}
	if gap := b.read(d.Gap); !gap.Empty() {
		s.Entries = append(s.Entries, entry{Lead: link{Text: b.word("gap")}, Text: gap, Sources: b.cited("detection", nil, d.Gap)})
	}
	return s
}

func (b *caseBuilder) followups() section {
	s := b.section("followups")
	for _, f := range b.c.Followups {
		one := entry{Lead: b.term("aim", f.Aim), Text: b.read(&f.Text), Sub: []link{b.term("remedy", f.Kind)}, Sources: b.cited("followups", f.Sources, &f.Text)}
		if f.Status != "" {
			one.Role = b.names.Name("followup-status", f.Status, b.l)
		}
		s.Entries = append(s.Entries, one)
	}
	return s
}

func (b *caseBuilder) lessons() section {
	s := b.section("lessons")
	s.Plain = true
	for i := range b.c.Lessons {
		s.Entries = append(s.Entries, entry{Text: b.read(&b.c.Lessons[i])})
	}
	return s
}

func (b *caseBuilder) conditions() section {
	s := b.section("conditions")
	s.Plain = true
	for i := range b.c.Conditions {
		s.Entries = append(s.Entries, entry{Text: b.read(&b.c.Conditions[i].Statement)})
	}
	return s
}

// conflicts shows what the sources contradict each other about.
func (b *caseBuilder) conflicts() section {
	s := b.section("conflicts")
	for _, c := range b.c.Conflicts {
		one := entry{Lead: link{Text: fieldName(c.Field, b.l)}, Text: b.read(c.Why)}
		for _, v := range c.Values {
			said := v.Value
			if v.Value == c.Chosen {
				said += " (" + b.word("chosen") + ")"
			}
			one.Sub = append(one.Sub, link{Text: said})
			if n, ok := b.numbers[v.Source]; ok && !slices.Contains(one.Sources, n) {
				one.Sources = append(one.Sources, n)
			}
		}
		s.Entries = append(s.Entries, one)
	}
	return s
}

// fieldName puts the path of a field into words where its last part has some.
func fieldName(path string, l bilingual.Lang) string {
	last := path[strings.LastIndex(path, ".")+1:]
	if output.HasWord(last) {
		return output.Word(last, l)
	}
	return path
}
