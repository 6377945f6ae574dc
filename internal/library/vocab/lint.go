package vocab

import (
	"fmt"
	"path"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

var idForm = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// lint reports what is wrong inside one list.
func lint(doc *strictyaml.Doc, l *List) strictyaml.Problems {
	var problems strictyaml.Problems
	report := func(level strictyaml.Level, rule, field, msg, help string) {
		problems = append(problems, doc.Problem(level, rule, field, msg, help))
	}
	if want := strings.TrimSuffix(path.Base(doc.File), ".yaml"); l.ID != want {
		report(strictyaml.Error, "file-name", "list", fmt.Sprintf("is %q in the file of %q", l.ID, want), "name the file after the list")
	} else if !idForm.MatchString(l.ID) {
		report(strictyaml.Error, "bad-id", "list", fmt.Sprintf("%q is no id", l.ID), "use lower-case letters, digits and hyphens")
	}
	sides := func(field string, t bilingual.Text) {
		for _, lang := range bilingual.Langs {
			if strings.TrimSpace(t.In(lang)) == "" {
				report(strictyaml.Warning, "missing-language", field, fmt.Sprintf("the %q side is missing", lang), "write it")
			}
		}
	}
	sides("name", l.Name)
	sides("definition", l.Definition)
	seen := map[string]int{}
	for i, t := range l.Terms {
		at := fmt.Sprintf("terms[%d]", i)
		if !idForm.MatchString(t.ID) {
			report(strictyaml.Error, "bad-id", at+".id", fmt.Sprintf("%q is no id", t.ID), "use lower-case letters, digits and hyphens")
		}
		if first, again := seen[t.ID]; again {
			report(strictyaml.Error, "duplicate-id", at+".id", fmt.Sprintf("%q is also terms[%d]", t.ID, first), "keep one")
		}
		seen[t.ID] = i
		sides(at+".name", t.Name)
		sides(at+".definition", t.Definition)
	}
	return append(problems, synonyms(doc, l)...)
}

// synonyms reports phrases that stand for two terms of a list, which would
// make a query ambiguous.
func synonyms(doc *strictyaml.Doc, l *List) strictyaml.Problems {
	var problems strictyaml.Problems
	owner := map[string]string{}
	for i := range l.Terms {
		t := &l.Terms[i]
		for _, p := range t.Phrases() {
			key := strings.ToLower(strings.Join(strings.Fields(p), " "))
			if other, taken := owner[key]; taken && other != t.ID {
				problems = append(problems, doc.Problem(strictyaml.Error, "ambiguous-synonym", fmt.Sprintf("terms[%d].synonyms", i),
					fmt.Sprintf("%q also stands for %q", p, other), "keep it with the term it fits best"))
			}
			owner[key] = t.ID
		}
	}
	return problems
}
