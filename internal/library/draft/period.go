package draft

import (
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// otherPeriod marks sentences whose period is not that of the incident.
var otherPeriod = lazyregexp.New(`(?i)maintenance|scheduled|planned|business hours|working hours|점검|예정|영업시간|업무 시간`)

// finishPeriod takes start and end from a period that the summary or the impact
// states, "Between 14:05 and 16:50 UTC partners could not sign in", where no
// field of the report does.
func (p *placer) finishPeriod() {
	if p.rec.times["start"] != nil {
		return
	}
	for _, text := range []string{p.rec.summary.text, p.rec.scope.text} {
		prose := reading{day: p.day}
		for rest := text; ; {
			at, from, to, ok := findSpan(rest)
			if !ok {
				break
			}
			at.from = prose.date(p, at.from)
			if at.until != nil && p.period(at, rest, from, to) {
				return
			}
			rest = rest[to:]
		}
	}
}

// period places a period that stands at text[from:to], whose beginning is
// complete.
func (p *placer) period(at span, text string, from, to int) bool {
	start, end := at.from, *at.until
	end = p.complete(end.on(start).in(start))
	if !start.usable() || !end.usable() || end.order() <= start.order() || otherPeriod.MatchString(sentenceAround(text, from, to)) {
		return false
	}
	if known := p.rec.times["resolved"]; known != nil && compareTimes(known.at, end.String()) != 0 {
		return false // it is not the whole incident
	}
	said := phraseAround(text, from, to)
	for key, w := range map[string]when{"start": start, "resolved": end} {
		if p.rec.times[key] == nil {
			p.instant(key, w, fact{name: "the text", value: said})
			p.rec.times[key].notes[0] = "a period in the text, check that it is that of the incident: " + said
		}
	}
	return true
}

// sentenceAround returns the sentence that text[from:to] stands in.
func sentenceAround(text string, from, to int) string {
	const ends = "\n。"
	begin := max(strings.LastIndexAny(text[:from], ends), strings.LastIndex(text[:from], ". ")) + 1
	behind := text[to:]
	if at := strings.Index(behind, ". "); at >= 0 {
		behind = behind[:at]
	}
	if at := strings.IndexAny(behind, ends); at >= 0 {
		behind = behind[:at]
	}
	return text[begin:to] + behind
}
