package expect

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

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
