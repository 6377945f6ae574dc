// Package expect checks what a scenario file expects of its runs: conditions in
// CEL, the expression language of Kubernetes, over the series of a run.
//
// An expression is checked whole before anything runs: its names, its kinds, its
// times and what it costs. There are no loops in it, so that each piece reads
// each window of a series a few times at most.
package expect

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Set is the expectations of a file, ready to be checked.
type Set struct {
	file    *scenario.File
	all     []compiled
	figures figures
}

// compiled is an expectation that CEL can run.
type compiled struct {
	scenario.Expectation
	program cel.Program
	written *ast.AST // as it stands in the file
	series  []string
	run     bool     // it looks at the results of the whole run
	until   des.Time // by when all is over that it looks at
}

// Origin is where expectations stand, for the places of problems.
type Origin struct {
	Doc  *strictyaml.Doc
	Src  []byte
	Path string // of the list, such as expect
}

// zero reports whether a file says when T+0 is.
func (o Origin) zero(f *scenario.File) bool { return f.Run.Zero > 0 || o.Doc.Has("run.zero") }

// Compile checks expectations of a file and makes them ready. All that is wrong
// is reported at once; what could be compiled is in the set even then.
func Compile(f *scenario.File, list []scenario.Expectation, o Origin) (*Set, strictyaml.Problems) {
	if len(list) == 0 {
		return &Set{file: f}, nil
	}
	if len(list) > maxCount {
		return &Set{file: f}, strictyaml.Problems{o.Doc.Problem(strictyaml.Error, "too-many", o.Path, fmt.Sprintf("%d expectations", len(list)),
			fmt.Sprintf("write at most %d", maxCount))}
	}
	return compile(f, seriesOf(f), list, o)
}

// seriesOf returns the names of the series of a file, which needs the system
// built.
func seriesOf(f *scenario.File) []string {
	var names []string
	for _, one := range parts.Build(f.Parts.Build(), parts.Options{Window: f.Run.Window.Time()}).Rec.Series() {
		names = append(names, one.Name)
	}
	return names
}

// compile is Compile for a system with series of these names.
func compile(f *scenario.File, names []string, list []scenario.Expectation, o Origin) (*Set, strictyaml.Problems) {
	base, err := newEnv()
	if err != nil {
		panic("expect: the functions contradict each other: " + err.Error())
	}
	set, around := &Set{file: f}, around(f, names, o.zero(f))
	var problems strictyaml.Problems
	total := 0
	for i, e := range list {
		c := around.checker(e.That)
		one, ok := c.compile(base, truth)
		problems = append(problems, o.problems(fmt.Sprintf("%s[%d].that", o.Path, i), e.That, c.wrong)...)
		if ok {
			one.Expectation = e
			set.all = append(set.all, one)
		}
		total += c.cost
	}
	if total > maxTotal {
		problems = append(problems, o.Doc.Problem(strictyaml.Error, "too-costly", o.Path,
			fmt.Sprintf("the expectations read %d windows, and may read %d", total, maxTotal), "make the windows of run.window wider"))
	}
	return set, problems
}

// checker returns one for an expression.
func (s surroundings) checker(text string) *checker {
	return &checker{surroundings: s, text: text, factory: ast.NewExprFactory(), times: map[int64]writtenSpan{}, starts: map[int64]int{}}
}

// around returns what the expressions of a file can speak of.
func around(f *scenario.File, names []string, zero bool) surroundings {
	s := surroundings{
		zero:   zero,
		series: names, known: map[string]bool{}, params: f.Parameters, functions: map[string]function{}, operators: opers(),
		clock: clock{
			width: f.Run.Window.Time(), windows: int(f.Run.For.Time() / f.Run.Window.Time()),
			zero: f.Run.Zero.Time(), reached: f.Run.For.Time(), ended: des.EndTime,
		},
	}
	for _, name := range names {
		s.known[name] = true
	}
	for _, f := range functions() {
		s.functions[f.name] = f
	}
	return s
}

// compile checks one expression and makes it ready.
func (c *checker) compile(base *cel.Env, want kind) (compiled, bool) {
	if n := utf8.RuneCountInString(c.text); n > maxLength {
		c.wrong = append(c.wrong, trouble{msg: fmt.Sprintf("the expression has %d letters", n), help: fmt.Sprintf("write at most %d", maxLength)})
		return compiled{}, false
	}
	parsed, issues := base.Parse(c.text)
	if issues.Err() != nil {
		c.syntax(issues)
		return compiled{}, false
	}
	written := ast.Copy(parsed.NativeRep())
	c.info = written.SourceInfo()
	root := parsed.NativeRep().Expr()
	switch k := c.expr(root); {
	case k == want || k == unknown:
	case want == truth:
		c.bad(root, fmt.Sprintf("this gives a %s, and not whether something holds", k), "compare it, such as mean(db.busy) < 0.9")
	default:
		c.bad(root, fmt.Sprintf("this gives a %s, and not a %s", k, want), "write one such as mean(db.busy)")
	}
	c.budget(root)
	for _, w := range c.wrong {
		if !w.warning {
			return compiled{}, false
		}
	}
	program, err := c.program(base, parsed)
	if err != nil {
		c.bad(root, "the expression does not compile: "+firstLine(err.Error()), "write it in another way")
		return compiled{}, false
	}
	if c.run {
		c.until = c.clock.end()
	}
	return compiled{program: program, written: written, series: c.used, run: c.run, until: c.until}, true
}

// program lets CEL check the expression, whose pieces are known to be right.
func (c *checker) program(base *cel.Env, parsed *cel.Ast) (cel.Program, error) {
	var variables []cel.EnvOption
	for _, name := range c.used {
		variables = append(variables, cel.Variable(name, seriesType))
	}
	env, err := base.Extend(variables...)
	if err != nil {
		return nil, err
	}
	checked, issues := env.Check(parsed)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	return env.Program(checked, cel.EvalOptions(cel.OptTrackState), cel.CostLimit(maxCost))
}

// syntax reports the first thing that CEL could not read; the others mostly
// follow from it.
func (c *checker) syntax(issues *cel.Issues) {
	first := issues.Errors()[0]
	at := max(first.Location.Column(), 0)
	for i, line := 1, 0; i < first.Location.Line(); i++ {
		next := strings.IndexByte(c.text[line:], '\n')
		if next < 0 {
			break
		}
		at += utf8.RuneCountInString(c.text[line : line+next+1])
		line += next + 1
	}
	msg, _, _ := strings.Cut(strings.TrimPrefix(first.Message, "Syntax error: "), ", expecting ")
	msg, _, _ = strings.Cut(msg, " expecting ")
	if strings.Contains(msg, "<EOF>") {
		msg = "the expression ends where more must follow"
	}
	help := `write a condition in CEL, such as mean(db.busy, "T+1m", "T+5m") > 0.9`
	for from := at; from >= 0 && from > at-2; from-- { // CEL may stop behind a number such as "3."
		if whole, begin := c.unwritable(from); whole != "" {
			at, msg, help = begin, fmt.Sprintf("the name %s cannot stand by itself here", whole), fmt.Sprintf("write series(%q)", whole)
			break
		}
	}
	c.wrong = append(c.wrong, trouble{at: at, msg: firstLine(msg), help: help})
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// problems gives what is wrong with an expression its places in the file.
func (o Origin) problems(path, text string, all []trouble) strictyaml.Problems {
	var problems strictyaml.Problems
	for _, w := range all {
		level := strictyaml.Error
		if w.warning {
			level = strictyaml.Warning
		}
		p := o.Doc.Problem(level, "expectation", path, w.msg, w.help)
		at := strictyaml.Within(o.Src, strictyaml.Place{Line: p.Line, Col: p.Col}, text, w.at)
		p.Line, p.Col = at.Line, at.Col
		problems = append(problems, p)
	}
	return problems
}
