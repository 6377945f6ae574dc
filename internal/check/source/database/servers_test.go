package database

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
)

// program finds a program of a Debian package. Without it the test is left out, but
// in CI, where nothing may be.
func program(t *testing.T, pkg string, names ...string) string {
	t.Helper()
	for _, name := range names {
		if at, err := exec.LookPath(name); err == nil {
			return at
		}
		found, _ := filepath.Glob(name)
		if len(found) > 0 {
			return found[len(found)-1]
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing: install Debian's package %s", names[0], pkg)
	}
	t.Skipf("%s is missing: install Debian's package %s, or run dev/test as root", names[0], pkg)
	return ""
}

// folder makes a folder that an account may write to. It is short, since the path of
// a socket may not be long.
func folder(t *testing.T, owner *syscall.Credential) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unprivileged returns an account that is not root, where the test is root:
// PostgreSQL refuses to run as root.
func unprivileged(t *testing.T) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	t.Fatal("there is no account but root to run a server as")
	return nil
}

// run runs a program to its end.
func run(t *testing.T, as *syscall.Credential, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	cmd.Dir = os.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// serve runs a server until the test ends, and returns what gives its log.
func serve(t *testing.T, as *syscall.Credential, name string, args ...string) func() string {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	cmd.Dir, cmd.Stdout, cmd.Stderr = os.TempDir(), log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		kill.Stop()
		log.Close()
	})
	return func() string {
		text, _ := os.ReadFile(log.Name())
		return string(text)
	}
}

// until waits for something to become true.
func until(t *testing.T, what string, is func() error) {
	t.Helper()
	var err error
	for range 200 {
		if err = is(); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("waited for %s: %v", what, err)
}

// everything is all that a snapshot holds and says, as text.
func everything(t *testing.T, snap *object.Snapshot) string {
	t.Helper()
	var b strings.Builder
	for _, kind := range object.DatabaseKinds() {
		all, err := snap.Objects(kind)
		fmt.Fprintln(&b, kind, err)
		for _, o := range all {
			text, err := json.Marshal(o.Fields)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, o.Source, o.ID(), string(text))
		}
	}
	return b.String()
}

// names returns the names of the objects of a kind.
func names(snap *object.Snapshot, kind string) []string {
	all, _ := snap.Objects(kind)
	var found []string
	for _, o := range all {
		found = append(found, o.Name)
	}
	slices.Sort(found)
	return found
}

// wantWhole reports kinds that were not read whole.
func wantWhole(t *testing.T, snap *object.Snapshot, kinds ...string) {
	t.Helper()
	for _, kind := range kinds {
		if err := snap.Whole(kind); err != nil {
			t.Errorf("%v, want it whole", err)
		}
	}
}

// wantMissed reports a kind that counts as read, or as missed for another reason.
func wantMissed(t *testing.T, snap *object.Snapshot, kind, why string) {
	t.Helper()
	if err := snap.Whole(kind); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("%s: got %v, want it missed: %s", kind, err, why)
	}
}

// stalled listens, accepts and never answers.
func stalled(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
		}
	}()
	return l.Addr().String()
}

// stallsAt passes on what goes to and from a server's socket until a client says a
// word; then it passes on nothing more.
func stallsAt(t *testing.T, socket, word string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		client, err := l.Accept()
		if err != nil {
			return
		}
		t.Cleanup(func() { client.Close() })
		server, err := net.Dial("unix", socket)
		if err != nil {
			return
		}
		t.Cleanup(func() { server.Close() })
		go io.Copy(client, server)
		buf := make([]byte, 64<<10)
		for {
			n, err := client.Read(buf)
			if err != nil || bytes.Contains(buf[:n], []byte(word)) {
				return // and keep both open
			}
			if _, err := server.Write(buf[:n]); err != nil {
				return
			}
		}
	}()
	return l.Addr().String()
}

// within reports a call that takes longer than it may.
func within(t *testing.T, most time.Duration, call func() error) error {
	t.Helper()
	begin := time.Now()
	err := call()
	if took := time.Since(begin); took > most {
		t.Errorf("took %v, want at most %v", took, most)
	}
	return err
}

// refused tries statements over a session. Each must be refused by the server, with
// one of some words, and none is sent by a reader at all.
func refused(t *testing.T, s session, words []string, statements ...string) {
	t.Helper()
	for _, text := range statements {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		rows, err := s.ask(ctx, text)
		cancel()
		if err == nil || !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(err.Error(), w) }) {
			t.Errorf("%s: got %q and the error %v, want it refused", text, rows, err)
		}
		r := &reader{snap: object.NewSnapshot(time.Now()), name: "test", wait: time.Second}
		if _, err := r.ask(t.Context(), s, statement{text: text}); err == nil {
			t.Errorf("%s: was sent", text)
		}
	}
}
