package main

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// perWorkload is how many pods each Deployment has.
const perWorkload = 10

// synthetic is a cluster of Deployments, each with its pods, a Service, its
// endpoints, and for some of them a budget and an autoscaler. All follows from an
// index: the same numbers make the same cluster.
type synthetic struct{ nodes, workloads, namespaces int }

// began is when everything began.
func began() metav1.Time { return metav1.NewTime(time.Unix(1_790_000_000, 0).UTC()) }

func set[T any](v T) *T { return &v }

// step returns the objects of an index.
func (c synthetic) step(i int) []stored {
	var all []stored
	if i < c.namespaces {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: c.namespace(i), CreationTimestamp: began()}}
		all = append(all, stored{"namespaces/" + ns.Name, "v1", "Namespace", ns})
	}
	if i < c.nodes {
		n := node(i)
		all = append(all, stored{"minions/" + n.Name, "v1", "Node", n})
	}
	if i < c.workloads {
		all = append(all, c.workload(i)...)
	}
	return all
}

func (c synthetic) namespace(i int) string { return fmt.Sprintf("team-%04d", i%c.namespaces) }

func named(i int) string { return fmt.Sprintf("svc-%05d", i) }

func labels(i int) map[string]string {
	return map[string]string{
		"app.kubernetes.io/name": named(i), "app.kubernetes.io/part-of": fmt.Sprintf("product-%03d", i%97),
		"app.kubernetes.io/managed-by": "Helm", "tier": []string{"web", "api", "worker", "cache"}[i%4],
	}
}

func (c synthetic) meta(i int, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: c.namespace(i), Labels: labels(i), CreationTimestamp: began()}
}

// managed is what the API server remembers of who wrote what, as long as it is in
// clusters.
func managed(by string) []metav1.ManagedFieldsEntry {
	at := began()
	return []metav1.ManagedFieldsEntry{{
		Manager: by, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &at, FieldsType: "FieldsV1",
		FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{},"f:tier":{}}},"f:spec":{"f:containers":{` +
			`"k:{\"name\":\"app\"}":{".":{},"f:env":{".":{},"k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:livenessProbe":{` +
			`".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{}}},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}}}}}}}`)},
	}}
}

// workload returns a Deployment and all that belongs to it.
func (c synthetic) workload(i int) []stored {
	name, hash := named(i), fmt.Sprintf("%08x", i*2654435761&0xffffffff)
	ns := c.namespace(i) + "/"
	pods := metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/name": name}}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels(i)}, Spec: podSpec(i)}
	d := &appsv1.Deployment{ObjectMeta: c.meta(i, name), Spec: appsv1.DeploymentSpec{Replicas: set(int32(perWorkload)), Selector: &pods, Template: template}}
	d.ManagedFields = managed("helm")
	d.Status = appsv1.DeploymentStatus{Replicas: perWorkload, ReadyReplicas: perWorkload, AvailableReplicas: perWorkload}
	rs := &appsv1.ReplicaSet{ObjectMeta: c.meta(i, name+"-"+hash), Spec: appsv1.ReplicaSetSpec{Replicas: d.Spec.Replicas, Selector: &pods, Template: template}}
	rs.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: name, UID: "d", Controller: set(true)}}
	s := &corev1.Service{ObjectMeta: c.meta(i, name), Spec: corev1.ServiceSpec{
		ClusterIP: corev1.ClusterIPNone, ClusterIPs: []string{corev1.ClusterIPNone}, Selector: pods.MatchLabels, Type: corev1.ServiceTypeClusterIP,
		Ports: []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http"), Protocol: corev1.ProtocolTCP}},
	}}
	slice := &discoveryv1.EndpointSlice{ObjectMeta: c.meta(i, name+"-a"), AddressType: discoveryv1.AddressTypeIPv4}
	slice.Labels["kubernetes.io/service-name"] = name
	config := &corev1.ConfigMap{ObjectMeta: c.meta(i, name), Data: map[string]string{}}
	for k := range 12 {
		config.Data[fmt.Sprintf("SETTING_%02d", k)] = fmt.Sprintf("value-%d-%d", i, k)
	}
	all := []stored{
		{"deployments/" + ns + name, "apps/v1", "Deployment", d}, {"replicasets/" + ns + rs.Name, "apps/v1", "ReplicaSet", rs},
		{"services/specs/" + ns + name, "v1", "Service", s}, {"configmaps/" + ns + name, "v1", "ConfigMap", config},
		{"endpointslices/" + ns + slice.Name, "discovery.k8s.io/v1", "EndpointSlice", slice},
	}
	for r := range perWorkload {
		p := c.pod(i, r, rs.Name, hash)
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{p.Status.PodIP}, Conditions: discoveryv1.EndpointConditions{Ready: set(true)}, NodeName: &p.Spec.NodeName,
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: p.Namespace, Name: p.Name},
		})
		all = append(all, stored{"pods/" + ns + p.Name, "v1", "Pod", p})
	}
	if i%2 == 0 {
		b := &policyv1.PodDisruptionBudget{ObjectMeta: c.meta(i, name), Spec: policyv1.PodDisruptionBudgetSpec{Selector: &pods, MaxUnavailable: set(intstr.FromInt32(1))}}
		all = append(all, stored{"poddisruptionbudgets/" + ns + name, "policy/v1", "PodDisruptionBudget", b})
	}
	if i%3 == 0 {
		h := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: c.meta(i, name), Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
			MinReplicas:    set(int32(2)), MaxReplicas: 3 * perWorkload,
		}}
		all = append(all, stored{"horizontalpodautoscalers/" + ns + name, "autoscaling/v2", "HorizontalPodAutoscaler", h})
	}
	return all
}

func amounts(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}
