package search

// Words of somebody who wants to learn, choose or buy something. In a query
// that does not say what happened they tell that it is not about an incident
// ("how to learn kubernetes", "redis vs memcached comparison"), although
// documents have them: there, somebody learns of an outage. Names of what a system may do,
// like pricing and recommendations, are none of them.
const asideEnglish = `learn tutorial tutorials beginner beginners certification exam interview salary career
cheap cheapest vs versus comparison comparisons recommend ebook cheatsheet`

const asideKorean = `배우기 배우는 배우고 배우려면 공부 입문 강의 강좌 튜토리얼 자격증 면접 연봉 이직 비교 차이점 장단점`

// asides counts those words as words that no document has, in a query that does
// not say what happened. A word that no document has counts so already, and a
// pasted text is not a question.
func (a *analyser) asides() {
	if a.pasted || a.plan.what > 0 {
		return
	}
	for i, w := range a.raw {
		if a.wanted[i] && !w.named && a.x.lex.isAside(w) {
			a.plan.aside = true
			a.plan.missing += idf(len(a.x.docs), 0)
		}
	}
}

// isAside reports whether a word of a query is one of these, with or without a
// particle.
func (lex *lexicon) isAside(w rawWord) bool {
	if w.kind == kindPair {
		return lex.aside[w.text] || lex.aside[lex.core(w.text)]
	}
	folded, _ := fold(w.text)
	return lex.aside[folded]
}
