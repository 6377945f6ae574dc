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
	for _, one := range s.related().services {
		if one.Name == name && one.Namespace == namespace {
			return one, nil
		}
	}
	return nil, s.Whole("Service")
}

func (s *Snapshot) servicesRead() []*Service {
	var all []*Service
	for _, o := range s.objects["Service"] {
		all = append(all, &Service{o, len(o.Fields.Sub("spec", "selector")) > 0, s})
	}
	return all
}

// Workloads returns the workloads that the service sends requests to.
func (v *Service) Workloads() ([]*Workload, error) {
	if !v.Selects {
		return nil, nil
	}
	selector := Tree{"matchLabels": map[string]any(v.Fields.Sub("spec", "selector"))}
	all, err := v.snap.Workloads()
	return slices.DeleteFunc(slices.Clone(all), func(w *Workload) bool {
		return w.Namespace != v.Namespace || !Selects(selector, w.Labels)
	}), err
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
	for _, o := range v.snap.objects["EndpointSlice"] {
		if o.Namespace != v.Namespace || o.Fields.Text("metadata", "labels", "kubernetes.io/service-name") != v.Name {
			continue
		}
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
	for _, o := range v.snap.objects["Endpoints"] {
		if o.Namespace != v.Namespace || o.Name != v.Name {
			continue
		}
		for _, set := range o.Fields.Trees("subsets") {
			n += len(set.List("addresses"))
		}
	}
	return int64(n)
}

// routing are the kinds that send requests from outside, or of a mesh, to services.
var routing = []string{"GRPCRoute", "HTTPRoute", "Ingress", "IngressRoute", "TCPRoute", "TLSRoute", "VirtualService"}

// Routes returns what sends requests to the service by its name, such as Ingress
// shop/web, each once. A kind that the cluster does not have is not missed.
func (v *Service) Routes() ([]string, error) {
	var all []string
	for _, kind := range routing {
		for _, o := range v.snap.objects[kind] {
			if routesTo(o, v.Namespace, v.Name) {
				all = append(all, o.ID())
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), v.snap.Whole("Ingress")
}

// routesTo reports whether a route names a service.
func routesTo(o *Object, namespace, name string) bool {
	found := false
	walk(map[string]any(o.Fields.Sub("spec")), func(t Tree) {
		found = found || names(o, t, namespace, name)
	})
	return found
}

// names reports whether a tree somewhere in a route is a reference to a service.
func names(o *Object, t Tree, namespace, name string) bool {
	at := func(in, called string) bool {
		if in == "" {
			in = o.Namespace
		}
		return in == namespace && called == name
	}
	switch o.Kind {
	case "Ingress":
		return at("", t.Text("service", "name")) || at("", t.Text("serviceName"))
	case "VirtualService":
		host := t.Text("destination", "host")
		short, rest, dotted := strings.Cut(host, ".")
		in, _, _ := strings.Cut(rest, ".")
		if !dotted {
			in = ""
		}
		return host != "" && at(in, short)
	}
	if kind := t.Text("kind"); kind != "" && kind != "Service" {
		return false
	}
	return t.At("port") != nil && at(t.Text("namespace"), t.Text("name"))
}

// walk calls f for every tree in a value.
func walk(v any, f func(Tree)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, inner := range v {
			walk(inner, f)
		}
	case []any:
		for _, inner := range v {
			walk(inner, f)
		}
	}
}

// NamespaceLabels returns the labels of a namespace; at least the one with its
// name, which every namespace has.
func (s *Snapshot) NamespaceLabels(name string) map[string]string {
	labels := map[string]string{"kubernetes.io/metadata.name": name}
	for _, o := range s.objects["Namespace"] {
		if o.Name == name {
			for k, v := range o.Fields.Texts("metadata", "labels") {
				labels[k] = v
			}
		}
	}
	return labels
}
