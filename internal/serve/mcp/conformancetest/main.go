// Conformancetest serves the MCP face of precedent with the fixtures that the
// public conformance suite of the protocol calls by name. Handler, middleware
// and options are those of the product; only the fixtures are added. It is
// for dev/mcp-conformance and is never installed.
package main

import (
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/serve/mcp"
)

func main() {
	dir := flag.String("library", "corpus", "folder of the library")
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	bare := flag.Bool("bare", false, "leave the fixtures out")
	flag.Parse()
	if err := run(*dir, *addr, *bare); err != nil {
		fmt.Fprintln(os.Stderr, "conformancetest:", err)
		os.Exit(1)
	}
}

func run(dir, addr string, bare bool) error {
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS(dir)})
	if lib == nil {
		return fmt.Errorf("reading the library %q: %w", dir, problems.Errors())
	}
	a := app.New(lib)
	opt := mcp.Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	if !bare {
		opt.Configure, opt.Extend = allowSubscriptions, addFixtures
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.New(func() *app.App { return a }, opt).Handler())
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	// The script reads the address from the first line.
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}
