package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// routesOf reads a document of Envoy's and writes what is kept of each route.
func routesOf(t *testing.T, src string) []string {
	t.Helper()
	documents, problems := Read("envoy", []byte(src))
	if len(problems) > 0 || len(documents) != 1 {
		t.Fatalf("%d documents, problems %v", len(documents), problems)
	}
	c, ok := documents[0].Content()
	if !ok {
		return nil
	}
	var all []string
	for _, o := range c.Objects {
		line, _ := o.Locate("route.retry_policy.retry_on")
		all = append(all, fmt.Sprintf("%s:%d %v", o.ID(), line, o.Fields))
	}
	return all
}

func TestEnvoy(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want []string
	}{
		"a bootstrap file": {`static_resources:
  clusters:
    - {name: a, circuit_breakers: {thresholds: [{priority: HIGH, max_retries: 9}, {max_retries: 50}]}}
    - {name: b, circuit_breakers: {thresholds: [{priority: DEFAULT, retry_budget: {}}]}}
    - {name: c}
  listeners:
    - filter_chains:
        - filters:
            - typed_config:
                route_config:
                  name: local
                  virtual_hosts:
                    - name: shop
                      retry_policy:
                        retry_on: reset
                      routes:
                        - {match: {prefix: /a}, route: {cluster: a, timeout: 3s}}
                        - {match: {path: /b}, route: {cluster: b, retry_policy: {retry_on: 5xx, num_retries: 2, retry_back_off: {}}}}
                        - {match: {prefix: /old}, redirect: {path_redirect: /new}}
                        - {name: both, match: {prefix: /c}, route: {weighted_clusters: {clusters: [{name: b}, {name: a}, {name: c}]}}}
                        - {match: {safe_regex: {regex: /d.*}}, route: {cluster: elsewhere}}
                        - {match: {prefix: /a}, route: {cluster_header: x-to}}
`, []string{
			`Envoy/Route local/shop /a:15 map[cluster:map[max_retries:50 retry_budget:false] route:map[retry_policy:map[retry_on:reset] timeout:3s]]`,
			`Envoy/Route local/shop /b:18 map[cluster:map[max_retries:3 retry_budget:true] route:map[retry_policy:map[num_retries:2 retry_on:5xx]]]`,
			`Envoy/Route local/shop both:15 map[cluster:map[max_retries:50 retry_budget:false] route:map[retry_policy:map[retry_on:reset]]]`,
			`Envoy/Route local/shop /d.*:15 map[route:map[retry_policy:map[retry_on:reset]]]`,
			`Envoy/Route local/shop /a (2):15 map[route:map[retry_policy:map[retry_on:reset]]]`,
		}},
		"what /config_dump answers, each route once": {`{"configs": [
  {"@type": "type.googleapis.com/envoy.admin.v3.BootstrapConfigDump", "bootstrap": {"static_resources": {"listeners": [{"x": {"virtual_hosts": [{"routes": [{"route": {"cluster": "a"}}]}]}}]}}},
  {"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump", "static_clusters": [{"cluster": {"name": "a"}}], "dynamic_active_clusters": [{"cluster": {"name": "b", "circuit_breakers": {"thresholds": [{"max_retries": 4294967295}]}}}]},
  {"@type": "type.googleapis.com/envoy.admin.v3.RoutesConfigDump",
   "static_route_configs": [{"route_config": {"name": "one", "virtual_hosts": [{"name": "v", "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "a"}}]}]}}],
   "dynamic_route_configs": [{"route_config": {"name": "two", "virtual_hosts": [{"name": "v", "routes": [{"match": {"prefix": "/"},
     "route": {"cluster": "b", "timeout": "0s", "retry_policy": {"retry_on": "5xx"}}}]}]}}]}
]}`, []string{
			`Envoy/Route two/v /:7 map[cluster:map[max_retries:4294967295 retry_budget:false] route:map[retry_policy:map[retry_on:5xx] timeout:0s]]`,
			`Envoy/Route one/v /:5 map[cluster:map[max_retries:3 retry_budget:false] route:map[]]`,
		}},
		"a file of routes, and its clusters": {`resources:
  - {"@type": type.googleapis.com/envoy.config.cluster.v3.Cluster, name: a}
  - "@type": type.googleapis.com/envoy.config.route.v3.RouteConfiguration
    name: r
    virtual_hosts: [{name: v, routes: [{match: {prefix: /}, route: {cluster: a}}]}]
`, []string{`Envoy/Route r/v /:5 map[cluster:map[max_retries:3 retry_budget:false] route:map[]]`}},
		"the names of JSON for protocol buffers": {`{"name": "80", "virtualHosts": [{"name": "orders:80", "routes": [{"name": "default", "match": {"prefix": "/"},
  "route": {"cluster": "o", "retryPolicy": {"retryOn": "connect-failure", "numRetries": 2, "perTryTimeout": "2s"}}}]}]}`, []string{
			`Envoy/Route 80/orders:80 default:2 map[route:map[retry_policy:map[num_retries:2 per_try_timeout:2s retry_on:connect-failure]]]`,
		}},
		"odd shapes":                  {"virtual_hosts: [1, {routes: 7}, {name: v, routes: [{route: []}, x, {route: {cluster: [a]}}]}]", []string{`Envoy/Route v:1 map[route:map[]]`}},
		"a map of no program's":       {"static_resources: x", nil},
		"resources of something else": {"resources: [{type: bucket}]", nil},
	} {
		if diff := cmp.Diff(test.want, routesOf(t, test.src)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestEnvoyKeepsNoKey holds that of a file of Envoy's nothing is kept but of routes.
func TestEnvoyKeepsNoKey(t *testing.T) {
	all := routesOf(t, `static_resources:
  secrets: [{name: tls, tls_certificate: {private_key: {inline_string: planted}}}]
  listeners: [{virtual_hosts: [{name: v, routes: [{route: {cluster: a, request_headers_to_add: [{header: {value: planted}}]}}]}]}]
`)
	if text := strings.Join(all, "\n"); len(all) != 1 || strings.Contains(text, "planted") {
		t.Errorf("kept %s", text)
	}
}
