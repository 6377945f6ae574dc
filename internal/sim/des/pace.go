package des

import "context"

// paceKey is the key of a pace in a context.
type paceKey struct{}

// WithPace returns a context under which every run calls pace at its start and
// every few thousand events, so that who lends it a processor can take it back
// for a while. What a run does must not depend on it. Two runs at once call it
// at once.
func WithPace(ctx context.Context, pace func()) context.Context {
	return context.WithValue(ctx, paceKey{}, pace)
}

// paceOf returns the pace of a context; nil if there is none.
func paceOf(ctx context.Context) func() {
	pace, _ := ctx.Value(paceKey{}).(func())
	return pace
}

// Pace calls the pace of a context, if it has one: for what computes long
// between runs.
func Pace(ctx context.Context) {
	if pace := paceOf(ctx); pace != nil {
		pace()
	}
}
