package draft

import (
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// A deed is a kind of step by which people end an outage, with the words that
// tell that it was taken. What was only considered, and what happened by
// itself, must not match: a step that is not found stays in the timeline, where
// the editor sees it.
type deed struct {
	name  string
	words []*lazyregexp.Regexp
}

// Pieces of the expressions.
const (
	is = `(?:is|was|were|are|been|being)`
	// done ends a Korean noun of action: it was done, or the line ends there.
	done = `(?:을|를)? ?(?:했|함|하였|하고|하여|해서|해 ?봤|해 ?보았|완료|실시|진행|수행|시도|후|[,.;)]|$)`
	// made is done without the bare noun, which may also be what happened.
	made = `(?:을|를)? ?(?:했|함|하였|하고|시켰|시킴|완료)`

	job = `(?:jobs?|batch|deploy\w*|rollout|migration|quer(?:y|ies)|process(?:es)?|cron\w*|automation|autoscal\w+|` +
		`features?|flags?|consumers?|workers?|cleanup|backups?|imports?|crawlers?|rules?|plugins?|retries|health checks?)`
	stopped = `(?:stopped|paused|halted|suspended|cancell?ed|aborted|killed|terminated|disabled|turned off|switched off|shut off)`
	mend    = `(?:fix(?:es)?|hot-?fix|patch(?:es)?|workaround|mitigations?)`
	shipped = `(?:deployed|shipped|released|rolled out|pushed|applied|merged)`
	// machineKo are what there may be more of.
	machineKo = `(?:메모리|서버|인스턴스|노드|파드|레플리카|워커|샤드|브로커|컨슈머|파티션|스레드|커넥션|힙|디스크|볼륨)`
	jobKo     = `(?:배치|배포|작업|쿼리|조회|크론|자동화|마이그레이션|롤아웃|재시도|기능|플래그|컨슈머|워커|프로세스|헬스 ?체크|오토스케일\S*)`
)

// english and korean read expressions of whole words, and of their beginnings.
func english(exprs ...string) []*lazyregexp.Regexp {
	return []*lazyregexp.Regexp{lazyregexp.New(`(?i)\b(?:` + strings.Join(exprs, "|") + `)\b`)}
}

func (d deed) korean(exprs ...string) deed {
	d.words = append(d.words, lazyregexp.New(strings.Join(exprs, "|")))
	return d
}

// deeds are the steps that are known, the most telling first.
func deeds() []deed {
	return []deed{
		deed{"rollback", english(`rolled (?:\S+ ){0,4}?back`, `rolling (?:\S+ ){0,4}?back`, `reverted`, `reverting`, `backed out`,
			`roll-?back (?:of|to|starts?|started|initiated|completed?|finished|deployed|begins|began)`)}.
			korean(`(?:롤백|롤 백|원복|리버트)`+done, `(?:롤백|원복)(?:이|됐|됨|되었)`, `되돌렸`, `되돌림`, `되돌리고`),
		deed{"restart", english(`restarted`, `restarting (?:the|all|our|each)`, `rebooted`, `bounced`, `power[- ]cycled`,
			`restart (?:of \S+ (?:\S+ )?)?(?:starts?|started|initiated|completed?|finished|begins|began)`)}.
			korean(`(?:재시작|재기동|재부팅|리부트|리스타트)`+done, `껐다 켰`, `껐다 켬`, `다시 띄웠`, `다시 띄움`),
		deed{"failover", english(`failed (?:\S+ ){0,3}?over`, `failing over`, `switched over`,
			`promoted (?:\S+ ){0,3}?(?:replica|standby|secondary|follower)`, `(?:replica|standby|secondary|follower) `+is+` promoted`)}.
			korean(`(?:페일오버|절체|승격)`+made, `(?:수동|강제) ?(?:페일오버|절체)`),
		deed{"reroute", english(`(?:rerouted|redirected|shifted|diverted|moved|switched) (?:\S+ ){0,3}?(?:traffic|requests|users|customers|load)`,
			`traffic `+is+` (?:rerouted|redirected|shifted|diverted|moved|drained)`, `drained (?:\S+ ){0,3}?(?:nodes?|hosts?|regions?|zones?|clusters?|datacent\w+|traffic)`)}.
			korean(`(?:트래픽|요청|사용자).{0,16}(?:돌렸|돌림|옮겼|옮김|우회`+done+`)`, `우회`+made, `드레인`+made),
		deed{"stop", english(stopped+` (?:(?:the|an?|all|our|both|this|that|those|its|every) (?:\S+ ){0,4}?)?`+job, `(?:change|`+job+`) (?:`+is+` )(?:\S+ )?`+stopped)}.
			korean(jobKo+`.{0,12}(?:(?:중단|중지|정지|종료|취소|비활성화|차단)`+made+`|멈췄|멈춤|껐|끔)`, `강제 ?종료`+done, `비활성화`+made),
		deed{"limit", english(`blocked (?:\S+ ){0,4}?(?:ips?|address(?:es)?|clients?|users?|bots?|crawlers?|traffic|requests)`, `rate[- ]limited`,
			`throttled (?:\S+ ){0,3}?(?:traffic|requests|clients?|users?|load|jobs?|writes|reads)`, `shed (?:\S+ ){0,2}?(?:load|traffic|requests)`,
			`(?:lowered|reduced|limited|cut) (?:\S+ ){0,4}?(?:rates?|load|traffic|concurrency|retries)`)}.
			korean(`(?:IP|아이피|트래픽|요청|봇|클라이언트|계정|유입).{0,12}(?:차단|제한)`+made, `스로틀링`+made, `유입.{0,8}(?:줄였|줄임)`),
		deed{"capacity", english(`scaled (?:\S+ ){0,5}?(?:up|out)`, `scaling (?:up|out)`,
			`(?:added|provisioned|launched|spun up|brought up) (?:\S+ ){0,5}?(?:capacity|nodes?|instances?|servers?|replicas?|shards?|workers?|machines?|pods?|brokers?|hosts?)`,
			`(?:increased|raised|doubled|tripled|bumped) (?:(?:the|our|its|an?|all|both) (?:\S+ ){0,5}?|`+
				`(?:connection|memory|cpu|worker|thread|max\w*|replica|queue|rate) )?(?:capacity|limits?|quotas?|size|timeouts?|memory|replicas?|instances|pool|connections)`,
			`(?:capacity|limit|quota|pool|timeout) `+is+` (?:increased|raised|doubled|added)`)}.
			korean(`(?:증설|스케일 ?아웃|스케일 ?업)`+done, `확장`+made, `(?:수|한도|제한|크기|용량|값|대수|타임아웃|풀|`+machineKo+`)(?:를|을)? .{0,14}(?:늘렸|늘림|올렸|올림|높였|높임)`),
		deed{"fix", english(shipped+` (?:\S+ ){0,4}?`+mend, mend+` (?:`+is+` |has been )?(?:\S+ )?`+shipped, `hot-?fixed`, `patched`)}.
			korean(`(?:핫픽스|패치|수정 ?버전|수정본|수정 사항|수정 코드)(?:을|를)? ?.{0,8}(?:배포|적용|반영)`+done, `수정 ?배포`+done),
		deed{"restore", english(`(?:restored|rebuilt|recreated|replaced|reinstalled|reimaged) (?:\S+ ){0,5}?` +
			`(?:index(?:es)?|databases?|clusters?|nodes?|disks?|volumes?|hosts?|servers?|tables?|backups?|snapshots?)`)}.
			korean(`(?:백업|스냅샷|스냅숏).{0,12}(?:복원|복구)`+made, `(?:노드|디스크|서버|장비|인덱스)(?:를|을)? ?(?:교체|재생성|재구축|재구성)`+made),
		deed{"clean", english(`(?:cleared|flushed|purged|emptied|deleted|freed|truncated|warmed|prewarmed) (?:\S+ ){0,4}?` +
			`(?:caches?|queues?|backlog|disks?|space|logs?|messages|keys|tables?|sessions|locks?)`)}.
			korean(`(?:캐시|큐|대기열|백로그|디스크|로그|메시지|세션|락).{0,8}(?:비웠|비움|(?:삭제|초기화|정리|예열|워밍)` + made + `)`),
		deed{"credential", english(`(?:renewed|rotated|reissued|replaced) (?:\S+ ){0,4}?(?:certificates?|certs?|keys?|tokens?|credentials?|passwords?|secrets?)`)}.
			korean(`(?:인증서|키|토큰|비밀번호|자격 증명)(?:를|을)? ?(?:갱신|교체|재발급)` + made),
	}
}

var (
	// notDone stands before what was not done, or is no step of its own.
	notDone = lazyregexp.New(`(?i)\b(?:after|once|until|before|when|while|if|unless|because|since|that had|which had|earlier|previously|` +
		`will|would|should|could|may|might|must|to be|cannot|plan(?:s|ned)?|consider(?:s|ed|ing)?|decided?|discuss\w*|propos\w+|suggest\w*|` +
		`prepar\w+|ready|failed to|unable to|attempts? to)\b[^.;:,]*$`)
	// byItself stands behind what no person did, and itself before it.
	byItself = lazyregexp.New(`(?i)^[^.;]{0,40}\b(?:by itself|themselves|itself|repeatedly|in a loop|again and again|crash\w*|oom\w*|` +
		`on (?:its|their) own|automatically)\b`)
	itself = lazyregexp.New(`(?i)\b(?:automatically|(?:kept|keeps?)(?: being)?|repeatedly|(?:pods?|containers?) (?:were |was |are )?being) $`)
	// onlySaid stands behind what was only spoken of, or went on by itself, in
	// Korean.
	onlySaid = lazyregexp.New(`^[^.,;]{0,12}?(?:예정|검토|논의|결정|계획|요청|필요|준비|고려|제안|판단|하기로|하려|할지|반복|되풀이|되기|되면|되지|하지|않|못|없이|전까지)`)
)

// butKorean stands behind a step that was taken, and before what came of it:
// "롤백했으나 해결되지 않았다".
var butKorean = lazyregexp.New(`^(?:으나|지만|는데|더니|음에도|으며|고도|다가)`)

// An article before one of these words makes it the name of a thing, "each
// restarted node".
var (
	article    = lazyregexp.New(`(?i)\b(?:each|every|any|an?|the|newly|freshly) $`)
	participle = lazyregexp.New(`(?i)^(?:restarted|rebooted|reverted)$`)
)

// A told deed is a step that a text tells of, with its words there.
type told struct{ name, words string }

// deedIn returns the name of the first step that a text tells of, or "".
func deedIn(all []deed, text string) string {
	for _, d := range deedsIn(all, text) {
		return d.name
	}
	return ""
}

// deedsIn returns the steps that a text tells of, each kind once.
func deedsIn(all []deed, text string) []told {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		lower = text // some letter changes its size, so that places would differ
	}
	var found []told
	for _, d := range all {
		if at := d.find(text, lower); at != nil {
			found = append(found, told{d.name, text[at[0]:at[1]]})
		}
	}
	return found
}

// find returns where a text tells that the step was taken, or nil.
func (d deed) find(text, lower string) []int {
	for _, words := range d.words {
		for _, at := range words.FindAllStringIndex(text, -1) {
			before, behind := text[:at[0]], text[at[1]:]
			said := onlySaid.MatchString(behind) && !butKorean.MatchString(behind)
			thing := participle.MatchString(text[at[0]:at[1]]) && article.MatchString(before)
			if !said && !thing && !notDone.MatchString(before) && !itself.MatchString(before) && !byItself.MatchString(behind) &&
				!denied(lower, at[0], at[1]) {
				return at
			}
		}
	}
	return nil
}

// remedyOf returns the term of the list remedy that a kind of step always is.
// Of the other kinds there are several, and it returns "".
func remedyOf(deed string) string {
	switch deed {
	case "rollback", "restart", "failover":
		return deed
	case "reroute":
		return "reroute-traffic"
	case "credential":
		return "rotate-credential"
	}
	return ""
}

// maxDeed bounds the text in which a step is looked for.
const maxDeed = 2000

// takeDeeds copies the steps that tell what was done into the actions, from the
// timeline and, of the kinds that are not found there, from the narrative and
// the summary: their effect is for the editor to judge. What the section about
// the resolution has already is not repeated, and what came before the outage
// is no action against it.
func (p *placer) takeDeeds() {
	all := deeds()
	known := map[string]bool{}
	for _, e := range p.rec.actions.list {
		if len(e.text) <= maxDeed {
			for _, d := range deedsIn(all, e.text) {
				known[d.name] = true
			}
		}
	}
	p.deedsOfTimeline(all, known)
	for _, e := range p.rec.actions.list {
		if len(e.text) <= maxDeed {
			for _, d := range deedsIn(all, e.text) {
				known[d.name] = true
			}
		}
	}
	p.deedsOfProse(all, known, "narrative", p.rec.narrative.text)
	p.deedsOfProse(all, known, "summary", p.rec.summary.text)
}

func (p *placer) deedsOfTimeline(all []deed, known map[string]bool) {
	began := ""
	if start := p.rec.times["start"]; start != nil {
		began = start.at
	}
	for i, e := range p.rec.observed.list {
		if i == 0 && began == "" && len(p.rec.observed.list) > 1 || began != "" && e.at != "" && compareTimes(e.at, began) <= 0 ||
			len(e.text) > maxDeed {
			continue
		}
		if name := deedIn(all, e.text); name == "" || known[name] {
			continue
		}
		p.rec.actions.add(entry{
			notes: []string{"from: a step of the timeline; delete it if it was none against the outage"},
			at:    e.at, about: e.about, text: e.text,
		})
	}
}

// deedsOfProse copies sentences, of each kind of step the first.
func (p *placer) deedsOfProse(all []deed, known map[string]bool, field, text string) {
	for _, sentence := range sentences(text) {
		if len(sentence) > maxDeed {
			continue
		}
		fresh := false
		for _, d := range deedsIn(all, sentence) {
			fresh = fresh || !known[d.name]
			known[d.name] = true
		}
		if fresh {
			p.rec.actions.add(entry{
				notes: []string{"from: a sentence of the " + field + "; delete it if it was no step against the outage"},
				text:  sentence,
			})
		}
	}
}

var sentenceEnd = lazyregexp.New(`[.!?。]["'”’)]*(?:\s+|$)|\n+`)

// sentences cuts prose at the ends of its sentences and lines. Code, and what
// else is no running text, is left out.
func sentences(text string) []string {
	var list []string
	for line := range strings.SplitSeq(fenced.ReplaceAllString(text, "\n"), "\n") {
		line = strings.TrimSpace(strings.TrimLeft(line, " -*"))
		if line == "" || strings.ContainsRune("#>|`", rune(line[0])) {
			continue
		}
		from := 0
		for _, at := range sentenceEnd.FindAllStringIndex(line, -1) {
			list = append(list, strings.TrimSpace(line[from:at[1]]))
			from = at[1]
		}
		if rest := strings.TrimSpace(line[from:]); rest != "" {
			list = append(list, rest)
		}
	}
	return list
}

var fenced = lazyregexp.New("(?s)```.*?(?:```|$)")
