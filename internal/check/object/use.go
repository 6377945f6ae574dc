package object

// Kinds of what is measured: metrics.k8s.io says what is used now, Prometheus what was
// used most in a day.
const (
	PodMetrics       = "PodMetrics"
	NodeMetrics      = "NodeMetrics"
	PrometheusMemory = "Prometheus/ContainerMemory"
	PrometheusVolume = "Prometheus/VolumeUse"
)

// MetricsServer is why nothing is measured in a cluster that has no part for it.
const MetricsServer = "the cluster serves no metrics.k8s.io, which metrics-server does"

// Use is what a container was measured to use.
type Use struct {
	Namespace string
	Pod       string
	Container string
	Memory    float64 // bytes
}

// AddUses adds what was measured, as a kind that says by what.
func (s *Snapshot) AddUses(kind string, all ...Use) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses[kind] = append(s.uses[kind], all...)
}

// UsesOf reads what metrics.k8s.io says of a pod.
func UsesOf(namespace, pod string, fields Fields) []Use {
	var all []Use
	for _, c := range fields.Trees("containers") {
		if v := c.At("usage", "memory"); v != nil {
			all = append(all, Use{namespace, pod, c.Text("name"), Quantity(v)})
		}
	}
	return all
}

// measured returns the kinds of figures that were read whole, of some that tell the
// same, and an [Unread] where none was.
func (s *Snapshot) measured(kinds ...string) ([]string, error) {
	var whole []string
	var failed error
	for _, kind := range kinds {
		err := s.Whole(kind)
		if err == nil {
			whole = append(whole, kind)
		}
		if u, ok := err.(*Unread); ok && (failed == nil || u.Tried) {
			failed = err
		}
	}
	if len(whole) > 0 {
		return whole, nil
	}
	return nil, failed
}

// used finds the most memory that was measured of each container, by pod.
func (s *Snapshot) used() map[[2]string][]Use {
	byPod := map[[2]string][]Use{}
	for _, kind := range []string{PodMetrics, PrometheusMemory} {
		for _, u := range s.uses[kind] {
			key := [2]string{u.Namespace, u.Pod}
			byPod[key] = append(byPod[key], u)
		}
	}
	return byPod
}

// MemoryUsed returns the bytes that a container uses in the one of the workload's pods
// where it uses most, and an [Unread] where that was not measured.
func (w *Workload) MemoryUsed(c *Container) (float64, error) {
	s := w.snap
	kinds, err := s.measured(PodMetrics, PrometheusMemory)
	if err != nil {
		return 0, err
	}
	pods, err := w.Pods()
	if err != nil {
		return 0, err
	}
	most, seen, running := 0.0, false, false
	for _, p := range pods {
		running = running || p.Phase == "Running"
		for _, u := range s.related().used[[2]string{p.Namespace, p.Name}] {
			if u.Container == c.Name {
				most, seen = max(most, u.Memory), true
			}
		}
	}
	if running && !seen {
		return 0, &Unread{kinds[0], "it has no figures of these pods", false}
	}
	return most, nil
}

// MemoryUsed returns the bytes of memory that are in use on the node, and an [Unread]
// where that was not measured.
func (n *Node) MemoryUsed() (float64, error) {
	if err := n.snap.Whole(NodeMetrics); err != nil {
		return 0, err
	}
	if !n.Measured() {
		return 0, &Unread{NodeMetrics, "it has no figures of this node", false}
	}
	return Quantity(n.snap.related().nodeUse[n.Name].Fields.At("usage", "memory")), nil
}

// Measured reports whether it is known what is in use on the node.
func (n *Node) Measured() bool {
	o := n.snap.related().nodeUse[n.Name]
	return o != nil && o.Fields.At("usage", "memory") != nil
}
