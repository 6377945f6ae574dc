package cluster

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/testapi"
)

// realCustom defines the kinds that only some clusters have, in one of the versions
// each that are read, and reads them.
func realCustom(t *testing.T, s *testapi.Server, token string) {
	for _, k := range customs() {
		group, version, _ := strings.Cut(k.versions[len(k.versions)-1], "/")
		if group == "apiregistration.k8s.io" || k.lacking != "" {
			continue
		}
		s.Apply(t, testapi.Objects(t, "definition.yaml", fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.%[1]s, annotations: {api-approved.kubernetes.io: unapproved}}
spec:
  group: %[1]s
  scope: Namespaced
  names: {kind: %[3]s, plural: %[2]s, singular: %[4]s}
  versions:
    - name: %[5]s
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`, group, k.resource, k.kind, strings.ToLower(k.kind), version))...)
		for i := range realPage + 1 { // a page, and one more
			s.Apply(t, testapi.Objects(t, "custom.yaml", fmt.Sprintf(`
apiVersion: %s/%s
kind: %s
metadata: {name: c%d, namespace: shop}
spec: {number: 3, share: 0.5}
`, group, version, k.kind, i))...)
		}
	}
	snap := settled(t, s, token, Options{})
	for _, k := range customs() {
		if k.lacking != "" {
			continue // see realMetrics
		}
		all, err := snap.Objects(k.kind)
		if err != nil && !k.count {
			t.Errorf("%v", err)
		}
		if k.kind == "APIService" {
			continue
		}
		if k.count {
			if n, err := snap.Total(k.kind); n != realPage+1 {
				t.Errorf("%s: %d are counted, %v", k.kind, n, err)
			}
			continue
		}
		if len(all) != realPage+1 {
			t.Errorf("%s: %d objects", k.kind, len(all))
			continue
		}
		o := all[0]
		if o.ID() != k.kind+" shop/c0" || o.Fields.At("spec", "number") != int64(3) || o.Fields.At("spec", "share") != 0.5 {
			t.Errorf("%s is %v", o.ID(), o.Fields)
		}
	}
}

// realSecrets lists Secrets where certificates are asked for, and looks for their
// keys in the heap of the process that did.
func realSecrets(t *testing.T, s *testapi.Server, token string) {
	certificate, key := certificate(t)
	plantSecrets(t, s, certificate, key)
	snap := readReal(t, s, nil, token, Options{Certificates: true})
	if err := snap.Whole("Secret"); err == nil || !strings.Contains(err.Error(), "forbidden") {
		t.Errorf("without the right: %v", err)
	}
	s.Apply(t, published(t, "cluster-rbac-certificates.yaml")...)
	s.Apply(t, testapi.Objects(t, "binding.yaml", binding("precedent-check-certificates"))...)
	snap = settled(t, s, token, Options{Certificates: true})
	all, err := snap.Objects("Secret")
	if err != nil || len(all) != 20 {
		t.Fatalf("%d Secrets, %v", len(all), err)
	}
	for _, o := range all {
		if held := object.Certificates(o.Fields.Text("data", "tls.crt")); len(held) != 1 || held[0].Name != "shop.example.com" {
			t.Errorf("the certificates of %s are %v", o.ID(), held)
		}
	}
	if text := fmt.Sprint(all[0].Fields, snap.Gaps()); strings.Contains(text, planted) || strings.Contains(text, "PRIVATE") {
		t.Errorf("kept %s", text)
	}
	seen := heapAfter(t, s, token, key)
	if seen.certificate == 0 {
		t.Error("the certificate is not found in the heap either; is it looked for in the right way?")
	}
	if seen.secret > 0 {
		t.Errorf("the keys are found in the heap %d times", seen.secret)
	}
}

// plantSecrets writes Secrets of which everything but the certificate is secret.
func plantSecrets(t *testing.T, s *testapi.Server, certificate, key []byte) {
	t.Helper()
	encode := base64.StdEncoding.EncodeToString
	for i := range 20 {
		s.Apply(t, map[string]any{
			"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls",
			"metadata": map[string]any{"name": fmt.Sprintf("tls-%d", i), "namespace": "shop", "annotations": map[string]any{
				"kubectl.kubernetes.io/last-applied-configuration": `{"data": {"tls.key": "` + encode(key) + `"}, "stringData": {"t": "` + planted + `"}}`,
			}},
			"data": map[string]any{
				"tls.crt": encode(append(certificate[:len(certificate):len(certificate)], key...)), "tls.key": encode(key), "more": encode([]byte(planted)),
			},
		})
	}
	s.Apply(t, map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": map[string]any{"name": "opaque", "namespace": "shop"},
		"data": map[string]any{"token": encode([]byte(planted))},
	})
}

// certificate makes a certificate and a key that has the planted text in it.
func certificate(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "shop.example.com"}, NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	key = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte(planted + strings.Repeat("k", 200))})
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), key
}

// found is how often something stands in the heap of a process.
type found struct{ secret, certificate int }

// childEnv names the kubeconfig that this test binary is to read when it is run as
// a process of its own, which has never seen the planted text, and dumpEnv where it
// is to write its heap then.
const (
	childEnv = "PRECEDENT_TEST_CHILD"
	dumpEnv  = "PRECEDENT_TEST_DUMP"
)

// heapAfter reads the cluster in a process of its own and looks through its heap, as
// the runtime dumps it.
func heapAfter(t *testing.T, s *testapi.Server, token string, key []byte) found {
	t.Helper()
	dump := filepath.Join(t.TempDir(), "heap")
	command := exec.Command(os.Args[0], "-test.run=^TestChild$")
	command.Env = append(os.Environ(), childEnv+"="+s.KubeconfigOf(t, nil, token), dumpEnv+"="+dump)
	if out, err := command.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "read 20 ") {
		t.Fatalf("the process that reads says %q, %v", out, err)
	}
	memory, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	var n found
	encode := base64.StdEncoding.EncodeToString
	for _, text := range []string{planted, string(key[30:90]), encode(key)[40:120], encode([]byte(planted))} {
		n.secret += bytes.Count(memory, []byte(text))
	}
	n.certificate = bytes.Count(memory, []byte(encode([]byte("-----BEGIN CERTIFICATE-----"))))
	return n
}

// TestChild reads a cluster and dumps its heap.
func TestChild(t *testing.T) {
	kubeconfig := os.Getenv(childEnv)
	if kubeconfig == "" {
		t.Skip("run by another test, in a process of its own")
	}
	snap := object.NewSnapshot(time.Now())
	if _, err := Read(t.Context(), snap, Options{Kubeconfig: kubeconfig, PageSize: realPage, Certificates: true}); err != nil {
		t.Fatal(err)
	}
	dump, err := os.Create(os.Getenv(dumpEnv))
	if err != nil {
		t.Fatal(err)
	}
	debug.WriteHeapDump(dump.Fd())
	if err := dump.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := snap.Objects("Secret")
	held := 0
	for _, o := range all {
		held += len(object.Certificates(o.Fields.Text("data", "tls.crt")))
	}
	fmt.Printf("read %d Secrets with %d certificates, %v\n", len(all), held, err)
}
