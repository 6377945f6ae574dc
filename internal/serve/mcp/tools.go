package mcp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// tool is one tool: its definition and its answer.
type tool struct {
	name, title, doc string
	params           func(*app.App) []param
	out              reflect.Type   // of the structured content
	depth            int            // to which its schema goes
	open             bool           // whether it asks others than the library
	view             string         // page that shows its answers; empty for none
	next             bilingual.Text // what to call after a mistake
	answer           func(context.Context, *app.App, *arguments) (*written, error)
	// besides says what else is wrong with a call some of whose arguments are; nil
	// where nothing else can be.
	besides func(ctx context.Context, in *arguments, wrong error) error
}

// tools are the tools that read the library.
var tools = []*tool{checkManifest, getIncident, getTopic, listChecks, listIncidents, searchIncidents, vocabulary}

// definition returns what clients are told about the tool.
func (t *tool) definition(a *app.App) *sdk.Tool {
	no := false
	d := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.doc,
		InputSchema: inputSchema(t.params(a)), OutputSchema: outputSchema(t.out, t.depth),
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &t.open,
		},
	}
	if t.view != "" {
		d.Meta = sdk.Meta{"ui": map[string]any{"resourceUri": t.view}}
	}
	return d
}

// handler returns the function that answers calls. A mistake of the caller is
// an answer too, which the model can read and mend.
func (t *tool) handler(a *app.App) sdk.ToolHandler {
	params := t.params(a)
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		in, err := decode(params, req.Params.Arguments)
		if err != nil {
			if t.besides != nil {
				err = errors.Join(err, t.besides(ctx, in, err))
			}
			return t.mistake(err, in.heard), nil
		}
		w, err := t.answer(context.WithValue(ctx, requestKey{}, req), a, in)
		if err != nil {
			if app.KindOf(err) == app.Internal {
				return nil, err
			}
			return t.mistake(err, in.heard), nil
		}
		return w.result(), nil
	}
}

// callOf writes a question to the library as the call of a tool.
func callOf(l bilingual.Lang) func(app.Call) string {
	the := bilingual.Text{En: "the tool ", Ko: "도구 "}.In(l)
	return func(c app.Call) string {
		switch c.Use {
		case app.UseSearch:
			return the + "search_incidents"
		case app.UseVocab:
			if c.Arg != "" {
				return the + fmt.Sprintf(bilingual.Text{En: "vocab with list %q", Ko: "vocab(list %q)"}.In(l), c.Arg)
			}
			return the + "vocab"
		case app.UseChecks:
			return the + "list_checks"
		case app.UseScenarios, app.UseGuide:
			return the + bilingual.Text{En: "list_incidents with has [\"replay\"]", Ko: "list_incidents(has [\"replay\"])"}.In(l)
		}
		return the + "list_incidents"
	}
}

func (t *tool) mistake(err error, l bilingual.Lang) *sdk.CallToolResult {
	all := app.Each(err)
	text := t.name + ": " + explain(all[0], l)
	for _, one := range all[1:] {
		text += "\n- " + explain(one, l)
	}
	if len(all) > 1 {
		text = t.name + ":\n- " + text[len(t.name+": "):] + "\n"
	}
	text += " " + t.next.In(l)
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// explain tells what is wrong, what the library says about it, and what to do.
func explain(err error, l bilingual.Lang) string {
	var b strings.Builder
	b.WriteString(sentence(app.Message(err, l)))
	if note := app.NoteOf(err); note != nil {
		b.WriteString(" " + sentence(output.Read(note, l)))
	}
	if hint := app.Hint(err, l, callOf(l)); hint != "" {
		hint = sentence(hint)
		first, size := utf8.DecodeRuneInString(hint)
		b.WriteString(" " + string(unicode.ToUpper(first)) + hint[size:])
	}
	return b.String()
}

// sentence bounds a message and ends it.
func sentence(s string) string {
	s = shape{runes: 2000}.clip(s)
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// params that several tools share.
var (
	langParam   = param{name: "lang", enum: []string{"en", "ko"}}
	cursorParam = param{name: "cursor", doc: "`next` of the result before, same arguments"}
	termsParam  = param{
		name: "terms", kind: words, doc: "Filters as list/id, e.g. mechanism/retry-storm, org/slack. " +
			"Lists: LISTS. One list: any of; several: all of",
	}
	yearsParam  = param{name: "years", doc: "2021, 2019-2022, 2019- or -2022"}
	longerParam = param{name: "longer_than", doc: "Lasted at least, e.g. 90m, 2h, 3d"}
	shortParam  = param{name: "shorter_than", doc: "Lasted at most"}
)

func limitParam(most int, normal string) param {
	return param{name: "limit", kind: number, min: 1, max: most, doc: "Default " + normal}
}
