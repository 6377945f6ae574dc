package api

import (
	"net/http"

	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

// format is a representation of an answer.
type format string

const (
	formatHTML     format = "html" // of the site, which is another handler
	formatJSON     format = "json"
	formatMarkdown format = "md"
)

// mediaType is the media type of a format, as the header Accept names it.
func (f format) mediaType() string {
	switch f {
	case formatHTML:
		return "text/html"
	case formatMarkdown:
		return "text/markdown"
	}
	return "application/json"
}

// mediaTypes are the media types of formats, in their order.
func mediaTypes(formats []format) []string {
	types := make([]string, 0, len(formats))
	for _, f := range formats {
		types = append(types, f.mediaType())
	}
	return types
}

// chooseFormat returns the offered format that a request wants most, and false
// where it takes none of them.
func chooseFormat(r *http.Request, offered []format) (format, bool) {
	i := negotiate.MediaType(r.Header, mediaTypes(offered)...)
	if i < 0 {
		return "", false
	}
	return offered[i], true
}
