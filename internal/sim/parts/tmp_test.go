package parts

import (
	"context"
	"github.com/openprecedent/precedent/internal/sim/des"
	"testing"
)

func BenchmarkR(b *testing.B) {
	for b.Loop() {
		n := retryQueue(b, 1)
		n.Sim.Run(context.Background(), des.Budget{Until: des.FromSeconds(1e6 / 1.8)})
	}
}
