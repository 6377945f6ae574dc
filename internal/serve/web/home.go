package web

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// homePage is where a reader begins: the field, what the library can answer,
// its map, and its newest cases.
type homePage struct {
	frame
	Lead     string
	Examples []link
	Ways     []way
	Matrix   *matrix
	Newest   []brief
}

// Asked is what the search form holds: nothing yet.
func (*homePage) Asked() string { return "" }

// Hidden are the filters that the search form holds: none yet.
func (*homePage) Hidden() []param { return nil }

func (*homePage) template() string { return "home" }

// way is something that the library answers, with one real example.
type way struct {
	Name    string
	What    string
	Link    link
	Answer  string // what the example shows
	Command string
}

// matrix is the map of the library: mechanisms by components.
type matrix struct {
	Cols []matrixHead
	Rows []matrixRow
}

type matrixHead struct {
	link
	Late bool // left out on a phone
}

type matrixRow struct {
	Head  link
	Cells []matrixCell
}

type matrixCell struct {
	Href  string
	Label string
	Dots  int
	More  int // cases beyond the dots
	Late  bool
}

// bounds of the map on the home page.
const (
	matrixRows = 16
	matrixCols = 18
	phoneCols  = 7
	maxDots    = 12
)

func (s *site) home(r *request) (page, error) {
	p := &homePage{frame: s.newFrame(r, "/", word("home-title", r.lang)), Examples: examples(r.lang)}
	p.Kind, p.Focus, p.Desc, p.Article = "home", true, word("home-desc", r.lang), "/index"
	from, to := p.Stats.From[:min(4, len(p.Stats.From))], p.Stats.To[:min(4, len(p.Stats.To))]
	p.Lead = fmt.Sprintf(word("home-lead", r.lang), p.Stats.Cases, p.Stats.Orgs, from, to)
	p.Matrix = newMatrix(r.app.Matrix("mechanism", "component", matrixRows, matrixCols), r.lang)
	newest, err := r.app.Search(app.SearchQuery{Lang: r.lang, Limit: 6, Facets: []string{}})
	if err != nil {
		return nil, err
	}
	for _, h := range newest.Hits {
		p.Newest = append(p.Newest, newBrief(h.Brief, r.lang))
	}
	if len(p.Newest) > 0 {
		return p, p.ways(r)
	}
	return p, nil
}

// ways shows what can be asked with answers from this library, so that no
// example is out of date.
func (p *homePage) ways(r *request) error {
	q := examples(r.lang)[0].Text
	found, err := r.app.Search(app.SearchQuery{Text: q, Lang: r.lang, Limit: 1, Facets: []string{}})
	if err != nil {
		return err
	}
	if len(found.Hits) > 0 {
		b := newBrief(found.Hits[0].Brief, r.lang)
		p.Ways = append(p.Ways, way{
			word("way-search", p.Lang), word("way-search-what", p.Lang), link{b.Href, b.ID + " · " + b.Org},
			b.Title.S, "precedent search " + `"` + q + `"`,
		})
		like, err := r.app.Similar(b.ID, 1)
		if err != nil {
			return err
		}
		if len(like.Cases) > 0 {
			one := newBrief(like.Cases[0].Brief, r.lang)
			p.Ways = append(p.Ways, way{
				word("way-similar", p.Lang), word("way-similar-what", p.Lang),
				link{p.U("/cases/" + b.ID + "/similar"), b.ID + " → " + one.ID + " · " + one.Org},
				read(&like.Cases[0].Why, p.Lang).S, "precedent similar " + b.ID,
			})
		}
	}
	if p.Matrix != nil && len(p.Matrix.Rows) > 0 {
		return p.topicWay(r)
	}
	return nil
}

// topicWay shows the topic of the mechanism that most cases have.
func (p *homePage) topicWay(r *request) error {
	top := r.app.Matrix("mechanism", "component", 1, 1).Rows[0]
	t, err := r.app.Topic(top.List + "/" + top.ID)
	if err != nil {
		return err
	}
	name := read(&t.Term.Name, p.Lang).S
	answer := count(t.Count, p.Lang)
	if len(t.Remedies) > 0 {
		best := t.Remedies[0]
		answer += fmt.Sprintf(word("way-topic-answer", p.Lang), read(&best.Name, p.Lang).S, len(best.Effects["worked"]), best.Total)
	}
	p.Ways = append(p.Ways, way{
		word("way-topic", p.Lang), word("way-topic-what", p.Lang), link{p.U("/topics/" + t.List + "/" + t.Term.ID), name},
		answer, "precedent topic " + t.Term.ID,
	})
	return nil
}

func newMatrix(m *app.Matrix, l bilingual.Lang) *matrix {
	if len(m.Rows) == 0 || len(m.Cols) == 0 {
		return nil
	}
	out := &matrix{}
	for j, c := range m.Cols {
		out.Cols = append(out.Cols, matrixHead{termLink(c.TermRef, l), j >= phoneCols})
	}
	for i, r := range m.Rows {
		row := matrixRow{Head: termLink(r.TermRef, l)}
		for j, c := range m.Cols {
			n := len(m.Cells[i][j])
			cell := matrixCell{Dots: min(n, maxDots), More: max(0, n-maxDots), Late: j >= phoneCols}
			if n > 0 {
				cell.Href = localPath(l, "/search?component="+c.ID+"&mechanism="+r.ID)
				cell.Label = row.Head.Text + " × " + out.Cols[j].Text + ": " + count(n, l)
			}
			row.Cells = append(row.Cells, cell)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
