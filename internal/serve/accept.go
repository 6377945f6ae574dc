package serve

import (
	"net/http"
	"path"

	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

// Negotiate returns a handler that answers page addresses as HTML or as data.
//
// A suffix that names a data format decides. Without one the Accept header
// does: */* and no header mean HTML, so a browser and curl both see the page;
// application/json and text/markdown mean data. What neither can give goes to
// data, which answers 406 in its own form.
func Negotiate(html, data http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if suffix := path.Ext(r.URL.Path); dataSuffix(suffix) {
			data.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept")
		if wantsHTML(r) {
			html.ServeHTTP(w, r)
			return
		}
		data.ServeHTTP(w, r)
	})
}

// dataSuffix reports whether a suffix names a format that is not a page.
func dataSuffix(suffix string) bool {
	switch suffix {
	case ".json", ".jsonl", ".md", ".csv", ".zip", ".atom", ".xml", ".txt", ".yaml":
		return true
	}
	return false
}

// wantsHTML reports whether HTML is the best answer to a request, of HTML and
// the two forms of data.
func wantsHTML(r *http.Request) bool {
	return negotiate.MediaType(r.Header, "text/html", "application/json", "text/markdown") == 0
}
