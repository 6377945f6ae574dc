package serve

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

// refusal is an answer that the server gives itself, before any face is asked.
type refusal struct {
	status int
	detail bilingual.Text // what is wrong with this request
	remedy bilingual.Text // what to do
	retry  int            // seconds; 0 leaves Retry-After out
	allow  string         // methods that are allowed
	close  bool           // the connection cannot be used further
}

// problem is the form of RFC 9457 that the API has, too.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Remedy string `json:"remedy,omitempty"`
}

// both is a text in both languages.
func both(en, ko string) bilingual.Text { return bilingual.Text{En: en, Ko: ko} }

// kind names the kind of problem that a status stands for: the last part of
// its address below /problems/, and its title.
func kind(status int) (slug string, title bilingual.Text) {
	switch status {
	case http.StatusBadRequest:
		return "bad-request", both("The request is malformed", "요청의 형식이 잘못됨")
	case http.StatusForbidden:
		return "forbidden", both("The request is not allowed", "허용되지 않는 요청")
	case http.StatusNotFound:
		return "not-found", both("There is no such thing", "찾는 것이 없음")
	case http.StatusMethodNotAllowed:
		return "method-not-allowed", both("The method is not allowed", "허용되지 않는 메서드")
	case http.StatusRequestEntityTooLarge:
		return "content-too-large", both("The request has too large a body", "요청 본문이 너무 큼")
	case http.StatusRequestURITooLong:
		return "uri-too-long", both("The address is too long", "주소가 너무 김")
	case http.StatusMisdirectedRequest:
		return "misdirected", both("The request is for another server", "다른 서버로 갈 요청")
	case http.StatusTooManyRequests:
		return "rate-limited", both("Too many requests", "요청이 너무 많음")
	case http.StatusServiceUnavailable:
		return "overloaded", both("The server is busy", "서버가 바쁨")
	}
	return "internal", both("The server failed", "서버 오류")
}

// refuse writes a refusal, as a small page to browsers and as problem+json to
// everybody else, in the language that is asked for. Nothing of the request is
// repeated in it.
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
		refusalPage(w, f, pageLang(r))
		return
	}
	lang := programLang(r)
	slug, title := kind(f.status)
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Language", string(lang))
	h.Set("Access-Control-Allow-Origin", "*") // scripts may read why, and when to come back
	h.Set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id, Content-Language")
	w.WriteHeader(f.status)
	body, err := json.Marshal(problem{"/problems/" + slug, title.In(lang), f.status, f.detail.In(lang), f.remedy.In(lang)})
	if err != nil {
		return // cannot happen: a problem is strings and a number
	}
	_, _ = w.Write(append(body, '\n')) // the client may have gone
}

// refusalPage is made of constants, without style or script, so that it costs
// nothing while the server is busy.
func refusalPage(w http.ResponseWriter, f *refusal, l bilingual.Lang) {
	_, title := kind(f.status)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(f.status)
	fmt.Fprintf(w, `<!doctype html>
<html lang="%[4]s"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>%[1]s</title>
<h1>%[1]s</h1>
<p>%[2]s</p>
<p>%[3]s</p>
</html>
`, html.EscapeString(title.In(l)), html.EscapeString(f.detail.In(l)), html.EscapeString(f.remedy.In(l)), l)
}

// pageLang is the language of a page, of which its address tells.
func pageLang(r *http.Request) bilingual.Lang {
	if r.URL.Path == "/ko" || strings.HasPrefix(r.URL.Path, "/ko/") {
		return bilingual.Korean
	}
	return bilingual.English
}

// programLang is the language of a refusal to a program: as in the API that of
// the path, of the query, or the one that Accept-Language wants most.
func programLang(r *http.Request) bilingual.Lang {
	if l := pageLang(r); l != bilingual.English {
		return l
	}
	for rest, more := r.URL.RawQuery, true; more; {
		var one string
		one, rest, more = strings.Cut(rest, "&")
		if value, ok := strings.CutPrefix(one, "lang="); ok {
			if l, ok := bilingual.Parse(value); ok {
				return l
			}
		}
	}
	return negotiate.Language(r.Header)
}

// isBrowser reports whether a person reads the answer.
func isBrowser(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	if accept == "" || accept == "*/*" || !wantsHTML(r) || dataSuffix(path.Ext(r.URL.Path)) {
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
