package study

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/system"
)

// Explanation is a scenario with all that it leaves out, and what follows from
// it by formula.
type Explanation struct {
	About    bilingual.Text   `json:"about,omitzero"`
	Parts    []PartLoad       `json:"parts"`
	Calls    []CallLoad       `json:"calls"`
	Bounds   []system.Bound   `json:"bounds"`
	Events   float64          `json:"events"`   // that a run is estimated to have while nothing fails
	Settings []system.Filled  `json:"settings"` // every setting, and where its value comes from
	YAML     string           `json:"yaml"`     // the whole file, which reads the same
	Params   []ParameterValue `json:"parameters,omitempty"`
}

// ParameterValue is a parameter of a file with its origin.
type ParameterValue struct {
	system.Parameter
	Set bool `json:"set,omitempty"` // its value was set from outside
}

// PartLoad is a part with what reaches it while nothing fails.
type PartLoad struct {
	Name        string  `json:"name"`
	Kind        string  `json:"kind"`
	Copies      int     `json:"copies,omitempty"`
	Rate        float64 `json:"rate"` // a second
	AtMost      bool    `json:"at_most,omitempty"`
	Workers     float64 `json:"workers,omitempty"`
	Held        float64 `json:"held,omitempty"`     // mean seconds for which a call holds a worker
	Capacity    float64 `json:"capacity,omitempty"` // calls a second
	Utilisation float64 `json:"utilisation,omitempty"`
}

// CallLoad is one call with its policy and what flows over it.
type CallLoad struct {
	From     string   `json:"from"`
	Port     string   `json:"port"`
	To       string   `json:"to"`
	Rate     float64  `json:"rate"` // requests a second
	AtMost   bool     `json:"at_most,omitempty"`
	Attempts float64  `json:"attempts"` // that become of a request when each times out
	Policy   []string `json:"policy,omitempty"`
}

// explain fills in what a file leaves out, and works out what is known of the
// system before anything runs.
func (m *model) explain() (*Explanation, error) {
	g := m.graph()
	yaml, settings, err := system.Fill(m.src, m.file, m.settings())
	if err != nil {
		return nil, err
	}
	out := &Explanation{
		About: m.file.About.Text, Parts: []PartLoad{}, Calls: []CallLoad{}, Bounds: g.Bounds(), Settings: settings, YAML: string(yaml),
	}
	if out.Bounds == nil {
		out.Bounds = []system.Bound{}
	}
	if g.Endless == "" {
		out.Events = g.Events(m.file.Run.For.Time())
	}
	for _, p := range m.file.Parameters {
		one := ParameterValue{Parameter: p}
		for _, s := range m.settings() {
			one.Set = one.Set || s.Path == "parameters."+p.Name+".value"
		}
		out.Params = append(out.Params, one)
	}
	for _, n := range g.Nodes {
		out.Parts = append(out.Parts, PartLoad{
			Name: n.Part.Name, Kind: n.Part.Kind.Name, Copies: int(n.Part.Copies), Rate: n.Rate, AtMost: n.AtMost,
			Workers: n.Workers, Held: n.Held, Capacity: n.Capacity, Utilisation: n.Utilisation(),
		})
	}
	for _, f := range g.Calls {
		out.Calls = append(out.Calls, CallLoad{
			From: f.From, Port: f.Port, To: f.Call.To, Rate: f.Rate, AtMost: f.AtMost,
			Attempts: system.Attempts(f.Call), Policy: system.Policy(f.Call),
		})
	}
	return out, nil
}
