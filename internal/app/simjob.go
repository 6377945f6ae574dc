package app

import (
	"encoding/json"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/expect"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// JobState is how far a run has come.
type JobState string

// The states of a run. The last three are for good.
const (
	JobWaiting   JobState = "waiting"
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Ended reports whether the state is for good.
func (s JobState) Ended() bool { return s != JobWaiting && s != JobRunning }

// Job is a question about a system on its way to an answer.
type Job struct {
	ID      string         `json:"id" jsonschema:"the same question has the same id"`
	Kind    study.Kind     `json:"kind" jsonschema:"run, judge, stress, remedies, map, explore or explain"`
	State   JobState       `json:"state" jsonschema:"waiting, running, done, failed or cancelled"`
	Stage   bilingual.Text `json:"stage,omitzero" jsonschema:"what is being run"`
	Runs    int            `json:"runs" jsonschema:"simulations that have ended"`
	Events  uint64         `json:"events" jsonschema:"events that they handled"`
	Seconds float64        `json:"seconds" jsonschema:"time that was spent computing"`
	Error   string         `json:"error,omitempty" jsonschema:"why there is no result"`
	Remedy  string         `json:"remedy,omitempty" jsonschema:"what to do about it"`
	Result  *study.Answer  `json:"result,omitempty" jsonschema:"the answer; of a failed one, what was known by then, and what it lacks"`

	// Why and Help are the error and the remedy in both languages.
	Why  bilingual.Text `json:"-"`
	Help bilingual.Text `json:"-"`
	// JSON is the result in the wire form, made once.
	JSON json.RawMessage `json:"-"`
	// System is the text of the system that was asked about.
	System string `json:"-"`
	// Variant is the one of the system that was asked about.
	Variant string `json:"-"`
	// X and Y are the axes of a map.
	X, Y string `json:"-"`
	// Set, Seeds and Limit are the rest of what was asked.
	Set   []string `json:"-"`
	Seeds int      `json:"-"`
	Limit float64  `json:"-"`
	// seen grows with each change.
	seen int
}

// MaxSystem bounds the text of a system that is sent to a server, in bytes.
const MaxSystem = 64 << 10

// JobLimits bound what runs may take of a server.
type JobLimits struct {
	Workers   int           // runs at a time; 1 if 0
	Queue     int           // runs that may wait
	PerClient int           // runs of one client that have not ended
	Compute   time.Duration // computing time of a run
	Life      time.Duration // time that a run may take in all, waiting included
	Memory    uint64        // bytes by which the heap of the process may grow during a run
	Keep      time.Duration // for which an answer is kept
	KeepCount int           // answers kept
	KeepBytes int           // size of the answers kept
	Answer    study.Limits
}

// DefaultJobLimits are those of a server with some number of workers.
func DefaultJobLimits(workers int) JobLimits {
	workers = max(workers, 1)
	return JobLimits{
		Workers: workers, Queue: 4 * workers, PerClient: 2,
		Compute: 20 * time.Second, Life: 2 * time.Minute, Memory: 512 << 20,
		Keep: 15 * time.Minute, KeepCount: 200, KeepBytes: 64 << 20,
		Answer: study.Limits{Windows: 4000, Events: 200_000_000, Pending: 2_000_000, Runs: 8, Seeds: 1, Cells: 100, States: 200_000, Workers: 1, Prepare: expect.Prepare},
	}
}
