package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/openprecedent/precedent/internal/check/object"
)

// server answers as an API server does, from lists that fit into memory. It
// records every request.
type server struct {
	pods        []corev1.Pod
	deployments []appsv1.Deployment
	wrong       map[string]func(w http.ResponseWriter, r *http.Request) bool // by path: true where it has answered

	mu   sync.Mutex
	seen []string
}

// ServeHTTP implements [http.Handler].
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	if f := s.wrong[r.URL.Path]; f != nil && f(w, r) {
		return
	}
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	switch r.URL.Path {
	case "/version":
		fmt.Fprint(w, `{"gitVersion": "v1.36.3"}`)
	case "/apis":
		fmt.Fprint(w, `{"kind": "APIGroupList", "groups": [
			{"name": "networking.istio.io", "versions": [{"groupVersion": "networking.istio.io/v1beta1", "version": "v1beta1"}]},
			{"name": "gateway.networking.k8s.io", "versions": [{"groupVersion": "gateway.networking.k8s.io/v1"}, {"groupVersion": "gateway.networking.k8s.io/v1alpha2"}]},
			{"name": "traefik.io", "versions": [{"groupVersion": "traefik.io/v2", "version": "v2"}]},
			{"name": "batch", "versions": [{"groupVersion": "batch/v1beta1", "version": "v1beta1"}]}]}`)
	case "/apis/networking.istio.io/v1beta1/virtualservices":
		names := []string{"orders", "web"}
		l := map[string]any{"apiVersion": "networking.istio.io/v1beta1", "kind": "VirtualServiceList", "metadata": map[string]any{}}
		if from == 0 {
			l["metadata"] = map[string]any{"continue": "1"}
		}
		l["items"] = []any{map[string]any{
			"metadata": map[string]any{
				"name": names[from], "namespace": "shop", "managedFields": []any{},
				"annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": "planted-token", "kept": "yes"},
			},
			"spec": map[string]any{"http": []any{map[string]any{"retries": map[string]any{"attempts": 3}}}},
		}}
		_ = json.NewEncoder(w).Encode(l)
	case "/apis/gateway.networking.k8s.io/v1alpha2/tcproutes": // not in v1
		fmt.Fprint(w, `{"kind": "TCPRouteList", "apiVersion": "gateway.networking.k8s.io/v1alpha2", "metadata": {}, "items": [{"metadata": {"name": "db"}}]}`)
	case "/api/v1/pods":
		end := min(from+limit, len(s.pods))
		l := &corev1.PodList{Items: s.pods[from:end], ListMeta: next(end, len(s.pods))}
		write(w, l)
	case "/apis/apps/v1/deployments":
		end := min(from+limit, len(s.deployments))
		write(w, &appsv1.DeploymentList{Items: s.deployments[from:end], ListMeta: next(end, len(s.deployments))})
	case "/api/v1/events":
		left := int64(100_000)
		write(w, &corev1.EventList{Items: make([]corev1.Event, 1), ListMeta: metav1.ListMeta{Continue: "1", RemainingItemCount: &left}})
	case "/apis/policy/v1/poddisruptionbudgets":
		http.NotFound(w, r)
	default:
		if strings.HasPrefix(r.URL.Path, "/apis/networking.istio.io/") || strings.HasPrefix(r.URL.Path, "/apis/gateway") {
			http.NotFound(w, r) // the group has no such kind
			return
		}
		write(w, &corev1.NodeList{}) // an empty list of any type reads the same
	}
}

func next(end, all int) metav1.ListMeta {
	if end == all {
		return metav1.ListMeta{}
	}
	return metav1.ListMeta{Continue: strconv.Itoa(end)}
}

func write(w http.ResponseWriter, l interface{ Marshal() ([]byte, error) }) {
	raw, err := l.Marshal()
	if err != nil {
		panic(err)
	}
	body, err := (&runtime.Unknown{TypeMeta: runtime.TypeMeta{Kind: "List"}, Raw: raw, ContentType: protobuf}).Marshal()
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", protobuf)
	_, _ = w.Write(append(envelope[:4:4], body...))
}

// kubeconfig writes one for a server.
func kubeconfig(t *testing.T, address string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: %q}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
users: [{name: u, user: {}}]
current-context: x
`, address)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func populated() *server {
	s := &server{wrong: map[string]func(http.ResponseWriter, *http.Request) bool{}}
	yes := true
	for i := range 7 {
		s.pods = append(s.pods, corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprint("web-6d5f-", i), Namespace: "shop", Labels: map[string]string{"pod-template-hash": "6d5f"},
				OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web-6d5f", Controller: &yes}},
			},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
				Name: "app", RestartCount: 3,
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled"}},
			}}},
		})
	}
	s.pods = append(s.pods, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "alone", Namespace: "shop"}})
	replicas := int32(7)
	s.deployments = []appsv1.Deployment{{
		ObjectMeta: metav1.ObjectMeta{
			Name: "web", Namespace: "shop", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl"}},
			Annotations: map[string]string{"kubectl.kubernetes.io/last-applied-configuration": "planted-token"},
		},
		Spec: appsv1.DeploymentSpec{Replicas: &replicas, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "web:1"}}}}},
	}}
	return s
}

func read(t *testing.T, s *server, wait time.Duration) (*object.Snapshot, *Report, error) {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	snap := object.NewSnapshot(time.Now())
	report, err := Read(t.Context(), snap, Options{Kubeconfig: kubeconfig(t, h.URL), PageSize: 3, Wait: wait})
	return snap, report, err
}

// TestRead reads pages, joins pods to their workload, and leaves alone what it is
// not to read.
func TestRead(t *testing.T) {
	s := populated()
	snap, report, err := read(t, s, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if report.Version != "v1.36.3" {
		t.Errorf("the version is %q", report.Version)
	}
	webs, err := snap.WorkloadsOf("Deployment")
	if err != nil || len(webs) != 1 {
		t.Fatalf("Deployments: %d, %v", len(webs), err)
	}
	if pods, err := webs[0].Pods(); err != nil || len(pods) != 7 || pods[0].Containers[0].Last != "OOMKilled" {
		t.Errorf("pods of web: %d, %v", len(pods), err)
	}
	if alone, err := snap.WorkloadsOf("Pod"); err != nil || len(alone) != 1 || alone[0].Name != "alone" {
		t.Errorf("pods without an owner: %v, %v", alone, err)
	}
	if webs[0].Replicas != 7 || webs[0].Containers[0].Pull != "IfNotPresent" {
		t.Errorf("web: replicas %d, pull %s", webs[0].Replicas, webs[0].Containers[0].Pull)
	}
	if f := webs[0].Fields; f.At("kind") != "Deployment" || f.At("apiVersion") != "apps/v1" {
		t.Errorf("a Deployment is a %v of %v", f.At("kind"), f.At("apiVersion"))
	}
	if text := fmt.Sprint(webs[0].Fields); strings.Contains(text, "planted-token") || strings.Contains(text, "kubectl") {
		t.Errorf("kept what is to be left: %s", text)
	}
	if n, err := snap.Total("Event"); err != nil || n != 100_001 {
		t.Errorf("events: %d, %v", n, err)
	}
	if err := snap.Whole("PodDisruptionBudget"); err != nil {
		t.Errorf("a kind that the server does not have: %v", err)
	}
	routes, err := snap.Objects("VirtualService")
	if err != nil || len(routes) != 2 || routes[1].ID() != "VirtualService shop/web" || routes[1].APIVersion != "networking.istio.io/v1beta1" {
		t.Errorf("routes of the mesh: %v, %v", routes, err)
	} else if text := fmt.Sprint(routes[0].Fields); strings.Contains(text, "planted-token") || strings.Contains(text, "managedFields") || !strings.Contains(text, "kept:yes") {
		t.Errorf("of a route was kept %s", text)
	} else if n, ok := routes[0].Fields.Trees("spec", "http")[0].At("retries", "attempts").(int64); !ok || n != 3 {
		t.Errorf("the tries are %v", routes[0].Fields.Trees("spec", "http")[0].At("retries", "attempts"))
	}
	for _, kind := range []string{"DestinationRule", "HTTPRoute", "BGPPeer"} {
		if all, err := snap.Objects(kind); err != nil || len(all) > 0 {
			t.Errorf("%s, which the cluster does not have: %v, %v", kind, all, err)
		}
	}
	if all, err := snap.Objects("TCPRoute"); err != nil || len(all) != 1 || all[0].APIVersion != "gateway.networking.k8s.io/v1alpha2" {
		t.Errorf("what is in the older of two versions: %v, %v", all, err)
	}
	for kind, want := range map[string]string{"IngressRoute": "has traefik.io/v2", "CronJob": "has batch/v1beta1, and batch/v1 is read"} {
		if err := snap.Whole(kind); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, which the cluster has in another version: %v; want %q", kind, err, want)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.seen {
		if !strings.HasPrefix(one, "GET ") || strings.Contains(one, "secrets") {
			t.Errorf("sent %s", one)
		}
	}
}

// TestNoFalseAllClear gives answers that are none: what they were to hold is not
// checked.
func TestNoFalseAllClear(t *testing.T) {
	const pods = "/api/v1/pods"
	status := func(code int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("continue") == "" && code != http.StatusForbidden {
				return false // the first page is well
			}
			w.WriteHeader(code)
			fmt.Fprint(w, `{"message": "no"}`)
			return true
		}
	}
	for _, c := range []struct {
		name  string
		wrong func(http.ResponseWriter, *http.Request) bool
		want  string
	}{
		{"forbidden", status(http.StatusForbidden), "forbidden"},
		{"broken on the second page", status(http.StatusInternalServerError), "answered 500: no"},
		{"gone on the second page", status(http.StatusNotFound), "no longer knew them"},
		{"always expired", status(http.StatusGone), "answered 410"},
		{"no protobuf", func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, "{}"); return true }, "not in protobuf"},
		{"torn", func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte("k8s\x00\xff\xff\xff"))
			return true
		}, "reading a page"},
		{"empty", func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write(envelope); return true }, "no list"},
		{"stalls", func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }, "not answered within"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := populated()
			s.wrong[pods] = c.wrong
			snap, _, err := read(t, s, 300*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if err := snap.Whole("Pod"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the pods: %v; want %q", err, c.want)
			}
			if err := snap.Whole("Deployment"); err != nil {
				t.Errorf("the Deployments, which are well: %v", err)
			}
		})
	}
}

// TestUnknownGroups does not take kinds for absent where the cluster does not tell
// whether it has them.
func TestUnknownGroups(t *testing.T) {
	for name, wrong := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"forbidden": func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusForbidden); return true },
		"empty":     func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, "{}"); return true },
		"torn":      func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, `{"groups": [`); return true },
	} {
		s := populated()
		s.wrong["/apis"] = wrong
		snap, _, err := read(t, s, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if err := snap.Whole("VirtualService"); err == nil || !strings.Contains(err.Error(), "does not tell") {
			t.Errorf("%s: the routes of the mesh: %v", name, err)
		}
	}
}

// TestPatience asks again where the server was busy or the pages had expired.
func TestPatience(t *testing.T) {
	for _, code := range []int{http.StatusTooManyRequests, http.StatusGone} {
		s := populated()
		failed := false
		s.wrong["/api/v1/pods"] = func(w http.ResponseWriter, r *http.Request) bool {
			if failed || r.URL.Query().Get("continue") == "" {
				return false
			}
			failed = true
			w.WriteHeader(code)
			return true
		}
		snap, _, err := read(t, s, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if all, err := snap.Pods(); err != nil || len(all) != 8 {
			t.Errorf("after %d: %d pods, %v", code, len(all), err)
		}
	}
}

// TestReadOnly refuses every verb but GET, whoever asks.
func TestReadOnly(t *testing.T) {
	reached := false
	h := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer h.Close()
	config, err := configOf(Options{Kubeconfig: kubeconfig(t, h.URL)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(config, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "CONNECT"} {
		req, err := http.NewRequest(method, h.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := c.http.Do(req); err == nil {
			resp.Body.Close()
			t.Errorf("%s was sent", method)
		}
	}
	if reached {
		t.Error("a request reached the server")
	}
}

// TestNotReached tells a cluster that is not there from one without objects.
func TestNotReached(t *testing.T) {
	h := httptest.NewServer(http.NotFoundHandler())
	h.Close()
	snap := object.NewSnapshot(time.Now())
	if _, err := Read(t.Context(), snap, Options{Kubeconfig: kubeconfig(t, h.URL)}); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("a closed server: %v", err)
	}
	if _, err := Read(t.Context(), snap, Options{Kubeconfig: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no kubeconfig: %v", err)
	}
}
