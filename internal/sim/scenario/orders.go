package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Orders says how the protocols of a file are looked at in every order of their
// steps: with fewer actors than it has, since there are many orders, and with
// which of its variants.
type Orders struct {
	About Text     `yaml:"about" doc:"what is looked at"`
	Set   Settings `yaml:"set" doc:"settings that make the protocol small, as --set takes them" required:"true"`
	Of    []Order  `yaml:"of" doc:"what is looked at one after the other; the first is told with its steps" required:"true"`
}

// Order is one look at every order of the steps.
type Order struct {
	Variant string   `yaml:"variant" doc:"variant of the file, or base" default:"base"`
	About   Text     `yaml:"about" doc:"what is different, where the variant does not say it"`
	Set     Settings `yaml:"set" doc:"further settings"`
	Keeps   []string `yaml:"keeps" doc:"invariants that must hold in every order"`
	Breaks  []string `yaml:"breaks" doc:"invariants that some order must break"`
}

// Says returns what the file says of an invariant: that it holds, or that it does
// not, or nothing.
func (o *Order) Says(invariant string) (keeps, known bool) {
	keeps = slices.Contains(o.Keeps, invariant)
	return keeps, keeps || slices.Contains(o.Breaks, invariant)
}

// Settings returns what is set for an order, with whole paths: what makes the
// protocol small, and what the order itself sets.
func (o *Orders) Settings(of *Order) []strictyaml.Setting {
	return Absolute(append(slices.Clone(o.Set), of.Set...))
}

// OrdersOf returns how the protocols of a file are looked at, as far as it can be
// read; nil where it does not say it.
func OrdersOf(src []byte) *Orders {
	var f File
	strictyaml.Decode("", src, &f)
	return f.Explore
}

// maxOrders bounds the looks at every order of the steps.
const maxOrders = 32

// checkOrders looks whether the orders of a file can be looked at.
func (f *File) checkOrders(bad reporter) {
	if f.Explore == nil {
		return
	}
	if n := len(f.Explore.Of); n == 0 || n > maxOrders {
		bad("explore.of", fmt.Sprintf("%d looks at the orders of the steps", n), fmt.Sprintf("write 1 to %d", maxOrders))
	}
	known := f.invariants()
	if len(known) == 0 {
		bad("explore", "no part of the system is a protocol whose steps could be ordered", "leave it out, or add a part of the kind planner")
		return
	}
	for i := range f.Explore.Of {
		of := &f.Explore.Of[i]
		at := fmt.Sprintf("explore.of[%d]", i)
		if names := append(f.VariantNames(), Base); !slices.Contains(names, of.Variant) {
			bad(at+".variant", fmt.Sprintf("no variant is named %.80q", of.Variant), oneOfHelp(of.Variant, names))
		}
		for k, name := range of.Keeps {
			f.checkInvariant(fmt.Sprintf("%s.keeps[%d]", at, k), name, known, bad)
			if slices.Contains(of.Breaks, name) {
				bad(fmt.Sprintf("%s.keeps[%d]", at, k), fmt.Sprintf("%q cannot hold and be broken", name), "leave one of them out")
			}
		}
		for k, name := range of.Breaks {
			f.checkInvariant(fmt.Sprintf("%s.breaks[%d]", at, k), name, known, bad)
		}
	}
}

func (f *File) checkInvariant(at, name string, known []string, bad reporter) {
	if !slices.Contains(known, name) {
		bad(at, fmt.Sprintf("no invariant is named %.80q", name), oneOfHelp(name, known))
	}
}

func oneOfHelp(name string, names []string) string {
	return nearest.Help(name, names, "write one of "+strings.Join(names, ", "))
}

// invariants returns the names of the invariants of the protocols in the file.
func (f *File) invariants() []string {
	var names []string
	for _, p := range f.Parts {
		if e, ok := p.Config.(parts.Explorable); ok {
			for _, name := range e.InvariantNames() {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
