package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/check/manifest"
)

// planted stands in every place where a Secret can hold something.
const planted = "c3VwZXJzZWNyZXQtdG9rZW4="

func TestSecretsAreForgotten(t *testing.T) {
	yaml := `apiVersion: v1
kind: Secret
type: kubernetes.io/tls
metadata:
  name: web
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"kind":"Secret","data":{"tls.key":"` + planted + `"},"stringData":{"note":"plain-` + planted + `"}}
data:
  tls.crt: UFVCTElD
  ca.crt: UFVCTElDIENB
  tls.key: ` + planted + `
stringData: {password: "plain-` + planted + `"}
`
	list := `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"token":"` + planted + `"}},
{"apiVersion":"v1","kind":"Secret","metadata":{"name":"b"},"data":["` + planted + `"],"stringData":{"deep":{"er":["` + planted + `"]}}}]}`
	for name, src := range map[string]string{"yaml": yaml, "json": list, "typed": strings.Replace(list, `"kind":"List"`, `"kind":"SecretList"`, 1)} {
		t.Run(name, func(t *testing.T) {
			held := []byte(src)
			documents, problems := manifest.Read("secrets", held)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			for _, d := range documents {
				content, ok := d.Content()
				if !ok {
					t.Fatal("no object")
				}
				for _, o := range content.Objects {
					fields, err := json.Marshal(o.Fields)
					if err != nil {
						t.Fatal(err)
					}
					if strings.Contains(string(fields)+fmt.Sprintf("%#v", o.Fields), planted) {
						t.Errorf("%s keeps its secret: %s", o.ID(), fields)
					}
					if name == "yaml" && o.Fields.Text("data", "tls.crt") != "UFVCTElD" {
						t.Errorf("the certificate, which is public, is gone: %s", fields)
					}
				}
			}
			if strings.Contains(string(held), planted) {
				t.Errorf("the source that is kept for places holds the secret:\n%s", held)
			}
		})
	}
}

// FuzzRead asks that nothing makes the reader panic, and that every problem says
// what to do.
func FuzzRead(f *testing.F) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for _, src := range []string{
		"", "\xef\xbb\xbfkind: A", deep, strings.Repeat("- ", 3000), "a: &a [*a]\nb: *a", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]",
		"kind: A\nkind: B\napiVersion: v1", "apiVersion: 1\nkind: [x]", `{"apiVersion":"v1","kind":"PodList","items":[1,{"spec":null}]}`,
		"apiVersion: v1\nkind: Secret\ndata: 3\nstringData: [a]", "{{ .Values }}", "---\n---\n--- a\n...", "<<: *x", "? [a]\n: b",
		"apiVersion: v1\nkind: Service\nmetadata: {name: 1, labels: [a]}\nspec: x", "a: 1e999\nb: .nan\nc: 0x7fffffffffffffffff", `{"a":1e999}`, `{"a":`,
		"apiVersion: v1\nkind: List\nitems: {a: b}", "a: " + strings.Repeat("x", 1<<16),
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		documents, problems := manifest.Read("fuzz", src)
		for _, p := range problems {
			if p.Msg == "" || p.Help == "" {
				t.Errorf("a problem says too little: %+v", p)
			}
		}
		for _, d := range documents {
			content, _ := d.Content()
			for _, o := range content.Objects {
				if line, _ := o.Place("spec.containers[0].name"); line < 1 {
					t.Errorf("%s stands on line %d", o.ID(), line)
				}
			}
		}
	})
}
