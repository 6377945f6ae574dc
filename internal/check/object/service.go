package object

import (
	"slices"
	"strings"
)

// Service is a service of Kubernetes with what stands behind it and in front.
type Service struct {
	*Object
	Selects bool // it has a selector, so that its endpoints are those of pods

	snap *Snapshot
}

// Services returns all services.
func (s *Snapshot) Services() ([]*Service, error) {
	return s.related().services, s.Whole("Service")
}

// Service returns the service of a name, nil where there is none; the error says
// that there may be one nevertheless.
func (s *Snapshot) Service(namespace, name string) (*Service, error) {
	if one := s.related().byService[namespace+"/"+name]; one != nil {
		return one, nil
	}
	return nil, s.Whole("Service")
}

func (s *Snapshot) servicesRead() []*Service {
	var all []*Service
	for _, o := range s.objects["Service"] {
		all = append(all, &Service{o, o.Fields.Sub("spec", "selector").Len() > 0, s})
	}
	return all
}

// Workloads returns the workloads that the service sends requests to.
func (v *Service) Workloads() ([]*Workload, error) {
	if !v.Selects {
		return nil, nil
	}
	var all []*Workload
	for _, w := range v.snap.related().workloadsIn[v.Namespace] {
		if hasLabels(w.Labels, v.Fields.Sub("spec", "selector")) {
			all = append(all, w)
		}
	}
	_, err := v.snap.Workloads()
	return all, err
}

// Ready returns how many ready endpoints the service has, as its slices say, or
// its Endpoints where no slices were read.
func (v *Service) Ready() (int64, error) {
	if v.snap.Whole("EndpointSlice") == nil {
		return v.readyInSlices(), nil
	}
	if v.snap.Whole("Endpoints") == nil {
		return v.readyInEndpoints(), nil
	}
	return 0, v.snap.Whole("EndpointSlice")
}

func (v *Service) readyInSlices() int64 {
	addresses := map[string]bool{} // one stands in several slices where there are several ports
	for _, o := range v.endpoints("EndpointSlice") {
		for _, e := range o.Fields.Trees("endpoints") {
			if ready, told := e.At("conditions", "ready").(bool); told && !ready {
				continue
			}
			for _, a := range e.List("addresses") {
				addresses[written(a)] = true
			}
		}
	}
	return int64(len(addresses))
}

func (v *Service) readyInEndpoints() int64 {
	n := 0
	for _, o := range v.endpoints("Endpoints") {
		for _, set := range o.Fields.Trees("subsets") {
			n += len(set.List("addresses"))
		}
	}
	return int64(n)
}

// endpoints returns the objects of a kind that hold the endpoints of the service.
func (v *Service) endpoints(kind string) []*Object {
	return v.snap.related().endpoints[kind+"/"+v.Namespace+"/"+v.Name]
}

// endpointsRead returns the objects that hold endpoints, by their kind and the
// namespace and name of the service.
func (s *Snapshot) endpointsRead() map[string][]*Object {
	all := map[string][]*Object{}
	for _, o := range s.objects["EndpointSlice"] {
		key := o.Kind + "/" + o.Namespace + "/" + o.Fields.Text("metadata", "labels", "kubernetes.io/service-name")
		all[key] = append(all[key], o)
	}
	for _, o := range s.objects["Endpoints"] {
		key := o.Kind + "/" + o.Namespace + "/" + o.Name
		all[key] = append(all[key], o)
	}
	return all
}

// routing are the kinds that send requests from outside, or of a mesh, to services.
var routing = []string{"GRPCRoute", "HTTPRoute", "Ingress", "IngressRoute", "TCPRoute", "TLSRoute", "VirtualService"}

// Routes returns what sends requests to the service by its name, such as Ingress
// shop/web, each once. A kind that the cluster does not have is not missed.
func (v *Service) Routes() ([]string, error) {
	return v.snap.related().routesTo[v.Namespace+"/"+v.Name], v.snap.Whole("Ingress")
}

// routes returns what sends requests to services, by the service.
func (s *Snapshot) routes() map[string][]string {
	all := map[string][]string{}
	for _, kind := range routing {
		for _, o := range s.objects[kind] {
			walk(o.Fields.At("spec"), func(t Fields) {
				if to := target(o, t); to != "" {
					all[to] = append(all[to], o.ID())
				}
			})
		}
	}
	for to, ids := range all {
		slices.Sort(ids)
		all[to] = slices.Compact(ids)
	}
	return all
}

// target returns the service that a tree somewhere in a route refers to, as
// namespace/name, empty where it is no such reference.
func target(o *Object, t Fields) string {
	in, name := "", ""
	switch kind := t.Text("kind"); {
	case o.Kind == "Ingress":
		if name = t.Text("service", "name"); name == "" {
			name = t.Text("serviceName")
		}
	case o.Kind == "VirtualService":
		var rest string
		name, rest, _ = strings.Cut(t.Text("destination", "host"), ".")
		in, _, _ = strings.Cut(rest, ".")
	case (kind == "" || kind == "Service") && t.At("port") != nil:
		in, name = t.Text("namespace"), t.Text("name")
	}
	if name == "" {
		return ""
	}
	if in == "" {
		in = o.Namespace
	}
	return in + "/" + name
}

// walk calls f for every tree in a value.
func walk(v any, f func(Fields)) {
	if t, ok := asFields(v); ok {
		f(t)
		for _, inner := range t.All() {
			walk(inner, f)
		}
	}
	for _, inner := range asList(v) {
		walk(inner, f)
	}
}

// NamespaceLabels returns the labels of a namespace; at least the one with its
// name, which every namespace has.
func (s *Snapshot) NamespaceLabels(name string) map[string]string {
	labels := map[string]string{"kubernetes.io/metadata.name": name}
	for _, o := range s.related().namespaces[name] {
		for k, v := range o.Fields.Texts("metadata", "labels") {
			labels[k] = v
		}
	}
	return labels
}
