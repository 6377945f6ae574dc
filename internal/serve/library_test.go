package serve

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

// A library of one term a list and one case, the least there can be.
const (
	listYAML = `list: %[1]s
name: {en: %[1]s, ko: 목록}
definition: {en: A list., ko: 목록이다.}
terms:
  - id: some
    name: {en: some %[1]s, ko: 어떤 것}
    definition: {en: Something., ko: 어떤 것이다.}
`
	caseYAML = `schema: 1
id: %[1]s
state: published
title: {en: "%[2]s", ko: 데이터베이스가 멈췄다}
org: {slug: example, name: Example}
summary:
  en: The database stopped for an hour because a disk was full.
  ko: 디스크가 가득 차서 데이터베이스가 한 시간 동안 멈췄다.
date: 2020-01-02
date_kind: occurred
symptoms:
  text: {en: Writes failed., ko: 쓰기가 실패했다.}
  codes: [some]
causes:
  - {code: some, role: root}
components:
  - {code: some, role: origin}
sources:
  - {id: one, url: "https://example.org/report", kind: some}
review: {status: unreviewed, no_first_party: {en: A test., ko: 시험이다.}}
`
)

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeLibrary(t testing.TB, dir string) {
	t.Helper()
	for _, list := range []string{"symptom", "cause", "component", "source-kind"} {
		write(t, filepath.Join(dir, "vocab", list+".yaml"), fmt.Sprintf(listYAML, list))
	}
	writeCase(t, dir, "EX-0001", "The database stopped")
}

func writeCase(t testing.TB, dir, id, title string) {
	t.Helper()
	write(t, filepath.Join(dir, "cases", id+".yaml"), fmt.Sprintf(caseYAML, id, title))
}

// loader loads the library in dir.
func loader(dir string) func() (*app.App, error) {
	return func() (*app.App, error) {
		lib, problems := library.Load(library.Layer{Name: "test", FS: os.DirFS(dir)})
		if lib == nil {
			return nil, problems.Errors()
		}
		return app.New(lib), nil
	}
}

func openTest(t *testing.T) (*Library, string) {
	t.Helper()
	dir := t.TempDir()
	writeLibrary(t, dir)
	l, err := OpenLibrary(loader(dir))
	if err != nil {
		t.Fatalf("opening the test library: %v", err)
	}
	return l, dir
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// eventually waits until ok holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s did not happen within 10 s", what)
}

func TestOpenLibraryFails(t *testing.T) {
	dir := t.TempDir()
	writeLibrary(t, dir)
	write(t, filepath.Join(dir, "cases", "EX-0001.yaml"), "id: [")
	if l, err := OpenLibrary(loader(dir)); err == nil {
		t.Errorf("OpenLibrary of a broken folder = %+v, want an error", l.State())
	}
}

func TestReload(t *testing.T) {
	l, dir := openTest(t)
	before := l.App()

	if changed, err := l.Reload(quiet()); changed || err != nil {
		t.Errorf("Reload of the same files = %v, %v, want false and no error", changed, err)
	}
	if l.App() != before {
		t.Error("Reload of the same files replaced the library")
	}

	writeCase(t, dir, "EX-0002", "The cache stopped")
	if changed, err := l.Reload(quiet()); !changed || err != nil {
		t.Fatalf("Reload with a new case = %v, %v, want true and no error", changed, err)
	}
	if got := l.State(); got.Cases != 2 || got.Reloads != 1 || got.Version == before.Version() {
		t.Errorf("after a new case: state %+v, want 2 cases, 1 reload and a new version", got)
	}
}

func TestReloadKeepsTheLastGoodLibrary(t *testing.T) {
	l, dir := openTest(t)
	before := l.App()
	write(t, filepath.Join(dir, "cases", "EX-0002.yaml"), "id: EX-0002\nnonsense: true\n")

	var log strings.Builder
	changed, err := l.Reload(slog.New(slog.NewTextHandler(&log, nil)))
	if changed || err == nil {
		t.Errorf("Reload of a broken file = %v, %v, want false and an error", changed, err)
	}
	if l.App() != before {
		t.Error("Reload of a broken file replaced the library")
	}
	if got := l.State(); got.Failures != 1 || got.Err == nil || got.Cases != 1 {
		t.Errorf("after a broken file: state %+v, want the error kept", got)
	}
	if got := log.String(); !strings.Contains(got, "EX-0002.yaml:2:1") || !strings.Contains(got, "last good") {
		t.Errorf("log %q names neither the place nor that the last good library stays", got)
	}

	if err := os.Remove(filepath.Join(dir, "cases", "EX-0002.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Reload(quiet()); err != nil || l.State().Err != nil {
		t.Errorf("Reload of mended files = %v, state %+v, want no error left", err, l.State())
	}
}

func TestReloadSurvivesAPanic(t *testing.T) {
	l, _ := openTest(t)
	l.load = func() (*app.App, error) { panic("strange file") }
	if _, err := l.Reload(quiet()); err == nil || !strings.Contains(err.Error(), "strange file") {
		t.Errorf("Reload = %v, want the panic as an error", err)
	}
	l.load = func() (*app.App, error) { return nil, errors.New("gone") }
	if _, err := l.Reload(quiet()); err == nil || l.App() == nil {
		t.Errorf("Reload = %v with library %v, want an error and the old library", err, l.App())
	}
}
