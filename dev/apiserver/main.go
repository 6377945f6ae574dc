// Command apiserver is a real kube-apiserver with its etcd inside, on loopback, for
// tests and measurements. Once it is ready it prints the path of a kubeconfig of an
// administrator. It stops on SIGINT and SIGTERM, and with -stdin when its standard
// input ends, so that it never outlives the test that started it.
//
//	apiserver -data DIR [-stdin] [-nodes N -pods N] [-- FLAGS OF kube-apiserver]
//
// With -pods it holds a synthetic cluster of that size, of which all is the same in
// every run.
//
// Nothing but the API runs: no controller, no scheduler, no kubelet. What these
// write, such as the status of a Deployment, is there only if a test writes it.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// patience is how long the API may take to be ready.
const patience = 2 * time.Minute

func main() {
	data := flag.String("data", "", "folder for the data, the certificates and the kubeconfig")
	stdin := flag.Bool("stdin", false, "stop when standard input ends")
	nodes := flag.Int("nodes", 0, "nodes of a synthetic cluster")
	pods := flag.Int("pods", 0, "its pods, ten for each Deployment")
	flag.Parse()
	if err := run(*data, *stdin, *nodes, *pods, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

func run(data string, stdin bool, nodes, pods int, more []string) error {
	if data == "" {
		return errors.New("-data is needed")
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	if stdin {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop <- syscall.SIGTERM
		}()
	}
	store, err := etcd(filepath.Join(data, "etcd"))
	if err != nil {
		return fmt.Errorf("starting etcd: %w", err)
	}
	// Neither is shut down by its rules, which takes seconds: the data is of no use then.
	if err := fill(store, nodes, pods); err != nil {
		return fmt.Errorf("filling etcd: %w", err)
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	token := rand.Text()
	args, err := arguments(data, store.Config().ListenClientUrls[0].String(), token, port)
	if err != nil {
		return err
	}
	command := app.NewAPIServerCommand()
	command.SetArgs(append(args, more...))
	ended := make(chan error, 1)
	go func() { ended <- command.Execute() }()
	kubeconfig := filepath.Join(data, "kubeconfig")
	if err := ready(port, token, filepath.Join(data, "certs", "apiserver.crt"), kubeconfig, ended); err != nil {
		return err
	}
	fmt.Println(kubeconfig)
	select {
	case <-stop:
		return nil
	case err := <-ended:
		return fmt.Errorf("kube-apiserver ended: %w", err)
	}
}

// etcd starts etcd, without waiting for disks.
func etcd(dir string) (*embed.Etcd, error) {
	c := embed.NewConfig()
	c.Dir, c.LogLevel, c.UnsafeNoFsync, c.QuotaBackendBytes = dir, "error", true, 8<<30
	var local []url.URL
	for range 2 {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		local = append(local, url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))})
	}
	c.ListenClientUrls, c.AdvertiseClientUrls = local[:1], local[:1]
	c.ListenPeerUrls, c.AdvertisePeerUrls = local[1:], local[1:]
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	store, err := embed.StartEtcd(c)
	if err != nil {
		return nil, err
	}
	select {
	case <-store.Server.ReadyNotify():
		return store, nil
	case <-time.After(patience):
		store.Close()
		return nil, fmt.Errorf("not ready after %v", patience)
	}
}

// freePort returns a port of loopback that nothing listens on.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// arguments writes what kube-apiserver needs into data and returns its arguments.
func arguments(data, store, token string, port int) ([]string, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"sa.key":     pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
		"sa.pub":     pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
		"tokens.csv": fmt.Appendf(nil, "%s,admin,admin,\"system:masters\"\n", token),
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(data, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	in := func(name string) string { return filepath.Join(data, name) }
	return []string{
		"--etcd-servers", store, "--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1", "--secure-port", strconv.Itoa(port),
		"--cert-dir", in("certs"), "--service-cluster-ip-range", "10.0.0.0/16", "--allow-privileged=true", "--authorization-mode", "RBAC",
		"--service-account-issuer", "https://test.invalid", "--service-account-key-file", in("sa.pub"),
		"--service-account-signing-key-file", in("sa.key"), "--token-auth-file", in("tokens.csv"),
		// Without controllers there is no default account, and no node ever gets ready.
		"--disable-admission-plugins", "ServiceAccount,TaintNodesByCondition", "--v", "0",
	}, nil
}

// ready waits until the API answers, and writes the kubeconfig.
func ready(port int, token, authority, kubeconfig string, ended <-chan error) error {
	address := "https://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for end := time.Now().Add(patience); time.Now().Before(end); {
		select {
		case err := <-ended:
			return fmt.Errorf("kube-apiserver ended: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
		if answers(address+"/readyz", token, authority) {
			text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: admin, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: admin}}]
current-context: test
`, address, authority, token)
			return os.WriteFile(kubeconfig, []byte(text), 0o600)
		}
	}
	return fmt.Errorf("not ready after %v", patience)
}
