package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Level tells how bad a problem is.
type Level string

// The levels of a problem.
const (
	Error   Level = "error"   // the file cannot be used as it is
	Warning Level = "warning" // the file can be used, and should be mended
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	File  string `json:"file"`
	Line  int    `json:"line"`  // from 1
	Col   int    `json:"col"`   // from 1, in runes
	Field string `json:"field"` // path, for example actions[2].text.ko
	Rule  string `json:"rule"`  // short stable name, for example unknown-field
	Level Level  `json:"level"`
	Msg   string `json:"message"`          // what is wrong
	Help  string `json:"remedy,omitempty"` // what to do
}

// String renders p as file:line:col: field: what is wrong; what to do (rule).
// Control characters, which a file's name and keys may hold, are escaped, so
// that they cannot steer a terminal.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", p.File, max(p.Line, 1), max(p.Col, 1))
	if p.Field != "" {
		fmt.Fprintf(&b, "%s: ", p.Field)
	}
	b.WriteString(p.Msg)
	if p.Help != "" {
		b.WriteString("; " + p.Help)
	}
	fmt.Fprintf(&b, " [%s]", p.Rule)
	return Printable(b.String())
}

// Printable escapes the characters of a line that could steer a terminal or
// hide text.
func Printable(line string) string {
	if !strings.ContainsFunc(line, unprintable) {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if unprintable(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unprintable(r rune) bool { return control(r) || r == '\n' }

// short cuts what quotes a file to a length that one can read.
func short(s string) string {
	const most = 500
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// Problems are all problems of one or more files.
type Problems []Problem

// Error renders one problem a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Errors returns the problems of level [Error].
func (ps Problems) Errors() Problems {
	return slices.DeleteFunc(slices.Clone(ps), func(p Problem) bool { return p.Level != Error })
}

// Sort orders the problems by file, place and rule.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col), cmp.Compare(a.Rule, b.Rule))
	})
}
