package mcp

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// fakeCluster reads the manifests that other tests check, and fails where it is
// told to.
func fakeCluster(fail error) ClusterReader {
	return func(ctx context.Context, snap *object.Snapshot) error {
		if _, bounded := ctx.Deadline(); !bounded {
			return errors.New("the reading has no end")
		}
		documents, _ := manifest.Read("cluster", []byte(waiting))
		for _, d := range documents {
			content, _ := d.Content()
			content.AddTo(snap)
		}
		snap.Missed("Node", "forbidden")
		return fail
	}
}

// overPipe connects a client over standard input and output.
func overPipe(t *testing.T, opt Options) *sdk.ClientSession {
	t.Helper()
	a := public(t)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() { _ = New(func() *app.App { return a }, opt).Run(t.Context(), fromClient, toClient) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func toolNames(t *testing.T, c *sdk.ClientSession) []string {
	t.Helper()
	res, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, one := range res.Tools {
		names = append(names, one.Name)
		if one.Name == "check_cluster" && (one.Annotations == nil || !one.Annotations.ReadOnlyHint || one.Annotations.OpenWorldHint == nil || !*one.Annotations.OpenWorldHint) {
			t.Errorf("the annotations of check_cluster are %+v", one.Annotations)
		}
	}
	return names
}

func TestCheckCluster(t *testing.T) {
	c := overPipe(t, Options{Cluster: fakeCluster(nil)})
	if names := toolNames(t, c); !slices.Contains(names, "check_cluster") {
		t.Fatalf("the tools are %q", names)
	}
	res := call(t, c, "check_cluster", args{"only": []string{"ck-104"}})
	if text := contentOf(t, res); res.IsError || !strings.Contains(text, "1 of 1 pods") || !strings.Contains(text, "IL-0202") {
		t.Errorf("the content is %s", text)
	}
	if s := structuredOf(t, res); !strings.Contains(s, `"incomplete":true`) {
		t.Errorf("that nodes could not be read is not told: %s", s)
	}
	if text := contentOf(t, call(t, c, "check_cluster", args{"lang": "ko"})); !strings.Contains(text, "사고 때와 같은 상태") {
		t.Errorf("the content is %s", text)
	}
	c = overPipe(t, Options{Cluster: fakeCluster(errors.New("no route to host"))})
	if res := call(t, c, "check_cluster", args{}); !res.IsError || !strings.Contains(contentOf(t, res), "no route to host. Ask who started the server") {
		t.Errorf("an unreachable cluster is answered with %s", contentOf(t, res))
	}
}

// TestCheckClusterIsLocal asks for the cluster where nobody may have it: of a server
// that was not given one, and over HTTP even of one that was.
func TestCheckClusterIsLocal(t *testing.T) {
	for name, c := range map[string]*sdk.ClientSession{
		"not given": overPipe(t, Options{}),
		"over HTTP": connectHTTP(t, listenHTTP(t, Options{Cluster: fakeCluster(nil)}).URL),
	} {
		if names := toolNames(t, c); slices.Contains(names, "check_cluster") {
			t.Errorf("%s: the tools are %q", name, names)
		}
		if res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "check_cluster", Arguments: args{}}); err == nil && !res.IsError {
			t.Errorf("%s: the call is answered", name)
		}
	}
}
