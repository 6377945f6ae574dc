package mcp

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// shape tells how an answer is cut to what one caller needs. The zero shape
// changes nothing.
type shape struct {
	lang  bilingual.Lang // keep this side of each text, or the other where it is missing
	ids   bool           // put the ids of terms behind their names
	runes int            // cut longer texts
	items int            // cut longer lists
}

// cut returns a copy of v in the given shape. Answers share texts and lists
// with the library, so nothing may be changed in place.
func cut[T any](s shape, v T) T {
	return s.copy(reflect.ValueOf(&v).Elem()).Interface().(T)
}

var (
	textType  = reflect.TypeFor[bilingual.Text]()
	termType  = reflect.TypeFor[app.TermRef]()
	facetType = reflect.TypeFor[app.Facet]()
)

func (s shape) copy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(s.copy(v.Elem()))
		return p
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return s.copy(v.Elem())
	case reflect.Struct:
		return s.copyStruct(v)
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		n := v.Len()
		if s.items > 0 {
			n = min(n, s.items)
		}
		list := reflect.MakeSlice(v.Type(), n, n)
		for i := range n {
			list.Index(i).Set(s.copy(v.Index(i)))
		}
		return list
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		m := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), s.copy(it.Value()))
		}
		return m
	case reflect.String:
		c := reflect.New(v.Type()).Elem()
		c.SetString(s.clip(v.String()))
		return c
	}
	return v
}

func (s shape) copyStruct(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	for i := range c.NumField() {
		if v.Type().Field(i).IsExported() {
			c.Field(i).Set(s.copy(v.Field(i)))
		}
	}
	switch v.Type() {
	case textType:
		c.Set(reflect.ValueOf(s.side(c.Interface().(bilingual.Text))))
	case termType:
		if ref := c.Interface().(app.TermRef); s.ids && ref.ID != "" {
			ref.Name = withID(ref.Name, ref.List+"/"+ref.ID)
			c.Set(reflect.ValueOf(ref))
		}
	case facetType:
		if facet := c.Interface().(app.Facet); s.ids {
			facet.Name = withID(facet.Name, facet.List)
			c.Set(reflect.ValueOf(facet))
		}
	}
	return c
}

// side keeps one side of a text.
func (s shape) side(t bilingual.Text) bilingual.Text {
	if s.lang == "" || t.In(s.lang) == "" {
		return t
	}
	if s.lang == bilingual.Korean {
		return bilingual.Text{Ko: t.Ko}
	}
	return bilingual.Text{En: t.En}
}

func withID(name bilingual.Text, id string) bilingual.Text {
	if name.En != "" {
		name.En += " (" + id + ")"
	}
	if name.Ko != "" {
		name.Ko += " (" + id + ")"
	}
	return name
}

// clip cuts a text at the end of a word.
func (s shape) clip(text string) string {
	if s.runes <= 0 || utf8.RuneCountInString(text) <= s.runes {
		return text
	}
	kept := string([]rune(text)[:s.runes])
	if i := strings.LastIndexAny(kept, " \n"); i > len(kept)/2 {
		kept = kept[:i]
	}
	return kept + "…"
}

// termNames names terms with their ids behind, in the form in which other
// tools take them.
type termNames struct{ app *app.App }

// Name implements [output.Names].
func (n termNames) Name(list, id string, l bilingual.Lang) string {
	name := n.app.Name(list, id, l)
	for _, topic := range app.TopicLists() {
		if topic == list {
			return name + " (" + list + "/" + id + ")"
		}
	}
	return name
}
