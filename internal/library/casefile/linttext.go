package casefile

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// maxRunes bounds texts by path; all others may have maxText runes.
var maxRunes = map[string]int{"title": 200, "summary": 1200, "narrative": 16000, "symptoms.text": 8000}

const maxText = 2000

// side visits every present side of every text.
func (l *linter) side(visit func(field, text string, lang bilingual.Lang)) {
	for _, t := range l.c.Texts() {
		for _, lang := range bilingual.Langs {
			if s := t.In(lang); s != "" {
				visit(t.Path+"."+string(lang), s, lang)
			}
		}
	}
}

func (l *linter) languages() {
	missing := map[bilingual.Lang][]string{}
	for _, t := range l.c.Texts() {
		for _, lang := range bilingual.Langs {
			if strings.TrimSpace(t.In(lang)) == "" {
				missing[lang] = append(missing[lang], t.Path)
			}
		}
		if t.Ko != "" && !hasHangul(t.Ko) && hasLongLatin(t.Ko) {
			l.warn("missing-language", t.Path+".ko", "holds no Korean", "write the Korean side in Korean")
		}
		if hasHangul(t.En) {
			l.warn("missing-language", t.Path+".en", "holds Korean", "write the English side in English")
		}
	}
	for _, lang := range bilingual.Langs {
		l.missing(lang, missing[lang])
	}
}

// missing reports texts without the side of a language. A draft is often
// written in one language first, so that all its texts are one finding.
func (l *linter) missing(lang bilingual.Lang, fields []string) {
	const help = "write it; it is never filled from the other side"
	if l.c.State == "draft" && len(fields) > 1 {
		l.warn("missing-language", fields[0], fmt.Sprintf("the %q side is missing here and in %d more texts", lang, len(fields)-1),
			"write them before you publish the case")
		return
	}
	for _, field := range fields {
		l.warn("missing-language", field, fmt.Sprintf("the %q side is missing", lang), help)
	}
}

func hasHangul(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}

// hasLongLatin tells prose from a name or a figure, which may stand in both
// languages alike.
func hasLongLatin(s string) bool { return len(strings.Fields(s)) > 4 }

func (l *linter) lengths() {
	l.side(func(field, text string, _ bilingual.Lang) {
		base := field[:strings.LastIndex(field, ".")]
		limit, ok := maxRunes[base]
		if !ok {
			limit = maxText
		}
		if n := utf8.RuneCountInString(text); n > limit {
			l.warn("over-long", field, fmt.Sprintf("has %d characters", n), fmt.Sprintf("keep it under %d", limit))
		}
		if base == "title" && strings.Contains(text, "\n") {
			l.error("over-long", field, "has several lines", "keep the title on one line")
		}
	})
}

// endings reports texts that look cut off: prose of a sentence's length
// without an end, an ellipsis at the end, or brackets and back-quotes left open.
func (l *linter) endings() {
	l.side(func(field, text string, _ bilingual.Lang) {
		trimmed := strings.TrimRight(footnote.ReplaceAllString(text, ""), " \n")
		last, _ := utf8.DecodeLastRuneInString(trimmed)
		switch {
		case strings.HasSuffix(trimmed, "...") || last == '…':
			l.warn("truncated", field, "ends in an ellipsis", "write the text out")
		case prose(field) && !strings.ContainsRune(`.!?。)"”’'`+"`|", last):
			l.warn("truncated", field, fmt.Sprintf("ends in %q, not at the end of a sentence", lastWord(trimmed)), "finish the sentence")
		case strings.Count(text, "`")%2 == 1:
			l.warn("truncated", field, "a back-quote is left open", "close it")
		case strings.Count(text, "(") > strings.Count(text, ")"):
			l.warn("truncated", field, "a bracket is left open", "close it")
		}
	})
}

// prose reports whether a field holds whole sentences; the others may be
// phrases.
func prose(field string) bool {
	return strings.HasPrefix(field, "summary.") || strings.HasPrefix(field, "narrative.") || strings.HasPrefix(field, "lessons[")
}

func lastWord(s string) string {
	words := strings.Fields(s)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

var percentage = lazyregexp.New(`\d+(?:[.,]\d+)?\s?(?:%|percent|퍼센트)`)

// figures reports percentages that stand on one side of a text only.
func (l *linter) figures() {
	for _, t := range l.c.Texts() {
		if t.En == "" || t.Ko == "" {
			continue
		}
		en, ko := percentages(t.En), percentages(t.Ko)
		for _, p := range en {
			if !slices.Contains(ko, p) {
				l.warn("sides-differ", t.Path, fmt.Sprintf("%s%% stands in English only", p), "make both sides state the same figures")
			}
		}
		for _, p := range ko {
			if !slices.Contains(en, p) {
				l.warn("sides-differ", t.Path, fmt.Sprintf("%s%% stands in Korean only", p), "make both sides state the same figures")
			}
		}
	}
}

func percentages(s string) []string {
	var all []string
	for _, m := range percentage.FindAllString(s, -1) {
		number := strings.TrimRightFunc(m, func(r rune) bool { return r < '0' || r > '9' })
		all = append(all, strings.ReplaceAll(number, ",", "."))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

const (
	weekdayEn = `(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)`
	monthEn   = `(January|February|March|April|May|June|July|August|September|October|November|December)`
)

var (
	weekdayDayMonth = lazyregexp.New(weekdayEn + `,? (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + monthEn + `(?:,? (\d{4}))?`)
	weekdayMonthDay = lazyregexp.New(weekdayEn + `,? ` + monthEn + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`)
	koreanWeekday   = lazyregexp.New(`(?:(\d{4})년 ?)?(\d{1,2})월 ?(\d{1,2})일 ?\(?([월화수목금토일])(?:요일|\))`)
)

// weekdays reports a weekday that contradicts the date beside it.
func (l *linter) weekdays() {
	l.side(func(field, text string, lang bilingual.Lang) {
		for _, d := range l.namedDays(text, lang) {
			if got := d.date.Weekday(); got != d.said {
				l.warn("wrong-weekday", field, fmt.Sprintf("%q was a %s", d.words, got), "check the date in the source; keep a contradiction of the source in conflicts")
			}
		}
	})
}

type namedDay struct {
	words string
	said  time.Weekday
	date  time.Time
}

func (l *linter) namedDays(text string, lang bilingual.Lang) []namedDay {
	var days []namedDay
	add := func(words, year, month, day string, said int) {
		layout := "2006 January 2"
		if lang == bilingual.Korean {
			layout = "2006 1 2"
		}
		if year == "" && len(l.c.Date.String()) >= 4 {
			year = l.c.Date.String()[:4]
		}
		if date, err := time.Parse(layout, year+" "+month+" "+day); err == nil && said >= 0 {
			days = append(days, namedDay{words, time.Weekday(said), date})
		}
	}
	if lang == bilingual.Korean {
		for _, m := range koreanWeekday.FindAllStringSubmatch(text, -1) {
			add(m[0], m[1], m[2], m[3], slices.Index([]string{"일", "월", "화", "수", "목", "금", "토"}, m[4]))
		}
		return days
	}
	for _, m := range weekdayDayMonth.FindAllStringSubmatch(text, -1) {
		add(m[0], m[4], m[3], m[2], weekdayOf(m[1]))
	}
	for _, m := range weekdayMonthDay.FindAllStringSubmatch(text, -1) {
		add(m[0], m[4], m[2], m[3], weekdayOf(m[1]))
	}
	return days
}

func weekdayOf(name string) int {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if d.String() == name {
			return int(d)
		}
	}
	return -1
}
