package parts

import "testing"

func TestRates(t *testing.T) {
	for text, want := range map[string]float64{"100/s": 100, "4k/s": 4000, "1.5M/h": 1.5e6 / 3600, "6_000/min": 100, " 20 / h ": 20.0 / 3600} {
		var r Rate
		if err := r.UnmarshalText([]byte(text)); err != nil || float64(r) != want {
			t.Errorf("%q is %v a second, want %v: %v", text, float64(r), want, err)
		}
	}
	for _, text := range []string{"100", "k/s", "-1/s", "4K/s", "1/fortnight", "NaN/s", "1e400/s"} {
		var r Rate
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %v a second", text, float64(r))
		}
	}
}
