package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// runsPath is where simulations are started. They are the only thing here that
// is not read but made, so they have handlers of their own.
const runsPath = Root + "/runs"

// Bounds of a question about a system.
const (
	maxRunBody = app.MaxSystem + 32<<10 // bytes of JSON, in which line ends take two
	soon       = time.Second            // for which a client waits for the answer at once
	maxEvents  = 300                    // of one stream
	streamLife = time.Minute
	eventPause = 200 * time.Millisecond // between two events
)

// isRun reports whether a path is one of a simulation.
func isRun(path string) bool { return path == runsPath || strings.HasPrefix(path, runsPath+"/") }

// serveRuns answers for simulations.
func (a *api) serveRuns(w http.ResponseWriter, r *http.Request) {
	common(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Add("Access-Control-Expose-Headers", "Location")
	id, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, runsPath), "/"), "/")
	allow := "GET, HEAD, DELETE, OPTIONS"
	switch {
	case id == "" && rest == "":
		allow = "POST, OPTIONS"
	case rest == "events":
		allow = "GET, OPTIONS"
	case rest != "":
		fail(w, r, http.StatusNotFound)
		return
	}
	switch {
	case r.Method == http.MethodOptions:
		preflight(w, allow)
	case r.URL.RawQuery != "" && r.URL.Query().Get("lang") == "":
		refuse(w, r, http.StatusBadRequest, bilingual.Text{En: "there are no parameters here", Ko: "여기에는 매개변수가 없다"},
			bilingual.Text{En: "put the question into the body", Ko: "질문은 본문에 적는다"})
	case id == "" && r.Method == http.MethodPost:
		a.startRun(w, r)
	case rest == "events" && r.Method == http.MethodGet:
		a.watchRun(w, r, id)
	case id != "" && rest == "" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		job, err := a.opt.Jobs.Get(id)
		a.tellRun(w, r, http.StatusOK, job, err)
	case id != "" && rest == "" && r.Method == http.MethodDelete:
		job, err := a.opt.Jobs.Cancel(app.ClientOf(r.Context()), id)
		a.tellRun(w, r, http.StatusOK, job, err)
	default:
		w.Header().Set("Allow", allow)
		refuse(w, r, http.StatusMethodNotAllowed, bilingual.Text{},
			bilingual.Text{En: "the methods here are " + allow, Ko: "여기서 쓰는 메서드: " + allow})
	}
}

// startRun starts a simulation and waits for its end a while.
func (a *api) startRun(w http.ResponseWriter, r *http.Request) {
	q, wrong, p := readQuestion(r)
	if p != nil {
		p.write(w, r)
		return
	}
	if len(wrong) > 0 {
		more := a.opt.Jobs.Check(r.Context(), *q)
		a.refuseRun(w, r, errors.Join(append(wrong, besides(wrong, more)...)...))
		return
	}
	job, err := a.opt.Jobs.Start(r.Context(), app.ClientOf(r.Context()), *q)
	if err != nil {
		a.refuseRun(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), soon)
	defer cancel()
	job = a.opt.Jobs.Finish(ctx, job)
	w.Header().Set("Location", runsPath+"/"+job.ID)
	status := http.StatusAccepted
	if job.State.Ended() {
		status = http.StatusOK
	}
	a.tellRun(w, r, status, job, nil)
}

// readQuestion reads the body of a request, and returns each field of it that is
// wrong. A problem says why it is no question at all.
func readQuestion(r *http.Request) (*study.Question, []error, *Problem) {
	l := langOf(r)
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, nil, problem(l, http.StatusUnsupportedMediaType, bilingual.Text{
			En: "the body is no JSON by its Content-Type", Ko: "Content-Type을 보면 본문이 JSON이 아니다"}, bilingual.Text{
			En: "send JSON with the header Content-Type: application/json", Ko: "헤더 Content-Type: application/json과 함께 JSON을 보낸다"})
	}
	tooLarge := problem(l, http.StatusRequestEntityTooLarge,
		bilingual.Text{En: fmt.Sprintf("a system may have %d bytes", app.MaxSystem), Ko: fmt.Sprintf("시스템 파일은 %d바이트까지다", app.MaxSystem)},
		bilingual.Text{En: "leave out what the question does not need", Ko: "질문에 필요 없는 것을 뺀다"})
	if r.ContentLength > maxRunBody {
		return nil, nil, tooLarge
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxRunBody+1))
	if err != nil || len(raw) > maxRunBody {
		return nil, nil, tooLarge
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return nil, nil, problem(l, http.StatusBadRequest, bilingual.Text{En: "the body is no question about a system", Ko: "본문이 시스템에 대한 질문이 아니다"},
			bilingual.Text{En: `send {"system": "text of the file", "kind": "judge"}`, Ko: `{"system": "파일의 글", "kind": "judge"} 꼴로 보낸다`})
	}
	if key := repeatedKey(raw); key != "" {
		return nil, nil, problem(l, http.StatusBadRequest,
			bilingual.Text{En: fmt.Sprintf("the body has the key %q twice", key), Ko: fmt.Sprintf("본문에 키 %q가 두 번 나온다", key)},
			bilingual.Text{En: "keep one of them", Ko: "하나만 남긴다"})
	}
	q, wrong := questionOf(fields)
	if len(q.System) > app.MaxSystem {
		return nil, nil, tooLarge
	}
	return q, wrong, nil
}

// refuseRun says all that keeps a simulation from being started.
func (a *api) refuseRun(w http.ResponseWriter, r *http.Request, err error) {
	var busy *app.Busy
	refusals, problems := study.Refused(err)
	switch {
	case len(refusals)+len(problems) > 0:
		w.Header().Add("Vary", "Accept-Language")
		refused(langOf(r), refusals, problems).write(w, r)
	case errors.As(err, &busy):
		w.Header().Set("Retry-After", strconv.Itoa(busy.After))
		status := http.StatusServiceUnavailable
		if busy.Client() {
			status = http.StatusTooManyRequests
		}
		refuse(w, r, status, bilingual.Text{En: busy.Error(), Ko: "지금은 시뮬레이션을 더 시작할 수 없다"}, bilingual.Text{
			En: "wait as long as Retry-After says", Ko: "Retry-After 만큼 기다린다"})
	default:
		a.opt.Log.ErrorContext(r.Context(), "starting a simulation", "error", err)
		fail(w, r, http.StatusInternalServerError)
	}
}

// wireRun is a job as it is sent: its result was written when it ended.
type wireRun struct {
	app.Job
	Result json.RawMessage `json:"result,omitempty"`
}

// tellRun writes a job.
func (a *api) tellRun(w http.ResponseWriter, r *http.Request, status int, job *app.Job, err error) {
	if err != nil {
		w.Header().Add("Vary", "Accept-Language")
		asProblem(langOf(r), err, &operation{}).write(w, r)
		return
	}
	raw, err := json.Marshal(wireRun{Job: *job, Result: job.JSON})
	if err != nil {
		a.opt.Log.ErrorContext(r.Context(), "writing a simulation", "error", err)
		fail(w, r, http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Add("Vary", "Accept-Encoding")
	if negotiate.Encoding(r.Header, "gzip") && len(raw) > 2048 {
		if gz := a.quick.compress(raw); gz != nil {
			raw = gz
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(raw) // a client that has gone cannot be told
	}
}

// watchRun tells of the progress of a simulation as server-sent events: progress
// while it is under way, and end at its end. A stream is bounded in events and
// time; a client that wants more asks again.
func (a *api) watchRun(w http.ResponseWriter, r *http.Request, id string) {
	job, err := a.opt.Jobs.Get(id)
	if err != nil {
		a.tellRun(w, r, 0, nil, err)
		return
	}
	select {
	case a.watching <- struct{}{}:
		defer func() { <-a.watching }()
	default:
		a.refuseRun(w, r, &app.Busy{Err: errors.New("too many clients watch simulations"), After: 2})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), streamLife)
	defer cancel()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies are to pass events on at once
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	for range maxEvents {
		job.Result = nil // which GET tells
		raw, err := json.Marshal(job)
		if err != nil {
			return
		}
		name := "progress"
		if job.State.Ended() {
			name = "end"
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, raw); err != nil || out.Flush() != nil {
			return
		}
		if job.State.Ended() || ctx.Err() != nil {
			return
		}
		select {
		case <-time.After(eventPause):
		case <-ctx.Done():
			return
		}
		job = a.opt.Jobs.Await(ctx, job)
	}
}
