package object_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

func snapshot(t *testing.T, src string) *object.Snapshot {
	t.Helper()
	snap := object.NewSnapshot(time.Unix(0, 0))
	documents, problems := manifest.Read("test", []byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, d := range documents {
		c, ok := d.Content()
		if !ok {
			t.Fatalf("no object on line %d", d.Line)
		}
		c.AddTo(snap)
	}
	snap.ReadWritten()
	return snap
}

const shop = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3, template: {metadata: {labels: {app: web, tier: front}}, spec: {containers: [{name: web, image: web}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: other}
spec: {template: {metadata: {labels: {app: web}}}}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: mesh, namespace: infra}
spec: {http: [{route: [{destination: {host: web.shop.svc.cluster.local}}]}]}
---
apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: {name: front, namespace: shop}
spec: {routes: [{services: [{name: web, port: 80}]}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: elsewhere, namespace: other}
spec: {defaultBackend: {service: {name: web}}}
`

func TestServiceIsJoined(t *testing.T) {
	snap := snapshot(t, shop)
	s, err := snap.Service("shop", "web")
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	behind, err := s.Workloads()
	if err != nil || len(behind) != 1 || behind[0].ID() != "Deployment shop/web" {
		t.Errorf("behind the service stands %v, %v; want the Deployment of its namespace", behind, err)
	}
	routes, err := s.Routes()
	if want := []string{"IngressRoute shop/front", "VirtualService infra/mesh"}; err != nil || !slices.Equal(routes, want) {
		t.Errorf("routes are %v, %v; want %v", routes, err, want)
	}
	var unread *object.Unread
	if _, err := s.Ready(); !errors.As(err, &unread) || unread.Kind != "EndpointSlice" {
		t.Errorf("ready endpoints of manifests give %v; want that none were read", err)
	}
	if one, err := snap.Service("shop", "none"); one != nil || err != nil {
		t.Errorf("a service that does not exist gives %v, %v", one, err)
	}
}

func TestReadyEndpointsCountAddressesOnce(t *testing.T) {
	const slice = `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: NAME, namespace: shop, labels: {kubernetes.io/service-name: web}}
endpoints: [{addresses: [10.0.0.1]}, {addresses: [10.0.0.2], conditions: {ready: false}}]
`
	s, err := snapshot(t, shop+slice+slice).Service("shop", "web")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Ready(); n != 1 || err != nil {
		t.Errorf("ready endpoints: %d, %v; want the one that is ready", n, err)
	}
}

func TestSelects(t *testing.T) {
	labels := map[string]string{"app": "web", "tier": "front"}
	match := func(op string, values ...any) object.Tree {
		return object.Tree{"matchExpressions": []any{map[string]any{"key": "tier", "operator": op, "values": values}}}
	}
	for name, c := range map[string]struct {
		selector object.Tree
		want     bool
	}{
		"nothing selects all": {object.Tree{}, true},
		"labels":              {object.Tree{"matchLabels": map[string]any{"app": "web"}}, true},
		"another value":       {object.Tree{"matchLabels": map[string]any{"app": "api"}}, false},
		"in":                  {match("In", "front", "back"), true},
		"not in":              {match("NotIn", "front"), false},
		"exists":              {match("Exists"), true},
		"does not exist":      {match("DoesNotExist"), false},
		"unknown operator":    {match("Near", "front"), false},
	} {
		if got := object.Selects(c.selector, labels); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestWrittenByHand tells what a cluster made from what a person wrote of the same
// kinds: of the latter, there may be more that was not read.
func TestWrittenByHand(t *testing.T) {
	const selecting = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}}\n---\n"
	const external = "apiVersion: v1\nkind: Service\nmetadata: {name: old, namespace: shop}\nspec: {}\n---\n"
	for name, tt := range map[string]struct {
		src, kind string
		whole     bool
	}{
		"a pod of a manifest":        {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}", "Pod", false},
		"a pod with a status":        {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nstatus: {phase: Running}", "Pod", true},
		"a pod on a node":            {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeName: n}", "Pod", true},
		"endpoints of a service":     {selecting + "apiVersion: v1\nkind: Endpoints\nmetadata: {name: web, namespace: shop}", "Endpoints", true},
		"a slice of a service":       {selecting + "apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}", "EndpointSlice", true},
		"endpoints of a cluster":     {"apiVersion: v1\nkind: Endpoints\nmetadata: {name: web, namespace: shop, uid: 4cff}", "Endpoints", true},
		"endpoints of an example":    {"apiVersion: v1\nkind: Endpoints\nmetadata: {name: web, namespace: shop}", "Endpoints", false},
		"endpoints of what is old":   {external + "apiVersion: v1\nkind: Endpoints\nmetadata: {name: old, namespace: shop}", "Endpoints", false},
		"a slice of what is old":     {external + "apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: old-1, namespace: shop, labels: {kubernetes.io/service-name: old}}", "EndpointSlice", false},
		"no node":                    {external, "Node", false},
		"a node":                     {"apiVersion: v1\nkind: Node\nmetadata: {name: n}", "Node", true},
		"what only people make":      {external, "PodDisruptionBudget", true},
		"null is absent":             {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nstatus: null", "Pod", false},
		"null is absent, in JSON":    {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"status":null,"spec":{"nodeName":null}}`, "Pod", false},
		"braces in a block are text": {"apiVersion: v1\nkind: Node\nmetadata: {name: n}\ntext: |\n  {{ pod }}\n  a: {{ b }}\n", "Node", true},
	} {
		err := snapshot(t, tt.src).Whole(tt.kind)
		if (err == nil) != tt.whole {
			t.Errorf("%s: %s is whole: %t, want %t (%v)", name, tt.kind, err == nil, tt.whole, err)
		}
	}
}
