package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
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

// String renders p as file:line:col: level: field: what is wrong; what to do
// [rule], the form that editors and CI systems know from compilers.
// Control characters, which a file's name and keys may hold, are escaped, so
// that they cannot steer a terminal.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", p.File, max(p.Line, 1), max(p.Col, 1))
	if p.Level != "" {
		fmt.Fprintf(&b, "%s: ", p.Level)
	}
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

// Bound sorts the problems, and replaces those of a file above what anybody
// reads by one that counts them. Errors stay before warnings do.
func (ps Problems) Bound() Problems {
	ps = slices.Clone(ps)
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Line, b.Line))
	})
	var kept Problems
	for from := 0; from < len(ps); {
		to := from
		for to < len(ps) && ps[to].File == ps[from].File {
			to++
		}
		cut := min(to, from+maxProblems)
		kept = append(kept, ps[from:cut]...)
		if cut < to {
			kept = append(kept, more(ps[cut].File, to-cut, ps[cut].Level))
		}
		from = to
	}
	kept.Sort()
	return kept
}

// more is the problem that counts those which are not shown.
func more(file string, n int, level Level) Problem {
	return Problem{
		File: file, Line: 1, Col: 1, Rule: "more-findings", Level: level,
		Msg: fmt.Sprintf("%d more findings of this file are not shown", n), Help: "mend the others first",
	}
}
