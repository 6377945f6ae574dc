package manifest

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// inUTF8 returns a text in UTF-8 that begins with the mark of UTF-16, as shells of
// Windows write what a program prints; all else stays as it is.
func inUTF8(src []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return src
	}
	units := make([]uint16, 0, len(src)/2)
	for at := 2; at+1 < len(src); at += 2 {
		units = append(units, order.Uint16(src[at:]))
	}
	return []byte(string(utf16.Decode(units)))
}
