package draft

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDaysOfProse reads points in time of prose whose day is told by another
// one. What may be of either of two days is not noted.
func TestDaysOfProse(t *testing.T) {
	const head = "# 결제 장애\n\n- 발생일: 2024년 3월 13일\n\n모든 시각은 한국 시간(KST) 기준이다.\n\n## 무슨 일이 있었나요?\n\n"
	for _, tt := range []struct{ name, src, want string }{
		{"half hours", "오후 2시 반에 경보가 울렸다. 다음 날 새벽 1시 반에 복구했다.",
			"오후 2시 반: 2024-03-13T14:30+09:00\n다음 날 새벽 1시 반: 2024-03-14T01:30+09:00"},
		{"the day that was read last", "3월 20일 오후 1시에 배포했다. 같은 날 오후 3시에 실패가 늘었다. 이튿날 오전 9시에 되돌렸다.",
			"3월 20일 오후 1시: 2024-03-20T13+09:00\n같은 날 오후 3시: 2024-03-20T15+09:00\n이튿날 오전 9시: 2024-03-21T09+09:00"},
		{"당일 of another day", "3월 20일 오후 1시에 설명회를 열었다. 당일 오후 3시에는 로그가 없었다.", "3월 20일 오후 1시: 2024-03-20T13+09:00"},
		{"다음 날 twice", "다음 날 오전 1시에 재시작했다. 다음 날 오전 9시에 복구했다.", "다음 날 오전 1시: 2024-03-14T01+09:00"},
		{"a day that cannot be told", "전날 밤 11시에 배포했다. 이틀 뒤 오후 3시에 공지했다. 오후 4시에 끝났다. 3월 16일 오전 9시에 닫았다.",
			"3월 16일 오전 9시: 2024-03-16T09+09:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := fromMarkdown([]byte(head+tt.src+"\n"), Options{ID: "PR-0001"})
			if err != nil {
				t.Fatal(err)
			}
			checkDraft(t, d)
			var got []string
			for line := range strings.Lines(string(d.YAML())) {
				if _, said, ok := strings.Cut(strings.TrimSpace(line), "# a time in the text: "); ok {
					got = append(got, strings.NewReplacer(" (", ": ", ")", "").Replace(said))
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("times (-want +got):\n%s\n%s", diff, d.YAML())
			}
		})
	}
}
