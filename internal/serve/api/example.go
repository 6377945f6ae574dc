package api

import (
	"net/url"
	"slices"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// exampleCase is the case of the examples, where the library has it.
const exampleCase = "IL-0212"

var placeholder = lazyregexp.New(`\{[a-z]+\}`)

// examples returns the words that stand for the placeholders of the table, so
// that every example is true of this library.
func examples(a *app.App) map[string]string {
	words := map[string]string{"{case}": exampleCase}
	all := a.All()
	if !slices.ContainsFunc(all, func(b app.Brief) bool { return b.ID == exampleCase }) && len(all) > 0 {
		words["{case}"] = all[0].ID
	}
	if all := a.Scenarios().Scenarios; len(all) > 0 {
		words["{scenario}"] = all[0].ID
	}
	if all := a.CheckIDs(); len(all) > 0 {
		words["{check}"] = all[0]
	}
	if all := a.Guides().Guides; len(all) > 0 {
		words["{guide}"] = all[0].ID
	}
	if r, err := a.Search(app.SearchQuery{Limit: 1}); err == nil {
		for _, f := range r.Facets {
			if len(f.Terms) > 0 {
				words["{"+f.List+"}"] = f.Terms[0].ID
			}
		}
	}
	return words
}

// fill puts words in for the placeholders in s; one without a word stays.
func fill(s string, words map[string]string) string {
	return placeholder.ReplaceAllStringFunc(s, func(p string) string {
		if w, ok := words[p]; ok {
			return w
		}
		return p
	})
}

// targets returns the addresses of an operation's examples below Root.
func (op *operation) targets(words map[string]string) []string {
	path := placeholder.ReplaceAllStringFunc(op.path, func(p string) string {
		return url.PathEscape(fill(op.param("path", p[1:len(p)-1]).example, words))
	})
	var all []string
	for _, query := range op.examples {
		if query != "" {
			query = "?" + fill(query, words)
		}
		all = append(all, Root+path+query)
	}
	return all
}
