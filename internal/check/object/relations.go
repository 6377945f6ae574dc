package object

import (
	"slices"
	"strings"
	"sync"
)

// relations are what belongs together in a snapshot.
type relations struct {
	workloads   []*Workload
	services    []*Service
	nodes       []*Node
	system      []*SystemPart
	byNode      map[string]*Node
	byKey       map[string]*Workload // by namespace/Kind/name
	byService   map[string]*Service  // by namespace/name
	podsOf      map[string][]*Pod    // by namespace/Kind/name of the workload
	byNamespace map[string]map[string][]*Object
	routesTo    map[string][]string    // by namespace/name of the service
	endpoints   map[string][]*Object   // the slices of a service, or its Endpoints, by the kind and namespace/name of the service
	workloadsIn map[string][]*Workload // by namespace
	namespaces  map[string][]*Object   // by name
	used        map[[2]string][]Use    // by namespace and name of the pod
	nodeUse     map[string]*Object     // NodeMetrics by node
	retries     func() *retrying       // who sends requests to services, found when it is asked for
}

// selecting are the kinds that are looked up by namespace.
var selecting = []string{"HorizontalPodAutoscaler", "Ingress", "PodDisruptionBudget", "Service"}

// relate finds what belongs together. It runs once, after all was read.
func (s *Snapshot) relate() *relations {
	r := &relations{services: s.servicesRead(), system: s.systemParts(), routesTo: s.routes(), podsOf: map[string][]*Pod{}, byNamespace: map[string]map[string][]*Object{}, byNode: map[string]*Node{},
		byKey: map[string]*Workload{}, byService: map[string]*Service{}}
	for _, v := range r.services {
		r.byService[v.Namespace+"/"+v.Name] = v
	}
	r.endpoints = s.endpointsRead()
	r.namespaces = map[string][]*Object{}
	for _, o := range s.objects["Namespace"] {
		r.namespaces[o.Name] = append(r.namespaces[o.Name], o)
	}
	for _, kind := range selecting {
		in := map[string][]*Object{}
		for _, o := range s.objects[kind] {
			in[o.Namespace] = append(in[o.Namespace], o)
		}
		r.byNamespace[kind] = in
	}
	s.containers = map[writtenContainer]*Container{}
	defer func() { s.containers = nil }()
	for _, kind := range WorkloadKinds() {
		for _, o := range s.objects[kind] {
			if o.owner() == "" {
				w := workloadOf(s, o)
				r.workloads, r.byKey[w.key()] = append(r.workloads, w), w
			}
		}
	}
	r.workloadsIn = map[string][]*Workload{}
	for _, w := range r.workloads {
		r.workloadsIn[w.Namespace] = append(r.workloadsIn[w.Namespace], w)
	}
	for _, p := range s.pods {
		owner := p.Owner
		if owner == "" {
			owner = "Pod/" + p.Name
		}
		key := p.Namespace + "/" + owner
		r.podsOf[key] = append(r.podsOf[key], p)
	}
	r.used, r.nodeUse, r.retries = s.used(), map[string]*Object{}, sync.OnceValue(s.retrying)
	for _, o := range s.objects[NodeMetrics] {
		r.nodeUse[o.Name] = o
	}
	for _, o := range s.objects["Node"] {
		n := nodeOf(s, o)
		r.nodes = append(r.nodes, n)
		r.byNode[n.Name] = n
	}
	for _, p := range s.pods {
		if n := r.byNode[p.Node]; n != nil && !p.Ended() {
			n.pods = append(n.pods, p)
		}
	}
	return r
}

// Workloads returns the workloads that were read, by kind, and an [Unread] where
// a kind of them was not read whole.
func (s *Snapshot) Workloads() ([]*Workload, error) {
	var err error
	for _, kind := range []string{"Deployment", "StatefulSet", "DaemonSet"} {
		if e := s.Whole(kind); err == nil {
			err = e
		}
	}
	return s.related().workloads, err
}

// WorkloadsOf returns the workloads of a kind that were read.
func (s *Snapshot) WorkloadsOf(kind string) ([]*Workload, error) {
	all := s.related().workloads // those of a kind stand together, in the order of their kinds
	from := slices.IndexFunc(all, func(w *Workload) bool { return w.Kind == kind })
	if from < 0 {
		return nil, s.Whole(kind)
	}
	end := from
	for end < len(all) && all[end].Kind == kind {
		end++
	}
	return all[from:end:end], s.Whole(kind)
}

// Workload returns the workload of a kind, a namespace and a name, nil where there
// is none; the error says that there may be one nevertheless.
func (s *Snapshot) Workload(kind, namespace, name string) (*Workload, error) {
	if w := s.related().byKey[namespace+"/"+kind+"/"+name]; w != nil {
		return w, nil
	}
	return nil, s.Whole(kind)
}

// Nodes returns the nodes.
func (s *Snapshot) Nodes() ([]*Node, error) { return s.related().nodes, s.Whole("Node") }

// Node returns the node of a name, nil where it was not read.
func (s *Snapshot) Node(name string) *Node { return s.related().byNode[name] }

// Pods returns all pods.
func (s *Snapshot) Pods() ([]*Pod, error) { return s.pods, s.Whole("Pod") }

// Zones returns the zones of the nodes that pods run on, each once, in order.
// Nodes without one, or that were not read, have none.
func (s *Snapshot) Zones(pods []*Pod) []string {
	var all []string
	for _, p := range pods {
		if n := s.Node(p.Node); n != nil && n.Zone != "" && !slices.Contains(all, n.Zone) {
			all = append(all, n.Zone)
		}
	}
	slices.Sort(all)
	return all
}

// NodesOf returns the nodes that pods run on, each once, in order.
func NodesOf(pods []*Pod) []string {
	var all []string
	for _, p := range pods {
		if p.Node != "" {
			all = append(all, p.Node)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Runs reports whether a workload runs an image whose name holds a text.
func (s *Snapshot) Runs(image string) (bool, error) {
	all, err := s.Workloads()
	for _, w := range all {
		for _, c := range w.Containers {
			if strings.Contains(c.Image, image) {
				return true, nil
			}
		}
	}
	return false, err
}
