package draft

import (
	"strings"
	"unicode"
)

// A record is a case in the making: the values that could be placed, each
// with notes that the file shows as comments above it.
type record struct {
	top                         []string
	org, product                field
	slug                        string
	title, summary, narrative   field
	date, dateKind              field
	times                       map[string]*instant
	durations                   map[string]*lengthField
	timeNotes, lengthNotes      []string
	observed                    entries
	severity                    field
	scope, users                field
	regions                     []string
	regionNotes                 []string
	symptoms, trigger           field
	detection                   field
	causes                      entries
	actions, followups, lessons entries
	source                      source
	references                  []link
	referenceNotes              []string
	suggested                   []string // terms of the lists that no section tells
	rest                        []string // what was not placed, in order
}

// A field is a text with its notes.
type field struct {
	notes []string
	text  string
}

// add appends a part of the text.
func (f *field) add(note, text string) {
	if note != "" {
		f.notes = append(f.notes, note)
	}
	switch {
	case text == "":
	case f.text == "":
		f.text = text
	default:
		f.text += "\n\n" + text
	}
}

// An entry is one element of a list.
type entry struct {
	lead      []string // what stands above it in the report
	notes     []string
	role      string // of a cause
	at, until string
	about     bool
	status    string // of a follow-up
	text      string
}

// entries are the elements of a list; pending notes wait for the next one.
type entries struct {
	list    []entry
	pending []string
}

func (e *entries) note(s string) {
	if s != "" {
		e.pending = append(e.pending, s)
	}
}

func (e *entries) add(one entry) {
	one.lead = e.pending
	e.pending = nil
	e.list = append(e.list, one)
}

// An instant is one of the published points in time.
type instant struct {
	notes    []string
	at, zone string
	about    bool
}

// A lengthField is a stated duration.
type lengthField struct {
	notes []string
	length
}

// A source is where the report was published.
type source struct {
	notes                       []string
	url, title, lang, published string
}

func newRecord() *record {
	return &record{times: map[string]*instant{}, durations: map[string]*lengthField{}}
}

// tokens cuts s into its words: runs of letters, and runs of digits. Case
// does not count.
func tokens(s string) []string {
	var out []string
	var b strings.Builder
	class := 0
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, r := range strings.ToLower(s) {
		next := 0
		switch {
		case unicode.IsNumber(r):
			next = 1
		case unicode.IsLetter(r) || unicode.IsMark(r):
			next = 2
		}
		if next != class {
			flush()
		}
		if class = next; next > 0 {
			b.WriteRune(r)
		}
	}
	flush()
	return out
}

// covers reports whether all words of part occur in whole, in their order.
func covers(whole, part string) bool {
	rest := tokens(whole)
	for _, want := range tokens(part) {
		at := 0
		for at < len(rest) && rest[at] != want {
			at++
		}
		if at == len(rest) {
			return false
		}
		rest = rest[at+1:]
	}
	return true
}
