package draft

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// YAML returns the draft as a case file in its canonical formatting.
// Everything that no field takes stands in comments.
func (d *Draft) YAML() []byte { return d.yaml }

// write renders the draft.
func (d *Draft) write(r *record, id string) error {
	w := &writer{lang: d.Lang}
	w.record(r, id)
	if w.out.Len() > strictyaml.MaxSize {
		return fmt.Errorf("drafting a case: %w: its text makes a file of %d bytes, the limit is %d; cut the report",
			errTooLarge, w.out.Len(), strictyaml.MaxSize)
	}
	out, problems := casefile.Format(id+".yaml", w.out.Bytes())
	if out == nil {
		return fmt.Errorf("drafting a case: %v", problems[0])
	}
	d.yaml = out
	return nil
}

// A writer writes one record. All comments stand on lines of their own above
// a field or list element, the one place where any YAML tool keeps them.
type writer struct {
	out  bytes.Buffer
	lang string
	wait []string // notes of absent fields, for the next one
}

const commentWidth = 96

// comment writes notes as comment lines.
func (w *writer) comment(level int, notes ...string) {
	indent := strings.Repeat("  ", level)
	for _, note := range notes {
		if note == "" {
			continue
		}
		for line := range strings.SplitSeq(clean(note), "\n") {
			for _, part := range fold(line, commentWidth-len(indent)) {
				w.out.WriteString(strings.TrimRight(indent+"# "+part, " ") + "\n")
			}
		}
	}
}

// fold breaks a line at spaces. Lines that begin with a space, as code does,
// stay as they are.
func fold(line string, width int) []string {
	if len(line) <= width || strings.HasPrefix(line, " ") {
		return []string{line}
	}
	var lines []string
	now := ""
	for _, word := range strings.Split(line, " ") {
		if now != "" && len(now)+1+len(word) > width {
			lines = append(lines, now)
			now = word
			continue
		}
		if now != "" {
			now += " "
		}
		now += word
	}
	return append(lines, now)
}

// key writes the notes and the beginning of a field.
func (w *writer) key(level int, name string, notes ...string) {
	if level == 0 {
		w.comment(0, w.wait...)
		w.wait = nil
	}
	w.comment(level, notes...)
	fmt.Fprintf(&w.out, "%s%s:", strings.Repeat("  ", level), name)
}

func (w *writer) scalar(level int, name, value string, notes ...string) {
	if value == "" {
		w.skip(level, notes...)
		return
	}
	w.key(level, name, notes...)
	w.out.WriteString(" " + quoted(value) + "\n")
}

// skip keeps the notes of an absent field.
func (w *writer) skip(level int, notes ...string) {
	if level == 0 {
		w.wait = append(w.wait, notes...)
		return
	}
	w.comment(level, notes...)
}

// quoted writes s in double quotes, the style that holds any text.
func quoted(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(clean(s))
	return `"` + s + `"`
}

// prose is quoted for a text. In case files [^1] names a source; a report
// means its own footnotes by it.
func prose(s string) string { return quoted(strings.ReplaceAll(s, "[^", "[ ^")) }

func (w *writer) text(level int, name, value string, notes ...string) {
	if value == "" {
		w.skip(level, notes...)
		return
	}
	w.key(level, name, notes...)
	fmt.Fprintf(&w.out, "\n%s%s: %s\n", strings.Repeat("  ", level+1), w.lang, prose(value))
}

// choose is the placeholder of a code, which is for the editor to choose.
// fields are pairs of a field and its vocabulary list.
func choose(fields ...string) string {
	var parts []string
	for i := 0; i+1 < len(fields); i += 2 {
		parts = append(parts, fmt.Sprintf("%s (list %s)", fields[i], fields[i+1]))
	}
	return "to choose: " + strings.Join(parts, ", ")
}

func (w *writer) record(r *record, id string) {
	w.comment(0, "A draft made from a report by precedent import. What no field takes stands in comments;",
		"delete them when the case is complete. A case is written in its own words;",
		"its format is on the page /docs/format of precedent serve.")
	w.comment(0, r.top...)
	w.key(0, "schema")
	w.out.WriteString(" 1\n")
	w.scalar(0, "id", id)
	w.scalar(0, "state", "draft")
	w.org(r)
	w.scalar(0, "product", r.product.text, r.product.notes...)
	w.text(0, "title", r.title.text, append(r.title.notes, missing(r.title.text, "title: the report has none"))...)
	w.text(0, "summary", r.summary.text, append(r.summary.notes, missing(r.summary.text, "summary: two to four sentences"))...)
	w.text(0, "narrative", r.narrative.text, r.narrative.notes...)
	w.scalar(0, "date", r.date.text, append(r.date.notes, missing(r.date.text, "date: none found"))...)
	w.scalar(0, "date_kind", r.dateKind.text)
	w.times(r)
	w.durations(r)
	w.observed(r)
	if w.open(0, "severity", r.severity.text != "", r.severity.notes) {
		w.scalar(1, "stated", r.severity.text)
	}
	w.impact(r)
	w.symptoms(r)
	if w.open(0, "trigger", r.trigger.text != "", r.trigger.notes) {
		w.comment(1, choose("kind", "trigger"))
		w.text(1, "text", r.trigger.text)
	}
	w.causes(r)
	w.wait = append(w.wait, choose("mechanisms[].code", "mechanism", "components[].code", "component"))
	w.wait = append(w.wait, r.suggested...)
	if w.open(0, "detection", r.detection.text != "", r.detection.notes) {
		w.comment(1, choose("how", "detection"))
		w.text(1, "text", r.detection.text)
	}
	w.entries("actions", &r.actions, choose("kind", "remedy", "effect", "effect"))
	w.entries("followups", &r.followups, choose("kind", "remedy", "aim", "aim"))
	w.lessons(r)
	w.sources(r)
	w.references(r)
	w.key(0, "review")
	w.out.WriteString("\n  status: unreviewed\n")
	w.rest(r)
}

func missing(value, note string) string {
	if value != "" {
		return ""
	}
	return note
}

// open begins a mapping or list, if there is something to put in it.
func (w *writer) open(level int, name string, filled bool, notes []string) bool {
	if !filled {
		w.skip(level, notes...)
		return false
	}
	w.key(level, name, notes...)
	w.out.WriteString("\n")
	return true
}
