package search

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	porter2 "github.com/blevesearch/snowballstem/english"
)

// English words that only hold a sentence together. They are not indexed.
const englishStops = `a an the and or of to in on at for by from with as into onto than then is are was were
be been being am do does did has have had having it its this that these those there here he she they them
their his her him we our us you your i my me who whom whose which what when where why how so such if but
just also very can could will would shall should may might must about please anyone anybody someone
somebody ve ll re`

// English words that say little about an incident. They count a fraction.
const englishLight = `after before during while since until up down out off over under again still all any some
no not cant cannot wont dont doesnt isnt now new one two too get gets getting got seen see seeing saw every
each other others same only more most much many right something nothing everything keep keeps thing things
problem problems issue issues help firing several happen happens happened suddenly`

// Past forms that Porter2 cannot lead back to the verb.
const englishPast = `lost lose broke break broken break froze freeze frozen freeze hung hang grew grow grown grow
rose rise risen rise fell fall fallen fall ran run went go gone go began begin begun begin sent send kept keep
held hold took take taken take threw throw thrown throw wrote write written write shrank shrink shrunk shrink
left leave built build rebuilt rebuild stuck stick brought bring caught catch spent spend overran overrun
centre center centres center datacentre datacenter datacentres datacenter catalogue catalog analyse analyze
data data added add adding add customers customer
severities severity experiments experiment`

// Words that Porter2 would give the stem of another word: severity that of
// several, customer that of custom, contention that of content.
const englishWhole = `severity several customer contention experiment international general university`

// english brings English words to their terms. It is not safe for concurrent
// use, since the stemmer keeps its state.
type english struct {
	env *snowballstem.Env
	lex *lexicon
}

// A lexicon holds the closed word lists of both languages. It is read only.
type lexicon struct {
	stop, light map[string]bool   // folded English words
	past        map[string]string // folded form to verb
	unstemmed   map[string]bool   // folded words that keep their ending
	field       map[string]bool   // names of fields in alerts and logs
	where       map[string]bool   // those whose values tell nothing
	pointer     map[string]bool   // what names of such fields end in
	common      map[string]bool   // words that are no typing mistakes
	aside       map[string]bool   // words of questions about other things than incidents
	koStop      map[string]bool   // whole Korean words
	koLight     map[string]bool
	particle    map[string]bool
	endings     []string // Korean particles and endings, longest first
	formEndings []string // of English words
}

func newLexicon() *lexicon {
	lex := &lexicon{
		stop:        wordSet(englishStops),
		light:       wordSet(englishLight),
		past:        map[string]string{},
		unstemmed:   wordSet(englishWhole),
		field:       wordSet(fieldNames),
		where:       wordSet(whereNames),
		pointer:     wordSet(pointerParts),
		common:      wordSet(commonEnglish + commonKorean),
		aside:       wordSet(asideEnglish + " " + asideKorean),
		koStop:      wordSet(koreanStops),
		koLight:     wordSet(koreanLight),
		particle:    wordSet(koreanParticles),
		endings:     koreanEndings(),
		formEndings: strings.Fields(formEndings),
	}
	pairs := strings.Fields(englishPast)
	for i := 0; i+1 < len(pairs); i += 2 {
		lex.past[pairs[i]] = pairs[i+1]
	}
	return lex
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

func newEnglish(lex *lexicon) *english {
	return &english{env: snowballstem.NewEnv(""), lex: lex}
}

// term returns the index term of one part of a word chunk.
func (e *english) term(part string) string {
	folded, letters := fold(part)
	return e.termOf(part, folded, letters)
}

// termOf is term for a part that is folded already.
func (e *english) termOf(part, folded string, letters bool) string {
	if isPlural(part) {
		return folded[:len(folded)-1]
	}
	return e.stem(folded, letters)
}

// whole returns the index term of a whole chunk of several parts.
func (e *english) whole(s string) string {
	return e.stem(joined(s))
}

// stem stems words of more than three letters; shorter ones are mostly
// abbreviations (aws, dns).
func (e *english) stem(folded string, letters bool) string {
	if !letters || len(folded) <= 3 {
		return folded
	}
	if verb, ok := e.lex.past[folded]; ok {
		folded = verb
	}
	if e.lex.unstemmed[folded] {
		return folded
	}
	e.env.SetCurrent(americanise(folded))
	porter2.Stem(e.env)
	return e.env.Current()
}

// isPlural reports whether s is the plural of an abbreviation (VMs, APIs).
func isPlural(s string) bool {
	if len(s) < 3 || s[len(s)-1] != 's' {
		return false
	}
	for i := range len(s) - 1 {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}

// americanise maps British endings to American ones, so that both spellings
// share a stem. It need not be right about a word, only the same for all its
// forms.
func americanise(w string) string {
	for _, end := range []string{"isations", "isation", "ised", "ises", "ising", "iser", "isers", "ise"} {
		if stem, ok := strings.CutSuffix(w, end); ok && len(stem) >= 4 {
			return stem + "iz" + end[2:]
		}
	}
	if i := strings.Index(w, "iour"); i >= 3 {
		return w[:i] + "ior" + w[i+4:]
	}
	return w
}
