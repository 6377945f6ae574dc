package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Clients that show pages of a server beside its answers say so by an extension
// of the protocol, MCP Apps. They get [viewURI], and the tool that it belongs to
// names it; all others see a server without any of it. So there are two protocol
// servers of a library, and what a client declares chooses one of them.
//
// Over HTTP a client of the revision 2026-07-28 declares it with every request.
// One of an earlier revision does so once, when it begins a session, and we keep
// none; so the id of its session, which it sends along, says that it did.
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appsType      = "text/html;profile=mcp-app"
	appsSession   = "apps-" // begins the ids of sessions
	sessionHeader = "Mcp-Session-Id"
)

// appsSettings are what both sides say of the extension.
func appsSettings() map[string]any { return map[string]any{"mimeTypes": []string{appsType}} }

// declaration is the part of a message that may declare the extension.
type declaration struct {
	Method string `json:"method"`
	Params struct {
		Capabilities capabilities `json:"capabilities"` // of initialize
		Meta         struct {
			Capabilities capabilities `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
	} `json:"params"`
}

type capabilities struct {
	Extensions map[string]struct {
		MIMETypes []string `json:"mimeTypes"`
	} `json:"extensions"`
}

func (c capabilities) apps() bool {
	return slices.Contains(c.Extensions[appsExtension].MIMETypes, appsType)
}

// declares reports whether a message declares the extension, and whether it
// begins a session with that.
func declares(message []byte) (apps, begins bool) {
	if !bytes.Contains(message, []byte(appsExtension)) {
		return false, false
	}
	var d declaration
	if json.Unmarshal(message, &d) != nil {
		return false, false // what is wrong with it, others say
	}
	begins = d.Method == "initialize" && d.Params.Capabilities.apps()
	return begins || d.Params.Meta.Capabilities.apps(), begins
}

// appsKey is the key under which the context of a request says that its client
// has the extension.
type appsKey struct{}

func hasApps(r *http.Request) bool { return r.Context().Value(appsKey{}) != nil }

// negotiated finds out whether the client of a request has the extension.
func negotiated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
		r.Body = reread{io.MultiReader(bytes.NewReader(head), rest{r.Body, err}), r.Body}
		apps, begins := declares(head)
		if begins {
			w = &beginning{ResponseWriter: w}
		}
		if apps || strings.HasPrefix(r.Header.Get(sessionHeader), appsSession) {
			r = r.WithContext(context.WithValue(r.Context(), appsKey{}, true))
		}
		next.ServeHTTP(w, r)
	})
}

// reread is a body of which some was read before.
type reread struct {
	io.Reader
	io.Closer
}

// rest goes on reading, but for an error that has come already.
type rest struct {
	in  io.Reader
	err error
}

// Read implements [io.Reader].
func (r rest) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	return r.in.Read(p)
}

// beginning names the session in the answer that begins it, if there is one.
type beginning struct {
	http.ResponseWriter
	told bool
}

// Unwrap serves [http.ResponseController].
func (b *beginning) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// Flush implements [http.Flusher].
func (b *beginning) Flush() {
	b.tell(http.StatusOK)
	_ = http.NewResponseController(b.ResponseWriter).Flush() // the writer may not stream
}

// WriteHeader implements [http.ResponseWriter].
func (b *beginning) WriteHeader(status int) {
	b.tell(status)
	b.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (b *beginning) Write(p []byte) (int, error) {
	b.tell(http.StatusOK)
	return b.ResponseWriter.Write(p)
}

func (b *beginning) tell(status int) {
	if !b.told && status == http.StatusOK {
		b.Header().Set(sessionHeader, appsSession+rand.Text())
	}
	b.told = true
}

// viewMeta says what the page may reach, which is nothing but the client itself.
func viewMeta() sdk.Meta {
	none := []string{}
	return sdk.Meta{"ui": map[string]any{
		"csp":           map[string]any{"connectDomains": none, "resourceDomains": none, "frameDomains": none, "baseUriDomains": none},
		"prefersBorder": true,
	}}
}

// addView offers the page that shows replays.
func addView(server *sdk.Server) {
	page := viewPage()
	server.AddResource(&sdk.Resource{
		URI: viewURI, Name: "replay-view", Title: "Replay chart", MIMEType: appsType, Meta: viewMeta(),
		Description: "The chart of a replay, for clients that show pages of a server", Size: int64(len(page)),
	}, func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
			URI: req.Params.URI, MIMEType: appsType, Text: page, Meta: viewMeta(),
		}}}, nil
	})
}
