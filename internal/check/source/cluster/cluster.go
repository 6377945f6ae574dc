// Package cluster reads a live Kubernetes cluster into a snapshot. It only ever
// asks for lists: the transport refuses every verb but GET, and Secrets are not
// among the kinds that it asks for unless their certificates are wanted.
package cluster

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openprecedent/precedent/internal/check/object"
)

// Options say which cluster is read, and how.
type Options struct {
	Kubeconfig string        // file; where it is empty, what kubectl would read, or the account of the pod
	Context    string        // of the kubeconfig; the current one where it is empty
	PageSize   int           // objects of a page; 0 for 500
	Wait       time.Duration // for a page; 0 for 30 s. There is no limit for the whole
	Parallel   int           // kinds at a time; 0 for 4
	Progress   func(kind string, objects int)
	// Certificates lets Secrets be listed that hold certificates, of which the public
	// part is kept.
	Certificates bool
}

// Report says what was read.
type Report struct {
	Server   string // address of the API server
	Version  string // such as v1.36.3
	Requests int
	Bytes    int64
}

// Read reads a cluster. What cannot be read is missing from the snapshot, with the
// reason; the error is that of a cluster that cannot be reached at all, or of the
// context.
func Read(ctx context.Context, snap *object.Snapshot, opt Options) (*Report, error) {
	config, err := configOf(opt)
	if err != nil {
		return nil, err
	}
	c, err := newClient(config, opt)
	if err != nil {
		return nil, err
	}
	report := &Report{Server: config.Host}
	if report.Version, err = c.version(ctx); err != nil {
		return nil, fmt.Errorf("asking %s for its version: %w", config.Host, err)
	}
	gate := make(chan struct{}, c.parallel)
	var wait sync.WaitGroup
	types := schema{}
	for _, l := range c.plan(ctx, snap) {
		l, err := l.prepared(types)
		if err != nil {
			return nil, fmt.Errorf("preparing to read a %s: %w", l.kind, err)
		}
		wait.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			c.read(ctx, snap, l)
		})
	}
	wait.Wait()
	report.Requests, report.Bytes = int(c.requests.Load()), c.bytes.Load()
	if opt.Certificates {
		own, err := certificates(ctx, snap, config, opt)
		if err != nil {
			return nil, err
		}
		report.Requests, report.Bytes = report.Requests+int(own.requests.Load()), report.Bytes+own.bytes.Load()
	}
	return report, ctx.Err()
}

// configOf finds the cluster as kubectl does, and takes the means of writing from
// what it finds.
func configOf(opt Options) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = opt.Kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: opt.Context}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.UserAgent = "precedent (read-only)"
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return readOnly{next} })
	return config, nil
}

// readOnly refuses every request that could change something.
type readOnly struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (r readOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return nil, fmt.Errorf("cluster: refused to send %s %s: only GET is ever sent", req.Method, req.URL.Path)
	}
	return r.next.RoundTrip(req)
}
