package cluster

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openprecedent/precedent/internal/check/object"
)

// TestDecode makes objects of all kinds with anything in their fields, and reads
// them as the converter of Kubernetes itself would.
func TestDecode(t *testing.T) {
	t.Parallel()
	types := schema{}
	for _, l := range lists() {
		random := rand.New(rand.NewPCG(1, 2))
		of := reflect.TypeOf(l.page()).Elem()
		items, _ := of.FieldByName("Items")
		m, err := types.message(items.Type.Elem(), nil)
		if err != nil {
			t.Errorf("%s: %v", l.kind, err)
			continue
		}
		d := newDecoder()
		for round := range 30 {
			v := reflect.New(items.Type.Elem())
			if round > 0 {
				anything(random, v.Elem(), 0)
			}
			raw, err := v.Interface().(interface{ Marshal() ([]byte, error) }).Marshal()
			if err != nil {
				t.Fatalf("%s: %v", l.kind, err)
			}
			// What is written and read again is what a client has.
			back := reflect.New(items.Type.Elem())
			if err := back.Interface().(protobufs).Unmarshal(raw); err != nil {
				t.Fatalf("%s: %v", l.kind, err)
			}
			want, err := runtime.DefaultUnstructuredConverter.ToUnstructured(back.Interface())
			if err != nil {
				t.Fatalf("%s: %v", l.kind, err)
			}
			for range 2 { // the second time all of it is known
				got, err := d.fields(m, raw)
				if err != nil {
					t.Fatalf("%s: %v", l.kind, err)
				}
				if diff := cmp.Diff(withoutNull(want), any(map[string]any(got.Tree()))); diff != "" {
					t.Fatalf("%s, want -, got +:\n%s", l.kind, diff)
				}
			}
			if len(d.names) > 0 {
				t.Fatalf("%s: %v are left", l.kind, d.names)
			}
		}
	}
}

// withoutNull takes out what is null, which is absent.
func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			if v[name] = withoutNull(one); v[name] == nil || name == lastApplied {
				delete(v, name)
			}
		}
	case []any:
		for i, one := range v {
			v[i] = withoutNull(one)
		}
	}
	return v
}

// anything fills a value.
func anything(r *rand.Rand, v reflect.Value, depth int) {
	if r.IntN(4) == 0 || depth > 7 {
		return
	}
	text := func() string { return strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(3)+70*(r.IntN(20)/19)) }
	switch v.Interface().(type) {
	case metav1.Time:
		v.Set(reflect.ValueOf(metav1.Unix(1_790_000_000+int64(r.IntN(1000)), 0)))
		return
	case metav1.MicroTime:
		v.Set(reflect.ValueOf(metav1.NewMicroTime(time.Unix(1_790_000_000, 1000*int64(r.IntN(1000))))))
		return
	case metav1.Duration:
		v.Set(reflect.ValueOf(metav1.Duration{Duration: time.Duration(r.IntN(1000)) * time.Second}))
		return
	case resource.Quantity:
		v.Set(reflect.ValueOf(resource.MustParse([]string{"0", "250m", "64Mi", "1.5", "2e3", "15500m"}[r.IntN(6)])))
		return
	case intstr.IntOrString:
		v.Set(reflect.ValueOf([]intstr.IntOrString{intstr.FromInt32(int32(r.IntN(3))), intstr.FromString("25%")}[r.IntN(2)]))
		return
	case metav1.FieldsV1:
		var fields metav1.FieldsV1
		fields.SetRawString("{}")
		v.Set(reflect.ValueOf(fields))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(int64(r.IntN(600) - 100))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(r.IntN(600)))
	case reflect.Float64:
		v.SetFloat(r.Float64())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		anything(r, v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			anything(r, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.SetString([]string{"a", "b", lastApplied}[r.IntN(3)])
			anything(r, value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("protobuf") != "" {
				anything(r, v.Field(i), depth+1)
			}
		}
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(256)))
	default:
		panic(fmt.Sprint(v.Type()))
	}
}

// TestShapes leaves of kinds out what their shapes say, and nothing else.
func TestShapes(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "x", Namespace: "shop", Labels: map[string]string{"a": "b"}, Generation: 4}
	full := meta
	full.UID, full.ResourceVersion, full.ManagedFields = "u", "7", []metav1.ManagedFieldsEntry{{Manager: "m"}}
	full.Annotations = map[string]string{lastApplied: "{}"}
	meta.Annotations = map[string]string{}
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
		read := func(of interface{ Marshal() ([]byte, error) }, s *shape) any {
			m, err := schema{}.message(reflect.TypeOf(of).Elem(), s)
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := of.Marshal()
			got, err := newDecoder().fields(m, raw)
			if err != nil {
				t.Fatal(err)
			}
			tree := got.Tree()
			if notes := tree.Sub("metadata", "annotations"); notes.Len() == 0 {
				delete(tree["metadata"].(map[string]any), "annotations")
			}
			return tree
		}
		if diff := cmp.Diff(read(c.want, nil), read(c.src, shapeOf(c.kind))); diff != "" {
			t.Errorf("%s, want -, got +:\n%s", c.kind, diff)
		}
	}
}

// TestTogether makes one endpoint of equal ones, with all addresses.
func TestTogether(t *testing.T) {
	yes, no := true, false
	one := func(ip string, ready *bool) discoveryv1.Endpoint {
		return discoveryv1.Endpoint{Addresses: []string{ip}, Conditions: discoveryv1.EndpointConditions{Ready: ready}}
	}
	decoded := func(all ...discoveryv1.Endpoint) *object.Packed {
		m, err := schema{}.message(reflect.TypeFor[discoveryv1.EndpointSlice](), nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := (&discoveryv1.EndpointSlice{Endpoints: all}).Marshal()
		got, err := newDecoder().fields(m, raw)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := together(decoded(one("a", &yes), one("b", &no), one("c", &yes), one("d", nil), one("e", &yes)))
	first := one("a", &yes)
	first.Addresses = []string{"a", "c", "e"}
	want := decoded(first, one("b", &no), one("d", nil))
	if diff := cmp.Diff(want.Tree(), got.Tree()); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}
