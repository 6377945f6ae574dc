//go:build js

// Command precedent-wasm is the simulator for the browser. It answers questions
// about systems with the HTML that the server would answer with; dev/wasm
// builds it.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/serve/course"
	"github.com/openprecedent/precedent/internal/serve/web/simview"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

func main() {
	js.Global().Set("precedentReplay", js.FuncOf(replay))
	js.Global().Set("precedentAsk", js.FuncOf(ask))
	js.Global().Set("precedentVariants", js.FuncOf(variants))
	select {} // the page ends it
}

// limits keep a run within the memory of a page. Time is the reader's own.
var limits = study.Limits{Windows: 20_000, Pending: 4_000_000, Runs: 16, Cells: 400, Workers: 1}

// variants returns the options of a choice of variants: text of the system, the
// variant chosen, and the language.
func variants(_ js.Value, args []js.Value) any {
	if len(args) < 3 {
		return ""
	}
	return simview.Variants(args[0].String(), args[1].String(), langOf(args[2]))
}

// ask answers a question, which is JSON as the API takes it, in a language, and
// calls a function with its progress. It returns a message for the page.
func ask(_ js.Value, args []js.Value) any {
	if len(args) < 3 {
		return map[string]any{"broken": "the question is not whole"}
	}
	l := langOf(args[1])
	var told time.Time
	progress := func(p study.Progress) {
		if time.Since(told) < 150*time.Millisecond {
			return
		}
		told = time.Now()
		args[2].Invoke(simview.Progress(p.Stage, p.Done, p.Events, l))
	}
	var q study.Question
	if err := json.Unmarshal([]byte(args[0].String()), &q); err != nil {
		return map[string]any{"broken": "the question cannot be read: " + err.Error()}
	}
	q.Course = q.Kind == study.KindJudge
	answer, err := study.Ask(context.Background(), q, limits, progress)
	if err != nil {
		return map[string]any{"answer": failure(err, l)}
	}
	return map[string]any{"answer": simview.Answer(answer, l)}
}

func langOf(v js.Value) bilingual.Lang {
	l, ok := bilingual.Parse(v.String())
	if !ok {
		return bilingual.English
	}
	return l
}

// failure shows why there is no answer.
func failure(err error, l bilingual.Lang) string {
	if said := simview.Refused(err, l); said != "" {
		return said
	}
	return simview.Failure(err.Error(), "", l)
}

// drawnValues is how many values of a line are drawn at most.
const drawnValues = 240

// replay runs a scenario once: its text, the language, a function that is shown the
// course as far as it has come, the variant, and settings as a list of path=value.
func replay(_ js.Value, args []js.Value) any {
	if len(args) < 5 {
		return map[string]any{"broken": "the question is not whole"}
	}
	l := langOf(args[1])
	q := study.Question{System: args[0].String(), Kind: study.KindRun, Variant: args[3].String()}
	for i := range args[4].Length() {
		q.Set = append(q.Set, args[4].Index(i).String())
	}
	shown := time.Now()
	var file *scenario.File // which the watcher is shown at the start of the run
	ctx := scenario.WithWatch(context.Background(), func(f *scenario.File, so func() *scenario.Result) {
		file = f
		if time.Since(shown) < 250*time.Millisecond {
			return
		}
		run := study.SoFar(f, so())
		if run.Windows < 2 {
			return // there is no line yet
		}
		defer func() { shown = time.Now() }()
		args[2].Invoke(drawn(f, &run, f.Run.For.Time().Seconds()))
	})
	answer, err := study.Ask(ctx, q, limits, nil)
	if err != nil {
		return map[string]any{"answer": failure(err, l)}
	}
	run := &answer.Runs[0]
	return map[string]any{"course": drawn(file, run, run.Reached), "results": simview.Expectations(run, l)}
}

// drawn writes the course of a run, which goes to end, as JSON.
func drawn(f *scenario.File, run *study.Run, end float64) string {
	raw, err := json.Marshal(course.Of(run, course.TimesOf(f), end, drawnValues))
	if err != nil {
		return "" // there is nothing in it that has no JSON
	}
	return string(raw)
}
