package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/openprecedent/precedent"

// root is the repository, seen from this folder.
const root = "../.."

// source is one Go file, read directly: asking the go command instead would
// answer from its cache after the rules have changed.
type source struct {
	file string // path from the root
	pkg  string // folder from the root, "internal/app"
	test bool
	ast  *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if base := d.Name(); rel != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules" || rel == "bench" || rel == "dev/apiserver" || rel == "dev/tools") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all = append(all, source{rel, path.Dir(rel), strings.HasSuffix(name, "_test.go"), f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("found %d files only; is the root right?", len(all))
	}
	return all
}

// ours returns the packages of the program that a file imports.
func (s source) ours() []string {
	var imports []string
	for _, spec := range s.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if rest, ok := strings.CutPrefix(p, module+"/"); ok && err == nil {
			imports = append(imports, rest)
		}
	}
	return imports
}

// bans are the directions that no import may take, each with its reason. A
// folder stands for all packages in and under it.
var bans = []struct{ from, to, reason string }{
	{"internal/library", "internal/app", "what is known does not depend on who asks"},
	{"internal/library", "internal/output", "what is known does not depend on how it is shown"},
	{"internal/library", "internal/serve", "what is known does not depend on how it is served"},
	{"internal/app", "internal/output", "an answer does not depend on its format"},
	{"internal/app", "internal/serve", "an answer does not depend on the face that asks"},
	{"internal/output", "internal/serve", "formats serve every face"},
	{"internal/serve/web", "internal/serve/api", "faces never import each other"},
	{"internal/serve/web", "internal/serve/mcp", "faces never import each other"},
	{"internal/serve/api", "internal/serve/web", "faces never import each other"},
	{"internal/serve/api", "internal/serve/mcp", "faces never import each other"},
	{"internal/serve/mcp", "internal/serve/web", "faces never import each other"},
	{"internal/serve/mcp", "internal/serve/api", "faces never import each other"},
	{"internal/library/vocab", "internal/library/casefile", "cases are coded with terms, not the other way round"},
	{"internal/library/search", "internal/library/casefile", "search knows documents, not cases"},
	{"internal/library/search", "internal/library/vocab", "search is given its terms"},
	{"internal/strictyaml", "internal/library", "reading YAML does not depend on what is read"},
	{"internal/library", "internal/sim", "what happened does not depend on what would happen"},
	{"internal/sim", "internal/library", "what would happen does not depend on what is known"},
	{"internal/sim", "internal/app", "a simulation does not depend on who asks"},
	{"internal/sim", "internal/output", "a simulation does not depend on how it is shown"},
	{"internal/sim", "internal/serve", "a simulation does not depend on how it is served"},
	{"internal/sim/des", "internal", "the kernel knows nothing of what is simulated"},
	{"internal/sim/explore", "internal", "the search knows nothing of what it explores"},
	{"internal/sim/parts", "internal/sim/system", "a part does not know the system it is in"},
	{"internal/sim/parts", "internal/sim/scenario", "a part does not know what is done to it"},
	{"internal/sim/system", "internal/sim/verdict", "a system is described apart from what is made of it"},
	{"internal/sim/scenario", "internal/sim/verdict", "a run does not depend on what is concluded from it"},
	{"internal/sim/system", "internal/sim/scenario", "a system is described apart from what is done to it"},
	{"internal/sim/parts", "internal/strictyaml", "parts are given their settings, and do not read files"},
	{"internal/sim/scenario", "internal/sim/expect", "CEL is heavy, and the browser runs scenarios"},
	{"internal/sim/study", "internal/sim/expect", "CEL is heavy, and the browser asks questions"},
	{"internal/sim/expect", "internal/sim/verdict", "what is expected of a run does not depend on what is concluded from it"},
	{"internal/sim/expect", "internal/sim/study", "expectations are checked for whoever asks"},
	{"internal/library", "internal/check", "what happened does not depend on where it is looked for"},
	{"internal/check", "internal/library", "what is so does not depend on what is known"},
	{"internal/check", "internal/sim", "what is so does not depend on what would happen"},
	{"internal/sim", "internal/check", "what would happen does not depend on what is so"},
	{"internal/check", "internal/app", "a check does not depend on who asks"},
	{"internal/check", "internal/output", "a finding does not depend on how it is shown"},
	{"internal/check", "internal/serve", "a finding does not depend on how it is served"},
	{"internal/check/object", "internal/check/rule", "what is read does not depend on what is looked for"},
	{"internal/check/object", "internal/check/manifest", "a snapshot does not know where its objects are from"},
	{"internal/check/manifest", "internal/check/rule", "what is read does not depend on what is looked for"},
	{"internal/check/manifest", "internal/check/dump", "documents are read without the output of clients"},
	{"internal/check/dump", "internal/check/rule", "what is read does not depend on what is looked for"},
	{"internal/check/rule", "internal/check/source", "a check does not know where its objects are from"},
	{"internal/check/source", "internal/check/rule", "what is read does not depend on what is looked for"},
	{"internal/app", "internal/check/source", "only cmd brings in what is to be checked"},
	{"internal/bilingual", "internal", "the bottom imports nothing of ours"},
	{"internal/lazyregexp", "internal", "the bottom imports nothing of ours"},
	{"internal/nearest", "internal", "the bottom imports nothing of ours"},
	{"internal/parallel", "internal", "the bottom imports nothing of ours"},
	{"internal/testrace", "internal", "the bottom imports nothing of ours"},
	{"internal", "corpus", "only cmd brings in the public library"},
	{"internal", "cmd", "cmd wires, nobody wires cmd"},
	{"corpus", "internal", "the corpus is data only"},
	{"doc", "internal", "the documents are data only"},
}

func under(pkg, folder string) bool {
	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

func TestImportDirections(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, imported := range s.ours() {
			for _, ban := range bans {
				if under(s.pkg, ban.from) && under(imported, ban.to) && imported != s.pkg {
					t.Errorf("%s imports %s: %s", s.file, imported, ban.reason)
				}
			}
		}
	}
}

// TestServerKnowsNoFace keeps the server, and what the faces share, from the
// faces, which stand in the same folder: cmd hands them to the server.
func TestServerKnowsNoFace(t *testing.T) {
	faces := []string{"internal/serve/api", "internal/serve/mcp", "internal/serve/web"}
	ofFace := func(pkg string) bool {
		return slices.ContainsFunc(faces, func(face string) bool { return under(pkg, face) })
	}
	for _, s := range sources(t) {
		if s.test || !under(s.pkg, "internal/serve") || ofFace(s.pkg) {
			continue
		}
		for _, imported := range s.ours() {
			if ofFace(imported) {
				t.Errorf("%s imports %s: the server serves faces that it does not know", s.file, imported)
			}
		}
	}
}

// TestBansNameFolders keeps a ban from outliving what it is about.
func TestBansNameFolders(t *testing.T) {
	var pkgs []string
	for _, s := range sources(t) {
		pkgs = append(pkgs, s.pkg)
	}
	for _, ban := range bans {
		for _, folder := range []string{ban.from, ban.to} {
			if !slices.ContainsFunc(pkgs, func(p string) bool { return under(p, folder) }) {
				t.Errorf("the ban of %s on %s names the folder %q, which holds no package", ban.from, ban.to, folder)
			}
		}
	}
}

// Names that say nothing about what a package holds.
var vague = []string{"util", "utils", "common", "helpers", "helper", "types", "manager", "misc", "base", "shared"}

func TestPackages(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		documented[s.pkg] = documented[s.pkg] || s.ast.Doc != nil
		if slices.Contains(vague, s.ast.Name.Name) || slices.Contains(vague, path.Base(s.pkg)) {
			t.Errorf("%s: the name %q says nothing about what the package holds", s.file, s.ast.Name.Name)
		}
		for _, decl := range s.ast.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s: func init runs before anybody asks; build it where it is used", s.file)
			}
		}
	}
	for pkg, has := range documented {
		if !has {
			t.Errorf("%s: no package comment", pkg)
		}
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || s.ast.Name.Name == "main" {
			continue
		}
		for _, decl := range s.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s: func %s has no doc comment", s.file, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					for _, name := range undocumented(d, spec) {
						t.Errorf("%s: %s has no doc comment", s.file, name)
					}
				}
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if index, ok := typ.(*ast.IndexExpr); ok {
		typ = index.X
	}
	id, ok := typ.(*ast.Ident)
	return !ok || id.IsExported()
}

func undocumented(d *ast.GenDecl, spec ast.Spec) []string {
	var names []string
	switch sp := spec.(type) {
	case *ast.TypeSpec:
		if sp.Name.IsExported() && d.Doc == nil && sp.Doc == nil {
			names = append(names, sp.Name.Name)
		}
	case *ast.ValueSpec:
		for _, n := range sp.Names {
			if n.IsExported() && d.Doc == nil && sp.Doc == nil && sp.Comment == nil {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// TestCELStaysOut keeps CEL in the two packages that need it, and out of the
// simulator for the browser, which every reader of a page loads.
func TestCELStaysOut(t *testing.T) {
	homes, browser := []string{"internal/sim/expect", "internal/check/rule"}, "cmd/precedent-wasm"
	imports := map[string][]string{}
	for _, s := range sources(t) {
		for _, spec := range s.ast.Imports {
			if name, _ := strconv.Unquote(spec.Path.Value); strings.Contains(name, "cel-go") && !slices.Contains(homes, s.pkg) {
				t.Errorf("%s imports %s; leave CEL to %s", s.file, name, strings.Join(homes, ", "))
			}
		}
		if !s.test {
			imports[s.pkg] = append(imports[s.pkg], s.ours()...)
		}
	}
	if len(imports[browser]) == 0 {
		t.Fatalf("%s imports nothing of ours; is the name right?", browser)
	}
	reached := map[string]bool{}
	var follow func(pkg string, by []string)
	follow = func(pkg string, by []string) {
		if slices.Contains(homes, pkg) {
			t.Errorf("the simulator for the browser reaches CEL: %s", strings.Join(append(by, pkg), " imports "))
		}
		if reached[pkg] {
			return
		}
		reached[pkg] = true
		for _, next := range imports[pkg] {
			follow(next, append(slices.Clone(by), pkg))
		}
	}
	follow(browser, nil)
}
