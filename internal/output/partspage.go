package output

import (
	"strings"

	"github.com/openprecedent/precedent/internal/sim/parts"
)

// callHeading is the heading over the settings of a call, which many kinds have.
const callHeading = "Calls"

// PartsPage returns the reference of kinds of parts. The settings of calls are the
// same wherever a part makes one, and stand once, at the end. It is in English: it
// names the fields of files.
func PartsPage(kinds []parts.KindDoc) Page {
	b := &builder{}
	b.heading(1, "Parts of a system")
	b.prose("The kinds of parts that a system file can hold under `parts`, with their settings. " +
		"A setting that is left out takes its default; one without a default must stand.")
	b.prose("Every part may also have `about`, and one that is called or makes requests `copies`: how many " +
		"of it there are (1), each by itself. A `balancer` spreads calls over the copies of what it calls.")
	var call []parts.FieldDoc
	for _, k := range kinds {
		b.heading(2, k.Name)
		b.prose(k.About)
		b.list(fieldItems(k.Fields, "", &call))
	}
	if call != nil {
		b.heading(2, callHeading)
		b.prose("What a setting that is a call holds: whom the part calls, and the policy of the client.")
		b.list(fieldItems(call, "", nil))
	}
	return b.page
}

// KindsPage returns the kinds of parts without their settings.
func KindsPage(kinds []parts.KindDoc) Page {
	b := &builder{}
	b.heading(1, "Parts of a system")
	var items []Item
	for _, k := range kinds {
		items = append(items, Item{Lead: k.Name, Text: k.About})
	}
	b.list(items)
	b.note("With all settings:")
	b.code("precedent parts server")
	return b.page
}

// isCall reports whether a setting is a call with the policy of its client.
func isCall(f parts.FieldDoc) bool {
	return len(f.Fields) > 2 && f.Fields[0].Name == "to" && f.Fields[1].Name == "timeout"
}

// fieldItems lists settings; those of a mapping follow it with their path. Those of
// a call are put into call instead, where that is not nil.
func fieldItems(fields []parts.FieldDoc, at string, call *[]parts.FieldDoc) []Item {
	var items []Item
	for _, f := range fields {
		path := at + f.Name
		value := f.Value
		here := call != nil && isCall(f)
		if here {
			value, *call = "call, see "+callHeading, f.Fields
		}
		if f.List {
			value = "list, of each: " + value
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
		if !here {
			items = append(items, fieldItems(f.Fields, path+".", call)...)
		}
	}
	return items
}
