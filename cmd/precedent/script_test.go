package main

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run this test binary as the command precedent.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"precedent": main,
		pluginName:  main,
	})
}

// TestScript runs the behaviour of the command line as users see it, one
// feature a file of testdata/script.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": await,
			"exits": exits,
		},
	})
}

// exits runs a command and checks its exit code: exits 3 precedent lint dir.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = exitCode(err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// await waits until a file holds a text: await progress.json '"cell'.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await FILE TEXT")
	}
	for range 1200 {
		raw, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Contains(string(raw), args[1]) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("%q does not come to hold %q", args[0], args[1])
}

func TestRunWithoutArgumentsShowsHelp(t *testing.T) {
	var out buffer
	code := run(context.Background(), &process{env: func(string) string { return "" }, out: &out, err: &out, in: &out})
	if code != exitOK || !out.has("Usage:") {
		t.Errorf("code %d, output %q", code, out.String())
	}
}
