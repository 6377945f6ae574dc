package api

import (
	"reflect"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// ProblemKind describes a kind of problem.
type ProblemKind struct {
	Type        string         `json:"type" jsonschema:"what answers name it by, and its address"`
	Status      int            `json:"status" jsonschema:"the HTTP status"`
	Title       bilingual.Text `json:"title"`
	Description bilingual.Text `json:"description"`
}

// ProblemIndex lists the kinds of problem.
type ProblemIndex struct {
	Problems []ProblemKind `json:"problems"`
}

// problemOperations are the rows of the table for the addresses that answers
// name their problems by.
func problemOperations() []*operation {
	return []*operation{
		{
			id: "listProblems", path: "/problems", answer: reflect.TypeFor[ProblemIndex](),
			doc:    bilingual.Text{En: "The kinds of problem", Ko: "오류의 종류"},
			params: []*param{langParam()}, examples: []string{""},
			do: func(*app.App, *question) (*answer, error) {
				index := &ProblemIndex{}
				for _, k := range problemKinds {
					index.Problems = append(index.Problems, k.wire())
				}
				return &answer{value: index, page: func(l bilingual.Lang) output.Page { return problemPage(l, problemKinds...) }}, nil
			},
		},
		{
			id: "getProblem", path: "/problems/{slug}", answer: reflect.TypeFor[ProblemKind](),
			doc:    bilingual.Text{En: "One kind of problem", Ko: "오류 종류 하나"},
			params: []*param{pathParam("slug", "invalid-parameter", "Last part of the problem's type.", "오류 type의 마지막 부분."), langParam()},
			do:     getProblem, examples: []string{""},
		},
	}
}

func getProblem(_ *app.App, q *question) (*answer, error) {
	for _, k := range problemKinds {
		if k.slug == q.Path["slug"] {
			return &answer{value: k.wire(), page: func(l bilingual.Lang) output.Page { return problemPage(l, k) }}, nil
		}
	}
	return nil, app.NotFoundf("slug", "see /problems for the kinds that there are", "no kind of problem %q", app.Short(q.Path["slug"])).
		Korean("오류의 종류: /problems", "그런 오류 종류가 없다: %q")
}

func (k problemKind) wire() ProblemKind {
	return ProblemKind{"/problems/" + k.slug, k.status, k.title, k.doc}
}

func problemPage(l bilingual.Lang, kinds ...problemKind) output.Page {
	var page output.Page
	for _, k := range kinds {
		page = append(page, output.Block{Kind: output.Heading, Level: 1, Text: k.title.In(l)},
			output.Block{Kind: output.Prose, Text: k.doc.In(l)})
	}
	return page
}
