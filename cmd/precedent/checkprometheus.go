package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/doc"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/source/prometheus"
)

// prometheusFlags are the flags of precedent check that are about Prometheus.
type prometheusFlags struct {
	address string
	wait    time.Duration
}

func (f *prometheusFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.address, "prometheus", "", "ask the Prometheus at this address, or at that in an environment variable: env:NAME")
	cmd.Flags().DurationVar(&f.wait, "prometheus-timeout", 30*time.Second, "with --prometheus: how long to wait for each answer")
}

// readPrometheus asks the server that is named, if one is.
func (p *process) readPrometheus(ctx context.Context, snap *object.Snapshot, f *prometheusFlags) error {
	if f.address == "" {
		return nil
	}
	err := prometheus.Read(ctx, snap, prometheus.Options{Address: f.address, Queries: doc.CollectPrometheus, Wait: f.wait, Env: p.env})
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, prometheus.ErrSecret):
		return app.Invalidf("prometheus", "put the address in a variable and give env:NAME, or a token in "+prometheus.TokenName, "%w", err).
			Korean("주소를 환경 변수에 넣고 env:NAME으로 주거나, 토큰을 "+prometheus.TokenName+"에 둔다", "주소에 비밀번호가 있다: %w")
	}
	if errors.Is(err, prometheus.ErrAddress) {
		return app.Invalidf("prometheus", "write what stands before /api/v1, with http:// or https://", "%w", err).
			Korean("/api/v1 앞까지를 http://나 https://와 함께 쓴다", "Prometheus의 주소가 아니다: %w")
	}
	return app.Unreachablef("see that `curl ADDRESS/api/v1/query?query=up` answers, or give saved answers of `precedent check --script prometheus`", "reading Prometheus: %w", err).
		Korean("`curl 주소/api/v1/query?query=up`이 답하는지 보거나, `precedent check --script prometheus`로 저장한 응답을 준다", "Prometheus를 읽지 못했다: %w")
}
