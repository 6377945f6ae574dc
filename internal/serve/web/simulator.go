package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
	"github.com/openprecedent/precedent/internal/serve/web/simview"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// simPolicy lets the pages of the simulator compile what they load.
var simPolicy = strings.Replace(policy, "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'", 1)

// soon is how long a form without script waits for its answer.
const soon = time.Second

// simPage is the page of the simulator.
type simPage struct {
	frame
	System   string
	Variants template.HTML // options; empty where the system has none
	X, Y     string        // axes of a map
	Set      string        // settings besides those of the text, as they were written
	Seeds    string
	Limit    string
	Result   template.HTML
	Waits    bool   // the answer is not there yet
	Again    string // where it will be
	Wasm     string // addresses of the simulator for the browser; empty where it was not built
	Exec     string
	ByServer bool // the server is to answer even so
	Examples []example
	part     bool
}

type example struct {
	link
	Here bool
}

func (*simPage) template() string { return "simulator" }
func (p *simPage) fragment() bool { return p.part }

// Rows is the height of the text, as far as a screen has room.
func (p *simPage) Rows() int { return min(max(strings.Count(p.System, "\n")+2, 14), 30) }

// simPage is the page with a system in it, which may be that of an example.
func (s *site) simPage(r *request, system, variant, here string) *simPage {
	p := &simPage{frame: s.newFrame(r, "/simulator", word("sim-title", r.lang)), System: system}
	if len(system) <= app.MaxSystem {
		p.Variants = template.HTML(simview.Variants(system, variant, r.lang))
	}
	p.Nav, p.Kind, p.Desc, p.Article = "simulator", "simulator", word("sim-lede", r.lang), "/simulator"
	p.ByServer = r.URL.Query().Get("by") == "server"
	p.part = r.FormValue("part") == "result"
	if s.assets.has(wasmFile) && s.assets.has(execFile) {
		p.Wasm, p.Exec = s.assets.url(wasmFile), s.assets.url(execFile)
	}
	for _, one := range r.app.Scenarios().Scenarios {
		if one.Case == "" {
			title, _ := one.Title.Read(r.lang)
			p.Examples = append(p.Examples, example{link{p.U("/simulator") + "?example=" + url.QueryEscape(one.ID), title}, one.ID == here})
		}
	}
	return p
}

// firstExample is the system on the empty page, where the library has it.
const firstExample = "api-retries"

// simulator shows the empty page, with an example to begin with.
func (s *site) simulator(r *request) (page, error) {
	if id := r.URL.Query().Get("scenario"); id != "" {
		sc, err := r.app.Scenario(id)
		if err != nil {
			return nil, err
		}
		return s.simPage(r, sc.System, "", ""), nil
	}
	sc, err := r.app.Scenario(r.URL.Query().Get("example"))
	if err != nil {
		if sc, err = r.app.Scenario(firstExample); err != nil {
			return s.simPage(r, "", "", ""), nil // a library of one's own may have none
		}
	}
	text, err := sc.Starter(r.lang)
	if err != nil {
		return nil, err
	}
	return s.simPage(r, text, "", sc.ID), nil
}

// simulate answers the form.
func (s *site) simulate(w http.ResponseWriter, hr *http.Request, lang bilingual.Lang) {
	hr.Body = http.MaxBytesReader(w, hr.Body, 4*app.MaxSystem)
	r := &request{hr, s.current(), lang}
	if err := hr.ParseForm(); err != nil {
		s.failWith(w, r, http.StatusRequestEntityTooLarge, errTooLong())
		return
	}
	// Browsers send line ends as two characters; the same text is the same question.
	system := strings.ReplaceAll(hr.PostFormValue("system"), "\r\n", "\n")
	variant := hr.PostFormValue("variant")
	p := s.simPage(r, system, variant, "")
	p.X, p.Y = hr.PostFormValue("x"), hr.PostFormValue("y")
	p.Set, p.Seeds, p.Limit = hr.PostFormValue("set"), hr.PostFormValue("seeds"), hr.PostFormValue("limit")
	if len(system) > app.MaxSystem {
		s.failWith(w, r, http.StatusRequestEntityTooLarge, errTooLong())
		return
	}
	if r.FormValue("part") == "variants" { // what the text has that is being written
		p.part, p.Result = true, p.Variants
		s.write(w, r, p, http.StatusOK)
		return
	}
	q, wrong := p.question(study.Kind(hr.PostFormValue("kind")), variant)
	if len(wrong) > 0 {
		more := s.opt.Jobs.Check(hr.Context(), q)
		if busy := (*app.Busy)(nil); errors.As(more, &busy) {
			more = nil // what is wrong is known without
		}
		s.refuseRun(w, r, p, errors.Join(append(wrong, more)...))
		return
	}
	job, err := s.opt.Jobs.Start(hr.Context(), app.ClientOf(hr.Context()), q)
	if err != nil {
		s.refuseRun(w, r, p, err)
		return
	}
	ctx, cancel := context.WithTimeout(hr.Context(), soon)
	defer cancel()
	job = s.opt.Jobs.Finish(ctx, job)
	if p.part {
		s.tellRun(w, r, p, job)
		return
	}
	to := url.URL{Path: localPath(lang, "/simulator/runs/"+job.ID)}
	http.Redirect(w, hr, to.String(), http.StatusSeeOther)
}

// question returns what the form asks, and what of it cannot be read.
func (p *simPage) question(kind study.Kind, variant string) (study.Question, []error) {
	q := study.Question{System: p.System, Kind: kind}
	if p.Variants != "" { // a text without variants may have been sent with the choice of another one
		q.Variant = variant
	}
	if !q.Kind.Known() {
		q.Kind = study.KindRun
	}
	if q.Kind == study.KindMap {
		q.X, q.Y = p.X, p.Y
	}
	q.Course = q.Kind == study.KindJudge
	return q, p.further(&q)
}

// further adds the settings, the seeds and the limit of the form to a question, and
// returns what cannot be read.
func (p *simPage) further(q *study.Question) []error {
	for one := range strings.SplitSeq(p.Set, ";") {
		if one = strings.TrimSpace(one); one != "" {
			q.Set = append(q.Set, one)
		}
	}
	if q.Kind == study.KindRun || q.Kind == study.KindExplain {
		return nil
	}
	var wrong []error
	if text := strings.TrimSpace(p.Seeds); text != "" {
		var err error
		if q.Seeds, err = strconv.Atoi(text); err != nil {
			q.Seeds, wrong = 0, append(wrong, wrongField("seeds", text))
		}
	}
	if text := strings.TrimSpace(p.Limit); text != "" {
		number, percent := strings.CutSuffix(text, "%")
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			x, wrong = 0, append(wrong, wrongField("limit", text))
		}
		if q.Limit = x; percent {
			q.Limit = x / 100
		}
	}
	return wrong
}

// wrongField is the refusal of a field of the form that cannot be read.
func wrongField(name, text string) error {
	both := func(key string) bilingual.Text {
		return bilingual.Text{En: word(key, bilingual.English), Ko: word(key, bilingual.Korean)}
	}
	said := both("sim-" + name + "-wrong")
	return &study.Refusal{
		Param: name, Help: both("sim-" + name + "-help"),
		Text: bilingual.Text{En: fmt.Sprintf(said.En, text), Ko: fmt.Sprintf(said.Ko, text)},
	}
}

// refuseRun shows why a question was not taken.
func (s *site) refuseRun(w http.ResponseWriter, r *request, p *simPage, err error) {
	var busy *app.Busy
	status := http.StatusInternalServerError
	said := simview.Refused(err, r.lang)
	refusals, _ := study.Refused(err)
	switch {
	case said != "":
		if status = http.StatusUnprocessableEntity; len(refusals) > 0 {
			status = http.StatusBadRequest
		}
		p.Result = template.HTML(said)
	case errors.As(err, &busy):
		status = http.StatusServiceUnavailable
		if busy.Client() {
			status = http.StatusTooManyRequests
		}
		w.Header().Set("Retry-After", strconv.Itoa(busy.After))
		p.Result = template.HTML(simview.Failure(word("sim-busy", r.lang), word("sim-busy-help", r.lang), r.lang))
	default:
		s.fail(w, r, err)
		return
	}
	s.write(w, r, p, status)
}

// simRun shows a question that was asked before.
func (s *site) simRun(w http.ResponseWriter, hr *http.Request, lang bilingual.Lang) {
	r := &request{hr, s.current(), lang}
	job, err := s.opt.Jobs.Get(hr.PathValue("id"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := s.simPage(r, job.System, job.Variant, "")
	p.X, p.Y, p.Set = job.X, job.Y, strings.Join(job.Set, "; ")
	if job.Seeds > 0 {
		p.Seeds = strconv.Itoa(job.Seeds)
	}
	if job.Limit > 0 {
		p.Limit = strconv.FormatFloat(job.Limit, 'g', -1, 64)
	}
	p.Path, p.NoIndex = "/simulator/runs/"+job.ID, true
	s.tellRun(w, r, p, job)
}

// tellRun shows how far a question is, or its answer.
func (s *site) tellRun(w http.ResponseWriter, r *request, p *simPage, job *app.Job) {
	status := http.StatusOK
	switch {
	case !job.State.Ended():
		p.Result = template.HTML(simview.Progress(job.Stage, job.Runs, job.Events, r.lang))
		p.Waits, p.Again = true, localPath(r.lang, "/simulator/runs/"+job.ID)
		if p.part {
			status = http.StatusAccepted
		} else {
			w.Header().Set("Refresh", "1")
		}
	case job.State != app.JobDone:
		why, _ := job.Why.Read(r.lang)
		help, _ := job.Help.Read(r.lang)
		p.Result = template.HTML(simview.Failure(why, help, r.lang))
		if job.Result != nil { // what was known by then
			p.Result += template.HTML(simview.Answer(job.Result, r.lang))
		}
	default:
		p.Result = template.HTML(simview.Answer(job.Result, r.lang))
	}
	w.Header().Set("X-Run", job.ID)
	s.write(w, r, p, status)
}

// write sends a page that is nobody else's.
func (s *site) write(w http.ResponseWriter, r *request, p page, status int) {
	body, err := s.render(r, p)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Add("Vary", "Accept-Encoding")
	newDocument(body).write(w, r.Request, status, negotiate.Encoding(r.Request.Header, "gzip"))
}

// simulators adds what the simulator has beside pages that can only be read.
func (s *site) simulators(mux *http.ServeMux) {
	for _, lang := range bilingual.Langs {
		handle := func(pattern string, f func(http.ResponseWriter, *http.Request, bilingual.Lang)) {
			method, path, _ := strings.Cut(pattern, " ")
			mux.HandleFunc(method+" "+localPath(lang, path), func(w http.ResponseWriter, r *http.Request) {
				f(w, r, lang)
			})
		}
		handle("POST /simulator", s.simulate)
		handle("GET /simulator/runs/{id}", s.simRun)
		handle("GET /scenarios/{id}", s.replay)
	}
}
