package scenario

import (
	"context"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// watchKey is the key of a watcher in a context.
type watchKey struct{}

// Watch is shown a run now and then while it goes on: so returns what it has
// recorded so far. It must not change the run, and so holds only until it returns.
type Watch func(f *File, so func() *Result)

// WithWatch returns a context under which every run is shown to a watcher, in
// place of a pace.
func WithWatch(ctx context.Context, watch Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, watch)
}

// watched lets the watcher of a context see a run.
func (f *File) watched(ctx context.Context, net *parts.Net, changes *director) context.Context {
	watch, ok := ctx.Value(watchKey{}).(Watch)
	if !ok {
		return ctx
	}
	return des.WithPace(ctx, func() {
		watch(f, func() *Result {
			return &Result{
				Name: f.Name, Variant: f.Variant, Reached: net.Sim.Now().Seconds(), Window: net.Rec.Width().Seconds(),
				Windows: net.Rec.Windows(), Events: net.Sim.Handled(), Series: net.Rec.Series(), Made: changes.made,
			}
		})
	})
}
