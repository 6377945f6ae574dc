package web

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// brief is a case in a list.
type brief struct {
	ID       string
	Href     string
	Title    text
	Org      string
	Date     string
	Duration string
}

func newBrief(c app.Brief, l bilingual.Lang) brief {
	b := brief{
		ID: c.ID, Href: localPath(l, "/cases/"+c.ID), Title: read(&c.Title, l), Org: c.Org.Name, Date: isoDate(c.Date, l),
	}
	if c.DateKind == "published" {
		b.Date += " (" + output.Word("published", l) + ")"
	}
	if c.Duration != "" {
		b.Duration = output.Duration(c.Duration, l)
	}
	return b
}

// worked is an action that ended or eased an incident.
type worked struct {
	Effect effect
	Remedy link
	Text   text
}

func workedOf(names output.Names, actions []app.ActionText, l bilingual.Lang) []worked {
	var all []worked
	for _, a := range actions {
		all = append(all, worked{effect{a.Effect, names.Name("effect", a.Effect, l)}, termLink(a.Remedy, l), read(&a.Text, l)})
	}
	return all
}

// termLink is a term with the address of its topic.
func termLink(t app.TermRef, l bilingual.Lang) link {
	name, _ := t.Name.Read(l)
	return link{localPath(l, "/topics/"+t.List+"/"+t.ID), name}
}

// count writes a number of cases.
func count(n int, l bilingual.Lang) string {
	switch {
	case l == bilingual.Korean:
		return fmt.Sprintf("사례 %d건", n)
	case n == 1:
		return "1 case"
	}
	return fmt.Sprintf("%d cases", n)
}

// similarPage lists the cases like one case.
type similarPage struct {
	frame
	Of    brief
	Cases []similarCase
}

func (*similarPage) template() string { return "similar" }

func (s *site) similar(r *request) (page, error) {
	like, err := r.app.Similar(r.PathValue("id"), 20)
	if err != nil {
		return nil, err
	}
	at := "/cases/" + like.Of.ID + "/similar"
	if like.Of.ID != r.PathValue("id") {
		return nil, &moved{localPath(r.lang, at)}
	}
	p := &similarPage{frame: s.newFrame(r, at, fmt.Sprintf(word("similar-to", r.lang), like.Of.ID)), Of: newBrief(like.Of, r.lang)}
	p.Nav, p.Kind, p.Data = "cases", "list", at
	p.Desc = p.Title
	for _, one := range like.Cases {
		p.Cases = append(p.Cases, similarCase{newBrief(one.Brief, r.lang), read(&one.Why, r.lang), workedOf(r.app, one.Worked, r.lang)})
	}
	return p, nil
}

// casesPage lists the cases, newest first.
type casesPage struct {
	frame
	Years []casesOfYear
	Next  string
	First bool
}

type casesOfYear struct {
	Year  string
	Cases []brief
}

func (*casesPage) template() string { return "cases" }

// listLimit is the number of cases on a page of the list.
const listLimit = 60

func (s *site) cases(r *request) (page, error) {
	cursor := r.URL.Query().Get("cursor")
	if params := r.URL.Query(); len(params) > 1 || len(params) == 1 && cursor == "" {
		// A list with filters is a search without words.
		return nil, &moved{localPath(r.lang, "/search?"+params.Encode())}
	}
	found, err := r.app.Search(app.SearchQuery{Lang: r.lang, Limit: listLimit, Cursor: cursor, Facets: []string{}})
	if err != nil {
		return nil, err
	}
	p := &casesPage{frame: s.newFrame(r, "/cases", word("nav-cases", r.lang)), First: cursor == ""}
	p.Nav, p.Kind, p.Data, p.Desc = "cases", "list", "/cases", word("cases-desc", r.lang)
	for _, h := range found.Hits {
		year := h.Date[:min(4, len(h.Date))]
		if n := len(p.Years); n == 0 || p.Years[n-1].Year != year {
			p.Years = append(p.Years, casesOfYear{Year: year})
		}
		of := &p.Years[len(p.Years)-1]
		of.Cases = append(of.Cases, newBrief(h.Brief, r.lang))
	}
	if found.Next != "" {
		p.Next = p.U("/cases?cursor=" + found.Next)
	}
	return p, nil
}
