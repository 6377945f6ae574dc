package main

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"text/tabwriter"
	"time"
)

// window is the resolution in time.
const window = 250 * time.Millisecond

// result is what one run found.
type result struct {
	Kind          string
	Capacity      float64          // good answers a second, closed loop
	CapacityCores float64          // that the server got meanwhile
	Cost          map[kind]float64 // seconds of a core that a good answer takes

	CalmP50, CalmP99   time.Duration
	OverGood           float64          // good answers a second during the overload
	OverShare          float64          // of the capacity
	OverKinds          map[kind]float64 // as OverShare, of each kind alone
	OverWork           float64          // as OverShare, each answer weighed by its cost
	OverCores          float64          // that the server got meanwhile
	OverP50, OverP99   time.Duration    // of answers with status 200
	Shed, Late, Failed float64          // share of the questions of the overload
	Normal             time.Duration    // after the overload; -1 if not while it was watched
	AfterGood          float64          // share of the questions after the overload
	Timeline           []float64        // good answers a second by window
}

// judge computes the figures of a result from all answers.
func (r *result) judge(p plan, answers []answer) {
	var calm, over, after []answer
	for _, a := range answers {
		switch a.phase {
		case 0:
			if a.at > p.Calm/4 { // the first part opens the connections
				calm = append(calm, a)
			}
		case 1:
			over = append(over, a)
		case 2:
			after = append(after, a)
		}
	}
	r.CalmP50, r.CalmP99 = percentile(calm, 50), percentile(calm, 99)
	r.OverP50, r.OverP99 = percentile(over, 50), percentile(over, 99)
	good, total := count(over, p.good), float64(len(over))
	r.OverGood = float64(good) / p.Over.Seconds()
	r.OverShare = r.OverGood / r.Capacity
	r.OverKinds = map[kind]float64{}
	var done, able float64
	for _, k := range kinds {
		asked := float64(count(over, func(a answer) bool { return a.kind == k })) / total
		good := count(over, func(a answer) bool { return a.kind == k && p.good(a) })
		r.OverKinds[k] = float64(good) / p.Over.Seconds() / (asked * r.Capacity)
		done += r.OverKinds[k] * asked * r.Cost[k]
		able += asked * r.Cost[k]
	}
	r.OverWork = done / able
	r.Shed = float64(count(over, func(a answer) bool { return a.status == http.StatusServiceUnavailable })) / total
	r.Failed = float64(count(over, func(a answer) bool { return a.status == 0 })) / total
	r.Late = float64(count(over, func(a answer) bool {
		return a.status != 0 && a.status != http.StatusServiceUnavailable && !p.good(a)
	})) / total
	r.AfterGood = float64(count(after, p.good)) / float64(len(after))
	r.Normal = p.normal(calm, after)
	r.timeline(p, answers)
}

func (p plan) good(a answer) bool { return a.status == http.StatusOK && a.took <= p.Deadline }

// normal returns how long after the overload all is as it was in the calm: the
// beginning of the first second in which, in each window, 99 % of the answers
// are good and the 95th percentile is at most twice that of the calm plus 5 ms.
func (p plan) normal(calm, after []answer) time.Duration {
	bound := 2*percentile(calm, 95) + 5*time.Millisecond
	start := p.Calm + p.Over
	windows := make([][]answer, p.After/window)
	for _, a := range after {
		if i := int((a.at - start) / window); i >= 0 && i < len(windows) {
			windows[i] = append(windows[i], a)
		}
	}
	need := int(time.Second / window)
	row := 0
	for i, w := range windows {
		row++
		if count(w, p.good)*100 < len(w)*99 || percentile(w, 95) > bound {
			row = 0
		}
		if row == need {
			return time.Duration(i+1-need) * window
		}
	}
	return -1
}

func (r *result) timeline(p plan, answers []answer) {
	r.Timeline = make([]float64, (p.Calm+p.Over+p.After)/window)
	for _, a := range answers {
		if i := int(a.at / window); i < len(r.Timeline) && p.good(a) {
			r.Timeline[i] += 1 / window.Seconds()
		}
	}
}

func count(answers []answer, ok func(answer) bool) int {
	n := 0
	for _, a := range answers {
		if ok(a) {
			n++
		}
	}
	return n
}

// percentile returns a percentile of the time that answers with status 200
// took.
func percentile(answers []answer, p int) time.Duration {
	var took []time.Duration
	for _, a := range answers {
		if a.status == http.StatusOK {
			took = append(took, a.took)
		}
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[min(len(took)-1, len(took)*p/100)]
}

// String shows one run in a line.
func (r result) String() string {
	return fmt.Sprintf("%-9s capacity %.0f/s  overload: good %.0f/s (%.0f %%), shed %.0f %%, late %.0f %%, failed %.0f %%, p50 %v p99 %v  "+
		"calm p50 %v p99 %v  normal after %s, good after %.1f %%  cores %.2f and %.2f",
		r.Kind, r.Capacity, r.OverGood, 100*r.OverShare, 100*r.Shed, 100*r.Late, 100*r.Failed,
		ms(r.OverP50), ms(r.OverP99), ms(r.CalmP50), ms(r.CalmP99), r.normal(), 100*r.AfterGood,
		r.CapacityCores, r.OverCores)
}

func (r result) normal() string {
	if r.Normal < 0 {
		return "the end of the trial"
	}
	return r.Normal.String()
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1fms", d.Seconds()*1000) }

// summary prints medians side by side.
func summary(out io.Writer, p plan, results []result) {
	by := map[string][]result{}
	for _, r := range results {
		by[r.Kind] = append(by[r.Kind], r)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nmedians; deadline %v, overload %.0fx for %v, retries %d\twith limits\twithout\t\n", p.Deadline, p.Factor, p.Over, p.Retries)
	row := func(name, format string, value func(r result) float64) {
		fmt.Fprintf(w, "%s\t", name)
		for _, kind := range []string{"limits", "no-limits"} {
			if len(by[kind]) == 0 {
				fmt.Fprint(w, "-\t")
				continue
			}
			fmt.Fprintf(w, format+"\t", median(by[kind], value))
		}
		fmt.Fprintln(w)
	}
	row("capacity, answers/s", "%.0f", func(r result) float64 { return r.Capacity })
	row("goodput in the overload, answers/s", "%.0f", func(r result) float64 { return r.OverGood })
	row("  of the capacity, %", "%.0f", func(r result) float64 { return 100 * r.OverShare })
	row("  weighed by their work, %", "%.0f", func(r result) float64 { return 100 * r.OverWork })
	for _, k := range kinds {
		row(fmt.Sprintf("  %s, of those in the capacity, %%", k), "%.0f", func(r result) float64 { return 100 * r.OverKinds[k] })
	}
	row("turned away at once, %", "%.0f", func(r result) float64 { return 100 * r.Shed })
	row("late, %", "%.0f", func(r result) float64 { return 100 * r.Late })
	row("no answer, %", "%.0f", func(r result) float64 { return 100 * r.Failed })
	row("p50 calm, ms", "%.1f", func(r result) float64 { return r.CalmP50.Seconds() * 1000 })
	row("p99 calm, ms", "%.1f", func(r result) float64 { return r.CalmP99.Seconds() * 1000 })
	row("p50 in the overload, ms", "%.1f", func(r result) float64 { return r.OverP50.Seconds() * 1000 })
	row("p99 in the overload, ms", "%.1f", func(r result) float64 { return r.OverP99.Seconds() * 1000 })
	row("back to normal after, s", "%.2f", func(r result) float64 {
		if r.Normal < 0 {
			return p.After.Seconds() // not within the time that was watched
		}
		return r.Normal.Seconds()
	})
	row("good answers after, %", "%.1f", func(r result) float64 { return 100 * r.AfterGood })
	row("cores that the server got, capacity", "%.2f", func(r result) float64 { return r.CapacityCores })
	row("cores that the server got, overload", "%.2f", func(r result) float64 { return r.OverCores })
	row("good answers a core-second, capacity", "%.0f", func(r result) float64 { return r.Capacity / r.CapacityCores })
	row("good answers a core-second, overload", "%.0f", func(r result) float64 { return r.OverGood / r.OverCores })
	_ = w.Flush() // to a terminal or a file that the user watches
}

func median(results []result, value func(result) float64) float64 {
	all := make([]float64, len(results))
	for i, r := range results {
		all[i] = value(r)
	}
	slices.Sort(all)
	return all[len(all)/2]
}
