package draft

import (
	"slices"
	"strings"
)

// updateWords are the states of an incident on status pages.
var updateWords = []string{"investigating", "identified", "monitoring", "resolved", "update", "postmortem",
	"in progress", "verifying", "completed", "scheduled", "조사 중", "원인 확인", "모니터링", "해결됨", "해결 완료", "업데이트"}

// An update is one message of a status page.
type update struct {
	at            span
	stated, stamp string // the time as written, and its machine-readable form
	text          string
}

// updateState returns the state that a line begins with, alone or before a
// dash, and the text behind it.
func updateState(line string) (state, rest string, ok bool) {
	state, rest, _ = strings.Cut(line, " - ")
	if slices.Contains(updateWords, strings.ToLower(strings.TrimSpace(state))) {
		return state, rest, true
	}
	return "", "", false
}

// splitUpdates takes the updates of a status page out of blocks. They come as
// state, text and "Posted on Oct 20, 2025 - 14:05 UTC" in a row, or as a
// paragraph that begins with the time. An empty heading stands in their place,
// so that what follows does not belong to the section before.
func splitUpdates(blocks []block) (rest []block, updates []update) {
	for i := 0; i < len(blocks); i++ {
		one, n := readUpdate(blocks[i:])
		if n == 0 {
			rest = append(rest, blocks[i])
			continue
		}
		if len(updates) == 0 {
			rest = append(rest, block{kind: heading, level: 1})
		}
		updates = append(updates, one)
		i += n - 1
	}
	return rest, updates
}

// maxUpdate bounds how many blocks one update may have.
const maxUpdate = 40

// readUpdate reads one update from the beginning of blocks and returns how
// many of them it takes.
func readUpdate(blocks []block) (update, int) {
	if blocks[0].kind != paragraph && blocks[0].kind != heading {
		return update{}, 0
	}
	first := plain(blocks[0].runs)
	if head, body, ok := strings.Cut(first, "\n"); ok {
		at, n := scanSpan(head)
		if _, _, isUpdate := updateState(body); isUpdate && n > 0 && at.from.dated() {
			return update{at: at, stated: head, text: body, stamp: stampOf(blocks[0].runs)}, 1
		}
	}
	state, text, ok := updateState(strings.ReplaceAll(first, "\n", " "))
	if !ok || blocks[0].kind == heading && strings.EqualFold(strings.TrimSpace(state), "postmortem") {
		return update{}, 0 // what stands below that heading is the report
	}
	for i := 1; i < min(len(blocks), maxUpdate); i++ {
		if blocks[i].kind == heading {
			break
		}
		line := plain(blocks[i].runs)
		if _, _, again := updateState(line); again {
			break
		}
		at, ok := postedAt(blocks[i])
		if !ok {
			continue
		}
		body := markdown(blocks[1:i])
		if text != "" {
			body = strings.TrimSpace(text + "\n\n" + body)
		}
		return update{at: at, stated: line, text: state + ": " + body, stamp: stampOf(blocks[i].runs)}, i + 1
	}
	return update{}, 0
}

// postedAt reads the line below an update.
func postedAt(b block) (span, bool) {
	line := plain(b.runs)
	if b.kind != paragraph || len(line) > 160 {
		return span{}, false
	}
	for _, word := range []string{"Posted ", "Updated ", "게시 ", "게시: "} {
		after, ok := strings.CutPrefix(line, word)
		if !ok {
			continue
		}
		at, _, _, ok := findSpan(after)
		return at, ok && at.from.dated() || stampOf(b.runs) != ""
	}
	return span{}, false
}

// placeUpdates makes observations of the updates.
func (p *placer) placeUpdates() {
	c := &chronicle{p: p, to: &p.rec.observed, zone: p.zone, day: p.day}
	for _, u := range p.updates {
		c.entry(u.at, u.stated, u.text, u.stamp)
	}
	if len(p.updates) > 0 {
		c.sort(0)
		p.placed = append(p.placed, Placed{Heading: "status updates", Field: "observed"})
	}
}
