// Package draft turns a post-mortem into a draft of a case file.
//
// A report in Markdown or a saved web page goes through three steps: it
// becomes a list of blocks (paragraphs, lists, tables), the blocks are cut
// into sections at their headings, and each section is placed in the field
// that its heading announces, in English or Korean. Two rules hold
// throughout:
//
//   - Nothing is dropped. Every visible word of the report is in the draft: in
//     a value, or in a comment where no field takes it. What a web page shows
//     around the report (navigation, forms) is named with its size.
//   - Nothing is invented. Every word of a text comes from the report, times
//     are converted only with a date and zone that it states, and fields that
//     need a judgement (all codes) are left to the editor.
package draft

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// MaxBytes is the size of the largest report that is read.
const MaxBytes = 5 << 20

// errTooLarge is wrapped by the error for a report of more than [MaxBytes].
var errTooLarge = errors.New("the report is too large")

// errEncoding is wrapped by the error for a report that is not UTF-8 text.
var errEncoding = errors.New("the report is not UTF-8 text")

// errEmpty is wrapped by the error for a report without a word.
var errEmpty = errors.New("the report is empty")

// A Format is what a report is written in.
type Format string

// The formats that can be read.
const (
	Markdown Format = "markdown"
	HTML     Format = "html"
)

// A Term is a term of a vocabulary list, for suggestions.
type Term struct {
	List    string   // for example mechanism
	ID      string   // for example retry-storm
	Phrases []string // its names and synonyms, in any language
}

// Options are what the caller knows about the report. ID is needed, the rest
// may be empty.
type Options struct {
	ID      string // id of the new case
	URL     string // where the report was published; wins over what it says itself
	OrgSlug string
	OrgName string
	Terms   []Term // for suggestions in comments
}

// A Draft is a case file in the making.
type Draft struct {
	// Title is the title of the report, empty where it has none.
	Title string
	// Lang is en or ko, the language side that the texts went to. It is empty
	// for other languages: their texts are comments only.
	Lang string
	// Sections tells what became of each section, in order.
	Sections []Placed
	// Observed counts the entries of the timeline with a usable time.
	Observed int

	yaml []byte
}

// Placed tells where a section of the report went.
type Placed struct {
	Heading string
	Field   string // the case field; empty where it became a comment
}

// Detect guesses the format of a report from its name and first bytes.
func Detect(name string, src []byte) Format {
	name = strings.ToLower(name)
	switch {
	case strings.HasSuffix(name, ".html"), strings.HasSuffix(name, ".htm"), strings.HasSuffix(name, ".xhtml"):
		return HTML
	case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".markdown"):
		return Markdown
	}
	head := bytes.ToLower(bytes.TrimLeft(src[:min(len(src), 1024)], "\ufeff \t\r\n"))
	for _, begin := range []string{"<!doctype html", "<html", "<?xml", "<head"} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return HTML
		}
	}
	return Markdown
}

// From reads a report in the given format.
func From(format Format, src []byte, opt Options) (*Draft, error) {
	switch format {
	case Markdown:
		return fromMarkdown(src, opt)
	case HTML:
		return fromHTML(src, opt)
	}
	return nil, fmt.Errorf("reading a report: unknown format %q; use markdown or html", string(format))
}

// fromMarkdown makes a draft of a report in Markdown, with or without front
// matter.
func fromMarkdown(src []byte, opt Options) (*Draft, error) {
	if err := check(src); err != nil {
		return nil, err
	}
	if size := weight(src); size > strictyaml.MaxSize {
		return nil, fmt.Errorf("reading a report of %d bytes of text: %w; a case has at most %d, cut the report",
			size, errTooLarge, strictyaml.MaxSize)
	}
	doc, err := readMarkdown(src)
	if err != nil {
		return nil, err
	}
	return fromDocument(doc, opt)
}

// fromHTML makes a draft of a saved web page.
func fromHTML(src []byte, opt Options) (*Draft, error) {
	if err := check(src); err != nil {
		return nil, err
	}
	if err := bound(src); err != nil {
		return nil, err
	}
	doc, err := readPage(string(src))
	if err != nil {
		return nil, err
	}
	return fromDocument(doc, opt)
}

// maxWord is more than any word has; what is longer is a picture in the text.
const maxWord = 10_000

// weight is the size of the words of a report in Markdown, all of which go to
// the draft. To parse a report that cannot fit would take seconds.
func weight(src []byte) int {
	size := 0
	for word := range bytes.FieldsSeq(src) {
		if len(word) <= maxWord {
			size += len(word)
		}
	}
	return size
}

var charset = lazyregexp.New(`(?i)<meta[^>]+charset=["']?([a-z0-9_-]+)`)

func check(src []byte) error {
	if len(src) > MaxBytes {
		return fmt.Errorf("reading a report of %d bytes: %w; the limit is %d, cut away what is no text",
			len(src), errTooLarge, MaxBytes)
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) == 0 {
		return fmt.Errorf("reading a report: %w; give a file with text in it", errEmpty)
	}
	if utf8.Valid(src) && !bytes.Contains(src, []byte{0}) {
		return nil
	}
	if m := charset.FindSubmatch(src[:min(len(src), 4096)]); m != nil && !bytes.EqualFold(m[1], []byte("utf-8")) {
		return fmt.Errorf("reading a report in %q: %w; save it as UTF-8, for example with iconv", m[1], errEncoding)
	}
	return fmt.Errorf("reading a report: %w; save it as UTF-8", errEncoding)
}

func fromDocument(doc *document, opt Options) (*Draft, error) {
	p := newPlacer(doc, opt)
	p.place()
	d := &Draft{Title: p.rec.title.text, Lang: p.lang, Sections: p.placed, Observed: len(p.rec.observed.list)}
	if err := d.write(p.rec, opt.ID); err != nil {
		return nil, err
	}
	return d, nil
}
