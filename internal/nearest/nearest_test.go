package nearest

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	candidates := []string{"retry-storm", "cold-cache", "hot-shard"}
	tests := []struct {
		word, want string
		found      bool
	}{
		{"retry-strom", "retry-storm", true},
		{"Cold_cache", "cold-cache", true},
		{"hotshard", "hot-shard", true},
		{"zebra", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		got, found := Of(tt.word, candidates)
		if got != tt.want || found != tt.found {
			t.Errorf("Of(%q) = %q, %v; want %q, %v", tt.word, got, found, tt.want, tt.found)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "", 3}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"재시도", "재시동", 1},
	}
	for _, tt := range tests {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestOfLongWord would take minutes if the whole word were compared.
func TestOfLongWord(t *testing.T) {
	candidates := make([]string, 500)
	for i := range candidates {
		candidates[i] = "connection-pool-exhaustion"
	}
	if got, found := Of(strings.Repeat("a", 1<<20), candidates); found {
		t.Errorf("Of(a megabyte) = %q, want nothing", got)
	}
}
