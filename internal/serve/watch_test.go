package serve

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watchTest watches dirs until the test ends.
func watchTest(t *testing.T, l *Library, dirs ...string) chan<- os.Signal {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	hangup := make(chan os.Signal)
	done := make(chan error)
	go func() { done <- l.Watch(ctx, dirs, hangup, quiet()) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Watch = %v, want nil after the end of its context", err)
		}
	})
	time.Sleep(50 * time.Millisecond) // until the folders are watched
	return hangup
}

func TestWatchSeesChanges(t *testing.T) {
	l, dir := openTest(t)
	watchTest(t, l, dir)

	writeCase(t, dir, "EX-0002", "The cache stopped")
	eventually(t, "loading a new case", func() bool { return l.State().Cases == 2 })

	// As an editor saves: a new file renamed over the old one.
	draft := filepath.Join(dir, "cases", ".EX-0002.yaml.swp")
	write(t, draft, "half a fi")
	time.Sleep(2 * settle)
	if got := l.State(); got.Failures != 0 {
		t.Errorf("an editor's temporary file was read: %v", got.Err)
	}
	before := l.State().Version
	writeCase(t, dir, "EX-0003", "The queue stopped")
	if err := os.Rename(filepath.Join(dir, "cases", "EX-0003.yaml"), draft); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "cases", "EX-0002.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(draft, filepath.Join(dir, "cases", "EX-0003.yaml")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "loading a renamed file", func() bool {
		_, err := l.App().Case("EX-0003")
		return err == nil && l.State().Version != before
	})

	write(t, filepath.Join(dir, "cases", "EX-0004.yaml"), "id: [")
	eventually(t, "noticing a broken file", func() bool { return l.State().Err != nil })
	if got := l.State(); got.Cases != 2 {
		t.Errorf("with a broken file: %d cases, want the 2 of the last good library", got.Cases)
	}
	writeCase(t, dir, "EX-0004", "The network stopped")
	eventually(t, "loading the mended file", func() bool { return l.State().Err == nil && l.State().Cases == 3 })
}

func TestWatchReadsABurstOnce(t *testing.T) {
	l, dir := openTest(t)
	watchTest(t, l, dir)
	for _, id := range []string{"EX-0002", "EX-0003", "EX-0004", "EX-0005"} {
		writeCase(t, dir, id, "Something stopped")
		time.Sleep(settle / 5)
	}
	eventually(t, "loading all", func() bool { return l.State().Cases == 5 })
	if got := l.State().Reloads; got != 1 {
		t.Errorf("four files in a row made %d reloads, want 1", got)
	}
}

// TestWatchFolderSwap deploys as some do: the old folder aside, and after a
// while another one into its place.
func TestWatchFolderSwap(t *testing.T) {
	l, dir := openTest(t)
	next := t.TempDir()
	if err := os.CopyFS(next, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	writeCase(t, next, "EX-0002", "The cache stopped")
	watchTest(t, l, dir)
	if err := os.Rename(dir, t.TempDir()+"/old"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "noticing that the folder has gone", func() bool { return l.State().Cases == 0 })
	if err := os.Rename(next, dir); err != nil {
		t.Fatal(err)
	}
	eventually(t, "loading the folder in its place", func() bool { return l.State().Cases == 2 })
	writeCase(t, dir, "EX-0003", "The queue stopped")
	eventually(t, "loading a change in it", func() bool { return l.State().Cases == 3 })
}

func TestWatchNewFolder(t *testing.T) {
	l, dir := openTest(t)
	if err := os.RemoveAll(filepath.Join(dir, "cases")); err != nil {
		t.Fatal(err)
	}
	watchTest(t, l, dir)
	writeCase(t, dir, "EX-0001", "The database stopped")
	writeCase(t, dir, "EX-0002", "The cache stopped")
	eventually(t, "loading a new folder", func() bool { return l.State().Cases == 2 })
	writeCase(t, dir, "EX-0003", "The queue stopped")
	eventually(t, "loading a file of the new folder", func() bool { return l.State().Cases == 3 })
}

// TestWatchTurnedLink is how checkouts and mounted configuration are replaced:
// a link is turned to another folder.
func TestWatchTurnedLink(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	writeLibrary(t, one)
	writeLibrary(t, two)
	writeCase(t, two, "EX-0002", "The cache stopped")
	current := filepath.Join(t.TempDir(), "current")
	if err := os.Symlink(one, current); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	l, err := OpenLibrary(loader(current))
	if err != nil {
		t.Fatal(err)
	}
	watchTest(t, l, current)
	turned := current + ".new"
	if err := os.Symlink(two, turned); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(turned, current); err != nil {
		t.Fatal(err)
	}
	eventually(t, "loading the other folder", func() bool { return l.State().Cases == 2 })
	writeCase(t, two, "EX-0003", "The queue stopped")
	eventually(t, "following the other folder", func() bool { return l.State().Cases == 3 })
}

func TestWatchHangup(t *testing.T) {
	l, dir := openTest(t)
	hangup := watchTest(t, l) // nothing is watched
	writeCase(t, dir, "EX-0002", "The cache stopped")
	hangup <- syscall.SIGHUP
	eventually(t, "loading on SIGHUP", func() bool { return l.State().Cases == 2 })
}

func TestMatters(t *testing.T) {
	for name, want := range map[string]bool{
		"cases/EX-0001.yaml": true, "cases": true, "..data": true,
		"cases/.EX-0001.yaml.swp": false, "cases/EX-0001.yaml~": false, ".git": false,
	} {
		if got := matters(fsnotify.Event{Name: name, Op: fsnotify.Write}); got != want {
			t.Errorf("matters(%q) = %v, want %v", name, got, want)
		}
	}
	if matters(fsnotify.Event{Name: "cases/EX-0001.yaml", Op: fsnotify.Chmod}) {
		t.Error("a change of permissions matters, want it not to")
	}
}
