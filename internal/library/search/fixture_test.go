package search

import (
	"slices"
	"testing"
	"time"
)

// testWeights are weights as a library of cases would use them.
var testWeights = map[string]float64{"title": 4, "summary": 2}

// testTerms is a small vocabulary.
var testTerms = []Term{
	{"mechanism", "retry-storm", []string{"Retry storm", "재시도 폭주", "retry amplification"}},
	{"mechanism", "cold-cache", []string{"Cold cache", "캐시 비움", "cache stampede"}},
	{"mechanism", "connection-pool-exhaustion", []string{
		"Connection pool exhaustion", "커넥션 풀 고갈", "pool exhausted", "pool exhaustion",
	}},
	{"component", "db-proxy-pooler", []string{"Database proxy", "데이터베이스 프록시"}},
	{"component", "dns", []string{"DNS"}},
	{"symptom", "replication-lag", []string{"Replication lag", "복제 지연"}},
	{"symptom", "oom-kill", []string{"OOM kill", "OOM 종료", "out of memory"}},
	{"mechanism", "lock-contention", []string{"Lock contention", "락 경합", "락"}},
}

func text(name, lang, s string) Field { return Field{Name: name, Lang: lang, Text: s} }

// testDocs are invented incidents; the first has both languages, others one.
var testDocs = []Document{
	{
		ID: "T-0001", Year: 2024, Duration: 90 * time.Minute, HasDuration: true,
		Facets: map[string][]string{
			"mechanism": {"connection-pool-exhaustion"}, "component": {"db-proxy-pooler"},
			"org": {"harbour"}, "has": {"scenario"},
		},
		Fields: []Field{
			text("title", "en", "Writer saturated after the move to a connection proxy"),
			text("title", "ko", "커넥션 프록시로 옮긴 뒤 writer가 포화됐다"),
			text("summary", "en", "The proxy pinned sessions. Connections to the writer rose to "+
				"max_connections and the borrow timed out with ConnectionBorrowTimeout."),
			text("summary", "ko", "프록시가 세션을 고정했다. writer 커넥션이 max_connections까지 늘었고 "+
				"커넥션 풀이 고갈됐다. 세션은 2,147개였다. 데이터베이스의 복제가 지연되어 읽기도 느려졌다."),
		},
	},
	{
		ID: "T-0002", Year: 2022,
		Facets: map[string][]string{
			"mechanism": {"retry-storm", "cold-cache"}, "org": {"lantern"},
		},
		Fields: []Field{
			text("title", "en", "Cache restart brought the message store down"),
			text("summary", "en", "A rolling restart emptied the cache. Clients retried without "+
				"backoff and the database was overwhelmed. The load balancer returned 503."),
		},
	},
	{
		ID: "T-0003", Year: 2023, Duration: 10 * time.Hour, HasDuration: true,
		Facets: map[string][]string{"component": {"dns"}, "org": {"harbour"}},
		Fields: []Field{
			text("title", "ko", "DNS 레코드가 비어 us-east-1에서 접속이 끊겼다"),
			text("summary", "ko", "두 작업자의 경쟁으로 레코드가 지워졌다. 재시도가 폭주해 리졸버가 느려졌고, "+
				"되돌리는 데 오래 걸렸다. 로드밸런서는 정상이었다."),
		},
	},
	{
		ID: "T-0004", Year: 2024, Duration: time.Hour, HasDuration: true,
		Facets: map[string][]string{"symptom": {"oom-kill"}, "org": {"quarry"}},
		Fields: []Field{
			text("title", "en", "Pods were OOMKilled during a batch import"),
			text("summary", "en", "The importer's memory grew until the kernel killed it. "+
				"Health checks failed and kube-system/coredns restarted. Nodes went NotReady."),
		},
	},
	{
		ID: "T-0005", Year: 2021,
		Facets: map[string][]string{"mechanism": {"lock-contention"}, "org": {"lantern"}},
		Fields: []Field{
			text("title", "ko", "마이그레이션이 락을 잡아 쓰기가 멈췄다"),
			text("summary", "ko", "테이블 변경이 긴 트랜잭션을 기다렸다. 뒤의 쿼리가 모두 대기열에 섰다. "+
				"커넥션풀도 바닥났다. 메시지 큐에는 작업이 쌓였다."),
		},
	},
	{
		ID: "T-0006", Year: 2025,
		Facets: map[string][]string{"org": {"quarry"}},
		Fields: []Field{
			text("title", "en", "Expired certificate broke logins"),
			text("summary", "en", "x509: certificate has expired. CPU utilisation stayed low. "+
				"The failover to EC2 in another region did not help."),
		},
	},
}

func testIndex(t testing.TB) *Index {
	t.Helper()
	x, err := New(testDocs, Options{Weights: testWeights, Terms: testTerms})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func ids(r Result) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.ID)
	}
	return out
}

func firstIs(t *testing.T, x *Index, query, want string) Result {
	t.Helper()
	r := x.Search(Query{Text: query})
	if got := ids(r); len(got) == 0 || got[0] != want {
		t.Errorf("Search(%q) = %q, want %s first", query, got, want)
	}
	return r
}

func contains(t *testing.T, x *Index, query, want string) {
	t.Helper()
	if got := ids(x.Search(Query{Text: query})); !slices.Contains(got, want) {
		t.Errorf("Search(%q) = %q, want %s among them", query, got, want)
	}
}
