package serve

import (
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Negotiate returns a handler that answers page addresses as HTML or as data.
//
// A suffix that names a data format decides. Without one the Accept header
// does, with its quality values: */* and no header mean HTML, so a browser and
// curl both see the page; application/json and text/markdown mean data. Where
// HTML and data are equally welcome, the more specific range wins, then the
// one that is named first, since agents list text/markdown before text/html.
// What neither can give goes to data, which answers 406 in its own form.
func Negotiate(html, data http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if suffix := path.Ext(r.URL.Path); dataSuffix(suffix) {
			data.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept")
		if wantsHTML(r.Header.Values("Accept")) {
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

// offer is how welcome one form of an answer is.
type offer struct {
	q        float64
	specific int // 0 for */*, 1 for text/*, 2 for text/html
	at       int // position in the header
}

func (o offer) better(than offer) bool {
	switch {
	case o.q != than.q:
		return o.q > than.q
	case o.specific != than.specific:
		return o.specific > than.specific
	}
	return o.at < than.at
}

// maxRanges bounds the work on one Accept header; real ones have under ten.
const maxRanges = 32

// wantsHTML reports whether HTML is the best answer to the given Accept
// headers.
func wantsHTML(headers []string) bool {
	accept := strings.TrimSpace(strings.Join(headers, ","))
	if accept == "" {
		return true
	}
	html := match(accept, "text/html")
	data := match(accept, "application/json")
	if markdown := match(accept, "text/markdown"); markdown.better(data) {
		data = markdown
	}
	if html.q == 0 && data.q == 0 {
		return false
	}
	return !data.better(html)
}

// match finds the most specific range of an Accept header that covers a type.
func match(accept, name string) offer {
	found := offer{specific: -1}
	major, _, _ := strings.Cut(name, "/")
	for at := range maxRanges {
		one, rest, more := strings.Cut(accept, ",")
		media, params, _ := strings.Cut(one, ";")
		specific := -1
		switch media = strings.ToLower(strings.TrimSpace(media)); {
		case media == name:
			specific = 2
		case media == major+"/*":
			specific = 1
		case media == "*/*":
			specific = 0
		}
		if specific > found.specific {
			found = offer{q: quality(params), specific: specific, at: at}
		}
		if !more {
			break
		}
		accept = rest
	}
	return found
}

// quality returns the q parameter among params, 1 without one and 0 where it
// cannot be read.
func quality(params string) float64 {
	for params != "" {
		var one string
		one, params, _ = strings.Cut(params, ";")
		name, value, _ := strings.Cut(strings.TrimSpace(one), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || q < 0 || q > 1 || q != q {
			return 0
		}
		return q
	}
	return 1
}
