package web

import (
	"reflect"
	"slices"

	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// kindsPage is the reference of parts.
type kindsPage struct {
	frame
	Kinds []kindDoc
}

// Say returns what a part says about itself in the page's language.
func (p *kindsPage) Say(en string) string { return output.PartsText(en, p.Lang) }

// settingRows are settings with the page that they stand on.
type settingRows struct {
	Page     *kindsPage
	Settings []setting
}

// Rows returns settings for the template that lists them.
func (p *kindsPage) Rows(all []setting) settingRows { return settingRows{p, all} }

// kindDoc describes a kind of part.
type kindDoc struct {
	parts.KindDoc
	Settings []setting
}

// setting is a setting of a part. One that holds others which an earlier one
// holds as well leads there.
type setting struct {
	parts.FieldDoc
	ID       string
	See      link
	Settings []setting
}

// settings lays out the fields of a kind, under a path.
func settings(path string, fields []parts.FieldDoc, seen *[]setting) []setting {
	var all []setting
	for _, f := range fields {
		one := setting{FieldDoc: f}
		if len(f.Fields) > 0 {
			one.ID = path + "." + f.Name
			at := slices.IndexFunc(*seen, func(s setting) bool { return reflect.DeepEqual(s.Fields, f.Fields) })
			if at >= 0 {
				one.See = link{"#" + (*seen)[at].ID, (*seen)[at].ID}
			} else {
				*seen = append(*seen, one)
				one.Settings = settings(one.ID, f.Fields, seen)
			}
		}
		all = append(all, one)
	}
	return all
}

func (*kindsPage) template() string { return "parts-reference" }

func (s *site) simParts(r *request) (page, error) {
	p := &kindsPage{frame: s.newFrame(r, "/simulator/parts", word("parts-title", r.lang))}
	var seen []setting
	for _, k := range parts.Reference() {
		p.Kinds = append(p.Kinds, kindDoc{k, settings(k.Name, k.Fields, &seen)})
	}
	p.Nav, p.Kind, p.Desc, p.Data = "simulator", "parts", word("parts-lede", r.lang), "/simulator/parts"
	return p, nil
}
