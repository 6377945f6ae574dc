// Package testapi starts a real kube-apiserver for tests and writes objects to it.
// The program is that of dev/apiserver; where it is missing, tests are skipped on
// the machine of a developer, and fail in CI.
package testapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// program is the environment variable that names the program.
const program = "PRECEDENT_KUBE_APISERVER"

// Server is an API server with an administrator.
type Server struct {
	Kubeconfig string // of the administrator
	Address    string // such as https://127.0.0.1:34567
	Authority  string // file of the certificate that signs that of the server

	http *http.Client
}

// Start starts an API server, with further arguments of dev/apiserver, and stops it
// at the end of the test.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	name := os.Getenv(program)
	if name == "" {
		const how = program + " names no API server; run dev/kube-apiserver and set it to the path that it prints"
		if os.Getenv("CI") == "true" {
			t.Fatal(how)
		}
		t.Skip(how)
	}
	data := t.TempDir()
	command := exec.Command(name, append([]string{"-data", data, "-stdin"}, args...)...)
	log, err := os.Create(filepath.Join(data, "log"))
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = log
	in, err := command.StdinPipe() // it stops when this is closed, also by the end of a killed test
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatalf("starting the API server: %v", err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait()
		_ = log.Close()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("starting the API server: %v\n%s", err, text[max(0, len(text)-2000):])
	}
	return connect(t, strings.TrimSpace(line))
}

func connect(t testing.TB, kubeconfig string) *Server {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	h, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	return &Server{Kubeconfig: kubeconfig, Address: config.Host, Authority: config.CAFile, http: h}
}

// Do sends a request of the administrator and returns the answer.
func (s *Server) Do(ctx context.Context, method, path, contentType string, body []byte) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.Address+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := s.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// Apply writes objects, as kubectl apply --server-side does, and what stands in
// their status. An object is its fields as JSON has them.
func (s *Server) Apply(t testing.TB, objects ...map[string]any) {
	t.Helper()
	for _, o := range objects {
		path, err := pathOf(o)
		if err != nil {
			t.Fatal(err)
		}
		paths := []string{path}
		if _, ok := o["status"]; ok {
			paths = append(paths, path+"/status")
		}
		body, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			s.apply(t, p, body)
		}
	}
}

// apply writes one object. The kinds of a definition are served a moment after it
// was written, so what is not found is asked for again.
func (s *Server) apply(t testing.TB, path string, body []byte) {
	t.Helper()
	const query = "?fieldManager=test&force=true"
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		code, answer, err := s.Do(t.Context(), http.MethodPatch, path+query, "application/apply-patch+yaml", body)
		if err == nil && code < 300 {
			return
		}
		if time.Now().After(end) || err == nil && code != http.StatusNotFound {
			t.Fatalf("applying %s: %d %v %s", path, code, err, answer)
		}
	}
}

// Objects reads objects from a stream of YAML, whose name is for messages. A stream
// with problems ends the test.
func Objects(t testing.TB, name, text string) []map[string]any {
	t.Helper()
	documents, problems := manifest.Read(name, []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var all []map[string]any
	for _, d := range documents {
		content, _ := d.Content()
		for _, o := range content.Objects {
			all = append(all, o.Fields.(object.Tree)) // it was text
		}
	}
	return all
}

// Delete deletes what stands at a path of the API.
func (s *Server) Delete(t testing.TB, path string) {
	t.Helper()
	if code, answer, err := s.Do(t.Context(), http.MethodDelete, path, "application/json", nil); err != nil || code >= 300 {
		t.Fatalf("deleting %s: %d %v %s", path, code, err, answer)
	}
}

// Account returns a token of a service account.
func (s *Server) Account(t testing.TB, namespace, name string) string {
	t.Helper()
	const ask = `{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}}`
	path := fmt.Sprintf("/api/v1/namespaces/%s/serviceaccounts/%s/token", namespace, name)
	code, answer, err := s.Do(t.Context(), http.MethodPost, path, "application/json", []byte(ask))
	var given struct{ Status struct{ Token string } }
	if err == nil {
		err = json.Unmarshal(answer, &given)
	}
	if err != nil || given.Status.Token == "" {
		t.Fatalf("asking for a token of %s/%s: %d %v %s", namespace, name, code, err, answer)
	}
	return given.Status.Token
}

// KubeconfigOf writes a kubeconfig for a token, by way of a front where there is one.
func (s *Server) KubeconfigOf(t testing.TB, by *Front, token string) string {
	t.Helper()
	address, authority := s.Address, s.Authority
	if by != nil {
		address, authority = by.address, by.authority
	}
	name := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: test, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: test}}]
current-context: test
`, address, authority, token)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
