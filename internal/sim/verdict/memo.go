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

// early says what an answer lacks that was ended while the system ran without a
// trigger. Other errors stay as they are.
func early(err error, b Baseline, seeds int, rest []bilingual.Text) error {
	if !ended(err) {
		return err
	}
	return &Interrupted{err, append([]bilingual.Text{lacking(seeds-b.Seeds, seeds, noTrigger())}, rest...)}
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
		r.laid(kept.Broken)
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

// ranOne is what one of several runs gives besides what was found.
type ranOne struct {
	events uint64
	broken []error
}

// gather lets one find something in each of n runs, and returns what was found and
// which runs have ended: with an error of the context those that had by then. A
// memo keeps each by itself, so that no run that has ended is done again.
func gather[T any](r *runner, key string, stage bilingual.Text, n int, one func(ctx context.Context, i int) (T, ranOne, error)) ([]T, []bool, error) {
	found, has := make([]T, n), make([]bool, n)
	var left []int
	name := func(i int) string { return fmt.Sprintf("%s, run %d", key, i+1) }
	for i := range n {
		if kept := (finished{}); r.load(name(i), &kept) && json.Unmarshal(kept.Value, &found[i]) == nil {
			r.laid(kept.Broken)
			r.done, r.events, has[i] = r.done+kept.Runs, r.events+kept.Events, true
			continue
		}
		left = append(left, i)
	}
	err := r.each(stage, len(left), func(ctx context.Context, k int) (uint64, error) {
		i := left[k]
		value, ran, err := one(ctx, i)
		r.law(ran.broken)
		if err != nil {
			return ran.events, err
		}
		found[i], has[i] = value, true
		if r.memo == nil {
			return ran.events, nil
		}
		kept := finished{Runs: 1, Events: ran.events}
		for _, law := range ran.broken {
			kept.Broken = append(kept.Broken, law.Error())
		}
		if kept.Value, err = json.Marshal(value); err != nil {
			return ran.events, fmt.Errorf("keeping what was found: %w", err)
		}
		return ran.events, r.store(name(i), kept)
	})
	return found, has, err
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
