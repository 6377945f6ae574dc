package mcp

import (
	"context"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/serve/course"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// viewURI is the page that shows what replay_incident has answered.
const viewURI = "ui://precedent/replay"

var (
	//go:embed view/view.html
	viewHTML string
	//go:embed view/view.css
	viewStyle string
	//go:embed view/view.js
	viewScript string
)

// viewPage returns the page in one piece, since it may load nothing. Its own
// policy names its script, so that no other runs in it.
func viewPage() string {
	script := string(course.UPlot) + "\n" + string(course.Script) + viewScript
	sum := sha256.Sum256([]byte(script))
	return strings.NewReplacer(
		"VERSION", Version, "HASH", base64.StdEncoding.EncodeToString(sum[:]),
		"/* STYLE */", viewStyle+string(course.Style), "/* SCRIPT */", script,
	).Replace(viewHTML)
}

// drawn is the course of a run in an answer, which only the page reads. It keeps
// both languages, as the reader of the page may have another than the model.
type drawn struct {
	title  bilingual.Text
	course *course.Course
}

// MarshalJSON implements [json.Marshaler].
func (d *drawn) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Title bilingual.Text `json:"title"`
		*course.Course
	}{d.title, d.course})
}

// viewValues is how many values a line has, and leastValues with how few it goes
// into the structured answer.
const viewValues, leastValues = 160, 80

// courseMeta is where the course is of an answer that has no room for it.
const courseMeta = "precedent/course"

// fitDrawn fits an answer with a course beside it, which draw returns with so many
// values a line. The course is data for the page, and so belongs into the structured
// answer; one that would take the room of what the model reads goes beside it.
func fitDrawn(ctx context.Context, apps bool, draw func(values int) *drawn, answer func(*drawn) *reply) (*written, error) {
	if !apps {
		return fit(ctx, 1, func(int) (*reply, error) { return answer(nil), nil })
	}
	var inside *drawn
	w, err := fit(ctx, viewValues, func(n int) (*reply, error) {
		if inside = nil; n >= leastValues {
			inside = draw(n)
		}
		return answer(inside), nil
	})
	if err != nil || inside != nil {
		return w, err
	}
	if d := draw(viewValues); d != nil {
		w.meta = sdk.Meta{courseMeta: d}
	}
	return w, nil
}

// drawnReplay returns the course of a kept replay.
func drawnReplay(r *app.Replay, values int) *drawn {
	if len(r.Answer.Runs) == 0 {
		return nil
	}
	t := course.Times{Clock: r.Scenario.Clock, Zero: r.Scenario.Zero, Phases: []course.Moment{}}
	for _, p := range r.Scenario.Phases {
		t.Phases = append(t.Phases, course.Moment{At: p.At, Name: p.Name})
	}
	return drawnRun(&r.Answer.Runs[0], r.Scenario.Title, t, values)
}

// drawnJob returns the course of a run of a scenario, nil for what has no charts.
func drawnJob(job *app.Job, values int) *drawn {
	if job.Result == nil || len(job.Result.Runs) != 1 || len(job.Result.Runs[0].Charts) == 0 {
		return nil
	}
	f, problems := scenario.Decode("system.yaml", []byte(job.System), nil)
	if len(problems.Errors()) > 0 {
		return nil // it has been read before, and run
	}
	return drawnRun(&job.Result.Runs[0], f.Title.Text, course.TimesOf(f), values)
}

func drawnRun(r *study.Run, title bilingual.Text, t course.Times, values int) *drawn {
	if len(r.Charts) == 0 {
		return nil
	}
	return &drawn{title, course.Of(r, t, r.Reached, values)}
}
