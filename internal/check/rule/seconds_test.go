package rule

import "testing"

func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		v    any
		want float64
	}{
		{"1m30s", 90}, {"30s", 30}, {"1min", 60}, {"2d", 172800}, {"500ms", 0.5}, {"0ms", 0}, {"0", 0}, {"120", 120}, {int64(7), 7}, {2.5, 2.5},
		{"min", 0}, {"d", 0}, {"", 0}, {"soon", 0}, {nil, 0}, {true, 0},
	} {
		if got := secondsOf(c.v); got != c.want {
			t.Errorf("%v: got %v, want %v", c.v, got, c.want)
		}
	}
}
