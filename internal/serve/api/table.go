package api

import (
	"fmt"
	"reflect"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// Root is the path below which the API stands. Its number grows when an answer
// changes so that a client would misread it.
const Root = "/api/v1"

// operations is the table of the API, in the order in which it is explained.
func operations() []*operation {
	return append([]*operation{
		{
			id: "listCases", path: "/cases", answer: reflect.TypeFor[app.SearchResult](), speaks: true, computed: true,
			doc:    bilingual.Text{En: "Cases, newest first, narrowed by filters", Ko: "필터로 좁힌 사례, 새것부터"},
			params: filterParams(), do: listCases,
			examples: []string{"", "limit=2", "mechanism={mechanism}&facets=none", "year=2015-&longer_than=30m&shorter_than=40d&lang=ko", "component={component}&facets=org&facets=tag&limit=1"},
		},
		{
			id: "getCase", path: "/cases/{id}", answer: reflect.TypeFor[app.Case](),
			doc: bilingual.Text{En: "One case", Ko: "사례 하나"},
			more: bilingual.Text{
				En: "The record as it stands in the library, with the durations and the timeline computed from it.",
				Ko: "라이브러리에 적힌 기록 그대로에, 거기서 계산한 지속 시간과 타임라인을 더한 것."},
			params: []*param{caseParam(), langParam()}, do: getCase, examples: []string{"", "lang=ko"},
		},
		{
			id: "similarCases", path: "/cases/{id}/similar", answer: reflect.TypeFor[app.SimilarResult](),
			doc: bilingual.Text{En: "The cases most like a case, and why", Ko: "한 사례와 가장 비슷한 사례와 그 까닭"},
			more: bilingual.Text{
				En: "Shared mechanisms weigh most, then causes, symptoms and components; rare terms weigh more than common ones.",
				Ko: "같은 메커니즘이 가장 무겁고, 원인, 증상, 구성 요소 순이다. 드문 용어가 흔한 용어보다 무겁다."},
			params: []*param{caseParam(), limitParam(app.DefaultSimilar), langParam()}, do: similarCases, examples: []string{"", "limit=3"},
		},
		{
			id: "search", path: "/search", answer: reflect.TypeFor[app.SearchResult](), speaks: true, computed: true,
			doc: bilingual.Text{En: "Cases by what you see", Ko: "보이는 증상으로 사례 찾기"},
			more: bilingual.Text{
				En: "Searches both languages at once. Each hit says which words and terms matched, quotes the sentence that covers most of the query, and names what worked in that case.",
				Ko: "두 언어를 한꺼번에 찾는다. 결과마다 어떤 낱말과 용어가 맞았는지, 질의에 가장 가까운 문장, 그 사례에서 통한 조치를 알려 준다."},
			params: searchParams(), do: search,
			examples: []string{"q=connection+pool", "q=%EC%97%B0%EA%B2%B0+%ED%92%80&lang=ko&limit=2", "q=retyr+storm&literal=true&facets=none", "q=dns+res&partial=true&limit=1", "q=timeout&org={org}&tag={tag}"},
		},
		{
			id: "listTopics", path: "/topics", answer: reflect.TypeFor[app.TopicIndex](),
			doc:    bilingual.Text{En: "All topics that have cases", Ko: "사례가 있는 모든 주제"},
			params: []*param{langParam()}, do: listTopics, examples: []string{""},
		},
		{
			id: "findTopic", path: "/topics/{term}", answer: reflect.TypeFor[app.Topic](),
			doc: bilingual.Text{En: "Finds a topic by its id, its name or a synonym", Ko: "주제를 id, 이름, 동의어로 찾기"},
			more: bilingual.Text{
				En: "Answers with a redirect to the topic's own address.",
				Ko: "그 주제의 주소로 넘겨준다."},
			params: []*param{pathParam("term", "{mechanism}", "Id, name or synonym of a term, in either language.", "용어의 id, 이름 또는 동의어. 두 언어 모두."), langParam()},
			do:     findTopic, examples: []string{""},
		},
		{
			id: "getTopic", path: "/topics/{list}/{term}", answer: reflect.TypeFor[app.Topic](),
			doc: bilingual.Text{En: "All that the library knows under one term", Ko: "한 용어에 대해 라이브러리가 아는 모든 것"},
			more: bilingual.Text{
				En: "How many cases and since when, how long they lasted, what it occurs with, which remedies worked and which did not, the lessons, and the cases.",
				Ko: "사례 수와 첫 사례, 지속 시간, 함께 나타나는 용어, 통한 조치와 통하지 않은 조치, 교훈, 사례."},
			params: []*param{
				pathParam("list", "mechanism", "Vocabulary list of the term.", "용어가 든 목록."),
				pathParam("term", "{mechanism}", "Id of the term.", "용어의 id."), langParam(),
			},
			do: getTopic, examples: []string{"", "lang=ko"},
		},
		{
			id: "listVocab", path: "/vocab", answer: reflect.TypeFor[app.Vocab](),
			doc:    bilingual.Text{En: "The controlled vocabulary: all lists with their terms", Ko: "통제 어휘: 모든 목록과 용어"},
			params: []*param{langParam()}, do: vocab, examples: []string{""},
		},
		{
			id: "getVocab", path: "/vocab/{list}", answer: reflect.TypeFor[app.Vocab](),
			doc:    bilingual.Text{En: "One list of the vocabulary", Ko: "어휘 목록 하나"},
			params: []*param{pathParam("list", "mechanism", "Id of the list.", "목록의 id."), langParam()}, do: vocab, examples: []string{""},
		},
		{
			id: "listScenarios", path: "/scenarios", answer: reflect.TypeFor[app.ScenarioIndex](),
			doc:    bilingual.Text{En: "Scenarios: outages that can be replayed, and systems to begin one's own with", Ko: "시나리오: 재현할 수 있는 장애와, 내 시스템의 출발점이 될 시스템"},
			params: []*param{langParam()}, do: listScenarios, examples: []string{""},
		},
		{
			id: "getScenario", path: "/scenarios/{id}", answer: reflect.TypeFor[app.Replay](),
			doc: bilingual.Text{En: "One scenario, with what running it gave", Ko: "시나리오 하나와 실행 결과"},
			more: bilingual.Text{
				En: "The answer is that of the variant as it was kept with the library; it is absent where none was. To run it with other settings, send `scenario.system` to POST /api/v1/runs.",
				Ko: "변형마다 라이브러리에 남긴 결과를 준다. 남긴 것이 없으면 answer가 없다. 다른 설정으로 실행하려면 `scenario.system`을 POST /api/v1/runs로 보낸다."},
			params: []*param{
				pathParam("id", "{scenario}", "Id of the scenario, or of the case that it replays.", "시나리오의 id, 또는 재현하는 사례의 id."),
				{
					name: "variant", in: "query", kind: kindText, example: "base",
					doc:  bilingual.Text{En: "Variant of the scenario; base, or none, is the scenario as it is.", Ko: "시나리오의 변형. base이거나 없으면 시나리오 그대로."},
					read: func(q *question, v string) error { q.Variant = v; return nil },
				}, langParam(),
			},
			computed: true, do: getScenario, examples: []string{"", "variant=base"},
		},
		{
			id: "listChecks", path: "/checks", answer: reflect.TypeFor[app.CheckIndex](),
			doc:    bilingual.Text{En: "Checks: the states behind incidents, to be looked for in one's own system", Ko: "점검: 사고를 낳은 상태를 내 시스템에서 찾는 규칙"},
			params: []*param{langParam()}, do: listChecks, examples: []string{""},
		},
		{
			id: "getCheck", path: "/checks/{id}", answer: reflect.TypeFor[app.CheckPage](),
			doc: bilingual.Text{En: "One check, with the incidents behind it and what clears it", Ko: "점검 하나와 근거가 된 사고, 없애는 법"},
			params: []*param{
				pathParam("id", "{check}", "Id of the check; lower-case letters lead to it as well.", "점검의 id. 소문자로 써도 된다."), langParam(),
			},
			do: getCheck, examples: []string{"", "lang=ko"},
		},
		{
			id: "listGuides", path: "/guide", answer: reflect.TypeFor[app.GuideIndex](),
			doc:    bilingual.Text{En: "The field guide: a page for each loop that keeps a failure going", Ko: "현장 안내서: 장애를 이어 가게 하는 고리마다 한 쪽"},
			params: []*param{langParam()}, do: listGuides, examples: []string{""},
		},
		{
			id: "getGuide", path: "/guide/{id}", answer: reflect.TypeFor[app.Guide](),
			doc: bilingual.Text{En: "One page of the field guide", Ko: "현장 안내서의 한 쪽"},
			more: bilingual.Text{
				En: "The loop with its measured gain, the edge by a formula and by simulation, the remedies with what each was found to do, and what to measure at home.",
				Ko: "측정한 이득과 함께 본 고리, 공식과 시뮬레이션으로 본 경계, 조치와 각각의 결과, 직접 재어 볼 값."},
			params: []*param{pathParam("id", "{guide}", "Id of the scenario.", "시나리오의 id."), langParam()},
			do:     getGuide, examples: []string{"", "lang=ko"},
		},
		{
			id: "getStats", path: "/stats", answer: reflect.TypeFor[app.Stats](), apiOnly: true,
			doc: bilingual.Text{En: "Figures about the library", Ko: "라이브러리의 수치"},
			do: func(a *app.App, _ *question) (*answer, error) {
				return &answer{value: a.Stats()}, nil
			},
			examples: []string{""},
		},
	}, problemOperations()...)
}

func caseParam() *param {
	return pathParam("id", "{case}", "Id of the case; lower-case letters lead to it as well.", "사례의 id. 소문자로 써도 된다.")
}

func listCases(a *app.App, q *question) (*answer, error) {
	q.Search.Text = ""
	return search(a, q)
}

func search(a *app.App, q *question) (*answer, error) {
	query := q.Search
	query.Limit, query.Lang = q.Limit, q.Lang
	if query.Limit == 0 {
		query.Limit = defaultLimit
	}
	r, err := a.Search(query)
	if err != nil {
		return nil, err
	}
	opt := output.SearchOptions{Passages: true, Facets: true}
	return &answer{value: r, next: r.Next, shown: len(r.Hits), all: r.Total, page: func(l bilingual.Lang) output.Page { return output.SearchPage(r, l, opt) }}, nil
}

func getCase(a *app.App, q *question) (*answer, error) {
	c, err := a.Case(q.Path["id"])
	if err != nil {
		return nil, err
	}
	return canonicalCase(q, c.ID, "", &answer{value: c, page: func(l bilingual.Lang) output.Page { return output.CasePage(c, a, l) }}), nil
}

func similarCases(a *app.App, q *question) (*answer, error) {
	r, err := a.Similar(q.Path["id"], q.Limit)
	if err != nil {
		return nil, err
	}
	return canonicalCase(q, r.Of.ID, "/similar", &answer{value: r, page: func(l bilingual.Lang) output.Page { return output.SimilarPage(r, l) }}), nil
}

// canonicalCase sends a request with an id in lower-case letters on.
func canonicalCase(q *question, id, rest string, found *answer) *answer {
	if q.Path["id"] != id {
		return &answer{moved: "/cases/" + id + rest, forGood: true}
	}
	return found
}

func listTopics(a *app.App, _ *question) (*answer, error) {
	index := a.Topics()
	return &answer{value: index, page: func(l bilingual.Lang) output.Page { return topicsPage(index, l) }}, nil
}

func findTopic(a *app.App, q *question) (*answer, error) {
	t, err := a.Topic(q.Path["term"])
	if err != nil {
		return nil, err
	}
	return &answer{moved: "/topics/" + t.List + "/" + t.Term.ID}, nil
}

func getTopic(a *app.App, q *question) (*answer, error) {
	t, err := a.Topic(q.Path["list"] + "/" + q.Path["term"])
	if err != nil {
		return nil, err
	}
	if t.List != q.Path["list"] || t.Term.ID != q.Path["term"] {
		return &answer{moved: "/topics/" + t.List + "/" + t.Term.ID}, nil
	}
	return &answer{value: t, page: func(l bilingual.Lang) output.Page { return output.TopicPage(t, a, l) }}, nil
}

func listScenarios(a *app.App, _ *question) (*answer, error) {
	index := a.Scenarios()
	return &answer{value: index, page: func(l bilingual.Lang) output.Page { return output.ScenariosPage(index, l) }}, nil
}

func listGuides(a *app.App, _ *question) (*answer, error) {
	index := a.Guides()
	return &answer{value: index, page: func(l bilingual.Lang) output.Page { return output.GuidesPage(index, l) }}, nil
}

func getGuide(a *app.App, q *question) (*answer, error) {
	g, err := a.Guide(q.Path["id"])
	if err != nil {
		return nil, err
	}
	if q.Path["id"] != g.ID {
		return &answer{moved: "/guide/" + g.ID}, nil
	}
	return &answer{value: g, page: func(l bilingual.Lang) output.Page { return output.GuidePage(g, l) }}, nil
}

func getScenario(a *app.App, q *question) (*answer, error) {
	r, err := a.Replay(q.Path["id"], q.Variant)
	if err != nil {
		return nil, err
	}
	if q.Path["id"] != r.Scenario.ID {
		return &answer{moved: "/scenarios/" + r.Scenario.ID}, nil
	}
	return &answer{value: r, page: func(l bilingual.Lang) output.Page { return output.ReplayPage(r, l) }}, nil
}

func listChecks(a *app.App, _ *question) (*answer, error) {
	index, err := a.Checks()
	if err != nil {
		return nil, err
	}
	return &answer{value: index, page: func(l bilingual.Lang) output.Page { return output.ChecksPage(index, l) }}, nil
}

func getCheck(a *app.App, q *question) (*answer, error) {
	c, err := a.OneCheck(q.Path["id"])
	if err != nil {
		return nil, err
	}
	if q.Path["id"] != c.ID {
		return &answer{moved: "/checks/" + c.ID}, nil
	}
	return &answer{value: c, page: func(l bilingual.Lang) output.Page { return output.OneCheckPage(c, l) }}, nil
}

func vocab(a *app.App, q *question) (*answer, error) {
	v, err := a.Vocab(q.Path["list"])
	if err != nil {
		return nil, err
	}
	return &answer{value: v, page: func(l bilingual.Lang) output.Page { return output.VocabPage(v, l) }}, nil
}

// topicsPage lists all topics.
func topicsPage(index *app.TopicIndex, l bilingual.Lang) output.Page {
	var page output.Page
	for _, list := range index.Lists {
		var items []output.Item
		for _, t := range list.Topics {
			items = append(items, output.Item{Lead: t.ID, Text: fmt.Sprintf("%s (%d)", output.Read(&t.Name, l), t.Cases)})
		}
		if len(items) > 0 {
			page = append(page, output.Block{Kind: output.Heading, Level: 2, Text: fmt.Sprintf("%s (%s)", output.Read(&list.Name, l), list.List)},
				output.Block{Kind: output.List, Items: items})
		}
	}
	return page
}
