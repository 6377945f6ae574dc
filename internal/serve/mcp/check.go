package mcp

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/dump"
	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/output"
)

// Bounds of a manifest that a stranger sends.
const (
	maxManifest = 512 << 10 // bytes
	maxValues   = 100_000   // of a document
	checkTime   = 10 * time.Second
)

// checked is what the schema of check_manifest names.
type checked struct {
	Findings   []any `json:"findings"`
	NotChecked []any `json:"not_checked"`
	Incomplete bool  `json:"incomplete"`
}

// listedChecks is what the schema of list_checks names.
type listedChecks struct {
	Checks []any `json:"checks"`
}

var listChecks = &tool{
	name: "list_checks", title: "List the checks",
	doc:    "States behind incidents that a system may be in; with id: one, its incidents, what clears it.",
	params: func(*app.App) []param { return []param{{name: "id", doc: "E.g. CK-104"}, langParam} },
	out:    reflect.TypeFor[listedChecks](), depth: 1,
	answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
		if id := in.text["id"]; id != "" {
			c, err := a.OneCheck(id)
			if err != nil {
				return nil, err
			}
			short := *c
			short.Text = "" // its conditions stand beside
			return fit(ctx, 1, func(int) (*reply, error) {
				return &reply{wire: &short, lang: in.lang(), page: func(wire any) output.Page { return output.OneCheckPage(wire.(*app.CheckPage), in.lang()) }}, nil
			})
		}
		index, err := a.Checks()
		if err != nil {
			return nil, err
		}
		return fit(ctx, 1, func(int) (*reply, error) {
			return &reply{wire: index, lang: in.lang(), page: func(wire any) output.Page { return output.ChecksPage(wire.(*app.CheckIndex), in.lang()) }}, nil
		})
	},
}

var checkManifest = &tool{
	name: "check_manifest", title: "Check manifests",
	doc: "Is a system in an incident's state? Manifests, AWS JSON, system files, database settings, Prometheus answers. Nothing is kept.",
	params: func(*app.App) []param {
		return []param{{name: "manifest", required: true, doc: "YAML or JSON"}, {name: "only", kind: words, doc: "Check ids"}, langParam}
	},
	out: reflect.TypeFor[checked](), depth: 1,
	answer: func(ctx context.Context, a *app.App, args *arguments) (*written, error) {
		answer, err := checkText(ctx, a, args)
		if err != nil {
			return nil, err
		}
		return fitCheck(ctx, answer, args.lang())
	},
}

// fitCheck writes as many findings of an answer as fit, the worst first.
func fitCheck(ctx context.Context, answer *app.CheckAnswer, l bilingual.Lang) (*written, error) {
	whole := len(answer.Findings)
	return fit(ctx, max(1, whole), func(n int) (*reply, error) {
		part := *answer
		part.Findings = first(answer.Findings, n)
		out := &reply{wire: &part, lang: l, page: func(wire any) output.Page { return output.CheckPage(wire.(*app.CheckAnswer), l) }}
		if n < whole {
			out.notes = []string{fmt.Sprintf(in(l, "The worst %d of %d findings. The rest: call again with only.", "발견 %[2]d건 가운데 심각한 %[1]d건. 나머지는 only를 주고 다시 부른다."), n, whole)}
		}
		return out, nil
	})
}

// checkText checks the objects of a text.
func checkText(ctx context.Context, a *app.App, in *arguments) (*app.CheckAnswer, error) {
	text := in.text["manifest"]
	if len(text) > maxManifest {
		return nil, app.Invalidf("manifest", "send the objects in question, or run `precedent check` where they are", "the manifest has %d bytes, more than %d", len(text), maxManifest).
			Korean("문제가 되는 객체만 보내거나, 있는 곳에서 `precedent check`를 돌린다", "매니페스트가 %d바이트로, %d바이트를 넘는다")
	}
	snap := object.NewSnapshot(time.Now())
	objects := 0
	printed, known := dump.Read("manifest", []byte(text))
	if known {
		objects = printed.Size()
		printed.AddTo(snap)
		text = ""
	}
	documents, problems := manifest.ReadBounded("manifest", []byte(text), maxValues)
	contents, wrong := manifest.Contents(documents, app.SystemErrors)
	for _, content := range contents {
		objects += content.Size()
		content.AddTo(snap)
	}
	answer, err := checkSnapshot(ctx, a, snap, in)
	if err != nil {
		return nil, err
	}
	for _, p := range append(problems, wrong...) {
		answer.Gap(app.GapOf(p))
	}
	if objects == 0 {
		answer.Gap(app.GapOf(manifest.Problem{Source: "manifest", Msg: "holds no object", Help: "give manifests, or the output of kubectl get -o yaml"}))
	}
	return answer, nil
}

// checkSnapshot makes the checks that are asked for, within their time.
func checkSnapshot(ctx context.Context, a *app.App, snap *object.Snapshot, in *arguments) (*app.CheckAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	answer, err := a.Check(ctx, snap, app.CheckQuery{Only: upper(in.words["only"])})
	if err != nil && ctx.Err() == context.DeadlineExceeded {
		return nil, app.Invalidf("only", "name fewer checks with only, or give fewer objects", "the checks did not end within %v", checkTime).
			Korean("only로 점검을 줄이거나 객체를 줄인다", "점검이 %v 안에 끝나지 않았다")
	}
	return answer, err
}

func upper(all []string) []string {
	ids := make([]string, len(all))
	for i, id := range all {
		ids[i] = strings.ToUpper(strings.TrimSpace(id))
	}
	return ids
}
