package system

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// checkFit warns of settings of two parts that do not go together: each is
// possible, and both together are hardly meant.
func (p Parts) checkFit(part Part, r *parts.Report) {
	for _, port := range part.Config.Ports() {
		to, ok := p.Named(port.Call.To)
		if !ok {
			continue
		}
		work, _ := setting(to, "work").(parts.Spread)
		if t := port.Call.Timeout; t > 0 && work.Shape() == des.ShapeConstant && work.Mean() >= float64(t) {
			r.Warn(port.Name+".timeout", fmt.Sprintf("the work of %q takes %v, so that no call is answered within %v",
				to.Name, parts.Duration(work.Mean()), t), "wait longer, or make the work shorter")
		}
	}
	most, call := setting(part, "max"), part.Config.Ports()
	max, ok := most.(parts.Count)
	if !ok || part.Kind.Name != "pool" {
		return
	}
	to, found := p.Named(call[0].Call.To)
	room, bounded := setting(to, "room").(parts.Limit)
	if !found || !bounded || room == parts.Unlimited || to.Kind.Name != "server" && to.Kind.Name != "pool" {
		return
	}
	places := float64((number(to, "workers") + number(to, "max") + float64(room)) * copies(to))
	if all := float64(float64(max) * copies(part)); all > places {
		r.Warn("max", fmt.Sprintf("%.0f connections can call %q at once, which takes %.0f calls with all that wait", all, to.Name, places),
			"write fewer connections, or more room there")
	}
}
