package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// chapters are what the reference says about all operations at once.
var chapters = []struct{ title, text bilingual.Text }{
	{bilingual.Text{En: "How to ask", Ko: "묻는 법"}, bilingual.Text{
		En: "No key is needed. All operations are GET requests below `/api/v1`, but for simulations. The same answers are the data of the site's pages: add `.json` or `.md` to a page's address, or ask for `application/json` or `text/markdown` with `Accept`, whose quality values decide; `/ko` in front makes Markdown and quoted sentences Korean. A page that is a text and no data has `.md` only. Where `Accept` takes nothing of what there is, 406 lists that in `available`.",
		Ko: "키가 필요 없다. 시뮬레이션을 뺀 모든 작업은 `/api/v1` 아래의 GET 요청이다. 같은 답을 사이트의 페이지 주소에서도 얻는다. 주소 끝에 `.json`이나 `.md`를 붙이거나 `Accept`로 `application/json`이나 `text/markdown`을 요청한다(q 값이 큰 것을 준다). 앞에 `/ko`를 붙이면 마크다운과 인용 문장이 한국어가 된다. 데이터가 아니라 글인 페이지에는 `.md`만 있다. `Accept`가 있는 형식을 모두 뺐으면 406의 `available`에 있는 형식을 적는다."}},
	{bilingual.Text{En: "Filters and pages", Ko: "필터와 쪽 넘김"}, bilingual.Text{
		En: "A filter may be given several times or with commas: its values are joined by or, different filters by and. An answer that goes on has a `next`; pass it as `cursor` with the same query, or follow the header `Link: rel=\"next\"`. A cursor holds until the library changes.",
		Ko: "필터는 여러 번 쓰거나 쉼표로 나눠 쓴다. 한 필터의 값은 하나만 맞으면 되고, 필터끼리는 모두 맞아야 한다. 이어지는 답에는 `next`가 있다. 같은 질의에 `cursor`로 넘기거나 헤더 `Link: rel=\"next\"`를 따라간다. 커서는 라이브러리가 바뀔 때까지 통한다."}},
	{bilingual.Text{En: "Caching", Ko: "캐시"}, bilingual.Text{
		En: "Every answer has a strong ETag and may be used for five minutes without asking. Send it back in `If-None-Match`: 304 costs nearly nothing. Answers are compressed with gzip where `Accept-Encoding` allows it.",
		Ko: "모든 답에 강한 ETag가 있고 5분 동안은 다시 묻지 않고 써도 된다. `If-None-Match`로 돌려보내면 304로 답하며 비용이 거의 없다. `Accept-Encoding`이 허용하면 gzip으로 압축한다."}},
	{bilingual.Text{En: "Other sites", Ko: "다른 사이트에서 부르기"}, bilingual.Text{
		En: "Any page may read the API of the public library (`Access-Control-Allow-Origin: *`). Where a server has private libraries, only pages of its own machine and of the origins named with `--allow-origin` may. `ETag`, `Link`, `Retry-After` and the `RateLimit` headers are exposed.",
		Ko: "공개 라이브러리의 API는 어느 페이지에서나 읽을 수 있다(`Access-Control-Allow-Origin: *`). 비공개 라이브러리가 있는 서버에서는 서버와 같은 컴퓨터의 페이지와 `--allow-origin`에 적은 출처만 읽을 수 있다. `ETag`, `Link`, `Retry-After`와 `RateLimit` 헤더를 볼 수 있다."}},
	{bilingual.Text{En: "Versions", Ko: "버전"}, bilingual.Text{
		En: "New fields may come at any time; a field that changes its meaning or goes away raises `wire_version` and the number in the path. Unknown parameters are refused, with the nearest one named.",
		Ko: "새 필드는 언제든 늘 수 있다. 필드의 뜻이 바뀌거나 없어지면 `wire_version`과 주소의 숫자가 오른다. 모르는 매개변수는 가장 비슷한 이름을 알려 주며 거절한다."}},
}

// Reference returns the page that explains the API in language l, with
// examples from the library.
func Reference(a *app.App, l bilingual.Lang) output.Page {
	page := output.Page{{Kind: output.Heading, Level: 1, Text: bilingual.Text{En: "The precedent API", Ko: "precedent API"}.In(l)}}
	add := func(b output.Block) { page = append(page, b) }
	for _, c := range chapters {
		add(output.Block{Kind: output.Heading, Level: 2, Text: c.title.In(l)})
		add(output.Block{Kind: output.Prose, Text: c.text.In(l)})
	}
	words := examples(a)
	add(output.Block{Kind: output.Heading, Level: 2, Text: bilingual.Text{En: "Operations", Ko: "작업"}.In(l)})
	for _, op := range operations() {
		add(output.Block{Kind: output.Heading, Level: 3, Text: "GET " + Root + op.path})
		add(output.Block{Kind: output.Prose, Text: sentences(op.doc.In(l), op.more.In(l))})
		add(output.Block{Kind: output.List, Items: paramItems(op, l)})
		var calls []output.Item
		for _, t := range op.targets(words)[:min(2, len(op.examples))] {
			calls = append(calls, output.Item{Text: "`" + t + "`"})
		}
		add(output.Block{Kind: output.List, Items: calls})
	}
	add(output.Block{Kind: output.Heading, Level: 2, Text: bilingual.Text{En: "Simulations", Ko: "시뮬레이션"}.In(l)})
	for _, op := range runOperations() {
		add(output.Block{Kind: output.Heading, Level: 3, Text: strings.ToUpper(op.method) + " " + Root + op.path})
		add(output.Block{Kind: output.Prose, Text: sentences(op.doc.In(l), op.more.In(l))})
	}
	add(output.Block{Kind: output.Heading, Level: 2, Text: bilingual.Text{En: "Files", Ko: "파일"}.In(l)})
	var files []output.Item
	for _, d := range documents() {
		files = append(files, output.Item{Lead: d.path, Text: d.doc.In(l)})
	}
	add(output.Block{Kind: output.List, Items: files})
	add(output.Block{Kind: output.Heading, Level: 2, Text: bilingual.Text{En: "Problems", Ko: "오류"}.In(l)})
	add(output.Block{Kind: output.Prose, Text: bilingual.Text{
		En: "An error is an `application/problem+json` object (RFC 9457): `type` names the kind and is the address of its description, `detail` says what is wrong, `remedy` what to do, and `errors` names each parameter. `lang`, `/ko` and `Accept-Language` choose the language of these words; `type`, `status` and the names of parameters are the same in both. Errors of `/mcp` are JSON-RPC errors. A request that HTTP itself cannot read (400, 431) and a part of a file that is not there (416) are answered in plain text.",
		Ko: "오류는 `application/problem+json` 객체다(RFC 9457). `type`은 종류의 이름이자 설명이 있는 주소, `detail`은 무엇이 틀렸는지, `remedy`는 어떻게 하면 되는지, `errors`는 매개변수마다의 문제다. 말의 언어는 `lang`, `/ko`, `Accept-Language`로 고르고, `type`, `status`, 매개변수 이름은 언어와 상관없이 같다. `/mcp`의 오류는 JSON-RPC 오류다. HTTP로 읽을 수 없는 요청(400, 431)과 파일에 없는 부분(416)에는 평문으로 답한다."}.In(l)})
	var kinds []output.Item
	for _, k := range problemKinds {
		kinds = append(kinds, output.Item{Lead: fmt.Sprintf("%d %s", k.status, k.slug), Text: sentences(k.title.In(l), k.doc.In(l))})
	}
	add(output.Block{Kind: output.List, Items: kinds})
	return page
}

// sentences joins texts, each with its full stop.
func sentences(texts ...string) string {
	var all []string
	for _, t := range texts {
		if t == "" {
			continue
		}
		if !strings.HasSuffix(t, ".") {
			t += "."
		}
		all = append(all, t)
	}
	return strings.Join(all, " ")
}

// paramItems explains the parameters of an operation. The filters by term are
// one item, and those that an earlier list has are not told again.
func paramItems(op *operation, l bilingual.Lang) []output.Item {
	var items []output.Item
	var filters []string
	for _, p := range op.params {
		if op.id == "search" && slices.ContainsFunc(filterParams(), func(f *param) bool { return f.name == p.name }) {
			continue
		}
		if p.kind == kindList && p.doc == filterDoc(p.name) && p.name != "org" && p.name != "library" {
			filters = append(filters, p.name)
			continue
		}
		text := p.doc.In(l)
		switch p.kind {
		case kindInteger:
			text += fmt.Sprintf(" %d–%d (%v).", p.min, p.max, p.def)
		case kindChoice:
			text += " " + strings.Join(p.allowed, ", ") + "."
		}
		lead := p.name
		if p.in == "path" {
			lead = "{" + p.name + "}"
		}
		items = append(items, output.Item{Lead: lead, Text: text})
	}
	if filters != nil {
		items = append([]output.Item{{Lead: strings.Join(filters, ", "), Text: bilingual.Text{
			En: "Terms of the vocabulary list of that name: any of them.", Ko: "그 이름의 목록에 든 용어. 그중 하나라도 맞으면 된다."}.In(l)}}, items...)
	}
	if op.id == "search" {
		items = append(items, output.Item{Text: bilingual.Text{
			En: "All parameters of `GET " + Root + "/cases`.", Ko: "`GET " + Root + "/cases`의 모든 매개변수."}.In(l)})
	}
	return items
}

func reference(s *site) ([]byte, error) { return asMarkdown(Reference(s.app, s.lang)) }

// llms tells a language model how to use the site.
func llms(s *site) ([]byte, error) {
	stats := s.app.Stats()
	words := examples(s.app)
	link := func(path, en, ko string) output.Item {
		return output.Item{Text: fmt.Sprintf("[%s](%s): %s", path, s.url(path), bilingual.Text{En: en, Ko: ko}.In(s.lang))}
	}
	heading := func(en, ko string) output.Block {
		return output.Block{Kind: output.Heading, Level: 2, Text: bilingual.Text{En: en, Ko: ko}.In(s.lang)}
	}
	page := func(path string) string {
		if documentAt(s.docs, path) == nil {
			return strings.TrimSuffix(path, ".md")
		}
		return "[" + path + "](" + s.url(path) + ")"
	}
	example := "/cases/" + words["{case}"]
	guide := output.Page{
		{Kind: output.Heading, Level: 1, Text: "precedent"},
		{Kind: output.Prose, Text: bilingual.Text{
			En: fmt.Sprintf("> An incident library: %d published outages of %d organisations, %s to %s, as structured cases in English and Korean: what happened, why it spread, what worked and what made it worse, with the sources, and in `review.status` how far each case was checked against them.", stats.Cases, stats.Orgs, stats.From, stats.To),
			Ko: fmt.Sprintf("> 장애 사례 라이브러리. %d개 조직의 공개된 장애 %d건(%s – %s)을 한국어와 영어로 정리했다. 무슨 일이 있었고, 왜 번졌고, 무엇이 통했고 무엇이 악화시켰는지를 출처와 함께 적었고, 출처와 어디까지 대조했는지는 `review.status`에 있다.", stats.Orgs, stats.Cases, stats.From, stats.To)}.In(s.lang)},
		{Kind: output.Prose, Text: bilingual.Text{
			En: "Every page is Markdown too, and cases, topics, searches, scenarios and the vocabulary are JSON as well: add `.md` or `.json` to its address, or ask with `Accept: text/markdown`. Search with the symptom in the user's own words, a log line or an error message; read the best one or two cases in full before giving advice, and cite their ids. No key is needed.",
			Ko: "모든 페이지가 마크다운으로도 있고, 사례, 주제, 검색, 시나리오, 용어는 JSON으로도 있다. 주소 끝에 `.md` 나 `.json`을 붙이거나 `Accept: text/markdown`으로 요청한다. 사용자가 말한 증상, 로그 한 줄, 오류 메시지를 그대로 찾고, 조언하기 전에 가장 가까운 사례 한둘을 끝까지 읽고 그 id를 밝힌다. 키는 필요 없다."}.In(s.lang)},
		heading("Ask", "묻기"),
		{Kind: output.List, Items: []output.Item{
			link("/search.md?q=connection+pool", "search; the query is `q`, the filters are in the reference", "검색. 질의는 `q`, 필터는 설명서에"),
			link(example+".md", "a case", "사례 하나"), link(example+"/similar.md", "the cases most like it, and why", "가장 비슷한 사례와 그 까닭"),
			link("/topics.md", "all topics; each says what worked and what did not", "모든 주제. 통한 조치와 통하지 않은 조치"),
			link("/vocab.md", "the vocabulary that cases are coded with", "사례를 분류하는 용어"),
			link("/guide.md", "the loops that keep a failure going: where each begins, and what each remedy does", "장애를 이어 가게 하는 고리. 어디서 시작되고 조치마다 무엇을 하는지"),
			link("/checks.md", "the states behind incidents, to look for in one's own manifests and settings", "사고를 낳은 상태. 내 매니페스트와 설정에서 찾는다"),
			link("/scenarios.md", "the incidents that can be replayed, with what each run gave", "재현할 수 있는 사고와 그 결과"),
		}},
		heading("Simulate", "시뮬레이션"),
		{Kind: output.List, Items: []output.Item{
			{Text: bilingual.Text{
				En: "`POST " + runsPath + "`: would a system come back after something went wrong? Takes a system file (YAML); " + page("/simulator.md") + " says how to ask, and " + page("/simulator/parts.md") + " what a system can be made of. The MCP tools simulate_system and judge_system do the same.",
				Ko: "`POST " + runsPath + "`: 무언가 잘못된 뒤에 시스템이 돌아오는지 본다. 시스템 파일(YAML)을 받는다. 묻는 법은 " + page("/simulator.md") + "에, 부품은 " + page("/simulator/parts.md") + "에 있다. MCP 도구 simulate_system, judge_system도 같은 일을 한다."}.In(s.lang)},
		}},
		heading("Reference", "설명서"),
		{Kind: output.List, Items: append([]output.Item{
			link("/docs/api.md", "the JSON API", "JSON API"),
			{Text: fmt.Sprintf("[/openapi.json](%s): OpenAPI 3.1", s.base+"/openapi.json")},
			{Text: fmt.Sprintf("[/mcp](%s): %s", s.base+"/mcp", bilingual.Text{En: "MCP server, Streamable HTTP, no key", Ko: "MCP 서버, Streamable HTTP, 키 없음"}.In(s.lang))},
			{Text: fmt.Sprintf("[/schema/case.json](%s): %s", s.base+"/schema/case.json", bilingual.Text{En: "JSON Schema of case files", Ko: "사례 파일의 JSON Schema"}.In(s.lang))},
			{Text: fmt.Sprintf("[/schema/check.json](%s): %s", s.base+"/schema/check.json", bilingual.Text{En: "JSON Schema of check files", Ko: "점검 파일의 JSON Schema"}.In(s.lang))},
			{Text: fmt.Sprintf("[/schema/system.json](%s): %s", s.base+"/schema/system.json", bilingual.Text{En: "JSON Schema of system files", Ko: "시스템 파일의 JSON Schema"}.In(s.lang))},
		}, articles(s, link)...)},
		heading("Optional", "더 있는 것"),
		{Kind: output.List, Items: []output.Item{
			{Text: fmt.Sprintf("[/all.zip](%s): %s", s.base+"/all.zip", bilingual.Text{En: "everything in one file", Ko: "전부를 파일 하나로"}.In(s.lang))},
			link("/feed.json", "newest cases", "새 사례"),
			{Text: bilingual.Text{En: "Licence of the public library: CC-BY-4.0", Ko: "공개 라이브러리의 라이선스: CC-BY-4.0"}.In(s.lang)},
		}},
	}
	return asMarkdown(guide)
}

// articles links the guide to the texts that there are.
func articles(s *site, link func(path, en, ko string) output.Item) []output.Item {
	var items []output.Item
	for _, p := range []struct{ path, en, ko string }{
		{"/docs/mcp.md", "the MCP server and its clients", "MCP 서버와 클라이언트 설정"},
		{"/docs/format.md", "the format of cases", "사례의 형식"},
		{"/about.md", "where the facts come from, and how far each case was checked", "사실의 출처와 검토 상태"},
	} {
		if documentAt(s.docs, p.path) != nil {
			items = append(items, link(p.path, p.en, p.ko))
		}
	}
	return items
}
