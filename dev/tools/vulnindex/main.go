// Vulnindex makes a vulnerability database for govulncheck out of the OSV files
// that the module golang.org/x/vulndb carries, so that the check needs no host
// but the module proxy. The layout is that of https://go.dev/doc/security/vuln/database.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// entry is the part of an OSV file that the index needs.
type entry struct {
	ID       string   `json:"id"`
	Modified string   `json:"modified"`
	Aliases  []string `json:"aliases,omitempty"`
	Affected []struct {
		Package struct {
			Name string `json:"name"`
		} `json:"package"`
		Ranges []struct {
			Events []struct {
				Fixed string `json:"fixed"`
			} `json:"events"`
		} `json:"ranges"`
	} `json:"affected,omitempty"`
}

type vuln struct {
	ID       string `json:"id"`
	Modified string `json:"modified"`
	Fixed    string `json:"fixed,omitempty"`
}

type module struct {
	Path  string `json:"path"`
	Vulns []vuln `json:"vulns"`
}

func main() {
	in := flag.String("in", "", "folder of OSV files")
	out := flag.String("out", "", "folder of the database")
	flag.Parse()
	if err := index(*in, *out); err != nil {
		fmt.Fprintln(os.Stderr, "vulnindex:", err)
		os.Exit(1)
	}
}

func index(in, out string) error {
	names, err := filepath.Glob(filepath.Join(in, "GO-*.json"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no OSV files in %q", in)
	}
	for _, dir := range []string{"ID", "index"} {
		if err := os.MkdirAll(filepath.Join(out, dir), 0o755); err != nil {
			return err
		}
	}
	modules, newest := map[string]*module{}, ""
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var e entry
		if err := json.Unmarshal(src, &e); err != nil {
			return fmt.Errorf("reading %q: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(out, "ID", filepath.Base(name)), src, 0o644); err != nil {
			return err
		}
		newest = max(newest, e.Modified)
		e.addTo(modules)
	}
	list := make([]*module, 0, len(modules))
	for _, m := range modules {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return cmp.Compare(a.Path, b.Path) })
	if err := write(filepath.Join(out, "index", "modules.json"), list); err != nil {
		return err
	}
	return write(filepath.Join(out, "index", "db.json"), map[string]string{"modified": newest})
}

// addTo enters a vulnerability under every module that it affects, with the
// last version that fixes it.
func (e *entry) addTo(modules map[string]*module) {
	for _, a := range e.Affected {
		m := modules[a.Package.Name]
		if m == nil {
			m = &module{Path: a.Package.Name}
			modules[a.Package.Name] = m
		}
		v := vuln{ID: e.ID, Modified: e.Modified}
		for _, r := range a.Ranges {
			for _, event := range r.Events {
				v.Fixed = cmp.Or(event.Fixed, v.Fixed)
			}
		}
		m.Vulns = append(m.Vulns, v)
	}
}

func write(name string, v any) error {
	src, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(name, src, 0o644)
}
