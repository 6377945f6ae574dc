package app

import "testing"

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"wrapped line", "The pool was\nempty.", "The pool was empty."},
		{"paragraphs", "One.\n\n\nTwo.", "One.\n\nTwo."},
		{"list", "Steps:\n- drain\n  the pool\n* restart\n2. wait\n3) look", "Steps:\n\ndrain the pool\n\nrestart\n\nwait\n\nlook"},
		{"heading", "# What\nhappened", "What happened"},
		{"quotation", "> timeout\n> again", "timeout\n\nagain"},
		{"no list", "2.5 s\n-1\n#tag", "2.5 s -1 #tag"},
		{"marks", "**All** `max_connections` were *taken*", "All max_connections were *taken*"},
		{"footnote", "It fell[^aws-1] over[^2].", "It fell over."},
		{"link", "see [the **report**](https://example.org/a_(b)) now", "see the report) now"},
		{"index", "a[0] = b[^ c] and [x]", "a[0] = b[^ c] and [x]"},
		{"korean", "연결이\n끊겼다[^1].", "연결이 끊겼다."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := plain(tt.in); got != tt.want {
				t.Errorf("plain(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
