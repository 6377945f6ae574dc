package cluster

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/testapi"
)

// Of what a real API server holds in these tests.
const (
	realPods = 60
	realPage = 7
	planted  = "hunter2-planted-token" // in what nobody is to read
)

// TestRealServer reads a real API server with exactly the rights that are published.
func TestRealServer(t *testing.T) {
	s := testapi.Start(t, "--", "--etcd-compaction-interval", "1s")
	fill(t, s)
	token := reader(t, s)
	for _, c := range []struct {
		name string
		test func(t *testing.T, s *testapi.Server, token string)
	}{
		{"rights", realRights},
		{"outside the rights", realOutside},
		{"a kind forbidden", realForbidden},
		{"slow, busy and broken pages", realFaults},
		{"expired pages", realExpired},
		{"metrics", realMetrics},
		{"custom kinds", realCustom},
		{"secrets", realSecrets},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, s, token) })
	}
}

func published(t *testing.T, name string) []map[string]any {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("../../../../doc", name))
	if err != nil {
		t.Fatal(err)
	}
	return testapi.Objects(t, name, string(src))
}

// fill writes a small cluster, with secrets where nobody is to look.
func fill(t *testing.T, s *testapi.Server) {
	t.Helper()
	s.Apply(t, testapi.Objects(t, "cluster.yaml", `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/zone: a}}
status: {capacity: {cpu: "4", memory: 16Gi}, allocatable: {cpu: "4", memory: 15Gi}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: coredns, namespace: kube-system}
data: {Corefile: ".:53 {}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {token: `+planted+`}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 60
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "registry.example.com/web:1"}]}
`)...)
	var pods []map[string]any
	for i := range realPods {
		pods = append(pods, testapi.Objects(t, "pod.yaml", fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata:
  name: web-6d5f-%02d
  namespace: shop
  labels: {app: web, pod-template-hash: 6d5f}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-6d5f, uid: 0f0e, controller: true}]
spec: {nodeName: n1, containers: [{name: app, image: "registry.example.com/web:1"}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}], containerStatuses: [{name: app, image: i, imageID: i, restartCount: 2, ready: true}]}
`, i))...)
	}
	s.Apply(t, pods...)
}

// binding lets the account of the checks have a role.
func binding(name string) string {
	return `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ` + name + `}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ` + name + `}
subjects: [{kind: ServiceAccount, namespace: precedent, name: check}]
`
}

// reader makes an account with the published rights, takes from all accounts what
// Kubernetes gives them, and returns its token.
func reader(t *testing.T, s *testapi.Server) string {
	t.Helper()
	s.Apply(t, published(t, "cluster-rbac.yaml")...)
	s.Apply(t, testapi.Objects(t, "account.yaml", `
apiVersion: v1
kind: Namespace
metadata: {name: precedent}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: check, namespace: precedent}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: precedent-check, namespace: kube-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: precedent-check}
subjects: [{kind: ServiceAccount, namespace: precedent, name: check}]
---`+binding("precedent-check"))...)
	for _, name := range []string{"system:basic-user", "system:discovery", "system:public-info-viewer"} {
		s.Delete(t, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/"+name)
	}
	return s.Account(t, "precedent", "check")
}

// readReal reads the server, by way of a front where there is one, with the rights
// of a token.
func readReal(t *testing.T, s *testapi.Server, by *testapi.Front, token string, opt Options) *object.Snapshot {
	t.Helper()
	snap := object.NewSnapshot(time.Now())
	opt.Kubeconfig, opt.PageSize = s.KubeconfigOf(t, by, token), realPage
	if _, err := Read(t.Context(), snap, opt); err != nil {
		t.Fatal(err)
	}
	return snap
}

// settled reads until the rights that were just given are known to the server.
func settled(t *testing.T, s *testapi.Server, token string, opt Options) *object.Snapshot {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		if snap := readReal(t, s, nil, token, opt); len(snap.Gaps()) == 0 || time.Now().After(end) {
			return snap
		}
	}
}

// realRights reads everything, and sends nothing but lists.
func realRights(t *testing.T, s *testapi.Server, token string) {
	settled(t, s, token, Options{})
	front := s.Front(t)
	snap := readReal(t, s, front, token, Options{})
	if gaps := snap.Gaps(); len(gaps) > 0 {
		t.Errorf("not read with the published rights: %v", gaps)
	}
	if all, err := snap.Pods(); err != nil || len(all) != realPods {
		t.Errorf("%d pods, %v", len(all), err)
	}
	if err := snap.Whole("ConfigMap"); err == nil || !strings.Contains(err.Error(), object.OnlyCorefile) {
		t.Errorf("ConfigMaps: %v", err)
	}
	if all, err := snap.Objects(object.CorefileMap); err != nil || len(all) != 1 || all[0].Name != "coredns" {
		t.Errorf("ConfigMaps: %v, %v", all, err)
	}
	for _, l := range lists() {
		if err := snap.Whole(cmp.Or(l.part, l.kind)); err != nil && !l.count {
			t.Errorf("%v", err)
		}
	}
	for _, k := range customs() {
		if k.lacking != "" {
			continue
		}
		if all, err := snap.Objects(k.kind); err != nil || k.kind != "APIService" && len(all) > 0 {
			t.Errorf("%s, which the cluster does not have: %v, %v", k.kind, all, err)
		}
	}
	for _, one := range front.Seen() {
		if one.Method != http.MethodGet || one.Code != http.StatusOK || strings.Contains(one.Path, "secrets") {
			t.Errorf("%s %s was answered with %d", one.Method, one.Path, one.Code)
		}
	}
	if text := fmt.Sprint(front.Seen()); strings.Contains(text, token) {
		t.Error("the token stands in an address")
	}
}

// realOutside asks with the same token for what is not granted.
func realOutside(t *testing.T, s *testapi.Server, token string) {
	for _, ask := range [][2]string{
		{http.MethodGet, "/api/v1/secrets"},
		{http.MethodGet, "/api/v1/namespaces/shop/secrets/x"},
		{http.MethodGet, "/api/v1/configmaps"},
		{http.MethodGet, "/api/v1/namespaces/shop/configmaps/settings"},
		{http.MethodGet, "/api/v1/namespaces/shop/pods/web-6d5f-00"},
		{http.MethodGet, "/api/v1/namespaces/shop/pods/web-6d5f-00/log"},
		{http.MethodGet, "/api/v1/pods?watch=1"},
		{http.MethodGet, "/api/v1/nodes/n1/proxy/"},
		{http.MethodGet, "/openapi/v3"},
		{http.MethodPost, "/api/v1/namespaces/shop/pods"},
		{http.MethodDelete, "/api/v1/namespaces/shop/pods/web-6d5f-00"},
		{http.MethodPost, "/api/v1/namespaces/precedent/serviceaccounts/check/token"},
	} {
		if code := s.As(t, token, ask[0], ask[1]); code != http.StatusForbidden {
			t.Errorf("%s %s was answered with %d; want 403", ask[0], ask[1], code)
		}
	}
}

// realForbidden takes one right away: what it is for is not checked.
func realForbidden(t *testing.T, s *testapi.Server, token string) {
	role := published(t, "cluster-rbac.yaml")[0]
	narrow := object.Tree(role)
	for _, rule := range narrow.Trees("rules") {
		if names := rule.List("resources"); slices.Contains(names, any("pods")) {
			rule.(object.Tree)["resources"] = slices.DeleteFunc(slices.Clone(names), func(n any) bool { return n == "pods" })
		}
	}
	s.Apply(t, role)
	defer func() {
		s.Apply(t, published(t, "cluster-rbac.yaml")[0])
		settled(t, s, token, Options{})
	}()
	var snap *object.Snapshot
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if snap = readReal(t, s, nil, token, Options{}); len(snap.Gaps()) > 0 {
			break
		}
	}
	if gaps := snap.Gaps(); len(gaps) != 1 || gaps[0].Kind != "Pod" || !strings.Contains(gaps[0].Why, "forbidden") {
		t.Errorf("not read: %v; want the pods alone, as forbidden", gaps)
	}
	if err := snap.Whole("Deployment"); err != nil {
		t.Errorf("the Deployments: %v", err)
	}
}
