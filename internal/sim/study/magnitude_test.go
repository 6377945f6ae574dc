package study

import (
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

func TestMagnitude(t *testing.T) {
	for _, c := range []struct {
		n      float64
		en, ko string
	}{
		{0, "0", "0"},
		{999, "999", "999"},
		{1500, "1.5 thousand", "1500"},
		{12_345, "12.3 thousand", "1.23만"},
		{1_050_000, "1.05 million", "105만"},
		{123_456_789, "123 million", "1.23억"},
		{2.4e14, "240 million million", "240조"},
	} {
		if en, ko := Magnitude(c.n, bilingual.English), Magnitude(c.n, bilingual.Korean); en != c.en || ko != c.ko {
			t.Errorf("%v is %q and %q, want %q and %q", c.n, en, ko, c.en, c.ko)
		}
	}
}
