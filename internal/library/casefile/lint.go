package casefile

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Lint reports everything that is wrong inside one case. What only shows
// between cases, such as a link to a case that does not exist, is the
// library's to report.
func Lint(c *Case, doc *strictyaml.Doc, terms *vocab.Set) strictyaml.Problems {
	l := &linter{c: c, doc: doc, terms: terms}
	for _, rule := range []func(*linter){
		(*linter).identity, (*linter).required, (*linter).choices, (*linter).codes, (*linter).ranges,
		(*linter).languages, (*linter).lengths, (*linter).endings, (*linter).figures,
		(*linter).weekdays, (*linter).zones, (*linter).order, (*linter).actionTimes, (*linter).stated,
		(*linter).sources, (*linter).evidence, (*linter).urls, (*linter).relations,
	} {
		rule(l)
	}
	l.problems.Sort()
	return l.problems
}

type linter struct {
	c        *Case
	doc      *strictyaml.Doc
	terms    *vocab.Set
	problems strictyaml.Problems
}

func (l *linter) error(rule, field, msg, help string) {
	l.problems = append(l.problems, l.doc.Problem(strictyaml.Error, rule, field, msg, help))
}

func (l *linter) warn(rule, field, msg, help string) {
	l.problems = append(l.problems, l.doc.Problem(strictyaml.Warning, rule, field, msg, help))
}

var (
	idForm   = lazyregexp.New(IDForm)
	slugForm = lazyregexp.New(SlugForm)
)

// MaxNumber is the highest number that the id of a case can have.
const MaxNumber = 999_999

// ValidID reports whether id has the form of a case id, such as PR-0042.
func ValidID(id string) bool { return idForm.MatchString(id) }

// ValidSlug reports whether slug has the form of an organisation's lower-case
// name, such as example-shop.
func ValidSlug(slug string) bool { return slugForm.MatchString(slug) }

func (l *linter) identity() {
	if l.c.ID != "" && !ValidID(l.c.ID) {
		l.error("bad-id", "id", fmt.Sprintf("%q is no case id", l.c.ID), "write capital letters, a hyphen and four to six digits, as in PR-0042")
	}
	if want := strings.TrimSuffix(path.Base(l.doc.File), ".yaml"); l.c.ID != "" && l.c.ID != want {
		l.error("file-name", "id", fmt.Sprintf("is %q in the file of %q", l.c.ID, want), fmt.Sprintf("name the file %s.yaml", l.c.ID))
	}
	if l.c.Schema != SchemaVersion && l.doc.Has("schema") {
		l.error("schema", "schema", fmt.Sprintf("version %d is not known", l.c.Schema), fmt.Sprintf("this program reads version %d", SchemaVersion))
	}
	if l.c.Org.Slug != "" && !ValidSlug(l.c.Org.Slug) {
		l.error("bad-slug", "org.slug", fmt.Sprintf("%q is no slug", l.c.Org.Slug), "use lower-case letters, digits and hyphens")
	}
}

// needed returns the paths of the fields that a case of this state must have.
// A draft needs only what makes it a record.
func (l *linter) needed() []string {
	need := append(DraftFields(), "review.status")
	switch l.c.State {
	case "draft":
		return need
	case "withdrawn": // its text may be gone
		return append(need, "withdrawn_reason")
	}
	need = append(need, "org", "org.slug", "org.name", "summary", "date", "date_kind",
		"symptoms", "symptoms.text", "symptoms.codes", "causes", "components", "sources")
	each := func(list string, n int, fields ...string) {
		for i := range n {
			for _, f := range fields {
				need = append(need, fmt.Sprintf("%s[%d].%s", list, i, f))
			}
		}
	}
	each("observed", len(l.c.Observed), "at", "text")
	each("causes", len(l.c.Causes), "code", "role")
	each("mechanisms", len(l.c.Mechanisms), "code")
	each("components", len(l.c.Components), "code", "role")
	each("actions", len(l.c.Actions), "text", "kind", "effect")
	each("followups", len(l.c.Followups), "text", "kind", "aim")
	each("conditions", len(l.c.Conditions), "id", "statement")
	each("sources", len(l.c.Sources), "id", "url", "kind")
	each("references", len(l.c.References), "url", "title")
	each("related", len(l.c.Related), "id", "relation")
	each("not_related", len(l.c.NotRelated), "id", "reason")
	each("conflicts", len(l.c.Conflicts), "field", "values", "chosen")
	for _, parent := range []string{"trigger.text", "trigger.kind", "detection.text", "detection.how", "severity.stated"} {
		if field, _, _ := strings.Cut(parent, "."); l.doc.Has(field) {
			need = append(need, parent)
		}
	}
	for _, one := range []string{"start", "detected", "identified", "mitigated", "resolved", "published"} {
		if l.doc.Has("times." + one) {
			need = append(need, "times."+one+".at")
		}
	}
	return need
}

func (l *linter) required() {
	for _, field := range l.needed() {
		parent := field[:max(strings.LastIndexAny(field, ".["), 0)]
		if !l.doc.Has(field) && (parent == "" || l.doc.Has(parent)) {
			l.error("required", field, "is missing", "write it; the format is on the page /docs/format of precedent serve")
		}
	}
	for _, list := range []string{"symptoms.codes", "causes", "components", "sources"} {
		if l.doc.Has(list) && !l.doc.Has(list+"[0]") {
			l.error("required", list, "is empty", "write at least one entry")
		}
	}
}

// choices checks the closed sets that are part of the format itself.
func (l *linter) choices() {
	check := func(field, value string, index ...any) {
		allowed := Choices(field)
		if value != "" && !slices.Contains(allowed, value) {
			at := fmt.Sprintf(strings.ReplaceAll(field, "[]", "[%d]"), index...)
			l.error("bad-choice", at, fmt.Sprintf("%q is not allowed", value), "write "+strings.Join(allowed, ", "))
		}
	}
	check("state", l.c.State)
	check("date_kind", l.c.DateKind)
	for i, cause := range l.c.Causes {
		check("causes[].role", cause.Role, i)
	}
	for i, component := range l.c.Components {
		check("components[].role", component.Role, i)
	}
	for _, one := range l.c.Times.named() {
		check("times."+one.name+".basis", one.Basis)
	}
	if l.c.Severity != nil {
		check("severity.basis", l.c.Severity.Basis)
	}
	check("review.status", l.c.Review.Status)
}

func (l *linter) codes() {
	for _, code := range l.c.Codes() {
		if msg, help, wrong := l.terms.Check(code.List, code.ID); wrong {
			l.error("unknown-term", code.Path, msg, help)
		}
	}
	l.repeated()
}

// repeated reports terms that stand twice in a list, each once, however often
// it does.
func (l *linter) repeated() {
	type use struct {
		first, again string
		count        int
	}
	uses := map[string]*use{}
	var found []Code
	for _, code := range l.c.Codes() {
		switch code.List {
		case "tag", "symptom", "impact", "mechanism":
			key := code.List + "/" + code.ID
			u := uses[key]
			if u == nil {
				uses[key] = &use{first: code.Path, count: 1}
				continue
			}
			if u.count++; u.count == 2 {
				u.again = code.Path
				found = append(found, code)
			}
		}
	}
	for _, code := range found {
		u := uses[code.List+"/"+code.ID]
		msg := fmt.Sprintf("%q stands already at %s", code.ID, u.first)
		if u.count > 2 {
			msg += fmt.Sprintf(", and %d times in all", u.count)
		}
		l.error("repeated-term", u.again, msg, "keep one")
	}
}

func (l *linter) ranges() {
	if r := l.c.Impact.ErrorRateMax; r != nil && (*r < 0 || *r > 1) {
		l.error("out-of-range", "impact.error_rate_max", fmt.Sprintf("%v is no share", *r), "write a fraction of one, 0.55 for 55%")
	}
	if s := l.c.Severity; s != nil && l.doc.Has("severity.level") && (s.Level < 1 || s.Level > 4) {
		l.error("out-of-range", "severity.level", fmt.Sprintf("%d is no level", s.Level), "write 1 (worst) to 4")
	}
	for i, o := range l.c.Observed {
		if o.Unit == "ratio" && o.Value != nil && (*o.Value < 0 || *o.Value > 1) {
			l.error("out-of-range", fmt.Sprintf("observed[%d].value", i), fmt.Sprintf("%v is no ratio", *o.Value), "write a fraction of one")
		}
		if (o.Value == nil) != (o.Metric == "") {
			l.error("half-measured", fmt.Sprintf("observed[%d]", i), "has only one of metric and value", "write both or neither")
		}
	}
	if l.c.State == "merged" && l.c.SupersededBy == "" {
		l.error("required", "superseded_by", "is missing", "name the case it became part of")
	}
	if l.c.State == "published" && l.c.SupersededBy != "" {
		l.error("contradiction", "superseded_by", "names a case to read instead of one that is published",
			"set the state to merged or withdrawn, or leave the link out")
	}
}

func (l *linter) sources() {
	known := map[string]bool{}
	for i, s := range l.c.Sources {
		if known[s.ID] {
			l.error("duplicate-id", fmt.Sprintf("sources[%d].id", i), fmt.Sprintf("%q stands twice", s.ID), "give each source its own id")
		}
		known[s.ID] = true
	}
	ids := make([]string, 0, len(known))
	for _, s := range l.c.Sources {
		ids = append(ids, s.ID)
	}
	check := func(field, id string) {
		if !known[id] {
			l.error("dangling-source", field, fmt.Sprintf("no source %q", id), "the sources here are "+cmp.Or(strings.Join(ids, ", "), "none"))
		}
	}
	for field, refs := range l.c.sourceRefs() {
		for i, id := range refs {
			check(fmt.Sprintf("%s[%d]", field, i), id)
		}
	}
	for i, conflict := range l.c.Conflicts {
		for j, v := range conflict.Values {
			check(fmt.Sprintf("conflicts[%d].values[%d].source", i, j), v.Source)
		}
	}
	for _, t := range l.c.Texts() {
		for _, lang := range bilingual.Langs {
			for _, m := range footnotes(t.In(lang)) {
				check(t.Path+"."+string(lang), m)
			}
		}
	}
}

var footnote = lazyregexp.New(`\[\^([^\]\s]+)\]`)

// footnotes returns the ids of the sources that text names as [^id], in order.
func footnotes(text string) []string {
	var ids []string
	for _, m := range footnote.FindAllStringSubmatch(text, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// firstParty reports whether a source kind is the organisation's own word.
func firstParty(kind string) bool {
	switch kind {
	case "official-postmortem", "official-status", "engineering-blog", "issue-tracker", "repo-postmortem", "talk":
		return true
	}
	return false
}

func (l *linter) evidence() {
	if len(l.c.Sources) == 0 || l.c.State == "draft" || l.c.State == "withdrawn" {
		return
	}
	first := slices.ContainsFunc(l.c.Sources, func(s Source) bool { return firstParty(s.Kind) })
	switch {
	case !first && l.c.Review.NoFirstParty == nil:
		l.error("no-first-party", "sources", "no source is the organisation's own",
			"add one, or say in review.no_first_party why none could be read")
	case first && !firstParty(l.c.Sources[0].Kind):
		l.warn("no-first-party", "sources[0].kind", fmt.Sprintf("facts rest on a %s source first", l.c.Sources[0].Kind), "put a first-party source first")
	}
}

func (l *linter) urls() {
	check := func(field, raw string) {
		if raw == "" {
			return
		}
		u, err := url.Parse(raw)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || strings.ContainsAny(raw, " <>\"") {
			l.error("bad-url", field, fmt.Sprintf("%q is no web address", raw), "write https://...")
		}
	}
	for i, s := range l.c.Sources {
		check(fmt.Sprintf("sources[%d].url", i), s.URL)
		check(fmt.Sprintf("sources[%d].archived_url", i), s.ArchivedURL)
	}
	for i, r := range l.c.References {
		check(fmt.Sprintf("references[%d].url", i), r.URL)
	}
}

func (l *linter) relations() {
	check := func(field, id string) {
		switch {
		case !ValidID(id):
			l.error("bad-id", field, fmt.Sprintf("%q is no case id", id), "write it as in PR-0042")
		case id == l.c.ID:
			l.error("self-link", field, "names the case itself", "name another case")
		}
	}
	for i, r := range l.c.Related {
		check(fmt.Sprintf("related[%d].id", i), r.ID)
	}
	for i, r := range l.c.NotRelated {
		check(fmt.Sprintf("not_related[%d].id", i), r.ID)
		if slices.ContainsFunc(l.c.Related, func(o Related) bool { return o.ID == r.ID }) {
			l.error("contradiction", fmt.Sprintf("not_related[%d].id", i), fmt.Sprintf("%s is also in related", r.ID), "keep one")
		}
	}
	if l.c.SupersededBy != "" {
		check("superseded_by", l.c.SupersededBy)
	}
	seen := map[string]bool{}
	for i, cond := range l.c.Conditions {
		if seen[cond.ID] {
			l.error("duplicate-id", fmt.Sprintf("conditions[%d].id", i), fmt.Sprintf("%q stands twice", cond.ID), "give each condition its own id")
		}
		seen[cond.ID] = true
	}
}
