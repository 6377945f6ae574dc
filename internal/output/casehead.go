package output

import (
	"fmt"
	"strings"
)

func (p *casePage) head() {
	p.heading(1, p.c.ID+" "+p.read(&p.c.Title))
	switch p.c.State {
	case "draft":
		p.note(p.word("state-draft"))
	case "merged":
		p.note(p.word("state-merged") + " " + p.c.SupersededBy)
	}
	p.facts(append([][2]string{
		{p.word("org"), p.c.Org.Name},
		{p.word("product"), p.c.Product},
		{p.word("date"), p.date()},
	}, p.figures()...)...)
}

func (p *casePage) date() string {
	if p.c.DateKind == "published" {
		return p.c.Date.String() + " (" + p.word("published") + ")"
	}
	return p.c.Date.String()
}

// figures are the facts of a case that are numbers or codes.
func (p *casePage) figures() [][2]string {
	var facts [][2]string
	for _, m := range p.c.Measured {
		value := Duration(m.Value, p.l)
		if m.About {
			value = p.word("about") + " " + value
		}
		facts = append(facts, [2]string{p.word(m.Name), value + " (" + p.word(m.Basis) + ")"})
	}
	if r := p.c.Impact.ErrorRateMax; r != nil {
		facts = append(facts, [2]string{p.word("error-rate"), Percent(*r)})
	}
	if s := p.c.Severity; s != nil {
		facts = append(facts, [2]string{p.word("severity"), s.Stated})
	}
	var tags []string
	for _, id := range p.c.Tags {
		tags = append(tags, p.name("tag", id))
	}
	review := p.word(p.c.Review.Status)
	if p.c.Review.MachineDrafted {
		review += "; " + p.word("machine-draft")
	}
	if t := p.c.Review.NoFirstParty; t != nil {
		review += "; " + p.word("no-first-party") + ": " + p.read(t)
	}
	facts = append(facts, [2]string{p.word("regions"), strings.Join(p.c.Impact.Regions, ", ")},
		[2]string{p.word("also-affected"), strings.Join(p.c.AlsoAffected, ", ")},
		[2]string{p.word("tags"), strings.Join(tags, ", ")}, [2]string{p.word("review"), review})
	if p.c.Replaces != "" {
		facts = append(facts, [2]string{p.word("replaces"), p.c.Replaces})
	}
	return facts
}

// Percent writes a share of one as a percentage.
func Percent(r float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", r*100), "0"), ".") + "%"
}
