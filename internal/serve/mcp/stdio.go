package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run serves one client over in and out until in ends or ctx does. That client has
// started the server, and is offered the cluster if the options say so. Its first
// message tells whether it has [appsExtension].
func (s *Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	shared := &oneWriter{WriteCloser: out}
	input := newLines(in, shared)
	first := make(chan bool, 1)
	go func() { first <- input.declares() }()
	apps := false
	select {
	case <-ctx.Done():
		return nil
	case apps = <-first:
	}
	transport := &pipe{sdk.IOTransport{Reader: input, Writer: shared, MaxLineLength: 2 * maxLine}}
	server := s.server(apps)
	if s.opt.Cluster != nil {
		server = s.build(s.current(), apps, []*tool{checkCluster(s.opt.Cluster)})
	}
	session, err := server.Connect(ctx, transport, nil)
	if err != nil {
		return fmt.Errorf("starting the MCP session: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case <-ctx.Done(): // asked to end, which is no error
		_ = session.Close()
		return nil
	case err := <-ended:
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("serving MCP: %w", err)
		}
		return nil
	}
}

// pipe is standard input and output. Unlike the transport that it wraps it
// answers what was asked before the input ended: a script may write its
// requests and close the pipe at once.
type pipe struct{ sdk.IOTransport }

// Connect implements [sdk.Transport].
func (p *pipe) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := p.IOTransport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &pipeConn{Connection: c, open: map[any]bool{}, idle: make(chan struct{}, 1)}, nil
}

type pipeConn struct {
	sdk.Connection

	mu   sync.Mutex
	open map[any]bool  // ids of the requests that have no answer yet
	idle chan struct{} // gets a value when the last answer was written
}

// drain is how long answers may take after the input has ended.
const drain = 20 * time.Second

// Read implements [sdk.Connection].
func (c *pipeConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		c.wait(ctx)
	}
	// A subscription is answered only when it ends.
	if r, ok := msg.(*jsonrpc.Request); ok && r.ID.IsValid() && r.Method != "subscriptions/listen" {
		c.mu.Lock()
		c.open[r.ID.Raw()] = true
		c.mu.Unlock()
	}
	return msg, err
}

// wait waits until all requests are answered.
func (c *pipeConn) wait(ctx context.Context) {
	timeout := time.NewTimer(drain)
	defer timeout.Stop()
	for {
		c.mu.Lock()
		n := len(c.open)
		c.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-c.idle:
		case <-ctx.Done():
			return
		case <-timeout.C:
			return
		}
	}
}

// Write implements [sdk.Connection].
func (c *pipeConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := c.Connection.Write(ctx, msg)
	if r, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID.Raw())
		if len(c.open) == 0 {
			select {
			case c.idle <- struct{}{}:
			default:
			}
		}
		c.mu.Unlock()
	}
	return err
}
