package draft

import (
	"strings"
	"unicode"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

// A document is a text as a list of blocks, whatever it was written in.
type document struct {
	blocks []block
	notes  []block // footnotes
	left   []leftOut
	links  []link
	page   page
	front  []frontField
}

// page is what a page says of itself outside its visible text.
type page struct {
	title, url, lang, site string
	published              string
}

// A frontField is one entry of the front matter, with its own lines.
type frontField struct{ key, value, raw string }

// A leftOut is text that a reader of the page does not take for its content.
type leftOut struct {
	what   string
	chars  int
	sample string
}

type link struct{ url, text string }

type blockKind int

const (
	paragraph blockKind = iota
	heading
	list
	table
	code
	quote
)

// A block is a paragraph, heading, list, table, code block or quotation.
type block struct {
	kind    blockKind
	level   int       // of a heading
	runs    []run     // paragraph, heading
	items   []item    // list
	ordered bool      // list
	rows    [][][]run // table: rows of cells
	header  bool      // table: the first row is its head
	text    string    // code
	blocks  []block   // quote
}

// An item is an entry of a list; task is "x" or " " where it has a box.
type item struct {
	blocks []block
	task   string
}

// A run is text in one style. Line breaks in it are meant.
type run struct {
	text   string
	code   bool
	strong bool
	stamp  string // machine-readable time of the text
}

// plain returns runs as text; code keeps its backticks.
func plain(runs []run) string {
	var b strings.Builder
	for _, r := range runs {
		if r.code && !strings.Contains(r.text, "`") && strings.TrimSpace(r.text) != "" {
			core := strings.TrimSpace(r.text)
			at := strings.Index(r.text, core)
			b.WriteString(r.text[:at] + "`" + core + "`" + r.text[at+len(core):])
			continue
		}
		b.WriteString(r.text)
	}
	return b.String()
}

// allStrong reports whether runs are bold but for punctuation.
func allStrong(runs []run) bool {
	bold := false
	for _, r := range runs {
		if !r.strong && strings.ContainsFunc(r.text, isWord) {
			return false
		}
		bold = bold || r.strong
	}
	return bold
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// inline collects runs and collapses white space as a browser does.
type inline struct {
	runs  []run
	text  []byte // of the last run, as far as it goes
	space bool
}

func (in *inline) add(text string, style run) {
	for text != "" {
		at := strings.IndexFunc(text, func(r rune) bool { return !isSpace(r) })
		if at < 0 {
			in.space = true
			return
		}
		in.space = in.space || at > 0
		text = text[at:]
		end := strings.IndexFunc(text, isSpace)
		if end < 0 {
			end = len(text)
		}
		in.word(text[:end], style)
		text = text[end:]
	}
}

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }

func (in *inline) word(word string, style run) {
	style.text = ""
	last := len(in.runs) - 1
	same := last >= 0 && in.runs[last] == style
	space := in.space && last >= 0 && len(in.text) > 0 && in.text[len(in.text)-1] != '\n'
	in.space = false
	if space && (same || !in.runs[last].code) {
		in.text = append(in.text, ' ')
		space = false
	}
	if !same {
		in.close()
		in.runs = append(in.runs, style)
	}
	if space {
		in.text = append(in.text, ' ')
	}
	in.text = append(in.text, word...)
}

// close ends the last run.
func (in *inline) close() {
	if last := len(in.runs) - 1; last >= 0 {
		in.runs[last].text = string(in.text)
	}
	in.text = in.text[:0]
}

func (in *inline) lineBreak() {
	if len(in.runs) > 0 {
		in.text = append(in.text, '\n')
	}
	in.space = false
}

// put appends runs that are complete.
func (in *inline) put(runs []run) {
	for _, r := range runs {
		in.close()
		text := r.text
		r.text = ""
		in.runs = append(in.runs, r)
		in.text = append(in.text, text...)
	}
}

// take returns the runs so far and starts anew.
func (in *inline) take() []run {
	in.close()
	runs := in.runs
	*in = inline{}
	for len(runs) > 0 {
		last := &runs[len(runs)-1]
		last.text = strings.TrimRight(last.text, " \n")
		if last.text != "" {
			break
		}
		runs = runs[:len(runs)-1]
	}
	return runs
}

// clean drops what can stand neither in prose nor in a YAML comment: control
// characters, marks without width, odd spaces.
func clean(s string) string {
	before := rune(0)
	return strings.Map(func(r rune) rune {
		last := before
		before = r
		switch {
		case r == '\n' || r == '\t' || r < 0x7f && r >= ' ':
			return r
		case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
			return ' '
		case strictyaml.Hidden(last, r):
			before = last
			return -1
		case r == '\u200d' || r == '\u200c' || r == '\ufe0f' || r == '\ufe0e':
			return r
		case !unicode.IsPrint(r):
			return ' '
		}
		return r
	}, s)
}
