package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// browserRows are the system of retry.yaml in WebAssembly, under Node.js, whose
// engine is that of a browser.
func browserRows(dir string) []row {
	program := sync.OnceValues(func() (string, error) { return compileBrowser(dir) })
	return []row{{name: "retry WebAssembly", events: retryEvents * 997_920, peer: "retry", most: 4,
		trial: func() (time.Duration, float64, error) {
			node, err := exec.LookPath("node")
			if err != nil {
				return 0, 0, fmt.Errorf("%w: node is missing; install Debian's package nodejs", errMissing)
			}
			wasm, err := program()
			if err != nil {
				return 0, 0, err
			}
			root, err := exec.Command("go", "env", "GOROOT").Output()
			if err != nil {
				return 0, 0, fmt.Errorf("asking for GOROOT: %w", err)
			}
			script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
			return peer(node, "--stack-size=8192", script, wasm, "sim/retry.yaml")
		}}}
}

func compileBrowser(dir string) (string, error) {
	wasm := filepath.Join(dir, "browser.wasm")
	cmd := exec.Command("go", "build", "-o", wasm, "./sim/browser")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("compiling the simulator for the browser: %w", err)
	}
	return wasm, nil
}
