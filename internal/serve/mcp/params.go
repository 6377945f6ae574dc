package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// form is what a parameter of a request takes.
type form int

const (
	aText form = iota
	anObject
	someTexts // an object of texts
)

// place is a parameter of a request, with what to write there.
type place struct {
	path     string // below params
	form     form
	required bool
	help     string
}

// The help of parameters that several requests have.
const (
	cursorHelp = "write nextCursor of the answer before, or leave it out"
	metaHelp   = "write an object, or leave it out"
)

// paramsOf are the parameters of the requests that this server answers. The protocol
// library refuses wrong ones in terms of its own types.
var paramsOf = map[string][]place{
	"initialize": {
		{"protocolVersion", aText, false, "write the version of the protocol, such as 2025-11-25"},
		{"capabilities", anObject, false, "write an object, {} where there are none"},
		{"clientInfo", anObject, false, `write {"name": "...", "version": "..."}`},
		{"clientInfo.name", aText, false, "write the name of the client"},
		{"clientInfo.version", aText, false, "write the version of the client"},
	},
	// The arguments of a tool are read by its own parameters.
	"tools/call":               {{"name", aText, true, "write the name of a tool; tools/list gives them"}},
	"tools/list":               {{"cursor", aText, false, cursorHelp}},
	"prompts/list":             {{"cursor", aText, false, cursorHelp}},
	"resources/list":           {{"cursor", aText, false, cursorHelp}},
	"resources/templates/list": {{"cursor", aText, false, cursorHelp}},
	"prompts/get": {
		{"name", aText, true, "write the name of a prompt; prompts/list gives them"},
		{"arguments", someTexts, false, "write an object of texts"},
	},
	"resources/read": {{"uri", aText, true, "write the URI of a resource; resources/list gives them"}},
	"completion/complete": {
		{"ref", anObject, true, `write {"type": "ref/prompt", "name": "..."} or {"type": "ref/resource", "uri": "..."}`},
		{"ref.type", aText, true, "write ref/prompt or ref/resource"},
		{"ref.name", aText, false, "write the name of a prompt"},
		{"ref.uri", aText, false, "write the template of a resource"},
		{"argument", anObject, true, `write {"name": "...", "value": "..."}`},
		{"argument.name", aText, true, "write the name of the argument"},
		{"argument.value", aText, false, "write what was typed of it"},
		{"context", anObject, false, "write an object, or leave it out"},
		{"context.arguments", someTexts, false, "write an object of texts"},
	},
}

// wrongParams is the answer to a request whose parameters are not those that its
// method takes: it names each with its value and what to write. It is nil for all
// else.
func wrongParams(message []byte) []byte {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil || idOf(message) == nil {
		return nil // no request, or one that is refused as such
	}
	places, known := paramsOf[m.Method]
	if !known {
		return nil
	}
	wrong := misplaced(m.Params, append(places[:len(places):len(places)], place{"_meta", anObject, false, metaHelp}))
	if len(wrong) == 0 {
		return nil
	}
	answer, err := marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{
		"code": jsonrpc.CodeInvalidParams, "message": m.Method + ": " + strings.Join(wrong, ". "),
	}})
	if err != nil {
		return nil // cannot happen: strings, and a number that was read
	}
	return append(answer, '\n')
}

// misplaced says what is wrong with parameters.
func misplaced(params json.RawMessage, places []place) []string {
	if len(params) > 0 && !anObject.takes(params) && string(params) != "null" {
		return []string{fmt.Sprintf("params is %s; write an object", shown(string(params)))}
	}
	var wrong []string
	bad := map[string]bool{} // paths below which nothing more is said
	for _, p := range places {
		parent := ""
		if k := strings.LastIndex(p.path, "."); k >= 0 {
			parent = p.path[:k]
		}
		holder := at(params, parent)
		switch value := at(holder, p.path[len(parent):]); {
		case bad[parent] || parent != "" && holder == nil:
		case value == nil && p.required:
			wrong, bad[p.path] = append(wrong, fmt.Sprintf("params.%s is missing; %s", p.path, p.help)), true
		case value != nil && !p.form.takes(value):
			wrong, bad[p.path] = append(wrong, fmt.Sprintf("params.%s is %s; %s", p.path, shown(string(value)), p.help)), true
		}
	}
	return wrong
}

// at returns what stands under a path of keys, nil where nothing does.
func at(value json.RawMessage, path string) json.RawMessage {
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		if key == "" {
			continue
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(value, &fields) != nil {
			return nil
		}
		value = fields[key]
	}
	if string(value) == "null" {
		return nil
	}
	return value
}

// takes reports whether a value has the form.
func (f form) takes(value json.RawMessage) bool {
	var err error
	switch f {
	case aText:
		err = json.Unmarshal(value, new(string))
	case someTexts:
		err = json.Unmarshal(value, new(map[string]string))
	default:
		err = json.Unmarshal(value, new(map[string]json.RawMessage))
	}
	return err == nil
}

// newProtocol is the first version of the protocol in which a request whose
// parameters are wrong has a status of its own over HTTP.
const newProtocol = "2026-07-28"

// checkedParams answers requests whose parameters are wrong, before the protocol
// library does.
func checkedParams(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method != http.MethodPost || err != nil || kind != "application/json" {
			next.ServeHTTP(w, r)
			return
		}
		message, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
		if err == nil && len(message) <= maxBody {
			if answer := wrongParams(message); answer != nil {
				w.Header().Set("Content-Type", "application/json")
				if r.Header.Get("MCP-Protocol-Version") >= newProtocol {
					w.WriteHeader(http.StatusBadRequest)
				}
				_, _ = w.Write(answer) // a client that has gone cannot be told
				return
			}
		}
		r.Body = reread{io.MultiReader(bytes.NewReader(message), rest{r.Body, err}), r.Body}
		next.ServeHTTP(w, r)
	})
}
