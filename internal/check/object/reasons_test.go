package object_test

import (
	"testing"

	"github.com/openprecedent/precedent/internal/check/object"
)

// TestReasons says in Korean why objects were not read, with what a server said
// itself left as it is.
func TestReasons(t *testing.T) {
	for _, c := range []struct{ why, want string }{
		{"no source given here has them", "Pod: 읽지 않음: 여기에 준 입력에는 없다"},
		{"forbidden: the account may not list them", "Pod: 읽지 않음: 금지됨: 이 계정에는 나열할 권한이 없다"},
		{"the API server answered 500: no", "Pod: 읽지 않음: API 서버의 응답: 500: no"},
		{"dial tcp: no route to host", "Pod: 읽지 않음: dial tcp: no route to host"},
	} {
		u := object.Unread{Kind: "Pod", Why: c.why}
		if got := u.Text(); got.Ko != c.want || got.En != u.Error() {
			t.Errorf("%q: got %q and %q, want %q", c.why, got.En, got.Ko, c.want)
		}
	}
}
