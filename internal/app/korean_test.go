package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// formatAt is the place of the format among the arguments of the functions that
// make errors for an asker.
var formatAt = map[string]int{"Invalidf": 2, "NotFoundf": 2, "Findingsf": 1}

// TestErrorsAreWrittenInKorean reads the sources: each error for an asker says
// in Korean what it says in English, of the same arguments. What the MCP server
// says is for models.
func TestErrorsAreWrittenInKorean(t *testing.T) {
	found := 0
	for _, root := range []string{".", "../serve", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/mcp/") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			korean := map[ast.Expr]*ast.CallExpr{} // calls of Korean by what they are called on
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if at, ok := formatAt[called(call)]; ok {
					found++
					ko := korean[call]
					if ko == nil {
						t.Errorf("%s: the error is not written in Korean", fset.Position(call.Pos()))
					} else if en, ko := verbs(call.Args[at]), verbs(ko.Args[1]); en != ko && ko != "" {
						t.Errorf("%s: the English message takes %q, the Korean one %q", fset.Position(call.Pos()), en, ko)
					}
				}
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Korean" {
					korean[sel.X] = call // which is visited next
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 30 {
		t.Errorf("%d errors found, want those of the program", found)
	}
}

// called is the name of the function or method of a call.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

var verb = regexp.MustCompile(`%[a-z]`)

// verbs are the verbs of a format in their order.
func verbs(format ast.Expr) string {
	lit, ok := format.(*ast.BasicLit)
	if !ok {
		return ""
	}
	return strings.Join(verb.FindAllString(lit.Value, -1), "")
}
