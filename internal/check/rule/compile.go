package rule

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Rule is a check that is ready to run.
type Rule struct {
	File
	when, state, exposed, at *program // nil where the file says nothing
	lets                     []let
	slots                    map[string]int // where a run keeps the value of each name
}

type let struct {
	name    string
	program *program
	common  bool // the same for all objects, since nothing in it is of one
}

// Compile reads a check and makes it ready, with some of its parameters set
// otherwise. All that is wrong is reported at once. The examples are not tried:
// see [Rule.Prove].
func Compile(name string, src []byte, set map[string]float64) (*Rule, strictyaml.Problems) {
	c := &compiler{rule: &Rule{}, src: src}
	c.doc, c.problems = strictyaml.Decode(name, src, &c.rule.File)
	if len(c.problems) > 0 {
		return c.rule, c.problems
	}
	c.settings(set)
	c.texts()
	c.expressions()
	c.messages()
	c.rule.layOut()
	c.problems.Sort()
	return c.rule, c.problems
}

type compiler struct {
	rule     *Rule
	doc      *strictyaml.Doc
	src      []byte
	env      *cel.Env
	names    []string // that expressions know
	types    map[string]*cel.Type
	own      []string // names whose values are of one object
	last     *cel.Ast // the last expression
	problems strictyaml.Problems
}

func (c *compiler) bad(rule, path, msg, help string) {
	c.problems = append(c.problems, c.doc.Problem(strictyaml.Error, rule, path, msg, help))
}

// settings sets parameters otherwise.
func (c *compiler) settings(set map[string]float64) {
	for i, p := range c.rule.Parameters {
		if v, ok := set[p.Name]; ok {
			c.rule.Parameters[i].Value = v
		}
	}
}

// expressions compiles all expressions, each with the names that stand before it.
func (c *compiler) expressions() {
	var err error
	if c.env, err = baseEnv(); err != nil {
		panic("rule: the functions contradict each other: " + err.Error())
	}
	c.names, c.types = []string{theObject, theCluster, theNow}, map[string]*cel.Type{}
	c.own = []string{theObject, theWorkload, theService, thePart}
	r := c.rule
	if !slices.ContainsFunc(r.Applies, func(k string) bool { return !isWorkload(k) }) {
		c.declare("applies", theWorkload, typeOf(Workload))
	}
	if slices.Equal(r.Applies, Kinds{"Service"}) {
		c.declare("applies", theService, typeOf("Service"))
	}
	if slices.Equal(r.Applies, Kinds{object.PartOfSystem}) {
		c.declare("applies", thePart, typeOf("SystemPart"))
	}
	for _, p := range r.Parameters {
		c.declare("parameters."+p.Name, p.Name, types.DoubleType)
	}
	r.when, _ = c.expression("when", r.When, types.BoolType)
	for _, l := range r.Let {
		path := "let." + l.Name
		program, gives := c.expression(path, l.Is, nil)
		if gives == nil {
			gives = types.DynType // it has been reported, and others may use it
		}
		common := program != nil && c.common(c.last)
		if !common {
			c.own = append(c.own, l.Name)
		}
		r.lets = append(r.lets, let{l.Name, program, common})
		c.declare(path, l.Name, gives)
	}
	r.state, _ = c.expression("state", r.State, types.BoolType)
	r.exposed, _ = c.expression("exposed", r.Exposed, types.BoolType)
	r.at = c.places()
	if r.State == "" && r.Exposed == "" {
		c.bad("no-condition", "state", "is missing, and so is exposed", "write the condition of a finding in one of them, or in both")
	}
}

// places compiles what a finding points to: paths of its object, or places of any.
func (c *compiler) places() *program {
	text := c.rule.At
	program, gives := c.expression("at", text, nil)
	if gives != nil && !gives.IsExactType(texts) && !gives.IsExactType(listOf("Place")) && !gives.IsExactType(types.DynType) {
		c.at("at", text, 0, [2]string{fmt.Sprintf("this gives %s, and not %s", typeText(gives), typeText(texts)), wanted(texts)})
	}
	return program
}

func isWorkload(kind string) bool {
	return kind == Workload || slices.Contains(object.WorkloadKinds(), kind)
}

// declare makes a name known to the expressions that follow.
func (c *compiler) declare(path, name string, gives *cel.Type) {
	if slices.Contains(c.names, name) {
		c.bad("repeated-name", path, fmt.Sprintf("the name %q is taken", name), "choose another one")
		return
	}
	env, err := c.env.Extend(cel.Variable(name, gives))
	if err != nil || !isName(name) {
		c.bad("bad-name", path, fmt.Sprintf("%q is no name", name), "write small letters, digits and _, such as bad_containers")
		return
	}
	c.env, c.types[name] = env, gives
	c.names = append(c.names, name)
}

func isName(s string) bool {
	for i, r := range s {
		if (r < 'a' || r > 'z') && r != '_' && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// expression compiles one expression that is to give a type, any where it is nil.
func (c *compiler) expression(path, text string, want *cel.Type) (*program, *cel.Type) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	ast, issues := c.env.Compile(text)
	if issues.Err() != nil {
		for _, one := range issues.Errors() {
			c.at(path, text, letter(text, one.Location.Line(), one.Location.Column()), c.plain(one.Message))
		}
		return nil, nil
	}
	c.last = ast
	gives := ast.OutputType()
	if want != nil && !gives.IsExactType(want) && !gives.IsExactType(types.DynType) {
		c.at(path, text, 0, [2]string{fmt.Sprintf("this gives %s, and not %s", typeText(gives), typeText(want)), wanted(want)})
		return nil, gives
	}
	program, err := newProgram(c.env, ast)
	if err != nil {
		c.at(path, text, 0, [2]string{"this cannot be run: " + firstLine(err.Error()), "write it in another way"})
		return nil, gives
	}
	return program, gives
}

// common reports whether an expression names nothing that is of one object.
func (c *compiler) common(ast *cel.Ast) bool {
	for _, ref := range ast.NativeRep().ReferenceMap() {
		if slices.Contains(c.own, strings.TrimPrefix(ref.Name, ".")) {
			return false
		}
	}
	return true
}

func wanted(t *cel.Type) string {
	if t.IsExactType(texts) {
		return `write a list of paths, such as bad.map(c, c.path + ".imagePullPolicy")`
	}
	return "compare it with something, such as workload.replicas >= 2"
}

// typeText names a type for people.
func typeText(t *cel.Type) string {
	names := map[string]string{"bool": "a condition", "int": "a whole number", "double": "a number", "string": "text", "list(string)": "a list of texts", "dyn": "anything"}
	if name, ok := names[t.String()]; ok {
		return name
	}
	return t.String()
}

// letter returns the letter of a text at a line, from 1, and a column, from 0.
func letter(text string, line, column int) int {
	at := max(column, 0)
	for rest := text; line > 1; line-- {
		head, tail, ok := strings.Cut(rest, "\n")
		if !ok {
			break
		}
		at += utf8.RuneCountInString(head) + 1
		rest = tail
	}
	return at
}

// at reports something wrong at a letter of an expression.
func (c *compiler) at(path, text string, letter int, what [2]string) {
	p := c.doc.Problem(strictyaml.Error, "expression", path, what[0], what[1])
	place := strictyaml.Within(c.src, strictyaml.Place{Line: p.Line, Col: p.Col}, text, letter)
	p.Line, p.Col = place.Line, place.Col
	c.problems = append(c.problems, p)
}

// plain says what CEL found wrong, and what to do.
func (c *compiler) plain(msg string) [2]string {
	if rest, ok := strings.CutPrefix(msg, "undeclared reference to '"); ok {
		name, _, _ := strings.Cut(rest, "'")
		return [2]string{fmt.Sprintf("nothing is named %q", name), c.known(name, append(slices.Clone(c.names), functionNames()...))}
	}
	if rest, ok := strings.CutPrefix(msg, "undefined field '"); ok {
		name, _, _ := strings.Cut(rest, "'")
		return [2]string{fmt.Sprintf("no field is named %q here", name), c.known(name, fieldNames())}
	}
	msg, _, _ = strings.Cut(firstLine(strings.TrimPrefix(msg, "Syntax error: ")), ", expecting ")
	return [2]string{msg, "write an expression in CEL, the language of Kubernetes' admission policies"}
}

func (c *compiler) known(name string, all []string) string {
	if near, ok := nearest.Of(name, all); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "see doc/check-format.md for what there is"
}

func functionNames() []string {
	var all []string
	for _, f := range functionTable() {
		all = append(all, f.name)
	}
	return all
}

func fieldNames() []string {
	var all []string
	for _, k := range kinds() {
		for _, f := range k.fields {
			all = append(all, f.name)
		}
	}
	return all
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// texts reports prose that lacks a language.
func (c *compiler) texts() {
	r := c.rule
	need := func(path string, t bilingual.Text) {
		for _, l := range bilingual.Langs {
			if t.In(l) == "" && t.In(l.Other()) != "" {
				c.bad("missing-language", path+"."+string(l), "is missing", "write it in both languages")
			}
		}
	}
	need("title", r.Title)
	need("about", r.About)
	need("remedy", r.Remedy)
	need("doubts", r.Doubts)
	need("message.state", r.Message.State)
	need("message.exposed", r.Message.Exposed)
	for i, e := range r.Evidence {
		need(fmt.Sprintf("evidence[%d].why", i), e.Why)
	}
	for _, p := range r.Parameters {
		need("parameters."+p.Name+".about", p.About)
	}
	r.pair(c, "state", r.State, r.Message.State, r.Severity.State)
	r.pair(c, "exposed", r.Exposed, r.Message.Exposed, r.Severity.Exposed)
	for i, k := range r.Applies {
		if k == Cluster && len(r.Applies) > 1 {
			c.bad("bad-kind", fmt.Sprintf("applies[%d]", i), "Cluster stands beside other kinds", "make two checks of it")
		}
	}
	if len(r.Applies) == 0 || len(r.Evidence) == 0 || len(r.Mechanisms) == 0 {
		c.bad("empty", "applies", "applies, mechanisms and evidence must not be empty", "write at least one of each; a check that no case stands behind is left out")
	}
}

// pair reports a condition without what is said of it, and the other way round.
func (r *Rule) pair(c *compiler, name, condition string, message bilingual.Text, s Severity) {
	switch {
	case condition != "" && (message.IsZero() || s == ""):
		c.bad("no-message", "message."+name, fmt.Sprintf("%s has a condition, and no message or no severity", name), "write both")
	case condition == "" && (!message.IsZero() || s != ""):
		c.bad("no-condition", name, "is missing, though it has a message or a severity", "write the condition, or leave the others out")
	}
}
