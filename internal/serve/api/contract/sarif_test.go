package contract

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/output"
)

// faulty are pods that were killed for lack of memory and wait to be started.
const faulty = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ingest, namespace: shop}
spec: {replicas: 1, template: {spec: {containers: [{name: app, image: "registry.example.com/ingest:1"}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: ingest-a, namespace: shop, ownerReferences: [{kind: Deployment, name: ingest, controller: true}]}
status:
  containerStatuses: [{name: app, restartCount: 7, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: OOMKilled}}}]
`

// TestSARIF holds findings, muted ones and gaps, as SARIF, to its schema.
func TestSARIF(t *testing.T) {
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS("../../../../corpus")})
	if lib == nil {
		t.Fatal(problems)
	}
	a := app.New(lib)
	snap := object.NewSnapshot(time.Now())
	documents, _ := manifest.Read("a folder/shop.yaml", []byte(faulty))
	for _, d := range documents {
		c, _ := d.Content()
		c.AddTo(snap)
	}
	snap.ReadWritten()
	snap.Missed("Node", "forbidden")
	for _, muted := range []bool{false, true} {
		answer, err := a.Check(t.Context(), snap, app.CheckQuery{})
		if err != nil || len(answer.Findings) == 0 {
			t.Fatalf("%d findings, %v", len(answer.Findings), err)
		}
		if muted {
			answer.Known(answer)
		}
		var b bytes.Buffer
		if err := output.SARIF(&b, answer, "v1.2.3", bilingual.Korean); err != nil {
			t.Fatal(err)
		}
		report, err := sarif.FromBytes(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := report.Validate(); err != nil {
			t.Error(err)
		}
		if got := len(report.Runs[0].Results); got != len(answer.Findings) {
			t.Errorf("%d results of %d findings", got, len(answer.Findings))
		}
	}
}
