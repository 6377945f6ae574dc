package study

import "testing"

func TestWritten(t *testing.T) {
	for _, tt := range []struct {
		x    float64
		as   string
		want string
	}{
		{66.67, "40/s", "66.7/s"}, {1428.6, "500", "1429"}, {0.62, "10%", "62%"}, {37.5, "10s", "37.5s"}, {0.25, "100ms", "250ms"}, {3, "2x", "3x"}, {4.667, "1", "4.67"},
	} {
		if got := written(tt.x, tt.as); got != tt.want {
			t.Errorf("%v beside %s is written as %s, want %s", tt.x, tt.as, got, tt.want)
		}
	}
}

func TestNear(t *testing.T) {
	for _, tt := range []struct {
		x            float64
		below, above string
		want         bool
	}{
		{66.7, "66/s", "67/s", true}, {66.7, "70/s", "72/s", true}, {66.7, "80/s", "82/s", false}, {5, "5.2s", "5.4s", true}, {5, "", "", false},
	} {
		if got := near(tt.x, 0.1, tt.below, tt.above); got != tt.want {
			t.Errorf("%v between %q and %q: %v", tt.x, tt.below, tt.above, got)
		}
	}
}
