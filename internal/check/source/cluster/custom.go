package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
}

// customs are those kinds. All are read as JSON, since definitions of resources
// know no protobuf.
func customs() []custom {
	const (
		calico  = "crd.projectcalico.org/"
		gateway = "gateway.networking.k8s.io/"
		istio   = "networking.istio.io/"
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
		if other := otherVersions(served, l.version); other != "" {
			snap.Missed(l.kind, other)
			continue
		}
		all = append(all, l)
	}
	for _, k := range customs() {
		at := slices.IndexFunc(k.versions, func(v string) bool { return served[v] })
		switch {
		case err != nil:
			snap.Missed(k.kind, fmt.Sprintf("the API server does not tell whether it has them: %v", err))
		case at >= 0:
			version := k.versions[at]
			all = append(all, list{
				kind: k.kind, version: version, path: "/apis/" + version + "/" + k.resource, count: k.count,
				page: func() page { return new(customPage) },
			})
		case otherVersions(served, k.versions...) != "":
			snap.Missed(k.kind, otherVersions(served, k.versions...))
		default:
			snap.Read(k.kind)
		}
	}
	return all
}

// otherVersions says that the group of some versions is served in others alone, or
// is empty where this is not so.
func otherVersions(served map[string]bool, versions ...string) string {
	var others []string
	for _, version := range versions {
		group, _, named := strings.Cut(version, "/")
		if !named || served[version] {
			return "" // the core has one version
		}
		for v := range served {
			if strings.HasPrefix(v, group+"/") && !slices.Contains(others, v) {
				others = append(others, v)
			}
		}
	}
	if len(others) == 0 {
		return ""
	}
	slices.Sort(others)
	return fmt.Sprintf("the API server has %s, and %s is read", strings.Join(others, ", "), strings.Join(versions, ", "))
}

// served returns the versions of groups that the cluster serves.
func (c *client) served(ctx context.Context) (map[string]bool, error) {
	body, err := c.patient(ctx, "/apis", nil, jsonType)
	if err != nil {
		return nil, unlisted(err)
	}
	var groups metav1.APIGroupList
	if err := json.Unmarshal(body, &groups); err != nil {
		return nil, fmt.Errorf("reading the groups: %w", err)
	}
	if len(groups.Groups) == 0 {
		return nil, fmt.Errorf("it names no group")
	}
	served := map[string]bool{}
	for _, g := range groups.Groups {
		for _, v := range g.Versions {
			served[v.GroupVersion] = true
		}
	}
	return served, nil
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
		lighten(item)
		l.pool.share(item.Object)
		all = append(all, &object.Object{
			Source: "cluster", APIVersion: l.version, Kind: l.kind, Namespace: item.GetNamespace(), Name: item.GetName(), Fields: item.Object,
		})
	}
	snap.Add(all...)
	return len(all)
}
