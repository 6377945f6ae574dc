package cluster

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/openprecedent/precedent/internal/check/object"
)

// add keeps what checks read of a page: of pods, which are many, a few fields, of
// the others all but what only managers of objects need.
func add(snap *object.Snapshot, l list, p page) (int, error) {
	if pods, ok := p.(*podPage); ok {
		return len(pods.items), addPods(snap, l, pods)
	}
	if custom, ok := p.(*customPage); ok {
		return custom.keep(snap, l), nil
	}
	items := reflect.ValueOf(p).Elem().FieldByName("Items")
	all := make([]*object.Object, 0, items.Len())
	for i := range items.Len() {
		item := items.Index(i).Addr().Interface()
		switch item := item.(type) {
		case *corev1.Secret:
			publish(item)
		case *discoveryv1.EndpointSlice:
			lighten(item)
			item.Endpoints = together(item.Endpoints)
		case metav1.Object:
			lighten(item)
		}
		o, err := objectOf(l, item)
		if err != nil {
			return 0, err
		}
		all = append(all, o)
	}
	snap.Add(all...)
	return len(all), nil
}

// together makes one endpoint of those that are in the same state and place, with the
// addresses of all: of large services this is most.
func together(all []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	kept := all[:0]
	for _, e := range all {
		at := slices.IndexFunc(kept, func(k discoveryv1.Endpoint) bool {
			return reflect.DeepEqual(k.Conditions, e.Conditions) && reflect.DeepEqual(k.Zone, e.Zone) && k.Hostname == nil && e.Hostname == nil
		})
		if at < 0 {
			kept = append(kept, e)
			continue
		}
		kept[at].Addresses = append(kept[at].Addresses, e.Addresses...)
	}
	return kept
}

// size returns how many objects a page holds.
func size(p page) int { return reflect.ValueOf(p).Elem().FieldByName("Items").Len() }

// lighten takes off an object what no check reads, and what may repeat secrets.
func lighten(m metav1.Object) {
	m.SetManagedFields(nil)
	if a := m.GetAnnotations(); a != nil {
		delete(a, "kubectl.kubernetes.io/last-applied-configuration")
		m.SetAnnotations(a) // what is asked for may be a copy
	}
}

func objectOf(l list, item any) (*object.Object, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(item)
	if err != nil {
		return nil, fmt.Errorf("reading a %s: %w", l.kind, err)
	}
	fields["apiVersion"], fields["kind"] = l.version, l.kind // which members of a list do not say
	shared, _ := l.pool.tree(fields)
	t := object.Tree(shared)
	return &object.Object{
		Source: "cluster", APIVersion: l.version, Kind: l.kind, Fields: t,
		Namespace: t.Text("metadata", "namespace"), Name: t.Text("metadata", "name"),
	}, nil
}

// podPage is a page of pods, each not decoded yet.
type podPage struct {
	metav1.ListMeta
	items [][]byte
}

// Unmarshal implements page.
func (p *podPage) Unmarshal(data []byte) error {
	for len(data) > 0 {
		f, rest, err := nextField(data)
		if err != nil {
			return err
		}
		switch f.number {
		case 1:
			if err := p.ListMeta.Unmarshal(f.value); err != nil {
				return err
			}
		case inItem:
			p.items = append(p.items, f.value)
		}
		data = rest
	}
	return nil
}

// addPods keeps what is kept of pods. One that nothing has made is an object too,
// since it is a workload.
func addPods(snap *object.Snapshot, l list, pods *podPage) error {
	kept, short := make([]object.Pod, 0, len(pods.items)), &shortPods{shape: podShape()}
	for _, item := range pods.items {
		pod, err := short.read(item)
		if err != nil {
			return fmt.Errorf("reading a pod: %w", err)
		}
		if owner := metav1.GetControllerOfNoCopy(&pod); owner != nil {
			kept = append(kept, podOf(&pod, owner, l.pool.text))
			continue
		}
		pod.Reset()
		if err := pod.Unmarshal(item); err != nil {
			return fmt.Errorf("reading a pod: %w", err)
		}
		lighten(&pod)
		o, err := objectOf(l, &pod)
		if err != nil {
			return err
		}
		snap.Add(o)
	}
	snap.AddPods(kept...)
	return nil
}

// shortPods reads of pods what [podOf] reads. The pods of a workload come one after
// the other and have one specification, but for the node; that is decoded once.
type shortPods struct {
	shape        *shape
	last, buffer []byte // the specification before, and what it is pruned into
	spec         corev1.PodSpec
}

func (s *shortPods) read(item []byte) (pod corev1.Pod, err error) {
	for rest := item; len(rest) > 0; {
		var f field
		if f, rest, err = nextField(rest); err != nil {
			return pod, err
		}
		inner := s.shape.of[f.number]
		if inner == nil || f.wire != 2 {
			continue
		}
		if s.buffer, err = prune(s.buffer[:0], f.value, inner); err != nil {
			return pod, err
		}
		switch f.number {
		case inMetadata:
			err = pod.ObjectMeta.Unmarshal(s.buffer)
		case inStatus:
			err = pod.Status.Unmarshal(s.buffer)
		default:
			if !bytes.Equal(s.buffer, s.last) {
				s.spec = corev1.PodSpec{}
				err = s.spec.Unmarshal(s.buffer)
				s.last = append(s.last[:0], s.buffer...)
			}
			pod.Spec = s.spec
			pod.Spec.NodeName = nodeNameIn(f.value)
		}
		if err != nil {
			return pod, err
		}
	}
	return pod, nil
}

// nodeNameIn returns the node of a specification.
func nodeNameIn(spec []byte) string {
	for len(spec) > 0 {
		f, rest, err := nextField(spec)
		if err != nil {
			return ""
		}
		if f.number == inNodeName {
			return string(f.value)
		}
		spec = rest
	}
	return ""
}

// podOf keeps what is kept of a pod; its texts are those that once gives for them.
func podOf(pod *corev1.Pod, owner *metav1.OwnerReference, once func(string) string) object.Pod {
	p := object.Pod{
		Namespace: once(pod.Namespace), Name: pod.Name, Node: once(pod.Spec.NodeName), Phase: once(string(pod.Status.Phase)),
		Created: pod.CreationTimestamp.Time, Owner: once(object.PodOwner(owner.Kind+"/"+owner.Name, pod.Labels["pod-template-hash"])),
		Containers: make([]object.PodContainer, 0, len(pod.Status.ContainerStatuses)),
	}
	p.OwnNetwork = !pod.Spec.HostNetwork
	p.CPU, p.Memory = asked(&pod.Spec)
	p.Most = most(&pod.Spec)
	if pod.Status.StartTime != nil {
		p.Started = pod.Status.StartTime.Time
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			p.Ready, p.ReadySince = c.Status == corev1.ConditionTrue, c.LastTransitionTime.Time
		}
	}
	for _, c := range pod.Status.ContainerStatuses {
		one := object.PodContainer{Name: once(c.Name), Restarts: int64(c.RestartCount), Ready: c.Ready}
		if c.State.Waiting != nil {
			one.Waiting = once(c.State.Waiting.Reason)
		}
		if c.LastTerminationState.Terminated != nil {
			one.Last = once(c.LastTerminationState.Terminated.Reason)
		}
		p.Containers = append(p.Containers, one)
	}
	return p
}

// asked returns what a pod asks for, as the API server has filled it in.
func asked(spec *corev1.PodSpec) (cpu, memory float64) {
	var all []object.Ask
	add := func(c *corev1.Container, init bool) {
		all = append(all, object.Ask{
			Init: init, Beside: init && c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways,
			CPU: amount(c.Resources.Requests, corev1.ResourceCPU), Memory: amount(c.Resources.Requests, corev1.ResourceMemory),
		})
	}
	for i := range spec.InitContainers {
		add(&spec.InitContainers[i], true)
	}
	for i := range spec.Containers {
		add(&spec.Containers[i], false)
	}
	cpu, memory = object.Asked(all)
	if spec.Resources != nil { // of the pod as a whole
		if _, ok := spec.Resources.Requests[corev1.ResourceCPU]; ok {
			cpu = amount(spec.Resources.Requests, corev1.ResourceCPU)
		}
		if _, ok := spec.Resources.Requests[corev1.ResourceMemory]; ok {
			memory = amount(spec.Resources.Requests, corev1.ResourceMemory)
		}
	}
	return cpu + amount(spec.Overhead, corev1.ResourceCPU), memory + amount(spec.Overhead, corev1.ResourceMemory)
}

// most returns how much memory a pod may use, 0 where there is no bound.
func most(spec *corev1.PodSpec) float64 {
	if spec.Resources != nil {
		if limit := amount(spec.Resources.Limits, corev1.ResourceMemory); limit > 0 {
			return limit
		}
	}
	sum := 0.0
	for i := range spec.Containers {
		limit := amount(spec.Containers[i].Resources.Limits, corev1.ResourceMemory)
		if limit == 0 {
			return 0
		}
		sum += limit
	}
	return sum
}

func amount(of corev1.ResourceList, name corev1.ResourceName) float64 {
	q := of[name]
	return q.AsApproximateFloat64()
}
