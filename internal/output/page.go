// Package output renders the answers of packages app, check and sim for readers
// and for programs.
//
// For readers an answer becomes a [Page] first, which [Text], [Markdown] and
// [HTML] render, so that all of them tell the same. The formats of programs are
// written from the answer itself: JSON, CSV, SARIF and JUnit. So are the charts,
// in SVG.
package output

import (
	"strings"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Page is a document made of blocks.
type Page []Block

// Block is one element of a page. Only the fields of its kind are set.
type Block struct {
	Kind  BlockKind
	Level int         // of a heading: 1 is the title
	Text  string      // of a heading or label; Markdown for prose
	Items []Item      // of a list
	Facts [][2]string // of facts: label and value
	Rows  [][]string  // of a table, the first being its head; a cell is one line
}

// BlockKind is the kind of a block.
type BlockKind int

// The kinds of block.
const (
	Heading BlockKind = iota
	Prose             // paragraphs and lists in Markdown
	List
	Facts // short labels with values
	Note  // a line about the page itself, not about its subject
	Table // cells in columns
	Code  // lines that keep their form: a drawing in characters, a file
)

// Item is an entry of a list.
type Item struct {
	Lead string // set off from the text: a time, an id; may be empty
	Text string
	Sub  []string // lines under it
	// Foreign is text of somebody else, such as the names of objects that were read, which
	// means nothing as Markdown.
	Foreign bool
}

// printable escapes what could steer a terminal or hide text. Files hold none of
// it, but a page also repeats what was asked.
func (page Page) printable() Page {
	clean := strictyaml.PrintableText
	out := make(Page, len(page))
	for i, b := range page {
		b.Text = clean(b.Text)
		items := make([]Item, len(b.Items))
		for k, one := range b.Items {
			items[k] = Item{Lead: clean(one.Lead), Text: clean(one.Text), Foreign: one.Foreign}
			for _, sub := range one.Sub {
				items[k].Sub = append(items[k].Sub, clean(sub))
			}
		}
		facts := make([][2]string, len(b.Facts))
		for k, f := range b.Facts {
			facts[k] = [2]string{clean(f[0]), clean(f[1])}
		}
		rows := make([][]string, len(b.Rows))
		for k, row := range b.Rows {
			for _, cell := range row {
				rows[k] = append(rows[k], clean(cell))
			}
		}
		b.Items, b.Facts, b.Rows = items, facts, rows
		out[i] = b
	}
	return out
}

// builder collects blocks and leaves out what is empty.
type builder struct{ page Page }

func (b *builder) heading(level int, text string) {
	b.page = append(b.page, Block{Kind: Heading, Level: level, Text: text})
}

func (b *builder) prose(text string) {
	if text != "" {
		b.page = append(b.page, Block{Kind: Prose, Text: text})
	}
}

func (b *builder) note(text string) {
	if text != "" {
		b.page = append(b.page, Block{Kind: Note, Text: text})
	}
}

func (b *builder) list(items []Item) {
	if len(items) > 0 {
		b.page = append(b.page, Block{Kind: List, Items: items})
	}
}

func (b *builder) facts(pairs ...[2]string) {
	var kept [][2]string
	for _, p := range pairs {
		if p[1] != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) > 0 {
		b.page = append(b.page, Block{Kind: Facts, Facts: kept})
	}
}

// section adds a list under its own heading.
func (b *builder) section(title string, items []Item) {
	if len(items) == 0 {
		return
	}
	b.heading(2, title)
	b.list(items)
}

func (b *builder) table(rows [][]string) {
	if len(rows) > 1 {
		b.page = append(b.page, Block{Kind: Table, Rows: rows})
	}
}

func (b *builder) code(text string) {
	if text != "" {
		b.page = append(b.page, Block{Kind: Code, Text: strings.TrimRight(text, "\n")})
	}
}
