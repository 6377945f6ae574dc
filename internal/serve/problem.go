package serve

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strconv"
)

// refusal is an answer that the server gives itself, before any face is asked.
type refusal struct {
	status int
	title  string // what happened, in general
	detail string // what is wrong with this request and what to do
	retry  int    // seconds; 0 leaves Retry-After out
	allow  string // methods that are allowed
	close  bool   // the connection cannot be used further
}

// problem is the form of RFC 9457. Its type is about:blank, which says that the
// title means what the status says.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// refuse writes a refusal, as a small page to browsers and as problem+json to
// everybody else. Nothing of the request is repeated in it.
func refuse(w http.ResponseWriter, r *http.Request, f *refusal) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if f.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(f.retry))
	}
	if f.allow != "" {
		h.Set("Allow", f.allow)
	}
	if f.close {
		h.Set("Connection", "close")
	}
	accept := r.Header.Get("Accept")
	if accept != "" && accept != "*/*" && wantsHTML([]string{accept}) && !dataPath(r) {
		h.Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(f.status)
		fmt.Fprintf(w, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>%s</title>"+
			"<h1>%s</h1><p>%s</p></html>\n", html.EscapeString(f.title), html.EscapeString(f.title),
			html.EscapeString(f.detail))
		return
	}
	h.Set("Content-Type", "application/problem+json")
	w.WriteHeader(f.status)
	body, err := json.Marshal(problem{"about:blank", f.title, f.status, f.detail})
	if err != nil {
		return // a problem is strings and a number
	}
	_, _ = w.Write(append(body, '\n')) // the client may have gone
}

// dataPath reports whether the address itself asks for data.
func dataPath(r *http.Request) bool {
	c := classify(r)
	return c == classData || c == classBulk || c == classMCP
}
