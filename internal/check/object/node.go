package object

import "net/netip"

// Node is a node of a cluster.
type Node struct {
	*Object
	Zone              string
	Labels            map[string]string
	Ready             bool
	Cordoned          bool    // no pod is placed on it any more
	Kept              bool    // a taint keeps all pods off but for those that tolerate it
	CPUCapacity       float64 // cores
	CPUAllocatable    float64 // cores
	MemoryCapacity    float64 // bytes
	MemoryAllocatable float64 // bytes
	MaxPods           int64   // pods that the kubelet takes, 0 where that is not told
	Addresses         int64   // for pods in its own range, 0 where it has none

	snap *Snapshot
	pods []*Pod
}

func nodeOf(s *Snapshot, o *Object) *Node {
	n := &Node{
		Object: o, snap: s, Labels: o.Fields.Texts("metadata", "labels"), Cordoned: o.Fields.At("spec", "unschedulable") == true,
		CPUCapacity: Quantity(o.Fields.At("status", "capacity", "cpu")), CPUAllocatable: Quantity(o.Fields.At("status", "allocatable", "cpu")),
		MemoryCapacity: Quantity(o.Fields.At("status", "capacity", "memory")), MemoryAllocatable: Quantity(o.Fields.At("status", "allocatable", "memory")),
		MaxPods: int64(Quantity(o.Fields.At("status", "allocatable", "pods"))), Addresses: addresses(o.Fields.Text("spec", "podCIDR")),
	}
	n.Zone = n.Labels["topology.kubernetes.io/zone"]
	if n.Zone == "" {
		n.Zone = n.Labels["failure-domain.beta.kubernetes.io/zone"] // until 1.17
	}
	for _, c := range o.Fields.Trees("status", "conditions") {
		if c.Text("type") == "Ready" {
			n.Ready = c.Text("status") == "True"
		}
	}
	for _, t := range o.Fields.Trees("spec", "taints") {
		n.Kept = n.Kept || t.Text("effect") == "NoSchedule" || t.Text("effect") == "NoExecute"
	}
	return n
}

// addresses returns how many pods a range has addresses for: that of the network,
// the last one and the gateway's are none of them.
func addresses(cidr string) int64 { return max(0, RangeSize(cidr)-3) }

// RangeSize returns how many addresses a range such as 10.0.1.0/24 has, 0 of what
// is none. Ranges that no network fills count as 2^32.
func RangeSize(cidr string) int64 {
	p, err := netip.ParsePrefix(cidr)
	if err != nil {
		return 0
	}
	return int64(1) << min(p.Addr().BitLen()-p.Bits(), 32)
}

// Open reports whether any pod may be placed on the node.
func (n *Node) Open() bool { return n.Ready && !n.Cordoned && !n.Kept }

// Pods returns the pods on the node that are not over.
func (n *Node) Pods() ([]*Pod, error) { return n.pods, n.snap.Whole("Pod") }

// Asked returns what the pods on the node ask for; with moving, those alone that
// would have to go elsewhere if the node went away.
func (n *Node) Asked(moving bool) (cpu, memory float64, err error) {
	for _, p := range n.pods {
		if !moving || !p.Stays() {
			cpu, memory = cpu+p.CPU, memory+p.Memory
		}
	}
	return cpu, memory, n.snap.Whole("Pod")
}
