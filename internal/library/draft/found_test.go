package draft

import (
	"strings"
	"testing"
)

func TestPeriods(t *testing.T) {
	for _, tt := range []struct{ in, from, until string }{
		{"between 14:05 and 16:50 UTC on May 14, 2024, users", "2024-05-14T14:05Z", "2024-05-14T16:50Z"},
		{"Between May 14, 2024 14:05 UTC and 16:50 UTC", "2024-05-14T14:05Z", "2024-05-14T16:50Z"},
		{"from 14:05 to 16:50 UTC on 14 May 2024", "2024-05-14T14:05Z", "2024-05-14T16:50Z"},
		{"2024-05-14 14:05–16:50 UTC", "2024-05-14T14:05Z", "2024-05-14T16:50Z"},
		{"2024-05-14 14:05 UTC and 16:50 UTC", "2024-05-14T14:05Z", ""},
		{"From 22:40 UTC on March 3, 2025 to 01:15 UTC on March 4, 2025", "2025-03-03T22:40Z", "2025-03-04T01:15Z"},
		{"on May 14, 2024 from 2:05 to 4:50 PM PDT", "2024-05-14", ""},
		{"May 14, 2024 2:05 to 4:50 PM PDT", "2024-05-14T14:05-07:00", "2024-05-14T16:50-07:00"},
		{"May 14, 2024 11:05 - 1:50pm PDT", "2024-05-14T11:05-07:00", "2024-05-14T13:50-07:00"},
		{"2024년 6월 12일 14시 5분부터 16시 50분까지(KST)", "2024-06-12T14:05+09:00", "2024-06-12T16:50+09:00"},
		{"2024년 6월 12일 14시 5분부터 16시 50분까지 (한국시간) 조회가", "2024-06-12T14:05+09:00", "2024-06-12T16:50+09:00"},
		{"2024년 6월 12일 오후 2시 5분부터 4시 50분까지(KST)", "2024-06-12T14:05+09:00", "2024-06-12T16:50+09:00"},
		{"2024년 6월 12일 14:05 ~ 16:50 (KST)", "2024-06-12T14:05+09:00", "2024-06-12T16:50+09:00"},
	} {
		at, _, _, ok := findSpan(tt.in)
		until := ""
		if at.until != nil {
			until = at.until.String()
		}
		if !ok || at.from.String() != tt.from || until != tt.until {
			t.Errorf("%q: from %s until %s, want %s and %s", tt.in, at.from, until, tt.from, tt.until)
		}
	}
}

func TestPeriodsInProse(t *testing.T) {
	for _, tt := range []struct{ text, start, resolved string }{
		{"Between 14:05 and 16:50 UTC on 14 May 2024 nobody could sign in.", "2024-05-14T14:05Z", "2024-05-14T16:50Z"},
		{"On 14 May 2024 search was down from 14:05 to 16:50 UTC.", "2024-05-14T14:05Z", "2024-05-14T16:50Z"},
		{"Search failed on 14 May 2024 (14:05–16:50 UTC).", "2024-05-14T14:05Z", "2024-05-14T16:50Z"},
		{"2024년 5월 14일 14시 5분부터 16시 50분까지(KST) 검색이 실패했다.", "2024-05-14T14:05+09:00", "2024-05-14T16:50+09:00"},
		{"On 14 May 2024 a maintenance from 02:00 to 03:00 UTC went well.", "", ""},
		{"On 14 May 2024 search was down from 14:05 to 16:50.", "", ""},
		{"From 14 May 2024 to 16 May 2024 search was slow.", "", ""},
	} {
		d, err := fromMarkdown([]byte("# Outage\n\n## Summary\n\n"+tt.text+"\n"), Options{ID: "PR-0001"})
		if err != nil {
			t.Fatal(err)
		}
		c := checkDraft(t, d)
		start, resolved := "", ""
		if c.Times.Start != nil {
			start = c.Times.Start.At.String()
		}
		if c.Times.Resolved != nil {
			resolved = c.Times.Resolved.At.String()
		}
		if start != tt.start || resolved != tt.resolved {
			t.Errorf("%q: start %q, resolved %q; want %q, %q\n%s", tt.text, start, resolved, tt.start, tt.resolved, d.YAML())
		}
	}
}

// A date or a clock time is no length.
func TestDatesAreNoLengths(t *testing.T) {
	for in, want := range map[string]string{
		"6월 12일 14시 5분부터": "", "2024년 6월 12일": "", "14시 5분 30초": "", "6월 12일에 3시간 동안": "3h",
		"12일 동안": "12d", "장애는 5분 이어졌다": "5m", "3시간 5분": "3h5m", "31시간 5분": "31h5m", "오후 3시 20분에 20분": "20m",
	} {
		got, _, _, _ := findLength(in)
		if got.value != want {
			t.Errorf("findLength(%q) = %q, want %q", in, got.value, want)
		}
	}
}

func TestStatus(t *testing.T) {
	for text, want := range map[string]string{
		"Reload the key (Planned)": "planned", "Reload the key [done]": "done", "[Done] Reload the key": "done",
		"Done: reload the key": "done", "Reload the key — in progress": "planned", "Reload the key. Status: Done": "done",
		"Reload the key. Completed.": "done", "✅ Reload the key": "done", "키를 다시 읽는다 (완료)": "done",
		"키를 다시 읽는다 - 진행 중": "planned", "[진행중] 키를 다시 읽는다": "planned", "키를 다시 읽는다. 상태: 예정": "planned",
		"Reload the key": "", "We are done with reloading by hand": "", "Keep the door open": "", "Reload (won't fix)": "",
		"A rota for what is planned": "", "키를 완료 전에 읽는다": "",
	} {
		if got := statusIn(text); got != want {
			t.Errorf("statusIn(%q) = %q, want %q", text, got, want)
		}
	}
	for cell, want := range map[string]string{
		"**DONE**": "done", "Planned": "planned", "In Progress": "planned", "진행 중": "planned", "예정": "planned", "완료": "done",
		"Won't fix": "", "": "", "2024-05-01": "", "✅": "done",
	} {
		if got := statusOf(cell); got != want {
			t.Errorf("statusOf(%q) = %q, want %q", cell, got, want)
		}
	}
}

func TestWhatIsDeniedIsNoSuggestion(t *testing.T) {
	for _, tt := range []struct {
		text, phrase string
		want         int
	}{
		{"no data was lost", "no data", 0},
		{"there was no data loss", "data loss", 0},
		{"no data loss and no loss of monitoring", "monitoring", 0},
		{"without any data loss", "data loss", 0},
		{"it was not a retry storm", "retry storm", 0},
		{"we didn't restart the database", "restart", 0},
		{"the database was not affected", "database", 0},
		{"the databases were not affected", "databases", 0},
		{"데이터 유실은 없었습니다", "데이터 유실", 0},
		{"데이터 유실은 발생하지 않았다", "데이터 유실", 0},
		{"데이터베이스는 영향을 받지 않았다", "데이터베이스", 0},
		{"data loss in two shards", "data loss", 1},
		{"dashboards showed no data", "no data", 1},
		{"no alert fired", "no alert", 1},
		{"not only a retry storm", "retry storm", 1},
		{"nobody noticed. retry storm", "retry storm", 1},
		{"no alert fired because monitoring was down", "monitoring", 1},
		{"the retry storm did not stop", "retry storm", 1},
		{"not ready, the database restarted", "database", 1},
		{"데이터 유실이 있었다", "데이터 유실", 1},
		{"재시작해도 소용없었다. 데이터 유실", "데이터 유실", 1},
	} {
		if got := countPhrase(tt.text, tt.phrase); got != tt.want {
			t.Errorf("%q counts %q %d times, want %d", tt.text, tt.phrase, got, tt.want)
		}
	}
}

// What follows the last section of a report belongs to no list of it.
func TestWhatStandsAtTheEnd(t *testing.T) {
	for _, tt := range []struct{ src, want, not string }{
		{"## Lessons\n\n- One.\n\nLinks: https://example.com/a\n", "# in the report: Links: https://example.com/a", `en: "Links`},
		{"## 배운 점\n\n- 하나.\n\n링크: https://example.com/a, https://example.com/b\n", "# in the report: 링크: https://example.com/a", `ko: "링크`},
		{"## Lessons\n\n- One.\n\nSee also: the talk of last year.\n", "See also: the talk", "in the report: See also"},
		{"## Follow-ups\n\n- One.\n\n/cc the team\n", "# not placed: /cc the team", "en: /cc"},
		{"## Follow-ups\n\n- One.\n\nLog excerpt\n\n```\na\n```\n", "# not placed: Log excerpt\n#\n# ```\n# a\n# ```", "en: Log"},
	} {
		d, err := fromMarkdown([]byte("# Outage\n\n"+tt.src), Options{ID: "PR-0001"})
		if err != nil {
			t.Fatal(err)
		}
		checkDraft(t, d)
		if out := string(d.YAML()); !strings.Contains(out, tt.want) || strings.Contains(out, tt.not) {
			t.Errorf("of %q: want %q and not %q in\n%s", tt.src, tt.want, tt.not, out)
		}
	}
}

// Facts on lines of their own stay apart, prose does not.
func TestFactsOnLines(t *testing.T) {
	for in, want := range map[string]string{
		"**Start:** a\n**End:** b": "**Start:** a  \n**End:** b", "Date: a\nAuthors: b\nStatus: c": "Date: a  \nAuthors: b  \nStatus: c",
		"Start: a\nand goes on": "Start: a\nand goes on", "We said: a\nthey said: b": "We said: a\nthey said: b",
		"```\nStart: a\nEnd: b\n```": "```\nStart: a\nEnd: b\n```", "시작: a\n종료: b": "시작: a  \n종료: b",
	} {
		if got := string(breakFacts([]byte(in))); got != want {
			t.Errorf("breakFacts(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestTimesInProse holds that a point in time of which only the prose tells is
// noted as a case file would have it.
func TestTimesInProse(t *testing.T) {
	for _, tt := range []struct {
		text  string
		notes []string
	}{
		{"2024년 3월 2일 오후 2시 10분경(한국 시간) 결제가 실패했다. 다음 날 오전 3시 20분에 복구되었다.",
			[]string{"(2024-03-02T14:10+09:00)", "(2024-03-03T03:20+09:00)"}},
		{"2024년 3월 2일 14:10 KST에 결제가 실패했다.", []string{"(2024-03-02T14:10+09:00)"}},
		{"On 2 March 2024 at 14:10 UTC checkout failed. It was back the next day at 03:20.",
			[]string{"(2024-03-02T14:10Z)", "(2024-03-03T03:20Z)"}},
		{"2024년 3월 2일 오후에 결제가 실패했다.", nil},
		{"On 2 March 2024 at 14:10 checkout failed.", nil},
	} {
		d, err := fromMarkdown([]byte("# Outage\n\n## Summary\n\n"+tt.text+"\n"), Options{ID: "PR-0001"})
		if err != nil {
			t.Fatal(err)
		}
		checkDraft(t, d)
		yaml := strings.ReplaceAll(string(d.YAML()), "\n# ", " ")
		if n := strings.Count(yaml, "a time in the text: "); n != len(tt.notes) {
			t.Errorf("%q: %d times noted, want %d\n%s", tt.text, n, len(tt.notes), d.YAML())
		}
		for _, note := range tt.notes {
			if !strings.Contains(yaml, note) {
				t.Errorf("%q: no note of %s\n%s", tt.text, note, d.YAML())
			}
		}
	}
}

// TestPeopleGoNowhere holds that a line that tells who wrote a report stands in
// the comment of what was not placed, whole, and in no field.
func TestPeopleGoNowhere(t *testing.T) {
	for _, line := range []string{
		"Status: resolved · Authors: Jane Roe, John Doe",
		"Status: resolved, Authors: Jane Roe, John Doe",
		"**Status:** resolved | **Author:** Jane Roe | **Severity:** 2",
		"Authors: Jane Roe; Status: final; Date: 2024-03-02",
		"Written by Jane Roe and John Doe, who were on call that night and wrote all of it down.",
		"2024-03-02 - Author: Jane Roe",
		"상태: 종료 · 작성자: 홍길동, 임꺽정",
		"상태: 종료, 작성자: 홍길동",
		"작성자: 홍길동 / 상태: 종료",
	} {
		for _, src := range []string{
			"# Outage\n\n" + line + "\n\n## Summary\n\nCheckout failed. 결제가 실패했다.\n",
			"# Outage\n\n" + line + "\n\nCheckout failed for all the users of the shop, and nobody knew. 결제가 실패했다.\n",
		} {
			d, err := fromMarkdown([]byte(src), Options{ID: "PR-0001"})
			if err != nil {
				t.Fatal(err)
			}
			checkDraft(t, d)
			out := string(d.YAML())
			if missing := missingWords(allText(t, d.YAML()), visible(Markdown, []byte(src))); len(missing) > 0 {
				t.Errorf("%q: lost %q", line, missing)
			}
			for l := range strings.SplitSeq(out, "\n") {
				if !strings.HasPrefix(strings.TrimSpace(l), "#") && (strings.Contains(l, "Roe") || strings.Contains(l, "홍길동") || strings.Contains(l, "resolved")) {
					t.Errorf("%q went to a field:\n%s", line, out)
				}
			}
			if !strings.Contains(strings.ReplaceAll(out, "\n# ", " "), "a case names no persons") {
				t.Errorf("%q is not marked as the name of persons:\n%s", line, out)
			}
		}
	}
}
