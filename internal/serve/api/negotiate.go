package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// maxPreferences bounds the entries of an Accept header that are looked at.
const maxPreferences = 64

// preference is one entry of an Accept header.
type preference struct {
	value   string // lower case, without parameters
	quality float64
}

// preferences reads an Accept, Accept-Encoding or Accept-Language header. What
// cannot be read is left out.
func preferences(header string) []preference {
	var all []preference
	for entry := range strings.SplitSeq(header, ",") {
		if len(all) == maxPreferences {
			break
		}
		value, rest, _ := strings.Cut(entry, ";")
		p := preference{strings.ToLower(strings.TrimSpace(value)), 1}
		for param := range strings.SplitSeq(rest, ";") {
			name, q, _ := strings.Cut(param, "=")
			if strings.EqualFold(strings.TrimSpace(name), "q") {
				p.quality = quality(strings.TrimSpace(q))
			}
		}
		if p.value != "" {
			all = append(all, p)
		}
	}
	return all
}

// quality reads a q-value; one that is malformed counts as unwanted.
func quality(s string) float64 {
	q, err := strconv.ParseFloat(s, 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}

// format is a representation of an answer.
type format string

const (
	formatHTML     format = "html" // of the site, which is another handler
	formatJSON     format = "json"
	formatMarkdown format = "md"
)

// formatTypes are the media types of the formats.
var formatTypes = map[format]string{formatHTML: "text/html", formatJSON: "application/json", formatMarkdown: "text/markdown"}

// chooseFormat returns the offered format that an Accept header wants most.
// Among equals that is the one it names most specifically, then the one it
// names first, and then the one offered first. It reports false where none is
// acceptable.
func chooseFormat(accept string, offered []format) (format, bool) {
	wanted := preferences(accept)
	if len(wanted) == 0 {
		return offered[0], true
	}
	best, most := format(""), wish{}
	for _, f := range offered {
		if w := wishFor(wanted, formatTypes[f]); w.quality > 0 && (best == "" || w.over(most)) {
			best, most = f, w
		}
	}
	return best, best != ""
}

// wish is how much a media type is wanted.
type wish struct {
	quality  float64
	specific int // 0 for */*, 1 for text/*, 2 for the type itself, -1 for nothing
	at       int // position in the header
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

// wishFor returns how much a media type is wanted: the most specific range
// that covers it decides.
func wishFor(wanted []preference, mediaType string) wish {
	kind, _, _ := strings.Cut(mediaType, "/")
	w := wish{specific: -1}
	for at, p := range wanted {
		specific := slices.Index([]string{"*/*", kind + "/*", mediaType}, p.value)
		if specific > w.specific {
			w = wish{p.quality, specific, at}
		}
	}
	return w
}

// chooseLang returns the language that an Accept-Language header wants most,
// English where it says nothing about the two.
func chooseLang(accept string) bilingual.Lang {
	best, bestQuality := bilingual.English, 0.0
	for _, p := range preferences(accept) {
		primary, _, _ := strings.Cut(p.value, "-")
		lang, known := bilingual.Parse(primary)
		if primary == "*" {
			lang, known = bilingual.English, true
		}
		if known && p.quality > bestQuality {
			best, bestQuality = lang, p.quality
		}
	}
	return best
}

// wantsGzip reports whether an Accept-Encoding header allows gzip.
func wantsGzip(accept string) bool {
	any := 0.0
	for _, p := range preferences(accept) {
		switch p.value {
		case "gzip", "x-gzip":
			return p.quality > 0
		case "*":
			any = p.quality
		}
	}
	return any > 0
}

// listed returns a header that holds a list, all of its lines as one.
func listed(r *http.Request, name string) string { return strings.Join(r.Header.Values(name), ",") }
