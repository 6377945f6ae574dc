package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/source/cluster"
	"github.com/openprecedent/precedent/internal/serve/mcp"
)

func (p *process) mcpCommand() *cobra.Command {
	var drafts, allow bool
	var live cluster.Options
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the library to a coding agent over standard input and output",
		Long: `Mcp speaks the Model Context Protocol on standard input and output, for a coding
agent that starts it. It ends when its input does. The log is on standard error.
Over HTTP, at /mcp, the same server is part of precedent serve.

With --allow-cluster the agent has one tool more, check_cluster, which reads the
cluster of your kubeconfig: lists alone, and never a Secret. Which cluster that is you
say here, and the agent cannot choose. Over HTTP there is no such tool.`,
		Example: `  claude mcp add precedent -- precedent mcp
  codex mcp add precedent -- precedent mcp --library ./incidents
  claude mcp add precedent -- precedent mcp --allow-cluster --context staging`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !allow {
				return p.mcp(cmd.Context(), drafts, nil)
			}
			return p.mcp(cmd.Context(), drafts, func(ctx context.Context, snap *object.Snapshot) error {
				_, err := cluster.Read(ctx, snap, live)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&allow, "allow-cluster", false, "let the agent check the live cluster of the kubeconfig")
	cmd.Flags().StringVar(&live.Kubeconfig, "kubeconfig", "", "with --allow-cluster: the kubeconfig (default as kubectl finds it)")
	cmd.Flags().StringVar(&live.Context, "context", "", "with --allow-cluster: the context of the kubeconfig")
	draftsFlag(cmd, &drafts)
	return cmd
}

// draftsFlag is the flag of the faces that others than the author look at.
func draftsFlag(cmd *cobra.Command, drafts *bool) {
	cmd.Flags().BoolVar(drafts, "drafts", false, "show drafts to who asks for one by its id")
}

// shown returns an App that shows what a face may show.
func shown(a *app.App, drafts bool) *app.App {
	if drafts && a != nil {
		return a.WithDrafts()
	}
	return a
}

func (p *process) mcp(ctx context.Context, drafts bool, live mcp.ClusterReader) error {
	a, lang, err := p.open()
	if err != nil {
		return err
	}
	a = shown(a, drafts)
	go a.Prepare() // while the client says who it is; the first question gets the error, if any
	if f, ok := p.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(p.err, "%s\n%s\n", a.Stats().Headline(lang), bilingual.Text{
			En: "waiting for MCP messages on standard input; agents start this command themselves, see `precedent mcp --help`",
			Ko: "표준 입력에서 MCP 메시지를 기다린다. 에이전트가 이 명령을 직접 시작한다. 쓰는 법: `precedent mcp --help`",
		}.In(lang))
	}
	log := slog.New(slog.NewTextHandler(p.err, nil))
	server := mcp.New(func() *app.App { return a }, mcp.Options{Logger: log, Cluster: live})
	return server.Run(ctx, io.NopCloser(p.in), writer{p.out})
}

// writer is an output that outlives the session that writes to it.
type writer struct{ io.Writer }

// Close does nothing.
func (writer) Close() error { return nil }
