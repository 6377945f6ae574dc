//lint:file-ignore SA1019 the suite asks for features that only older clients have

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The schemas that the suite looks for in the list of tools.
const (
	schema2020 = `{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"$defs": {"address": {
			"$anchor": "addressDef", "type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
		}},
		"properties": {
			"name": {"type": "string"},
			"address": {"$ref": "#/$defs/address"},
			"contactMethod": {"type": "string", "enum": ["phone", "email"]},
			"phone": {"type": "string"},
			"email": {"type": "string"}
		},
		"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
		"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
		"then": {"required": ["phone"]},
		"else": {"required": ["email"]},
		"additionalProperties": false
	}`
	headerSchema = `{"type": "object", "properties": {
		"region": {"type": "string", "x-mcp-header": "Region"},
		"level": {"type": "integer"}
	}}`
)

// rounds are the tools that ask the client for more before they answer.
var rounds = map[string]answer{
	"test_input_required_result_elicitation":     askName,
	"test_input_required_result_sampling":        askModel,
	"test_input_required_result_list_roots":      askRoots,
	"test_input_required_result_request_state":   confirm("the request state"),
	"test_input_required_result_tampered_state":  confirm("a state that must not change"),
	"test_input_required_result_multiple_inputs": askAll,
	"test_input_required_result_multi_round":     askTwice,
	"test_input_required_result_capabilities":    askWhatIsPossible,
}

// form asks the user for one field.
func form(message, field, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{field: {Type: kind}}, Required: []string{field},
	}}
}

func question(s string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{
		{Role: "user", Content: &mcp.TextContent{Text: s}},
	}}
}

func ask(state string, in mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: in, RequestState: state}, nil
}

func say(format string, args ...any) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}, nil
}

// filled returns the fields that the user has filled in.
func filled(in mcp.InputResponseMap, key string) map[string]any {
	if r, ok := in[key].(*mcp.ElicitResult); ok && r != nil && r.Action == "accept" {
		return r.Content
	}
	return nil
}

// said returns what the client's model has said.
func said(in mcp.InputResponseMap, key string) (string, bool) {
	r, ok := in[key].(*mcp.CreateMessageWithToolsResult)
	if !ok || r == nil {
		return "", false
	}
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text, true
		}
	}
	return "", true
}

func askName(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if name, _ := filled(r.Params.InputResponses, "user_name")["name"].(string); name != "" {
		return say("Hello, %s!", name)
	}
	return ask("", mcp.InputRequestMap{"user_name": form("What is your name?", "name", "string")})
}

func askModel(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if s, ok := said(r.Params.InputResponses, "capital_question"); ok {
		return say("The model says: %s", s)
	}
	return ask("", mcp.InputRequestMap{"capital_question": question("What is the capital of France?")})
}

func askRoots(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if roots, ok := r.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok && roots != nil {
		return say("The client has %d roots", len(roots.Roots))
	}
	return ask("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
}

// confirm asks once and insists on getting its state back unchanged.
func confirm(state string) answer {
	return func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		switch back := r.Params.RequestState; {
		case back != "" && back != state:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the request state is not the one given out"}
		case back != "" && filled(r.Params.InputResponses, "confirm") != nil:
			return say("state-ok: confirmed")
		}
		return ask(state, mcp.InputRequestMap{"confirm": form("Please confirm", "ok", "boolean")})
	}
}

func askAll(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := r.Params.InputResponses
	name, _ := filled(in, "user_name")["name"].(string)
	greeting, greeted := said(in, "greeting")
	roots, rooted := in["client_roots"].(*mcp.ListRootsResult)
	if name != "" && greeted && rooted && roots != nil {
		return say("%s %s, with %d roots", greeting, name, len(roots.Roots))
	}
	return ask("all three", mcp.InputRequestMap{
		"user_name": form("What is your name?", "name", "string"), "greeting": question("Greet the user"),
		"client_roots": &mcp.ListRootsParams{},
	})
}

// askTwice keeps what the first round brought in the state of the second.
func askTwice(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	state, in := r.Params.RequestState, r.Params.InputResponses
	name, second := strings.CutPrefix(state, "second:")
	switch {
	case state == "":
		return ask("first", mcp.InputRequestMap{"step1": form("Step 1: What is your name?", "name", "string")})
	case !second:
		return ask(fmt.Sprintf("second:%v", filled(in, "step1")["name"]), mcp.InputRequestMap{
			"step2": form("Step 2: What is your favourite colour?", "color", "string"),
		})
	}
	return say("%s likes %v", name, filled(in, "step2")["color"])
}

// askWhatIsPossible asks for what the client says it can give.
func askWhatIsPossible(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := mcp.InputRequestMap{}
	if can := r.ClientCapabilities(); can != nil && len(r.Params.InputResponses) == 0 {
		if can.Elicitation != nil {
			in["user_name"] = form("What is your name?", "name", "string")
		}
		if can.Sampling != nil {
			in["greeting"] = question("Greet the user")
		}
		if can.RootsV2 != nil {
			in["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(in) == 0 {
		return say("nothing more to ask")
	}
	return ask("", in)
}

func contextPrompt(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	given := filled(r.Params.InputResponses, "user_context")
	if given == nil {
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{
			"user_context": form("What is the context?", "context", "string"),
		}}, nil
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf("Context: %v", given["context"])}},
	}}, nil
}
