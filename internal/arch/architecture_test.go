package arch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestArchitectureNamesEveryPackage keeps the page that newcomers read first in
// step with the packages that there are. Those that hold tests, or what is for one
// package's tests alone, stand beside that package and need no line.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "doc", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []string
	for _, s := range sources(t) {
		ofTests := s.test || under(s.pkg, "internal/serve") && strings.HasSuffix(s.pkg, "test")
		if !ofTests && (under(s.pkg, "internal") || under(s.pkg, "cmd")) {
			pkgs = append(pkgs, s.pkg)
		}
	}
	slices.Sort(pkgs)
	for _, pkg := range slices.Compact(pkgs) {
		if !strings.Contains(string(page), "`"+pkg+"`") {
			t.Errorf("doc/architecture.md does not name %s", pkg)
		}
	}
}
