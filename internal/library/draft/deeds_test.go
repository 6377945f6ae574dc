package draft

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDeeds(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Rolled back the release", "rollback"},
		{"We rolled the config change back", "rollback"},
		{"Rollback of v41 started", "rollback"},
		{"the change was reverted", "rollback"},
		{"after lunch, SRE reverted the flag", "rollback"},
		{"restarted all cache nodes", "restart"},
		{"API servers were restarted one by one", "restart"},
		{"Restarting the API servers", "restart"},
		{"failed over to the replica in zone b", "failover"},
		{"promoted the standby", "failover"},
		{"shifted traffic to us-west", "reroute"},
		{"Traffic was moved to the second region", "reroute"},
		{"Job is stopped", "stop"},
		{"disabled the nightly export job", "stop"},
		{"killed the long queries", "stop"},
		{"blocked the IPs of the crawler", "limit"},
		{"throttled writes to 10%", "limit"},
		{"scaled the workers out to 40", "capacity"},
		{"added six more nodes", "capacity"},
		{"raised the connection limit to 500", "capacity"},
		{"deployed a hotfix", "fix"},
		{"The fix was rolled out", "fix"},
		{"restored the table from the snapshot", "restore"},
		{"purged the retry queue", "clean"},
		{"renewed the expired certificate", "credential"},

		{"배포를 롤백했다", "rollback"},
		{"이전 설정으로 되돌렸다", "rollback"},
		{"결제 서버 재시작, 효과 없음", "restart"},
		{"API 서버를 재시작했다", "restart"},
		{"파드 재기동", "restart"},
		{"수동 절체", "failover"},
		{"트래픽을 서울 리전으로 돌렸다", "reroute"},
		{"배치를 중단하고 조회를 강제 종료", "stop"},
		{"문제의 쿼리를 종료했다", "stop"},
		{"봇 IP 대역 차단함", "limit"},
		{"서버 4대 증설 완료", "capacity"},
		{"커넥션 수를 200으로 늘렸다", "capacity"},
		{"핫픽스 배포", "fix"},
		{"백업에서 복원했다", "restore"},
		{"캐시를 비웠다", "clean"},
		{"인증서 갱신 완료", "credential"},

		// What came of a step takes nothing from it.
		{"배포를 롤백했으나 해결되지 않았다", "rollback"},
		{"롤백하였으나 효과가 없었다", "rollback"},
		{"API 서버를 재시작했지만 나아지지 않았다", "restart"},
		{"재시작했는데 오류가 반복되었다", "restart"},
		{"서버를 재시작해 봤지만 그대로였다", "restart"},
		{"설정을 되돌렸으나 오류가 계속되었다", "rollback"},
		{"인스턴스를 4대에서 8대로 늘렸다", "capacity"},
		{"커넥션 풀을 50에서 200으로 늘렸지만 다시 찼다", "capacity"},
		{"메모리를 두 배로 늘렸다", "capacity"},

		// What only happened, or was only spoken of.
		{"롤백하려 했으나 이전 버전이 없었다", ""},
		{"each restarted node came back empty", ""},
		{"메모리 사용량이 늘었다", ""},
		{"error rate rises to 40%", ""},
		{"deployed version 41", ""},
		{"decided to roll back", ""},
		{"considered restarting the fleet", ""},
		{"we will have restarted everything by noon", ""},
		{"after the release was rolled back errors fell", ""},
		{"the release was not rolled back", ""},
		{"never restarted", ""},
		{"pods restarted repeatedly", ""},
		{"the pods kept being restarted", ""},
		{"containers automatically restarted", ""},
		{"database stopped accepting writes and workers failed", ""},
		{"the primary failed", ""},
		{"customers were blocked", ""},
		{"connection pool was drained", ""},
		{"the queue was over its limit", ""},
		{"latency increased in the pool", ""},
		{"promoted v2 to production", ""},
		{"서비스 중단 시작", ""},
		{"결제가 중단되었다", ""},
		{"롤백을 검토했다", ""},
		{"롤백하기로 결정", ""},
		{"재시작 예정", ""},
		{"파드가 재시작을 반복했다", ""},
		{"재시작이 반복됨", ""},
		{"재시작하지 않았다", ""},
		{"지연이 늘었다", ""},
		{"사용자 접속이 차단되었다", ""},
		{"디스크 사용량 증가", ""},
	} {
		if got := deedIn(deeds(), tt.text); got != tt.want {
			t.Errorf("deedIn(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestDeedsOfTimelines holds that what was done goes to the actions, that it
// stays in the timeline, and that nothing is said of its effect.
func TestDeedsOfTimelines(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"English", "# Outage\n\n## Timeline\n\nAll times in UTC.\n\n- 2024-03-13 10:00 restarted the cache for maintenance\n" +
			"- 2024-03-13 10:05 errors rise\n- 2024-03-13 10:20 rolled back the release\n- 2024-03-13 10:30 errors fall\n",
			"2024-03-13T10:20Z rolled back the release"},
		{"Korean", "# 장애\n\n## 타임라인 (KST)\n\n- 2024-03-13 19:00 오류 증가\n- 2024-03-13 19:20 서버를 재시작했다\n" +
			"- 2024-03-13 19:40 롤백 검토\n- 2024-03-13 19:50 배포 롤백\n",
			"2024-03-13T19:20+09:00 서버를 재시작했다\n2024-03-13T19:50+09:00 배포 롤백"},
		{"before it began", "# Outage\n\n- Start: 2024-03-13 10:10 UTC\n\n## Timeline\n\n- 2024-03-13 10:00 UTC warm-up\n" +
			"- 2024-03-13 10:10 UTC restarted the cache\n- 2024-03-13 10:20 UTC restarted the clients\n",
			"2024-03-13T10:20Z restarted the clients"},
		{"a step of a full hour", "# 장애\n\n- 발생: 2024년 3월 13일 오후 2시 10분 KST\n\n## 타임라인\n\n- 오후 2시 10분 오류 증가\n" +
			"- 오후 3시 서버를 재시작했지만 그대로\n", "2024-03-13T15+09:00 서버를 재시작했지만 그대로"},
		{"told already", "# Outage\n\n## Resolution\n\n- The release was rolled back.\n\n## Timeline\n\n- 2024-03-13 10:00 UTC errors\n" +
			"- 2024-03-13 10:20 UTC rolled back the release\n- 2024-03-13 10:25 UTC purged the queue\n",
			" The release was rolled back.\n2024-03-13T10:25Z purged the queue"},
	} {
		d, err := fromMarkdown([]byte(tt.src), Options{ID: "PR-0001"})
		if err != nil {
			t.Fatal(err)
		}
		c := checkDraft(t, d)
		var got []string
		for _, a := range c.Actions {
			at := ""
			if a.At != nil {
				at = a.At.String()
			}
			got = append(got, at+" "+a.Text.En+a.Text.Ko)
			if a.Effect != "" || a.Kind != "" {
				t.Errorf("%s: kind %q and effect %q were made up", tt.name, a.Kind, a.Effect)
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s: actions (-want +got):\n%s\n%s", tt.name, diff, d.YAML())
		}
		if steps := strings.Count(tt.src, "\n- 2024") + strings.Count(tt.src, "\n- 오후"); len(c.Observed) != steps {
			t.Errorf("%s: the timeline has %d entries, want all %d", tt.name, len(c.Observed), steps)
		}
	}
}

// TestDeedsOfProse holds that sentences of a story tell of actions, too, each
// kind of step once, and that the words of steps suggest a remedy.
func TestDeedsOfProse(t *testing.T) {
	for _, tt := range []struct {
		name, src, want string
		notes           []string
	}{
		{"Korean", "# 장애\n\n## 무슨 일이 있었나\n\n배포 직후 오류가 늘었다. 배포를 롤백했으나 해결되지 않았다. " +
			"이어 서버를 재시작했지만 그대로였다.\n커넥션 풀 크기를 50에서 200으로 늘렸다. 그 뒤 롤백을 검토했다.\n",
			"배포를 롤백했으나 해결되지 않았다.\n이어 서버를 재시작했지만 그대로였다.\n커넥션 풀 크기를 50에서 200으로 늘렸다.",
			[]string{`# suggestion: remedy rollback ("롤백했" occurs)`, `# suggestion: remedy restart ("재시작" occurs)`}},
		{"English", "# Outage\n\n## What happened\n\nVersion 2.1 leaked memory. We rebooted the API servers, which did not help. " +
			"Then we reverted the release (v2.1.0). We restarted the servers again.\n\n```\nrolled back\n```\n",
			"We rebooted the API servers, which did not help.\nThen we reverted the release (v2.1.0).",
			[]string{`# suggestion: remedy restart ("rebooted" occurs)`, `# suggestion: remedy rollback ("reverted" occurs)`}},
		{"told in the timeline", "# Outage\n\n## What happened\n\nWe rolled back the release.\n\n## Timeline\n\n" +
			"- 2024-03-13 10:00 UTC errors\n- 2024-03-13 10:20 UTC rolled back the release\n",
			"rolled back the release", nil},
	} {
		d, err := fromMarkdown([]byte(tt.src), Options{ID: "PR-0001", Terms: terms})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range checkDraft(t, d).Actions {
			got = append(got, a.Text.En+a.Text.Ko)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s: actions (-want +got):\n%s\n%s", tt.name, diff, d.YAML())
		}
		for _, note := range tt.notes {
			if !strings.Contains(string(d.YAML()), note) {
				t.Errorf("%s: no note %q in\n%s", tt.name, note, d.YAML())
			}
		}
	}
}

// TestPagesAreBounded holds that a page too large to be made a tree of is
// refused, and quickly.
func TestPagesAreBounded(t *testing.T) {
	page := func(s string, n int) []byte { return []byte("<html><body><h1>Outage</h1>" + strings.Repeat(s, n)) }
	for _, tt := range []struct {
		name string
		src  []byte
		want string
	}{
		{"elements", page("<p>x", maxElements+1), "50,000 elements"},
		{"empty elements", page("<br/>", maxElements+1), "50,000 elements"},
		{"marks that never end", page("<b><i>", maxElements), "50,000 elements"},
		{"text", page("word ", maxPageText/4+2), "524,288 bytes of text"},
		{"script", page("<script>var a = 1 < 2;</script>", 40_000), ""},
		{"a long script", []byte("<html><body><h1>Outage</h1><script>" + strings.Repeat("x = 1; ", 300_000) + "</script><p>It was down.</p>"), ""},
	} {
		_, err := fromHTML(tt.src, Options{ID: "PR-0001"})
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
