package cluster

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
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

// TestPodShape keeps of a pod, of which most is left out before it is decoded, the
// same as of a whole one. A field that is added to what is kept must be set here,
// and then be in the shape too.
func TestPodShape(t *testing.T) {
	whole := richPod()
	raw, err := whole.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	short, err := prune(nil, raw, podShape())
	if err != nil {
		t.Fatal(err)
	}
	if len(short) > len(raw)*3/4 {
		t.Errorf("%d of %d bytes are left", len(short), len(raw))
	}
	reader := &shortPods{shape: podShape()}
	other := richPod()
	other.Spec.NodeName, other.Spec.HostNetwork, other.Spec.Overhead = "n2", true, nil
	before, err := other.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range [][]byte{before, raw} {
		if _, err := reader.read(one); err != nil {
			t.Fatal(err)
		}
	}
	pruned, err := reader.read(raw) // the second pod of its workload
	if err != nil {
		t.Fatal(err)
	}
	same := func(s string) string { return s }
	want, got := podOf(whole, metav1.GetControllerOf(whole), same), podOf(&pruned, metav1.GetControllerOf(&pruned), same)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	for _, v := range []reflect.Value{reflect.ValueOf(got), reflect.ValueOf(got.Containers[0])} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s of %s is not set; set it in richPod, and read it in podShape", v.Type().Field(i).Name, v.Type())
			}
		}
	}
}

// TestShapes leaves of other kinds out what their shapes say, and nothing else.
func TestShapes(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "x", Namespace: "shop", Labels: map[string]string{"a": "b"}, Generation: 4}
	full := meta
	full.UID, full.ResourceVersion, full.ManagedFields = "u", "7", []metav1.ManagedFieldsEntry{{Manager: "m"}}
	ip, node := []string{"10.0.0.1"}, "n1"
	for _, c := range []struct {
		kind      string
		src, want interface{ Marshal() ([]byte, error) }
	}{
		{"Service", &corev1.Service{ObjectMeta: full, Spec: corev1.ServiceSpec{ClusterIP: "10.0.0.9"}}, &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{ClusterIP: "10.0.0.9"}}},
		{
			"Node", &corev1.Node{ObjectMeta: full, Status: corev1.NodeStatus{Phase: "p", Images: []corev1.ContainerImage{{SizeBytes: 5}}}},
			&corev1.Node{ObjectMeta: meta, Status: corev1.NodeStatus{Phase: "p"}},
		},
		{
			"EndpointSlice", &discoveryv1.EndpointSlice{ObjectMeta: full, Endpoints: []discoveryv1.Endpoint{{Addresses: ip, NodeName: &node, Zone: &node, TargetRef: &corev1.ObjectReference{Name: "p"}}}},
			&discoveryv1.EndpointSlice{ObjectMeta: meta, Endpoints: []discoveryv1.Endpoint{{Addresses: ip, Zone: &node}}},
		},
	} {
		src, _ := c.src.Marshal()
		want, _ := c.want.Marshal()
		got, err := prune(nil, src, shapeOf(c.kind))
		if err != nil {
			t.Fatalf("%s: %v", c.kind, err)
		}
		back := reflect.New(reflect.TypeOf(c.want).Elem()).Interface().(interface {
			Unmarshal([]byte) error
			Marshal() ([]byte, error)
		})
		if err := back.Unmarshal(got); err != nil {
			t.Fatalf("%s: %v", c.kind, err)
		}
		if again, _ := back.Marshal(); !bytes.Equal(again, want) {
			t.Errorf("%s became %v", c.kind, back)
		}
	}
}

// TestTogether makes one endpoint of equal ones, with all addresses.
func TestTogether(t *testing.T) {
	yes, no := true, false
	one := func(ip string, ready *bool) discoveryv1.Endpoint {
		return discoveryv1.Endpoint{Addresses: []string{ip}, Conditions: discoveryv1.EndpointConditions{Ready: ready}}
	}
	got := together([]discoveryv1.Endpoint{one("a", &yes), one("b", &no), one("c", &yes), one("d", nil), one("e", &yes)})
	want := []discoveryv1.Endpoint{one("a", &yes), one("b", &no), one("d", nil)}
	want[0].Addresses = []string{"a", "c", "e"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
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
	f.Fuzz(func(_ *testing.T, body []byte) {
		body = append(append([]byte{}, envelope...), body...)
		for _, l := range lists() {
			if l.kind != "Pod" && l.kind != "Service" {
				continue
			}
			l.pool, l.buffers = newPool(), new(buffers)
			p := l.page()
			if err := decode(l, body, p); err == nil {
				_, err = add(object.NewSnapshot(time.Time{}), l, p)
				_ = fmt.Sprint(err)
			}
		}
	})
}
