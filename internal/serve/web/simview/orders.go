package simview

import (
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// Orders shows what every order of the steps of protocols leads to.
func Orders(all []study.Exploration, l bilingual.Lang) string {
	v := &view{l: l}
	v.orders(all)
	return v.String()
}

// orders writes which invariants hold in which exploration, and the fewest steps
// that break them, a column for each actor.
func (v *view) orders(all []study.Exploration) {
	var small []string
	for _, s := range all[0].Small {
		small = append(small, s.Path+" = "+s.Value)
	}
	v.f("<p>%s", v.w("orders-lede"))
	if len(small) > 0 {
		v.f(" %s", v.w("orders-small", strings.Join(small, ", ")))
	}
	v.f(`</p><div class="sim-table"><table class="orders-table"><thead><tr><th>%s</th><th>%s</th>`, v.w("orders-variant"), v.w("orders-states"))
	for _, inv := range all[0].Invariants {
		v.f("<th>%s</th>", v.read(inv.Says))
	}
	v.WriteString("</tr></thead><tbody>")
	for i := range all {
		v.orderRow(&all[i])
	}
	v.WriteString("</tbody></table></div>\n")
	for _, told := range study.ToldPaths(all) {
		v.path(told)
	}
}

// orderRow writes what holds in one exploration.
func (v *view) orderRow(x *study.Exploration) {
	v.f(`<tr><td>%s`, x.Label())
	if about := v.read(x.About); about != "" {
		v.f(` <span class="sub">%s</span>`, about)
	}
	states := v.w("orders-count", x.States)
	if !x.Whole {
		states = v.w("orders-more", x.States)
	}
	v.f("</td><td>%s</td>", states)
	for k := range x.Invariants {
		inv := &x.Invariants[k]
		class, text := "heal", v.w("orders-holds")
		switch {
		case inv.Broken:
			class, text = "fail", v.w("orders-broken", len(inv.Path))
		case !x.Whole:
			class, text = "sub", v.w("orders-unknown")
		}
		if !inv.Met {
			text += " " + v.w("orders-unmet")
		}
		v.f(`<td><b class="%s">%s</b></td>`, class, text)
	}
	v.WriteString("</tr>")
}

// path writes an order of steps.
func (v *view) path(p study.ToldPath) {
	var says []string
	for _, inv := range p.Breaks {
		says = append(says, v.read(inv.Says))
	}
	v.f(`<h3>%s</h3><div class="sim-table"><table class="steps-table"><thead><tr><th><span class="sr">%s</span></th>`,
		v.w("orders-path", p.Of.Label(), strings.Join(says, "; ")), v.w("orders-step"))
	actors := p.Acting()
	for _, k := range actors {
		v.f("<th>%s</th>", v.read(p.Of.Actors[k]))
	}
	for _, shown := range p.Of.Shown {
		v.f("<th>%s</th>", v.read(shown))
	}
	v.WriteString("</tr></thead><tbody>")
	for i, s := range p.Path() {
		v.f("<tr><td>%d</td>", i+1)
		for _, k := range actors {
			if k != s.Actor {
				v.WriteString("<td></td>")
				continue
			}
			v.f(`<td class="step">%s</td>`, v.read(s.What))
		}
		for _, after := range s.After {
			v.f(`<td class="sub">%s</td>`, v.read(after))
		}
		v.WriteString("</tr>")
	}
	v.WriteString("</tbody></table></div>\n")
}
