// Package system reads descriptions of systems: parts, what they call, and the
// parameters that are given a name and an origin. It finds what is wrong with a
// description before anything runs, and makes running systems of it.
package system

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Parameter is a value with a name, so that it can be cited, changed and
// compared.
type Parameter struct {
	Name    string `yaml:"-" json:"name"`
	Value   string `yaml:"value" json:"value" doc:"the value, as it would stand where it is used" required:"true"`
	About   Text   `yaml:"about" json:"about,omitzero" doc:"what it is"`
	Source  Text   `yaml:"source" json:"source,omitzero" doc:"where the value was published or measured"`
	Assumed Text   `yaml:"assumed" json:"assumed,omitzero" doc:"why this value was taken when none is known"`
}

// Parameters are named values in the order of the file. The text $name stands
// for the value of a name in the rest of the file.
type Parameters []Parameter

// DecodeYAML reads a mapping of names to values. A value may stand alone.
func (p *Parameters) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("a mapping of names to values") {
		set := Parameter{Name: f.Name}
		if _, ok := f.Value.Scalar(); ok {
			var text value
			f.Value.Into(&text)
			set.Value = string(text)
			if instead, ok := f.Value.Setting("value"); ok {
				set.Value = instead
			}
		} else {
			f.Value.Struct(&set)
		}
		if !isName(f.Name) {
			f.Value.Problem("bad-name", fmt.Sprintf("%q is not a name", f.Name), nameHelp)
			continue
		}
		if !set.Source.IsZero() && !set.Assumed.IsZero() {
			f.Value.Problem("contradiction", "a value is known or assumed", "keep source or assumed")
		}
		*p = append(*p, set)
	}
	values := map[string]string{}
	for _, set := range *p {
		values[set.Name] = set.Value
	}
	v.Name(values)
}

// value is any single value, kept as it is written.
type value string

func (t *value) UnmarshalText(text []byte) error {
	*t = value(text)
	return nil
}

// Part is one part of a system.
type Part struct {
	Name   string
	Kind   parts.Kind
	About  string
	Copies parts.Count // 0 or 1 for a part of which there is one
	Config parts.Config
}

// Parts are the parts of a system in the order of the file, which is the order
// in which they are built.
type Parts []Part

// maxParts bounds the parts of a system.
const maxParts = 256

// DecodeYAML reads a mapping of names to parts.
func (p *Parts) DecodeYAML(v strictyaml.Value) {
	fields := v.Fields("a mapping of names to parts")
	if len(fields) > maxParts {
		v.Problem("too-many", fmt.Sprintf("%d parts", len(fields)), fmt.Sprintf("write at most %d", maxParts))
		return
	}
	for _, f := range fields {
		if !isName(f.Name) {
			f.Value.Problem("bad-name", fmt.Sprintf("%q is not a name", f.Name), nameHelp)
			continue
		}
		if part, ok := decodePart(f); ok {
			*p = append(*p, part)
		}
	}
}

// header is what every part has.
type header struct {
	Kind   string
	About  string
	Copies parts.Count
}

func decodePart(f strictyaml.Field) (Part, bool) {
	var h header
	for _, g := range f.Value.Fields("a mapping with the kind of the part and its settings") {
		switch g.Name {
		case "kind":
			g.Value.Into(&h.Kind)
		case "about":
			g.Value.Into(&h.About)
		case "copies":
			g.Value.Into(&h.Copies)
		}
	}
	if !f.Value.IsMapping() {
		return Part{}, false
	}
	kind, ok := parts.KindNamed(h.Kind)
	if !ok {
		msg, help := fmt.Sprintf("no kind of part is named %q", h.Kind), "write one of "+strings.Join(parts.KindNames(), ", ")
		if h.Kind == "" {
			msg = "the kind of the part is missing"
		} else if near, ok := nearest.Of(h.Kind, parts.KindNames()); ok {
			help = fmt.Sprintf("did you mean %q?", near)
		}
		f.Value.Problem("unknown-kind", msg, help)
		return Part{}, false
	}
	config := kind.New()
	f.Value.Struct(config, "kind", "about", "copies")
	return Part{Name: f.Name, Kind: kind, About: h.About, Copies: h.Copies, Config: config}, true
}

const nameHelp = "begin with a letter and go on with letters, digits, - and _, 64 at most"

// isName reports whether s can name a part or a parameter.
func isName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '-' || r == '_')) {
			return false
		}
	}
	return true
}

// Named returns the part of a name.
func (p Parts) Named(name string) (Part, bool) {
	i := slices.IndexFunc(p, func(q Part) bool { return q.Name == name })
	if i < 0 {
		return Part{}, false
	}
	return p[i], true
}

// Check reports what is wrong with the parts, by themselves and as a whole.
// Field paths begin with at.
func (p Parts) Check(doc *strictyaml.Doc, at string) strictyaml.Problems {
	all := p.CheckSettings(doc, at)
	if len(all.Errors()) == 0 {
		all = append(all, p.checkReferences(doc, at)...)
	}
	return all
}

// CheckSettings is Check without what needs the system built.
func (p Parts) CheckSettings(doc *strictyaml.Doc, at string) strictyaml.Problems {
	var all strictyaml.Problems
	for _, part := range p {
		var r parts.Report
		part.Config.Check(&r)
		p.checkPorts(part, &r)
		p.checkFit(part, &r)
		checkCopies(part, &r)
		for _, f := range r.Findings {
			level, rule := strictyaml.Error, "impossible"
			if f.Warning {
				level, rule = strictyaml.Warning, "doubtful"
			}
			all = append(all, doc.Problem(level, rule, at+"."+part.Name+"."+f.Field, f.Msg, f.Help))
		}
	}
	if !slices.ContainsFunc(p, func(q Part) bool { return q.Kind.Source }) && len(p) > 0 {
		all = append(all, doc.Problem(strictyaml.Error, "impossible", at, "nothing makes requests", "add a part of kind source"))
	}
	all = append(all, p.checkCycles(doc, at)...)
	return append(all, p.checkSize(doc, at)...)
}

// checkPorts looks whether what a part calls is there and takes calls.
func (p Parts) checkPorts(part Part, r *parts.Report) {
	for _, port := range part.Config.Ports() {
		if port.Call.To == "" {
			continue // reported as missing
		}
		to, ok := p.Named(port.Call.To)
		switch {
		case !ok:
			var names []string
			for _, q := range p {
				if q.Kind.Callable {
					names = append(names, q.Name)
				}
			}
			help := nearest.Help(port.Call.To, names, "the parts that can be called are "+strings.Join(names, ", "))
			r.Add(port.Name+".to", fmt.Sprintf("no part is named %q", port.Call.To), help)
		case !to.Kind.Callable:
			r.Add(port.Name+".to", fmt.Sprintf("%q is a %s, which takes no calls", to.Name, to.Kind.Name), "call another part")
		case to.Copies > 1 && !port.Spread:
			r.Add(port.Name+".to", fmt.Sprintf("%q has %d copies, and a call goes to one of them", to.Name, to.Copies),
				"call a part of kind balancer that calls it")
		case port.Call.Connect > 0 && !to.Kind.Begins:
			r.Add(port.Name+".connect_timeout", fmt.Sprintf("%q is a %s, which does not tell when it takes a call up", to.Name, to.Kind.Name),
				"leave it out, or call a part that lets calls wait for a worker or a connection")
		}
	}
}

// checkCycles reports calls that come back to a part without any time passing:
// such a system would go round for ever at one instant.
func (p Parts) checkCycles(doc *strictyaml.Doc, at string) strictyaml.Problems {
	const (
		unseen = iota
		open
		closed
	)
	state := map[string]int{}
	var problems strictyaml.Problems
	var walk func(part Part, path []string)
	walk = func(part Part, path []string) {
		state[part.Name] = open
		path = append(path, part.Name)
		for _, port := range part.Config.Ports() {
			to, ok := p.Named(port.Call.To)
			if !ok || port.Call.Delay > 0 || !to.Config.Instant() {
				continue
			}
			switch state[to.Name] {
			case unseen:
				walk(to, path)
			case open:
				from := max(slices.Index(path, to.Name), 0)
				problems = append(problems, doc.Problem(strictyaml.Error, "impossible", at+"."+part.Name+"."+port.Name+".to",
					"calls go round without time passing: "+strings.Join(append(slices.Clone(path[from:]), to.Name), " -> "),
					"give one of these parts work, or a call a delay"))
			}
		}
		state[part.Name] = closed
	}
	for _, part := range p {
		if state[part.Name] == unseen {
			walk(part, nil)
		}
	}
	slices.SortFunc(problems, func(a, b strictyaml.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return problems
}

// Build returns the parts as [parts.Build] takes them.
func (p Parts) Build() []parts.Named {
	all := make([]parts.Named, len(p))
	for i, part := range p {
		all[i] = parts.Named{Name: part.Name, Config: part.Config, Copies: int(part.Copies)}
	}
	return all
}
