package web

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
)

// checksPage lists the checks by how bad a finding is.
type checksPage struct {
	frame
	Groups []checkGroup
}

// checkGroup are the checks of one severity.
type checkGroup struct {
	Severity string
	Checks   []checkLine
}

// checkLine is a check in a list.
type checkLine struct {
	ID         string
	Href       string
	Title      text
	Applies    string
	Mechanisms []link
}

func (*checksPage) template() string { return "checks" }

func (f *frame) checkLines(all []app.CheckRef) []checkLine {
	var lines []checkLine
	for _, c := range all {
		one := checkLine{ID: c.ID, Href: f.U("/checks/" + url.PathEscape(c.ID)), Title: f.T(c.Title), Applies: strings.Join(c.Applies, ", ")}
		for _, m := range c.Mechanisms {
			one.Mechanisms = append(one.Mechanisms, termLink(m, f.Lang))
		}
		lines = append(lines, one)
	}
	return lines
}

// checkLinks are checks in a list of another page.
func (f *frame) checkLinks(all []app.CheckLink) []checkLine {
	var lines []checkLine
	for _, c := range all {
		lines = append(lines, checkLine{ID: c.ID, Href: f.U("/checks/" + url.PathEscape(c.ID)), Title: f.T(c.Title)})
	}
	return lines
}

func (s *site) checks(r *request) (page, error) {
	index, err := r.app.Checks()
	if err != nil {
		return nil, err
	}
	p := &checksPage{frame: s.newFrame(r, "/checks", word("checks-h1", r.lang))}
	p.Nav, p.Kind, p.Desc, p.Data = "checks", "checks", word("checks-lede", r.lang), "/checks"
	for _, severity := range output.Severities(r.lang) {
		var of []app.CheckRef
		for _, c := range index.Checks {
			if c.Severity == severity.ID {
				of = append(of, c)
			}
		}
		if len(of) > 0 {
			p.Groups = append(p.Groups, checkGroup{severity.Name, p.checkLines(of)})
		}
	}
	return p, nil
}

// checkPage is one check, with the incidents behind it.
type checkPage struct {
	frame
	Check      *app.CheckPage
	Heading    text
	About      text
	Severity   string
	Applies    string
	Mechanisms []link
	Evidence   []checkEvidence
	Replays    []scenarioLink
	Remedy     text
	Doubts     text
	Parameters []checkParameter
	Command    string
}

type checkEvidence struct {
	Case link
	ID   string
	Why  text
}

type checkParameter struct {
	Name, Value string
	About       text
}

func (*checkPage) template() string { return "check" }

func (s *site) check(r *request) (page, error) {
	c, err := r.app.OneCheck(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if c.ID != r.PathValue("id") {
		return nil, &moved{localPath(r.lang, "/checks/"+url.PathEscape(c.ID))}
	}
	title := read(&c.Title, r.lang)
	p := &checkPage{frame: s.newFrame(r, "/checks/"+c.ID, c.ID+": "+title.S), Check: c, Heading: title}
	p.Nav, p.Kind, p.Data = "checks", "check", "/checks/"+c.ID
	p.About, p.Remedy, p.Doubts, p.Desc = p.T(c.About), p.T(c.Remedy), p.T(c.Doubts), p.T(c.About).S
	p.Applies = strings.Join(c.Applies, ", ")
	for _, severity := range output.Severities(r.lang) {
		if severity.ID == c.Severity {
			p.Severity = severity.Name
		}
	}
	for _, m := range c.Mechanisms {
		p.Mechanisms = append(p.Mechanisms, termLink(m, r.lang))
	}
	for _, e := range c.Evidence {
		name, _ := e.Title.Read(r.lang)
		p.Evidence = append(p.Evidence, checkEvidence{link{p.U("/cases/" + e.ID), name}, e.ID, p.T(e.Why)})
	}
	p.Replays = p.scenarioLinks(c.Scenarios)
	for _, one := range c.Parameters {
		p.Parameters = append(p.Parameters, checkParameter{one.Name, fmt.Sprint(one.Value), p.T(one.About)})
	}
	p.Command = "precedent check deploy/ --only " + c.ID
	return p, nil
}
