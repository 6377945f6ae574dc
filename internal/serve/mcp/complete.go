package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
)

// mostCompletions is the most values that the protocol lets an answer have.
const mostCompletions = 100

// completer returns the function that completes the arguments of templates and
// prompts.
func completer(a *app.App) func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	return func(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
		found, err := completions(a, req.Params)
		if err != nil {
			return nil, err
		}
		values := first(found, mostCompletions)
		return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
			Values: append([]string{}, values...), Total: len(found), HasMore: len(found) > len(values),
		}}, nil
	}
}

func completions(a *app.App, p *sdk.CompleteParams) ([]string, error) {
	typed := strings.ToLower(strings.TrimSpace(p.Argument.Value))
	var context map[string]string
	if p.Context != nil {
		context = p.Context.Arguments
	}
	switch p.Ref.Type + " " + p.Ref.Name + p.Ref.URI + " " + p.Argument.Name {
	case "ref/resource " + caseTemplate + " id", "ref/resource " + caseJSONTemplate + " id":
		return caseIDs(a, typed), nil
	case "ref/resource " + topicTemplate + " list", "ref/resource " + topicJSONTemplate + " list":
		return starting(typed, app.TopicLists()), nil
	case "ref/resource " + topicTemplate + " term", "ref/resource " + topicJSONTemplate + " term":
		return termIDs(a, context["list"], typed), nil
	case "ref/prompt " + seenPrompt + " lang", "ref/resource " + caseTemplate + " lang",
		"ref/resource " + topicTemplate + " lang", "ref/resource " + topicJSONTemplate + " lang":
		return starting(typed, []string{"en", "ko"}), nil
	}
	if p.Ref.Type == "ref/resource" && !strings.HasPrefix(p.Ref.URI, scheme) {
		return nil, &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("no resource template %q", shown(p.Ref.URI)),
		}
	}
	return nil, nil // other arguments are free text
}

// starting returns the values that begin with what was typed, or else those
// that have it inside.
func starting(typed string, all []string) []string {
	var begin, inside []string
	for _, v := range all {
		switch at := strings.Index(strings.ToLower(v), typed); {
		case at == 0:
			begin = append(begin, v)
		case at > 0:
			inside = append(inside, v)
		}
	}
	return append(begin, inside...)
}

// caseIDs completes ids, and finds cases by a word of their organisation or
// title.
func caseIDs(a *app.App, typed string) []string {
	var ids, named []string
	for _, b := range a.All() {
		ids = append(ids, b.ID)
		if typed != "" && strings.Contains(strings.ToLower(b.Org.Name+" "+b.Title.En+" "+b.Title.Ko), typed) {
			named = append(named, b.ID)
		}
	}
	slices.Sort(ids)
	found := starting(typed, ids)
	for _, id := range named {
		if !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	return found
}

// termIDs completes the terms of one list, or of all topics where none is
// given.
func termIDs(a *app.App, list, typed string) []string {
	v, err := a.Vocab(list)
	if err != nil {
		return nil // no such list: nothing to complete
	}
	var all []string
	for _, l := range v.Lists {
		if !slices.Contains(app.TopicLists(), l.ID) {
			continue
		}
		for _, t := range l.Terms {
			all = append(all, t.ID)
		}
	}
	slices.Sort(all)
	return starting(typed, slices.Compact(all))
}
