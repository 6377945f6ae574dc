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

// podOf reads a pod from its object.
func podOf(o *Object) Pod {
	p := Pod{
		Namespace: o.Namespace, Name: o.Name, Node: o.Fields.Text("spec", "nodeName"), Phase: o.Fields.Text("status", "phase"),
		Created: Moment(o.Fields.At("metadata", "creationTimestamp")), Started: Moment(o.Fields.At("status", "startTime")),
	}
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
