package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/output"
)

// dateText writes the date of t as far as it is known: 22 February 2022, 2022년
// 2월 22일.
func dateText(t casefile.Time, l bilingual.Lang) string {
	if t.IsZero() {
		return ""
	}
	at := t.Earliest()
	en, ko := "2 January 2006", "2006년 1월 2일"
	switch t.Precision() {
	case casefile.Year:
		en, ko = "2006", "2006년"
	case casefile.Month:
		en, ko = "January 2006", "2006년 1월"
	}
	if l == bilingual.Korean {
		return at.Format(ko)
	}
	return at.Format(en)
}

// shortDate writes a day without its year, for axes.
func shortDate(at time.Time, l bilingual.Lang) string {
	if l == bilingual.Korean {
		return at.Format("1월 2일")
	}
	return at.Format("2 Jan")
}

// isoDate reads a date that the app wrote.
func isoDate(s string, l bilingual.Lang) string {
	t, err := casefile.ParseTime(s)
	if err != nil {
		return s
	}
	return dateText(t, l)
}

// clockText writes the time of day of t.
func clockText(t casefile.Time) string {
	if t.Precision() == casefile.Second {
		return t.Earliest().Format("15:04:05")
	}
	return t.Earliest().Format("15:04")
}

// zoneText writes an offset as readers know it: UTC, UTC−7, UTC+5:30.
func zoneText(at time.Time) string {
	_, seconds := at.Zone()
	if seconds == 0 {
		return "UTC"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	s := fmt.Sprintf("UTC%s%d", sign, seconds/3600)
	if m := seconds % 3600 / 60; m != 0 {
		s += fmt.Sprintf(":%02d", m)
	}
	return s
}

// durationText writes 4h51m for a reader: 4 h 51 min, 4시간 51분. Figures and
// units are held together.
func durationText(s string, l bilingual.Lang) string {
	d, err := casefile.ParseDuration(s)
	if err != nil {
		return s
	}
	return lengthText(d.Length(), l)
}

// lengthText writes a length of time, days from 48 hours on.
func lengthText(d time.Duration, l bilingual.Lang) string {
	units := []struct {
		length time.Duration
		en, ko string
	}{{24 * time.Hour, "d", "일"}, {time.Hour, "h", "시간"}, {time.Minute, "min", "분"}, {time.Second, "s", "초"}}
	if d < 48*time.Hour {
		units = units[1:]
	}
	var parts []string
	for _, u := range units {
		n := d / u.length
		d -= n * u.length
		if n == 0 {
			continue
		}
		if l == bilingual.Korean {
			parts = append(parts, fmt.Sprintf("%d%s", n, u.ko))
		} else {
			parts = append(parts, fmt.Sprintf("%d\u00a0%s", n, u.en))
		}
	}
	if len(parts) == 0 {
		return map[bilingual.Lang]string{bilingual.English: "0\u00a0min", bilingual.Korean: "0분"}[l]
	}
	return strings.Join(parts, " ")
}

// minutesText writes minutes after the start, with their sign.
func minutesText(n int, l bilingual.Lang) string {
	if n == 0 {
		return map[bilingual.Lang]string{bilingual.English: "0\u00a0min", bilingual.Korean: "0분"}[l]
	}
	sign := "+"
	if n < 0 {
		sign, n = "−", -n
	}
	return sign + lengthText(time.Duration(n)*time.Minute, l)
}

// about puts "about" before a value that its source calls so.
func about(value string, is bool, l bilingual.Lang) string {
	if is {
		return output.Word("about", l) + " " + value
	}
	return value
}

// instantText writes a point in time: date, clock and zone as far as known.
func instantText(t casefile.Time, isAbout bool, l bilingual.Lang) string {
	if t.IsZero() {
		return ""
	}
	s := dateText(t, l)
	if t.HasClock() {
		s += " " + clockText(t) + " " + zoneText(t.Earliest())
	}
	return about(s, isAbout, l)
}
