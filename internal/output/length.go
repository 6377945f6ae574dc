package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// nbsp is a space at which no line breaks. The formats that have none write an
// ordinary space.
const nbsp = "\u00a0"

// Duration writes a duration of the wire form for a reader: 4h51m is 4 h 51 min
// in English and 4시간 51분 in Korean, held together by spaces that do not
// break. What is no duration stays as it is.
func Duration(wire string, l bilingual.Lang) string {
	d, err := casefile.ParseDuration(wire)
	if err != nil {
		return wire
	}
	return Length(d.Length(), l)
}

// lengthUnits are the units of a length, the longest first.
var lengthUnits = []struct {
	length time.Duration
	name   bilingual.Text
}{
	{24 * time.Hour, bilingual.Text{En: nbsp + "d", Ko: "일"}}, {time.Hour, bilingual.Text{En: nbsp + "h", Ko: "시간"}},
	{time.Minute, bilingual.Text{En: nbsp + "min", Ko: "분"}}, {time.Second, bilingual.Text{En: nbsp + "s", Ko: "초"}},
}

// Length writes a length of time for a reader, with days from 48 hours on.
func Length(d time.Duration, l bilingual.Lang) string {
	units := lengthUnits
	if d < 48*time.Hour {
		units = units[1:]
	}
	var parts []string
	for _, u := range units {
		if n := d / u.length; n > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", n, u.name.In(l)))
			d -= n * u.length
		}
	}
	if len(parts) == 0 {
		return bilingual.Text{En: "0" + nbsp + "min", Ko: "0분"}.In(l)
	}
	return strings.Join(parts, nbsp)
}

// Past writes minutes after the start, with their sign.
func Past(minutes int, l bilingual.Lang) string {
	length := time.Duration(minutes) * time.Minute
	switch {
	case minutes > 0:
		return "+" + Length(length, l)
	case minutes < 0:
		return "−" + Length(-length, l)
	}
	return Length(0, l)
}
