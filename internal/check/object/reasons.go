package object

import (
	"strings"
)

// reason is why objects were not read, as a source says it, in both languages.
// What follows a reason that ends in a colon or a blank is taken over as it is.
type reason struct{ en, ko string }

// reasons are those that have words of their own; what a server or the network
// says itself has none.
func reasons() []reason {
	return []reason{
		{nowhere, "여기에 준 입력에는 없다"},
		{"forbidden: the account may not list them", "금지됨: 이 계정에는 나열할 권한이 없다"},
		{"forbidden", "금지됨"},
		{"the account is not known to the API server", "API 서버가 이 계정을 알지 못한다"},
		{"the API server answered ", "API 서버의 응답: "},
		{"the API server does not tell whether it has them: ", "API 서버가 이 종류가 있는지 알려 주지 않는다: "},
		{"a page was not answered within ", "한 페이지의 응답이 제한 시간 안에 오지 않았다: "},
		{"the answer is not in protobuf", "응답이 protobuf가 아니다"},
		{"the answer has a next page: collect all pages", "응답에 다음 페이지가 있다. 모든 페이지를 모아야 한다"},
		{"the list goes on: it was read in pages, and this is not the last", "목록이 이어진다. 페이지로 나눠 읽은 것이고 이것이 마지막이 아니다"},
		{"a system file has errors", "시스템 파일에 오류가 있다"},
		{"reading a page: ", "페이지를 읽지 못했다: "},
	}
}

// inKorean says a reason in Korean, as far as it has words of its own.
func inKorean(why string) string {
	for _, r := range reasons() {
		switch rest, ok := strings.CutPrefix(why, r.en); {
		case ok && rest == "":
			return r.ko
		case ok && strings.HasSuffix(r.en, " "):
			return r.ko + rest
		}
	}
	return why
}
