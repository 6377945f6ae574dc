package cluster

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/openprecedent/precedent/internal/check/object"
)

// custom is a kind that not every cluster has. It is read in the first of its
// versions that the cluster serves; where it serves none, there are no objects.
type custom struct {
	kind     string
	resource string
	versions []string // such as networking.istio.io/v1, the newest first
	count    bool     // only their number is read: there may be hundreds of thousands
	lacking  string   // what it means that the cluster does not serve it; empty where there are then no objects
}

// customs are those kinds. All are read as JSON, since definitions of resources
// know no protobuf.
func customs() []custom {
	const (
		calico  = "crd.projectcalico.org/"
		gateway = "gateway.networking.k8s.io/"
		istio   = "networking.istio.io/"
		metrics = "metrics.k8s.io/"
	)
	return []custom{
		{kind: "APIService", resource: "apiservices", versions: []string{"apiregistration.k8s.io/v1"}},
		{kind: "AdmissionReport", resource: "admissionreports", versions: []string{"kyverno.io/v2", "kyverno.io/v1alpha2"}, count: true},
		{kind: "AuthRequest", resource: "authrequests", versions: []string{"dex.coreos.com/v1"}, count: true},
		{kind: "BGPPeer", resource: "bgppeers", versions: []string{calico + "v1"}},
		{kind: "DestinationRule", resource: "destinationrules", versions: []string{istio + "v1", istio + "v1beta1", istio + "v1alpha3"}},
		{kind: "EphemeralReport", resource: "ephemeralreports", versions: []string{"reports.kyverno.io/v1"}, count: true},
		{kind: "GRPCRoute", resource: "grpcroutes", versions: []string{gateway + "v1", gateway + "v1alpha2"}},
		{kind: "HTTPRoute", resource: "httproutes", versions: []string{gateway + "v1", gateway + "v1beta1"}},
		{kind: "IPPool", resource: "ippools", versions: []string{calico + "v1"}},
		{kind: "IngressRoute", resource: "ingressroutes", versions: []string{"traefik.io/v1alpha1", "traefik.containo.us/v1alpha1"}},
		{kind: "Middleware", resource: "middlewares", versions: []string{"traefik.io/v1alpha1", "traefik.containo.us/v1alpha1"}},
		{kind: object.NodeMetrics, resource: "nodes", versions: []string{metrics + "v1beta1"}, lacking: object.MetricsServer},
		{kind: object.PodMetrics, resource: "pods", versions: []string{metrics + "v1beta1"}, lacking: object.MetricsServer},
		{kind: "PolicyReport", resource: "policyreports", versions: []string{"wgpolicyk8s.io/v1beta1", "wgpolicyk8s.io/v1alpha2"}, count: true},
		{kind: "TCPRoute", resource: "tcproutes", versions: []string{gateway + "v1", gateway + "v1alpha2"}},
		{kind: "TLSRoute", resource: "tlsroutes", versions: []string{gateway + "v1", gateway + "v1alpha3", gateway + "v1alpha2"}},
		{kind: "VirtualService", resource: "virtualservices", versions: []string{istio + "v1", istio + "v1beta1", istio + "v1alpha3"}},
	}
}

// plan returns the lists that are read: those of Kubernetes itself, and of the other
// kinds those that this cluster has. Of a kind that it has in another version alone,
// nothing is known.
func (c *client) plan(ctx context.Context, snap *object.Snapshot) []list {
	served, err := c.served(ctx)
	var all []list
	for _, l := range lists() {
		resource := l.path[strings.LastIndexByte(l.path, '/')+1:]
		if other := served.others(resource, l.version); err == nil && other != "" {
			snap.Missed(l.kind, other)
			continue
		}
		if l.part != "" {
			snap.Absent(l.kind, object.OnlyCorefile)
		}
		all = append(all, l)
	}
	for _, k := range customs() {
		var versions []string
		for _, v := range k.versions {
			if err == nil && served.has(v, k.resource) {
				versions = append(versions, v)
			}
		}
		switch {
		case err != nil:
			snap.Missed(k.kind, fmt.Sprintf("the API server does not tell whether it has them: %v", err))
		case len(versions) > 0:
			l := list{kind: k.kind, resource: k.resource, count: k.count, lacking: k.lacking, page: func() page { return new(customPage) }}
			all = append(all, l.in(versions))
		case served.others(k.resource, k.versions...) != "":
			snap.Missed(k.kind, served.others(k.resource, k.versions...))
		case k.lacking != "":
			snap.Absent(k.kind, k.lacking)
		default:
			snap.Read(k.kind)
		}
	}
	return all
}

// in returns the list as it is in the first of some versions; the others are tried
// where that does not have it.
func (l list) in(versions []string) list {
	l.version, l.later = versions[0], versions[1:]
	l.path = "/apis/" + l.version + "/" + l.resource
	return l
}

// jsonType is what kinds are asked for as that have no protobuf.
const jsonType = "application/json"

// customPage is a page of a list in JSON.
type customPage struct{ unstructured.UnstructuredList }

// Unmarshal reads a page.
func (p *customPage) Unmarshal(data []byte) error {
	if err := p.UnmarshalJSON(data); err != nil {
		return err
	}
	if !strings.HasSuffix(p.GetKind(), "List") {
		return fmt.Errorf("the answer is a %q and no list", p.GetKind())
	}
	return nil
}

// keep adds the objects of a page to a snapshot.
func (p *customPage) keep(snap *object.Snapshot, l list) int {
	all := make([]*object.Object, 0, len(p.Items))
	for i := range p.Items {
		item := &p.Items[i]
		if l.kind == object.PodMetrics { // there are as many as pods, and a figure is read of each
			snap.AddUses(l.kind, object.UsesOf(l.decoder.text([]byte(item.GetNamespace())), item.GetName(), object.Tree(item.Object))...)
			continue
		}
		lighten(item)
		all = append(all, &object.Object{
			Source: "cluster", APIVersion: l.version, Kind: l.kind, Namespace: item.GetNamespace(), Name: item.GetName(),
			Fields: l.decoder.packed(item.Object),
		})
	}
	snap.Add(all...)
	return len(all)
}
