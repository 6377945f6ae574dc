package web

import (
	"encoding/json"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/serve/course"
	"github.com/openprecedent/precedent/internal/serve/web/simview"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// scenariosPage lists the scenarios.
type scenariosPage struct {
	frame
	Replays, General []scenarioLink
}

// scenarioLink is a scenario in a list.
type scenarioLink struct {
	ID         string
	Href       string
	Title      text
	Mechanisms []link
	Guide      link // its page in the field guide; none where it has none
}

func (*scenariosPage) template() string { return "scenarios" }

func (f *frame) scenarioLinks(all []app.ScenarioRef) []scenarioLink {
	var links []scenarioLink
	for _, s := range all {
		one := scenarioLink{ID: s.ID, Href: f.U("/scenarios/" + url.PathEscape(s.ID)), Title: f.T(s.Title)}
		if s.HasGuide {
			one.Guide = link{f.U(guidePath(s.ID)), f.W("guide-of")}
		}
		for _, m := range s.Mechanisms {
			name, _ := m.Name.Read(f.Lang)
			one.Mechanisms = append(one.Mechanisms, link{f.U("/topics/mechanism/" + m.ID), name})
		}
		links = append(links, one)
	}
	return links
}

func (s *site) scenarios(r *request) (page, error) {
	p := &scenariosPage{frame: s.newFrame(r, "/scenarios", word("scenarios-h1", r.lang))}
	p.Nav, p.Kind, p.Desc, p.Data = "simulator", "scenarios", word("scenarios-lede", r.lang), "/scenarios"
	for _, one := range r.app.Scenarios().Scenarios {
		links := p.scenarioLinks([]app.ScenarioRef{one})
		if one.Case != "" {
			p.Replays = append(p.Replays, links...)
		} else {
			p.General = append(p.General, links...)
		}
	}
	return p, nil
}

// replayPage is the page of a scenario: its course over the published clock, what
// was expected of it, and other settings to try.
type replayPage struct {
	frame
	Scenario *app.Scenario
	Heading  text
	About    text
	Case     link
	Variants []variantChoice
	Told     text // what the variant is
	Sliders  []sliderChoice
	Phases   []phaseRow
	Charts   template.HTML
	Outcome  template.HTML
	Course   string // what the charts show, as JSON
	Recorded string // variants that are kept, for the script
	Of       string // the variant that the page is of
	Unlike   string // what the variants are and set, as JSON for the script
	Loop     []text
	Gain     string
	Edges    []edgeRow
	Judged   *judgedView
	Misfits  []text
	Given    []givenRow
	Yours    []yoursRow
	Orders   template.HTML // what every order of the steps of its protocols leads to
	Guide    string        // address of its page in the field guide
	Wasm     string
	Exec     string
}

type variantChoice struct {
	Name   string
	Label  string
	About  text
	Here   bool
	Unlike []study.Setting
}

type sliderChoice struct {
	Set, Own string
	Name     text
	Values   []string
}

type phaseRow struct {
	Since, Clock string
	Name         text
}

type givenRow struct {
	Name, Value            string
	About, Source, Assumed text
}

type yoursRow struct {
	Parameter string
	How       text
}

func (*replayPage) template() string { return "replay" }

func (s *site) newReplayPage(r *request, sc *app.Scenario, variant string) *replayPage {
	title, _ := sc.Title.Read(r.lang)
	p := &replayPage{
		frame: s.newFrame(r, "/scenarios/"+sc.ID, title), Scenario: sc,
		Recorded: strings.Join(sc.RecordedVariants(), " "),
	}
	p.Heading, p.About = p.T(sc.Title), p.T(sc.About)
	p.Nav, p.Kind, p.Desc, p.Data = "simulator", "replay", p.About.S, "/scenarios/"+sc.ID
	if s.assets.has(wasmFile) && s.assets.has(execFile) {
		p.Wasm, p.Exec = s.assets.url(wasmFile), s.assets.url(execFile)
	}
	if sc.Case != "" {
		p.Case = link{p.U("/cases/" + sc.Case), sc.Case}
	}
	p.choices(sc, variant)
	for _, one := range sc.Phases {
		p.Phases = append(p.Phases, phaseRow{output.SinceZero(one.At), output.PublishedClock(sc.Clock, one.At), p.T(one.Name)})
	}
	for _, t := range sc.Loop {
		p.Loop = append(p.Loop, p.T(t))
	}
	for _, t := range sc.Misfits {
		p.Misfits = append(p.Misfits, p.T(t))
	}
	for _, g := range sc.Given {
		p.Given = append(p.Given, givenRow{g.Name, g.Value, p.T(g.About), p.T(g.Source), p.T(g.Assumed)})
	}
	for _, y := range sc.Yours {
		p.Yours = append(p.Yours, yoursRow{y.Parameter, p.T(y.How)})
	}
	if len(sc.Orders) > 0 {
		p.Orders = template.HTML(simview.Orders(sc.Orders, r.lang))
	}
	p.Gain = output.GainText(sc.Gain, r.lang)
	for i := range sc.Edges {
		e := &sc.Edges[i]
		p.Edges = append(p.Edges, edgeRow{p.T(e.Name), e.Formula, p.T(e.Source), output.EdgeText(e, r.lang)})
	}
	p.Judged = p.judgedView(sc, sc.Judged)
	if sc.HasGuide {
		p.Guide = p.U(guidePath(sc.ID))
	}
	return p
}

// choices offers the variants and the settings to try.
func (p *replayPage) choices(sc *app.Scenario, variant string) {
	p.Variants = append(p.Variants, variantChoice{Label: p.W("replay-base"), Here: variant == ""})
	p.Of = variant
	var here *app.VariantRef
	for i, v := range sc.Variants {
		if v.Name == variant {
			here = &sc.Variants[i]
		}
		one := variantChoice{Name: v.Name, Label: v.Name, About: p.T(v.About), Here: v.Name == variant, Unlike: v.Set}
		if one.Here {
			p.Told = one.About
		}
		p.Variants = append(p.Variants, one)
	}
	for i := range sc.Sliders {
		one := &sc.Sliders[i]
		p.Sliders = append(p.Sliders, sliderChoice{Set: one.Set, Own: one.In(here), Name: p.T(one.Name), Values: one.Values})
	}
	p.Unlike = p.unlike(sc)
}

// unlike tells the script of each variant what it is, and where its sliders stand.
func (p *replayPage) unlike(sc *app.Scenario) string {
	type stand struct {
		Told string            `json:"told"`
		Own  map[string]string `json:"own"`
	}
	all := map[string]stand{}
	add := func(name, told string, v *app.VariantRef) {
		one := stand{told, map[string]string{}}
		for i := range sc.Sliders {
			one.Own[sc.Sliders[i].Set] = sc.Sliders[i].In(v)
		}
		all[name] = one
	}
	add("", "", nil)
	for i := range sc.Variants {
		told, _ := sc.Variants[i].About.Read(p.Lang)
		add(sc.Variants[i].Name, told, &sc.Variants[i])
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return "" // cannot happen: names and texts
	}
	return string(raw)
}

// settings returns what the reader has set, as path=value: what is neither as it
// stood on the page of the form nor as the variant has it.
func (p *replayPage) settings(q url.Values, sc *app.Scenario) []string {
	var before *app.VariantRef
	for i := range sc.Variants {
		if sc.Variants[i].Name == q.Get("of") {
			before = &sc.Variants[i]
		}
	}
	var set []string
	for i, one := range p.Sliders {
		v := q.Get("set." + one.Set)
		if v != one.Own && (!q.Has("of") || v != sc.Sliders[i].In(before)) && slices.Contains(one.Values, v) {
			set = append(set, one.Set+"="+v)
		}
	}
	return set
}

// replay shows a scenario. What a reader without script wants to be run with
// settings of their own is run by the server, whose page of runs shows it.
func (s *site) replay(w http.ResponseWriter, hr *http.Request, lang bilingual.Lang) {
	r := &request{hr, s.current(), lang}
	q := hr.URL.Query()
	if q.Get("part") == "course" {
		s.replayCourse(w, r)
		return
	}
	found, err := r.app.Replay(hr.PathValue("id"), q.Get("variant"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	sc := found.Scenario
	if hr.PathValue("id") != sc.ID {
		s.move(w, hr, localPath(lang, "/scenarios/"+sc.ID))
		return
	}
	p := s.newReplayPage(r, sc, found.Variant)
	if set := p.settings(q, sc); len(set) > 0 || q.Has("run") && found.Answer == nil {
		job, err := s.opt.Jobs.Start(hr.Context(), app.ClientOf(hr.Context()), sc.Question(found.Variant, set))
		if err != nil {
			s.refuseRun(w, r, s.simPage(r, sc.System, found.Variant, ""), err)
			return
		}
		http.Redirect(w, hr, localPath(lang, "/simulator/runs/"+job.ID), http.StatusSeeOther)
		return
	}
	p.Query, p.NoIndex = hr.URL.RawQuery, hr.URL.RawQuery != ""
	if found.Answer != nil {
		p.show(found.Answer, sc)
	}
	body, err := s.render(r, p)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	newDocument(body).serve(w, hr)
}

// show puts what a run gave on the page.
func (p *replayPage) show(a *study.Answer, sc *app.Scenario) {
	if len(a.Runs) == 0 {
		return
	}
	r := &a.Runs[0]
	p.Charts = template.HTML(simview.Charts(r, sc.Zero, p.Lang))
	p.Outcome = template.HTML(simview.Expectations(r, p.Lang))
	raw, err := json.Marshal(courseOf(r, sc))
	if err != nil {
		return // there are charts all the same
	}
	p.Course = string(raw)
}

// caseReplay is a replay on the page of its case, with its first chart and verdict.
type caseReplay struct {
	Link   scenarioLink
	Chart  template.HTML
	Judged *judgedView
}

// caseReplays returns the replays of a case.
func (s *site) caseReplays(r *request, f *frame, c *app.Case) []caseReplay {
	var all []caseReplay
	for i, link := range f.scenarioLinks(c.Scenarios) {
		one := caseReplay{Link: link}
		if sc, err := r.app.Scenario(c.Scenarios[i].ID); err == nil {
			one.Judged = f.judgedView(sc, sc.Judged)
		}
		if found, err := r.app.Replay(c.Scenarios[i].ID, ""); err == nil && found.Answer != nil && len(found.Answer.Runs) > 0 {
			run := found.Answer.Runs[0]
			run.Charts = run.Charts[:min(len(run.Charts), 1)]
			one.Chart = template.HTML(simview.Charts(&run, found.Scenario.Zero, r.lang))
		}
		all = append(all, one)
	}
	return all
}

// courseOf returns what is drawn of a recorded run, which has few values.
func courseOf(r *study.Run, sc *app.Scenario) *course.Course {
	t := course.Times{Clock: sc.Clock, Zero: sc.Zero, Phases: []course.Moment{}}
	for _, one := range sc.Phases {
		t.Phases = append(t.Phases, course.Moment{At: round(one.At), Name: one.Name})
	}
	return course.Of(r, t, r.Reached, 0)
}

func round(x float64) float64 { return math.Round(1000*x) / 1000 }

// replayCourse gives the script what a variant was found to do.
func (s *site) replayCourse(w http.ResponseWriter, r *request) {
	lang := r.lang
	found, err := r.app.Replay(r.PathValue("id"), r.URL.Query().Get("variant"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if found.Answer == nil || len(found.Answer.Runs) == 0 {
		http.NotFound(w, r.Request)
		return
	}
	sc := found.Scenario
	run := &found.Answer.Runs[0]
	told := ""
	for _, v := range sc.Variants {
		if v.Name == found.Variant {
			told, _ = v.About.Read(lang)
		}
	}
	raw, err := json.Marshal(struct {
		Course  *course.Course `json:"course"`
		Results string         `json:"results"`
		Told    string         `json:"told"`
	}{courseOf(run, sc), simview.Expectations(run, lang), told})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "public, max-age=300")
	w.Write(raw)
}
