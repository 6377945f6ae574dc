package object

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Pod is what is kept of a pod: a cluster has many, so this is little.
type Pod struct {
	Namespace  string
	Name       string
	Owner      string // what made it, such as Deployment/web; empty for a pod by itself
	Node       string
	Phase      string
	OwnNetwork bool    // it has an address of its own, and not its node's
	CPU        float64 // cores that it asks for
	Memory     float64 // bytes that it asks for
	Most       float64 // bytes that it may use, 0 where a container has no limit
	Ready      bool
	Created    time.Time
	Started    time.Time // when it was scheduled and accepted
	ReadySince time.Time // when it last became ready or unready
	Containers []PodContainer
}

// PodContainer is what is kept of a container of a pod.
type PodContainer struct {
	Name     string
	Restarts int64
	Ready    bool
	Waiting  string // why it waits, such as CrashLoopBackOff
	Last     string // why it ended the last time, such as OOMKilled
}

// Restarts returns how often containers of the pod were started again.
func (p *Pod) Restarts() int64 {
	var n int64
	for _, c := range p.Containers {
		n += c.Restarts
	}
	return n
}

// Ended reports whether the pod is over, so that it takes no room any more.
func (p *Pod) Ended() bool { return p.Phase == "Succeeded" || p.Phase == "Failed" }

// Stays reports whether the pod belongs to its node, as those of a DaemonSet and
// those that the kubelet starts by itself do: it goes where the node goes.
func (p *Pod) Stays() bool {
	return strings.HasPrefix(p.Owner, "DaemonSet/") || strings.HasPrefix(p.Owner, "Node/")
}

// Ask is what a container asks of its node.
type Ask struct {
	Init   bool // it runs before the others
	Beside bool // and goes on beside them
	CPU    float64
	Memory float64
}

// Asked returns what containers ask for together, in the order in which they are
// written: those of the start run one by one, and only those that go on count
// beside the others.
func Asked(all []Ask) (cpu, memory float64) {
	var beside, most, running Ask
	for _, a := range all {
		switch {
		case a.Beside:
			beside.CPU, beside.Memory = beside.CPU+a.CPU, beside.Memory+a.Memory
		case a.Init:
			most.CPU, most.Memory = max(most.CPU, beside.CPU+a.CPU), max(most.Memory, beside.Memory+a.Memory)
		default:
			running.CPU, running.Memory = running.CPU+a.CPU, running.Memory+a.Memory
		}
	}
	return max(most.CPU, beside.CPU+running.CPU), max(most.Memory, beside.Memory+running.Memory)
}

// asked returns what a pod asks for, as its specification says.
func asked(spec Fields) (cpu, memory float64) {
	var all []Ask
	for _, field := range []string{"initContainers", "containers"} {
		for _, c := range spec.Trees(field) {
			init := field == "initContainers"
			one := containerOf(c, "", init)
			all = append(all, Ask{init, init && c.Text("restartPolicy") == "Always", one.CPURequest, one.MemoryRequest})
		}
	}
	cpu, memory = Asked(all)
	if v := spec.At("resources", "requests", "cpu"); v != nil { // of the pod as a whole
		cpu = Quantity(v)
	}
	if v := spec.At("resources", "requests", "memory"); v != nil {
		memory = Quantity(v)
	}
	return cpu + Quantity(spec.At("overhead", "cpu")), memory + Quantity(spec.At("overhead", "memory"))
}

// most returns how much memory a pod may use, 0 where there is no bound.
func most(spec Fields) float64 {
	if v := spec.At("resources", "limits", "memory"); v != nil { // of the pod as a whole
		return Quantity(v)
	}
	sum := 0.0
	for _, c := range spec.Trees("containers") {
		limit := Quantity(c.At("resources", "limits", "memory"))
		if limit == 0 {
			return 0
		}
		sum += limit
	}
	return sum
}

// Needs returns what a pod asks for, and how much memory it may use, 0 where there is
// no bound, as its specification says.
func Needs(spec Fields) (cpu, memory, bound float64) {
	cpu, memory = asked(spec)
	return cpu, memory, most(spec)
}

// podOf reads a pod from its object.
func podOf(o *Object) Pod {
	p := Pod{
		Namespace: o.Namespace, Name: o.Name, Node: o.Fields.Text("spec", "nodeName"), Phase: o.Fields.Text("status", "phase"),
		Created: Moment(o.Fields.At("metadata", "creationTimestamp")), Started: Moment(o.Fields.At("status", "startTime")),
	}
	p.OwnNetwork = o.Fields.At("spec", "hostNetwork") != true
	p.CPU, p.Memory, p.Most = Needs(o.Fields.Sub("spec"))
	p.Owner = PodOwner(o.owner(), o.Fields.Text("metadata", "labels", "pod-template-hash"))
	for _, c := range o.Fields.Trees("status", "conditions") {
		if c.Text("type") == "Ready" {
			p.Ready, p.ReadySince = c.Text("status") == "True", Moment(c.At("lastTransitionTime"))
		}
	}
	for _, c := range o.Fields.Trees("status", "containerStatuses") {
		ready, _ := c.At("ready").(bool)
		p.Containers = append(p.Containers, PodContainer{
			Name: c.Text("name"), Restarts: c.Whole(0, "restartCount"), Ready: ready,
			Waiting: c.Text("state", "waiting", "reason"), Last: c.Text("lastState", "terminated", "reason"),
		})
	}
	return p
}

// PodOwner returns what made a pod, of its controller as Kind/name and its label
// pod-template-hash: the ReplicaSets of a Deployment carry its name and the hash,
// and the Jobs of a CronJob its name and the minute.
func PodOwner(controller, hash string) string {
	kind, name, _ := strings.Cut(controller, "/")
	switch {
	case kind == "ReplicaSet" && hash != "" && strings.HasSuffix(name, "-"+hash):
		return "Deployment/" + strings.TrimSuffix(name, "-"+hash)
	case kind == "Job":
		if cut := strings.LastIndexByte(name, '-'); cut > 0 && minutes(name[cut+1:]) {
			return "CronJob/" + name[:cut]
		}
	}
	return controller
}

// minutes reports whether text is a time in minutes since 1970, as the names of
// the Jobs of a CronJob end.
func minutes(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > 20_000_000 && n < 100_000_000
}

// Moment reads a time as Kubernetes writes it, the zero time where none is.
func Moment(v any) time.Time {
	s, _ := v.(string)
	t, _ := time.Parse(time.RFC3339, s) // a time that is none is not there
	return t
}

func written(v any) string { return fmt.Sprint(v) }
