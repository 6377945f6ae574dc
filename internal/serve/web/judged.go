package web

import (
	"html/template"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/serve/web/simview"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// judgedView is what a scenario was judged to be, on the pages that show it.
type judgedView struct {
	Title, Class string
	Signal       string // of the class: fail, recover, heal
	Why          []string
	Smallest     string
	Trials       template.HTML
	TrialsTitle  string
	Map          template.HTML
	MapTitle     string
	MapName      string // of the map alone: a page may have several
	MapOf        string
	Legend       []legendEntry
	Lines        []string // what the lines over the map are
	Runs         string
	Table        template.HTML
	TableTitle   string
	Again        string
	Commands     []string
}

// legendEntry is a class in the legend of a map.
type legendEntry struct{ Letter, Name string }

// judgedView returns what a scenario was judged to be, nil where that is not kept.
func (f *frame) judgedView(s *app.Scenario, j *app.Judged) *judgedView {
	if j == nil {
		return nil
	}
	v := &judgedView{
		Title: f.W("judged"), Class: output.JudgedClass(j, f.Lang), Signal: simview.Signal(j.Class),
		Why: output.JudgedWhy(s, j, f.Lang), TrialsTitle: f.W("judged-trials"),
		MapTitle: f.W("judged-map"), MapName: f.W("judged-map") + ": " + output.Read(&s.Title, f.Lang), TableTitle: f.W("judged-table"), Again: f.W("judged-again"), Commands: j.Commands,
	}
	if t := output.SmallestText(j, f.Lang); t != "" {
		v.Smallest = f.W("judged-smallest") + ": " + t
	}
	if j.Judgment != nil && len(j.Judgment.Trials) > 0 {
		v.Trials = template.HTML(simview.Trials(j.Judgment.Judgment, f.Lang))
	}
	m := j.Map
	if m == nil {
		return v
	}
	trigger, _ := m.Trigger.Read(f.Lang)
	v.MapOf = f.W("judged-map-of") + trigger + "."
	v.Map = template.HTML(output.MapFigure(m, f.Lang))
	v.Table = template.HTML(simview.MapTable(m, f.Lang))
	v.Lines = output.MapLines(m, f.Lang)
	v.Runs = output.MapRuns(m, false, f.Lang)
	shown := map[verdict.Class]bool{}
	for _, row := range m.Cells {
		for _, c := range row {
			shown[c] = true
		}
	}
	for _, one := range output.ClassLegend(f.Lang) {
		if shown[one.Class] {
			v.Legend = append(v.Legend, legendEntry{one.Letter, one.Name})
		}
	}
	return v
}
