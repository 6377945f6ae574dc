// Package negotiate reads what a client accepts from the headers of its request
// (RFC 9110, sections 12.5 and 13.1.2), for all faces of the server alike.
//
// The most specific entry that covers an offer says how welcome the offer is.
// What cannot be read counts as unwelcome, and only the first [maxEntries] of a
// header are looked at, since real ones have under ten.
package negotiate

import (
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// Bounds of the work on one header.
const (
	maxEntries = 64
	maxTags    = 4096 // bytes of If-None-Match
)

// MediaType returns which of the offered media types the header Accept wants
// most, or -1 where it takes none of them. Among equals that is the one it names
// most specifically, then the one it names first, since agents list
// text/markdown before text/html, and then the one offered first. Without a wish
// it is the first.
func MediaType(h http.Header, offered ...string) int {
	accept := list(h, "Accept")
	if strings.Trim(accept, ", \t") == "" {
		return 0
	}
	best, most := -1, wish{}
	for i, offer := range offered {
		kind, _, _ := strings.Cut(offer, "/")
		w := wishFor(accept, func(value string) int {
			switch {
			case value == offer:
				return 2
			case value == "*/*":
				return 0
			}
			if group, ok := strings.CutSuffix(value, "/*"); ok && group == kind {
				return 1
			}
			return -1
		})
		if w.quality > 0 && (best < 0 || w.over(most)) {
			best, most = i, w
		}
	}
	return best
}

// Language returns the language that the header Accept-Language wants most,
// English where it says nothing about the two.
func Language(h http.Header) bilingual.Lang {
	accept := list(h, "Accept-Language")
	best, most := bilingual.English, wish{}
	for _, l := range []bilingual.Lang{bilingual.English, bilingual.Korean} {
		w := wishFor(accept, func(value string) int {
			primary, _, _ := strings.Cut(value, "-")
			if named, ok := bilingual.Parse(primary); ok && named == l {
				return 1
			}
			if value == "*" {
				return 0
			}
			return -1
		})
		if w.quality > 0 && w.over(most) {
			best, most = l, w
		}
	}
	return best
}

// Encoding reports whether the header Accept-Encoding asks for an encoding.
// Without the header the bytes stay as they are.
func Encoding(h http.Header, name string) bool {
	w := wishFor(list(h, "Accept-Encoding"), func(value string) int {
		switch strings.TrimPrefix(value, "x-") { // x-gzip is the old name of gzip
		case name:
			return 1
		case "*":
			return 0
		}
		return -1
	})
	return w.quality > 0
}

// Has reports whether the client has what an entity tag names, as the header
// If-None-Match tells.
func Has(h http.Header, tag string) bool {
	header := list(h, "If-None-Match")
	if len(header) > maxTags {
		return false
	}
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

// list returns a header that holds a list, all of its lines as one.
func list(h http.Header, name string) string { return strings.Join(h.Values(name), ",") }

// wish is how welcome an offer is.
type wish struct {
	quality  float64
	specific int // how closely the entry that decides names the offer
	at       int // position of that entry
}

// over reports whether w is wanted more than other.
func (w wish) over(other wish) bool {
	switch {
	case w.quality != other.quality:
		return w.quality > other.quality
	case w.specific != other.specific:
		return w.specific > other.specific
	}
	return w.at < other.at
}

// wishFor returns how welcome an offer is, given how closely a value names it:
// -1 where it does not. Of several that name it equally closely, as en-GB and
// en do, the most welcome decides.
func wishFor(header string, closeness func(value string) int) wish {
	w := wish{specific: -1}
	for at, e := range entries(header) {
		specific := closeness(e.value)
		if specific > w.specific || specific >= 0 && specific == w.specific && e.quality > w.quality {
			w = wish{e.quality, specific, at}
		}
	}
	return w
}

// entry is one value of a header, with its weight.
type entry struct {
	value   string // lower case, without parameters
	quality float64
}

// entries yields the entries of a header with their positions. Empty ones are
// left out.
func entries(header string) iter.Seq2[int, entry] {
	return func(yield func(int, entry) bool) {
		for at := 0; header != "" && at < maxEntries; {
			var one string
			one, header = cut(header, ',')
			value, params := cut(one, ';')
			if value = strings.ToLower(strings.TrimSpace(value)); value == "" {
				continue
			}
			if !yield(at, entry{value, quality(params)}) {
				return
			}
			at++
		}
	}
}

// quality returns the weight among parameters, 1 without one and 0 where it
// cannot be read. Other parameters than the weight do not narrow an entry: we
// offer nothing that differs by them.
func quality(params string) float64 {
	for params != "" {
		var one string
		one, params = cut(params, ';')
		name, value, _ := strings.Cut(one, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) { // NaN is neither
			return 0
		}
		return q
	}
	return 1
}

// cut splits s at the first separator outside quotation marks.
func cut(s string, separator byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++ // what is escaped ends no quotation
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
