package parts

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// ProfilePoint is the share of a rate at a time.
type ProfilePoint struct {
	At    Duration `yaml:"at" doc:"when, from the start of the run or of the period" required:"true"`
	Share Factor   `yaml:"share" doc:"share of the rate then, such as 60%; between two points it moves evenly" required:"true"`
}

// MaxProfile bounds the points of a profile.
const MaxProfile = 2_000

// checkProfile reports what is wrong with how a rate varies.
func checkProfile(points []ProfilePoint, every Duration, r *Report) {
	if len(points) == 0 {
		if every > 0 {
			r.Add("profile_every", "there is no profile that could repeat", "write profile, or leave it out")
		}
		return
	}
	if len(points) > MaxProfile {
		r.Add("profile", fmt.Sprintf("%d points", len(points)), fmt.Sprintf("write at most %d", MaxProfile))
		return
	}
	most := Factor(0)
	for i, p := range points {
		at := fmt.Sprintf("profile[%d]", i)
		if i > 0 && p.At <= points[i-1].At {
			r.Add(at+".at", fmt.Sprintf("%v is not after the point before, at %v", p.At, points[i-1].At), "write the points in the order of time")
		}
		if p.Share > 1000 {
			r.Add(at+".share", fmt.Sprintf("%v is %v times the rate", p.Share, float64(p.Share)), "write a share such as 60%, or a larger rate")
		}
		most = max(most, p.Share)
	}
	if most == 0 {
		r.Add("profile", "nothing arrives at any time", "write a share above 0%")
	}
	if last := points[len(points)-1].At; every > 0 && last >= every {
		r.Add("profile_every", fmt.Sprintf("the last point, at %v, is not in a period of %v", last, every), "write a longer period, or leave the point out")
	}
}

// profile is how a rate varies: in straight lines from point to point. Without a
// period the first share holds before the first point and the last one after the
// last; with one the last point leads to the first of the next period.
type profile struct {
	at    []float64 // nanoseconds; with a period from 0 to its end
	share []float64
	area  []float64 // under the shares from the first point on
	every float64   // 0 without a period
	clock des.Time  // where the profile is at the start of the run
}

// newProfile returns the profile of points, nil if there are none.
func newProfile(points []ProfilePoint, every Duration, clock des.Time) *profile {
	if len(points) == 0 {
		return nil
	}
	p := &profile{every: float64(every), clock: clock}
	for _, q := range points {
		p.at, p.share = append(p.at, float64(q.At)), append(p.share, float64(q.Share))
	}
	if every > 0 {
		p.close()
	}
	p.area = make([]float64, len(p.at))
	for i := 1; i < len(p.at); i++ {
		p.area[i] = p.area[i-1] + float64((p.at[i]-p.at[i-1])*(p.share[i]+p.share[i-1]))/2
	}
	return p
}

// close adds the ends of the period.
func (p *profile) close() {
	last := len(p.at) - 1
	first, lastShare := p.at[0], p.share[last]
	gap := first + p.every - p.at[last]
	edge := lastShare + float64((p.share[0]-lastShare)*(p.every-p.at[last]))/gap
	if first > 0 {
		p.at, p.share = slices.Insert(p.at, 0, 0), slices.Insert(p.share, 0, edge)
	}
	p.at, p.share = append(p.at, p.every), append(p.share, edge)
}

// place returns where an instant of the run is in the profile, and in which
// period.
func (p *profile) place(t des.Time) (at, period float64) {
	at = float64(t + p.clock)
	if p.every == 0 {
		return at, 0
	}
	period = math.Floor(at / p.every)
	return min(max(at-float64(period*p.every), 0), p.every), period
}

// until returns the area under the shares from the first point to a place, less
// than 0 before it.
func (p *profile) until(at float64) float64 {
	last := len(p.at) - 1
	i := sort.SearchFloat64s(p.at, at) // the first point that is not before it
	switch {
	case i == 0:
		return float64((at - p.at[0]) * p.share[0])
	case i > last:
		return p.area[last] + float64((at-p.at[last])*p.share[last])
	}
	x := at - p.at[i-1]
	slope := (p.share[i] - p.share[i-1]) / (p.at[i] - p.at[i-1])
	return p.area[i-1] + float64(x*(p.share[i-1]+float64(slope*x)/2))
}

// shareAt returns the share at a place.
func (p *profile) shareAt(at float64) float64 {
	last := len(p.at) - 1
	i := sort.SearchFloat64s(p.at, at)
	switch {
	case i == 0:
		return p.share[0]
	case i > last:
		return p.share[last]
	}
	return p.share[i-1] + float64((p.share[i]-p.share[i-1])*(at-p.at[i-1]))/(p.at[i]-p.at[i-1])
}

// find returns the place up to which an area is reached, and false if it never
// is.
func (p *profile) find(area float64) (at float64, ok bool) {
	last := len(p.at) - 1
	if area < 0 {
		return p.at[0] + area/p.share[0], true
	}
	i := sort.Search(len(p.area), func(i int) bool { return p.area[i] > area }) // the first point behind it
	if i > last {
		if p.share[last] == 0 {
			return 0, false
		}
		return p.at[last] + (area-p.area[last])/p.share[last], true
	}
	need, from := area-p.area[i-1], p.share[i-1]
	slope := (p.share[i] - from) / (p.at[i] - p.at[i-1])
	root := math.Sqrt(max(float64(from*from)+float64(2*float64(slope*need)), 0))
	if from+root == 0 {
		return p.at[i-1], true
	}
	return min(p.at[i-1]+float64(2*need)/(from+root), p.at[i]), true
}

// gap returns how long it is from an instant until an area lies between, and
// false if it never does.
func (p *profile) gap(t des.Time, need float64) (des.Time, bool) {
	at, _ := p.place(t)
	area := p.until(at) + need
	if p.every == 0 {
		to, ok := p.find(area)
		return des.FromNanoseconds(to - at), ok
	}
	total := p.area[len(p.area)-1]
	periods := math.Floor(area / total)
	to, ok := p.find(max(area-float64(periods*total), 0))
	if !ok { // rounding has put it at the end of the period
		to = p.every
	}
	return des.FromNanoseconds(float64(periods*p.every) + to - at), true
}

// between returns the area under the shares between two instants.
func (p *profile) between(from, to des.Time) float64 {
	a, first := p.place(from)
	b, last := p.place(to)
	return p.until(b) - p.until(a) + float64((last-first)*p.area[len(p.area)-1])
}

// PeakShare returns the largest share of its rate that a source ever sends, 1 for
// one whose rate does not vary and for other parts.
func PeakShare(c Config) float64 {
	s, ok := c.(*sourceConfig)
	if !ok || len(s.Profile) == 0 {
		return 1
	}
	most := Factor(0)
	for _, p := range s.Profile {
		most = max(most, p.Share)
	}
	return float64(most)
}

// Peak returns a time of the profiles of the sources at which they send most, 0
// where none of them varies. It is one of their points, in the longest period.
func (n *Net) Peak() des.Time {
	span := 0.0
	var all []*profile
	for _, p := range n.parts {
		if s, ok := p.(*source); ok && s.come.profile != nil {
			q := s.come.profile
			all = append(all, q)
			span = max(span, q.at[len(q.at)-1])
		}
	}
	const most = 100_000 // points looked at
	best, peak := -1.0, des.Time(0)
	looked := 0
	for _, q := range all {
		for period := 0.0; period <= span && looked < most; period += q.every {
			for _, at := range q.at {
				looked++
				t := des.FromNanoseconds(period + at)
				if rate := n.OfferedRateAt(t); rate > best {
					best, peak = rate, t
				}
			}
			if q.every == 0 {
				break
			}
		}
	}
	return peak
}
