package expect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/system"
)

// path returns the name that a chain of names makes.
func path(e ast.Expr) (string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent(), true
	case ast.SelectKind:
		s := e.AsSelect()
		before, ok := path(s.Operand())
		return before + "." + s.FieldName(), ok && !s.IsTestOnly()
	}
	return "", false
}

func (c *checker) name(e ast.Expr) kind {
	name, ok := path(e)
	if !ok {
		if whole, _ := c.unwritable(c.offset(e)); whole != "" {
			return c.unknownSeries(e, whole)
		}
		return c.bad(e, "only names have a part after a dot", "write the name of a series, such as db.queue, or series(\"db.0.queue\")")
	}
	name = strings.TrimPrefix(name, ".")
	switch {
	case c.known[name]:
		return c.chart(e, name)
	case name == goodShare:
		c.run = true
		e.SetKindCase(c.factory.NewIdent(e.ID(), name))
		return number
	}
	if _, is := c.functions[name]; is {
		return c.bad(e, fmt.Sprintf("%q is a function", name), "write "+c.usage(name))
	}
	return c.unknownSeries(e, name)
}

// chart makes a piece stand for a series.
func (c *checker) chart(e ast.Expr, name string) kind {
	e.SetKindCase(c.factory.NewIdent(e.ID(), name))
	if !slices.Contains(c.used, name) {
		c.used = append(c.used, name)
	}
	return chart
}

func (c *checker) unknownSeries(e ast.Expr, name string) kind {
	at := c.place(e)
	if whole, from := c.unwritable(at); whole != "" {
		if slices.ContainsFunc(c.wrong, func(t trouble) bool { return t.at == from }) {
			return unknown // it is one name to the reader, and several to CEL
		}
		c.wrong = append(c.wrong, trouble{at: from, msg: fmt.Sprintf("the name %s cannot stand by itself here", whole),
			help: fmt.Sprintf("write series(%q)", whole)})
		return unknown
	}
	msg := fmt.Sprintf("no series is named %q", name)
	if near, ok := nearest.Of(name, []string{goodShare}); ok {
		return c.bad(e, msg, fmt.Sprintf("did you mean %q?", near))
	}
	return c.bad(e, msg, shorten(system.Meant(name, c.series)))
}

// shorten cuts a list of names to what one reads.
func shorten(help string) string {
	const most = 300
	if len(help) <= most {
		return help
	}
	cut := strings.LastIndex(help[:most], ", ")
	return help[:max(cut, 0)] + " and others"
}

// unwritable returns the series whose name stands in the text at a letter, though
// CEL takes it apart, and where that begins.
func (c *checker) unwritable(at int) (string, int) {
	letters := []rune(c.text)
	best, begin := "", 0
	for _, name := range c.series {
		if writable(name) || len(name) <= len(best) {
			continue
		}
		for from := max(0, at-len(name)+1); from <= min(at, len(letters)-len(name)); from++ {
			if string(letters[from:from+len(name)]) == name {
				best, begin = name, from
			}
		}
	}
	return best, begin
}

// reserved are words that CEL keeps for itself.
var reserved = []string{
	"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
	"namespace", "null", "package", "return", "true", "var", "void", "while",
}

// writable reports whether CEL can read a name as it stands.
func writable(name string) bool {
	for word := range strings.SplitSeq(name, ".") {
		for k, r := range word {
			letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
			if !letter && (k == 0 || r < '0' || r > '9') {
				return false
			}
		}
		if word == "" || slices.Contains(reserved, word) {
			return false
		}
	}
	return true
}

func (c *checker) usage(name string) string {
	f := c.functions[name]
	return f.usage()
}

// constant returns the only argument of series and param.
func (c *checker) constant(e ast.Expr, example string) (string, bool) {
	call := e.AsCall()
	if args := call.Args(); len(args) == 1 && args[0].Kind() == ast.LiteralKind {
		if s, ok := args[0].AsLiteral().(types.String); ok {
			return string(s), true
		}
	}
	c.bad(e, fmt.Sprintf("%s takes a name in quotes", call.FunctionName()), "write "+example)
	return "", false
}

func (c *checker) parameter(e ast.Expr) kind {
	name, ok := c.constant(e, `param("load")`)
	if !ok {
		return unknown
	}
	var names []string
	for _, p := range c.params {
		if p.Name != name {
			names = append(names, p.Name)
			continue
		}
		v, err := numberOf(p.Value)
		if err != nil {
			return c.bad(e, fmt.Sprintf("the parameter %q is %q, which is no number", name, p.Value), "write the number that is meant")
		}
		e.SetKindCase(c.factory.NewLiteral(e.ID(), types.Double(v)))
		return number
	}
	help := "the file names no parameters"
	if near, ok := nearest.Of(name, names); ok {
		help = fmt.Sprintf("did you mean %q?", near)
	} else if len(names) > 0 {
		help = "they are " + strings.Join(names, ", ")
	}
	return c.bad(e, fmt.Sprintf("no parameter %q exists", name), shorten(help))
}

// numberOf reads the value of a parameter: a rate is one per second, and a span
// of time is in seconds, as series are, and its mean where it varies.
func numberOf(text string) (float64, error) {
	var level parts.Level
	if err := level.UnmarshalText([]byte(text)); err == nil {
		return float64(level), nil
	}
	var count parts.Count
	if err := count.UnmarshalText([]byte(text)); err == nil {
		return float64(count), nil
	}
	var spread parts.Spread
	if err := spread.UnmarshalText([]byte(text)); err == nil && !math.IsInf(spread.Mean(), 0) {
		return spread.Mean() / 1e9, nil // it is in nanoseconds
	}
	var factor parts.Factor
	err := factor.UnmarshalText([]byte(text))
	return float64(factor), err
}
