package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Problem is an error answer after RFC 9457.
type Problem struct {
	Type   string         `json:"type" jsonschema:"reference to the page that describes this kind of problem; the same on every server"`
	Title  string         `json:"title" jsonschema:"the kind of problem in words"`
	Status int            `json:"status" jsonschema:"the HTTP status"`
	Detail string         `json:"detail,omitempty" jsonschema:"what is wrong with this request"`
	Remedy string         `json:"remedy,omitempty" jsonschema:"what to do about it"`
	Errors []ProblemError `json:"errors,omitempty" jsonschema:"each parameter that is wrong"`

	Available []string `json:"available,omitempty" jsonschema:"the media types that there are, where the header Accept takes none of them"`

	Problems []strictyaml.Problem `json:"problems,omitempty" jsonschema:"all that is wrong with a system file, with its places"`

	lang bilingual.Lang // of its words
}

// ProblemError is one thing that is wrong with a request.
type ProblemError struct {
	Parameter string `json:"parameter" jsonschema:"name of the parameter"`
	In        string `json:"in" jsonschema:"query, path or body"`
	Detail    string `json:"detail" jsonschema:"what is wrong with it"`
	Remedy    string `json:"remedy,omitempty" jsonschema:"what to do about it"`
}

// problemKind is a kind of problem. Its page is at /problems/ and its slug.
type problemKind struct {
	slug   string
	status int
	title  bilingual.Text
	doc    bilingual.Text
}

// problemKinds are the kinds of problem by slug, in the order of their status.
// A slug never changes its meaning.
var problemKinds = []problemKind{
	{"invalid-parameter", 400, bilingual.Text{En: "A parameter is not valid", Ko: "매개변수가 올바르지 않음"}, bilingual.Text{
		En: "A parameter of the request does not exist, is repeated where it must not be, or has a value that cannot be used. `errors` names each one with what to do; a name or term that is nearly right is offered.",
		Ko: "요청의 매개변수가 없는 것이거나, 한 번만 써야 하는데 거듭됐거나, 쓸 수 없는 값이다. `errors`가 하나하나와 고치는 방법을 적고, 비슷한 이름이나 용어가 있으면 알려 준다."}},
	{"bad-request", 400, bilingual.Text{En: "The request is malformed", Ko: "요청의 형식이 잘못됨"}, bilingual.Text{
		En: "The request as such cannot be read: its address is not a plain path, or its body does not arrive whole.",
		Ko: "요청 자체를 읽을 수 없다. 주소가 보통의 경로가 아니거나 본문이 끝까지 오지 않았다."}},
	{"forbidden", 403, bilingual.Text{En: "The request is not allowed", Ko: "허용되지 않는 요청"}, bilingual.Text{
		En: "A page of another site asked this server to compute. Who runs the server decides which pages may, with `--allow-origin`.",
		Ko: "다른 사이트의 페이지가 이 서버에 계산을 시켰다. 어느 페이지에 허용할지는 운영자가 `--allow-origin`으로 정한다."}},
	{"not-found", 404, bilingual.Text{En: "There is no such thing", Ko: "찾는 것이 없음"}, bilingual.Text{
		En: "The library has no case, topic or list of this name, or the server has nothing at this address. The remedy offers the nearest name.",
		Ko: "라이브러리에 그런 이름의 사례, 주제, 목록이 없거나 서버에 그런 주소가 없다. `remedy`가 가장 비슷한 이름을 알려 준다."}},
	{"method-not-allowed", 405, bilingual.Text{En: "The method is not allowed", Ko: "허용되지 않는 메서드"}, bilingual.Text{
		En: "The library is read-only: GET, HEAD and OPTIONS are all there is, but for simulations, which are started with POST and taken back with DELETE. The header `Allow` says what an address has.",
		Ko: "라이브러리는 읽기 전용이라 GET, HEAD, OPTIONS만 있다. 시뮬레이션만 POST로 시작하고 DELETE로 그만둔다. 주소마다 쓸 수 있는 메서드는 헤더 `Allow`에 적혀 있다."}},
	{"not-acceptable", 406, bilingual.Text{En: "No such representation", Ko: "그런 표현 형식이 없음"}, bilingual.Text{
		En: "The header `Accept` leaves out every representation that there is. Ask for `application/json` or `text/markdown`, or use the suffix `.json` or `.md`.",
		Ko: "헤더 `Accept`가 있는 표현 형식을 모두 뺐다. `application/json`이나 `text/markdown`을 요청하거나, 주소 끝에 `.json`이나 `.md`를 붙인다."}},
	{"gone", 410, bilingual.Text{En: "The case was withdrawn", Ko: "철회된 사례"}, bilingual.Text{
		En: "The library had this case and has withdrawn it. `detail` says why, and `remedy` names the case to read instead where there is one. The id is not given again.",
		Ko: "라이브러리에 있던 사례인데 철회됐다. `detail`이 까닭을, `remedy`가 대신 읽을 사례가 있으면 그것을 적는다. 같은 id를 다시 쓰지 않는다."}},
	{"content-too-large", 413, bilingual.Text{En: "The request has too large a body", Ko: "요청 본문이 너무 큼"}, bilingual.Text{
		En: "The body is larger than what is read here. Only simulations have one, of a system file of 65,536 bytes at most; a query stands in the address.",
		Ko: "본문이 읽을 수 있는 것보다 크다. 본문은 시뮬레이션에만 있고 시스템 파일은 65,536바이트까지다. 질의는 주소에 적어 보낸다."}},
	{"uri-too-long", 414, bilingual.Text{En: "The address is too long", Ko: "주소가 너무 김"}, bilingual.Text{
		En: "An address may have 32,768 bytes. A pasted log is understood as well by its most telling lines.",
		Ko: "주소는 32,768바이트까지다. 로그는 가장 뚜렷한 몇 줄만 붙여 넣어도 같은 결과를 얻는다."}},
	{"unsupported-media-type", 415, bilingual.Text{En: "The body has another type", Ko: "본문의 형식이 다름"}, bilingual.Text{
		En: "A simulation is asked for in JSON, with the header `Content-Type: application/json`.",
		Ko: "시뮬레이션은 헤더 `Content-Type: application/json`과 함께 JSON으로 요청한다."}},
	{"misdirected", 421, bilingual.Text{En: "The request is for another server", Ko: "다른 서버로 갈 요청"}, bilingual.Text{
		En: "The host that the request names is not one that this server answers to. Use the address it was started with; who runs it can give it a name with `--base-url`.",
		Ko: "요청에 적힌 호스트는 이 서버가 답하는 이름이 아니다. 서버를 시작할 때의 주소를 쓴다. 운영자는 `--base-url`로 이름을 줄 수 있다."}},
	{"unsound-system", 422, bilingual.Text{En: "The system cannot be run", Ko: "실행할 수 없는 시스템"}, bilingual.Text{
		En: "The system file of a simulation has errors. `problems` lists all of them, each with its line, its field, what is wrong and what to do.",
		Ko: "시뮬레이션의 시스템 파일에 오류가 있다. `problems`가 줄, 필드, 틀린 것, 고치는 방법을 빠짐없이 적는다."}},
	{"rate-limited", 429, bilingual.Text{En: "Too many requests", Ko: "요청이 너무 많음"}, bilingual.Text{
		En: "Requests from this address come faster than the server allows. Wait as long as `Retry-After` says. To read everything, take `/all.zip` once instead of each case.",
		Ko: "이 주소에서 오는 요청이 서버가 허용하는 것보다 잦다. `Retry-After` 만큼 기다린다. 전부 읽으려면 사례를 하나씩 받지 말고 `/all.zip`을 한 번 받는다."}},
	{"internal", 500, bilingual.Text{En: "The server failed", Ko: "서버 오류"}, bilingual.Text{
		En: "The server made a mistake; its log has the reason. The same request may succeed later.",
		Ko: "서버의 잘못이며 까닭은 서버 로그에 있다. 같은 요청이 나중에는 될 수 있다."}},
	{"overloaded", 503, bilingual.Text{En: "The server is busy", Ko: "서버가 바쁨"}, bilingual.Text{
		En: "The server has as much to do as it can and turns requests away early rather than serve all of them late. Wait as long as `Retry-After` says, and add a random share to it.",
		Ko: "서버가 할 수 있는 만큼 일하고 있어서, 모두를 늦게 처리하는 대신 일부 요청을 일찍 돌려보낸다. `Retry-After` 만큼 기다리되 조금씩 다르게 더 기다린다."}},
}

// kindOfStatus returns the first kind of a status.
func kindOfStatus(status int) problemKind {
	for _, k := range problemKinds {
		if k.status == status {
			return k
		}
	}
	return kindOfStatus(http.StatusInternalServerError)
}

// problem returns a problem with the given status in language l.
func problem(l bilingual.Lang, status int, detail, remedy bilingual.Text, errs ...ProblemError) *Problem {
	k := kindOfStatus(status)
	return &Problem{
		Type: "/problems/" + k.slug, Title: k.title.In(l), Status: k.status,
		Detail: detail.In(l), Remedy: remedy.In(l), Errors: errs, lang: l,
	}
}

// refuse answers a request with a problem in the language that it asks for.
func refuse(w http.ResponseWriter, r *http.Request, status int, detail, remedy bilingual.Text) {
	w.Header().Add("Vary", "Accept-Language")
	problem(langOf(r), status, detail, remedy).write(w, r)
}

// langOf returns the language that a request asks for by its path, its query
// or its header.
func langOf(r *http.Request) bilingual.Lang {
	if at, ok := r.Context().Value(addressKey{}).(address); ok && at.lang != "" {
		return at.lang
	}
	if strings.HasPrefix(r.URL.Path, "/ko/") {
		return bilingual.Korean
	}
	if l, ok := bilingual.Parse(r.URL.Query().Get("lang")); ok {
		return l
	}
	return negotiate.Language(r.Header)
}

// statuses maps the kinds of error to HTTP statuses.
var statuses = map[app.Kind]int{
	app.Invalid: http.StatusBadRequest, app.NotFound: http.StatusNotFound, app.Gone: http.StatusGone,
	app.Internal: http.StatusInternalServerError, app.Findings: http.StatusInternalServerError,
}

// asProblem puts an error of package app into an answer in language l. What an
// internal error says stays in the server.
func asProblem(l bilingual.Lang, err error, op *operation) *Problem {
	var e *app.Error
	if !errors.As(err, &e) || statuses[e.Kind] == http.StatusInternalServerError {
		return problem(l, http.StatusInternalServerError, bilingual.Text{}, bilingual.Text{})
	}
	p := problem(l, statuses[e.Kind], bilingual.Text{}, bilingual.Text{})
	p.Detail, p.Remedy = app.Message(e, l), app.Hint(e, l, addressOf)
	if e.Note != nil {
		p.Detail += ": " + output.Read(e.Note, l)
	}
	if param := op.paramOf(e.Field); param != nil {
		p.Errors = []ProblemError{{param.name, param.in, p.Detail, p.Remedy}}
	}
	return p
}

// invalid puts all that is wrong with a query into an answer in language l.
func invalid(l bilingual.Lang, wrong []error) *Problem {
	p := problem(l, http.StatusBadRequest, bilingual.Text{}, bilingual.Text{})
	for _, err := range wrong {
		one := ProblemError{In: "query", Detail: app.Message(err, l), Remedy: app.Hint(err, l, addressOf)}
		var e *app.Error
		if errors.As(err, &e) {
			one.Parameter = e.Field
		}
		p.Errors = append(p.Errors, one)
	}
	p.Detail, p.Remedy = p.Errors[0].Detail, p.Errors[0].Remedy
	return p
}

// addressOf writes a call as the address that answers it.
func addressOf(c app.Call) string {
	path := Root + "/" + string(c.Use)
	if c.Arg != "" {
		path += "/" + url.PathEscape(c.Arg)
	}
	if c.Use == app.UseSearch {
		path += "?q="
	}
	return path
}

// write answers a request with the problem.
func (p *Problem) write(w http.ResponseWriter, r *http.Request) {
	raw, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		raw = []byte("{}") // cannot happen: the struct holds plain data
	}
	raw = append(raw, '\n')
	h := w.Header()
	common(h)
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	h.Set("Content-Language", string(p.lang))
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(raw) // a client that has gone cannot be told
	}
}

// fail answers a request with the problem that belongs to a status: 404, 413,
// 500 and the like.
func fail(w http.ResponseWriter, r *http.Request, status int) {
	refuse(w, r, status, bilingual.Text{}, bilingual.Text{})
}
