// Package simview shows the answer to a question about a system as HTML: the
// finding in words, the charts of the run, and the evidence as tables. It is
// small and without templates, since it also runs in the browser, where the
// same words and charts are made without a server.
package simview

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// view writes HTML in one language.
type view struct {
	strings.Builder
	l bilingual.Lang
}

// f writes HTML with its arguments escaped.
func (v *view) f(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = html.EscapeString(s)
		}
	}
	fmt.Fprintf(v, format, args...)
}

// read returns a text as far as it is there.
func (v *view) read(t bilingual.Text) string {
	s, _ := t.Read(v.l)
	return s
}

// joined joins texts.
func (v *view) joined(all []bilingual.Text, sep string) string {
	var words []string
	for _, t := range all {
		words = append(words, v.read(t))
	}
	return strings.Join(words, sep)
}

// w returns a word, with arguments put in.
func (v *view) w(key string, args ...any) string {
	text := words[key].In(v.l)
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Answer shows an answer.
func Answer(a *study.Answer, l bilingual.Lang) string {
	v := &view{l: l}
	if len(a.Missing) > 0 {
		v.f(`<p class="sub">%s</p>`, v.w("missing", v.joined(a.Missing, "; ")))
	}
	if a.Judgment != nil {
		v.verdict(a.Judgment.Judgment)
	}
	if len(a.Edges) > 0 || a.Edges != nil && len(a.Missing) == 0 {
		v.edges(a.Edges)
	}
	if a.Remedies != nil {
		v.remedies(a.Remedies.Remedies)
	}
	if a.Map != nil {
		v.phaseMap(a.Map)
	}
	if len(a.Explorations) > 0 {
		v.orders(a.Explorations)
	}
	if a.Explanation != nil {
		v.explanation(a.Explanation)
	}
	for i := range a.Runs {
		v.run(&a.Runs[i], a.Judgment == nil)
	}
	if a.Judgment != nil {
		v.trials(a.Judgment.Judgment)
	}
	v.warnings(a.Warnings)
	if a.Command != "" {
		v.f(`<p class="sub">%s <code>%s</code></p>`, v.w("command"), a.Command)
	}
	return v.String()
}

// Variants returns the options of a choice of the variants of a system file, none
// where it has none.
func Variants(system, chosen string, l bilingual.Lang) string {
	all := scenario.Variants([]byte(system))
	if len(all) == 0 {
		return ""
	}
	v := &view{l: l}
	v.f(`<option value="">%s</option>`, v.w("as-it-is"))
	for _, one := range all {
		selected := ""
		if one.Name == chosen {
			selected = " selected"
		}
		v.f(`<option value="%s" title="%s"`, one.Name, strings.Join(strings.Fields(v.read(one.About.Text)), " "))
		v.f(selected+`>%s</option>`, one.Name)
	}
	return v.String()
}

// Problems shows what is wrong with a system file.
func Problems(all []strictyaml.Problem, l bilingual.Lang) string {
	v := &view{l: l}
	errors := 0
	for _, p := range all {
		if p.Level == strictyaml.Error {
			errors++
		}
	}
	v.f(`<div class="sim-problems" role="alert"><h2>%s</h2>`, v.w("problems", errors))
	v.list(all)
	v.WriteString("</div>\n")
	return v.String()
}

func (v *view) warnings(all []strictyaml.Problem) {
	if len(all) == 0 {
		return
	}
	v.f(`<div class="sim-problems"><h3>%s</h3>`, v.w("warnings"))
	v.list(all)
	v.WriteString("</div>\n")
}

func (v *view) list(all []strictyaml.Problem) {
	v.WriteString("<ol>")
	for _, p := range all {
		line := strconv.Itoa(max(p.Line, 1))
		v.f(`<li data-line="%s"><span class="at">%s</span> `, line, v.w("line", max(p.Line, 1)))
		if p.Field != "" {
			v.f("<code>%s</code> ", p.Field)
		}
		v.f("%s", strictyaml.Printable(p.Msg))
		if p.Help != "" {
			v.f(`<br><span class="sub">%s</span>`, strictyaml.Printable(p.Help))
		}
		v.WriteString("</li>")
	}
	v.WriteString("</ol>")
}

// Failure says why there is no answer.
func Failure(why, remedy string, l bilingual.Lang) string {
	v := &view{l: l}
	v.f(`<div class="sim-problems" role="alert"><h2>%s</h2><p>%s</p>`, v.w("no-answer"), why)
	if remedy != "" {
		v.f(`<p class="sub">%s</p>`, remedy)
	}
	v.WriteString("</div>\n")
	return v.String()
}

// Refused says all that keeps a question from being answered, nothing of other
// errors than those of [study.Read].
func Refused(err error, l bilingual.Lang) string {
	refusals, problems := study.Refused(err)
	said := ""
	for _, r := range refusals {
		text, _ := r.Text.Read(l)
		help, _ := r.Help.Read(l)
		said += Failure(text, help, l)
	}
	if len(problems) > 0 {
		said += Problems(problems, l)
	}
	return said
}

// Progress says how far a question is.
func Progress(stage bilingual.Text, runs int, events uint64, l bilingual.Lang) string {
	v := &view{l: l}
	v.f(`<p class="sim-progress" role="status"><b>%s</b>`, v.w("running"))
	if runs > 0 {
		v.f(" %s", v.w("progress", runs, count(float64(events))))
	}
	if !stage.IsZero() {
		v.f(` <span class="sub">%s</span>`, v.read(stage))
	}
	v.WriteString("</p>\n")
	return v.String()
}
