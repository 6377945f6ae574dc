package draft

import (
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// What a text denies is no suggestion: "no data was lost" tells of no data
// loss, and "checkout was not affected" of no checkout.
var (
	deniedBefore = lazyregexp.New(`(?:^|[^\p{L}'’])(?:no|not|without|never|neither|nor|zero|none of|cannot|\p{L}+n['’]t)` +
		`(?: (?:\p{L}|[-'’0-9])+){0,2} $`)
	deniedBehind = lazyregexp.New(`^[\p{L}]{0,3}(?: (?:itself|at all))? (?:was|were|is|are|has|have|had|did|does|do)` +
		`(?: not|n['’]t)(?: been| be)? (?:affected|impacted|involved|lost|damaged|at risk|the cause|to blame|a factor|` +
		`occur|occurred|happen|happened|used|seen|observed)`)
	deniedKorean = lazyregexp.New(`^(?:[은는이가도을를]|에는|에도|으로는|로는)?(?: (?:전혀|발생하지|일어나지|영향을?|영향이|받지|확인되지|관련이?))*` +
		`(?: ?(?:없|않|아니|아닙|아닌|무관))`)
	// still are beginnings that only look like a denial.
	notDenied = lazyregexp.New(`(?:^|[^\p{L}])(?:not only|not just|no longer|not until|no sooner|no more than)[^.;]*$`)
	// between a denial and its object no other clause may begin.
	clauseBreak = lazyregexp.New(` (?:and|but|because|since|when|while|as|so|which|that|until|before|after|due|from|for|by) `)

	lossBehind  = lazyregexp.New(`^(?: (?:\p{L}|[-'’])+){0,3} (?:lost|loss|leaked|leak|corrupted|corruption|deleted|exposed|damaged|affected|stolen|at risk)\b`)
	denialAhead = lazyregexp.New(`^(?:no|not|without|never|zero) `)
)

// denied reports whether what stands at text[from:to] is denied by the words
// around it. text is in lower case.
func denied(text string, from, to int) bool {
	before := text[max(0, from-60):from]
	if at := strings.LastIndexAny(before, ".,;:!?()\n"); at >= 0 {
		before = before[at+1:]
	}
	behind := text[to:min(len(text), to+120)]
	if at := strings.IndexAny(behind, ".;!?\n"); at >= 0 {
		behind = behind[:at]
	}
	if denialAhead.MatchString(text[from:to]) {
		return lossBehind.MatchString(behind) // "no data" of "no data was lost"
	}
	if m := deniedBefore.FindString(before); m != "" && !notDenied.MatchString(before) && !clauseBreak.MatchString(m) {
		return true
	}
	return deniedBehind.MatchString(behind) || deniedKorean.MatchString(behind)
}
