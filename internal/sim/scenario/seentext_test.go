package scenario

import (
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

func TestSeenInKorean(t *testing.T) {
	for _, tt := range []struct{ en, ko string }{
		{"0.98", "0.98"},
		{"T+5m", "T+5m"},
		{"true", "참"},
		{"true: it is 1.001 at most, at T+17m, and first above 0.5 at T+16m", "참: 최고 1.001(T+17m), 0.5 초과는 T+16m부터"},
		{"false: it is above 0.01 until T+5m, when it is 0.3", "거짓: T+5m까지 0.01 초과, 그때 0.3"},
		{"none: never above 2 for 30s", "값 없음: 2 초과가 30s 동안 이어진 적 없음"},
		{"mean(a.hill) = 0.4, wanted > 0.9", "mean(a.hill) = 0.4, 기대: > 0.9"},
		{"mean(a.hill) = 0.4, wanted not < 0.9; at(a.hill, \"5m\") has no value: no value at 5m",
			"mean(a.hill) = 0.4, 기대: < 0.9 아님; at(a.hill, \"5m\"): 값이 없음, 5m에 값이 없음"},
		{"last(a.hill) = 2, wanted 3 to 4", "last(a.hill) = 2, 기대: 3~4"},
		{"never(a.hill, 1) does not hold: it is 2.04 at most, at T+4m40s", "never(a.hill, 1): 성립하지 않음, 최고 2.04(T+4m40s)"},
		{"not reached: the run ends at T+15m, and this looks until T+20m", "이르지 못함: 실행은 T+15m에 끝나고 이 조건은 T+20m까지 본다"},
		{`the run has no series "db.queue"`, `실행에 없는 계열: "db.queue"`},
	} {
		if got := (Seen{Why: tt.en}).WhyIn(bilingual.Korean); got != tt.ko {
			t.Errorf("why %q: %q, want %q", tt.en, got, tt.ko)
		}
		if got := (Seen{Why: tt.en}).WhyIn(bilingual.English); got != tt.en {
			t.Errorf("why %q in English: %q", tt.en, got)
		}
		if got := (Measured{Text: tt.en}).TextIn(bilingual.English); got != tt.en {
			t.Errorf("text %q in English: %q", tt.en, got)
		}
	}
	if got := (Measured{Text: "false: it has no value"}).TextIn(bilingual.Korean); got != "거짓: 값이 없음" {
		t.Errorf("got %q", got)
	}
}
