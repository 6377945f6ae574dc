package expect

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/system"
)

// trouble is something wrong with an expression.
type trouble struct {
	at        int // letter of the expression, from 0
	msg, help string
	warning   bool
}

// surroundings are what the expressions of a file can speak of.
type surroundings struct {
	series    []string
	known     map[string]bool
	params    system.Parameters
	functions map[string]function
	operators []operator
	clock     clock
	zero      bool // the file says when T+0 is
}

// checker finds what kind the pieces of one expression are, and what is wrong
// with them. It writes numbers as double, times as nanoseconds, and names as
// variables in place, so that CEL takes them as such.
type checker struct {
	surroundings
	text    string
	info    *ast.SourceInfo
	factory ast.ExprFactory
	used    []string              // series
	times   map[int64]writtenSpan // times that are written out, by the piece
	starts  map[int64]int         // letters where the pieces begin
	run     bool                  // the results of the whole run are looked at
	until   des.Time              // by when all is over that is looked at
	cost    int
	wrong   []trouble
}

// writtenSpan is a time as it stands in an expression.
type writtenSpan struct {
	t        des.Time
	fromZero bool
}

func (c *checker) bad(e ast.Expr, msg, help string) kind {
	c.wrong = append(c.wrong, trouble{at: c.place(e), msg: msg, help: help})
	return unknown
}

// place returns the letter where a piece begins. A name that has been written as
// a variable does not tell any more.
func (c *checker) place(e ast.Expr) int {
	if at, ok := c.starts[e.ID()]; ok {
		return at
	}
	return c.start(e)
}

// start returns the letter where a piece begins that is as it was read.
func (c *checker) start(e ast.Expr) int {
	switch e.Kind() {
	case ast.SelectKind:
		return c.start(e.AsSelect().Operand())
	case ast.CallKind:
		call := e.AsCall()
		if call.IsMemberFunction() {
			return c.start(call.Target())
		}
		// CEL gives where the arguments of a function begin.
		before := strings.TrimRight(string([]rune(c.text)[:c.offset(e)]), " \t\n")
		if name := call.FunctionName(); isWord(name) && strings.HasSuffix(before, name) {
			return utf8.RuneCountInString(before) - utf8.RuneCountInString(name)
		}
	}
	return c.offset(e)
}

// isWord tells the names of functions from those of operators, such as _+_.
func isWord(name string) bool {
	return name != "" && (name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z')
}

func (c *checker) offset(e ast.Expr) int {
	r, _ := c.info.GetOffsetRange(e.ID())
	return int(r.Start)
}

// expr returns the kind of a piece.
func (c *checker) expr(e ast.Expr) kind {
	c.starts[e.ID()] = c.start(e)
	switch e.Kind() {
	case ast.LiteralKind:
		return c.literal(e)
	case ast.IdentKind, ast.SelectKind:
		return c.name(e)
	case ast.CallKind:
		return c.call(e)
	}
	return c.bad(e, "lists, mappings and loops are not part of expectations", "write one condition, or several expectations")
}

func (c *checker) literal(e ast.Expr) kind {
	switch v := e.AsLiteral().(type) {
	case types.Bool:
		return truth
	case types.Double:
		return number
	case types.Int:
		e.SetKindCase(c.factory.NewLiteral(e.ID(), types.Double(v)))
		return number
	case types.Uint:
		e.SetKindCase(c.factory.NewLiteral(e.ID(), types.Double(v)))
		return number
	case types.String:
		t, fromZero, err := parseMoment(string(v), c.clock.zero)
		if err != nil {
			msg, help, _ := strings.Cut(err.Error(), "; ")
			return c.bad(e, msg, help)
		}
		if fromZero && !c.zero {
			return c.bad(e, "the file does not say when T+0 is", "write the moment in run.zero, or a time from the start of the run")
		}
		c.times[e.ID()] = writtenSpan{t, fromZero}
		e.SetKindCase(c.factory.NewLiteral(e.ID(), types.Int(t)))
		return moment
	}
	return c.bad(e, "this is no number, time, series or condition", "write a number such as 0.9, or a time such as \"5m\"")
}

// call returns the kind of what an operator or a function gives.
func (c *checker) call(e ast.Expr) kind {
	call := e.AsCall()
	name := call.FunctionName()
	switch {
	case call.IsMemberFunction():
		help := "the functions are " + strings.Join(c.functionNames(), ", ")
		if _, ok := c.functions[name]; ok {
			help = "write " + c.usage(name)
		}
		return c.bad(e, fmt.Sprintf("functions do not come after a dot, as %q does", name), help)
	case name == "series":
		series, ok := c.constant(e, `series("db.0.queue")`)
		switch {
		case !ok:
			return unknown
		case c.known[series]:
			return c.chart(e, series)
		}
		return c.bad(e, fmt.Sprintf("no series is named %q", series), shorten(system.Meant(series, c.series)))
	case name == "param":
		return c.parameter(e)
	}
	args := call.Args()
	kinds := make([]kind, len(args))
	for i, a := range args {
		kinds[i] = c.expr(a)
	}
	if f, ok := c.functions[name]; ok {
		return c.function(e, &f, kinds)
	}
	if sign, ok := signs[name]; ok {
		return c.operator(e, sign, kinds)
	}
	help := nearest.Help(name, c.functionNames(), "the functions are "+strings.Join(c.functionNames(), ", "))
	if !isWord(name) {
		return c.bad(e, "this operator is not part of expectations", "write && || ! ?: and == != < <= > >=, or + - * /")
	}
	return c.bad(e, fmt.Sprintf("no function is named %q", name), help)
}

func (c *checker) functionNames() []string {
	names := []string{"param", "series"}
	for name := range c.functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// function checks what a function is given.
func (c *checker) function(e ast.Expr, f *function, kinds []kind) kind {
	if slices.Contains(kinds, unknown) {
		return f.gives
	}
	fits := len(kinds) >= f.need && len(kinds) <= len(f.params)
	open := unknown
	for i := 0; fits && i < len(kinds); i++ {
		want := f.params[i].kind
		if want == either {
			if open == unknown && kinds[i] != chart && kinds[i] != truth {
				open = kinds[i]
			}
			want = open
		}
		if kinds[i] == chart || f.params[i].kind == chart {
			c.cost += c.clock.windows
		}
		if fits = kinds[i] == want; !fits {
			arg := e.AsCall().Args()[i]
			c.bad(arg, fmt.Sprintf("%s wants a %s as its %s, and got a %s", f.name, f.params[i].kind, f.params[i].name, kinds[i]), c.remedy(f, i, kinds[i]))
			return f.gives
		}
	}
	if !fits {
		c.bad(e, fmt.Sprintf("%s has %d arguments", f.name, len(kinds)), "write "+f.usage())
		return f.gives
	}
	c.span(e, f)
	c.until = max(c.until, c.ends(e, f))
	return f.gives
}

// remedy says what to write instead of a wrong argument.
func (c *checker) remedy(f *function, i int, got kind) string {
	switch want := f.params[i].kind; {
	case want == moment && got == number:
		return `write it as text, such as "5m" or "T+5m"`
	case want == chart && got == number:
		return fmt.Sprintf("write the name of a series; the form is %s", f.usage())
	case got == chart && want != truth:
		return "take the mean, least, most or last of it"
	}
	return "the form is " + f.usage()
}
