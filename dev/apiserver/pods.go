package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func probe(path, port string) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:   corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromString(port), Scheme: corev1.URISchemeHTTP}},
		TimeoutSeconds: 3, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3,
	}
}

// podSpec is that of a service with the proxy of a mesh beside it.
func podSpec(i int) corev1.PodSpec {
	app := corev1.Container{
		Name: "app", Image: fmt.Sprintf("registry.example.com/product-%03d/%s:1.%d.%d", i%97, named(i), i%13, i%31), ImagePullPolicy: corev1.PullIfNotPresent,
		Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
		Env: []corev1.EnvVar{
			{Name: "LOG_LEVEL", Value: "info"},
			{Name: "CACHE_HOST", Value: fmt.Sprintf("cache-%02d.example.com", i%12)},
			{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}},
		},
		SecurityContext: &corev1.SecurityContext{
			RunAsNonRoot: set(true), RunAsUser: set(int64(10001)), ReadOnlyRootFilesystem: set(true), AllowPrivilegeEscalation: set(false),
			Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
		VolumeMounts:  []corev1.VolumeMount{{Name: "tmp", MountPath: "/tmp"}},
		Resources:     corev1.ResourceRequirements{Requests: amounts("100m", "128Mi"), Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")}},
		LivenessProbe: probe("/livez", "http"), ReadinessProbe: probe("/readyz", "http"), StartupProbe: probe("/livez", "http"),
	}
	mesh := corev1.Container{
		Name: "proxy", Image: "registry.example.com/mesh/proxy:1.27.3", ImagePullPolicy: corev1.PullIfNotPresent,
		Ports:          []corev1.ContainerPort{{Name: "mesh", ContainerPort: 15090, Protocol: corev1.ProtocolTCP}},
		Resources:      corev1.ResourceRequirements{Requests: amounts("10m", "40Mi"), Limits: amounts("2", "256Mi")},
		ReadinessProbe: probe("/healthz/ready", "mesh"),
	}
	return corev1.PodSpec{
		Containers: []corev1.Container{app, mesh}, Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
		RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, TerminationGracePeriodSeconds: set(int64(30)),
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: "topology.kubernetes.io/zone", WhenUnsatisfiable: corev1.ScheduleAnyway,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/name": named(i)}},
		}},
	}
}

// pod returns the copy r of a workload.
func (c synthetic) pod(i, r int, owner, hash string) *corev1.Pod {
	start := metav1.NewTime(began().Add(1e9 * 60))
	p := &corev1.Pod{ObjectMeta: c.meta(i, fmt.Sprintf("%s-%05d", owner, r)), Spec: podSpec(i)}
	p.Labels["pod-template-hash"] = hash
	p.Annotations = map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "15090"}
	p.ManagedFields = append(managed("kube-controller-manager"), managed("kubelet")...)
	p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: owner, UID: "r", Controller: set(true), BlockOwnerDeletion: set(true)}}
	if c.nodes > 0 {
		p.Spec.NodeName = fmt.Sprintf("node-%05d", (i*31+r*977)%c.nodes)
	}
	for _, key := range []string{"not-ready", "unreachable"} {
		p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{
			Key: "node.kubernetes.io/" + key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: set(int64(300)),
		})
	}
	p.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: fmt.Sprintf("10.%d.%d.%d", 100+i%100, i/100%250, r%250+1), StartTime: &start, QOSClass: corev1.PodQOSBurstable}
	for _, condition := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: condition, Status: corev1.ConditionTrue, LastTransitionTime: start})
	}
	for k, one := range p.Spec.Containers {
		state := corev1.ContainerStatus{
			Name: one.Name, Image: one.Image, ImageID: fmt.Sprintf("%s@sha256:%064x", one.Image, i), ContainerID: fmt.Sprintf("containerd://%064x", i*1000+r*10+k),
			Ready: true, Started: set(true), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: start}},
		}
		if k == 0 && i%200 == 7 { // one workload in two hundred waits for memory
			state.Ready, state.RestartCount = false, 9
			state.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
			state.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", StartedAt: start, FinishedAt: start}}
		}
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, state)
	}
	return p
}

// node returns a node with as many images as nodes have.
func node(i int) *corev1.Node {
	zone := string(rune('a' + i%3))
	capacity, free := amounts("16", "64Gi"), amounts("15500m", "61Gi")
	capacity[corev1.ResourcePods], free[corev1.ResourcePods] = resource.MustParse("110"), resource.MustParse("110")
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%05d", i), CreationTimestamp: began(), ManagedFields: managed("kubelet"), Labels: map[string]string{
		"kubernetes.io/hostname": fmt.Sprintf("node-%05d", i), "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux",
		"node.kubernetes.io/instance-type": "m6i.4xlarge", "topology.kubernetes.io/region": "r1", "topology.kubernetes.io/zone": "r1" + zone,
	}}}
	n.Spec = corev1.NodeSpec{PodCIDR: fmt.Sprintf("10.%d.%d.0/24", i/256, i%256), ProviderID: fmt.Sprintf("test:///r1%s/i-%08x", zone, i)}
	n.Status = corev1.NodeStatus{
		Capacity: capacity, Allocatable: free,
		Addresses: []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("10.%d.%d.1", i/256, i%256)}},
		NodeInfo: corev1.NodeSystemInfo{
			KubeletVersion: "v1.36.3", OperatingSystem: "linux", Architecture: "amd64", ContainerRuntimeVersion: "containerd://2.1.4", KernelVersion: "6.8.0", OSImage: "test",
		},
	}
	for k := range 30 {
		m := (i*7 + k*131) % 5000
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{
			Names: []string{fmt.Sprintf("registry.example.com/product-%03d/%s:1.%d.%d", m%97, named(m), m%13, m%31)}, SizeBytes: int64(80_000_000 + m*1000),
		})
	}
	for _, condition := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure, corev1.NodeReady} {
		status := corev1.ConditionFalse
		if condition == corev1.NodeReady {
			status = corev1.ConditionTrue
		}
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: condition, Status: status, LastHeartbeatTime: began(), LastTransitionTime: began()})
	}
	return n
}
