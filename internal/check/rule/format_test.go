package rule_test

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// TestFormatPage holds doc/check-format.md in step with the fields of a check.
func TestFormatPage(t *testing.T) {
	page, err := os.ReadFile("../../../doc/check-format.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[rule.File](), reflect.TypeFor[rule.Setting](), reflect.TypeFor[rule.Evidence](), reflect.TypeFor[rule.Messages](),
		reflect.TypeFor[rule.Severities](), reflect.TypeFor[rule.Example](), reflect.TypeFor[rule.Cut](),
	} {
		for _, name := range strictyaml.Fields(typ) {
			if !bytes.Contains(page, []byte("`"+name+"`")) {
				t.Errorf("doc/check-format.md does not name the field %q of %s", name, typ)
			}
		}
	}
}
