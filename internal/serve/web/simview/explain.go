package simview

import (
	"strings"

	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/system"
)

// explanation shows what follows from a system before anything runs.
func (v *view) explanation(e *study.Explanation) {
	v.f(`<section><h2>%s</h2>`, v.w("explain"))
	v.bounds(e.Bounds)
	v.f(`<h3>%s</h3><div class="sim-table"><table><thead><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th></tr></thead><tbody>`,
		v.w("load"), v.w("part"), v.w("kind"), v.w("rate"), v.w("capacity"), v.w("busy"))
	for _, p := range e.Parts {
		v.f("<tr><td>%s</td><td>%s</td><td>%s</td>", p.Name, p.Kind, v.rate(p.Rate, p.AtMost))
		if p.Capacity > 0 {
			class := "heal"
			if p.Utilisation >= 1 {
				class = "fail"
			}
			v.f(`<td>%s</td><td><b class="%s">%s</b></td></tr>`, v.rate(p.Capacity, false), class, percent(p.Utilisation))
		} else {
			v.WriteString("<td></td><td></td></tr>")
		}
	}
	v.WriteString("</tbody></table></div>\n")
	v.f(`<h3>%s</h3><div class="sim-table"><table><thead><tr><th>%s</th><th>%s</th><th>%s</th></tr></thead><tbody>`,
		v.w("calls"), v.w("call"), v.w("rate"), v.w("policy"))
	for _, c := range e.Calls {
		v.f("<tr><td>%s → %s</td><td>%s</td><td>%s</td></tr>", c.From, c.To, v.rate(c.Rate, c.AtMost), strings.Join(c.Policy, ", "))
	}
	v.f(`</tbody></table></div><h3>%s</h3><pre class="sim-file">%s</pre></section>`+"\n", v.w("whole"), e.YAML)
}

func (v *view) rate(perSecond float64, atMost bool) string {
	text := count(perSecond) + "/s"
	if atMost {
		text = "≤ " + text
	}
	return text
}

// bounds lists what formulas say, what does not hold first.
func (v *view) bounds(all []system.Bound) {
	if len(all) == 0 {
		return
	}
	v.f(`<h3>%s</h3><ul class="sim-bounds">`, v.w("bounds"))
	for _, holds := range []bool{false, true} {
		for _, b := range all {
			if b.Holds != holds {
				continue
			}
			class, word := "heal", "holds-true"
			if !b.Holds {
				class, word = "fail", "holds-false"
			}
			kind := "bound"
			if b.Exact {
				kind = "exact"
			}
			v.f(`<li><b class="%s">%s</b> <b>%s</b> %s <span class="sub">%s; %s</span></li>`, class, v.w(word), b.At, b.Says.In(v.l), b.FormulaIn(v.l), v.w(kind))
		}
	}
	v.WriteString("</ul>\n")
}
