package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/openprecedent/precedent/internal/check/object"
)

// Bounds of a page.
const (
	maxPage  = 512 << 20 // bytes
	tries    = 3         // of a page
	restarts = 2         // of a list whose pages have expired
)

// protobuf is what built-in kinds are asked for as: a quarter of the time of JSON,
// on both sides.
const protobuf = "application/vnd.kubernetes.protobuf"

// envelope begins every answer in protobuf.
var envelope = []byte{'k', '8', 's', 0}

type client struct {
	http     *http.Client
	base     *url.URL
	size     int
	wait     time.Duration
	parallel int
	progress func(kind string, objects int)
	requests atomic.Int64
	bytes    atomic.Int64
}

func newClient(config *rest.Config, opt Options) (*client, error) {
	h, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("preparing the connection: %w", err)
	}
	h.Timeout = 0 // each page has its own
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the API server: %w", err)
	}
	return &client{
		http: h, base: base, size: cmp.Or(opt.PageSize, 500), wait: cmp.Or(opt.Wait, 30*time.Second), parallel: cmp.Or(opt.Parallel, 4),
		progress: opt.Progress,
	}, nil
}

// refusal is an answer that is not one.
type refusal struct {
	status int
	text   string
	after  time.Duration // when to ask again
}

// Error implements error.
func (r *refusal) Error() string {
	switch r.status {
	case http.StatusForbidden:
		return "forbidden: the account may not list them"
	case http.StatusUnauthorized:
		return "the account is not known to the API server"
	}
	return fmt.Sprintf("the API server answered %d: %s", r.status, r.text)
}

// errTooLarge is the error of a page that no sane server sends.
var errTooLarge = fmt.Errorf("a page has more than %d bytes", maxPage)

// get asks once. The answer is read into buf, as far as there is room.
func (c *client) get(ctx context.Context, path string, query url.Values, accept string, buf []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.wait)
	defer cancel()
	u := *c.base
	u.Path = strings.TrimSuffix(u.Path, "/") + path
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept)
	c.requests.Add(1)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := readAll(buf, resp.Body, maxPage)
	c.bytes.Add(int64(len(body)))
	if err == nil {
		// A server that is left while it writes may end what it has begun of its answer
		// as if that were all.
		err = ctx.Err()
	}
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode != http.StatusOK:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // mostly there is none
		return nil, &refusal{resp.StatusCode, firstLine(messageOf(body)), time.Duration(seconds) * time.Second}
	}
	return body, nil
}

// messageOf returns what a Status says, in whatever encoding.
func messageOf(body []byte) string {
	var status struct{ Message string }
	if json.Unmarshal(body, &status) == nil && status.Message != "" {
		return status.Message
	}
	return http.StatusText(http.StatusInternalServerError)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// patient asks again where the server is busy or did not answer in time.
func (c *client) patient(ctx context.Context, path string, query url.Values, accept string, buf []byte) ([]byte, error) {
	for try := 1; ; try++ {
		body, err := c.get(ctx, path, query, accept, buf)
		var r *refusal
		refused := errors.As(err, &r)
		if err == nil || ctx.Err() != nil || try == tries || refused && r.status != http.StatusTooManyRequests && r.status < 500 {
			return body, err
		}
		pause := time.Duration(try) * 500 * time.Millisecond
		if refused {
			pause = min(max(pause, r.after), 10*time.Second)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// version asks for the version of the server.
func (c *client) version(ctx context.Context) (string, error) {
	body, err := c.patient(ctx, "/version", nil, jsonType, nil)
	if err != nil {
		return "", unlisted(err)
	}
	var v struct{ GitVersion string }
	if err := json.Unmarshal(body, &v); err != nil {
		return "", fmt.Errorf("reading the version: %w", err)
	}
	return v.GitVersion, nil
}

// unlisted words an error of asking for something that is no list.
func unlisted(err error) error {
	var r *refusal
	if errors.As(err, &r) && r.status == http.StatusForbidden {
		return errors.New("forbidden: the account may not ask for it")
	}
	return err
}

// read reads all objects of a kind.
func (c *client) read(ctx context.Context, snap *object.Snapshot, l list) {
	err := c.pages(ctx, snap, l)
	for missing(err) && len(l.later) > 0 {
		l = l.in(l.later)
		err = c.pages(ctx, snap, l)
	}
	for again := 0; again < restarts && expired(err); again++ {
		snap.Forget(l.kind)
		err = c.pages(ctx, snap, l)
	}
	said := cmp.Or(l.part, l.kind)
	switch {
	case err == nil:
		snap.Read(said)
	case missing(err) && l.lacking != "":
		snap.Absent(said, l.lacking)
	case missing(err):
		snap.Read(said) // the server has no such kind, so there are none
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		snap.Missed(said, fmt.Sprintf("a page was not answered within %v", c.wait))
	default:
		snap.Missed(said, err.Error())
	}
}

// missing reports whether the server knows nothing at a path.
func missing(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == http.StatusNotFound
}

// expired reports whether a list took so long that its next pages are gone.
func expired(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == http.StatusGone
}

// pages reads the pages of a list, one after the other.
func (c *client) pages(ctx context.Context, snap *object.Snapshot, l list) error {
	query := url.Values{"limit": {strconv.Itoa(c.size)}}
	if l.count {
		query.Set("limit", "1")
	}
	if l.selector != "" {
		query.Set("fieldSelector", l.selector)
	}
	total := 0
	for {
		p, accept, decode := l.page(), protobuf, decode
		if _, custom := p.(*customPage); custom {
			accept, decode = jsonType, func(_ list, body []byte, p page) error { return p.Unmarshal(body) }
		} else if !l.secret {
			p = new(itemPage)
		}
		body, err := c.patient(ctx, l.path, query, accept, l.buffers.body)
		if err != nil && total > 0 && missing(err) {
			return errors.New("the API server no longer knew them after some pages")
		}
		if err != nil {
			return err
		}
		l.buffers.body = body
		err = decode(l, body, p)
		if l.secret {
			clear(body)
		}
		if err != nil {
			return fmt.Errorf("reading a page: %w", err)
		}
		if l.count {
			n := int64(size(p))
			if rest := p.GetRemainingItemCount(); rest != nil {
				n += *rest
			}
			snap.Count(l.kind, n)
			return nil
		}
		n, err := add(snap, l, p)
		if err != nil {
			return err
		}
		if total += n; c.progress != nil {
			c.progress(l.kind, total)
		}
		if p.GetContinue() == "" {
			return nil
		}
		query.Set("continue", p.GetContinue())
	}
}

// decode reads a page out of its envelope; of Secrets without what their shape leaves
// out, since the objects of others are read one by one.
func decode(l list, body []byte, p page) error {
	message, ok := bytes.CutPrefix(body, envelope)
	if !ok {
		return errors.New("the answer is not in protobuf")
	}
	var about runtime.TypeMeta
	var raw []byte
	for len(message) > 0 {
		f, rest, err := nextField(message)
		if err != nil {
			return err
		}
		switch f.number {
		case 1:
			if err := about.Unmarshal(f.value); err != nil {
				return err
			}
		case 2:
			raw = f.value
		}
		message = rest
	}
	if !strings.HasSuffix(about.Kind, "List") {
		return fmt.Errorf("the answer is a %q and no list", about.Kind)
	}
	if !l.secret {
		return p.Unmarshal(raw)
	}
	pruned, err := prune(l.buffers.pruned[:0], raw, &shape{of: map[uint64]*shape{inItem: shapeOf(l.kind)}})
	if err != nil {
		return err
	}
	l.buffers.pruned = pruned
	defer clear(pruned)
	return p.Unmarshal(pruned)
}
