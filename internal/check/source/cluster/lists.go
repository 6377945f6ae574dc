package cluster

import (
	"reflect"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/openprecedent/precedent/internal/check/object"
)

// list is a kind of objects that is read. Secrets are not among them.
type list struct {
	kind    string
	version string      // such as apps/v1
	path    string      // of the resource
	page    func() page // of the type that tells what its objects are like
	// selector keeps objects apart that are read for one purpose only.
	selector string
	part     string   // what those are called, which are not all of the kind
	count    bool     // only their number is read
	secret   bool     // only what is public of them is kept
	resource string   // of what not every cluster has
	lacking  string   // what it means that the server does not have it
	later    []string // versions to ask for where this one does not have it
	item     *message // of an object, where it is read from protobuf
	decoder  *decoder
	pods     *podReader // of pods
	buffers  *buffers
}

// buffers are what the pages of a list are read into, one after the other.
type buffers struct{ body, pruned []byte }

// page is a page of a list of one type.
type page interface {
	Unmarshal(data []byte) error
	GetContinue() string
	GetRemainingItemCount() *int64
}

// prepared returns the list with what its objects are read with.
func (l list) prepared(all schema) (list, error) {
	l.decoder, l.buffers = newDecoder(), new(buffers)
	items, ok := reflect.TypeOf(l.page()).Elem().FieldByName("Items")
	if _, custom := l.page().(*customPage); custom || !ok {
		return l, nil
	}
	var err error
	if l.item, err = all.message(items.Type.Elem(), shapeOf(l.kind)); err != nil || l.kind != "Pod" {
		return l, err
	}
	l.pods = &podReader{decoder: l.decoder, shape: podShape(), needed: map[[2]uint64]podNeeds{}}
	l.pods.spec, err = all.message(reflect.TypeFor[corev1.PodSpec](), nil)
	return l, err
}

// lists are the kinds that are read, in the order in which they are asked for: the
// largest first, so that none waits for the others.
func lists() []list {
	return []list{
		{kind: "Pod", version: "v1", path: "/api/v1/pods", page: func() page { return new(corev1.PodList) }},
		{kind: "Deployment", version: "apps/v1", path: "/apis/apps/v1/deployments", page: func() page { return new(appsv1.DeploymentList) }},
		{kind: "EndpointSlice", version: "discovery.k8s.io/v1", path: "/apis/discovery.k8s.io/v1/endpointslices", page: func() page { return new(discoveryv1.EndpointSliceList) }},
		{kind: "Service", version: "v1", path: "/api/v1/services", page: func() page { return new(corev1.ServiceList) }},
		{kind: "Node", version: "v1", path: "/api/v1/nodes", page: func() page { return new(corev1.NodeList) }},
		{kind: "StatefulSet", version: "apps/v1", path: "/apis/apps/v1/statefulsets", page: func() page { return new(appsv1.StatefulSetList) }},
		{kind: "DaemonSet", version: "apps/v1", path: "/apis/apps/v1/daemonsets", page: func() page { return new(appsv1.DaemonSetList) }},
		{kind: "Job", version: "batch/v1", path: "/apis/batch/v1/jobs", page: func() page { return new(batchv1.JobList) }},
		{kind: "CronJob", version: "batch/v1", path: "/apis/batch/v1/cronjobs", page: func() page { return new(batchv1.CronJobList) }},
		{kind: "HorizontalPodAutoscaler", version: "autoscaling/v2", path: "/apis/autoscaling/v2/horizontalpodautoscalers",
			page: func() page { return new(autoscalingv2.HorizontalPodAutoscalerList) }},
		{kind: "PodDisruptionBudget", version: "policy/v1", path: "/apis/policy/v1/poddisruptionbudgets", page: func() page { return new(policyv1.PodDisruptionBudgetList) }},
		{kind: "Ingress", version: "networking.k8s.io/v1", path: "/apis/networking.k8s.io/v1/ingresses", page: func() page { return new(networkingv1.IngressList) }},
		{kind: "Namespace", version: "v1", path: "/api/v1/namespaces", page: func() page { return new(corev1.NamespaceList) }},
		{kind: "ResourceQuota", version: "v1", path: "/api/v1/resourcequotas", page: func() page { return new(corev1.ResourceQuotaList) }},
		{kind: "LimitRange", version: "v1", path: "/api/v1/limitranges", page: func() page { return new(corev1.LimitRangeList) }},
		{kind: "PersistentVolumeClaim", version: "v1", path: "/api/v1/persistentvolumeclaims", page: func() page { return new(corev1.PersistentVolumeClaimList) }},
		{kind: "PriorityClass", version: "scheduling.k8s.io/v1", path: "/apis/scheduling.k8s.io/v1/priorityclasses", page: func() page { return new(schedulingv1.PriorityClassList) }},
		{kind: "ValidatingWebhookConfiguration", version: "admissionregistration.k8s.io/v1", path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
			page: func() page { return new(admissionv1.ValidatingWebhookConfigurationList) }},
		{kind: "MutatingWebhookConfiguration", version: "admissionregistration.k8s.io/v1", path: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
			page: func() page { return new(admissionv1.MutatingWebhookConfigurationList) }},
		{kind: "ClusterRole", version: "rbac.authorization.k8s.io/v1", path: "/apis/rbac.authorization.k8s.io/v1/clusterroles", page: func() page { return new(rbacv1.ClusterRoleList) }},
		{kind: "ClusterRoleBinding", version: "rbac.authorization.k8s.io/v1", path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
			page: func() page { return new(rbacv1.ClusterRoleBindingList) }},
		{kind: "FlowSchema", version: "flowcontrol.apiserver.k8s.io/v1", path: "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
			page: func() page { return new(flowcontrolv1.FlowSchemaList) }},
		// Of ConfigMaps only those of the cluster's own DNS are read: others may hold
		// what is nobody's business.
		{kind: "ConfigMap", version: "v1", path: "/api/v1/namespaces/kube-system/configmaps", selector: "metadata.name=coredns", part: object.CorefileMap, page: func() page { return new(corev1.ConfigMapList) }},
		{kind: "Event", version: "v1", path: "/api/v1/events", page: func() page { return new(corev1.EventList) }, count: true},
	}
}

// Kinds returns the kinds that a cluster may be read for, or that are counted,
// Secrets among them, in no order.
func Kinds() []string {
	all := []string{secrets().kind}
	for _, l := range lists() {
		all = append(all, l.kind)
	}
	for _, k := range customs() {
		all = append(all, k.kind)
	}
	return all
}
