package search

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	long := strings.Repeat("x", 400)
	tests := []struct {
		text  string
		limit int
		want  string
	}{
		{"connection pool", 20, "connection pool"},
		{"connection pool", 13, "connection"},
		{"connection pool", 10, "connection"},
		{"커넥션 풀", 8, "커넥"},
		{"a " + long, 300, "a " + long[:298]},
	}
	for _, tt := range tests {
		if got := Clip(tt.text, tt.limit); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}
