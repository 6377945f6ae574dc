package object

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// EnvoyRoute is the kind of routes in the files of Envoy.
const EnvoyRoute = "Envoy/Route"

// Place is a field of an object that a finding points to.
type Place struct {
	Object *Object
	Path   string
}

// Retry is a setting by which a request to a service is sent again where it fails.
type Retry struct {
	Place
	Layer string  // client, mesh or ingress
	To    string  // the service, as namespace/name
	Tries float64 // the first one included
}

// caller is a container that names a service as what it calls.
type caller struct {
	workload *Workload
	retry    *Retry // nil where it does not say that it tries again
}

// retrying is what is known of who sends requests to services, and how often.
type retrying struct {
	mesh    map[string]*Retry   // by service: the route that sends most often
	ingress map[string]*Retry   // the same, of requests from outside
	callers map[string][]caller // by service
}

// keepMost keeps the retry of a service that sends most often.
func keepMost(all map[string]*Retry, r *Retry) {
	if known := all[r.To]; known == nil || known.Tries < r.Tries {
		all[r.To] = r
	}
}

// overloads tells the conditions of a route under which a service that is overloaded is
// asked again, from those under which it has not yet begun.
var overloads = regexp.MustCompile(`5xx|gateway-error|reset|retriable-status-codes`)

// retrying finds who sends requests to services, and how often. It runs once.
func (s *Snapshot) retrying() *retrying {
	r := &retrying{map[string]*Retry{}, map[string]*Retry{}, map[string][]caller{}}
	for _, o := range s.objects["VirtualService"] {
		s.virtualService(r, o)
	}
	for _, o := range s.objects["HTTPRoute"] {
		for i, rule := range o.Fields.Trees("spec", "rules") {
			path := fmt.Sprintf("spec.rules[%d].retry.attempts", i)
			r.routed(o, rule.At("backendRefs"), path, r.ingress, "ingress", 1+rule.Whole(0, "retry", "attempts"))
		}
	}
	for _, o := range s.objects["Ingress"] {
		const prefix = "nginx.ingress.kubernetes.io/proxy-next-upstream"
		notes := o.Fields.Texts("metadata", "annotations")
		tries, err := strconv.ParseInt(notes[prefix+"-tries"], 10, 64)
		if err == nil && notes[prefix] != "off" {
			r.routed(o, o.Fields.At("spec"), `metadata.annotations["`+prefix+`-tries"]`, r.ingress, "ingress", tries)
		}
	}
	for _, o := range s.objects["IngressRoute"] {
		for _, route := range o.Fields.Trees("spec", "routes") {
			for _, ref := range route.Trees("middlewares") {
				if m := s.middleware(o, ref); m != nil {
					r.routed(o, route.At("services"), "", r.ingress, "ingress", m.Fields.Whole(0, "spec", "retry", "attempts"), Place{m, "spec.retry.attempts"})
				}
			}
		}
	}
	s.findCallers(r)
	return r
}

// routed notes the services that a part of a route refers to, where it tries more than
// once; the place is that of the setting, where another object has it.
func (r *retrying) routed(o *Object, part any, path string, into map[string]*Retry, layer string, tries int64, at ...Place) {
	if tries <= 1 {
		return
	}
	place := Place{o, path}
	if len(at) > 0 {
		place = at[0]
	}
	walk(part, func(t Fields) {
		if to := target(o, t); to != "" {
			keepMost(into, &Retry{place, layer, to, float64(tries)})
		}
	})
}

// virtualService reads a route of Istio: one that names gateways, and not the mesh,
// is for requests from outside.
func (s *Snapshot) virtualService(r *retrying, o *Object) {
	into, layer := r.mesh, "mesh"
	if gateways := o.Fields.List("spec", "gateways"); len(gateways) > 0 && !slices.Contains(gateways, any("mesh")) {
		into, layer = r.ingress, "ingress"
	}
	for i, route := range o.Fields.Trees("spec", "http") {
		on, told := route.At("retries", "retryOn").(string)
		if told && !overloads.MatchString(on) {
			continue
		}
		path := fmt.Sprintf("spec.http[%d].retries.attempts", i)
		r.routed(o, route.At("route"), path, into, layer, 1+route.Whole(0, "retries", "attempts"))
	}
}

// middleware returns the middleware that a route of Traefik refers to, nil where it was
// not read.
func (s *Snapshot) middleware(o *Object, ref Fields) *Object {
	namespace := ref.Text("namespace")
	if namespace == "" {
		namespace = o.Namespace
	}
	for _, m := range s.objects["Middleware"] {
		if m.Name == ref.Text("name") && m.Namespace == namespace {
			return m
		}
	}
	return nil
}

// retryVariable tells the variables of a client that say how often it sends a request:
// how often again, or how often in all.
var retryVariable = regexp.MustCompile(`^(.*?)_?(?:(MAX_RETRIES|RETRIES|RETRY_COUNT)|(MAX_ATTEMPTS|MAXATTEMPTS|RETRY_ATTEMPTS))$`)

// general are the beginnings of such names that are about all services.
var general = []string{"", "CLIENT", "DEFAULT", "HTTP", "HTTP_CLIENT", "REQUEST", "RETRY", "RESILIENCE4J_RETRY_CONFIGS_DEFAULT"}

// findCallers finds the containers that name services as what they call.
func (s *Snapshot) findCallers(r *retrying) {
	services := s.related().byService
	for _, w := range s.related().workloads {
		for _, c := range w.Containers {
			all := s.environment(w.Namespace, c)
			for _, e := range all {
				to := serviceNamed(services, w.Namespace, e.name, e.value)
				if to == "" {
					continue
				}
				one := caller{workload: w}
				for _, other := range all {
					if tries := triesFor(other, e.name); tries > 1 && (one.retry == nil || one.retry.Tries < tries) {
						one.retry = &Retry{Place{w.Object, other.path}, "client", to, tries}
					}
				}
				r.callers[to] = append(r.callers[to], one)
			}
		}
	}
}

// triesFor returns how often a client sends a request, as a variable says for what
// another one has the address of; 0 where it says nothing of that.
func triesFor(v variable, address string) float64 {
	m := retryVariable.FindStringSubmatch(strings.ToUpper(v.name))
	if m == nil || !slices.Contains(general, m[1]) && !strings.HasPrefix(strings.ToUpper(address), m[1]+"_") {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v.value), 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	if m[2] != "" {
		n++ // the first one
	}
	return float64(n)
}

// addressed ends the names of variables whose value may be the bare name of a host.
var addressed = regexp.MustCompile(`(?i)(URL|URI|HOST|ADDR|ADDRESS|ENDPOINT|SERVICE|UPSTREAM|TARGET)$`)

// serviceNamed returns the service that the value of a variable is the address of, as
// namespace/name; empty where it is of none that was read.
func serviceNamed(services map[string]*Service, namespace, name, value string) string {
	if len(value) > 500 || !addressed.MatchString(name) {
		return ""
	}
	host := value
	if strings.Contains(value, "://") {
		u, err := url.Parse(value)
		if err != nil {
			return ""
		}
		host = u.Host
	}
	host, _, _ = strings.Cut(host, "/")
	host, _, _ = strings.Cut(host, ":")
	parts := strings.Split(host, ".")
	if len(parts) > 1 {
		namespace = parts[1]
	}
	if len(parts) > 2 && parts[2] != "svc" || services[namespace+"/"+parts[0]] == nil {
		return ""
	}
	return namespace + "/" + parts[0]
}

// maxWay bounds how far a way is followed.
const maxWay = 12

// heaviest returns the retries of the way to a service on which a request is sent most
// often, from the outside inwards.
func (s *Snapshot) heaviest(r *retrying, to string, seen []string) []*Retry {
	var best []*Retry
	if out := r.ingress[to]; out != nil {
		best = []*Retry{out}
	}
	if len(seen) >= maxWay || slices.Contains(seen, to) {
		return best
	}
	seen = append(slices.Clip(seen), to)
	for _, c := range r.callers[to] {
		var way []*Retry
		for _, before := range s.servicesOf(c.workload) {
			if w := s.heaviest(r, before, seen); product(w) > product(way) {
				way = w
			}
		}
		way = slices.Clone(way)
		if c.retry != nil {
			way = append(way, c.retry)
		}
		if r.mesh[to] != nil {
			way = append(way, r.mesh[to])
		}
		if product(way) > product(best) {
			best = way
		}
	}
	if r.mesh[to] != nil && r.mesh[to].Tries > product(best) {
		best = []*Retry{r.mesh[to]} // whoever calls it
	}
	return best
}

// servicesOf names the services that send requests to a workload.
func (s *Snapshot) servicesOf(w *Workload) []string {
	var all []string
	for _, o := range w.services() {
		all = append(all, o.Namespace+"/"+o.Name)
	}
	return all
}

// product returns how often a request at the start of a way is sent at its end.
func product(way []*Retry) float64 {
	n := 1.0
	for _, r := range way {
		n *= r.Tries
	}
	return n
}

// Retries returns the settings by which requests are sent again on the way to the
// service, of the way on which they are sent most often, and an [Unread] where not all
// that may send them was read.
func (v *Service) Retries() ([]*Retry, error) {
	for _, kind := range []string{"Deployment", "StatefulSet", "DaemonSet", "Ingress", "VirtualService", "HTTPRoute", "IngressRoute", "Middleware"} {
		if err := v.snap.Whole(kind); err != nil {
			return nil, err
		}
	}
	return v.snap.heaviest(v.snap.related().retries(), v.Namespace+"/"+v.Name, nil), nil
}

// Load returns how often a request at the start of that way is sent to the service.
func (v *Service) Load() (float64, error) {
	way, err := v.Retries()
	return product(way), err
}
