package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/testapi"
)

// secret is planted where nobody is to repeat it.
const secret = "hunter2-planted-token"

// shopRuns is what a cluster makes of the shop, and what only a cluster has.
const shopRuns = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: virtualservices.networking.istio.io}
spec:
  group: networking.istio.io
  scope: Namespaced
  names: {kind: VirtualService, plural: virtualservices, singular: virtualservice}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: precedent}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: check, namespace: precedent}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: precedent-check}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: precedent-check}
subjects: [{kind: ServiceAccount, namespace: precedent, name: check}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: precedent-check, namespace: kube-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: precedent-check}
subjects: [{kind: ServiceAccount, namespace: precedent, name: check}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints: [{addresses: [10.1.0.1], conditions: {ready: true}}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: orders-1, namespace: shop, labels: {kubernetes.io/service-name: orders}}
addressType: IPv4
endpoints: [{addresses: [10.1.0.2], conditions: {ready: true}}]
---
apiVersion: v1
kind: Secret
metadata: {name: opaque, namespace: shop}
stringData: {token: ` + secret + `}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {token: ` + secret + `}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: admin, namespace: shop, annotations: {note: ` + secret + `}}
spec:
  selector: {matchLabels: {app: admin}}
  template:
    metadata: {labels: {app: admin}}
    spec:
      containers:
        - {name: admin, image: "registry.example.com/shop/admin:1", env: [{name: TOKEN, value: ` + secret + `}, {name: DB_URL, value: "mysql://u:` + secret + `@db/shop"}]}
`

// TestLive checks the shop as it runs in a real API server, with the rights that
// are published.
func TestLive(t *testing.T) {
	s := testapi.Start(t)
	applyFiles(t, s, "../../doc/cluster-rbac.yaml")
	s.Apply(t, testapi.Objects(t, "runs.yaml", shopRuns)...)
	files, err := filepath.Glob("../../testdata/shop/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	// The webhook of the shop must answer for all that is written, and does not: so
	// it is the last that can be.
	slices.SortFunc(files, func(a, b string) int {
		return strings.Compare(strings.Replace(a, "platform", "~", 1), strings.Replace(b, "platform", "~", 1))
	})
	applyFiles(t, s, files...)
	live := &liveShop{s, s.Account(t, "precedent", "check")}
	for _, c := range []struct {
		name string
		test func(t *testing.T, live *liveShop)
	}{
		{"findings", liveFindings}, {"formats", liveFormats}, {"exit codes", liveCodes}, {"in the cluster", liveInside}, {"stall", liveStall},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, live) })
	}
}

type liveShop struct {
	*testapi.Server
	token string
}

// check runs precedent check, by way of a front where there is one, and returns the
// exit code and both outputs.
func (l *liveShop) check(t *testing.T, by *testapi.Front, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	args = append([]string{"check", "--cluster", "--kubeconfig", l.KubeconfigOf(t, by, l.token)}, args...)
	code = run(t.Context(), &process{args: args, env: os.Getenv, in: strings.NewReader(""), out: &o, err: &e})
	return code, o.String(), e.String()
}

func applyFiles(t *testing.T, s *testapi.Server, names ...string) {
	t.Helper()
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all := testapi.Objects(t, name, string(src))
		slices.SortStableFunc(all, func(a, b map[string]any) int { return strings.Compare(a["kind"].(string), b["kind"].(string)) })
		s.Apply(t, all...)
	}
}

// answerOf reads an answer in JSON.
func answerOf(t *testing.T, text string) *app.CheckAnswer {
	t.Helper()
	answer := &app.CheckAnswer{}
	if err := json.Unmarshal([]byte(text), answer); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return answer
}

// prints returns the findings of an answer by their fingerprints.
func prints(answer *app.CheckAnswer) map[string]string {
	all := map[string]string{}
	for _, f := range answer.Findings {
		all[f.Fingerprint] = f.Check + " " + f.Object.ID()
	}
	return all
}

// liveFindings finds the same in the cluster as in the files.
func liveFindings(t *testing.T, live *liveShop) {
	var out, errs bytes.Buffer
	args := []string{"check", "../../testdata/shop", "--json"}
	if code := run(t.Context(), &process{args: args, env: os.Getenv, in: &out, out: &out, err: &errs}); code != exitFindings {
		t.Fatalf("code %d, %s", code, errs.String())
	}
	want := prints(answerOf(t, out.String()))
	code, text, errors := live.check(t, nil, "--json", "../../testdata/shop/rds-proxy-targets.json")
	if code != exitFindings {
		t.Fatalf("code %d, %s", code, errors)
	}
	answer := answerOf(t, text)
	if answer.Incomplete || len(answer.Gaps) > 0 {
		t.Errorf("not read: %v, not checked: %v", answer.Gaps, answer.NotChecked)
	}
	got := prints(answer)
	if !maps.Equal(got, want) {
		t.Errorf("found live %v\nin the files %v", slices.Sorted(maps.Values(got)), slices.Sorted(maps.Values(want)))
	}
	for _, f := range answer.Findings {
		if f.Check == "CK-119" && f.Object.Name == "recommend" && f.Outcome != rule.InState {
			t.Errorf("%s of recommend is %s; the cluster knows that it has no endpoint", f.Check, f.Outcome)
		}
	}
}

// liveFormats repeats no secret in any format.
func liveFormats(t *testing.T, live *liveShop) {
	for _, format := range checkFormats {
		code, out, errs := live.check(t, nil, "--format", format, "--certificates")
		if code != exitFindings || len(out) < 1000 {
			t.Errorf("%s: code %d, %d bytes, %s", format, code, len(out), errs)
		}
		if strings.Contains(out+errs, secret) || strings.Contains(out+errs, live.token) {
			t.Errorf("%s repeats a secret", format)
		}
		if !strings.Contains(out, "Secret") {
			t.Errorf("%s does not say that the Secrets were not read", format)
		}
	}
}

// liveCodes tells an answer that is whole from one that is not.
func liveCodes(t *testing.T, live *liveShop) {
	if code, _, errs := live.check(t, nil, "--fail-on", "none"); code != exitOK {
		t.Errorf("with all rights: code %d, %s", code, errs)
	}
	if code, out, _ := live.check(t, nil, "--fail-on", "none", "--certificates"); code != exitIncomplete || !strings.Contains(out, "forbidden") {
		t.Errorf("without the right to Secrets: code %d, %s", code, out)
	}
	front := live.Front(t)
	front.Wrong = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/pods") {
			return false
		}
		<-r.Context().Done()
		return true
	}
	code, out, _ := live.check(t, front, "--fail-on", "none", "--page-timeout", "300ms")
	if code != exitIncomplete || !strings.Contains(out, "was not answered within 300ms") {
		t.Errorf("with pods that never come: code %d, %s", code, out)
	}
	wrong := *live
	wrong.token = "nobody"
	if code, out, errs := wrong.check(t, nil, "--fail-on", "none"); code != exitError || strings.Contains(out+errs, "nobody") {
		t.Errorf("with a wrong token: code %d, %s %s", code, out, errs)
	}
}

// liveStall lets a page take as long as the command is patient by itself.
func liveStall(t *testing.T, live *liveShop) {
	if testing.Short() {
		t.Skip("takes half a minute; run the tests without -short")
	}
	front := live.Front(t)
	stalled := make(chan bool, 1)
	stalled <- true
	front.Wrong = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/services") {
			select {
			case <-stalled:
				<-r.Context().Done()
			default:
			}
		}
		return false
	}
	begin := time.Now()
	code, out, errs := live.check(t, front, "--json", "../../testdata/shop/rds-proxy-targets.json")
	if took := time.Since(begin); took < 30*time.Second {
		t.Errorf("took %v; was the stall reached?", took)
	}
	answer := answerOf(t, out)
	if code != exitFindings || len(answer.Gaps) > 0 || !slices.Contains(slices.Collect(maps.Values(prints(answer))), "CK-119 Service shop/recommend") {
		t.Errorf("code %d, gaps %v, %s", code, answer.Gaps, errs)
	}
}

// liveInside runs the command as a pod would run it, with the account's token where
// Kubernetes puts it. The place is fixed, so it is made in a file system of its own.
func liveInside(t *testing.T, live *liveShop) {
	program, err := exec.LookPath("precedent")
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(live.Address)
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(address.Host)
	if err != nil {
		t.Fatal(err)
	}
	const script = `set -e
mount -t tmpfs none /run
mkdir -p /var/run/secrets/kubernetes.io/serviceaccount
cd /var/run/secrets/kubernetes.io/serviceaccount
printf %s "$TOKEN" >token
cat <&3 >ca.crt
unset TOKEN
exec "$PROGRAM" check --cluster --json --fail-on none`
	authority, err := os.Open(live.Authority)
	if err != nil {
		t.Fatal(err)
	}
	defer authority.Close()
	command := exec.Command("unshare", "--mount", "--map-root-user", "sh", "-c", script)
	command.ExtraFiles = []*os.File{authority}
	command.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PROGRAM=" + program, "TOKEN=" + live.token,
		"KUBERNETES_SERVICE_HOST=" + host, "KUBERNETES_SERVICE_PORT=" + port,
	}
	var errs bytes.Buffer
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil && strings.Contains(errs.String(), "unshare") {
		t.Skipf("this system gives no file system of one's own: %s", errs.String())
	}
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	if answer := answerOf(t, string(out)); answer.Incomplete || answer.Objects < 20 {
		t.Errorf("read %d objects, gaps %v", answer.Objects, answer.Gaps)
	}
}
