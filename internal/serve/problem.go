package serve

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// refusal is an answer that the server gives itself, before any face is asked.
type refusal struct {
	status int
	detail string // what is wrong with this request
	remedy string // what to do
	retry  int    // seconds; 0 leaves Retry-After out
	allow  string // methods that are allowed
	close  bool   // the connection cannot be used further
}

// problem is the form of RFC 9457 that the API has, too.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Remedy string `json:"remedy,omitempty"`
}

// kind names the kind of problem that a status stands for: the last part of
// its address below /problems/, and its title.
func kind(status int) (slug, title string) {
	switch status {
	case http.StatusBadRequest:
		return "bad-request", "The request is malformed"
	case http.StatusForbidden:
		return "forbidden", "The request is not allowed"
	case http.StatusNotFound:
		return "not-found", "There is no such thing"
	case http.StatusMethodNotAllowed:
		return "method-not-allowed", "The method is not allowed"
	case http.StatusRequestEntityTooLarge:
		return "content-too-large", "The request has too large a body"
	case http.StatusRequestURITooLong:
		return "uri-too-long", "The address is too long"
	case http.StatusMisdirectedRequest:
		return "misdirected", "The request is for another server"
	case http.StatusTooManyRequests:
		return "rate-limited", "Too many requests"
	case http.StatusServiceUnavailable:
		return "overloaded", "The server is busy"
	}
	return "internal", "The server failed"
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
	if isBrowser(r) {
		refusalPage(w, f)
		return
	}
	slug, title := kind(f.status)
	h.Set("Content-Type", "application/problem+json")
	h.Set("Access-Control-Allow-Origin", "*") // scripts may read why, and when to come back
	h.Set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id")
	w.WriteHeader(f.status)
	body, err := json.Marshal(problem{"/problems/" + slug, title, f.status, f.detail, f.remedy})
	if err != nil {
		return // cannot happen: a problem is strings and a number
	}
	_, _ = w.Write(append(body, '\n')) // the client may have gone
}

// refusalPage is made of constants, without style or script, so that it costs
// nothing while the server is busy.
func refusalPage(w http.ResponseWriter, f *refusal) {
	_, title := kind(f.status)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(f.status)
	fmt.Fprintf(w, `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>%[1]s</title>
<h1>%[1]s</h1>
<p>%[2]s</p>
<p>%[3]s</p>
</html>
`, html.EscapeString(title), html.EscapeString(f.detail), html.EscapeString(f.remedy))
}

// isBrowser reports whether a person reads the answer.
func isBrowser(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	if accept == "" || accept == "*/*" || !wantsHTML([]string{accept}) || dataSuffix(path.Ext(r.URL.Path)) {
		return false
	}
	switch classify(r) {
	case classPage, classSearch, classStatic:
		return true
	case classRun:
		return !strings.HasPrefix(r.URL.Path, "/api/")
	}
	return false
}
