package draft

import (
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// factKeys are the usual names of facts that a report states as "key: value".
var factKeys = map[string][]string{
	"title": {"title", "incident title", "제목", "장애명"},
	"start": {"start", "started", "start time", "started at", "incident start", "outage start", "impact start",
		"start of impact", "began", "time started", "시작", "시작 시각", "시작 시간", "장애 시작", "발생", "발생 시각",
		"발생 시간", "발생 일시", "발생일시", "장애 발생", "장애 발생 시각", "시작 일시", "장애 시작 시각"},
	"detected": {"detected", "detected at", "detection time", "time detected", "time of detection", "discovered",
		"detection", "discovery", "탐지", "감지", "탐지 시각", "감지 시각", "인지", "인지 시각", "인지 시간", "탐지 시간", "감지 시간"},
	"identified": {"identified", "identified at", "cause identified", "root cause identified", "diagnosed",
		"원인 파악", "원인 식별", "원인 확인"},
	"mitigated": {"mitigated", "mitigated at", "mitigation time", "time mitigated", "impact end", "end of impact",
		"완화", "완화 시각"},
	"resolved": {"resolved", "resolved at", "end", "ended", "end time", "ended at", "incident end", "outage end",
		"time resolved", "recovered", "restored", "종료", "종료 시각", "종료 시간", "종료 일시", "복구 시각", "복구 시간", "복구 일시",
		"복구 완료", "해소", "해소 시각", "해결 시각", "장애 종료", "장애 복구", "복구"},
	"published": {"published", "published on", "published at", "posted", "posted on", "publication date",
		"date published", "게시일", "작성일", "게시", "발행일"},
	"date": {"date", "incident date", "date of incident", "dates", "when", "날짜", "일자", "발생일", "일시", "장애 일시",
		"장애 일자", "장애일", "사고 일시"},
	"period": {"duration", "incident duration", "outage duration", "total duration", "length", "downtime",
		"total downtime", "incident window", "period", "time window", "window", "지속 시간", "장애 시간", "장애 기간",
		"지속시간", "장애시간", "영향 시간", "총 장애 시간", "기간"},
	"detect": {"time to detect", "time to detection", "ttd", "mttd", "탐지 소요 시간", "감지 소요 시간", "탐지까지",
		"감지까지"},
	"identify": {"time to identify", "time to identification", "tti", "time to diagnose", "원인 파악 소요 시간",
		"원인 파악까지"},
	"mitigate": {"time to mitigate", "time to mitigation", "ttm", "mttm", "완화 소요 시간", "완화까지"},
	"resolve": {"time to resolve", "time to resolution", "time to recover", "time to recovery", "ttr", "mttr",
		"time to restore", "복구 소요 시간", "복구까지", "해결까지", "해결 소요 시간"},
	"severity": {"severity", "severity level", "sev", "incident severity", "심각도", "장애 등급", "등급",
		"심각도 등급"},
	"org": {"organization", "organisation", "company", "회사", "조직", "기관"},
	"product": {"product", "service", "service name", "affected service", "서비스", "서비스명", "제품", "대상 서비스",
		"장애 서비스"},
	"users": {"users affected", "affected users", "customers affected", "affected customers", "who was affected",
		"영향 받은 사용자", "영향받은 사용자", "영향 고객", "영향 사용자", "영향 받은 고객"},
	"regions": {"region", "regions", "affected regions", "affected region", "리전", "지역", "영향 리전"},
	"url": {"url", "canonical", "canonical_url", "canonical url", "permalink", "source", "original url",
		"원문", "출처"},
	"lang": {"lang", "language", "언어"},
	// People are known so that the draft can say that a case names none.
	"people": {"author", "authors", "attendees", "atendees", "participants", "responders", "incident commander",
		"owner", "owners", "reporter", "written by", "작성자", "참석자", "담당자", "보고자", "대응자"},
}

// keyOf returns the fact that a key or heading names, "" where it is none.
func keyOf(name string) string {
	h := plainHeading(name)
	if h == "" {
		return ""
	}
	for key, names := range factKeys {
		for _, one := range names {
			if h == one {
				return key
			}
		}
	}
	return ""
}

// A fact is a key with its value, as the report has them.
type fact struct {
	name  string // as written
	key   string // of factKeys, or ""
	kind  kind   // where the name is a section heading
	value string
	stamp string // machine-readable time
	head  bool   // the head of a table
}

// classify finds what the name of a fact means.
func (f *fact) classify() {
	f.key = keyOf(f.name)
	if f.key == "" {
		f.kind = exactKind(plainHeading(f.name))
	}
	if f.kind == facts || f.kind == appendix {
		f.kind = unknown
	}
}

func (f fact) known() bool { return f.key != "" || f.kind != unknown }

func (f fact) String() string { return strings.TrimSpace(f.name + ": " + f.value) }

var keyLine = lazyregexp.New(`^([^:：\n]{1,40}?)\s*[:：]\s+(\S.*)$|^([^:：\n]{1,40}?)\s*[:：]$`)

// factOf reads a line "key: value".
func factOf(line string) (fact, bool) {
	m := keyLine.FindStringSubmatch(line)
	if m == nil {
		return fact{}, false
	}
	f := fact{name: strings.TrimSpace(m[1] + m[3]), value: strings.TrimSpace(m[2])}
	f.classify()
	return f, true
}

// factMarks stand between the facts of a line.
var factMarks = lazyregexp.New(`\s+(?:[·•|/∙;]|--?|–|—)\s+|\s*[·•|;]\s*`)

// factsInLine cuts a line of several facts, "Status: resolved · Severity: 1".
func factsInLine(line string) []string {
	parts := factMarks.Split(line, -1)
	for _, part := range parts {
		if _, ok := factOf(part); !ok {
			return []string{line}
		}
	}
	return parts
}

// factsOf returns the facts of a block that consists of nothing else: lines
// "key: value", a list of them, or a table of two columns. At least one key
// must be a usual one.
func factsOf(b block) ([]fact, bool) {
	var found []fact
	known := false
	add := func(f fact, ok bool) bool {
		found = append(found, f)
		known = known || f.known() && !f.head
		return ok
	}
	switch b.kind {
	case paragraph:
		for line := range strings.SplitSeq(plain(b.runs), "\n") {
			for _, one := range factsInLine(strings.TrimSpace(line)) {
				if !add(factOf(one)) {
					return nil, false
				}
			}
		}
		found[0].stamp = stampOf(b.runs)
	case list:
		for _, one := range b.items {
			if len(one.blocks) != 1 || one.blocks[0].kind != paragraph || one.task != "" {
				return nil, false
			}
			if !add(factOf(plain(one.blocks[0].runs))) {
				return nil, false
			}
		}
	case table:
		for i, row := range b.rows {
			if len(row) != 2 {
				return nil, false
			}
			f := fact{name: strings.TrimRight(plain(row[0]), ":： "), value: plain(row[1]), stamp: stampOf(row[1])}
			f.classify()
			f.head = i == 0 && b.header && f.key == "" // "Field | Value"
			if _, n := scanWhen(f.name); n > 0 {
				return nil, false // a timeline
			}
			add(f, true)
		}
	}
	return found, known
}

func stampOf(runs []run) string {
	for _, r := range runs {
		if r.stamp != "" {
			return r.stamp
		}
	}
	return ""
}
