package object

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// podSpecs is where the kinds that make pods hold what their pods are like.
var podSpecs = map[string]string{
	"CronJob":               "spec.jobTemplate.spec.template",
	"DaemonSet":             "spec.template",
	"Deployment":            "spec.template",
	"Job":                   "spec.template",
	"Pod":                   "",
	"ReplicaSet":            "spec.template",
	"ReplicationController": "spec.template",
	"StatefulSet":           "spec.template",
}

// WorkloadKinds returns the kinds of workloads, in order.
func WorkloadKinds() []string {
	var all []string
	for k := range podSpecs {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// Workload is what makes pods and is itself made by nobody else: a Deployment,
// but not its ReplicaSets.
type Workload struct {
	*Object
	Template   Fields // metadata and spec of its pods
	Path       string // of the template in the object, empty for a pod
	Labels     map[string]string
	Containers []*Container
	Init       []*Container
	Replicas   int64 // wanted: of a DaemonSet, the nodes that it is to run on as far as known; of a Job, its parallelism

	snap     *Snapshot
	services func() []*Object // found once, since several checks ask for each workload
	budgets  func() []*Object
}

func workloadOf(s *Snapshot, o *Object) *Workload {
	path := podSpecs[o.Kind]
	w := &Workload{Object: o, Path: path, snap: s, Template: o.Fields}
	w.services, w.budgets = sync.OnceValue(w.servicesFound), sync.OnceValue(w.budgetsFound)
	if path != "" {
		w.Template = o.Fields.Sub(strings.Split(path, ".")...)
	}
	w.Labels = w.Template.Texts("metadata", "labels")
	w.Containers = w.containers("containers")
	w.Init = w.containers("initContainers")
	switch o.Kind {
	case "DaemonSet":
		w.Replicas = o.Fields.Whole(0, "status", "desiredNumberScheduled")
	case "Job":
		w.Replicas = o.Fields.Whole(1, "spec", "parallelism")
	case "CronJob":
		w.Replicas = o.Fields.Whole(1, "spec", "jobTemplate", "spec", "parallelism")
	case "Pod":
		w.Replicas = 1
	default:
		w.Replicas = o.Fields.Whole(1, "spec", "replicas")
	}
	return w
}

// SpecPath returns the path of a field of the pods' specification.
func (w *Workload) SpecPath(field string) string {
	if w.Path == "" {
		return Join("spec", field)
	}
	return Join(w.Path, "spec", field)
}

// Spec returns what the pods are like.
func (w *Workload) Spec() Fields { return w.Template.Sub("spec") }

func (w *Workload) containers(field string) []*Container {
	var all []*Container
	for i, one := range w.Template.List("spec", field) {
		if m, ok := asFields(one); ok {
			all = append(all, w.snap.container(m, w.SpecPath(field+"["+strconv.Itoa(i)+"]"), field == "initContainers"))
		}
	}
	return all
}

// writtenContainer is a container as it is written, and where it stands.
type writtenContainer struct {
	spec Fields
	path string
}

// container reads a container. Those of the proxy of a mesh are the same in many
// workloads of a cluster, and are one there.
func (s *Snapshot) container(spec Fields, path string, init bool) *Container {
	if _, packed := spec.(*Packed); !packed {
		return containerOf(spec, path, init)
	}
	key := writtenContainer{spec, path}
	c, ok := s.containers[key]
	if !ok {
		c = containerOf(spec, path, init)
		s.containers[key] = c
	}
	return c
}

// key is how pods name the workload as their owner, in their namespace.
func (w *Workload) key() string { return w.Namespace + "/" + w.Kind + "/" + w.Name }

// Pods returns the pods of the workload.
func (w *Workload) Pods() ([]*Pod, error) {
	if w.snap.Whole("Pod") != nil && len(w.snap.pods) == 0 {
		return nil, w.snap.Whole("Pod")
	}
	return w.snap.related().podsOf[w.key()], w.snap.Whole("Pod")
}

// Services returns the services that send requests to the workload's pods.
func (w *Workload) Services() ([]*Object, error) { return w.services(), w.snap.Whole("Service") }

func (w *Workload) servicesFound() []*Object {
	return w.selectedBy("Service", func(o *Object) bool {
		s := o.Fields.Sub("spec", "selector")
		return s.Len() > 0 && hasLabels(w.Labels, s)
	})
}

// Budgets returns the pod disruption budgets of the workload's pods.
func (w *Workload) Budgets() ([]*Object, error) {
	return w.budgets(), w.snap.Whole("PodDisruptionBudget")
}

func (w *Workload) budgetsFound() []*Object {
	return w.selectedBy("PodDisruptionBudget", func(o *Object) bool {
		s, ok := asFields(o.Fields.At("spec", "selector"))
		return ok && Selects(s, w.Labels)
	})
}

func (w *Workload) selectedBy(kind string, selects func(*Object) bool) []*Object {
	var all []*Object
	for _, o := range w.snap.related().byNamespace[kind][w.Namespace] {
		if selects(o) {
			all = append(all, o)
		}
	}
	return all
}

// Autoscalers returns the autoscalers that set the number of its pods.
func (w *Workload) Autoscalers() ([]*Object, error) {
	var all []*Object
	for _, o := range w.snap.related().byNamespace["HorizontalPodAutoscaler"][w.Namespace] {
		target := o.Fields.Sub("spec", "scaleTargetRef")
		if target.Text("kind") == w.Kind && target.Text("name") == w.Name {
			all = append(all, o)
		}
	}
	return all, w.snap.Whole("HorizontalPodAutoscaler")
}

// Selects reports whether a label selector of Kubernetes, with matchLabels and
// matchExpressions, selects what carries the labels. An operator that is not
// known selects nothing.
func Selects(selector Fields, labels map[string]string) bool {
	if !hasLabels(labels, selector.Sub("matchLabels")) {
		return false
	}
	for _, e := range selector.Trees("matchExpressions") {
		have, ok := labels[e.Text("key")]
		in := slices.Contains(e.List("values"), any(have))
		var holds bool
		switch e.Text("operator") {
		case "In":
			holds = ok && in
		case "NotIn":
			holds = !ok || !in
		case "Exists":
			holds = ok
		case "DoesNotExist":
			holds = !ok
		}
		if !holds {
			return false
		}
	}
	return true
}

// hasLabels reports whether all of some labels are among others.
func hasLabels(labels map[string]string, wanted Fields) bool {
	for k, v := range wanted.All() {
		if have, ok := labels[k]; !ok || have != v {
			return false
		}
	}
	return true
}

// Zones returns the zones that some pods run in, as far as their nodes are known.
func (w *Workload) Zones(pods []*Pod) []string { return w.snap.Zones(pods) }
