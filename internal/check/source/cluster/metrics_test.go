package cluster

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/testapi"
)

// apiService registers a server for metrics.k8s.io, as metrics-server does.
func apiService(service string, port string) string {
	return `
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  group: metrics.k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {namespace: kube-system, name: ` + service + `, port: ` + port + `}
`
}

// metricsServer answers as metrics-server does: lists that take no account of pages.
func metricsServer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	const version = `"apiVersion": "metrics.k8s.io/v1beta1"`
	switch r.URL.Path {
	case "/apis/metrics.k8s.io/v1beta1":
		fmt.Fprint(w, `{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "metrics.k8s.io/v1beta1", "resources": [
			{"name": "nodes", "singularName": "", "namespaced": false, "kind": "NodeMetrics", "verbs": ["get", "list"]},
			{"name": "pods", "singularName": "", "namespaced": true, "kind": "PodMetrics", "verbs": ["get", "list"]}]}`)
	case "/apis/metrics.k8s.io/v1beta1/nodes":
		fmt.Fprint(w, `{"kind": "NodeMetricsList", `+version+`, "metadata": {}, "items": [
			{"metadata": {"name": "n1"}, "timestamp": "2026-01-01T00:00:00Z", "window": "20s", "usage": {"cpu": "156340n", "memory": "14Gi"}}]}`)
	case "/apis/metrics.k8s.io/v1beta1/pods":
		var items []string
		for i := range realPods {
			items = append(items, fmt.Sprintf(`{"metadata": {"name": "web-6d5f-%02d", "namespace": "shop", "labels": {"app": "web"}}, "timestamp": "2026-01-01T00:00:00Z",
				"window": "15s", "containers": [{"name": "app", "usage": {"cpu": "1n", "memory": "%dMi"}}]}`, i, 100+i))
		}
		fmt.Fprint(w, `{"kind": "PodMetricsList", `+version+`, "metadata": {}, "items": [`+strings.Join(items, ",")+`]}`)
	default:
		http.NotFound(w, r)
	}
}

// realMetrics reads what is used by way of a real API server: where nothing serves it,
// where what should does not answer, and where it does.
func realMetrics(t *testing.T, s *testapi.Server, token string) {
	snap := settled(t, s, token, Options{})
	u, ok := snap.Whole(object.PodMetrics).(*object.Unread)
	if !ok || u.Tried || u.Why != object.MetricsServer {
		t.Errorf("without a server: %v", u)
	}
	s.Apply(t, testapi.Objects(t, "service.yaml", apiService("nowhere", "443"))...)
	defer s.Delete(t, "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io")
	until(t, "a server that does not answer is told", func() bool {
		u, ok := readReal(t, s, nil, token, Options{}).Whole(object.PodMetrics).(*object.Unread)
		return ok && u.Tried && strings.Contains(u.Why, "503")
	})

	served := httptest.NewTLSServer(http.HandlerFunc(metricsServer))
	t.Cleanup(served.Close)
	_, port, err := net.SplitHostPort(served.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(t, testapi.Objects(t, "service.yaml", `
apiVersion: v1
kind: Service
metadata: {name: metrics, namespace: kube-system}
spec: {type: ExternalName, externalName: localhost}
---`+apiService("metrics", port))...)
	until(t, "figures are read", func() bool {
		snap = readReal(t, s, nil, token, Options{})
		return snap.Whole(object.PodMetrics) == nil && snap.Whole(object.NodeMetrics) == nil
	})
	w, _ := snap.Workload("Deployment", "shop", "web")
	if n, err := w.MemoryUsed(w.Containers[0]); err != nil || n != (100+realPods-1)<<20 {
		t.Errorf("the container uses %v, %v", n, err)
	}
	if n, err := snap.Node("n1").MemoryUsed(); err != nil || n != 14<<30 {
		t.Errorf("on the node are used %v, %v", n, err)
	}
}

// until waits until something is so.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !is(); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not after a minute: %s", what)
		}
	}
}
