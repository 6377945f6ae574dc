package output

import (
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

func TestDuration(t *testing.T) {
	for _, tt := range []struct{ wire, en, ko string }{
		{"45m", "45 min", "45분"},
		{"90m", "1 h 30 min", "1시간 30분"},
		{"47h59m", "47 h 59 min", "47시간 59분"},
		{"62h48m", "2 d 14 h 48 min", "2일 14시간 48분"},
		{"10d", "10 d", "10일"},
		{"30s", "30 s", "30초"},
		{"0m", "0m", "0m"},
		{"a while", "a while", "a while"},
	} {
		if got := plain(Duration(tt.wire, bilingual.English)); got != tt.en {
			t.Errorf("Duration(%q, en) = %q, want %q", tt.wire, got, tt.en)
		}
		if got := plain(Duration(tt.wire, bilingual.Korean)); got != tt.ko {
			t.Errorf("Duration(%q, ko) = %q, want %q", tt.wire, got, tt.ko)
		}
	}
}

func TestPast(t *testing.T) {
	for minutes, want := range map[int]string{-12: "−12 min", 0: "0 min", 167: "+2 h 47 min"} {
		if got := plain(Past(minutes, bilingual.English)); got != want {
			t.Errorf("Past(%d) = %q, want %q", minutes, got, want)
		}
	}
}
