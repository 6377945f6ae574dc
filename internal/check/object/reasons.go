package object

import (
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// reasons are why objects were not read, as sources say it, those that begin alike with
// the longer one first. What a server or the network says itself has no words of its own.
func reasons() bilingual.Phrases {
	return bilingual.Phrases{
		{En: nowhere, Ko: "여기에 준 입력에는 없다"},
		{En: "forbidden: the account may not list them", Ko: "금지됨: 이 계정에는 나열할 권한이 없다"},
		{En: "forbidden: the account may not ask for it", Ko: "금지됨: 이 계정에는 물을 권한이 없다"},
		{En: "forbidden", Ko: "금지됨"},
		{En: "the account is not known to the API server", Ko: "API 서버가 이 계정을 알지 못한다"},
		{En: "the API server answered %", Ko: "API 서버의 응답: %"},
		{En: "the API server does not tell whether it has them: %", Ko: "API 서버가 이 종류가 있는지 알려 주지 않는다: %"},
		{En: "the API server has %, and % is read", Ko: "API 서버에는 %이(가) 있고, 읽는 것은 %이다"},
		{En: "the API server no longer knew them after some pages", Ko: "몇 페이지 뒤에 API 서버가 이 종류를 더는 알지 못했다"},
		{En: "a page was not answered within %", Ko: "한 페이지의 응답이 제한 시간 안에 오지 않았다: %"},
		{En: "a page has more than % bytes", Ko: "한 페이지가 %바이트를 넘는다"},
		{En: "the answer is not in protobuf", Ko: "응답이 protobuf가 아니다"},
		{En: "the answer is cut off, or no protobuf", Ko: "응답이 끊겼거나 protobuf가 아니다"},
		{En: "the answer has a next page: collect all pages", Ko: "응답에 다음 페이지가 있다. 모든 페이지를 모아야 한다"},
		{En: "the list goes on: it was read in pages, and this is not the last", Ko: "목록이 이어진다. 페이지로 나눠 읽은 것이고 이것이 마지막이 아니다"},
		{En: "a member is no object", Ko: "객체가 아닌 구성원이 있다"},
		{En: "a system file has errors", Ko: "시스템 파일에 오류가 있다"},
		{En: "the database % of % was not read", Ko: "%(%) 데이터베이스를 읽지 않았다"},
		{En: "the database %: %", Ko: "데이터베이스 %: %"},
		{En: "an answer cannot be read", Ko: "응답을 읽을 수 없다"},
		{En: "an answer is not what was asked for", Ko: "응답이 물은 것과 다르다"},
		{En: "the server has nothing to say of it", Ko: "서버가 이에 대해 아무것도 알려 주지 않는다"},
		{En: "the account sees its own sessions only: grant it pg_monitor", Ko: "이 계정은 자기 세션만 본다. pg_monitor를 준다"},
		{En: "the account may not see % sequences of the database %: grant it SELECT on them", Ko: "이 계정은 %개의 시퀀스를 보지 못한다(데이터베이스 %). SELECT 권한을 준다"},
		{En: "the account may not see all tables: grant it REFERENCES on *.*", Ko: "이 계정은 모든 테이블을 보지는 못한다. *.*에 REFERENCES 권한을 준다"},
		{En: OnlyCorefile, Ko: "클러스터의 ConfigMap 가운데 CoreDNS의 것만 읽는다"},
		{En: MetricsServer, Ko: "클러스터에 metrics.k8s.io를 제공하는 것(metrics-server)이 없다"},
		{En: "the server has no such series with the labels that kubelets give them", Ko: "서버에 kubelet이 붙이는 레이블을 가진 해당 시계열이 없다"},
		{En: "the server refuses the query: %", Ko: "서버가 질의를 거절했다: %"},
		{En: "the answer has more than % bytes", Ko: "응답이 %바이트를 넘는다"},
		{En: "the answer is not one of Prometheus%", Ko: "응답이 Prometheus의 것이 아니다%"},
		{En: "no answer within %", Ko: "제한 시간 안에 응답이 없었다: %"},
		{En: "the server warns: %", Ko: "서버의 경고: %"},
		{En: "it has no figures of these pods", Ko: "이 파드들을 잰 값이 없다"},
		{En: "it has no figures of this node", Ko: "이 노드를 잰 값이 없다"},
		{En: "reading a page: %", Ko: "페이지를 읽지 못했다: %"},
	}
}

// inKorean says a reason in Korean, as far as it has words of its own: as a whole, or
// behind the name of a server.
func inKorean(why string) string {
	all := reasons()
	if ko, ok := all.Korean(why); ok {
		return ko
	}
	if head, rest, found := strings.Cut(why, ": "); found {
		if ko, ok := all.Korean(rest); ok {
			return head + ": " + ko
		}
	}
	return why
}
