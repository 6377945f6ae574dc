package bilingual

import "strings"

// Phrases are texts that a program says, in both languages. Each % of one stands for
// what is taken over as it is, such as a number or a name; one that ends in ": %" for
// another phrase, or for what nobody has put into words. The first that fits counts.
type Phrases []Text

// Korean says an English text in Korean, and reports false for one that is no phrase.
func (p Phrases) Korean(text string) (string, bool) {
	for _, one := range p {
		taken, ok := taken(one.En, text)
		if !ok {
			continue
		}
		if last := len(taken) - 1; last >= 0 && strings.HasSuffix(one.En, ": %") {
			if ko, ok := p.Korean(taken[last]); ok {
				taken[last] = ko
			}
		}
		return filled(one.Ko, taken), true
	}
	return "", false
}

// taken returns what stands in the place of each % of a pattern.
func taken(pattern, text string) ([]string, bool) {
	pieces := strings.Split(pattern, "%")
	rest, ok := strings.CutPrefix(text, pieces[0])
	if !ok {
		return nil, false
	}
	var all []string
	for i, piece := range pieces[1:] {
		at := strings.Index(rest, piece)
		if i == len(pieces)-2 { // the last one
			at = len(rest) - len(piece)
		}
		if at < 0 || !strings.HasPrefix(rest[at:], piece) {
			return nil, false
		}
		all, rest = append(all, rest[:at]), rest[at+len(piece):]
	}
	return all, rest == ""
}

// filled puts texts in the place of each % of a pattern.
func filled(pattern string, all []string) string {
	pieces := strings.Split(pattern, "%")
	var b strings.Builder
	for i, piece := range pieces {
		if i > 0 && i <= len(all) {
			b.WriteString(all[i-1])
		}
		b.WriteString(piece)
	}
	return b.String()
}
