//go:build js

// Command precedent-wasm is the simulator for the browser. It answers questions
// about systems with the HTML that the server would answer with; dev/wasm
// builds it.
package main

import (
	"context"
	"errors"
	"syscall/js"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/serve/web/simview"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

func main() {
	js.Global().Set("precedentAsk", js.FuncOf(ask))
	js.Global().Set("precedentVariants", js.FuncOf(variants))
	select {} // the page ends it
}

// limits keep a run within the memory of a page. Time is the reader's own.
var limits = study.Limits{Windows: 20_000, Pending: 4_000_000, Runs: 16, Workers: 1}

// variants returns the options of a choice of variants: text of the system, the
// variant chosen, and the language.
func variants(_ js.Value, args []js.Value) any {
	if len(args) < 3 {
		return ""
	}
	l, ok := bilingual.Parse(args[2].String())
	if !ok {
		l = bilingual.English
	}
	return simview.Variants(args[0].String(), args[1].String(), l)
}

// ask answers a question: text of the system, kind, language, a function that is
// shown the progress, and where there is one a variant. It returns a message for
// the page.
func ask(_ js.Value, args []js.Value) any {
	if len(args) < 4 {
		return map[string]any{"broken": "the question is not whole"}
	}
	l, ok := bilingual.Parse(args[2].String())
	if !ok {
		l = bilingual.English
	}
	var told time.Time
	progress := func(p study.Progress) {
		if time.Since(told) < 150*time.Millisecond {
			return
		}
		told = time.Now()
		args[3].Invoke(simview.Progress(p.Stage, p.Done, p.Events, l))
	}
	q := study.Question{System: args[0].String(), Kind: study.Kind(args[1].String())}
	if len(args) > 4 {
		q.Variant = args[4].String()
	}
	q.Course = q.Kind == study.KindJudge
	answer, err := study.Ask(context.Background(), q, limits, progress)
	var problems strictyaml.Problems
	var refused *study.Refusal
	html := ""
	switch {
	case errors.As(err, &problems):
		html = simview.Problems(problems, l)
	case errors.As(err, &refused):
		html = simview.Failure(refused.Text.In(l), refused.Help.In(l), l)
	case err != nil:
		html = simview.Failure(err.Error(), "", l)
	default:
		html = simview.Answer(answer, l)
	}
	return map[string]any{"answer": html}
}
