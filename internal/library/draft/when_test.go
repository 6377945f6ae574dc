package draft

import (
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/library/casefile"
)

func TestScanWhen(t *testing.T) {
	for _, tt := range []struct {
		in    string
		want  string // the value
		rest  string
		flags string
	}{
		{"2024-07-30", "2024-07-30", "", ""},
		{"2024-07-30T14:05:30.123Z", "2024-07-30T14:05:30Z", "", ""},
		{"2024-07-30T14:05-07:00 start", "2024-07-30T14:05-07:00", " start", ""},
		{"2024-07-30 14:05:09 -07:00", "2024-07-30T14:05:09-07:00", "", ""},
		{"2024/07/30 14:05 UTC", "2024-07-30T14:05Z", "", ""},
		{"2024. 7. 30. 14:05 KST", "2024-07-30T14:05+09:00", "", ""},
		{"2024-03-13 14:?? UTC", "2024-03-13T14Z", "", ""},
		{"2019-12-03 --:--", "2019-12-03", "", ""},
		{"2022-02-?? ??:??", "2022-02", "", ""},
		{"20202-01-16 12:00", "", "20202-01-16 12:00", ""},
		{"July 30, 2024 at 2:19am PDT, the", "2024-07-30T02:19-07:00", ", the", ""},
		{"Tuesday, July 30th, 2024", "2024-07-30", "", ""},
		{"Monday, July 30, 2024", "2024-07-30", "", "2024-07-30 was a Tuesday, not a Monday"},
		{"30 July 2024 14:05 CEST", "2024-07-30T14:05+02:00", "", ""},
		{"Friday 29 November 2019, we", "2019-11-29", ", we", ""},
		{"2/22/2022 6:00 AM PST", "2022-02-22T06:00-08:00", "", ""},
		{"22/2/2022", "2022-02-22", "", ""},
		{"2/3/2022 10:00 UTC", "2022", "", "2/3/2022 is ambiguous: day and month may stand in either order"},
		{"2/2/2022", "2022-02-02", "", ""},
		{"14:05 UTC on July 30, 2024", "2024-07-30T14:05Z", "", ""},
		{"Oct 20, 2025 - 14:05 UTC", "2025-10-20T14:05Z", "", ""},
		{"2024-07-30 14:05 (UTC+9)", "2024-07-30T14:05+09:00", "", ""},
		{"2024-07-30 14:05 GMT+05:30", "2024-07-30T14:05+05:30", "", ""},
		{"2024-07-30 14:05 BST", "2024-07-30", "",
			"BST names no one offset: British Summer Time or Bangladesh Standard Time"},
		{"2024-07-30 14:05", "2024-07-30", "", ""},
		{"2024년 7월 30일 오전 9시 5분 KST", "2024-07-30T09:05+09:00", "", ""},
		{"2024년 7월 30일(화) 오후 2:05 (한국시간)", "2024-07-30T14:05+09:00", "", ""},
		{"2024년 7월 30일(월)", "2024-07-30", "", "2024-07-30 was a Tuesday, not a Monday"},
		{"2024년 7월 30일 21시 KST 무렵", "2024-07-30T21+09:00", " 무렵", ""},
		{"2024년 7월 30일 KST 21시 5분경", "2024-07-30T21:05+09:00", "", "about"},
		{"2024년 7월 30일 밤 11시 50분 KST", "2024-07-30T23:50+09:00", "", ""},
		{"2024년 7월 30일 낮 12시 30분(한국 시간)", "2024-07-30T12:30+09:00", "", ""},
		{"2024년 7월 30일 낮 1시 30분(한국 시간)", "2024-07-30T13:30+09:00", "", ""},
		{"2024년 7월 30일 저녁 7시께 KST", "2024-07-30T19+09:00", "", "about"},
		{"2024년 7월 30일 아침 9시 KST", "2024-07-30T09+09:00", "", ""},
		{"2024년 7월 30일 밤 12시 KST", "2024-07-30", " 밤 12시 KST", ""},
		{"2024년 7월 30일 오후 2시 반 KST 지연", "2024-07-30T14:30+09:00", " 지연", ""},
		{"2024년 7월 30일 새벽 1시 반경(한국 시간)", "2024-07-30T01:30+09:00", "", "about"},
		{"2024년 7월 30일 KST 14시 반부터", "2024-07-30T14:30+09:00", "부터", ""},
		{"2024년 7월 30일 KST 오후 2시반에", "2024-07-30T14:30+09:00", "에", ""},
		{"2024년 7월 30일 KST 오후 2시 반복 오류", "2024-07-30T14+09:00", " 반복 오류", ""},
		{"2024년 7월 30일 KST 오후 2시 반이중화", "2024-07-30T14+09:00", " 반이중화", ""},
		{"당일(7월 30일) 오후 3시", "", "", ""},
		{"당일 오후 3시 복구", "", " 복구", ""},
		{"같은 날 오후 3시 복구", "", " 복구", ""},
		{"당일 복구", "", "당일 복구", ""},
		{"다음 날(7월 31일) 오전 3시 20분", "", "", ""},
		{"다음 날 오전 3시 20분 정상화", "", " 정상화", ""},
		{"약 2024-07-30 21:05 KST", "2024-07-30T21:05+09:00", "", "about"},
		{"~2024-07-30 21:05 KST", "2024-07-30T21:05+09:00", "", "about"},
		{"2024-07-30 12:05am EST", "2024-07-30T00:05-05:00", "", ""},
		{"2024-07-30 noon", "2024-07-30", " noon", ""},
		{"2024-07-30 1405 UTC", "2024-07-30T14:05Z", "", ""},
		{"31시간 동안", "", "31시간 동안", ""},
		{"May the force", "", "May the force", ""},
		{"2024-02-30", "", "2024-02-30", ""},
		{"10.0.3.2024", "", "10.0.3.2024", ""},
		{"1.2.3", "", "1.2.3", ""},
	} {
		w, n := scanWhen(tt.in)
		flags := strings.Join(w.problems, "; ")
		if w.about {
			flags += "about"
		}
		if got := w.String(); got != tt.want || tt.in[n:] != tt.rest || flags != tt.flags {
			t.Errorf("scanWhen(%q) = %q, rest %q, %q; want %q, rest %q, %q",
				tt.in, got, tt.in[n:], flags, tt.want, tt.rest, tt.flags)
		}
	}
}

func TestScanSpan(t *testing.T) {
	for _, tt := range []struct{ in, from, until, rest string }{
		{"2020-10-06 09:00 - 11:00 UTC", "2020-10-06T09:00Z", "2020-10-06T11:00Z", ""},
		{"2020-10-06 09:00-11:00 UTC x", "2020-10-06T09:00Z", "2020-10-06T11:00Z", " x"},
		{"2024-03-13 10:00 UTC to 2024-03-14 09:00 UTC", "2024-03-13T10:00Z", "2024-03-14T09:00Z", ""},
		{"2024년 7월 30일 14:05 ~ 15:10 KST", "2024-07-30T14:05+09:00", "2024-07-30T15:10+09:00", ""},
		{"2024-03-13 23:00 - 01:00 UTC", "2024-03-13T23:00Z", "", ""},
		{"2024-03-13 10:01 UTC - 2 nodes down", "2024-03-13T10:01Z", "", " - 2 nodes down"},
	} {
		s, n := scanSpan(tt.in)
		until := ""
		if s.until != nil {
			until = s.until.String()
		}
		if s.from.String() != tt.from || until != tt.until || tt.in[n:] != tt.rest {
			t.Errorf("scanSpan(%q) = %q to %q, rest %q; want %q to %q, rest %q",
				tt.in, s.from, until, tt.in[n:], tt.from, tt.until, tt.rest)
		}
	}
}

func TestFindLength(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		about    bool
	}{
		{"for 40 hours", "40h", false},
		{"4h 51m", "4h51m", false},
		{"4h51m", "4h51m", false},
		{"31시간", "31h", false},
		{"약 1시간 20분 동안", "1h20m", true},
		{"2.5 hours", "2h30m", false},
		{"54 hours 10 minutes", "54h10m", false},
		{"1 hour and 5 minutes", "1h5m", false},
		{"nearly 3 days", "3d", true},
		{"399 minutes", "399m", false},
		{"1,234 minutes", "1234m", false},
		{"40-minute outage", "40m", false},
		{"about 2.5 days", "60h", true},
		{"10:05 UTC", "", false},
		{"5 markets", "", false},
		{"30분 이상", "30m", true},
		{"1시간 30분간", "1h30m", false},
		{"1시간 20분간", "1h20m", false},
		{"한 시간 반 동안", "1h30m", false},
		{"2시간 반 만에", "2h30m", false},
		{"2시간반가량", "2h30m", true},
		{"약 세시간", "3h", true},
		{"열두 시간 뒤", "12h", false},
		{"네 시간 20분", "4h20m", false},
		{"반 시간 정도", "30m", true},
		{"하루 반", "1d12h", false},
		{"이틀간", "2d", false},
		{"하루 두 시간", "1d2h", false},
		{"3시간여 만에", "3h", true},
		{"3시간여유", "3h", false},
		{"1시간 반복해서", "1h", false},
		{"30분 반", "30m30s", false},
		{"필요한 시간", "", false},
		{"두세 시간", "", false},
		{"한두 시간", "", false},
		{"하루이틀", "", false},
		{"이틀째", "", false},
		{"하루종일", "", false},
		{"반시간제", "", false},
		{"0 minutes", "", false},
		{"v1.2.3m", "", false},
	} {
		l, _, _, _ := findLength(tt.in)
		if l.value != tt.want || l.about != tt.about {
			t.Errorf("findLength(%q) = %q, about %v; want %q, %v", tt.in, l.value, l.about, tt.want, tt.about)
		}
	}
}

func TestDeclaresZone(t *testing.T) {
	for in, want := range map[string]string{
		"All times in UTC.":             "UTC",
		"Date and Time in CET":          "CET",
		"모든 시각은 KST 기준이다.":              "KST",
		"한국 시간 기준":                      "한국 시간",
		"Times are PDT (UTC-7)":         "PDT",
		"Times are PDT, not UTC":        "",
		"The API was down.":             "",
		"At 14:05 UTC the time jumped.": "",
	} {
		w, _ := declaresZone(in)
		if w.zone != want {
			t.Errorf("declaresZone(%q) = %q, want %q", in, w.zone, want)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"2024-07-30T14:05:30-07:00", "Tue, 30 July 2024 at 2:19am PDT", "2024년 7월 30일 오전 9시 5분",
		"10:05-11:30 UTC", "1,234 minutes", "2.5 hours", "99999d 3h", "~~~about 10:00", "2022-02-??", "May 2024", "한국시간 10:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if at, n := scanSpan(s); n > 0 {
			if n > len(s) {
				t.Errorf("scanSpan(%q) takes %d bytes", s, n)
			}
			for _, w := range []*when{&at.from, at.until} {
				if w == nil || w.String() == "" {
					continue
				}
				if _, err := casefile.ParseTime(w.String()); err != nil {
					t.Errorf("scanSpan(%q): %v", s, err)
				}
			}
		}
		findSpan(s)
		if l, from, to, ok := findLength(s); ok {
			if _, err := casefile.ParseDuration(l.value); err != nil || from >= to || to > len(s) {
				t.Errorf("findLength(%q) = %q at %d to %d: %v", s, l.value, from, to, err)
			}
		}
	})
}

// TestNextDay holds that the day after is counted from the one that is spoken
// of, over the end of a month, and that this is noted.
func TestNextDay(t *testing.T) {
	day, zone := when{year: 2024, month: 2, day: 29}, when{zone: "KST", zoned: true, offset: 9 * 60}
	for _, tt := range []struct{ in, from, until, problem string }{
		{"다음 날 오전 3시 20분", "2024-03-01T03:20+09:00", "", "the day is counted: the one after 2024-02-29"},
		{"이튿날 새벽 3시경", "2024-03-01T03+09:00", "", "the day is counted: the one after 2024-02-29"},
		{"익일 03:20", "2024-03-01T03:20+09:00", "", "the day is counted: the one after 2024-02-29"},
		{"the next day at 03:20", "2024-03-01T03:20+09:00", "", "the day is counted: the one after 2024-02-29"},
		{"다음 날(3월 2일) 오전 3시 20분", "2024-03-02T03:20+09:00", "", ""},
		{"11시 50분부터 다음 날 오전 3시 20분까지", "2024-02-29", "2024-03-01T03:20+09:00", ""},
		{"오후 2시부터 다음 날 3시까지", "2024-02-29T14+09:00", "2024-03-01", ""},
		{"같은 날 오후 3시 반", "2024-02-29T15:30+09:00", "", ""},
		{"당일 15:20", "2024-02-29T15:20+09:00", "", ""},
		{"그날 저녁 7시", "2024-02-29T19+09:00", "", ""},
		{"the same day at 15:20", "2024-02-29T15:20+09:00", "", ""},
		{"다음 날 오전 2시부터 오전 5시까지", "2024-03-01T02+09:00", "2024-03-01T05+09:00", "the day is counted: the one after 2024-02-29"},
		{"다음 날 오전 2시부터 다음 날 오전 5시까지", "2024-03-01T02+09:00", "2024-03-01T05+09:00",
			"the day is counted: the one after 2024-02-29"},
		{"전날 밤 11시", "", "", ""},
		{"이틀 뒤인 오후 3시부터 오후 4시까지", "", "", ""},
		{"다음 주 화요일 오전 10시", "", "", ""},
		{"2일 뒤 14:05", "", "", ""},
		{"오후 11시 50분부터 다음 날 오전 3시 20분까지", "2024-02-29T23:50+09:00", "2024-03-01T03:20+09:00", ""},
	} {
		at, _, _, ok := findSpan(tt.in)
		from, until := at.from.on(day).in(zone), ""
		if at.until != nil {
			until = at.until.on(from).in(from).String()
		}
		if got := strings.Join(from.problems, "; "); !ok || from.String() != tt.from || until != tt.until || got != tt.problem {
			t.Errorf("%q: from %s until %s, %q; want %s and %s, %q", tt.in, from, until, got, tt.from, tt.until, tt.problem)
		}
	}
}
