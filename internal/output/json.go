package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

// JSON writes an answer in the wire form, indented, without escaping what is
// safe outside of HTML. Characters that a terminal would obey or that nobody
// sees are escaped; they mean the same so.
func JSON(w io.Writer, answer any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(answer); err != nil {
		return err
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// escapeHidden escapes the hidden characters of JSON, which stand in strings
// only.
func escapeHidden(src []byte) []byte {
	var out []byte // made at the first hidden character; there is seldom one
	before, from := rune(0), 0
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if strictyaml.Hidden(before, r) {
			out = append(out, src[from:i]...)
			if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
				out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
			from = i + size
		}
		before = r
		i += size
	}
	if out == nil {
		return src
	}
	return append(out, src[from:]...)
}
