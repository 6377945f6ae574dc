package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Korean words that only hold a sentence together or ask.
const koreanStops = `그리고 그러나 그런데 하지만 그래서 때문 때문에 있다 있는 있어 있어요 있습니다 있나요 있었다 없나요
하는 했다 한다 된다 됐다 되었다 되는 위해 위한 대한 대해 통해 따라 무엇 무슨 어떤 어떻게 왜 누가 언제 어디 그 이 저 것
것이 것은 것을 수 등 및 또는 더 좀 안 못 잘 다 또 뭐 뭔가 경우 경우에 관련 관련된 어떡해 하나요 되나요 해야 합니다
됩니다 하면 되면 인가요 입니다 이다 아니다 같은 같아요 같다 갑자기 계속 자꾸 지금 우리 저희 사례 사례가 혹시`

// Korean words that say little about an incident. They count a fraction.
const koreanLight = `다른 모든 모두 다시 이미 아직 크게 많이 있었다 없었다 않았다 못했다 않는 않고 않아 동안 이후 이전 일부 뒤 뒤에 후 후에
전 전에 중 중에 때 새 새로 바로 먼저 함께 모두가 그대로 거의 매우 너무 아주 정도 이상 이하 문제 문제가 발생 발생했다 생겼다 생김
나옴 나온다 났다 나서 안됨 안돼요 안되요 없음 없다 없어요 보인다 보임 걸린다 남았다 이런 저런 하나 둘`

// Particles that may follow a word in another script directly.
const koreanParticles = `은 는 이 가 을 를 의 에 로 와 과 도 만 들 나 랑 며 에서 에게 으로 부터 까지 끼리 처럼 보다 마다 이나 이란
라는 라고 이라는 이라고 이며 밖에 하고 에는 에도 에서는 에서도 에서의 으로는 로는 로도 으로의 로의 와의 과의 까지는
부터는 들이 들은 들을 들의 들에 들과 들도 이고 이었다 였다 이다 인 일 이라 라 란 하고는 만의 만이 으로부터 로부터 에게서`

// Endings of verbs and of nouns with 하다 and 되다.
const koreanVerbEndings = `하다 되다 했다 됐다 되었다 하였다 한다 된다 하는 되는 하고 되고 하며 되며 하면 되면 하면서 되면서 해서 돼서
하여 되어 하지 되지 하자 되자 하기 되기 하던 되던 했고 됐고 했지만 됐지만 했는데 됐는데 했을 됐을 되면서 한다면 할 될 한 된 함 됨
합니다 됩니다 했습니다 됐습니다 되었습니다 해요 돼요 했어요 됐어요 하나요 되나요 시킨 시켰다 시키는 시켜 당했다 당한
졌다 졌고 진다 지는 져서 지고 지며 지면서 졌습니다 집니다 짐 다 고 며 면 자 니 는데 지만 면서 어요 아요 습니다 입니다
더니 다가 는데도 어도 아도 자마자 려고 으려고 느라 거나 고서 아서 어서 해도 돼도 네 죠 지요 요 서 었다 았다 었는데 았는데
버렸다 버린 버려 했음 됐음 음 임 이에요 예요 했더니 됐더니 했는데도 됐는데도 있다 있는 있었다 없다 없는 없이 없어 없어서 없음 나요 까요 네요 중 중에 중인 후 뒤 시 시에 때 전 간 별 적 적인 적으로`

func koreanEndings() []string {
	all := append(strings.Fields(koreanParticles), strings.Fields(koreanVerbEndings)...)
	slices.Sort(all)
	all = slices.Compact(all)
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// core returns run without its longest particle or ending, if at least two
// syllables remain; otherwise run itself.
func (lex *lexicon) core(run string) string {
	if len(run) < 9 { // three Hangul syllables
		return run
	}
	for _, end := range lex.endings {
		if len(run)-len(end) < 6 {
			continue
		}
		if rest, ok := strings.CutSuffix(run, end); ok {
			return rest
		}
	}
	return run
}

// bare is core for the words of a phrase, where one syllable may remain: the
// phrase has other words that tell whether the particle was one.
func (lex *lexicon) bare(run string) string {
	if len(run) == 6 {
		if r, ok := lex.noun([]rune(run)); ok {
			return string(r)
		}
	}
	return lex.core(run)
}

// pairKey is the key of two neighbouring characters, or of one alone.
func pairKey(a, b rune) uint64 { return uint64(a)<<32 | uint64(b) }

// noun returns the first of two syllables if the second is a particle of one
// syllable, so that a noun of one syllable is found (락을, 풀이).
func (lex *lexicon) noun(run []rune) (rune, bool) {
	if len(run) == 2 && lex.particle[string(run[1])] {
		return run[0], true
	}
	return 0, false
}

const (
	hangulBase = 0xAC00
	hangulLast = 0xD7A3
	vowelCount = 21
	tailCount  = 28
)

func isHangul(r rune) bool { return hangulBase <= r && r <= hangulLast }

// jamo splits a syllable into the indices of lead, vowel and tail (0: none).
func jamo(r rune) (lead, vowel, tail int) {
	i := int(r - hangulBase)
	return i / (vowelCount * tailCount), i / tailCount % vowelCount, i % tailCount
}

func syllable(lead, vowel, tail int) rune {
	return rune(hangulBase + (lead*vowelCount+vowel)*tailCount + tail)
}

// Indices of the vowels and tails that Korean verbs change when they are
// inflected.
const (
	vowelYeo, vowelO, vowelWa, vowelU, vowelWo, vowelI = 6, 8, 9, 13, 14, 20

	tailN, tailL, tailM, tailB, tailSS = 4, 8, 16, 17, 20
)

// endingSyllables follow the stem of a verb directly: 막다, 막은, 막아, 막았다.
const endingSyllables = "은는을음어아었았으고지다게기면던"

// inflections returns the other forms that a syllable takes as the last one
// of a verb's stem: 끊기(다), 끊긴, 끊길, 끊김, 끊깁(니다), 끊겨, 끊겼(다). If the
// syllable may itself be an ending, the other endings are among them.
func inflections(r rune) []rune {
	if !isHangul(r) {
		return nil
	}
	var forms []rune
	if strings.ContainsRune(endingSyllables, r) {
		forms = []rune(endingSyllables)
	}
	if !strings.ContainsRune(endingSyllables, r) || r == '기' || r == '지' {
		forms = append(forms, stemForms(r)...)
	}
	return slices.DeleteFunc(forms, func(f rune) bool { return f == r })
}

// stemForms returns the forms of the last syllable of a verb's stem.
func stemForms(r rune) []rune {
	lead, vowel, tail := jamo(r)
	base := vowel
	switch tail {
	case 0, tailSS:
		switch vowel {
		case vowelYeo:
			base = vowelI
		case vowelWa:
			base = vowelO
		case vowelWo:
			base = vowelU
		}
	case tailN, tailL, tailM, tailB:
	default:
		return nil
	}
	forms := make([]rune, 0, 8)
	for _, t := range []int{0, tailN, tailL, tailM, tailB} {
		forms = append(forms, syllable(lead, base, t))
	}
	if past, ok := contracted(base); ok {
		forms = append(forms, syllable(lead, past, 0), syllable(lead, past, tailSS))
	}
	return forms
}

// contracted returns the vowel that base becomes together with 어 or 아.
func contracted(base int) (int, bool) {
	switch base {
	case vowelI:
		return vowelYeo, true
	case vowelO:
		return vowelWa, true
	case vowelU:
		return vowelWo, true
	}
	return 0, false
}

// appendJamo appends the jamo of s to dst; other characters stay as they are.
func appendJamo(dst []rune, s string) []rune {
	for _, r := range s {
		if !isHangul(r) {
			dst = append(dst, r)
			continue
		}
		lead, vowel, tail := jamo(r)
		dst = append(dst, rune(0x1100+lead), rune(0x1161+vowel))
		if tail > 0 {
			dst = append(dst, rune(0x11A7+tail))
		}
	}
	return dst
}

// syllables is the number of characters of a run.
func syllables(run string) int { return utf8.RuneCountInString(run) }
