package app

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// Kind sorts errors by what the asker can do about them. One table a face
// maps kinds to exit codes, HTTP statuses and MCP errors.
type Kind int

// The kinds of error. An error without a kind is [Internal].
const (
	Internal   Kind = iota // ours; nothing the asker can mend
	Invalid                // the question is malformed
	NotFound               // what is asked for does not exist
	Findings               // the question was answered, and the answer is bad news
	Gone                   // what is asked for existed, and was taken back
	Incomplete             // the question was answered in part
)

// Error is an error with its kind and the next step for the one who asked.
type Error struct {
	Kind  Kind
	Field string // parameter or argument that is wrong, if one is
	Err   error  // in English, as programs and logs read it
	Hint  string // what to do, a sentence without full stop; may be empty
	Near  string // the existing value nearest to the one asked for, if one is near
	Call  Call   // the question that the hint names in the place of [hereCall]

	// Note is what the library itself says about it, where that stands in both
	// languages: why a case was withdrawn.
	Note *bilingual.Text

	args   []any  // of the message
	ko     string // the message in Korean, where it has been written
	koHint string
}

// Call is a question to the library that a next step names. Each face writes it
// as it is asked there: a command, an address, a call of a tool.
type Call struct {
	Use Use
	Arg string // what is asked for; may be empty
}

// Use is a use of the library.
type Use string

// The uses that next steps name.
const (
	UseCases     Use = "cases"     // list cases
	UseSearch    Use = "search"    // find cases by words
	UseVocab     Use = "vocab"     // see the vocabulary, or the list Arg of it
	UseScenarios Use = "scenarios" // list scenarios
	UseChecks    Use = "checks"    // list checks
	UseGuide     Use = "guide"     // list the pages of the field guide
)

// hereCall stands in a hint for its [Call].
const hereCall = "{call}"

// Error returns the message in English, without the hint.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error inside.
func (e *Error) Unwrap() error { return e.Err }

// Korean adds the hint and the message in Korean; the message takes the
// arguments of the English one.
func (e *Error) Korean(hint, format string) *Error {
	e.koHint, e.ko = hint, fmt.Errorf(format, e.args...).Error() // Errorf knows %w
	return e
}

// Calling names the question that the hint speaks of.
func (e *Error) Calling(use Use, arg string) *Error {
	e.Call = Call{use, arg}
	return e
}

// offer takes the nearest of the existing values for the next step.
func (e *Error) offer(near string) *Error {
	e.Near, e.Hint, e.koHint = near, fmt.Sprintf("did you mean %q?", near), fmt.Sprintf("혹시 %q?", near)
	return e
}

// KindOf returns the kind of err.
func KindOf(err error) Kind {
	if e, ok := asError(err); ok {
		return e.Kind
	}
	return Internal
}

// Message returns what is wrong in language l; what has not been written in
// Korean is in English.
func Message(err error, l bilingual.Lang) string {
	// Where English words have been put around it, the whole stays English.
	if e, ok := asError(err); ok && l == bilingual.Korean && e.ko != "" && err.Error() == e.Error() {
		return e.ko
	}
	return err.Error()
}

// Hint returns the next step that err carries in language l, or nothing. The
// face says how it writes a call.
func Hint(err error, l bilingual.Lang, write func(Call) string) string {
	before, call, after := NextStep(err, l)
	if call == (Call{}) {
		return before
	}
	return before + write(call) + after
}

// NextStep returns the next step that err carries in language l as the words
// before and after the call that it names. Without a call, all is before.
func NextStep(err error, l bilingual.Lang) (before string, call Call, after string) {
	e, ok := asError(err)
	if !ok {
		return "", Call{}, ""
	}
	hint := e.Hint
	if l == bilingual.Korean && e.koHint != "" {
		hint = e.koHint
	}
	before, after, named := strings.Cut(hint, hereCall)
	if !named {
		return hint, Call{}, ""
	}
	return before, e.Call, after
}

// NoteOf returns what the library itself says about err, or nothing.
func NoteOf(err error) *bilingual.Text {
	if e, ok := asError(err); ok {
		return e.Note
	}
	return nil
}

// Each returns the errors that [errors.Join] has joined in err, each by itself: a
// face tells all that is wrong with a question at once.
func Each(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, Each(one)...)
	}
	return all
}

func asError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Invalidf returns an error of kind [Invalid] about a parameter.
func Invalidf(field, hint, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Err: fmt.Errorf(format, args...), Hint: hint, args: args}
}

// NotFoundf returns an error of kind [NotFound] about a parameter.
func NotFoundf(field, hint, format string, args ...any) *Error {
	return &Error{Kind: NotFound, Field: field, Err: fmt.Errorf(format, args...), Hint: hint, args: args}
}

// Findingsf returns an error of kind [Findings].
func Findingsf(hint, format string, args ...any) *Error {
	return &Error{Kind: Findings, Err: fmt.Errorf(format, args...), Hint: hint, args: args}
}

// Incompletef returns an error of kind [Incomplete].
func Incompletef(hint, format string, args ...any) *Error {
	return &Error{Kind: Incomplete, Err: fmt.Errorf(format, args...), Hint: hint, args: args}
}

// Unreachablef returns an error of kind [Internal] about what is to be read: not
// the asker's mistake as far as one can see.
func Unreachablef(hint, format string, args ...any) *Error {
	return &Error{Kind: Internal, Err: fmt.Errorf(format, args...), Hint: hint, args: args}
}

// maxEcho bounds the letters of a stranger's value that a message repeats.
const maxEcho = 80

// Short cuts a value of the asker's to what a message may repeat of it.
func Short(s string) string {
	if utf8.RuneCountInString(s) <= maxEcho {
		return s
	}
	return string([]rune(s)[:maxEcho]) + "…"
}
