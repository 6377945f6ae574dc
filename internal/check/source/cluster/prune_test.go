package cluster

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/openprecedent/precedent/internal/check/object"
)

// richPod has something in every field that is kept, and much that is not.
func richPod() *corev1.Pod {
	yes, always := true, corev1.ContainerRestartPolicyAlways
	at := metav1.NewTime(time.Unix(1_790_000_000, 0))
	amounts := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("64Mi")}
	container := corev1.Container{
		Name: "app", Image: "app:1", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: amounts, Limits: amounts},
		Env: []corev1.EnvVar{{Name: "A", Value: "b"}}, VolumeMounts: []corev1.VolumeMount{{Name: "v", MountPath: "/v"}},
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "web-1", Namespace: "shop", UID: "u", ResourceVersion: "7", CreationTimestamp: at, Labels: map[string]string{"pod-template-hash": "6d5f", "a": "b"},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web-6d5f", Controller: &yes}},
			Annotations:     map[string]string{"a": "b"}, ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m"}},
		},
		Spec: corev1.PodSpec{
			NodeName: "n1", InitContainers: []corev1.Container{container}, Containers: []corev1.Container{container, container}, Overhead: amounts,
			Resources: &corev1.ResourceRequirements{Requests: amounts}, Volumes: []corev1.Volume{{Name: "v"}}, Tolerations: []corev1.Toleration{{Key: "k"}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &at, PodIP: "10.0.0.1",
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "app", RestartCount: 3, Ready: true, ImageID: "i", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled"}},
			}},
		},
	}
}

// TestPodShape keeps of a pod, of which most is never decoded, the same as of a whole
// one. A field that is added to what is kept must be set here, and then be read too.
func TestPodShape(t *testing.T) {
	whole := richPod()
	raw, err := whole.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	l := list{}
	for _, one := range lists() {
		if one.kind == "Pod" {
			if l, err = one.prepared(schema{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	other := richPod()
	other.Spec.NodeName, other.Spec.HostNetwork, other.Spec.Overhead = "n2", true, nil
	before, err := other.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var got object.Pod
	for _, one := range [][]byte{before, raw, raw} { // the last is the second pod of its workload
		if got, _, err = l.pods.read(one); err != nil {
			t.Fatal(err)
		}
	}
	o, err := objectOf(l, raw)
	if err != nil {
		t.Fatal(err)
	}
	snap := object.NewSnapshot(time.Time{})
	snap.Add(o)
	pods, _ := snap.Pods()
	if diff := cmp.Diff(*pods[0], got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	for _, v := range []reflect.Value{reflect.ValueOf(got), reflect.ValueOf(got.Containers[0])} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s of %s is not set; set it in richPod, and read it in podReader", v.Type().Field(i).Name, v.Type())
			}
		}
	}
}

// FuzzDecode reads any bytes as a page of pods and of Services: an error, or
// objects, and no panic.
func FuzzDecode(f *testing.F) {
	pods, err := (&corev1.PodList{Items: []corev1.Pod{*richPod(), {}}}).Marshal()
	if err != nil {
		f.Fatal(err)
	}
	body, err := (&runtime.Unknown{TypeMeta: runtime.TypeMeta{Kind: "PodList"}, Raw: pods}).Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add(body[:len(body)/2])
	types := schema{}
	f.Fuzz(func(_ *testing.T, body []byte) {
		body = append(append([]byte{}, envelope...), body...)
		for _, l := range lists() {
			if l.kind != "Pod" && l.kind != "Service" {
				continue
			}
			l, err := l.prepared(types)
			if err != nil {
				panic(err)
			}
			p := new(itemPage)
			if err := decode(l, body, p); err == nil {
				_, err = add(object.NewSnapshot(time.Time{}), l, p)
				_ = fmt.Sprint(err)
			}
		}
	})
}
