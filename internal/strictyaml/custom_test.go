package strictyaml

import (
	"strings"
	"testing"
)

type fruit struct {
	Weight int      `yaml:"weight" default:"3"`
	Colour string   `yaml:"colour" required:"true" doc:"what it looks like"`
	Stone  stone    `yaml:"stone"`
	Bag    *stone   `yaml:"bag"`
	Names  []string `yaml:"names"`
}

type stone struct {
	Size int `yaml:"size" default:"7"`
}

// basket is a mapping of names to fruits, some of whose values have names.
type basket struct{ fruits map[string]*fruit }

func (b *basket) DecodeYAML(v Value) {
	b.fruits = map[string]*fruit{}
	for _, f := range v.Fields("a mapping of names to fruits") {
		if f.Name == "values" {
			named := map[string]string{}
			for _, g := range f.Value.Fields("values") {
				named[g.Name], _ = g.Value.Scalar()
			}
			v.Name(named)
			continue
		}
		got := new(fruit)
		f.Value.Struct(got, "kind")
		b.fruits[f.Name] = got
	}
}

type shop struct {
	Basket basket `yaml:"basket"`
}

const shopFile = `basket:
  values: {usual: 12}
  apple: {kind: x, colour: red, weight: $usual, bag: {size: 2}}
  plum:
    colour: blue
`

func TestCustom(t *testing.T) {
	var s shop
	_, problems := DecodeSet("shop.yaml", []byte(shopFile), &s, []Setting{
		{"basket.plum.stone.size", "9"}, {"basket.apple.colour", "green"}, {"basket.plum.bag.size", "4"},
	})
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	apple, plum := s.Basket.fruits["apple"], s.Basket.fruits["plum"]
	if apple.Weight != 12 || apple.Colour != "green" || apple.Stone.Size != 7 || apple.Bag.Size != 2 {
		t.Errorf("the apple is %+v, want weight 12, green, stone 7, bag 2", apple)
	}
	if plum.Weight != 3 || plum.Stone.Size != 9 || plum.Bag == nil || plum.Bag.Size != 4 {
		t.Errorf("the plum is %+v, want weight 3, stone 9, bag 4", plum)
	}
}

func TestCustomProblems(t *testing.T) {
	for _, c := range []struct {
		name, src string
		set       []Setting
		want      string
	}{
		{"missing field", "basket: {plum: {weight: 1}}", nil, "basket.plum.colour: the field is missing"},
		{"unknown field", "basket: {plum: {colour: red, wieght: 1}}", nil, `did you mean "weight"?`},
		{"unknown name", "basket: {values: {usual: 1}, plum: {colour: red, weight: $usuel}}", nil, `did you mean "$usual"?`},
		{"no mapping", "basket: 3", nil, "write a mapping of names to fruits"},
		{"repeated", "basket: {plum: {colour: red}, plum: {colour: red}}", nil, "stands a second time"},
		{"bad setting", shopFile, []Setting{{"basket.plum.weight", "heavy"}}, `"heavy" is not a whole number`},
		{"setting without field", shopFile, []Setting{{"basket.plum.colur", "red"}}, `did you mean "basket.plum.colour"?`},
		{"empty setting", shopFile, []Setting{{"basket.plum.colour", ""}}, "the value is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s shop
			_, problems := DecodeSet("shop.yaml", []byte(c.src), &s, c.set)
			if got := problems.Error(); !strings.Contains(got, c.want) {
				t.Errorf("problems are %q, want one with %q", got, c.want)
			}
		})
	}
}
