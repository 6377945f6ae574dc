package mcp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// simulation is the answer of the tools that simulate.
type simulation struct {
	Run    string        `json:"run"`
	State  app.JobState  `json:"state"`
	Error  string        `json:"error,omitempty"`
	Remedy string        `json:"remedy,omitempty"`
	Result *study.Answer `json:"result,omitempty"` // as the API and the command have it
	Course *drawn        `json:"course,omitempty"`
}

// simulationHead are the fields of a simulation that its schema names. What
// else there is depends on the question, and definitions are to be short.
type simulationHead struct {
	Run   string `json:"run"`
	State string `json:"state"`
}

const (
	courseSteps = 20
	patience    = 18 * time.Second // for which a call waits for an answer
	noticePause = 500 * time.Millisecond
)

// exampleSystem shows the form of a system file in the description.
const exampleSystem = "name: x\nparts:\n  users: {kind: source, rate: 50/s, call: {to: db, timeout: 300ms, retries: 3}}\n" +
	"  db: {kind: server, work: exp 10ms, workers: 1}\nrun: {for: 60s}\nchanges:\n  - {about: slow db, at: 10s, for: 4s, set: {db.speed: 5%}}"

var (
	systemParam = param{name: "system", required: true, doc: "System file (YAML); errors name the fields that there are. Example:\n" + exampleSystem}
	variantOf   = param{name: "variant", doc: "Variant of the file, by name"}
	setParam    = param{name: "set", kind: words, doc: "Settings that replace those of the file, e.g. db.workers=2"}
	seedsParam  = param{name: "seeds", kind: number, doc: "Runs of each kind", min: 1, max: study.MaxSeeds}
	errorsParam = param{name: "limit", doc: "Errors that are healthy, e.g. 1%"}
	runParam    = param{name: "run", required: true, doc: "`run` of an earlier answer"}
)

// simTools are the tools that simulate systems; apps says whether the client shows
// pages of ours.
func simTools(jobs *app.Jobs, apps bool) []*tool {
	start := func(ctx context.Context, kind study.Kind, in *arguments) (*written, error) {
		q, wrong := asked(kind, in)
		if len(wrong) > 0 {
			return nil, errors.Join(append(wrong, startError(jobs.Check(ctx, q), fieldsOf(append(wrong, ownSeries))))...)
		}
		job, err := jobs.Start(ctx, clientOf(ctx), q)
		for _, series := range [][]string{study.Fleet, nil} { // where nobody asks for anything
			if refusals, problems := study.Refused(err); len(refusals) != 1 || refusals[0].Param != "series" || len(problems) > 0 {
				break
			}
			q.Series = series
			job, err = jobs.Start(ctx, clientOf(ctx), q)
		}
		if err != nil {
			return nil, startError(err, nil)
		}
		return await(ctx, jobs, job, in.lang(), false)
	}
	besides := func(ctx context.Context, kind study.Kind, in *arguments, err error) error {
		q, wrong := asked(kind, in)
		known := fieldsOf(append(app.Each(err), append(wrong, ownSeries)...))
		if known["kind"] {
			q.Kind = "unknown" // so that nothing is said of what another kind has not
		}
		known["system"] = known["system"] || q.System == ""
		return errors.Join(append(wrong, startError(jobs.Check(ctx, q), known))...)
	}
	next := bilingual.Text{En: "Mend the system and call the tool again."}
	return []*tool{
		replayTool(jobs, apps),
		{
			name: "get_run", title: "Get a simulation", doc: "Waits for a simulation that was still under way.",
			params: func(*app.App) []param { return []param{runParam, langParam} },
			out:    reflect.TypeFor[simulationHead](), depth: 1, next: bilingual.Text{En: "Answers are kept for some minutes; call simulate_system or judge_system again."},
			answer: func(ctx context.Context, _ *app.App, in *arguments) (*written, error) {
				job, err := jobs.Get(in.text["run"])
				if err != nil {
					return nil, err
				}
				return await(ctx, jobs, job, in.lang(), apps)
			},
		},
		{
			name: "judge_system", title: "Judge a system",
			doc: "Would a system come back by itself after a trigger is over? Says overloaded, metastable, vulnerable, driven or stable, " +
				"with evidence.",
			params: func(*app.App) []param {
				return []param{systemParam, variantOf, setParam, seedsParam, errorsParam, langParam}
			},
			out: reflect.TypeFor[simulationHead](), depth: 1, next: next,
			answer: func(ctx context.Context, _ *app.App, in *arguments) (*written, error) {
				return start(ctx, study.KindJudge, in)
			},
			besides: func(ctx context.Context, in *arguments, err error) error {
				return besides(ctx, study.KindJudge, in, err)
			},
		},
		{
			name: "simulate_system", title: "Simulate a system",
			doc: "kind run (default): once; stress: the shortest triggers that tip it; remedies: what brings it back; " +
				"map: its class over settings x and y; explore: all orders of steps; explain: loads and formulas.",
			params: func(*app.App) []param {
				system := systemParam
				system.doc = "As of judge_system"
				return []param{
					system, {name: "kind", enum: []string{"run", "stress", "remedies", "map", "explore", "explain"}}, variantOf, setParam,
					{name: "x", doc: "E.g. load=10/s..60/s:6"}, {name: "y"}, seedsParam, errorsParam, langParam,
				}
			},
			out: reflect.TypeFor[simulationHead](), depth: 1, next: next,
			answer: func(ctx context.Context, _ *app.App, in *arguments) (*written, error) {
				return start(ctx, study.Kind(in.text["kind"]), in)
			},
			besides: func(ctx context.Context, in *arguments, err error) error {
				return besides(ctx, study.Kind(in.text["kind"]), in, err)
			},
		},
	}
}

// asked returns the question that arguments ask, of a kind or of the one that they
// name, and what is wrong with it.
func asked(kind study.Kind, in *arguments) (study.Question, []error) {
	q := study.Question{System: in.text["system"], Kind: kind, Variant: in.text["variant"], Set: in.words["set"], X: in.text["x"], Y: in.text["y"], Seeds: in.number["seeds"]}
	var wrong []error
	var err error
	if q.Limit, err = errorLimit(in.text["limit"]); err != nil {
		wrong = append(wrong, err)
	}
	if len(q.System) > app.MaxSystem {
		q.System = ""
		wrong = append(wrong, app.Invalidf("system", "leave out what the question does not need", "a system may have %d bytes", app.MaxSystem))
	}
	if kind == "" || kind == study.KindRun { // a few numbers tell the course
		q.Windows, q.Series = courseSteps, []string{"*.offered", "*.good"}
	}
	return q, wrong
}

// errorLimit reads the share of errors up to which a window is healthy.
func errorLimit(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return 0, app.Invalidf("limit", "write a share such as 1% or 0.01", "%q is no share of errors", text).
			Korean("1%나 0.01처럼 비율을 쓴다", "오류 비율이 아니다: %q")
	}
	if percent {
		x /= 100
	}
	return x, nil
}

// in returns the one of two texts that is in a language.
func in(l bilingual.Lang, en, ko string) string { return bilingual.Text{En: en, Ko: ko}.In(l) }

// ownSeries stands for the series of a run, which the tool chooses.
var ownSeries = app.Invalidf("series", "", "")

// fieldsOf returns the parameters that errors are about.
func fieldsOf(all []error) map[string]bool {
	named := map[string]bool{}
	for _, one := range all {
		if e := (*app.Error)(nil); errors.As(one, &e) {
			named[e.Field] = true
		}
	}
	return named
}

// startError tells the model what is wrong with a question and its system, but for
// the fields that are known to be wrong, or that it must wait.
func startError(err error, known map[string]bool) error {
	if busy := (*app.Busy)(nil); errors.As(err, &busy) {
		if len(known) > 0 {
			return nil
		}
		return app.Invalidf("", fmt.Sprintf("wait %d seconds and call again", busy.After), "%s", busy.Error())
	}
	refusals, problems := study.Refused(err)
	if len(refusals)+len(problems) == 0 {
		return err
	}
	var all []error
	for _, r := range refusals {
		if !known[r.Param] {
			all = append(all, app.Unanswered(r))
		}
	}
	if len(problems) > 0 && !known["system"] {
		all = append(all, app.Invalidf("system", "mend each of them", "the system cannot be run:\n%s", problems.Errors().Error()))
	}
	return errors.Join(all...)
}

// await waits for a simulation, tells of its progress, and writes how far it is, with
// the course of a run of a scenario where it is drawn.
func await(ctx context.Context, jobs *app.Jobs, job *app.Job, l bilingual.Lang, draw bool) (*written, error) {
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	notify := noticesOf(ctx, l)
	var told time.Time
	for !job.State.Ended() && wait.Err() == nil {
		job = jobs.Await(wait, job)
		if now := time.Now(); notify != nil && now.Sub(told) > noticePause {
			told = now
			notify(job)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &simulation{Run: job.ID, State: job.State, Result: job.Result}
	s.Error, _ = job.Why.Read(l)
	s.Remedy, _ = job.Help.Read(l)
	out := &reply{wire: s, lang: l, page: func(wire any) output.Page { return simulationPage(wire.(*simulation), l) }}
	if !job.State.Ended() {
		out.notes = []string{fmt.Sprintf(in(l, "It is still computing. Call get_run with run %q.", "아직 계산하고 있다. run %q으로 get_run을 부른다."), job.ID)}
	}
	return fitDrawn(ctx, draw, func(values int) *drawn { return drawnJob(job, values) }, func(d *drawn) *reply {
		if s.Course = d; d != nil {
			s.Result = withoutCharts(job.Result) // they are the same lines
		}
		return out
	})
}

// withoutCharts returns the answer of one run without its charts.
func withoutCharts(a *study.Answer) *study.Answer {
	short := *a
	short.Runs = slices.Clone(a.Runs)
	short.Runs[0].Charts = nil
	return &short
}

// simulationPage writes a simulation for a model to read.
func simulationPage(s *simulation, l bilingual.Lang) output.Page {
	prose := func(format string, args ...any) output.Block {
		return output.Block{Kind: output.Prose, Text: fmt.Sprintf(format, args...)}
	}
	var page output.Page
	switch {
	case s.Error != "":
		page = append(page, prose(in(l, "The simulation is %s: %s. %s", "시뮬레이션 상태는 %s: %s. %s"), s.State, s.Error, s.Remedy))
	case s.Result == nil:
		page = append(page, prose(in(l, "The simulation is %s.", "시뮬레이션 상태는 %s이다."), s.State))
	}
	if s.Result == nil {
		return page
	}
	page = append(page, output.AnswerPage(s.Result, l, true)...)
	for _, r := range s.Result.Runs {
		if steps := stepsOf(&r); len(steps) > 0 {
			page = append(page, prose(in(l, "Good answers a second, of those offered: %s.", "초마다 제때 응답한 수와 들어온 수: %s."), strings.Join(steps, "; ")))
		}
	}
	var items []output.Item
	for _, p := range s.Result.Warnings {
		items = append(items, output.Item{Lead: in(l, "warning", "경고"), Text: p.String()})
	}
	if len(items) > 0 {
		page = append(page, output.Block{Kind: output.List, Items: items})
	}
	return page
}

// stepsOf writes the course of a run in its windows, all sources together.
func stepsOf(r *study.Run) []string {
	var steps []string
	group := max((r.Windows+courseSteps-1)/courseSteps, 1) // of windows, for one step
	for i := 0; i < r.Windows; i += group {
		sum := func(suffix string) float64 {
			total := 0.0
			for _, s := range r.Series {
				if part, ok := strings.CutSuffix(s.Name, suffix); ok &&
					slices.ContainsFunc(r.Sources, func(g scenario.Goodput) bool { return g.Source == part }) {
					for _, x := range s.Values[min(i, len(s.Values)):min(i+group, len(s.Values))] {
						total += x
					}
				}
			}
			return total / (r.Window * float64(min(group, r.Windows-i)))
		}
		steps = append(steps, fmt.Sprintf("%.4g s: %.3g / %.3g", float64(i)*r.Window, sum(".good"), sum(".offered")))
	}
	return steps
}

// requestKey is the key of the request of a tool in its context.
type requestKey struct{}

// clientHeader carries the client from the handler to the tools, since the
// protocol library hands over headers and no context.
const clientHeader = "X-Precedent-Client"

// clientOf returns which client calls a tool; empty where there is one only.
func clientOf(ctx context.Context) string {
	req, _ := ctx.Value(requestKey{}).(*sdk.CallToolRequest)
	if req == nil || req.Extra == nil {
		return ""
	}
	return req.Extra.Header.Get(clientHeader)
}

// noticesOf returns how progress is told to who calls a tool; nil where it is
// not wanted.
func noticesOf(ctx context.Context, l bilingual.Lang) func(*app.Job) {
	req, _ := ctx.Value(requestKey{}).(*sdk.CallToolRequest)
	if req == nil || req.Session == nil {
		return nil
	}
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	last := 0.0
	return func(job *app.Job) {
		// Progress must grow.
		last = max(last+1e-3, job.Seconds)
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: last, Message: fmt.Sprintf(in(l, "%d simulations; %s", "시뮬레이션 %d번; %s"), job.Runs, output.Read(&job.Stage, l)),
		}) // who has gone needs no notice
	}
}
