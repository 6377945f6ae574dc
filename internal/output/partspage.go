package output

import (
	"strings"

	"github.com/openprecedent/precedent/internal/sim/parts"
)

// PartsPage returns the reference of kinds of parts. It is in English: it names
// the fields of files.
func PartsPage(kinds []parts.KindDoc) Page {
	b := &builder{}
	b.heading(1, "Parts of a system")
	b.prose("The kinds of parts that a system file can hold under `parts`, with their settings. " +
		"A setting that is left out takes its default; one without a default must stand.")
	for _, k := range kinds {
		b.heading(2, k.Name)
		b.prose(k.About)
		b.list(fieldItems(k.Fields, ""))
	}
	return b.page
}

// fieldItems lists settings; those of a mapping follow it with their path.
func fieldItems(fields []parts.FieldDoc, at string) []Item {
	var items []Item
	for _, f := range fields {
		path := at + f.Name
		value := f.Value
		if f.List {
			value = "list of " + value + "s"
		}
		text := f.About + " (" + value
		switch {
		case f.Required:
			text += "; must stand"
		case f.Default != "" && f.Default != "0" && f.Default != "false":
			text += "; default " + f.Default
		}
		items = append(items, Item{Lead: "`" + path + "`", Text: strings.TrimSuffix(text, ".") + ")"})
		if f.List {
			path += "[]"
		}
		items = append(items, fieldItems(f.Fields, path+".")...)
	}
	return items
}
