package web

import (
	"fmt"
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
