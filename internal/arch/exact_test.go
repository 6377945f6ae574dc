package arch

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The functions of package math that give the same bits on every machine; the
// others may be instructions of the machine or sums of its own making.
var exactMath = []string{
	"Abs", "Ceil", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Frexp",
	"Inf", "IsInf", "IsNaN", "Ldexp", "NaN", "Signbit", "Sqrt", "Trunc",
}

// Functions of package time that look at the real clock or wait for it.
var realTime = []string{
	"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until",
}

// stdTyped are the packages of the standard library that are read for their
// types. Of the others nothing is known, and a product of what they return is
// reported: convert it to a type that is known.
var stdTyped = []string{"cmp", "math", "math/bits"}

// world reads packages for their types, without asking the go command.
type world struct {
	set   *token.FileSet
	std   types.Importer
	done  map[string]*types.Package
	files map[string][]*ast.File // by folder
	info  *types.Info
}

func newWorld() *world {
	set := token.NewFileSet()
	return &world{
		set: set, std: importer.ForCompiler(set, "source", nil), done: map[string]*types.Package{}, files: map[string][]*ast.File{},
		info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{},
			Uses:  map[*ast.Ident]types.Object{},
			Defs:  map[*ast.Ident]types.Object{},
		},
	}
}

// Import implements types.Importer. A package that is not read is empty.
func (w *world) Import(name string) (*types.Package, error) {
	if p := w.done[name]; p != nil {
		return p, nil
	}
	if slices.Contains(stdTyped, name) {
		return w.std.Import(name)
	}
	if rest, ok := strings.CutPrefix(name, module+"/"); ok {
		_, p, err := w.read(rest, nil)
		return p, err
	}
	base := filepath.Base(name)
	if len(base) > 1 && base[0] == 'v' && base[1] >= '0' && base[1] <= '9' {
		base = filepath.Base(filepath.Dir(name))
	}
	p := types.NewPackage(name, base)
	p.MarkComplete()
	w.done[name] = p
	return p, nil
}

// read reads the package of a folder, or of files instead where some are given. A
// folder is read once: the types of a second reading would be others.
func (w *world) read(folder string, files []*ast.File) ([]*ast.File, *types.Package, error) {
	if known, ok := w.files[folder]; ok {
		return known, w.done[module+"/"+folder], nil
	}
	if files == nil {
		names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return nil, nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(w.set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, nil, err
			}
			files = append(files, f)
		}
	}
	conf := types.Config{Importer: w, Error: func(error) {}} // much is unknown, on purpose
	p, _ := conf.Check(module+"/"+folder, w.set, files, w.info)
	w.done[module+"/"+folder], w.files[folder] = p, files
	return files, p, nil
}

// inexact lists what may differ by machine in a file. What only the event path
// must not do is looked for where events is set.
func (w *world) inexact(f *ast.File, events bool) []string {
	var found []string
	report := func(n ast.Node, format string, args ...any) {
		at := w.set.Position(n.Pos())
		found = append(found, fmt.Sprintf("%s:%d: %s", filepath.Base(at.Filename), at.Line, fmt.Sprintf(format, args...)))
	}
	for _, spec := range f.Imports {
		switch p, _ := strconv.Unquote(spec.Path.Value); p {
		case "math/rand", "math/cmplx", "math/big":
			report(spec, "imports %s; draw from a des.Stream and compute with des", p)
		}
	}
	rounded, sorted := map[ast.Expr]bool{}, map[ast.Expr]bool{}
	for _, decl := range f.Decls {
		fn, _ := decl.(*ast.FuncDecl)
		clock := fn != nil && fn.Recv != nil && fn.Name.Name == "Run" && f.Name.Name == "des"
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if w.info.Types[n.Fun].IsType() && isFloat(w.info.Types[n.Fun].Type) && len(n.Args) == 1 {
					rounded[ast.Unparen(n.Args[0])] = true
				}
				if p, name := w.member(n.Fun); p == "slices" && strings.HasPrefix(name, "Sorted") {
					sorted[n.Args[0]] = true
				}
				if p, _ := w.member(n.Fun); events && p == "maps" && !sorted[n] {
					report(n, "walks a map in no order; sort its keys")
				}
			case *ast.BinaryExpr:
				if n.Op == token.MUL && w.float(n) && !rounded[n] {
					report(n, "a product may be fused with a sum; round it: float64(x * y)")
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN && w.float(n.Lhs[0]) {
					report(n, "a product may be fused with a sum; write x = float64(x * y)")
				}
			case *ast.SelectorExpr:
				if what := w.banned(n, clock); what != "" {
					report(n, "%s", what)
				}
			case *ast.GoStmt:
				if events {
					report(n, "starts a goroutine in the event path")
				}
			case *ast.RangeStmt:
				if events && w.mapped(n.X) {
					report(n, "walks a map in no order; sort its keys")
				}
			}
			return true
		})
	}
	return found
}

// banned says why a name of package math, math/rand/v2 or time may not be used.
func (w *world) banned(n *ast.SelectorExpr, clock bool) string {
	p, name := w.member(n)
	switch p {
	case "math":
		if _, constant := w.info.Uses[n.Sel].(*types.Const); !constant && !slices.Contains(exactMath, name) {
			return "math." + name + " differs by machine; use what des has"
		}
	case "math/rand/v2":
		if name != "PCG" {
			return "rand." + name + " is not a named stream; draw from a des.Stream"
		}
	case "time":
		if slices.Contains(realTime, name) && !clock {
			return "time." + name + " looks at the real clock; only Run of des does"
		}
	}
	return ""
}

// member returns the package and the name of a qualified identifier.
func (w *world) member(e ast.Expr) (pkg, name string) {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	if p, ok := w.info.Uses[id].(*types.PkgName); ok {
		return p.Imported().Path(), sel.Sel.Name
	}
	return "", ""
}

// float reports whether e is, or for all that is known may be, a float that is
// computed at run time.
func (w *world) float(e ast.Expr) bool {
	tv := w.info.Types[e]
	if tv.Value != nil {
		return false
	}
	return unknown(tv.Type) || isFloat(tv.Type)
}

func (w *world) mapped(e ast.Expr) bool {
	t := w.info.Types[e].Type
	if unknown(t) {
		_, cut := e.(*ast.SliceExpr) // maps cannot be cut
		// What packages that are not read return is mostly a number or a slice;
		// a map that one of them returns is missed. Those of package maps are
		// looked for apart.
		_, call := e.(*ast.CallExpr)
		return !cut && !call
	}
	_, is := t.Underlying().(*types.Map)
	return is
}

func unknown(t types.Type) bool { return t == nil || t == types.Typ[types.Invalid] }

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// TestSimulationsAreExact keeps runs the same on every machine. Go may compute
// x*y + z with one rounding where the machine has an instruction for it, even
// across statements; an explicit conversion of the product forbids it.
func TestSimulationsAreExact(t *testing.T) {
	folders := map[string]bool{}
	for _, s := range sources(t) {
		if under(s.pkg, "internal/sim") && !s.test {
			folders[s.pkg] = true
		}
	}
	w := newWorld()
	for folder := range folders {
		files, _, err := w.read(folder, nil)
		if err != nil {
			t.Fatal(err)
		}
		events := under(folder, "internal/sim/des") || under(folder, "internal/sim/parts")
		for _, f := range files {
			for _, what := range w.inexact(f, events) {
				t.Errorf("%s/%s", folder, what)
			}
		}
	}
}

// TestInexactIsFound holds the test above to a file that states what is wrong
// in it: each line with "want" must be reported, and no other.
func TestInexactIsFound(t *testing.T) {
	const name = "testdata/inexact.go.txt"
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld()
	f, err := parser.ParseFile(w.set, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.read("testdata", []*ast.File{f}); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, what := range w.inexact(f, true) {
		got[strings.SplitN(what, ":", 3)[1]] = true
	}
	for i, line := range strings.Split(string(src), "\n") {
		want := strings.Contains(line, "// want")
		if has := got[strconv.Itoa(i+1)]; has != want {
			t.Errorf("%s:%d: reported %t, want %t: %s", name, i+1, has, want, strings.TrimSpace(line))
		}
	}
}
