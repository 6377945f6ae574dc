package manifest

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/openprecedent/precedent/internal/check/object"
)

// public are the fields of a Secret that are no secret: certificates, which are
// shown to everybody who connects.
var public = map[string]bool{"tls.crt": true, "ca.crt": true}

// applied is where kubectl keeps what it was given, with the values of a Secret.
const applied = "kubectl.kubernetes.io/last-applied-configuration"

// shortest is the fewest letters of a line of a value that is wiped from the
// source: to wipe shorter ones would wipe half of the document.
const shortest = 4

// forget takes what is secret out of an object, and out of the source that is
// kept to find its fields in.
func (d Document) forget(t object.Tree, kind string) {
	if kind != "Secret" {
		return
	}
	var gone []string
	gone = forgetValues(t, gone)
	if notes, _ := t.At("metadata", "annotations").(map[string]any); notes[applied] != nil {
		text, _ := notes[applied].(string)
		var inner map[string]any
		if json.Unmarshal([]byte(text), &inner) == nil {
			gone = forgetValues(inner, gone)
		}
		gone = append(gone, text)
		delete(notes, applied)
	}
	for _, value := range gone {
		d.wipe(value)
	}
}

// wipe overwrites the lines of a value in the source.
func (d Document) wipe(value string) {
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); len(line) >= shortest {
			wipe(d.src, []byte(line))
		}
	}
}

// forgetValues takes the values of data and stringData out, and adds them to gone.
func forgetValues(t object.Tree, gone []string) []string {
	for _, field := range []string{"data", "stringData"} {
		m, ok := t[field].(map[string]any)
		if !ok && t[field] != nil {
			gone = append(gone, allText(t[field])...)
			delete(t, field)
		}
		for name, v := range m {
			if !public[name] {
				gone = append(gone, allText(v)...)
				delete(m, name)
			}
		}
	}
	return gone
}

// allText returns all text in a value that may be of any type.
func allText(v any) []string {
	var all []string
	switch v := v.(type) {
	case string:
		return []string{v}
	case map[string]any:
		for _, inner := range v {
			all = append(all, allText(inner)...)
		}
	case []any:
		for _, inner := range v {
			all = append(all, allText(inner)...)
		}
	}
	return all
}

// wipe overwrites all that equals value.
func wipe(src, value []byte) {
	for {
		at := bytes.Index(src, value)
		if at < 0 {
			return
		}
		for i := range value {
			src[at+i] = 'x'
		}
		if src = src[at+len(value):]; len(src) < len(value) {
			return
		}
	}
}
