package app

import (
	"errors"
	"fmt"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// Kind sorts errors by what the asker can do about them. One table a face
// maps kinds to exit codes, HTTP statuses and MCP errors.
type Kind int

// The kinds of error. An error without a kind is [Internal].
const (
	Internal Kind = iota // ours; nothing the asker can mend
	Invalid              // the question is malformed
	NotFound             // what is asked for does not exist
	Findings             // the question was answered, and the answer is bad news
	Gone                 // what is asked for existed, and was taken back
)

// Error is an error with its kind and the next step for the one who asked.
type Error struct {
	Kind  Kind
	Field string // parameter or argument that is wrong, if one is
	Err   error
	Hint  string // what to do, a sentence without full stop; may be empty
	Near  string // the existing value nearest to the one asked for, if one is near

	// Note is what the library itself says about it, where that stands in both
	// languages: why a case was withdrawn.
	Note *bilingual.Text
}

// Error returns the message without the hint.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error inside.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of err.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// HintOf returns the next step that err carries, or nothing.
func HintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

// NearOf returns the existing value that is nearest to the one that err is
// about, or nothing.
func NearOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Near
	}
	return ""
}

// NoteOf returns what the library itself says about err, or nothing.
func NoteOf(err error) *bilingual.Text {
	var e *Error
	if errors.As(err, &e) {
		return e.Note
	}
	return nil
}

// Invalidf returns an error of kind [Invalid] about a parameter.
func Invalidf(field, hint, format string, args ...any) error {
	return &Error{Kind: Invalid, Field: field, Err: fmt.Errorf(format, args...), Hint: hint}
}

// NotFoundf returns an error of kind [NotFound] about a parameter.
func NotFoundf(field, hint, format string, args ...any) error {
	return &Error{Kind: NotFound, Field: field, Err: fmt.Errorf(format, args...), Hint: hint}
}
