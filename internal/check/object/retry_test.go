package object_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// snapshotFrom reads manifests.
func snapshotFrom(t *testing.T, text string) *object.Snapshot {
	t.Helper()
	snap := object.NewSnapshot(time.Unix(0, 0))
	documents, problems := manifest.Read("test", []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, d := range documents {
		c, ok := d.Content()
		if !ok {
			t.Fatalf("line %d is no object", d.Line)
		}
		c.AddTo(snap)
	}
	return snap
}

const twoServices = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}}
---
apiVersion: v1
kind: Service
metadata: {name: orders, namespace: shop}
spec: {selector: {app: orders}}
---
`

// webWith is a caller of orders with some environment.
func webWith(env string) string {
	return twoServices + `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web, env: [` + env + `]}]}}}
---
`
}

// TestRetries finds the way on which requests to a service are sent most often.
func TestRetries(t *testing.T) {
	const (
		mesh    = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: orders, namespace: shop}\nspec: {http: [{route: [{destination: {host: orders.shop.svc.cluster.local}}], retries: {attempts: 2}}]}\n---\n"
		refused = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: orders, namespace: shop}\nspec: {http: [{route: [{destination: {host: orders}}], retries: {attempts: 2, retryOn: connect-failure}}]}\n---\n"
		edge    = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: edge, namespace: shop}\nspec: {gateways: [istio/edge], http: [{route: [{destination: {host: orders}}], retries: {attempts: 4}}]}\n---\n"
		traefik = "apiVersion: traefik.io/v1alpha1\nkind: IngressRoute\nmetadata: {name: web, namespace: shop}\nspec: {routes: [{services: [{name: web, port: 80}], middlewares: [{name: again}]}]}\n---\napiVersion: traefik.io/v1alpha1\nkind: Middleware\nmetadata: {name: again, namespace: shop}\nspec: {retry: {attempts: 3}}\n---\n"
		loop    = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: orders, namespace: shop}\nspec: {template: {metadata: {labels: {app: orders}}, spec: {containers: [{name: orders, image: orders, env: [{name: WEB_URL, value: 'http://web/'}, {name: WEB_RETRIES, value: '1'}]}]}}}\n---\n"
	)
	for _, c := range []struct {
		name, text string
		load       float64
		way        string
	}{
		{"nobody says anything", twoServices, 1, ""},
		{"a mesh", twoServices + mesh, 3, "mesh 3"},
		{"what is refused before any work", twoServices + refused, 1, ""},
		{"a mesh and a client", webWith(`{name: ORDERS_URL, value: "http://orders:80/v1"}, {name: ORDERS_RETRIES, value: "3"}`) + mesh, 12, "client 4, mesh 3"},
		{"a client that says how often in all", webWith(`{name: ORDERS_HOST, value: orders}, {name: HTTP_MAX_ATTEMPTS, value: "3"}`), 3, "client 3"},
		{"a setting of another client", webWith(`{name: ORDERS_HOST, value: orders}, {name: CARTS_RETRIES, value: "9"}`), 1, ""},
		{"a number that is none", webWith(`{name: ORDERS_HOST, value: orders}, {name: RETRIES, value: many}`), 1, ""},
		{"another namespace", webWith(`{name: ORDERS_HOST, value: orders.other}, {name: RETRIES, value: "9"}`), 1, ""},
		{"a value that only looks like one", webWith(`{name: QUEUE_NAME, value: orders}, {name: RETRIES, value: "9"}`), 1, ""},
		{"from the outside through a client", webWith(`{name: ORDERS_URL, value: "http://orders.shop"}, {name: RETRIES, value: "1"}`) + traefik + mesh, 18, "ingress 3, client 2, mesh 3"},
		{"a gateway is another hop than the mesh", twoServices + mesh + edge, 5, "ingress 5"},
		{"a circle ends", webWith(`{name: ORDERS_URL, value: "http://orders.shop"}, {name: RETRIES, value: "1"}`) + loop, 4, "client 2, client 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := snapshotFrom(t, c.text).Service("shop", "orders")
			if err != nil || v == nil {
				t.Fatal(v, err)
			}
			way, err := v.Retries()
			if err != nil {
				t.Fatal(err)
			}
			var steps []string
			for _, r := range way {
				steps = append(steps, r.Layer+" "+strconv.FormatFloat(r.Tries, 'g', -1, 64))
			}
			if got := strings.Join(steps, ", "); got != c.way {
				t.Errorf("the way is %q, want %q", got, c.way)
			}
			if load, _ := v.Load(); load != c.load {
				t.Errorf("the load is %v, want %v", load, c.load)
			}
		})
	}
}

// TestRetriesUnread has no answer where routes were not read.
func TestRetriesUnread(t *testing.T) {
	snap := snapshotFrom(t, twoServices)
	snap.Missed("VirtualService", "forbidden")
	v, _ := snap.Service("shop", "orders")
	if _, err := v.Load(); err == nil || !strings.Contains(err.Error(), "VirtualService") {
		t.Errorf("the error is %v", err)
	}
}

// TestHiddenClients finds containers whose address of a database stands in what is not
// read.
func TestHiddenClients(t *testing.T) {
	const maps = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: read, namespace: shop}\ndata: {LEVEL: info}\n---\n"
	for _, c := range []struct{ name, container, want string }{
		{"a key of a Secret", `env: [{name: DATABASE_URL, valueFrom: {secretKeyRef: {name: db, key: url}}}]`, "Secret shop/db"},
		{"a key of a ConfigMap that is not there", `env: [{name: DB_HOST, valueFrom: {configMapKeyRef: {name: db, key: host}}}]`, "ConfigMap shop/db"},
		{"all of a Secret", `envFrom: [{secretRef: {name: all}}]`, "Secret shop/all"},
		{"all of a ConfigMap that was read", `envFrom: [{configMapRef: {name: read}}]`, ""},
		{"an address that is written out", `env: [{name: DB_HOST, value: db}], envFrom: [{secretRef: {name: all}}]`, ""},
		{"a secret of something else", `env: [{name: API_KEY, valueFrom: {secretKeyRef: {name: key, key: k}}}]`, ""},
		{"nothing", ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			snap := snapshotFrom(t, maps+"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {template: {spec: {containers: [{name: web, image: web, "+c.container+"}]}}}\n")
			all, err := snap.HiddenClients()
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, one := range all {
				got += one.Hidden
			}
			if got != c.want {
				t.Errorf("hidden in %q, want %q", got, c.want)
			}
		})
	}
}

// TestHiddenTask finds the same of tasks of ECS.
func TestHiddenTask(t *testing.T) {
	snap := snapshotFrom(t, `{"taskDefinition": {"family": "orders", "containerDefinitions": [
		{"name": "a", "secrets": [{"name": "DATABASE_URL", "valueFrom": "arn"}]},
		{"name": "b", "secrets": [{"name": "API_KEY", "valueFrom": "arn"}]},
		{"name": "c", "environmentFiles": [{"value": "arn", "type": "s3"}]}]}}`)
	all, err := snap.HiddenClients()
	var names []string
	for _, one := range all {
		names = append(names, one.Name)
	}
	if err != nil || !slices.Equal(names, []string{"a", "c"}) {
		t.Errorf("hidden: %v, %v", names, err)
	}
}
