package verdict

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// Memo keeps what parts of an answer have found, so that one that was
// interrupted can go on where it stopped. It is used by several goroutines at
// once, and for one question only.
type Memo interface {
	Load(key string) ([]byte, bool)
	Store(key string, value []byte)
}

// Interrupted is the error of an answer that was ended before it was whole.
type Interrupted struct {
	Err     error            // of the context
	Missing []bilingual.Text // what the answer beside it lacks
}

// Error says why the answer was ended.
func (i *Interrupted) Error() string { return i.Err.Error() }

// Unwrap returns the error of the context.
func (i *Interrupted) Unwrap() error { return i.Err }

// ended reports whether err says that a run was ended from outside.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// finished is what a memo keeps of a part of an answer.
type finished struct {
	Runs   int             `json:"runs"`
	Events uint64          `json:"events"`
	Broken []string        `json:"broken,omitempty"`
	Value  json.RawMessage `json:"value"`
}

// once returns what find finds, or what the memo knows that it has found. The
// parts of an answer that use it come one after the other.
func once[T any](r *runner, key string, find func() (T, error)) (T, error) {
	var value T
	if r.memo == nil {
		return find()
	}
	if kept := (finished{}); r.load(key, &kept) && json.Unmarshal(kept.Value, &value) == nil {
		for _, law := range kept.Broken {
			r.broken[law] = true
		}
		r.done, r.events = r.done+kept.Runs, r.events+kept.Events
		return value, nil
	}
	runs, events := r.done, r.events
	value, err := find()
	if err != nil {
		return value, err
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return value, fmt.Errorf("keeping what was found: %w", err)
	}
	return value, r.store(key, finished{Runs: r.done - runs, Events: r.events - events, Broken: r.laws(), Value: raw})
}

// load takes a value out of the memo, if it is there.
func (r *runner) load(key string, value any) bool {
	if r.memo == nil {
		return false
	}
	raw, ok := r.memo.Load(key)
	return ok && json.Unmarshal(raw, value) == nil
}

// store puts a value into the memo, if there is one.
func (r *runner) store(key string, value any) error {
	if r.memo == nil {
		return nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("keeping what was found: %w", err)
	}
	r.memo.Store(key, raw)
	return nil
}
