package simview

import (
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// expectations shows whether what the file expects holds, beside what was published.
func (v *view) expectations(r *study.Run) {
	if r.Unchecked > 0 {
		v.f(`<p class="sub">%s</p>`, v.w("unchecked", r.Unchecked))
	}
	if len(r.Expectations) == 0 {
		return
	}
	v.f(`<h3>%s</h3><div class="sim-table"><table class="expect-table"><thead><tr><th>%s</th><th>%s</th><th>%s</th><th></th></tr></thead><tbody>`,
		v.w("expected"), v.w("expectation"), v.w("published"), v.w("gave"))
	for _, o := range r.Expectations {
		class, word := "heal", v.w("met")
		if !o.Holds {
			class, word = "fail", v.w("unmet")
		}
		if len(o.Seeds) > 1 {
			word += ", " + v.w("of", o.Held, len(o.Seeds))
		}
		v.f(`<tr><td><b>%s</b>`, o.Name)
		if !o.About.IsZero() {
			v.f("<br>%s", v.read(o.About))
		}
		v.f(`<br><code>%s</code></td>`, o.That)
		v.cell("published", v.read(o.Published))
		v.cell("gave", gave(o, v.l))
		v.f(`<td class="%s">%s</td></tr>`, class, word)
	}
	v.WriteString("</tbody></table></div>\n")
}

// cell shows a text that may be empty, with the name of its column for narrow screens,
// where a row is read from top to bottom.
func (v *view) cell(column, text string) {
	if text == "" {
		v.f("<td></td>")
		return
	}
	v.f(`<td data-column="%s">%s</td>`, v.w(column), text)
}

// gave says what the first run gave, or why the first that fails does.
func gave(o scenario.Outcome, l bilingual.Lang) string {
	for _, s := range o.Seeds {
		if !s.Held && !o.Holds {
			return s.WhyIn(l)
		}
	}
	var all []string
	for _, s := range o.Seeds[:min(len(o.Seeds), 1)] {
		for _, m := range s.Values {
			all = append(all, m.Of+" = "+m.TextIn(l))
		}
	}
	return strings.Join(all, "; ")
}
