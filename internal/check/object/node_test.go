package object_test

import (
	"testing"

	"github.com/openprecedent/precedent/internal/check/object"
)

// TestAsked holds what a pod asks for to the rules of Kubernetes.
func TestAsked(t *testing.T) {
	for _, c := range []struct {
		name        string
		all         []object.Ask
		cpu, memory float64
	}{
		{"none", nil, 0, 0},
		{"two beside each other", []object.Ask{{CPU: 1, Memory: 2}, {CPU: 0.5, Memory: 1}}, 1.5, 3},
		{"a start that needs more", []object.Ask{{Init: true, CPU: 4, Memory: 1}, {CPU: 1, Memory: 2}}, 4, 2},
		{"starts run one by one", []object.Ask{{Init: true, CPU: 2}, {Init: true, CPU: 3}, {CPU: 1}}, 3, 0},
		{"one that goes on", []object.Ask{{Init: true, Beside: true, CPU: 1}, {Init: true, CPU: 3}, {CPU: 2.5}}, 4, 0},
	} {
		if cpu, memory := object.Asked(c.all); cpu != c.cpu || memory != c.memory {
			t.Errorf("%s: %v cores and %v bytes, want %v and %v", c.name, cpu, memory, c.cpu, c.memory)
		}
	}
}

const nodes = `apiVersion: v1
kind: Node
metadata: {name: a, labels: {topology.kubernetes.io/zone: z1}}
spec: {podCIDR: 10.0.1.0/24}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Node
metadata: {name: b}
spec: {unschedulable: true}
status: {conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Node
metadata: {name: c}
spec: {taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}]}
status: {conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, ownerReferences: [{kind: StatefulSet, name: web, controller: true}]}
spec:
  nodeName: a
  overhead: {memory: 1Mi}
  containers: [{name: web, resources: {requests: {cpu: 500m}, limits: {memory: 64Mi}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: agent-x, ownerReferences: [{kind: DaemonSet, name: agent, controller: true}]}
spec: {nodeName: a, hostNetwork: true, containers: [{name: agent, resources: {requests: {cpu: "1"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: done-1, ownerReferences: [{kind: Job, name: done, controller: true}]}
spec: {nodeName: a, containers: [{name: done, resources: {requests: {cpu: "2"}}}]}
status: {phase: Succeeded}
`

// TestNode reads what stands on a node, and whether more may.
func TestNode(t *testing.T) {
	all, err := snapshot(t, nodes).Nodes()
	if err != nil || len(all) != 3 {
		t.Fatalf("%d nodes, %v", len(all), err)
	}
	a := all[0]
	if !a.Open() || all[1].Open() || all[2].Open() {
		t.Errorf("open: %v, %v, %v", a.Open(), all[1].Open(), all[2].Open())
	}
	if a.MaxPods != 110 || a.Addresses != 253 || a.Zone != "z1" {
		t.Errorf("node a takes %d pods, has %d addresses and is in %q", a.MaxPods, a.Addresses, a.Zone)
	}
	pods, err := a.Pods()
	if err != nil || len(pods) != 2 || !pods[0].OwnNetwork || pods[1].OwnNetwork {
		t.Errorf("pods of a: %v, %v", pods, err)
	}
	if cpu, memory, err := a.Asked(false); cpu != 1.5 || memory != 65<<20 || err != nil {
		t.Errorf("the pods of a ask for %v and %v, %v", cpu, memory, err)
	}
	if cpu, _, _ := a.Asked(true); cpu != 0.5 {
		t.Errorf("those that would move ask for %v", cpu)
	}
}

const rights = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: viewer}
rules:
  - {apiGroups: [""], resources: [pods, nodes], verbs: [get, list]}
  - {apiGroups: [""], resources: [secrets], verbs: [list], resourceNames: [one]}
  - {apiGroups: [discovery.k8s.io], resources: ["*"], verbs: ["*"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: viewer}
roleRef: {kind: ClusterRole, name: viewer}
subjects: [{kind: ServiceAccount, name: agent, namespace: tools}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: tools}
spec: {template: {spec: {serviceAccountName: agent, containers: []}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: other, namespace: tools}
spec: {template: {spec: {containers: []}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: same, namespace: elsewhere}
spec: {template: {spec: {serviceAccountName: agent, containers: []}}}
`

// TestMay joins accounts to what they may do.
func TestMay(t *testing.T) {
	all, err := snapshot(t, rights).WorkloadsOf("DaemonSet")
	if err != nil || len(all) != 3 {
		t.Fatalf("%d workloads, %v", len(all), err)
	}
	for _, c := range []struct {
		of             int
		verb, resource string
		want           bool
	}{
		{0, "list", "pods", true},
		{0, "watch", "pods", false},
		{0, "list", "secrets", false}, // one of them only
		{0, "list", "services", false},
		{0, "watch", "discovery.k8s.io/endpointslices", true},
		{1, "list", "pods", false},
		{2, "list", "pods", false}, // of another namespace
	} {
		if got, err := all[c.of].May(c.verb, c.resource); got != c.want || err != nil {
			t.Errorf("%s may %s %s: %v, %v", all[c.of].Name, c.verb, c.resource, got, err)
		}
	}
}

// TestMayUnread tells what was not read from what is not allowed.
func TestMayUnread(t *testing.T) {
	snap := object.NewSnapshot(moment)
	snap.Add(&object.Object{Kind: "DaemonSet", Name: "agent"})
	snap.Read("DaemonSet")
	all, _ := snap.WorkloadsOf("DaemonSet")
	if _, err := all[0].May("list", "pods"); err == nil {
		t.Error("without any role it is said what the account may do")
	}
}
