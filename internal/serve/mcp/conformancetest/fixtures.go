//lint:file-ignore SA1019 the suite asks for features that only older clients have

package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// allowSubscriptions offers subscriptions to resources, which the product does
// not: its resources change with the library only.
func allowSubscriptions(opt *mcp.ServerOptions) {
	opt.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	opt.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
}

const about = "Fixture of the conformance suite"

// answer is the handler of a fixture.
type answer = func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// addFixtures adds what the suite calls. Names, texts and schemas are part of
// the suite.
func addFixtures(s *mcp.Server) {
	for name, a := range map[string]answer{
		"test_simple_text":            text("This is a simple text response for testing."),
		"test_image_content":          contents(image()),
		"test_audio_content":          contents(&mcp.AudioContent{Data: sound(), MIMEType: "audio/wav"}),
		"test_embedded_resource":      contents(embedded("test://embedded-resource", "This is an embedded resource content.")),
		"test_multiple_content_types": contents(&mcp.TextContent{Text: "Multiple content types test:"}, image(), embedded("test://mixed-content-resource", `{"test":"data"}`)),
		"test_error_handling":         failing,
		"test_tool_with_progress":     progressing,
		"test_tool_with_logging":      logging,
		"test_logging_tool":           logging,
		"test_streaming_elicitation":  text("nothing was asked for"),
		"test_missing_capability":     needsSampling,
		"test_trigger_tool_change":    func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return changeTools(s) },
		"test_trigger_prompt_change": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return changePrompts(s)
		},
	} {
		addTool(s, name, `{"type":"object"}`, a)
	}
	addTool(s, "json_schema_2020_12_tool", schema2020, text("a tool with a rich schema"))
	addTool(s, "test_x_mcp_header", headerSchema, text("a tool with an argument in a header"))
	for name, a := range rounds {
		addTool(s, name, `{"type":"object"}`, a)
	}
	addResources(s)
	addPrompts(s)
}

func addTool(s *mcp.Server, name, schema string, a answer) {
	s.AddTool(&mcp.Tool{Name: name, Description: about, InputSchema: json.RawMessage(schema)}, mcp.ToolHandler(a))
}

func contents(c ...mcp.Content) answer {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: c}, nil
	}
}

func text(s string) answer { return contents(&mcp.TextContent{Text: s}) }

func embedded(uri, body string) mcp.Content {
	kind := "text/plain"
	if strings.HasPrefix(body, "{") {
		kind = "application/json"
	}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: kind, Text: body}}
}

func failing(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	r := &mcp.CallToolResult{}
	r.SetError(errors.New("this tool fails on purpose"))
	return r, nil
}

// pause lies between two notices, so that they are sent one by one.
const pause = 50 * time.Millisecond

func progressing(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	token := r.Params.GetProgressToken()
	for _, done := range []float64{0, 50, 100} {
		err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100})
		if err != nil {
			return nil, err
		}
		time.Sleep(pause)
	}
	return text(fmt.Sprint(token))(ctx, r)
}

func logging(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for _, s := range []string{"started", "processing", "completed"} {
		if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "Tool execution " + s}); err != nil {
			return nil, err
		}
		time.Sleep(pause)
	}
	return text("logged")(ctx, r)
}

func needsSampling(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if c := r.ClientCapabilities(); c != nil && c.Sampling != nil {
		return text("the client can sample")(ctx, r)
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "needs sampling", Data: data}
}

// Adding what is there already counts as a change.
func changeTools(s *mcp.Server) (*mcp.CallToolResult, error) {
	addTool(s, "test_passing_tool", `{"type":"object"}`, text("here for a moment"))
	return text("the tools have changed")(context.Background(), nil)
}

func changePrompts(s *mcp.Server) (*mcp.CallToolResult, error) {
	s.AddPrompt(&mcp.Prompt{Name: "test_passing_prompt", Description: about}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
	})
	return text("the prompts have changed")(context.Background(), nil)
}

func addResources(s *mcp.Server) {
	for _, r := range []struct {
		uri, kind, body string
		blob            []byte
	}{
		{"test://static-text", "text/plain", "This is the content of the static text resource.", nil},
		{"test://static-binary", "image/png", "", pixel()},
		{"test://watched-resource", "text/plain", "Watched resource content", nil},
	} {
		s.AddResource(&mcp.Resource{URI: r.uri, Name: strings.TrimPrefix(r.uri, "test://"), MIMEType: r.kind},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return read(&mcp.ResourceContents{URI: r.uri, MIMEType: r.kind, Text: r.body, Blob: r.blob})
			})
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", URITemplate: "test://template/{id}/data", MIMEType: "application/json"},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
			body, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			if err != nil {
				return nil, err
			}
			return read(&mcp.ResourceContents{URI: r.Params.URI, MIMEType: "application/json", Text: string(body)})
		})
}

func read(c *mcp.ResourceContents) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
}

// prompt adds a prompt whose arguments are all required.
func prompt(s *mcp.Server, name string, arguments []string, messages func(map[string]string) []mcp.Content) {
	p := &mcp.Prompt{Name: name, Description: about}
	for _, a := range arguments {
		p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Description: "any text", Required: true})
	}
	s.AddPrompt(p, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		out := &mcp.GetPromptResult{}
		for _, c := range messages(r.Params.Arguments) {
			out.Messages = append(out.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return out, nil
	})
}

func addPrompts(s *mcp.Server) {
	one := func(c ...mcp.Content) func(map[string]string) []mcp.Content {
		return func(map[string]string) []mcp.Content { return c }
	}
	prompt(s, "test_simple_prompt", nil, one(&mcp.TextContent{Text: "This is a simple prompt for testing."}))
	prompt(s, "test_prompt_with_image", nil, one(image(), &mcp.TextContent{Text: "Please analyze the image above."}))
	prompt(s, "test_prompt_with_arguments", []string{"arg1", "arg2"}, func(in map[string]string) []mcp.Content {
		return []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", in["arg1"], in["arg2"])}}
	})
	prompt(s, "test_prompt_with_embedded_resource", []string{"resourceUri"}, func(in map[string]string) []mcp.Content {
		return []mcp.Content{embedded(in["resourceUri"], "Embedded resource content for testing."), &mcp.TextContent{Text: "Please process the embedded resource above."}}
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: about}, contextPrompt)
}

func image() mcp.Content { return &mcp.ImageContent{Data: pixel(), MIMEType: "image/png"} }

// pixel is a PNG of one pixel.
func pixel() []byte {
	return decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==")
}

// sound is a WAV file without a sample.
func sound() []byte { return decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=") }

func decode(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err) // the constants above are well formed
	}
	return b
}
