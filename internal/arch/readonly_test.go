package arch

import (
	"go/ast"
	"slices"
	"testing"
)

// writing are the words with which a cluster or a database is changed.
var writing = []string{"MethodPost", "MethodPut", "MethodPatch", "MethodDelete", "MethodConnect", "ExecContext", "CopyFrom", "CopyTo", "PrepareContext"}

// TestChecksOnlyRead looks at every request that the sources of checks make: it is
// a GET, and nothing in them names another verb.
func TestChecksOnlyRead(t *testing.T) {
	requests := 0
	for _, s := range sources(t) {
		if s.test || !under(s.pkg, "internal/check") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if slices.Contains(writing, n.Sel.Name) {
					t.Errorf("%s names %s; checks only read", s.file, n.Sel.Name)
				}
			case *ast.CallExpr:
				if !isRequest(n) {
					break
				}
				requests++
				if len(n.Args) < 2 || !isGet(n.Args[0]) && !isGet(n.Args[1]) {
					t.Errorf("%s makes a request whose verb is not written as http.MethodGet", s.file)
				}
			}
			return true
		})
	}
	if requests == 0 {
		t.Error("found no request; is the name right?")
	}
}

func isRequest(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok || pkg.Name != "http" {
		return false
	}
	switch sel.Sel.Name {
	case "NewRequest", "NewRequestWithContext", "Get", "Post", "PostForm", "Head":
		return true
	}
	return false
}

func isGet(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "MethodGet"
}
