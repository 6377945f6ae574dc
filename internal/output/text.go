package output

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// Terminal describes where text is shown.
type Terminal struct {
	Width int  // columns; at least 40 are used
	Color bool // use bold and dim type
}

// terminal measures text the same in every locale.
var terminal = runewidth.Condition{StrictEmojiNeutral: true}

// Text writes a page for a terminal.
func Text(w io.Writer, page Page, t Terminal) error {
	t.Width, page = max(t.Width, 40), page.printable()
	p := textPrinter{Terminal: t}
	for i, block := range page {
		if i > 0 && !(block.Kind != Heading && page[i-1].Kind == Heading && page[i-1].Level > 1) {
			p.out.WriteString("\n")
		}
		p.block(block)
	}
	_, err := io.WriteString(w, plain(p.out.String()))
	return err
}

type textPrinter struct {
	Terminal
	out strings.Builder
}

func (p *textPrinter) block(b Block) {
	switch b.Kind {
	case Heading:
		p.lines(p.bold(b.Text), "", "")
	case Prose:
		for _, paragraph := range paragraphs(b.Text) {
			p.lines(p.inline(paragraph), "", "")
		}
	case Note:
		p.lines(p.dim(b.Text), "", "")
	case Facts:
		p.facts(b.Facts)
	case Table:
		p.table(b.Rows)
	case Code:
		p.out.WriteString(b.Text + "\n")
	case List:
		for _, item := range b.Items {
			p.item(item)
		}
	}
}

func (p *textPrinter) facts(facts [][2]string) {
	width := 0
	for _, f := range facts {
		width = max(width, min(terminal.StringWidth(f[0]), 22))
	}
	for _, f := range facts {
		label := terminal.FillRight(f[0], width)
		p.lines(p.inline(f[1]), p.dim(label)+"  ", strings.Repeat(" ", width+2))
	}
}

// table writes rows in columns, figures to the right.
func (p *textPrinter) table(rows [][]string) {
	for i, line := range columnsOf(rows) {
		if i == 0 {
			line = p.dim(line)
		}
		p.out.WriteString(line + "\n")
	}
}

// columnsOf lays rows out in columns: those whose cells all begin with a figure
// to the right, others to the left.
func columnsOf(rows [][]string) []string {
	var widths []int
	var figures []bool
	for i, row := range rows {
		for k, cell := range row {
			if k == len(widths) {
				widths, figures = append(widths, 0), append(figures, true)
			}
			widths[k] = max(widths[k], terminal.StringWidth(cell))
			figures[k] = figures[k] && (i == 0 || cell == "" || strings.ContainsRune("0123456789.-–", rune(cell[0])) || cell == "–")
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for k, cell := range row {
			if k > 0 {
				b.WriteString("  ")
			}
			gap := strings.Repeat(" ", widths[k]-terminal.StringWidth(cell))
			if figures[k] {
				b.WriteString(gap + cell)
			} else {
				b.WriteString(cell + gap)
			}
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

func (p *textPrinter) item(item Item) {
	text, first := p.inline(item.Text), "  "
	switch {
	case item.Lead == "":
	case visible(item.Lead) > p.Width/2: // too long to stand apart
		text = p.bold(item.Lead) + " " + text
	default: // two spaces, since a terminal without colours shows no bold type
		first += p.bold(item.Lead) + "  "
	}
	p.lines(text, first, "    ")
	for _, sub := range item.Sub {
		p.lines(p.dim(p.inline(sub)), "    ", "    ")
	}
}

// paragraphs joins the lines of a Markdown text that belong together; list
// items stay on lines of their own.
func paragraphs(markdown string) []string {
	var all []string
	for line := range strings.SplitSeq(markdown, "\n") {
		trimmed := strings.TrimSpace(line)
		last := len(all) - 1
		switch {
		case trimmed == "" || last < 0 || all[last] == "" || itemStart.MatchString(trimmed):
			all = append(all, trimmed)
		default:
			all[last] += " " + trimmed
		}
	}
	return all
}

var (
	itemStart = lazyregexp.New(`^([-*+#>|]|\d+[.)]) ?`)
	strong    = lazyregexp.New(`\*\*([^*]+)\*\*`)
	footmark  = lazyregexp.New(`\[\^([^\]\s]+)\]`)
	mdLink    = lazyregexp.New(`\[([^\]]+)\]\(([^)\s]+)\)`)
)

// inline turns the marks of Markdown inside a line into type.
func (p *textPrinter) inline(s string) string {
	s = mdLink.ReplaceAllString(s, "$1 <$2>")
	s = footmark.ReplaceAllString(s, "[$1]")
	s = strings.ReplaceAll(s, "`", "")
	return strong.ReplaceAllStringFunc(s, func(m string) string { return p.bold(m[2 : len(m)-2]) })
}

// breaks reports whether a line may break at r.
func breaks(r rune) bool { return unicode.IsSpace(r) && string(r) != nbsp }

// lines writes text broken at spaces; the first line begins with first, the
// others with rest.
func (p *textPrinter) lines(text, first, rest string) {
	line, width, empty := first, visible(first), true
	for _, word := range strings.FieldsFunc(text, breaks) {
		w := visible(word)
		switch {
		case empty:
			line, width, empty = line+word, width+w, false
		case width+1+w > p.Width:
			p.out.WriteString(strings.TrimRight(line, " ") + "\n")
			line, width = rest+word, visible(rest)+w
		default:
			line, width = line+" "+word, width+1+w
		}
	}
	p.out.WriteString(strings.TrimRight(line, " ") + "\n")
}

var escape = lazyregexp.New("\x1b\\[[0-9;]*m")

// visible is the width of s without its escape sequences.
func visible(s string) int { return terminal.StringWidth(escape.ReplaceAllString(s, "")) }

func (p *textPrinter) bold(s string) string { return p.styled("1", s) }
func (p *textPrinter) dim(s string) string  { return p.styled("2", s) }

// styled sets each word apart, since a line may break between any two. The page
// is printable, so no text brings escapes of its own.
func (p *textPrinter) styled(code, s string) string {
	if !p.Color || s == "" {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		if w != "" {
			words[i] = fmt.Sprintf("\x1b[%sm%s\x1b[0m", code, w)
		}
	}
	return strings.Join(words, " ")
}
