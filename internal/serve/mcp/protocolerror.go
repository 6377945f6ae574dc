package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// protocolErrors gives the answers with which the protocol library refuses a
// message, which are plain text, the form that they have over standard output:
// a JSON-RPC error, with the id of the message where that has one. Statuses
// stay as they are.
func protocolErrors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		var seen bytes.Buffer
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(r.Body, &seen), r.Body}
		c := &catcher{ResponseWriter: w}
		next.ServeHTTP(c, r)
		if c.caught {
			c.tell(seen.Bytes())
		}
	})
}

// catcher holds back an answer that is an error in plain text.
type catcher struct {
	http.ResponseWriter
	status int
	caught bool
	text   bytes.Buffer
}

// Unwrap serves [http.ResponseController].
func (c *catcher) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Flush implements [http.Flusher].
func (c *catcher) Flush() {
	if !c.caught {
		_ = http.NewResponseController(c.ResponseWriter).Flush() // the writer may not stream
	}
}

// WriteHeader implements [http.ResponseWriter].
func (c *catcher) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(c.Header().Get("Content-Type"), "text/plain") {
		c.status, c.caught = status, true
		return
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (c *catcher) Write(p []byte) (int, error) {
	if c.caught {
		return c.text.Write(p)
	}
	return c.ResponseWriter.Write(p)
}

// tell writes what was held back as an error about the given message.
func (c *catcher) tell(message []byte) {
	why := strings.TrimSpace(c.text.String())
	code := int64(jsonrpc.CodeInvalidRequest)
	switch {
	case c.status == http.StatusBadRequest && !json.Valid(message):
		code = jsonrpc.CodeParseError
	case strings.HasPrefix(why, "JSON RPC not handled"):
		code = jsonrpc.CodeMethodNotFound
	}
	body, err := marshal(map[string]any{
		"jsonrpc": "2.0", "id": idOf(message), "error": map[string]any{"code": code, "message": shown(why)},
	})
	if err != nil {
		body = nil // cannot happen: the map holds plain data
	}
	c.Header().Set("Content-Type", "application/json")
	c.Header().Del("Content-Length")
	c.ResponseWriter.WriteHeader(c.status)
	_, _ = c.ResponseWriter.Write(append(body, '\n')) // a client that has gone cannot be told
}
