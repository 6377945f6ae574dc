package mcp

import (
	"context"
	"reflect"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/object"
)

// clusterTime is how long a cluster may take to be read.
const clusterTime = 2 * time.Minute

// A ClusterReader reads the live cluster into a snapshot.
type ClusterReader func(context.Context, *object.Snapshot) error

// checkCluster returns the tool that checks a live cluster. Which one is settled by
// who started the server, and not by who calls the tool.
func checkCluster(read ClusterReader) *tool {
	turn := make(chan struct{}, 1) // one at a time: a cluster is no toy
	return &tool{
		name: "check_cluster", title: "Check the cluster", open: true,
		doc: "Is the live Kubernetes cluster in the state that caused an incident? Lists alone, no Secret is read, nothing is changed or kept.",
		params: func(*app.App) []param {
			return []param{{name: "only", kind: words, doc: "Check ids"}, langParam}
		},
		out: reflect.TypeFor[checked](), depth: 1,
		answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
			select {
			case turn <- struct{}{}:
				defer func() { <-turn }()
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			snap := object.NewSnapshot(time.Now())
			reading, cancel := context.WithTimeout(ctx, clusterTime)
			defer cancel()
			if err := read(reading, snap); err != nil {
				return nil, app.Invalidf("", "ask who started the server whether `kubectl get nodes` works there", "reading the cluster: %w", err).
					Korean("서버를 연 사람에게 거기서 `kubectl get nodes`가 되는지 묻는다", "클러스터를 읽지 못했다: %w")
			}
			answer, err := checkSnapshot(ctx, a, snap, in)
			if err != nil {
				return nil, err
			}
			return fitCheck(ctx, answer, in.lang())
		},
	}
}
