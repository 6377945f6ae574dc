package api

import (
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// defaultLimit is the number of cases in a page where none is asked for.
const defaultLimit = 20

func pathParam(name, example, en, ko string) *param {
	return &param{name: name, in: "path", kind: kindText, example: example, doc: bilingual.Text{En: en, Ko: ko}}
}

func langParam() *param {
	return &param{
		name: "lang", in: "query", kind: kindChoice, allowed: []string{"en", "ko"}, example: "ko",
		doc: bilingual.Text{
			En: "Language of Markdown and of quoted sentences; otherwise the prefix /ko or the header Accept-Language decides. JSON has both languages.",
			Ko: "마크다운과 인용 문장의 언어. 없으면 앞머리 /ko 나 헤더 Accept-Language를 따른다. JSON에는 두 언어가 다 있다."},
		read: choice("lang", []string{"en", "ko"}, func(q *question, v string) { q.Lang = bilingual.Lang(v) }),
	}
}

func limitParam(def int) *param {
	return &param{
		name: "limit", in: "query", kind: kindInteger, min: 1, max: app.MaxLimit, def: def, example: "5",
		doc:  bilingual.Text{En: "How many cases to answer with.", Ko: "답할 사례 수."},
		read: integer("limit", 1, app.MaxLimit, func(q *question, n int) { q.Limit = n }),
	}
}

// filterParams are the parameters that narrow a search or a list, and those
// that page through it.
func filterParams() []*param {
	var params []*param
	for _, list := range app.FilterLists() {
		params = append(params, &param{
			name: list, in: "query", kind: kindList, example: filterExamples[list], doc: filterDoc(list),
			read: func(q *question, v string) error { q.add(list, []string{v}); return nil },
		})
	}
	facets := append(app.FilterLists(), "none")
	return append(params, &param{
		name: "year", in: "query", kind: kindText, example: "2019-2022",
		doc: bilingual.Text{En: "Year or years of the incident: 2021, 2019-2022, 2019- or -2022.", Ko: "사고가 난 해: 2021, 2019-2022, 2019-, -2022."},
		read: func(q *question, v string) (err error) {
			f := &q.Search.Filter
			f.YearFrom, f.YearTo, err = app.ParseYears(v)
			return err
		},
	}, &param{
		name: "longer_than", in: "query", kind: kindText, example: "2h",
		doc:  bilingual.Text{En: "Incidents that lasted at least this long, for example 90m, 4h51m or 2d.", Ko: "이만큼 이상 이어진 사고. 예: 90m, 4h51m, 2d."},
		read: length("longer_than", func(q *question, d casefile.Duration) { q.Search.Filter.MinDuration = d.Length() }),
	}, &param{
		name: "shorter_than", in: "query", kind: kindText, example: "10d",
		doc:  bilingual.Text{En: "Incidents that lasted at most this long.", Ko: "이만큼 이하로 이어진 사고."},
		read: length("shorter_than", func(q *question, d casefile.Duration) { q.Search.Filter.MaxDuration = d.Length() }),
	}, &param{
		name: "facets", in: "query", kind: kindList, allowed: facets, example: "mechanism,org",
		doc: bilingual.Text{En: "Lists to count the matching cases by; all where absent, or none.", Ko: "맞는 사례 수를 셀 목록. 없으면 모두, none 이면 세지 않는다."},
		read: choice("facets", facets, func(q *question, v string) {
			if q.Search.Facets == nil {
				q.Search.Facets = []string{}
			}
			if v != "none" && !slices.Contains(q.Search.Facets, v) {
				q.Search.Facets = append(q.Search.Facets, v)
			}
		}),
	}, limitParam(defaultLimit), &param{
		name: "cursor", in: "query", kind: kindText,
		doc: bilingual.Text{En: "Goes on where an earlier answer ended: its `next`. It holds for the same query and the same library only.", Ko: "앞선 답의 `next`. 이어지는 결과를 준다. 같은 질의와 같은 라이브러리에서만 통한다."},
		read: func(q *question, v string) error {
			if len(v) > 1024 {
				return app.Invalidf("cursor", "take the cursor from the result of the same query, or start without one", "the cursor is not readable").
					Korean("같은 질의의 결과에 있는 커서를 쓰거나, 커서 없이 처음부터 찾는다", "커서를 읽을 수 없다")
			}
			q.Search.Cursor = v
			return nil
		},
	}, langParam())
}

// searchParams are those of a search by words.
func searchParams() []*param {
	return append([]*param{{
		name: "q", in: "query", kind: kindText, example: "connection pool exhausted",
		doc: bilingual.Text{
			En: "Words, a question, a pasted log line, an alert or an error message, in English or Korean. Without it all cases are listed, newest first.",
			Ko: "낱말, 질문, 붙여 넣은 로그 한 줄, 알림, 오류 메시지. 한국어나 영어. 없으면 모든 사례를 새것부터 준다."},
		read: func(q *question, v string) error {
			if !strings.ContainsFunc(v, func(r rune) bool { return r > ' ' }) {
				v = ""
			}
			q.Search.Text = strings.ToValidUTF8(v, "\uFFFD")
			return nil
		},
	}, {
		name: "literal", in: "query", kind: kindFlag, def: false, example: "true",
		doc:  bilingual.Text{En: "Do not correct typing mistakes.", Ko: "오타를 고치지 않는다."},
		read: flag("literal", func(q *question, on bool) { q.Search.Literal = on }),
	}, {
		name: "partial", in: "query", kind: kindFlag, def: false, example: "true",
		doc:  bilingual.Text{En: "The last word may be unfinished, as while one types.", Ko: "마지막 낱말이 아직 덜 쓰인 것일 수 있다."},
		read: flag("partial", func(q *question, on bool) { q.Search.Partial = on }),
	}}, filterParams()...)
}

var filterExamples = map[string]string{
	"mechanism": "{mechanism}", "cause": "{cause}", "symptom": "{symptom}", "component": "{component}", "remedy": "{remedy}",
	"trigger": "{trigger}", "impact": "{impact}", "tag": "{tag}", "org": "{org}", "library": "{library}", "has": "replay",
}

func filterDoc(list string) bilingual.Text {
	switch list {
	case "org":
		return bilingual.Text{En: "Organisations by slug: any of them.", Ko: "조직의 slug. 그중 하나라도 맞으면 된다."}
	case "has":
		all := strings.Join(app.HasTerms(), ", ")
		return bilingual.Text{En: "What can be done with the case beside reading it: " + all + ".", Ko: "사례를 읽는 것 말고 할 수 있는 것: " + all + "."}
	case "library":
		return bilingual.Text{En: "Libraries that the case comes from: public, or the name of a private one.", Ko: "사례가 든 라이브러리: public 또는 비공개 라이브러리의 이름."}
	}
	return bilingual.Text{
		En: "Terms of the vocabulary list " + list + ": any of them. Different lists are joined by and.",
		Ko: "용어 목록 " + list + " 의 용어. 그중 하나라도 맞으면 된다. 목록이 여럿이면 모두 맞아야 한다."}
}
