package output

import (
	"encoding/json"
	"io"
)

// JSON writes an answer in the wire form, indented, without escaping what is
// safe outside of HTML.
func JSON(w io.Writer, answer any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(answer)
}
