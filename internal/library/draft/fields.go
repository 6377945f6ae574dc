package draft

import (
	"cmp"
	"slices"
	"strings"
)

func (w *writer) org(r *record) {
	slug := r.slug
	if slug == "" {
		slug = slugOf(r.org.text)
	}
	notes := r.org.notes
	if slug == "" || r.org.text == "" {
		notes = append(notes, "org: {slug: ..., name: ...} of who had the incident")
	}
	if w.open(0, "org", slug+r.org.text != "", notes) {
		w.scalar(1, "slug", slug)
		w.scalar(1, "name", r.org.text)
	}
}

// slugOf writes a name in lower case with hyphens, "" where it is not in
// Latin letters.
func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !isWord(r) })
	slug := strings.Join(words, "-")
	for i := range len(slug) {
		if slug[i] >= 0x80 {
			return ""
		}
	}
	return slug
}

func (w *writer) times(r *record) {
	if !w.open(0, "times", len(r.times) > 0, r.timeNotes) {
		return
	}
	for _, key := range []string{"start", "detected", "identified", "mitigated", "resolved", "published"} {
		at := r.times[key]
		if at == nil {
			continue
		}
		w.key(1, key, at.notes...)
		w.out.WriteString("\n")
		w.scalar(2, "at", at.at)
		w.scalar(2, "zone", at.zone)
		if at.about {
			w.out.WriteString("    about: true\n")
		}
	}
}

func (w *writer) durations(r *record) {
	if !w.open(0, "durations", len(r.durations) > 0, r.lengthNotes) {
		return
	}
	for _, key := range []string{"detect", "identify", "mitigate", "resolve"} {
		l := r.durations[key]
		if l == nil {
			continue
		}
		w.key(1, key, l.notes...)
		w.out.WriteString("\n")
		w.scalar(2, "value", l.value)
		if l.about {
			w.out.WriteString("    about: true\n")
		}
	}
}

func (w *writer) observed(r *record) {
	if w.open(0, "observed", len(r.observed.list) > 0, nil) {
		for _, e := range r.observed.list {
			w.item(e)
		}
	}
	w.wait = append(w.wait, r.observed.pending...)
}

// item writes one list element with its notes above it.
func (w *writer) item(e entry, placeholders ...string) {
	w.comment(1, e.lead...)
	w.comment(1, e.notes...)
	w.comment(1, placeholders...)
	mark := "  - "
	field := func(name, value string) {
		if value != "" {
			w.out.WriteString(mark + name + ": " + value + "\n")
			mark = "    "
		}
	}
	field("role", e.role)
	field("at", quoteFull(e.at))
	field("until", quoteFull(e.until))
	if e.about && e.at != "" {
		field("about", "true")
	}
	field("status", e.status)
	if e.text != "" {
		w.out.WriteString(mark + "text:\n      " + w.lang + ": " + prose(e.text) + "\n")
	}
}

func quoteFull(s string) string {
	if s == "" {
		return ""
	}
	return quoted(s)
}

func (w *writer) entries(name string, list *entries, placeholders ...string) {
	if w.open(0, name, len(list.list) > 0, nil) {
		for _, e := range list.list {
			if e.status != "" && name != "followups" {
				e.notes, e.status = append(e.notes, "marked in the report as "+e.status), ""
			}
			w.item(e, placeholders...)
		}
	}
	w.wait = append(w.wait, list.pending...)
}

func (w *writer) impact(r *record) {
	filled := r.scope.text != "" || r.users.text != "" || len(r.regions) > 0
	if !w.open(0, "impact", filled, nil) {
		w.wait = append(w.wait, slices.Concat(r.scope.notes, r.users.notes, r.regionNotes)...)
		return
	}
	w.comment(1, choose("kinds", "impact"))
	w.text(1, "scope", r.scope.text, r.scope.notes...)
	w.text(1, "users", r.users.text, r.users.notes...)
	if w.open(1, "regions", len(r.regions) > 0, r.regionNotes) {
		for _, name := range r.regions {
			w.out.WriteString("    - " + quoted(name) + "\n")
		}
	}
}

func (w *writer) symptoms(r *record) {
	notes := append(r.symptoms.notes, choose("symptoms.codes", "symptom"))
	if w.open(0, "symptoms", r.symptoms.text != "", notes) {
		w.text(1, "text", r.symptoms.text)
	}
}

func (w *writer) causes(r *record) {
	if len(r.causes.list) == 0 {
		w.wait = append(w.wait, choose("causes[].code", "cause"))
	}
	w.entries("causes", &r.causes, choose("code", "cause"))
}

func (w *writer) lessons(r *record) {
	if w.open(0, "lessons", len(r.lessons.list) > 0, nil) {
		for _, e := range r.lessons.list {
			w.comment(1, e.lead...)
			w.comment(1, e.notes...)
			w.out.WriteString("  - " + w.lang + ": " + prose(e.text) + "\n")
		}
	}
	w.wait = append(w.wait, r.lessons.pending...)
}

func (w *writer) sources(r *record) {
	s := r.source
	w.key(0, "sources")
	w.out.WriteString("\n")
	w.comment(1, s.notes...)
	if s.url == "" {
		w.comment(1, "url: where the report was published")
	}
	w.comment(1, choose("kind", "source-kind"))
	w.out.WriteString("  - id: report\n")
	w.scalar(2, "url", s.url)
	w.scalar(2, "title", s.title)
	w.scalar(2, "lang", s.lang)
	w.scalar(2, "published", s.published)
}

func (w *writer) references(r *record) {
	if w.open(0, "references", len(r.references) > 0, r.referenceNotes) {
		for _, l := range r.references {
			w.out.WriteString("  - url: " + quoted(l.url) + "\n    title: " + quoted(cmp.Or(l.text, l.url)) + "\n")
		}
	}
}

// rest writes what was not placed, below all fields.
func (w *writer) rest(r *record) {
	notes := append(w.wait, r.rest...)
	if len(notes) == 0 {
		return
	}
	w.out.WriteString("\n")
	for i, note := range notes {
		if i > 0 {
			w.out.WriteString("#\n")
		}
		w.comment(0, note)
	}
}
