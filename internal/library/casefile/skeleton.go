package casefile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Skeleton returns the text of a new draft with the given id: the fields that
// a draft needs, and all others as comments that say what belongs in them.
func Skeleton(id string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# A new case. Fill in what a source supports and leave out what none does;
# take the "# " off the fields you use. The format is described on the
# page /docs/format of precedent serve. Check with: precedent lint; format with:
# precedent fmt.
schema: %d
id: %s
state: draft # published, once every required field is there
title:
  en: One line in English that says what failed and how it showed
  ko: 무엇이 어떻게 고장 났는지 한국어 한 줄로 적는다
review:
  status: unreviewed
`, SchemaVersion, id)
	skeletonFields(&b, reflect.TypeFor[Case](), "", DraftFields())
	return []byte(b.String())
}

// skeletonFields writes the fields of a struct as comments, each with its
// description.
func skeletonFields(b *strings.Builder, t reflect.Type, indent string, skip []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if slices.Contains(skip, name) {
			continue
		}
		lead := indent
		if strings.HasSuffix(indent, "- ") && i > 0 {
			lead = strings.TrimSuffix(indent, "- ") + "  "
		}
		inner := strings.ReplaceAll(lead, "- ", "  ")
		if lead == "" {
			b.WriteString("#\n")
		}
		fmt.Fprintf(b, "# %s%s:", lead, name)
		value, item := f.Type, false
		if value.Kind() == reflect.Slice {
			value, item = value.Elem(), true
		}
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		note := "   # " + f.Tag.Get("jsonschema")
		switch {
		case value == reflect.TypeFor[Text]():
			if item {
				fmt.Fprintf(b, "%s\n# %s  - {en: , ko: }\n", note, inner)
			} else {
				fmt.Fprintf(b, " {en: , ko: }%s\n", note)
			}
		case value.Kind() == reflect.Struct && value.Field(0).Tag.Get("yaml") != "":
			b.WriteString(note + "\n")
			if item {
				skeletonFields(b, value, inner+"  - ", nil)
			} else {
				skeletonFields(b, value, inner+"  ", nil)
			}
		case item:
			fmt.Fprintf(b, " []%s\n", note)
		default:
			b.WriteString(note + "\n")
		}
	}
}
