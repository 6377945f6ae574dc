package scenario

import (
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// WhyIn returns why an expectation does not hold, in language l.
func (s Seen) WhyIn(l bilingual.Lang) string {
	if l != bilingual.Korean {
		return s.Why
	}
	parts := strings.Split(s.Why, "; ")
	for i, part := range parts {
		parts[i] = toldInKorean(part)
	}
	return strings.Join(parts, "; ")
}

// TextIn returns the value in language l: a number, a time, or a sentence about it.
func (m Measured) TextIn(l bilingual.Lang) string {
	if l != bilingual.Korean {
		return m.Text
	}
	return toldInKorean(m.Text)
}

// A saying is a sentence that package expect makes about a run, and what it is in
// Korean. Recordings keep the English one, so it is put into Korean where it is
// shown; $> is a sentence within it.
type saying struct {
	form *lazyregexp.Regexp
	ko   string
}

// sayings are the sentences, the outer ones first.
var sayings = []saying{
	{lazyregexp.New(`^true$`), "참"},
	{lazyregexp.New(`^false$`), "거짓"},
	{lazyregexp.New(`^true: (.+)$`), "참: $>1"},
	{lazyregexp.New(`^false: (.+)$`), "거짓: $>1"},
	{lazyregexp.New(`^none: (.+)$`), "값 없음: $>1"},
	{lazyregexp.New(`^(.+) has no value: (.+)$`), "$1: 값이 없음, $>2"},
	{lazyregexp.New(`^(.+) does not hold$`), "$1: 성립하지 않음"},
	{lazyregexp.New(`^(.+) does not hold: (.+)$`), "$1: 성립하지 않음, $>2"},
	{lazyregexp.New(`^(.+) holds$`), "$1: 성립함"},
	{lazyregexp.New(`^(.+) holds: (.+)$`), "$1: 성립함, $>2"},
	{lazyregexp.New(`^(.+), wanted not (.+) to (.+)$`), "$1, 기대: $2~$3 밖"},
	{lazyregexp.New(`^(.+), wanted (.+) to (.+)$`), "$1, 기대: $2~$3"},
	{lazyregexp.New(`^(.+), wanted not (.+)$`), "$1, 기대: $2 아님"},
	{lazyregexp.New(`^(.+), wanted (.+)$`), "$1, 기대: $2"},
	{lazyregexp.New(`^(.+) is (true|false)$`), "$1: $>2"},
	{lazyregexp.New(`^it is (\S+) at most, at (\S+), and first above (\S+) at (\S+)$`), "최고 $1($2), $3 초과는 $4부터"},
	{lazyregexp.New(`^it is (\S+) at most, at (\S+)$`), "최고 $1($2)"},
	{lazyregexp.New(`^it has no value$`), "값이 없음"},
	{lazyregexp.New(`^it was never above (\S+)$`), "$1 초과 없음"},
	{lazyregexp.New(`^it is above (\S+) until (\S+), when it is (\S+)$`), "$2까지 $1 초과, 그때 $3"},
	{lazyregexp.New(`^never above (\S+) for (\S+)$`), "$1 초과가 $2 동안 이어진 적 없음"},
	{lazyregexp.New(`^never above (\S+)$`), "$1 초과 없음"},
	{lazyregexp.New(`^never below (\S+) for (\S+)$`), "$1 미만이 $2 동안 이어진 적 없음"},
	{lazyregexp.New(`^never below (\S+)$`), "$1 미만 없음"},
	{lazyregexp.New(`^no value at (\S+)$`), "$1에 값이 없음"},
	{lazyregexp.New(`^no value between (\S+) and (\S+)$`), "$1에서 $2 사이에 값이 없음"},
	{lazyregexp.New(`^no whole window lies between (\S+) and (\S+)$`), "$1에서 $2 사이에 온전한 구간이 없음"},
	{lazyregexp.New(`^(\S+) is before the start of the run$`), "실행이 시작되기 전: $1"},
	{lazyregexp.New(`^divided by 0$`), "0으로 나눔"},
	{lazyregexp.New(`^the total that is divided by is 0$`), "나누는 합계가 0"},
	{lazyregexp.New(`^fewer than two values to lay a line through$`), "직선을 그을 값이 두 개가 안 됨"},
	{lazyregexp.New(`^the run has no series (.+)$`), "실행에 없는 계열: $1"},
	{lazyregexp.New(`^not reached: the run ends at (\S+), and this looks until (\S+)$`), "이르지 못함: 실행은 $1에 끝나고 이 조건은 $2까지 본다"},
	{lazyregexp.New(`^not reached: the run ended at (\S+) \((.+)\), and this looks until (\S+)$`),
		"이르지 못함: 실행은 $1에 끝났고($2) 이 조건은 $3까지 본다"},
}

// toldInKorean puts a sentence about a run into Korean. One that is not known, as
// a number is, stays as it is.
func toldInKorean(text string) string {
	for _, s := range sayings {
		m := s.form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		var pairs []string
		for i, piece := range m[1:] {
			n := string(rune('1' + i))
			pairs = append(pairs, "$>"+n, toldInKorean(piece), "$"+n, piece)
		}
		return strings.NewReplacer(pairs...).Replace(s.ko)
	}
	return text
}
