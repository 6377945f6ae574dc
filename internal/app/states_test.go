package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
)

// A case is shown by its state, and a withdrawn one leads to the case that took
// its place, however many steps away, but never to a draft.
func TestStates(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "cases"), 0o755); err != nil {
		t.Fatal(err)
	}
	const reason = "\nwithdrawn_reason: {en: It was a drill., ko: 훈련이었다.}"
	for id, state := range map[string]string{
		"TEST-0001": "draft",
		"TEST-0002": "withdrawn" + reason,
		"TEST-0003": "withdrawn\nsuperseded_by: TEST-0004" + reason,
		"TEST-0004": "withdrawn\nsuperseded_by: TEST-0001" + reason,
	} {
		src := "schema: 1\nid: " + id + "\nstate: " + state + "\ntitle: {en: A case, ko: 사례}\nreview: {status: unreviewed}\n"
		if err := os.WriteFile(filepath.Join(dir, "cases", id+".yaml"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hiding := load(t, "test", dir)
	showing := hiding.WithDrafts()
	for _, tt := range []struct {
		app  *app.App
		id   string
		kind app.Kind
		near string
	}{
		{hiding, "TEST-0001", app.NotFound, ""}, {hiding, "test-0001", app.NotFound, ""}, {hiding, "TEST-0009", app.NotFound, ""},
		{hiding, "TEST-0002", app.Gone, ""}, {hiding, "TEST-0003", app.Gone, ""},
		{showing, "TEST-0002", app.Gone, ""}, {showing, "TEST-0003", app.Gone, "TEST-0001"}, {showing, "TEST-0009", app.NotFound, "TEST-0001"},
	} {
		_, err := tt.app.Case(tt.id)
		_, same := tt.app.Similar(tt.id, 0)
		if app.KindOf(err) != tt.kind || near(err) != tt.near || err == nil || same == nil || err.Error() != same.Error() {
			t.Errorf("%s: %v, kind %d, near %q; want kind %d, near %q; similar says %v",
				tt.id, err, app.KindOf(err), near(err), tt.kind, tt.near, same)
		}
		if (app.NoteOf(err) != nil) != (tt.kind == app.Gone) {
			t.Errorf("%s: note %v", tt.id, app.NoteOf(err))
		}
	}
	if _, err := showing.Case("TEST-0001"); err != nil {
		t.Error(err)
	}
	if !hiding.Public() || showing.Public() {
		t.Error("a private library passes for the public one where, and only where, it shows nothing")
	}
}
