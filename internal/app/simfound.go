package app

import (
	"sync"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// maxFound bounds what is kept of a question that has no answer yet, in bytes.
const maxFound = 1 << 20

// found is what runs have found that were ended before they had an answer, so that
// who asks the same again does not begin anew. It implements the memo of a study.
type found struct {
	mu    sync.Mutex
	parts map[string][]byte
	bytes int
	grown bool // since the run began
}

// Load returns what was kept under a key.
func (f *found) Load(key string) ([]byte, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	value, ok := f.parts[key]
	return value, ok
}

// Store keeps a value, as long as there is room.
func (f *found) Store(key string, value []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bytes+len(key)+len(value) > maxFound {
		return
	}
	if f.parts == nil {
		f.parts = map[string][]byte{}
	}
	f.parts[key], f.grown = value, true
	f.bytes += len(key) + len(value)
}

// begin forgets that earlier runs have found something.
func (f *found) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grown = false
}

// hasGrown tells whether anything was found since begin.
func (f *found) hasGrown() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.grown
}

// size returns how many bytes are kept.
func (f *found) size() int {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytes
}

// goOn says how to come to an answer of a run that was ended.
func (one *running) goOn(cause error) bilingual.Text {
	q := one.question
	command := q.Command()
	switch q.Kind {
	case study.KindJudge, study.KindStress, study.KindRemedies, study.KindMap:
		command += " --resume progress.json"
	default:
		return bilingual.Text{
			En: "let it run for a shorter time or with fewer requests, or run it on your own machine: " + command,
			Ko: "더 짧게 또는 더 적은 요청으로 실행하거나 자신의 컴퓨터에서 실행한다: " + command,
		}
	}
	if cause == errTooLong && one.found.hasGrown() {
		return bilingual.Text{
			En: "ask the same again, and it goes on from what was found; or run it on your own machine, which can go on for as long as you like: " + command,
			Ko: "같은 것을 다시 물으면 알아낸 데서 이어 간다. 또는 시간 제한이 없는 자신의 컴퓨터에서 실행한다: " + command,
		}
	}
	return bilingual.Text{
		En: "no further run of it ended, so that asking again leads no further here: run it on your own machine, or shorten the longest times of the system: " + command,
		Ko: "더 끝난 실행이 없어 여기서 다시 물어도 나아가지 않는다. 자신의 컴퓨터에서 실행하거나 시스템에서 가장 긴 시간을 줄인다: " + command,
	}
}
