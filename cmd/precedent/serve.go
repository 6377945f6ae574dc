package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/doc"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/serve"
	"github.com/openprecedent/precedent/internal/serve/api"
	"github.com/openprecedent/precedent/internal/serve/mcp"
	"github.com/openprecedent/precedent/internal/serve/web"
)

// serveFlags are the flags of the server.
type serveFlags struct {
	addr        string
	metricsAddr string
	baseURL     string
	trustProxy  []string
	origins     []string
	logFormat   string
	logLevel    string
	noReload    bool
	rate        float64
	stopDelay   time.Duration
	noLimits    bool
	drafts      bool
}

func (p *process) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the library as a site, a JSON API and an MCP server",
		Long: `Serve shows the library in the browser, to programs (JSON API) and to agents (MCP)
until it is interrupted. It reads files and changes nothing; folders given with
--library are watched, and a change shows within a second. Files that are broken
leave the last good library in place; the log and /readyz say so. Drafts are shown
with --drafts only, to who asks for one by its id.

/healthz tells that the process lives, /readyz that it should get requests.
/metrics is on the main address only where that is loopback and no other address
leads to it; elsewhere give --metrics-addr.`,
		Example: `  precedent serve
  precedent serve --library ./incidents --addr 127.0.0.1:0
  precedent serve --addr :8080 --base-url https://precedent.example.org \
      --trust-proxy 10.0.0.0/8 --metrics-addr 127.0.0.1:9090 --log json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	flags.StringVar(&f.metricsAddr, "metrics-addr", "", "second address, for /metrics alone")
	flags.StringVar(&f.baseURL, "base-url", "",
		"address under which clients reach this server, where it is another")
	flags.StringSliceVar(&f.trustProxy, "trust-proxy", nil,
		"addresses (CIDR) of proxies whose X-Forwarded-For is believed (repeatable)")
	flags.StringSliceVar(&f.origins, "allow-origin", nil,
		"origins of web pages of others that may read answers, * for all (default * without --library, else only pages of this machine)")
	flags.StringVar(&f.logFormat, "log", "text", "form of the log on standard error: text or json")
	flags.StringVar(&f.logLevel, "log-level", "info",
		"debug, info, warn or error; debug shows paths, no level shows queries")
	flags.BoolVar(&f.noReload, "no-reload", false, "do not watch the folders of --library")
	flags.Float64Var(&f.rate, "rate", 1, "scale of what one client address may ask for, 0 for no limit")
	flags.DurationVar(&f.stopDelay, "stop-delay", 0, "time that /readyz says no before the server stops")
	draftsFlag(cmd, &f.drafts)
	flags.BoolVar(&f.noLimits, "no-limits", false, "take all limits off, for benchmarks")
	if err := flags.MarkHidden("no-limits"); err != nil {
		panic(err) // the flag was made one line above
	}
	return cmd
}

func (p *process) serve(ctx context.Context, f *serveFlags) error {
	opt, err := f.options(p.err)
	if err != nil {
		return err
	}
	// The port first: it fails fastest, and who connects early waits for the
	// library instead of being refused.
	listener, err := serve.Listen(ctx, f.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	if len(opt.Origins) == 0 && len(p.folders()) == 0 {
		opt.Origins = []string{"*"} // what is public may be read by every page
	}
	opt.Metrics = f.metricsAddr == "" && f.baseURL == "" && len(f.trustProxy) == 0 && loopback(listener)
	var server *serve.Server
	// Simulations begin when the server does, and not before.
	jobs := app.NewJobs(app.DefaultJobLimits(runtime.GOMAXPROCS(0)-1), buildVersion(),
		func(ctx context.Context) (func(), error) { return server.Turn(ctx) })
	parallel.Do(
		func() {
			opt.Library, err = serve.OpenLibrary(func() (*app.App, error) {
				a, _, err := p.open()
				if err == nil {
					err = a.Prepare()
				}
				return shown(a, f.drafts), err
			})
		},
		func() { p.mount(opt, f.baseURL, jobs) },
	)
	if err != nil {
		return err
	}
	if !opt.Unlimited {
		// One processor more than may compute, see serve.Options.
		opt.Slots = runtime.GOMAXPROCS(0)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(opt.Slots + 1))
	}
	server = serve.New(*opt)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Who interrupts a second time does not want to wait for the draining.
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })
	p.greet(opt.Library.App(), cmp.Or(f.baseURL, "http://"+visible(listener.Addr())))
	if err := p.metrics(ctx, f, server, opt.Log); err != nil {
		return err
	}
	p.watch(ctx, f, opt)
	return server.Serve(ctx, listener)
}

// options checks the flags.
func (f *serveFlags) options(errors io.Writer) (*serve.Options, error) {
	opt := &serve.Options{Rate: f.rate, Unlimited: f.noLimits, StopDelay: f.stopDelay, Origins: f.origins}
	if f.rate < 0 {
		return nil, app.Invalidf("rate", "write 1, 0.5 or 0", "the rate %v is negative", f.rate).
			Korean("1, 0.5, 0처럼 쓴다", "rate가 음수다: %v")
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return nil, app.Invalidf("log-level", "write debug, info, warn or error",
			"the log level %q is not known", f.logLevel).
			Korean("debug, info, warn, error 가운데 쓴다", "모르는 로그 수준: %q")
	}
	switch f.logFormat {
	case "text":
		opt.Log = slog.New(slog.NewTextHandler(errors, &slog.HandlerOptions{Level: level}))
	case "json":
		opt.Log = slog.New(slog.NewJSONHandler(errors, &slog.HandlerOptions{Level: level}))
	default:
		return nil, app.Invalidf("log", "write text or json", "the log format %q is not known", f.logFormat).
			Korean("text 또는 json으로 쓴다", "모르는 로그 형식: %q")
	}
	if f.baseURL != "" {
		u, err := url.Parse(f.baseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" ||
			strings.Trim(u.Path, "/") != "" {
			return nil, app.Invalidf("base-url", "write for example https://precedent.example.org",
				"the base URL %q is not http(s)://host[:port]", f.baseURL).
				Korean("https://precedent.example.org처럼 쓴다", "기본 주소가 http(s)://host[:port] 꼴이 아니다: %q")
		}
		opt.BaseURL = u
		f.baseURL = strings.TrimSuffix(f.baseURL, "/")
	}
	for _, one := range f.trustProxy {
		prefix, err := netip.ParsePrefix(one)
		if addr, addrErr := netip.ParseAddr(one); addrErr == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, app.Invalidf("trust-proxy", "write for example 10.0.0.0/8",
				"the proxy address %q is not an address or CIDR", one).
				Korean("10.0.0.0/8처럼 쓴다", "프록시 주소가 주소도 CIDR도 아니다: %q")
		}
		opt.TrustProxy = append(opt.TrustProxy, prefix)
	}
	return opt, nil
}

// mount makes the faces: what only the API has goes there, the rest is a page
// or data, as the client likes. It asks for no library, which may not be there
// yet.
func (p *process) mount(opt *serve.Options, base string, jobs *app.Jobs) {
	current := func() *app.App { return opt.Library.App() }
	pages := web.Options{
		Origin: base, Jobs: jobs, Log: opt.Log,
		CaseFormat:   bilingual.Text{En: doc.CaseFormat, Ko: doc.CaseFormatKo},
		SystemFormat: bilingual.Text{En: doc.SystemFormat, Ko: doc.SystemFormatKo},
	}
	site := web.New(current, pages)
	known := "" // the API takes the host of the request, which is right behind any address
	if opt.BaseURL != nil {
		known = base
	}
	data := api.New(current, api.Options{
		BaseURL: known, Build: buildVersion(), Rest: site, Articles: web.Articles(pages), Jobs: jobs, Log: opt.Log,
	})
	mux := http.NewServeMux()
	for _, path := range api.Paths() {
		mux.Handle(path, data)
	}
	mux.Handle("/static/", site)
	mux.Handle("/favicon.ico", site)
	mux.Handle("/", serve.Negotiate(site, data))
	opt.Faces = mux
	opt.MCP = mcp.New(current, mcp.Options{Origins: opt.Origins, Jobs: jobs, Logger: opt.Log}).Handler()
}

// greet tells where to look.
func (p *process) greet(a *app.App, base string) {
	fmt.Fprintf(p.err, "%s\n\n  site  %s/\n  API   %s/api/v1/\n  MCP   %s/mcp\n\n",
		a.Stats().Headline(p.speech()), base, base, base)
}

// metrics shows the figures on their own address, where one is given.
func (p *process) metrics(
	ctx context.Context, f *serveFlags, server *serve.Server, log *slog.Logger,
) error {
	if f.metricsAddr == "" {
		return nil
	}
	listener, err := serve.Listen(ctx, f.metricsAddr)
	if err != nil {
		return err
	}
	log.Info("metrics", "address", "http://"+visible(listener.Addr())+"/metrics")
	go func() {
		if err := server.ServeMetrics(ctx, listener); err != nil {
			log.Error("metrics have ended", "error", err)
		}
	}()
	return nil
}

// watch keeps the library fresh in the background.
func (p *process) watch(ctx context.Context, f *serveFlags, opt *serve.Options) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	context.AfterFunc(ctx, func() { signal.Stop(hangup) })
	var dirs []string
	if !f.noReload {
		dirs = p.folders()
	}
	go func() {
		if err := opt.Library.Watch(ctx, dirs, hangup, opt.Log); err != nil {
			opt.Log.Error("changes of the library are no longer seen; restart to read them", "error", err)
		}
	}()
}

func loopback(l net.Listener) bool {
	addr, ok := l.Addr().(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// visible returns an address that can be opened: a wildcard is no place.
func visible(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
