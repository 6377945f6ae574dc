package strictyaml

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// scalar returns n's value plain where YAML reads it back as the same string,
// and quoted elsewhere; it reports false for text of several lines.
func scalar(n *yaml.Node, t reflect.Type, inFlow bool) (string, bool) {
	v := n.Value
	if strings.Contains(v, "\n") {
		return "", false
	}
	if t != nil && t.Kind() != reflect.String && !reflect.PointerTo(t).Implements(textUnmarshaler) {
		return v, true // a number or a truth value
	}
	if plain(v, inFlow) {
		return v, true
	}
	return quote(v), true
}

// quote writes v in double quotes; YAML's escapes are a superset of those
// that [strconv.Quote] uses for printable text.
func quote(v string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range v {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			b.WriteString(`\U` + hex(r, 8))
		default:
			b.WriteString(`\u` + hex(r, 4))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hex(r rune, digits int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", digits-len(s)) + s
}

// clock matches times of day, which some YAML readers take for a number in
// base sixty.
var clock = lazyregexp.New(`^\d{4}-\d\d-\d\dT|^\d+:\d\d`)

// oldTruths are strings that YAML 1.1 readers take for truth values.
var oldTruths = []string{"y", "yes", "n", "no", "on", "off"}

// plain reports whether v may stand without quotes.
func plain(v string, inFlow bool) bool {
	if v == "" || v != strings.TrimSpace(v) || clock.MatchString(v) {
		return false
	}
	if strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`=~<", rune(v[0])) {
		return false
	}
	if strings.Contains(v, ": ") || strings.Contains(v, " #") || strings.HasSuffix(v, ":") {
		return false
	}
	if inFlow && strings.ContainsAny(v, ",[]{}?:") {
		return false
	}
	for _, r := range v {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	if slices.Contains(oldTruths, strings.ToLower(v)) {
		return false
	}
	switch tag := (&yaml.Node{Kind: yaml.ScalarNode, Value: v}).ShortTag(); tag {
	case "!!str":
		return true
	case "!!timestamp":
		return !strings.Contains(v, ":")
	default: // a string that looks like a number, a truth value or nothing
		return false
	}
}

// block writes prose that does not fit on its line.
func (f *formatter) block(n *yaml.Node, t reflect.Type, level, col int, comment string) {
	text := n.Value
	oneLine := !strings.Contains(text, "\n")
	if t != nil && t.Kind() != reflect.String || !blockable(text) || oneLine && strings.Contains(text, "  ") {
		f.out.WriteString(quote(text) + comment + "\n")
		return
	}
	if oneLine {
		f.out.WriteString(">-" + comment + "\n")
		for _, line := range wrap(text, lineWidth-2*level, "") {
			f.indent(level)
			f.out.WriteString(line + "\n")
		}
		return
	}
	f.out.WriteString("|-" + comment + "\n")
	for _, line := range reflow(text, lineWidth-2*level) {
		if line != "" {
			f.indent(level)
		}
		f.out.WriteString(line + "\n")
	}
}

// blockable reports whether block style keeps text as it is: no white space at
// the ends of lines or before the first one, nothing that must be escaped.
func blockable(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if line != strings.TrimRight(line, " \t\r") {
			return false
		}
	}
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			return false
		}
	}
	return text != "" && text[0] != ' ' && text[0] != '\n' && text[len(text)-1] != '\n'
}

var (
	listItem = lazyregexp.New(`^(\s*)([-*+]|\d+[.)])\s+`)
	unbroken = lazyregexp.New(`^\s*([#>|]|    )`)
	marker   = lazyregexp.New(`^([-*+#>|=~]|\d+[.)]$|` + "`{3})")
)

// reflow breaks the paragraphs and list items of a Markdown text anew.
// Headings, quotations, tables and code keep their lines.
func reflow(text string, width int) []string {
	var lines []string
	open, fenced := "", false // open is a paragraph or list item not yet written
	flush := func() {
		if open != "" {
			lines = append(lines, wrapMarkdown(open, width)...)
		}
		open = ""
	}
	for line := range strings.SplitSeq(text, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence || fenced || line == "" || unbroken.MatchString(line):
			flush()
			lines = append(lines, line)
			fenced = fenced != fence
		case open == "" || listItem.MatchString(line) || marker.MatchString(firstWord(line)) || strings.HasSuffix(open, `\`):
			flush()
			open = line
		default:
			open += " " + strings.TrimLeft(line, " ")
		}
	}
	flush()
	return lines
}

func firstWord(line string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	return first
}

// wrapMarkdown breaks a paragraph or list item that is too long for a line.
func wrapMarkdown(line string, width int) []string {
	if columns(line) <= width || strings.Contains(strings.TrimSpace(line), "  ") {
		return []string{line}
	}
	hang := ""
	if m := listItem.FindString(line); m != "" {
		hang = strings.Repeat(" ", len(m))
	}
	return wrap(line, width, hang)
}

// wrap breaks text at spaces into lines of at most limit columns where it
// can; lines after the first begin with hang. No line begins with a word that
// Markdown would take for a mark.
func wrap(text string, limit int, hang string) []string {
	var lines []string
	var line strings.Builder
	col, blank := 0, true // of the line so far
	for i, w := range strings.Split(text, " ") {
		width := columns(w)
		switch {
		case i == 0:
		case col+1+width > limit && !blank && !marker.MatchString(w):
			lines = append(lines, line.String())
			line.Reset()
			line.WriteString(hang)
			col = len(hang)
		default:
			line.WriteByte(' ')
			col++
		}
		line.WriteString(w)
		col, blank = col+width, blank && w == ""
	}
	return append(lines, line.String())
}

// terminal measures text as a terminal shows it, the same in every locale.
var terminal = runewidth.Condition{StrictEmojiNeutral: true}

// columns is the width of s on a terminal.
func columns(s string) int { return terminal.StringWidth(s) }
