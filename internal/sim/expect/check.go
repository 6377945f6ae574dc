package expect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
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
		c.times[e.ID()] = writtenSpan{t, fromZero}
		e.SetKindCase(c.factory.NewLiteral(e.ID(), types.Int(t)))
		return moment
	}
	return c.bad(e, "this is no number, time, series or condition", "write a number such as 0.9, or a time such as \"5m\"")
}

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
// of time is in seconds, as series are.
func numberOf(text string) (float64, error) {
	var level parts.Level
	if err := level.UnmarshalText([]byte(text)); err == nil {
		return float64(level), nil
	}
	var count parts.Count
	if err := count.UnmarshalText([]byte(text)); err == nil {
		return float64(count), nil
	}
	var factor parts.Factor
	err := factor.UnmarshalText([]byte(text))
	return float64(factor), err
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
	help := "the functions are " + strings.Join(c.functionNames(), ", ")
	if near, ok := nearest.Of(name, c.functionNames()); ok {
		help = fmt.Sprintf("did you mean %q?", near)
	}
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

// signs are the operators as one writes them.
var signs = map[string]string{
	operators.LogicalAnd: "&&", operators.LogicalOr: "||", operators.LogicalNot: "!", operators.Conditional: "?:",
	operators.Equals: "==", operators.NotEquals: "!=", operators.Less: "<", operators.LessEquals: "<=",
	operators.Greater: ">", operators.GreaterEquals: ">=", operators.Add: "+", operators.Subtract: "-",
	operators.Multiply: "*", operators.Divide: "/", operators.Negate: "-",
}

// operator checks what an operator stands between.
func (c *checker) operator(e ast.Expr, sign string, kinds []kind) kind {
	args := e.AsCall().Args()
	switch sign {
	case "&&", "||", "!", "?:":
		return c.logic(args, sign, kinds)
	case "==", "!=", "<", "<=", ">", ">=":
		c.comparison(e, sign, kinds)
		return truth
	}
	if slices.Contains(kinds, unknown) {
		return unknown
	}
	if len(kinds) == 1 {
		if kinds[0] == number {
			return number
		}
		return c.bad(e, fmt.Sprintf("there is no minus of a %s", kinds[0]), "write 0 - x for a series")
	}
	name := e.AsCall().FunctionName()
	for _, o := range c.operators {
		if o.name == name && o.left == kinds[0] && o.right == kinds[1] {
			if o.gives == chart {
				c.cost += c.clock.windows
			}
			return o.gives
		}
	}
	return c.bad(e, fmt.Sprintf("%s does not go with a %s and a %s", sign, kinds[0], kinds[1]), "combine series and numbers, or times and times")
}

func (c *checker) logic(args []ast.Expr, sign string, kinds []kind) kind {
	conditions := len(kinds)
	if sign == "?:" {
		conditions = 1
	}
	for i, k := range kinds[:conditions] {
		if k != truth && k != unknown {
			c.bad(args[i], fmt.Sprintf("%s wants a condition, and got a %s", sign, k), "compare it, such as x > 0.9")
		}
	}
	if sign != "?:" {
		return truth
	}
	if kinds[1] != kinds[2] && kinds[1] != unknown && kinds[2] != unknown {
		return c.bad(args[2], fmt.Sprintf("one way gives a %s, the other a %s", kinds[1], kinds[2]), "let both give the same")
	}
	return cmp.Or(kinds[1], kinds[2])
}

func (c *checker) comparison(e ast.Expr, sign string, kinds []kind) {
	left, right := kinds[0], kinds[1]
	switch {
	case left == unknown || right == unknown:
	case left == chart || right == chart:
		c.bad(e, fmt.Sprintf("%s does not go with a series, which has many values", sign), "take the mean, least, most or last of it, or share_above")
	case left != right && (left == moment || right == moment):
		c.bad(e, fmt.Sprintf("a %s is compared with a %s", left, right), `write times as text, such as "5m"; a number of seconds is none`)
	case left != right || left == truth && sign != "==" && sign != "!=":
		c.bad(e, fmt.Sprintf("%s does not go with a %s and a %s", sign, left, right), "compare numbers with numbers")
	}
}

// span looks whether times that are written out lie in the run.
func (c *checker) span(e ast.Expr, f *function) {
	from, to := des.Time(0), c.clock.end()
	fixed := false
	for i, arg := range e.AsCall().Args() {
		w, ok := c.times[arg.ID()]
		if !ok || f.params[i].kind != moment {
			continue
		}
		name := f.params[i].name
		if name == "hold" || name == "span" {
			c.length(arg, name, w)
			continue
		}
		switch {
		case w.t < 0:
			c.bad(arg, fmt.Sprintf("%s is before the start of the run", c.clock.moment(w.t)), "begin later, or let run.zero be later")
			return
		case w.t > c.clock.end():
			c.wrong = append(c.wrong, trouble{at: c.place(arg), warning: true,
				msg:  fmt.Sprintf("this looks until %s, and the run ends at %s", c.clock.moment(w.t), c.clock.moment(c.clock.end())),
				help: "let it run for longer: as it is, it cannot hold"})
			return
		}
		switch name {
		case "from":
			from, fixed = w.t, true
		case "to":
			to, fixed = w.t, true
		}
	}
	width := c.clock.width
	if first, last := (from+width-1)/width, to/width; fixed && first >= last {
		c.bad(e, fmt.Sprintf("no whole window of %s lies between %s and %s", duration(width), c.clock.moment(from), c.clock.moment(to)),
			"let it end later, or make the windows of run.window shorter")
	}
}

// length checks a time that says for how long.
func (c *checker) length(arg ast.Expr, name string, w writtenSpan) {
	switch {
	case w.fromZero:
		c.bad(arg, name+" says for how long, not when", `write it without T, such as "5m"`)
	case name == "span" && (w.t < c.clock.width || w.t%c.clock.width != 0):
		c.bad(arg, fmt.Sprintf("%s is not so many windows of %s", duration(w.t), duration(c.clock.width)), "write a multiple of run.window")
	}
}

// budget reports an expression that reads too much.
func (c *checker) budget(e ast.Expr) {
	if c.cost > maxCost {
		c.bad(e, fmt.Sprintf("it reads %d windows, and may read %d", c.cost, maxCost),
			"make the windows of run.window wider, or the expression shorter")
	}
}
