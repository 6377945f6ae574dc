package mcp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// simulation is the answer of the tools that simulate. Series are too long for
// it; the course holds what they tell, in few steps.
type simulation struct {
	Run      string               `json:"run"`
	State    app.JobState         `json:"state"`
	Kind     study.Kind           `json:"kind"`
	Error    string               `json:"error,omitempty"`
	Sources  []scenario.Goodput   `json:"sources,omitempty"`
	Course   []step               `json:"course,omitempty"`
	Changes  []study.Mark         `json:"changes,omitempty"`
	Judgment *verdict.Judgment    `json:"judgment,omitempty"`
	Edges    []verdict.Edge       `json:"edges,omitempty"`
	Remedies *verdict.Remedies    `json:"remedies,omitempty"`
	Warnings []strictyaml.Problem `json:"warnings,omitempty"`
}

// simulationHead are the fields of a simulation that its schema names. What
// else there is depends on the question, and definitions are to be short.
type simulationHead struct {
	Run      string            `json:"run"`
	State    string            `json:"state"`
	Judgment *verdict.Judgment `json:"judgment"`
}

// step is a part of the course of a run, in requests a second.
type step struct {
	From    float64 `json:"from"` // seconds
	Offered float64 `json:"offered"`
	Good    float64 `json:"good"`
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
	setParam    = param{name: "set", kind: words, doc: "Settings that replace those of the file, e.g. db.workers=2"}
	runParam    = param{name: "run", required: true, doc: "`run` of an earlier answer"}
)

// simTools are the tools that simulate systems.
func simTools(jobs *app.Jobs) []*tool {
	start := func(ctx context.Context, kind study.Kind, in *arguments) (*written, error) {
		q := study.Question{System: in.text["system"], Kind: kind, Set: in.words["set"]}
		if len(q.System) > app.MaxSystem {
			return nil, app.Invalidf("system", "leave out what the question does not need", "a system may have %d bytes", app.MaxSystem)
		}
		job, err := jobs.Start(ctx, clientOf(ctx), q)
		if err != nil {
			return nil, startError(err)
		}
		return await(ctx, jobs, job)
	}
	const next = "Mend the system and call the tool again."
	return []*tool{
		{
			name: "get_run", title: "Get a simulation", doc: "Waits for a simulation that was still under way.",
			params: func(*app.App) []param { return []param{runParam} },
			out:    reflect.TypeFor[simulationHead](), depth: 1, next: "Answers are kept for some minutes; call simulate_system or judge_system again.",
			answer: func(ctx context.Context, _ *app.App, in *arguments) (*written, error) {
				job, err := jobs.Get(in.text["run"])
				if err != nil {
					return nil, err
				}
				return await(ctx, jobs, job)
			},
		},
		{
			name: "judge_system", title: "Judge a system",
			doc: "Would a system come back by itself after a trigger is over? Says overloaded, metastable, vulnerable, driven or stable, " +
				"with the evidence for each trigger tried.",
			params: func(*app.App) []param { return []param{systemParam, setParam} },
			out:    reflect.TypeFor[simulationHead](), depth: 1, next: next,
			answer: func(ctx context.Context, _ *app.App, in *arguments) (*written, error) {
				return start(ctx, study.Judge, in)
			},
		},
		{
			name: "simulate_system", title: "Simulate a system",
			doc: "Simulates a system. kind run (default): once, with its course; stress: the shortest triggers that tip it; remedies: what brings it back.",
			params: func(*app.App) []param {
				system := systemParam
				system.doc = "As of judge_system"
				return []param{system, {name: "kind", enum: []string{"run", "stress", "remedies"}}, setParam}
			},
			out: reflect.TypeFor[simulationHead](), depth: 1, next: next,
			answer: func(ctx context.Context, _ *app.App, in *arguments) (*written, error) {
				return start(ctx, study.Kind(in.text["kind"]), in)
			},
		},
	}
}

// startError tells the model what is wrong with a system, or that it must wait.
func startError(err error) error {
	var problems strictyaml.Problems
	var busy *app.Busy
	switch {
	case errors.As(err, &problems):
		return app.Invalidf("system", "mend each of them", "the system cannot be run:\n%s", problems.Errors().Error())
	case errors.As(err, &busy):
		return app.Invalidf("", fmt.Sprintf("wait %d seconds and call again", busy.After), "%s", busy.Error())
	}
	return err
}

// await waits for a simulation, tells of its progress, and writes how far it is.
func await(ctx context.Context, jobs *app.Jobs, job *app.Job) (*written, error) {
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	notify := noticesOf(ctx)
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
	s := &simulation{Run: job.ID, State: job.State, Kind: job.Kind, Error: job.Error}
	out := &reply{wire: s, lang: bilingual.English, page: func(wire any) output.Page { return simulationPage(wire.(*simulation)) }}
	if a := job.Result; a != nil {
		s.Judgment, s.Edges, s.Remedies, s.Warnings, s.Changes = a.Judgment, a.Edges, a.Remedies, a.Warnings, a.Marks
		if a.Run != nil {
			s.Sources, s.Course = a.Run.Sources, course(a.Run)
		}
	}
	if !job.State.Ended() {
		out.notes = []string{fmt.Sprintf("It is still computing. Call get_run with run %q.", job.ID)}
	}
	return fit(ctx, 1, func(int) (*reply, error) { return out, nil })
}

// course sums up the series of a run in few steps.
func course(r *scenario.Result) []step {
	n := min(r.Windows, courseSteps)
	steps := make([]step, n)
	for i := range steps {
		from, to := i*r.Windows/n, (i+1)*r.Windows/n
		steps[i].From = float64(from) * r.Window
		sum := func(suffix string) float64 {
			total := 0.0
			for _, s := range r.Series {
				for _, g := range r.Sources {
					if s.Name == g.Source+suffix && to <= len(s.Values) {
						for _, x := range s.Values[from:to] {
							total += x
						}
					}
				}
			}
			return round(total / (float64(to-from) * r.Window))
		}
		steps[i].Offered, steps[i].Good = sum(".offered"), sum(".good")
	}
	return steps
}

// simulationPage writes a simulation for a model to read.
func simulationPage(s *simulation) output.Page {
	var page output.Page
	prose := func(format string, args ...any) {
		page = append(page, output.Block{Kind: output.Prose, Text: fmt.Sprintf(format, args...)})
	}
	list := func(items []output.Item) {
		if len(items) > 0 {
			page = append(page, output.Block{Kind: output.List, Items: items})
		}
	}
	if s.State != app.JobDone {
		prose("The simulation is %s. %s", s.State, s.Error)
		return page
	}
	if j := s.Judgment; j != nil {
		page = append(page, output.Block{Kind: output.Heading, Level: 2, Text: "Verdict: " + string(j.Class)})
		prose("%s.", j.Why)
		list(trialItems(j))
	}
	list(edgeItems(s.Edges))
	if r := s.Remedies; r != nil {
		prose("After %q. Cheapest that lasts: %s.", r.Trigger, orNone(strings.Join(r.Weakest, " and ")))
		list(remedyItems(r))
	} else if s.Kind == study.Remedies {
		prose("No trigger that was tried tips the system.")
	}
	var items []output.Item
	for _, g := range s.Sources {
		items = append(items, output.Item{Lead: g.Source, Text: fmt.Sprintf("%d requests: %d good, %d late, %d failed, %d unanswered; p99 %.3g s",
			g.Offered, g.Good, g.Late, g.Failed, g.Waiting, g.P99)})
	}
	list(items)
	if len(s.Course) > 0 && s.Judgment == nil {
		var course []string
		for _, p := range s.Course {
			course = append(course, fmt.Sprintf("%.4g s: %.3g of %.3g", p.From, p.Good, p.Offered))
		}
		prose("Good answers a second, of those offered: %s.", strings.Join(course, "; "))
	}
	items = nil
	for _, p := range s.Warnings {
		items = append(items, output.Item{Lead: "warning", Text: p.String()})
	}
	list(items)
	return page
}

func orNone(s string) string {
	if s == "" {
		return "none of those tried"
	}
	return s
}

func trialItems(j *verdict.Judgment) []output.Item {
	var items []output.Item
	for _, t := range j.Trials {
		text := fmt.Sprintf("stays down in %.0f %% of %d runs (95 %%: %.0f-%.0f %%); errors meanwhile %.0f %%; without retries and hedges over in %.3g s",
			100*t.Tip.Share, t.Seeds, 100*t.Tip.Low, 100*t.Tip.High, 100*t.During, t.Counterfactual)
		if t.Tip.Share < 1 {
			text += fmt.Sprintf("; recovers in %.3g s", t.Recovery)
		}
		if t.Amplification > 0 {
			text += fmt.Sprintf("; then %.3g calls a request, %.0f %% of the work useful", t.Amplification, 100*t.Useful)
		}
		items = append(items, output.Item{Lead: t.Trigger.Name, Text: text})
	}
	return items
}

func edgeItems(edges []verdict.Edge) []output.Item {
	var items []output.Item
	for _, e := range edges {
		text := "does not tip it"
		if e.Tips {
			text = fmt.Sprintf("tips it from %.3g s on", e.Shortest)
		}
		items = append(items, output.Item{Lead: e.Trigger, Text: text})
	}
	return items
}

func remedyItems(r *verdict.Remedies) []output.Item {
	var items []output.Item
	for _, t := range r.Tried {
		text := fmt.Sprintf("cost %.3g; healthy while applied in %.0f %%, and after in %.0f %% of %d runs", t.Cost, 100*t.Holds.Share, 100*t.Restores.Share, r.Tipped)
		if t.Prevents != nil {
			text += fmt.Sprintf("; prevents it in %.0f %%", 100*t.Prevents.Share)
		}
		items = append(items, output.Item{Lead: strings.Join(t.Remedies, " and "), Text: text})
	}
	return items
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
func noticesOf(ctx context.Context) func(*app.Job) {
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
			ProgressToken: token, Progress: last, Message: fmt.Sprintf("%d simulations; %s", job.Runs, job.Stage),
		}) // who has gone needs no notice
	}
}
