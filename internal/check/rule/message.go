package rule

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// shown are the types of values that messages can show.
var shown = []*cel.Type{types.IntType, types.DoubleType, types.StringType, texts, types.DurationType}

// messages reports values in messages that do not exist or cannot be shown.
func (c *compiler) messages() {
	m := c.rule.Message
	for path, text := range map[string]string{
		"message.state.en": m.State.En, "message.state.ko": m.State.Ko, "message.exposed.en": m.Exposed.En, "message.exposed.ko": m.Exposed.Ko,
	} {
		for _, name := range placeholders(text) {
			gives, ok := c.types[name]
			switch {
			case !ok || name == theWorkload || name == theService || name == thePart:
				c.bad("unknown-value", path, fmt.Sprintf("no value is named %q", name), c.known(name, c.names)+"; values come from let and parameters")
			case !slices.ContainsFunc(shown, func(t *cel.Type) bool { return gives.IsExactType(t) }) && !gives.IsExactType(types.DynType):
				c.bad("unknown-value", path, fmt.Sprintf("{%s} is %s, which a message cannot show", name, typeText(gives)), "make a number, a text or a list of texts of it in let")
			}
		}
	}
}

// placeholders returns the names in braces of a text.
func placeholders(text string) []string {
	var all []string
	for {
		_, rest, ok := strings.Cut(text, "{")
		if !ok {
			return all
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return all
		}
		all, text = append(all, name), after
	}
}

// fill puts values in the place of their names.
func fill(t bilingual.Text, value func(name string) ref.Val) bilingual.Text {
	one := func(text string, lang bilingual.Lang) string {
		var b strings.Builder
		for {
			before, rest, _ := strings.Cut(text, "{")
			name, after, ok := strings.Cut(rest, "}")
			b.WriteString(before)
			if !ok {
				return b.String()
			}
			b.WriteString(shownValue(value(name), lang))
			text = after
		}
	}
	return bilingual.Text{En: one(t.En, bilingual.English), Ko: one(t.Ko, bilingual.Korean)}
}

// most members of a list are shown.
const most = 5

func shownValue(v ref.Val, lang bilingual.Lang) string {
	switch v := v.(type) {
	case types.Double:
		n := float64(v)
		if n == math.Trunc(n) && math.Abs(n) < 1e15 {
			return strconv.FormatInt(int64(n), 10)
		}
		return strconv.FormatFloat(n, 'g', 3, 64)
	case traits.Lister:
		var all []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			all = append(all, fmt.Sprint(it.Next().Value()))
		}
		if len(all) <= most {
			return strings.Join(all, ", ")
		}
		more := " and %d more"
		if lang == bilingual.Korean {
			more = " 외 %d개"
		}
		return strings.Join(all[:most], ", ") + fmt.Sprintf(more, len(all)-most)
	case types.Duration:
		return v.Duration.String()
	case *types.Err:
		return "?" // what was not read
	}
	return fmt.Sprint(v.Value())
}
