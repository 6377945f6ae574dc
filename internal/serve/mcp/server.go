package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
)

// Version is the version of the tools, resources and prompts that this package
// serves. The registry entry server.json names the same one.
const Version = "0.1.0"

// maxBody bounds a request. The longest sensible one is a search for a pasted
// log of [app.MaxQuery] bytes.
const maxBody = 256 << 10

// cacheTime is how long clients may keep lists and resources: a new library
// is rare, and an old list does no harm.
const cacheTime = 5 * time.Minute

// Options configure a [Server].
type Options struct {
	// Origins are the browser origins that may call the server over HTTP, such
	// as https://console.example.com, besides pages on this machine. A single *
	// allows all, which is right for a public server and wrong for a private
	// library that listens on a loopback address.
	Origins []string
	// Jobs runs simulations; nil means a runner of the server's own.
	Jobs *app.Jobs
	// Cluster reads the live cluster for the tool check_cluster, which only a client
	// over standard input and output is offered; nil for none.
	Cluster ClusterReader
	// Logger receives errors of ours, and at the debug level what the protocol
	// library tells; nil discards both.
	Logger *slog.Logger
	// Configure and Extend change a protocol server before and after it is made.
	// The conformance suite adds its fixtures with them.
	Configure func(*sdk.ServerOptions)
	Extend    func(*sdk.Server)
}

// Server serves the current library to MCP clients.
type Server struct {
	current func() *app.App
	opt     Options
	log     *slog.Logger
	built   atomic.Pointer[built]
}

// built are the protocol servers of a library, for clients without and with
// [appsExtension]. Each is made when the first of its clients asks.
type built struct {
	app         *app.App
	plain, apps func() *sdk.Server
}

func (b *built) server(apps bool) *sdk.Server {
	if apps {
		return b.apps()
	}
	return b.plain()
}

// New returns a server of the library that current returns, which may change
// between calls.
func New(current func() *app.App, opt Options) *Server {
	log := opt.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if opt.Jobs == nil {
		opt.Jobs = app.NewJobs(app.DefaultJobLimits(1), Version, nil)
	}
	return &Server{current: current, opt: opt, log: log}
}

// server returns the protocol server of the current library for clients with or
// without [appsExtension].
func (s *Server) server(apps bool) *sdk.Server {
	a := s.current()
	if b := s.built.Load(); b != nil && b.app == a {
		return b.server(apps)
	}
	once := func(apps bool) func() *sdk.Server {
		return sync.OnceValue(func() *sdk.Server { return s.build(a, apps, nil) })
	}
	b := &built{app: a, plain: once(false), apps: once(true)}
	s.built.Store(b) // two requests at once may build twice, and either may stay
	return b.server(apps)
}

// build makes a protocol server, for clients with or without [appsExtension], with
// the tools in more beside those that all are offered.
func (s *Server) build(a *app.App, apps bool, more []*tool) *sdk.Server {
	scope := cacheScope(a, apps)
	opt := &sdk.ServerOptions{
		Instructions: instructions(a),
		Logger:       quiet(s.log),
		PageSize:     100,
		// Without these the protocol library offers logging, which is
		// deprecated, and notices of changes, which need a session.
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{},
		},
		CompletionHandler: completer(a),
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			c.TTLMs, c.CacheScope = int(cacheTime/time.Millisecond), scope
		},
	}
	if apps {
		opt.Capabilities.AddExtension(appsExtension, appsSettings())
	}
	if s.opt.Configure != nil {
		s.opt.Configure(opt)
	}
	server := sdk.NewServer(&sdk.Implementation{
		Name: "precedent", Title: "Precedent", Version: Version,
		Description: "Published outages as structured cases: search, compare, and see what worked",
	}, opt)
	server.AddReceivingMiddleware(s.recoverPanics)
	for _, t := range slices.Concat(tools, simTools(s.opt.Jobs, apps), more) {
		server.AddTool(t.definition(a), t.handler(a))
	}
	addResources(server, a)
	if apps {
		addView(server)
	}
	addPrompts(server, a)
	if s.opt.Extend != nil {
		s.opt.Extend(server)
	}
	return server
}

// cacheScope says whether answers may be kept by caches that several people
// share: not where a private library is among the layers, and not those that are
// for clients with an extension only.
func cacheScope(a *app.App, apps bool) string {
	if a.Public() && !apps {
		return "public"
	}
	return "private"
}

// recoverPanics keeps a mistake of ours in one request from ending the others, and
// gives errors that have no code the one of our mistakes.
func (s *Server) recoverPanics(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log.Error("answering an MCP request panicked", "method", method, "panic", p)
				err = fmt.Errorf("answering %s: internal error", method)
			}
			var coded *jsonrpc.Error
			if err != nil && !errors.As(err, &coded) && ctx.Err() == nil {
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
			}
		}()
		return next(ctx, method, req)
	}
}

// Handler returns the Streamable HTTP endpoint, for the path /mcp.
func (s *Server) Handler() http.Handler {
	h := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server { return s.server(hasApps(r)) }, &sdk.StreamableHTTPOptions{
		Stateless: true,
		// Answers stay event streams: as plain JSON the protocol library would
		// silently drop notices of progress.
		JSONResponse:                 false,
		MaxRequestBodyBytes:          maxBody,
		PropagateRequestCancellation: true,
		Logger:                       quiet(s.log),
	})
	return newGuard(s.opt.Origins, named(checkedParams(negotiated(protocolErrors(h)))))
}

// named tells the tools which client calls, whatever the client itself says.
func named(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set(clientHeader, app.ClientOf(r.Context()))
		h.ServeHTTP(w, r)
	})
}

// quiet tells what the protocol library logs at the debug level only: it
// reports every session, and every mistake of a client as an error.
func quiet(log *slog.Logger) *slog.Logger { return slog.New(debug{log.Handler()}) }

type debug struct{ slog.Handler }

// Enabled implements [slog.Handler].
func (d debug) Enabled(ctx context.Context, _ slog.Level) bool {
	return d.Handler.Enabled(ctx, slog.LevelDebug)
}

// Handle implements [slog.Handler].
func (d debug) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelDebug
	return d.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (d debug) WithAttrs(attrs []slog.Attr) slog.Handler { return debug{d.Handler.WithAttrs(attrs)} }

// WithGroup implements [slog.Handler].
func (d debug) WithGroup(name string) slog.Handler { return debug{d.Handler.WithGroup(name)} }
