package api

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
)

// repeatedKey returns the first key that an object of a JSON text has twice,
// cut for a message, or "". Of a repeated key the decoder takes the last
// value and says nothing. In the outermost object, which is decoded into
// fields, it takes capital letters for small ones.
func repeatedKey(raw []byte) string {
	type level struct {
		keys  map[string]bool // nil in a list
		value bool            // the next string is a value
	}
	var levels []level
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.Token()
		if err != nil {
			return "" // the end
		}
		top := len(levels) - 1
		if key, ok := token.(string); ok && top >= 0 && levels[top].keys != nil && !levels[top].value {
			levels[top].value = true
			if top == 0 {
				key = strings.ToLower(key)
			}
			if levels[top].keys[key] {
				return app.Short(key)
			}
			levels[top].keys[key] = true
			continue
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{keys: map[string]bool{}})
			continue
		case json.Delim('['):
			levels = append(levels, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:top]
		}
		if top = len(levels) - 1; top >= 0 {
			levels[top].value = false
		}
	}
}
