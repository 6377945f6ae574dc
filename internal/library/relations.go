package library

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// relations reports what is wrong between cases.
func (l *Library) relations() strictyaml.Problems {
	var problems strictyaml.Problems
	for _, id := range l.IDs() {
		e := l.all[id]
		problems = append(problems, l.links(e)...)
	}
	problems = append(problems, l.organisations()...)
	return append(problems, l.duplicates()...)
}

// danglingCase reports a field that names a case which does not exist. One that
// is excluded or not yet written is dangling all the same: it would lead nowhere.
func (l *Library) danglingCase(doc *strictyaml.Doc, field, id string) strictyaml.Problems {
	if _, ok := l.all[id]; ok {
		return nil
	}
	return dangling(doc, field, "case", id, l.IDs())
}

// danglingMechanism reports a field that names a mechanism which is no term.
func (l *Library) danglingMechanism(doc *strictyaml.Doc, field, id string) strictyaml.Problems {
	if _, ok := l.Vocab.Term("mechanism", id); ok {
		return nil
	}
	return dangling(doc, field, "mechanism", id, l.Vocab.IDs("mechanism"))
}

// dangling is the problem of a field that names what is not among the known.
func dangling(doc *strictyaml.Doc, field, what, id string, known []string) strictyaml.Problems {
	help := nearest.Help(id, known, "add it first, or leave it out")
	return strictyaml.Problems{doc.Problem(strictyaml.Error, "dangling", field, fmt.Sprintf("no %s %q", what, id), help)}
}

// links reports links to cases that do not exist.
func (l *Library) links(e *Entry) strictyaml.Problems {
	var problems strictyaml.Problems
	check := func(field, id string) {
		if id != "" {
			problems = append(problems, l.danglingCase(e.doc, field, id)...)
		}
	}
	check("superseded_by", e.SupersededBy)
	if l.circular(e) {
		problems = append(problems, e.doc.Problem(strictyaml.Error, "circular", "superseded_by",
			fmt.Sprintf("%q leads back to %s", e.SupersededBy, e.ID), "leave the link out of the case that is to stay"))
	}
	for i, r := range e.Related {
		check(fmt.Sprintf("related[%d].id", i), r.ID)
	}
	for i, r := range e.NotRelated {
		check(fmt.Sprintf("not_related[%d].id", i), r.ID)
	}
	return problems
}

// circular reports whether the successors of a case lead back to it, so that
// none of them is the one to read.
func (l *Library) circular(e *Entry) bool {
	seen := map[string]bool{}
	for at, ok := l.all[e.SupersededBy]; ok && !seen[at.ID]; at, ok = l.all[at.SupersededBy] {
		if at == e {
			return e.SupersededBy != e.ID // which is reported as a link to itself
		}
		seen[at.ID] = true
	}
	return false
}

// organisations reports one slug with two names and one name with two slugs.
func (l *Library) organisations() strictyaml.Problems {
	var problems strictyaml.Problems
	names, slugs := map[string]*Entry{}, map[string]*Entry{}
	for _, id := range l.IDs() {
		e := l.all[id]
		if e.Org.Slug == "" || e.Org.Name == "" {
			continue
		}
		if first, ok := names[e.Org.Slug]; ok && first.Org.Name != e.Org.Name {
			problems = append(problems, e.doc.Problem(strictyaml.Warning, "two-names", "org.name",
				fmt.Sprintf("is %q, and %q in %s", e.Org.Name, first.Org.Name, first.ID), "write the organisation alike everywhere"))
		}
		if first, ok := slugs[e.Org.Name]; ok && first.Org.Slug != e.Org.Slug {
			problems = append(problems, e.doc.Problem(strictyaml.Warning, "two-names", "org.slug",
				fmt.Sprintf("is %q, and %q in %s", e.Org.Slug, first.Org.Slug, first.ID), "give the organisation one slug"))
		}
		names[e.Org.Slug], slugs[e.Org.Name] = e, e
	}
	return problems
}

// duplicates reports cases that look like the same incident: the same source,
// organisation and date. One report may cover several incidents, so the source
// alone does not tell.
func (l *Library) duplicates() strictyaml.Problems {
	var problems strictyaml.Problems
	seen := map[string]*Entry{}
	for _, id := range l.IDs() {
		e := l.all[id]
		for i, s := range e.Sources {
			key := strings.Join([]string{canonical(s.URL), e.Org.Slug, e.Date.String()}, " ")
			first, ok := seen[key]
			if ok && first != e && !linked(first, e) {
				problems = append(problems, e.doc.Problem(strictyaml.Warning, "duplicate-case", fmt.Sprintf("sources[%d].url", i),
					fmt.Sprintf("%s has this source, organisation and date too", first.ID), "merge the two, or relate them as same-event"))
			}
			seen[key] = e
		}
	}
	return problems
}

func linked(a, b *Entry) bool {
	names := func(x, y *Entry) bool {
		return x.SupersededBy == y.ID || slices.ContainsFunc(x.Related, func(r casefile.Related) bool { return r.ID == y.ID })
	}
	return names(a, b) || names(b, a)
}

// canonical returns what stays of an address when scheme, www, trailing
// slash, fragment and tracking parameters are taken off.
func canonical(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	q := u.Query()
	for key := range q {
		if strings.HasPrefix(key, "utm_") || key == "ref" || key == "source" {
			q.Del(key)
		}
	}
	s := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + strings.TrimSuffix(u.EscapedPath(), "/")
	if len(q) > 0 {
		s += "?" + q.Encode()
	}
	return s
}
