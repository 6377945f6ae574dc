package search

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// chunksOf lists the chunks of a text; those glued to a word begin with "+".
func chunksOf(s string) []string {
	var out []string
	for sc := newScanner(s); ; {
		c, ok := sc.next()
		if !ok {
			return out
		}
		mark := ""
		if c.glued {
			mark = "+"
		}
		out = append(out, mark+s[c.start:c.end])
	}
}

func TestScan(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"Proxy로 바꾼 뒤", []string{"Proxy", "+로", "바꾼", "뒤"}},
		{"CPU가 100%", []string{"CPU", "+가", "100"}},
		{"us-east-1에서", []string{"us-east-1", "+에서"}},
		{"max_connections=100", []string{"max_connections", "100"}},
		{"x509: unknown", []string{"x509", "unknown"}},
		{"kube-system/coredns", []string{"kube-system", "coredns"}},
		{"don’t 'quote'", []string{"don’t", "quote"}},
		{"-flag --flag a--b", []string{"flag", "flag", "a", "b"}},
		{"__init__ a__b", []string{"init", "a__b"}},
		{"v1.30.2.", []string{"v1.30.2"}},
		{"2,147,483,648개, 1,2", []string{"2,147,483,648", "+개", "1", "2"}},
		{"5xx, 429 (p99)", []string{"5xx", "429", "p99"}},
		{"설정パース失敗", []string{"설정パース失敗"}},
		{"", nil},
		{"\xff\xfe", nil},
	}
	for _, tt := range tests {
		if got := chunksOf(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("chunks of %q = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSplitWord(t *testing.T) {
	tests := []struct{ in, want string }{
		{"ConnectionBorrowTimeout", "Connection Borrow Timeout"},
		{"OOMKilled", "OOM Killed"},
		{"ERR_CONN_RESET", "ERR CONN RESET"},
		{"us-east-1", "us east 1"},
		{"max_connections", "max connections"},
		{"HTTPServer2", "HTTP Server2"},
		{"EC2", "EC2"},
		{"x509", "x509"},
		{"5xx", "5xx"},
		{"APIs", "APIs"},
		{"VMware", "VMware"},
		{"iOS", "iOS"},
		{"gRPC", "gRPC"},
		{"NotReady", "Not Ready"},
		{"com.zaxxer.hikari.HikariPool", "com zaxxer hikari Hikari Pool"},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range splitWord(tt.in) {
			got = append(got, tt.in[p.Start:p.End])
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("parts of %q = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestEnglishTermsMeet(t *testing.T) {
	e := newEnglish(newLexicon())
	for _, group := range [][]string{
		{"connection", "connections", "Connected", "connecting"},
		{"utilisation", "utilization"},
		{"serialise", "serialised", "serializing"},
		{"behaviour", "behavior", "behaviours"},
		{"cancelled", "canceled"},
		{"lost", "lose", "losing"},
		{"froze", "frozen", "freezing"},
		{"VMs", "VM"},
		{"APIs", "API"},
		{"datacentre", "datacenters"},
		{"server's", "servers"},
	} {
		for _, w := range group[1:] {
			if a, b := e.term(group[0]), e.term(w); a != b {
				t.Errorf("term(%q) = %q, term(%q) = %q; want the same", group[0], a, w, b)
			}
		}
	}
	for _, s := range []string{"aws", "dns", "ec2", "5xx", "429", "p99", "x509"} {
		if got := e.term(s); got != s {
			t.Errorf("term(%q) = %q, want it unchanged", s, got)
		}
	}
	for _, group := range [][]string{
		{"max_connections", "maxConnections", "max-connections", "max.connections"},
		{"us-east-1", "US_EAST_1"},
		{"OOMKilled", "oomkilled", "oom-killed"},
	} {
		for _, w := range group[1:] {
			if a, b := e.whole(group[0]), e.whole(w); a != b {
				t.Errorf("whole(%q) = %q, whole(%q) = %q; want the same", group[0], a, w, b)
			}
		}
	}
	if e.whole("1.30") == e.whole("130") {
		t.Error("the versions 1.30 and 130 have the same term")
	}
}

func TestCore(t *testing.T) {
	lex := newLexicon()
	tests := []struct{ in, want string }{
		{"프록시로", "프록시"},
		{"데이터베이스에서는", "데이터베이스"},
		{"고갈됐다", "고갈"},
		{"지연되어", "지연"},
		{"느려졌다", "느려"},
		{"커넥션", "커넥션"},
		{"재시도", "재시"}, // why the dictionary has the last word
		{"속도", "속도"},
		{"풀을", "풀을"},
	}
	for _, tt := range tests {
		if got := lex.core(tt.in); got != tt.want {
			t.Errorf("core(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := lex.bare("풀을"); got != "풀" {
		t.Errorf("bare(%q) = %q, want %q", "풀을", got, "풀")
	}
}

func TestInflections(t *testing.T) {
	tests := []struct {
		in   rune
		want string
	}{
		{'긴', "기길김깁겨겼"},
		{'겼', "기긴길김깁겨"},
		{'기', "은는을음어아었았으고지다게면던긴길김깁겨겼"},
		{'은', "는을음어아었았으고지다게기면던"},
		{'꾼', "꾸꿀꿈꿉꿔꿨"},
		{'락', ""},
		{'a', ""},
	}
	for _, tt := range tests {
		if got := string(inflections(tt.in)); got != tt.want {
			t.Errorf("inflections(%c) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestKeyboard(t *testing.T) {
	for keys, want := range map[string]string{
		"xpdlqmf": "테이블", "epdlxjqpdltm": "데이터베이스", "zosptus": "캐네션",
		"tjqjdp": "서버에", "dhfb": "오류", "wkddo": "장애", "RMxsks": "끝난", "hello": "",
	} {
		got := fromKeyboard(keys)
		if got != want {
			t.Errorf("fromKeyboard(%q) = %q, want %q", keys, got, want)
		}
	}
	for run, want := range map[string]string{"ㅔㅐㅇ": "pod", "ㅊㅁ초ㄷ": "cache", "普": ""} {
		if got := fromHangul(run); got != want {
			t.Errorf("fromHangul(%q) = %q, want %q", run, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"One. Two! Three?", []string{"One.", "Two!", "Three?"}},
		{"하나다. 둘이다.", []string{"하나다.", "둘이다."}},
		{"At 2:19 a.m. PDT it began. Then v1.2 failed, e.g. in us-east-1.",
			[]string{"At 2:19 a.m. PDT it began.", "Then v1.2 failed, e.g. in us-east-1."}},
		{"A wrapped\nline. Next", []string{"A wrapped\nline.", "Next"}},
		{"Para one\n\nPara two", []string{"Para one", "Para two"}},
		{"List:\n- one\n- two\n1. three", []string{"List:", "- one", "- two", "1. three"}},
		{"Noted.[^a] More (see b.) End", []string{"Noted.[^a]", "More (see b.)", "End"}},
		{"  \n ", nil},
	}
	for _, tt := range tests {
		var got []string
		sentences(tt.in, func(s, e int) { got = append(got, tt.in[s:e]) })
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("sentences of %q = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestBlankNoise(t *testing.T) {
	for _, s := range []string{
		"2026-11-29T12:34:56.789Z", "12:34:56,789", "2026/11/29", "29/Nov/2026:12:00:01",
		"10.0.13.7:5432", "10.0.0.0/8", "fe80::1", "6f1c2a9e-0b7d-4c57-9f59-2c54d0a3b1ee",
		"4bf92f3577b34da6a3ce929d0e0e4736", "0x7ffee4b2", "1732881296", "Zx93kQp0aB21mN77",
	} {
		got, n := blankNoise("x " + s + " y")
		if n == 0 || strings.Fields(got)[1] == s {
			t.Errorf("blankNoise kept %q", s)
		}
	}
	for _, s := range []string{
		"429", "5xx", "v1.30.2", "1.30.2", "ERR_CONN_RESET", "us-east-1", "x509:", "EC2",
		"ConnectionBorrowTimeout", "decade", "2024", "100%", "kube-system", "E11000",
	} {
		if got, _ := blankNoise(s); got != s {
			t.Errorf("blankNoise(%q) = %q, want it kept", s, got)
		}
	}
}

func TestEditDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"proxy", "proxy", 0}, {"porxy", "proxy", 1}, {"prox", "proxy", 1}, {"proxxy", "proxy", 1},
		{"prozy", "proxy", 1}, {"latency", "ltaecny", 2}, {"cache", "queue", 3},
	}
	for _, tt := range tests {
		if got := editDistance([]rune(tt.a), []rune(tt.b), 2); got != tt.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	if got := editDistance(letters("커넥숀", true), letters("커넥션", true), 2); got != 1 {
		t.Errorf("distance of one vowel = %d, want 1", got)
	}
}
