package mcp

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// replay is the answer of replay_incident for what is kept with the library.
type replay struct {
	ID       string             `json:"id"`
	Case     string             `json:"case,omitempty"`
	Title    bilingual.Text     `json:"title"`
	Variant  string             `json:"variant"`
	Holds    int                `json:"holds"` // observations that come out
	Observed []scenario.Outcome `json:"observed"`
	Variants []app.VariantRef   `json:"variants"`
	Loop     []bilingual.Text   `json:"loop"`
	Misfits  []bilingual.Text   `json:"misfits"`
	Verdict  verdict.Class      `json:"verdict,omitempty"`
	Smallest string             `json:"smallest_trigger,omitempty"`
	Course   *drawn             `json:"course,omitempty"`

	whole *app.Replay
}

// replayHead are the fields that the schema of replay_incident names: those of a
// replay that is kept, or of a run under way.
type replayHead struct {
	ID       string `json:"id"`
	Observed []any  `json:"observed"`
	Variants []any  `json:"variants"`
	Run      string `json:"run"`
	State    string `json:"state"`
}

// replayTool replays the outages of the library; with a page that shows them, for
// a client that can.
func replayTool(jobs *app.Jobs, apps bool) *tool {
	t := &tool{
		name: "replay_incident", title: "Replay an incident",
		doc: "A model of a published outage beside what was observed; variant: with another setting or action; set: run anew.",
		params: func(*app.App) []param {
			return []param{
				{name: "id", required: true, doc: "Case or scenario, e.g. IL-0574"}, {name: "variant", doc: "Named in the answer"}, setParam, langParam,
			}
		},
		out: reflect.TypeFor[replayHead](), depth: 1,
		next: bilingual.Text{
			En: "list_incidents with has [\"replay\"] lists the cases that can be replayed.",
			Ko: "재현할 수 있는 사례는 list_incidents에 has [\"replay\"]를 주면 나온다."},
		answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
			r, err := a.Replay(in.text["id"], in.text["variant"])
			if err != nil {
				if sc, none := a.Scenario(in.text["id"]); none == nil { // its variant is wrong, and settings may be
					err = errors.Join(err, startError(jobs.Check(ctx, sc.Question("", in.words["set"])), map[string]bool{"variant": true}))
				}
				return nil, err
			}
			if r.Answer != nil && len(in.words["set"]) == 0 {
				draw := func(values int) *drawn { return drawnReplay(r, values) }
				return fitDrawn(ctx, apps, draw, func(d *drawn) *reply { return replayReply(r, d, in.lang()) })
			}
			q := study.Question{System: r.Scenario.System, Variant: r.Variant, Set: in.words["set"], Kind: study.KindRun, Windows: courseSteps, Series: []string{"*.offered", "*.good"}}
			if apps {
				q.Windows = viewValues
			}
			job, err := jobs.Start(ctx, clientOf(ctx), q)
			if err != nil {
				return nil, startError(err, nil)
			}
			return await(ctx, jobs, job, in.lang(), apps)
		},
	}
	if apps {
		t.view = viewURI
	}
	return t
}

// replayReply tells what a kept replay gave, in short.
func replayReply(r *app.Replay, d *drawn, l bilingual.Lang) *reply {
	short := *r.Scenario
	short.Given, short.Yours, short.Guide = nil, nil, bilingual.Text{} // they are on the page of the scenario
	short.Judged = nil                                                 // two lines of it follow
	wire := &replay{ID: short.ID, Case: short.Case, Title: short.Title, Variant: r.Variant, Variants: short.Variants, Loop: short.Loop, Misfits: short.Misfits, Observed: []scenario.Outcome{}}
	wire.Course = d
	wire.whole = &app.Replay{Version: r.Version, Scenario: &short, Variant: r.Variant, Answer: r.Answer}
	for _, run := range r.Answer.Runs {
		wire.Observed = append(wire.Observed, run.Expectations...)
	}
	for _, o := range wire.Observed {
		if o.Holds {
			wire.Holds++
		}
	}
	note := fmt.Sprintf(in(l, "%d of %d observations come out. For other numbers, call with set; the parameters are on the page /scenarios/%s.",
		"관측 %[2]d개 가운데 %[1]d개가 그대로 나온다. 다른 수치는 set으로 준다. 매개변수는 /scenarios/%[3]s 페이지에 있다."), wire.Holds, len(wire.Observed), short.ID)
	notes := []string{note}
	if j := r.Scenario.Judged; j != nil {
		wire.Verdict, wire.Smallest = j.Class, output.SmallestText(j, l)
		notes = append(notes, output.JudgedLine(r.Scenario, j, l))
	}
	return &reply{wire: wire, lang: l, notes: notes, page: func(any) output.Page { return output.ReplayPage(wire.whole, l) }}
}
