package simview

import (
	"math"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// verdict says what was found and why.
func (v *view) verdict(j *verdict.Judgment) {
	v.f(`<div class="sim-verdict %s"><h2>%s</h2>`, signal(j.Class), v.w(className(j.Class)))
	v.f("<p>%s</p>", v.why(j))
	switch t := decisive(j); {
	case t == nil || t.Amplification == 0:
	case t.CalmDown > 0:
		v.f("<p>%s</p>", v.w("no-loop", t.CalmDown, t.CalmRuns, percent(t.Useful)))
	default:
		v.f("<p>%s</p>", v.w("loop", percent(t.Useful), short(math.Round(10*t.Amplification)/10), v.span(t.Counterfactual)))
	}
	if j.Class != verdict.Unjudged {
		v.f(`<p class="sub">%s</p>`, v.w("protocol", j.Baseline.Seeds, j.Baseline.Seeds, percent(j.Limit), v.span(j.Window)))
	}
	v.WriteString("</div>\n")
}

// className is the key of the words of a class.
func className(c verdict.Class) string {
	if c == verdict.Unjudged {
		return "unjudged"
	}
	return string(c)
}

// decisive returns the trial that the verdict rests on.
func decisive(j *verdict.Judgment) *verdict.Trial {
	for i, t := range j.Trials {
		switch j.Class {
		case verdict.Metastable:
			if t.Trigger.Own && t.Tip.Share >= 0.5 {
				return &j.Trials[i]
			}
		case verdict.Vulnerable:
			if t.Tip.Share > 0 {
				return &j.Trials[i]
			}
		case verdict.Driven:
			if t.Trigger.Own {
				return &j.Trials[i]
			}
		}
	}
	return nil
}

func hits(i verdict.Interval, n int) int { return int(math.Round(i.Share * float64(n))) }

func (v *view) why(j *verdict.Judgment) string {
	key := "why-" + className(j.Class)
	t := decisive(j)
	switch {
	case j.Class == verdict.Unjudged || j.Class == verdict.Overloaded && j.JudgedBy[j.Baseline.Worst].Kind != parts.Requests:
		return v.read(j.Why) + "."
	case j.Class == verdict.Overloaded:
		return v.w(key, percent(j.Baseline.Errors))
	case t == nil:
		return v.w(key)
	case j.Class == verdict.Metastable:
		return v.w(key, v.read(t.Trigger.Name), percent(t.After), hits(t.Tip, t.Seeds), t.Seeds)
	case j.Class == verdict.Vulnerable:
		return v.w(key, v.read(t.Trigger.Name), hits(t.Tip, t.Seeds), t.Seeds)
	}
	return v.w(key, v.read(t.Trigger.Name))
}

// Trials shows what each trigger did to a system.
func Trials(j *verdict.Judgment, l bilingual.Lang) string {
	v := &view{l: l}
	v.trialTable(j)
	return v.String()
}

// trials shows the evidence.
func (v *view) trials(j *verdict.Judgment) {
	if len(j.Trials) == 0 {
		return
	}
	v.f(`<section><h3>%s</h3>`, v.w("trials"))
	v.trialTable(j)
	v.WriteString("</section>\n")
}

// trialTable shows what each trigger did.
func (v *view) trialTable(j *verdict.Judgment) {
	v.f(`<div class="sim-table"><table><thead><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th></tr></thead><tbody>`,
		v.w("trigger"), v.w("stays-down"), v.w("errors-during"), v.w("recovery"))
	for _, t := range j.Trials {
		class := "heal"
		if t.Tip.Share > 0 {
			class = "fail"
		}
		v.f(`<tr><td>%s`, v.read(t.Trigger.Name))
		if t.Trigger.Own {
			v.f(` <span class="sub">(%s)</span>`, v.w("given"))
		}
		v.f(`</td><td><b class="%s">%s</b> <span class="sub">%s–%s</span></td><td>%s</td><td>`,
			class, v.w("of", hits(t.Tip, t.Seeds), t.Seeds), percent(t.Tip.Low), percent(t.Tip.High), percent(t.During))
		if t.Tip.Share < 1 {
			v.f("%s", v.span(t.Recovery))
		} else {
			v.WriteString("–")
		}
		calm := v.span(t.Counterfactual)
		if t.CalmDown > 0 {
			calm = v.w("stay-down", t.CalmDown, t.CalmRuns)
		}
		v.f(` <span class="sub">(%s %s)</span></td></tr>`, v.w("without"), calm)
	}
	v.WriteString("</tbody></table></div>\n")
}

// edges shows how little tips a system.
func (v *view) edges(all []verdict.Edge) {
	v.f(`<section><h2>%s</h2>`, v.w("stress"))
	if len(all) == 0 {
		v.f("<p>%s</p></section>", v.w("no-triggers"))
		return
	}
	v.f(`<div class="sim-table"><table><thead><tr><th>%s</th><th>%s</th><th>%s</th></tr></thead><tbody>`,
		v.w("trigger"), v.w("shortest"), v.w("weaker"))
	for _, e := range all {
		v.f("<tr><td>%s</td>", v.read(e.Trigger))
		if !e.Tips {
			v.f(`<td><b class="heal">%s</b> <span class="sub">%s</span></td><td></td></tr>`, v.w("never-tips"), v.w("tried-for", v.span(e.Longest)))
			continue
		}
		shortest := v.span(e.Shortest)
		if e.Moment {
			shortest = v.w("moment")
		}
		v.f(`<td><b class="fail">%s</b> <span class="sub">%s</span></td><td>`, shortest, percent(e.Around[1].Share))
		var points []string
		for _, p := range e.Frontier {
			text := percent(p.Magnitude) + ": "
			if p.Tips && e.Moment {
				text += v.w("tips")
			} else if p.Tips {
				text += v.span(p.Shortest)
			} else {
				text += v.w("never-tips")
			}
			points = append(points, text)
		}
		v.f("%s</td></tr>", strings.Join(points, "; "))
	}
	v.WriteString("</tbody></table></div></section>\n")
}

// remedies shows what brings a system back.
func (v *view) remedies(r *verdict.Remedies) {
	v.f(`<section><h2>%s</h2>`, v.w("remedies"))
	if r == nil {
		v.f("<p>%s</p></section>", v.w("no-remedies"))
		return
	}
	if len(r.Weakest) > 0 {
		v.f(`<p><b class="heal">%s</b></p>`, v.w("weakest", v.joined(r.Weakest, v.w("and"))))
	} else {
		v.f(`<p><b class="fail">%s</b></p>`, v.w("nothing-helps"))
	}
	if r.Overloaded {
		v.f(`<p class="sub">%s</p>`, v.w("relieved", r.Tipped, r.Seeds))
		v.relieving(r)
		return
	}
	v.f(`<p class="sub">%s</p>`, v.w("against", v.read(r.Trigger), r.Tipped, r.Seeds))
	v.f(`<div class="sim-table"><table><thead><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th></tr></thead><tbody>`,
		v.w("remedy"), v.w("cost"), v.w("prevents"), v.w("holds"), v.w("restores"))
	for _, t := range r.Tried {
		v.f("<tr><td>%s</td><td>%s</td><td>", v.joined(t.Remedies, v.w("and")), short(t.Cost))
		if t.Prevents != nil {
			v.f("%s", v.w("of", hits(*t.Prevents, r.Seeds), r.Seeds))
		} else {
			v.WriteString("–")
		}
		class := "fail"
		if t.Restores.Share > 0.5 {
			class = "heal"
		}
		v.f(`</td><td>%s</td><td><b class="%s">%s</b></td></tr>`,
			v.w("of", hits(t.Holds, r.Tipped), r.Tipped), class, v.w("of", hits(t.Restores, r.Tipped), r.Tipped))
	}
	v.WriteString("</tbody></table></div></section>\n")
}

// relieving shows what keeps a system healthy that is overloaded without a trigger.
func (v *view) relieving(r *verdict.Remedies) {
	v.f(`<div class="sim-table"><table><thead><tr><th>%s</th><th>%s</th><th>%s</th></tr></thead><tbody>`,
		v.w("remedy"), v.w("cost"), v.w("healthy"))
	for _, t := range r.Tried {
		class := "fail"
		if t.Prevents.Share > 0.5 {
			class = "heal"
		}
		v.f(`<tr><td>%s</td><td>%s</td><td><b class="%s">%s</b></td></tr>`,
			v.joined(t.Remedies, v.w("and")), short(t.Cost), class, v.w("of", hits(*t.Prevents, r.Seeds), r.Seeds))
	}
	v.WriteString("</tbody></table></div></section>\n")
}
