package mcp

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// instructions tell a model what the server is for. Some clients show nothing
// else at the start and cut it after 2,000 characters, so what matters most
// comes first.
func instructions(a *app.App) string {
	s := a.Stats()
	return fmt.Sprintf(`Precedent is a library of %d published outages of %d organisations (%s to %s), coded by mechanism, cause, symptom, component and remedy, in English and Korean. Use it when something is failing, in a design review, or after an incident, to find who has been here before and what worked, failed or made it worse.

1. search_incidents: describe what you see, or paste an alert, error or log line as it is. Read why each hit matched.
2. get_incident on the best hits: what was done and its effect, causes, mechanisms, lessons. Sections timeline, conditions, sources and similar on demand.
3. get_topic on a mechanism or component (for example retry-storm): which remedies worked or made it worse across cases.
list_incidents enumerates by filter; vocab lists the terms.
4. check_manifest: is the user's own system in the state behind an incident? list_checks says what is looked for.
5. replay_incident: what another setting would have done in a published outage. judge_system does it for a system of the user's own.

Terms are written list/id (mechanism/retry-storm) and go into "terms" filters and get_topic as they are. Answers are short by default: a note at the end says how to get the rest. lang chooses en or ko.

When you answer: cite case ids; say what is the same and what differs from the system at hand; report effects as recorded (worked, partial, failed, worsened, unknown); a remedy that worked elsewhere is a lead, not a proof. Facts come from public reports named under sources; absent means not published; review says whether a case was only drafted by a machine. All tools only read.`,
		s.Cases, s.Orgs, s.From, s.To)
}

// seenPrompt is the name of the prompt that compares a situation with the
// library.
const seenPrompt = "seen-before"

func addPrompts(server *sdk.Server, a *app.App) {
	server.AddPrompt(&sdk.Prompt{
		Name: seenPrompt, Title: "Have we seen this before?",
		Description: "Compare what you see now with published outages",
		Arguments: []*sdk.PromptArgument{
			{Name: "symptoms", Description: "What you see: words, an alert, a log line", Required: true},
			{Name: "lang", Description: "en or ko"},
		},
	}, func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return seenBefore(ctx, a, req.Params.Arguments)
	})
}

func seenBefore(ctx context.Context, a *app.App, given map[string]string) (*sdk.GetPromptResult, error) {
	in := &arguments{text: map[string]string{"query": given["symptoms"], "lang": given["lang"]}}
	if in.text["query"] == "" {
		return nil, &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidParams, Message: `the argument "symptoms" is missing: say what you see`,
		}
	}
	if _, ok := bilingual.Parse(given["lang"]); !ok && given["lang"] != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(`the argument "lang" is %q: write en or ko`, shown(given["lang"]))}
	}
	w, err := searchIncidents.answer(ctx, a, in)
	if app.KindOf(err) == app.Invalid {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: explain(err, in.lang())}
	}
	if err != nil {
		return nil, err
	}
	task := `Something is failing. What is seen:

%s

Precedents from the library:

%s
Read the closest two or three with get_incident, and look for more with search_incidents in other words. Then say, briefly: which case is closest and why; what is the same and what differs; which remedies worked there and which failed or made it worse; what to check first here, with the reason. Cite case ids. If nothing is close, say so.`
	if in.lang() == bilingual.Korean {
		task = `장애가 났다. 보이는 것:

%s

라이브러리의 선례:

%s
가장 가까운 두세 건을 get_incident로 읽고, 다른 말로도 search_incidents를 해 보라. 그런 다음 짧게 답하라: 어느 사례가 왜 가장 가까운지, 무엇이 같고 무엇이 다른지, 거기서 통한 조치와 통하지 않았거나 악화시킨 조치, 여기서 먼저 확인할 것과 그 까닭. 사례 id를 밝히고, 가까운 것이 없으면 없다고 하라.`
	}
	return &sdk.GetPromptResult{
		Description: "Compare what you see now with published outages",
		Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{
			Text: fmt.Sprintf(task, shape{runes: app.MaxQuery}.clip(given["symptoms"]), w.content),
		}}},
	}, nil
}
