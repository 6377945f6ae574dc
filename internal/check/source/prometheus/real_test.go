package prometheus_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/source/prometheus"
)

// TestRealServer asks a Prometheus that has scraped what kubelets and cAdvisor expose,
// as Debian's package has it.
func TestRealServer(t *testing.T) {
	program, err := exec.LookPath("prometheus")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("prometheus is missing; install Debian's package prometheus")
		}
		t.Skip("prometheus is missing; install Debian's package prometheus")
	}
	kubelet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `# TYPE container_memory_working_set_bytes gauge
container_memory_working_set_bytes{container="consul",namespace="infra",pod="consul-a",image="consul"} 4.9e+08
container_memory_working_set_bytes{container="",namespace="infra",pod="consul-a"} 9e+09
container_memory_working_set_bytes{container="POD",namespace="infra",pod="consul-a"} 8e+09
# TYPE kubelet_volume_stats_used_bytes gauge
kubelet_volume_stats_used_bytes{namespace="shop",persistentvolumeclaim="data-cache-0"} 9.1e+08
# TYPE kubelet_volume_stats_capacity_bytes gauge
kubelet_volume_stats_capacity_bytes{namespace="shop",persistentvolumeclaim="data-cache-0"} 1e+09
`)
	}))
	t.Cleanup(kubelet.Close)
	address := start(t, program, strings.TrimPrefix(kubelet.URL, "http://"))
	var snap *object.Snapshot
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		if snap, err = read(t, prometheus.Options{Address: address}); err == nil && snap.Whole(object.PrometheusMemory) == nil && snap.Whole(object.PrometheusVolume) == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after a minute: %v, %v, %v", err, snap.Whole(object.PrometheusMemory), snap.Whole(object.PrometheusVolume))
		}
	}
	if all, _ := snap.Objects(object.PrometheusVolume); len(all) != 1 || all[0].Fields.At("share") != 0.91 {
		t.Errorf("volumes: %v", all)
	}
	snap.Read("Pod")
	snap.Add(
		&object.Object{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: "infra", Name: "consul", Fields: object.Tree{
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "consul"}}}}},
		}})
	snap.AddPods(object.Pod{Namespace: "infra", Name: "consul-a", Owner: "DaemonSet/consul", Phase: "Running"})
	w, _ := snap.Workload("DaemonSet", "infra", "consul")
	if n, err := w.MemoryUsed(w.Containers[0]); err != nil || n != 4.9e8 {
		t.Errorf("the container uses %v, %v", n, err)
	}
}

// start runs a Prometheus that scrapes one target, and returns its address.
func start(t *testing.T, program, target string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := "global: {scrape_interval: 1s}\nscrape_configs: [{job_name: kubelet, honor_labels: true, static_configs: [{targets: ['" + target + "']}]}]\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address, "--log.level=error")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	return "http://" + address
}
