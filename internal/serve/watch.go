package serve

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A change is acted on when the files have been quiet for settle, since an
// editor or a checkout writes many files one after another; and after
// restless at the latest, since somebody may never stop writing.
const (
	settle   = 200 * time.Millisecond
	restless = 5 * time.Second
)

// absent is how often is looked for a folder that has gone: who deploys may
// move another one into its place, and no folder that is watched tells.
const absent = time.Second

// Watch reloads the library whenever files below dirs change, and whenever
// hangup receives, until ctx ends. Folders that cannot be watched are logged;
// hangup works all the same.
func (l *Library) Watch(ctx context.Context, dirs []string, hangup <-chan os.Signal, log *slog.Logger) error {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		log.Warn("cannot watch files; send SIGHUP to reload", "error", err)
		files = &fsnotify.Watcher{} // its channels are nil and never receive
	} else {
		defer files.Close()
		watchAll(files, dirs, log)
	}
	var quiet, gone <-chan time.Time
	var first time.Time // change that is not acted on yet
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-hangup:
			log.Info("reloading on SIGHUP")
			_, _ = l.Reload(log) // logs what went wrong
			quiet = nil
		case e, ok := <-files.Events:
			if !ok {
				return errors.New("watching files: the watcher closed")
			}
			if !matters(e) {
				continue
			}
			if quiet == nil {
				first = time.Now()
			}
			quiet = time.After(min(settle, time.Until(first.Add(restless))))
		case err, ok := <-files.Errors:
			if !ok {
				return errors.New("watching files: the watcher closed")
			}
			// Most likely the kernel's queue overflowed and events are lost.
			log.Warn("watching files", "error", err)
			if quiet == nil {
				first, quiet = time.Now(), time.After(settle)
			}
		case <-quiet:
			quiet, gone = nil, nil
			if !allThere(dirs) {
				gone = time.After(absent)
			}
			watchAll(files, dirs, log)
			_, _ = l.Reload(log) // logs what went wrong
		case <-gone:
			gone = time.After(absent)
			if allThere(dirs) {
				first, quiet, gone = time.Now(), time.After(settle), nil
			}
		}
	}
}

// matters leaves out what cannot change a library: permissions, and the
// hidden and temporary files of editors. A hidden name that starts with two
// dots is how Kubernetes swaps a mounted ConfigMap.
func matters(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	name := filepath.Base(e.Name)
	hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "..")
	return !hidden && !strings.HasSuffix(name, "~")
}

// watchAll watches each folder and the folders right inside it, which is how
// deep a library is. It may be called again: folders come and go.
func watchAll(files *fsnotify.Watcher, dirs []string, log *slog.Logger) {
	for _, dir := range dirs {
		for _, path := range watched(dir) {
			if err := files.Add(path); err != nil {
				log.Warn("cannot watch a folder; send SIGHUP to reload", "folder", path, "error", err)
			}
		}
	}
}

func allThere(dirs []string) bool {
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err != nil {
			return false
		}
	}
	return true
}

// watched returns the folders that tell of changes in the library at dir.
func watched(dir string) []string {
	all := []string{dir}
	if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
		// A link that is turned to another checkout changes in its own folder.
		all = append(all, filepath.Dir(dir))
	}
	entries, _ := os.ReadDir(dir) // a folder that has gone fails to be watched, too
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path) // follows links
		if err == nil && info.IsDir() && !strings.HasPrefix(entry.Name(), ".git") {
			all = append(all, path)
		}
	}
	return all
}
