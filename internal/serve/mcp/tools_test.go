package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

func listed(t *testing.T) []*sdk.Tool {
	t.Helper()
	res, err := connect(t).ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.Tools
}

// TestDefinitions holds what every conversation pays for.
func TestDefinitions(t *testing.T) {
	const most = 11_300 // bytes; at 3.8 bytes a token just below 3,000 tokens
	var names []string
	total := 0
	for _, tool := range listed(t) {
		raw, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		total += len(raw)
		names = append(names, tool.Name)
		t.Logf("%s: %d bytes", tool.Name, len(raw))
		a := tool.Annotations
		if tool.Title == "" || tool.Description == "" || a == nil || a.Title != tool.Title {
			t.Errorf("%s lacks a title, description or annotations", tool.Name)
			continue
		}
		if !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations are %+v, want read-only, idempotent, not destructive, closed", tool.Name, a)
		}
	}
	t.Logf("all definitions: %d bytes, about %d tokens", total, total/4)
	if total > most {
		t.Errorf("the definitions have %d bytes, want at most %d", total, most)
	}
	want := []string{
		"check_manifest", "get_incident", "get_run", "get_topic", "judge_system", "list_checks", "list_incidents", "replay_incident",
		"search_incidents", "simulate_system", "vocab",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// TestSchemas keeps out what clients of some vendors refuse: several types for
// one value, null, and references. Arguments are closed and results open.
func TestSchemas(t *testing.T) {
	for _, tool := range listed(t) {
		for side, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			walk(schema, func(path string, s map[string]any) {
				for key, value := range s {
					if _, several := value.([]any); key == "type" && several || strings.HasPrefix(key, "$") {
						t.Errorf("%s %s%s: %s is %v", tool.Name, side, path, key, value)
					}
				}
				extra, closed := s["additionalProperties"]
				if side == "output" && closed || side == "input" && s["type"] == "object" && extra != false {
					t.Errorf("%s %s%s: additionalProperties is %v", tool.Name, side, path, extra)
				}
			})
		}
	}
}

// walk calls f for a schema and all schemas in it.
func walk(schema any, f func(path string, s map[string]any)) { walkAt("", schema, f) }

func walkAt(path string, schema any, f func(string, map[string]any)) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	f(path, s)
	if properties, ok := s["properties"].(map[string]any); ok {
		for name, p := range properties {
			walkAt(path+"."+name, p, f)
		}
	}
	walkAt(path+"[]", s["items"], f)
}

// calls are calls of all kinds that succeed.
var calls = slices.Concat(hardest, []oneCall{
	{"search_incidents", args{"query": "프록시로 바꾼 뒤 writer CPU 100%"}},
	{"search_incidents", args{"query": "timeout", "terms": []string{"mechanism/retry-storm"}, "years": "2015-", "longer_than": "1h", "shorter_than": "3d"}},
	{"search_incidents", args{"query": "zzqqxx"}},
	{"search_incidents", args{"query": strings.Repeat("ERROR upstream connect error or disconnect/reset 캐시 ", 60), "detail": "full"}},
	{"get_incident", args{"id": "il-0574"}},
	{"get_incident", args{"id": "IL-0212", "sections": []string{"similar"}, "lang": "ko"}},
	{"get_incident", args{"id": "IL-0212", "sections": []string{"timeline", "sources"}}},
	{"get_topic", args{"topic": "재시도 폭주"}},
	{"get_topic", args{"topic": "mechanism/retry-storm"}},
	{"list_incidents", args{"terms": "component/dns", "limit": "5"}},
	{"vocab", args{"list": "mechanism", "lang": "ko"}},
})

// TestStructured checks results against the published schemas.
func TestStructured(t *testing.T) {
	c := connect(t)
	schemas := map[string]*jsonschema.Resolved{}
	for _, tool := range listed(t) {
		raw, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		if schemas[tool.Name], err = s.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range calls {
		res := call(t, c, x.name, x.args)
		if res.IsError {
			t.Errorf("%s %v: %s", x.name, x.args, contentOf(t, res))
			continue
		}
		if err := schemas[x.name].Validate(res.StructuredContent); err != nil {
			t.Errorf("%s %v: %v", x.name, x.args, err)
		}
		if strings.Contains(structuredOf(t, res), ":null") {
			t.Errorf("%s %v has a null", x.name, x.args)
		}
	}
}

// TestSameAnswer compares results with those of package app.
func TestSameAnswer(t *testing.T) {
	c, a := connect(t), public(t)
	for _, x := range calls {
		in, err := decode(toolNamed(t, x.name).params(a), mustJSON(t, x.args))
		if err != nil {
			t.Fatal(err)
		}
		got := call(t, c, x.name, x.args).StructuredContent.(map[string]any)
		want, same := expected(t, a, x.name, in, got)
		for _, field := range same {
			if diff := cmp.Diff(want[field], got[field]); diff != "" {
				t.Errorf("%s %v: %s (-app +mcp):\n%s", x.name, x.args, field, diff)
			}
		}
	}
}

// expected asks package app what a tool was asked, and names the fields that
// must be the same. A list may be shorter in the tool's answer.
func expected(t *testing.T, a *app.App, name string, in *arguments, got map[string]any) (want map[string]any, same []string) {
	t.Helper()
	var answer any
	var err error
	short := ""
	switch name {
	case "search_incidents", "list_incidents":
		q, queryErr := query(a, in)
		if queryErr != nil {
			t.Fatal(queryErr)
		}
		q.Text, q.Limit = in.text["query"], app.MaxLimit
		answer, err = a.Search(q)
		same = []string{"total", "understood", "dropped", "library_version"}
		if name == "list_incidents" {
			same = []string{"total", "library_version"}
		}
	case "get_incident":
		answer, err = a.Case(in.text["id"])
		same = []string{"id", "title", "org", "date", "review", "measured"}
		for _, s := range in.words["sections"] {
			if _, ok := got[s]; ok {
				same = append(same, s)
			}
		}
		same = slices.DeleteFunc(same, func(s string) bool { return s == similarSection })
	case "get_topic":
		answer, err = a.Topic(in.text["topic"])
		same, short = []string{"list", "term", "count", "since", "remedies", "narrower"}, "cases"
	case "vocab":
		answer, err = a.Vocab(in.text["list"])
		same = []string{"wire_version"}
	}
	if err != nil {
		t.Fatal(err)
	}
	want = map[string]any{}
	if err := json.Unmarshal(mustJSON(t, cut(shape{lang: in.lang()}, answer)), &want); err != nil {
		t.Fatal(err)
	}
	if short != "" {
		want[short] = want[short].([]any)[:len(got[short].([]any))]
		same = append(same, short)
	}
	if name == "search_incidents" {
		compareHits(t, want["hits"].([]any), got["hits"].([]any))
	}
	return want, same
}

func compareHits(t *testing.T, want, got []any) {
	t.Helper()
	for i := range got {
		for _, field := range []string{"id", "title", "org", "date", "duration"} {
			if diff := cmp.Diff(want[i].(map[string]any)[field], got[i].(map[string]any)[field]); diff != "" {
				t.Errorf("hit %d: %s (-app +mcp):\n%s", i, field, diff)
			}
		}
	}
}

func toolNamed(t testing.TB, name string) *tool {
	t.Helper()
	i := slices.IndexFunc(tools, func(x *tool) bool { return x.name == name })
	if i < 0 {
		t.Fatalf("no tool %q", name)
	}
	return tools[i]
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	raw, err := marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestBothChannels finds every id and every text of the structured content in
// the content too.
func TestBothChannels(t *testing.T) {
	c := connect(t)
	for _, x := range calls {
		res := call(t, c, x.name, x.args)
		content := strings.Join(strings.Fields(strings.NewReplacer("**", "", "“", "", "”", "").Replace(contentOf(t, res))), " ")
		missing := 0
		eachText(res.StructuredContent, "", func(path, s string) {
			s = strings.Join(strings.Fields(strings.ReplaceAll(s, "**", "")), " ")
			if missing < 5 && !strings.Contains(content, s) {
				missing++
				t.Errorf("%s %v: %s is not in the content: %s", x.name, x.args, path, s)
			}
		})
	}
}

// eachText calls f for the ids and the texts in one language.
func eachText(v any, path string, f func(path, s string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			eachText(value, path+"."+key, f)
		}
	case []any:
		for _, value := range v {
			eachText(value, path+"[]", f)
		}
	case string:
		key := path[strings.LastIndex(path, ".")+1:]
		if key == "en" || key == "ko" || key == "id" && !strings.Contains(path, "conditions") {
			f(path, v)
		}
	}
}

func TestMistakes(t *testing.T) {
	c := connect(t)
	for _, x := range []struct {
		oneCall
		want []string
	}{
		{oneCall{"search_incidents", args{}}, []string{`"query" is missing`}},
		{oneCall{"search_incidents", args{"query": "  "}}, []string{`"query" is empty`}},
		{oneCall{"search_incidents", args{"query": "x", "limit": 500}}, []string{`"limit" is 500`, "1 to 100"}},
		{oneCall{"search_incidents", args{"query": "x", "limit": "many"}}, []string{`"limit" is "many"`, "1 to 100"}},
		{oneCall{"search_incidents", args{"query": "x", "detail": "ful"}}, []string{`"ful" is no value of "detail"`, `mean "full"`, "concise, full"}},
		{oneCall{"search_incidents", args{"query": "x", "term": "a/b"}}, []string{`no argument "term"`, `mean "terms"`}},
		{oneCall{"search_incidents", args{"query": "x", "terms": []string{"nowhere"}}}, []string{`"nowhere" names no list`, "list/id", "get_topic"}},
		{oneCall{"search_incidents", args{"query": "x", "terms": []string{"database"}}}, []string{`"database" is in more than one list`, "component/database or tag/database"}},
		{oneCall{"search_incidents", args{"query": "x", "terms": []string{"mechanism/retry-strom"}}}, []string{"retry-strom", "retry-storm", "vocab"}},
		{oneCall{"search_incidents", args{"query": "x", "terms": []string{"flavour/x"}}}, []string{`no filter "flavour"`, "mechanism"}},
		{oneCall{"search_incidents", args{"query": "x", "terms": 7}}, []string{`"terms" is no list`}},
		{oneCall{"search_incidents", args{"query": "x", "years": "last"}}, []string{`"last"`, "2019-2022"}},
		{oneCall{"search_incidents", args{"query": "x", "longer_than": "long"}}, []string{`"long" is no duration`, "90m"}},
		// Of two mistakes it is always the first that is told.
		{oneCall{"search_incidents", args{"query": "x", "shorter_than": "short", "longer_than": "long"}}, []string{`"long" is no duration`}},
		{oneCall{"search_incidents", args{"query": "x", "cursor": "page two"}}, []string{"cursor", "start without"}},
		{oneCall{"get_incident", args{"id": "IL-9999"}}, []string{`no case "IL-9999"`, "search_incidents"}},
		{oneCall{"get_incident", args{"id": "IL-0574", "sections": []string{"story"}}}, []string{`"story"`, "narrative", "similar"}},
		{oneCall{"get_topic", args{"topic": "retry-strom"}}, []string{`no topic "retry-strom"`, "retry-storm"}},
		{oneCall{"get_topic", args{"topic": "retry-storm", "cursor": "x.y"}}, []string{`cursor "x.y"`}},
		{oneCall{"get_topic", args{"topic": "no such thing at all"}}, []string{"no topic", "vocab"}},
		{oneCall{"vocab", args{"list": "mechanisms"}}, []string{`"mechanisms"`, `mean "mechanism"`}},
		{oneCall{"list_incidents", args{"terms": "org/nobody-inc"}}, []string{"nobody-inc", "list_incidents"}},
	} {
		res := call(t, c, x.name, x.args)
		content := contentOf(t, res)
		if !res.IsError || utf8.RuneCountInString(content) > 5000 {
			t.Errorf("%s %v: error %t, %d characters: %s", x.name, x.args, res.IsError, utf8.RuneCountInString(content), content)
		}
		for _, want := range append(x.want, x.name) {
			if !strings.Contains(content, want) {
				t.Errorf("%s %v: %q, want %q in it", x.name, x.args, content, want)
			}
		}
		if strings.Contains(content, "`precedent") {
			t.Errorf("%s %v: %q speaks of a command", x.name, x.args, content)
		}
	}
}

// TestMistakesInKorean holds that who asks for Korean, or writes it, is told
// in Korean what is wrong.
func TestMistakesInKorean(t *testing.T) {
	c := connect(t)
	for _, x := range []struct {
		oneCall
		want []string
	}{
		{oneCall{"search_incidents", args{"lang": "ko"}}, []string{`인자가 없다: "query"`, "다시 부른다"}},
		{oneCall{"search_incidents", args{"query": "연결 풀", "limit": 500}}, []string{`"limit"`, "1에서 100까지"}},
		{oneCall{"search_incidents", args{"query": "연결 풀", "limits": 5}}, []string{`그런 인자가 없다: "limits"`, `혹시 "limit"?`}},
		{oneCall{"search_incidents", args{"query": "연결 풀", "detail": "ful"}}, []string{"쓸 수 없는 값", `혹시 "full"?`}},
		{oneCall{"search_incidents", args{"query": "x", "lang": "ko", "terms": []string{"nowhere"}}}, []string{"목록이 없다", "get_topic"}},
		{oneCall{"search_incidents", args{"query": "x", "lang": "ko", "terms": []string{"mechanism/retry-strom"}}}, []string{"retry-storm", "용어가 없다"}},
		{oneCall{"search_incidents", args{"query": "x", "lang": "ko", "years": "last"}}, []string{"2019-2022"}},
		{oneCall{"search_incidents", args{"query": "x", "lang": "ko", "longer_than": "long"}}, []string{"길이가 아니다"}},
		{oneCall{"get_incident", args{"lang": "ko", "id": "IL-9999"}}, []string{`그런 사례가 없다: "IL-9999"`, "search_incidents"}},
		{oneCall{"get_topic", args{"topic": "없는 주제 이름"}}, []string{"그런 주제가 없다", "도구 vocab"}},
		{oneCall{"get_topic", args{"lang": "ko", "topic": "retry-storm", "cursor": "x.y"}}, []string{"읽을 수 없는 커서"}},
		{oneCall{"vocab", args{"lang": "ko", "list": "mechanisms"}}, []string{`혹시 "mechanism"?`}},
	} {
		res := call(t, c, x.name, x.args)
		content := contentOf(t, res)
		if !res.IsError || !strings.HasPrefix(content, x.name) {
			t.Errorf("%s %v: error %t: %s", x.name, x.args, res.IsError, content)
		}
		for _, want := range x.want {
			if !strings.Contains(content, want) {
				t.Errorf("%s %v: %q, want %q in it", x.name, x.args, content, want)
			}
		}
	}
	res := call(t, c, "search_incidents", args{"query": "연결 풀", "lang": "en", "limit": 500})
	if content := contentOf(t, res); isKorean(content) {
		t.Errorf("who asks for English is told in Korean: %s", content)
	}
}

// TestPages follows cursors to the end and finds every case once.
// TestShortForms takes what models write where it can mean one thing only.
func TestShortForms(t *testing.T) {
	c := connect(t)
	for _, x := range []struct{ short, whole oneCall }{
		{oneCall{"get_topic", args{"term": "retry storm"}}, oneCall{"get_topic", args{"topic": "retry storm"}}},
		{oneCall{"list_incidents", args{"terms": "Retry-Storm"}}, oneCall{"list_incidents", args{"terms": "mechanism/retry-storm"}}},
	} {
		got, want := call(t, c, x.short.name, x.short.args), call(t, c, x.whole.name, x.whole.args)
		if got.IsError || contentOf(t, got) != contentOf(t, want) {
			t.Errorf("%s %v: %.200s\nwant what %v gives", x.short.name, x.short.args, contentOf(t, got), x.whole.args)
		}
	}
}

// TestUnderstoodOnce names the list of a term that was understood once.
func TestUnderstoodOnce(t *testing.T) {
	text := contentOf(t, call(t, connect(t), "search_incidents", args{"query": "retry storm"}))
	if !strings.Contains(text, "(mechanism/retry-storm)") || strings.Contains(text, ") (mechanism)") {
		t.Errorf("the answer does not name the list of a term once: %.300s", text)
	}
}

func TestPages(t *testing.T) {
	c, a := connect(t), public(t)
	var want []string
	for _, b := range a.All() {
		want = append(want, b.ID)
	}
	collect := func(name string, in args, list string) []string {
		var ids []string
		for range 200 {
			got := call(t, c, name, in).StructuredContent.(map[string]any)
			for _, one := range got[list].([]any) {
				ids = append(ids, one.(map[string]any)["id"].(string))
			}
			next, ok := got["next"].(string)
			if !ok {
				return ids
			}
			in["cursor"] = next
		}
		t.Fatalf("%s does not end", name)
		return nil
	}
	if diff := cmp.Diff(want, collect("list_incidents", args{"limit": 100}, "cases")); diff != "" {
		t.Errorf("list_incidents (-want +got):\n%s", diff)
	}
	topic, err := a.Topic("component/application-service")
	if err != nil {
		t.Fatal(err)
	}
	if got := collect("get_topic", args{"topic": "component/application-service"}, "cases"); len(got) != topic.Count {
		t.Errorf("get_topic names %d cases, want %d", len(got), topic.Count)
	}
	if got := collect("get_topic", args{"topic": "component/application-service", "lang": "ko"}, "lessons"); len(got) != len(topic.Lessons) {
		t.Errorf("get_topic names %d lessons, want %d", len(got), len(topic.Lessons))
	}
}

func TestLanguage(t *testing.T) {
	for _, x := range []struct {
		in   arguments
		want bilingual.Lang
	}{
		{arguments{text: map[string]string{"query": "cache restart"}}, bilingual.English},
		{arguments{text: map[string]string{"query": "캐시 restart"}}, bilingual.Korean},
		{arguments{text: map[string]string{"query": "캐시", "lang": "en"}}, bilingual.English},
		{arguments{text: map[string]string{"lang": "ko"}}, bilingual.Korean},
	} {
		if got := x.in.lang(); got != x.want {
			t.Errorf("the language of %v is %s, want %s", x.in.text, got, x.want)
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, x := range calls {
		f.Add(x.name, string(mustJSON(f, x.args)))
	}
	f.Add("search_incidents", `{"query":{"a":[1]},"limit":1e400}`)
	f.Add("get_topic", `{"topic":"\u0000/../","cursor":"99999999999999999999.1"}`)
	f.Add("vocab", `[`)
	a := public(f)
	f.Fuzz(func(t *testing.T, name, raw string) {
		i := slices.IndexFunc(tools, func(x *tool) bool { return x.name == name })
		if i < 0 {
			return
		}
		res, err := tools[i].handler(a)(context.Background(), &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Arguments: json.RawMessage(raw)}})
		if err != nil {
			t.Fatalf("%s %s: %v", name, raw, err)
		}
		text := res.Content[0].(*sdk.TextContent).Text
		structured, _ := res.StructuredContent.(json.RawMessage)
		if n := max(utf8.RuneCountInString(text), utf8.RuneCount(structured)); n >= budget || !utf8.ValidString(text) {
			t.Errorf("%s %s: %d characters, valid %t", name, raw, n, utf8.ValidString(text))
		}
		if !res.IsError && !json.Valid(structured) {
			t.Errorf("%s %s: structured content is no JSON", name, raw)
		}
	})
}
