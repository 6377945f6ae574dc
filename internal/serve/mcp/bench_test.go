package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkCalls measures each call without the protocol around it.
func BenchmarkCalls(b *testing.B) {
	a := public(b)
	for i, x := range calls {
		handle := toolNamed(b, x.name).handler(a)
		req := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Arguments: json.RawMessage(mustJSON(b, x.args))}}
		b.Run(fmt.Sprintf("%02d-%s", i, x.name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := handle(context.Background(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
