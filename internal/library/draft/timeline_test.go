package draft

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTimelines reads timelines as they are written in the wild.
func TestTimelines(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"declared day and zone", "Day: **2026-04-02**  TZ=CEST\n\n* `17:46:17`: reports\n* `18:04`: rolled back",
			"2026-04-02T17:46:17+02:00 reports\n2026-04-02T18:04+02:00 rolled back"},
		{"days as headings", "### March 13, 2024\n\n- 23:50 UTC: slow\n\n### March 14, 2024\n\n- 00:10 UTC: fast",
			"2024-03-13T23:50Z slow\n2024-03-14T00:10Z fast"},
		{"days as list", "- 2024-03-13\n  - 10:00 UTC slow\n  - 11:00 UTC fast",
			"2024-03-13T10:00Z slow\n2024-03-13T11:00Z fast"},
		{"days as rows", "| Time (UTC) | Event |\n| - | - |\n| 2024-03-13 | |\n| 10:00 | slow |\n| 10:05 - 10:30 | slower |",
			"2024-03-13T10:00Z slow\n2024-03-13T10:05Z to 2024-03-13T10:30Z slower"},
		{"time in the last column", "| Event | When |\n| - | - |\n| slow | 2024-03-13 10:00 UTC |\n| fast | 2024-03-13 11:00 UTC |",
			"2024-03-13T10:00Z slow\n2024-03-13T11:00Z fast"},
		{"newest first", "- 2024-03-13 11:00 UTC fast\n- 2024-03-13 10:00 UTC slow",
			"2024-03-13T10:00Z slow\n2024-03-13T11:00Z fast"},
		{"no zone", "- 2024-03-13 11:00 fast", "2024-03-13 fast"},
		{"zone that is unclear", "All times in BST.\n\n- 2024-07-13 11:00 fast", "2024-07-13 fast"},
		{"no day", "- 11:00 UTC fast", ""},
		{"sentences", "- At 11:00 UTC on 13 March 2024 it was fast", "2024-03-13T11:00Z At 11:00 UTC on 13 March 2024 it was fast"},
		{"lines", "2024-03-13 10:00 UTC - slow<br>2024-03-13 11:00 UTC - fast", "2024-03-13T10:00Z slow\n2024-03-13T11:00Z fast"},
		{"prose", "On 13 March it began. Nobody saw it.", ""},
		{"two zones", "All times in UTC.\n\n- 2024-03-13 10:00 slow\n- 2024-03-13 22:00 KST fast",
			"2024-03-13T10:00Z slow\n2024-03-13T22:00+09:00 fast"},
		{"the day after", "발생일: 2024년 3월 13일\n\n모든 시각은 한국 시간(KST) 기준이다.\n\n- 오후 2시 10분경 지연\n- 오후 11시 50분 재시작\n" +
			"- 다음 날 오전 3시 20분 정상화\n- 다음 날 오전 4시 확인\n- 오전 5시 끝",
			"2024-03-13T14:10+09:00 지연\n2024-03-13T23:50+09:00 재시작\n2024-03-14T03:20+09:00 정상화\n" +
				"2024-03-14T04+09:00 확인\n2024-03-14T05+09:00 끝"},
		{"the day after, past midnight", "- 2024-03-31 23:50 KST 지연\n- 00:10 KST 오류\n- 다음 날 03:20 KST 정상화\n- 다음 날 01:00 KST 마무리",
			"2024-03-31T23:50+09:00 지연\n2024-04-01T00:10+09:00 오류\n2024-04-01T03:20+09:00 정상화\n2024-04-02T01:00+09:00 마무리"},
		{"the same day", "- 2024-03-13 14:30 KST 지연\n- 같은 날 오후 3시 반 재시작\n- 당일 16:00 복구\n- 이튿날 새벽 1시 반 점검",
			"2024-03-13T14:30+09:00 지연\n2024-03-13T15:30+09:00 재시작\n2024-03-13T16:00+09:00 복구\n2024-03-14T01:30+09:00 점검"},
		{"the same day, which may be either", "발생일: 2024년 3월 13일\n\n모든 시각은 한국 시간(KST) 기준이다.\n\n- 23:50 지연\n" +
			"- 당일 00:10 재시작\n- 다음 날 03:20 복구\n- 당일 09:00 공지\n- 같은 날 10:00 종료\n- 전날 23:00 배포",
			"2024-03-13T23:50+09:00 지연\n2024-03-14T03:20+09:00 복구\n2024-03-14T10:00+09:00 종료"},
		{"one zone by two names", "모든 시각은 한국 시간이다.\n\n- 2024-03-13 10:00 지연\n\n아래 시각도 KST다.\n\n- 2024-03-13 11:00 복구",
			"2024-03-13T10:00+09:00 지연\n2024-03-13T11:00+09:00 복구"},
		{"Korean sentences", "- 2024년 3월 13일 오후 1시 반에 재시작했다\n- 같은 날 오후 2시부터 지연이 줄었다",
			"2024-03-13 2024년 3월 13일 오후 1시 반에 재시작했다\n2024-03-13 같은 날 오후 2시부터 지연이 줄었다"},
		{"Korean, 24 hours", "- 2024년 3월 13일 9시 5분 KST 지연", "2024-03-13T09:05+09:00 지연"},
		{"Korean, 12 hours", "- 2024년 3월 13일 오후 1시 KST 지연\n- 2024년 3월 13일 2시 5분 KST 복구",
			"2024-03-13T13+09:00 지연\n2024-03-13 복구"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := fromMarkdown([]byte("# Outage\n\n## Timeline\n\n"+tt.src+"\n"), Options{ID: "PR-0001"})
			if err != nil {
				t.Fatal(err)
			}
			c := checkDraft(t, d)
			var got []string
			for _, o := range c.Observed {
				at := o.At.String()
				if o.Until != nil {
					at += " to " + o.Until.String()
				}
				got = append(got, at+" "+o.Text.En+o.Text.Ko)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("entries (-want +got):\n%s\n%s", diff, d.YAML())
			}
			if missing := missingWords(allText(t, d.YAML()), visible(Markdown, []byte(tt.src))); len(missing) > 0 {
				t.Errorf("lost %q", missing)
			}
		})
	}
}
