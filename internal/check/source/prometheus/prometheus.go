// Package prometheus reads figures of a server that speaks the HTTP API of Prometheus
// into a snapshot. It sends the queries of the folder doc, each once and with GET, and
// goes nowhere else.
package prometheus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// Bounds of what is read.
const (
	maxAnswer    = 128 << 20 // bytes: 50,000 pods take some 15 MB
	maxRedirects = 3
)

// Options say how a server is read.
type Options struct {
	// Address is what stands before /api/v1, or env:NAME for that in an environment variable.
	Address string
	Queries string        // as the folder doc holds them, one a line
	Wait    time.Duration // for each answer; 0 for 30 s
	Env     func(name string) string
}

// TokenName is the environment variable of a token that is sent to the server.
const TokenName = "PROMETHEUS_TOKEN"

// ErrSecret is the error of an address that holds a password, which everybody who
// may list the processes of the machine could read.
var ErrSecret = errors.New("the address holds a password, which the list of processes shows")

// ErrAddress is the error of an address that is none.
var ErrAddress = errors.New("no address of a server")

// reader reads one server.
type reader struct {
	snap   *object.Snapshot
	http   *http.Client
	base   *url.URL
	token  string
	wait   time.Duration
	secret []string // what no error may hold
}

// Read reads what the queries ask for. A kind that could not be read is missed, with
// the reason; the error is that of a server that cannot be reached, or is none.
func Read(ctx context.Context, snap *object.Snapshot, opt Options) error {
	r, err := newReader(snap, opt)
	if err != nil {
		return err
	}
	defer r.http.CloseIdleConnections()
	for _, q := range queries(opt.Queries) {
		body, err := r.ask(ctx, q.text)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errTooLarge), errors.Is(err, context.DeadlineExceeded):
			snap.Missed(q.kind, err.Error())
			continue
		case err != nil:
			return fmt.Errorf("asking %s: %s", r.base.Redacted(), r.scrub(err.Error()))
		}
		c, err := manifest.Prometheus(r.base.Redacted(), q.kind, body)
		switch {
		case errors.Is(err, manifest.ErrNoSeries):
			snap.Absent(q.kind, err.Error())
		case err != nil:
			snap.Missed(q.kind, r.scrub(err.Error()))
		default:
			c.AddTo(snap)
		}
	}
	return nil
}

func newReader(snap *object.Snapshot, opt Options) (*reader, error) {
	text := opt.Address
	name, hidden := strings.CutPrefix(text, "env:")
	if hidden {
		if text = opt.Env(name); text == "" {
			return nil, fmt.Errorf("the environment variable %q is not set", name)
		}
	}
	base, err := url.Parse(text)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		if hidden {
			text = "env:" + name // what it holds may be a secret
		}
		return nil, fmt.Errorf("%q is %w, such as https://prometheus.example.com", text, ErrAddress)
	}
	password, has := base.User.Password()
	if has && !hidden {
		return nil, ErrSecret
	}
	r := &reader{snap: snap, base: base, token: opt.Env(TokenName), wait: opt.Wait}
	if r.wait <= 0 {
		r.wait = 30 * time.Second
	}
	for _, s := range []string{password, url.QueryEscape(password), url.PathEscape(password), r.token} {
		if s != "" {
			r.secret = append(r.secret, s)
		}
	}
	r.http = &http.Client{Transport: onlyGet{http.DefaultTransport.(*http.Transport).Clone()}, CheckRedirect: stay}
	return r, nil
}

// onlyGet refuses every request that could change something.
type onlyGet struct{ next *http.Transport }

// RoundTrip implements [http.RoundTripper].
func (g onlyGet) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return nil, fmt.Errorf("refused to send %s: only GET is ever sent", req.Method)
	}
	return g.next.RoundTrip(req)
}

// CloseIdleConnections closes what is left of connections.
func (g onlyGet) CloseIdleConnections() { g.next.CloseIdleConnections() }

// stay follows redirects within a server, and no other: it would be shown the token.
func stay(req *http.Request, via []*http.Request) error {
	from := via[0].URL
	switch {
	case req.URL.Scheme != from.Scheme || req.URL.Host != from.Host:
		return fmt.Errorf("it redirects to another server, %s://%s, where nothing is asked", req.URL.Scheme, req.URL.Host)
	case len(via) > maxRedirects:
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	}
	return nil
}

// query is a query and the kind of what it asks for.
type query struct{ text, kind string }

// marks finds the mark that a query puts on its series.
var marks = regexp.MustCompile(`"precedent", "([A-Za-z]+)"`)

// queries takes the queries out of their text.
func queries(text string) []query {
	var all []query
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := marks.FindStringSubmatch(line); m != nil && !strings.HasPrefix(line, "#") {
			all = append(all, query{line, "Prometheus/" + m[1]})
		}
	}
	return all
}

// errTooLarge is the error of an answer that nobody expects.
var errTooLarge = fmt.Errorf("the answer has more than %d bytes", maxAnswer)

// ask sends a query once, and returns the answer of a server that speaks the API: also
// one that refuses the query, which says why.
func (r *reader) ask(ctx context.Context, text string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	u := *r.base
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/api/v1") + "/api/v1/query"
	u.RawQuery = url.Values{"query": {text}, "timeout": {r.wait.String()}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "precedent (read-only)")
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	resp, err := r.http.Do(req)
	if err != nil {
		return nil, r.late(ctx, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, r.late(ctx, err)
	case len(body) > maxAnswer:
		return nil, errTooLarge
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return nil, fmt.Errorf("it answers %d: it wants a token in %s, or a name and a password in an address that env:NAME gives", resp.StatusCode, TokenName)
	case !strings.Contains(resp.Header.Get("Content-Type"), "json"):
		return nil, fmt.Errorf("it answers %d, and not as Prometheus does: give the address that stands before /api/v1", resp.StatusCode)
	}
	return body, nil
}

// late words the error of an answer that did not come in time.
func (r *reader) late(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %v: %w", r.wait, context.DeadlineExceeded)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err // without the address, which has been said
	}
	return err
}

// scrub takes what is secret out of a text.
func (r *reader) scrub(text string) string {
	for _, s := range r.secret {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}
