package web

import (
	"html/template"
	"net/url"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
)

// guidesPage lists the pages of the field guide.
type guidesPage struct {
	frame
	Guides []scenarioLink
}

func (*guidesPage) template() string { return "guides" }

func (s *site) guides(r *request) (page, error) {
	p := &guidesPage{frame: s.newFrame(r, "/guide", word("guide-h1", r.lang))}
	p.Nav, p.Kind, p.Desc, p.Data = "guide", "guides", word("guide-lede", r.lang), "/guide"
	p.Guides = p.guideLinks(r.app.Guides().Guides)
	return p, nil
}

// maxGuides is how many pages of the field guide a case leads to.
const maxGuides = 3

// guideLinks are links to pages of the field guide.
func (f *frame) guideLinks(all []app.ScenarioRef) []scenarioLink {
	links := f.scenarioLinks(all)
	for i := range links {
		links[i].Href, links[i].Guide = links[i].Guide.Href, link{}
	}
	return links
}

func guidePath(id string) string { return "/guide/" + url.PathEscape(id) }

// guidePage is a page of the field guide.
type guidePage struct {
	frame
	Guide    *app.Guide
	Heading  text
	About    text
	Loop     []text
	Gain     string
	Prose    template.HTML
	Edges    []edgeRow
	Judged   *judgedView
	Compared []text
	Base     []string
	Remedies []guideRemedy
	Yours    []yoursRow
	Topics   []link
	Cases    []brief
	More     int // cases that are not named
	Replay   link
	Commands []string
}

// edgeRow is an edge with its formula, where that is from, and what was found.
type edgeRow struct {
	Name    text
	Formula string
	Source  text
	Found   string
}

// guideRemedy is a remedy with what it was found to do.
type guideRemedy struct {
	Name    string
	Href    string
	About   text
	Figures []string
}

func (*guidePage) template() string { return "guide" }

func (s *site) guide(r *request) (page, error) {
	g, err := r.app.Guide(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if r.PathValue("id") != g.ID {
		return nil, &moved{localPath(r.lang, guidePath(g.ID))}
	}
	title, _ := g.Title.Read(r.lang)
	p := &guidePage{frame: s.newFrame(r, guidePath(g.ID), title), Guide: g, Commands: output.GuideCommands(g)}
	p.Heading, p.About, p.Gain = p.T(g.Title), p.T(g.About), output.GainText(g.Gain, r.lang)
	p.Nav, p.Kind, p.Desc, p.Data, p.Charted = "guide", "guide", p.About.S, guidePath(g.ID), true
	p.Replay = link{p.U("/scenarios/" + url.PathEscape(g.ID)), p.W("guide-replay")}
	for _, t := range g.Loop {
		p.Loop = append(p.Loop, p.T(t))
	}
	if prose, _ := g.Text.Read(r.lang); prose != "" {
		p.Prose = caseMarkdown(prose, &footnotes{})
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		p.Edges = append(p.Edges, edgeRow{p.T(e.Name), e.Formula, p.T(e.Source), output.EdgeText(e, r.lang)})
	}
	p.Judged = p.judgedView(g.Scenario(), g.Judged)
	p.remedies(g)
	for _, y := range g.Yours {
		p.Yours = append(p.Yours, yoursRow{y.Parameter, p.T(y.How)})
	}
	for _, m := range g.Mechanisms {
		p.Topics = append(p.Topics, termLink(m, r.lang))
	}
	for _, c := range g.Cases {
		p.Cases = append(p.Cases, newBrief(c, r.lang))
	}
	p.More = g.Count - len(g.Cases)
	return p, nil
}

// remedies fills the table that compares them.
func (p *guidePage) remedies(g *app.Guide) {
	for _, c := range g.Compared {
		p.Compared = append(p.Compared, p.T(c.Name))
	}
	p.Base = output.FigureCells(g, g.Base)
	for i := range g.Remedies {
		one := &g.Remedies[i]
		p.Remedies = append(p.Remedies, guideRemedy{
			Name: one.Name, Href: p.Replay.Href + "?variant=" + url.QueryEscape(one.Name), About: p.T(one.About),
			Figures: output.FigureCells(g, one.Compared),
		})
	}
}
