package object

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// Unread is the error of asking for objects that were not read, or not all.
type Unread struct {
	Kind  string
	Why   string // such as "forbidden"
	Tried bool   // a source was to read them, and could not
}

// Error implements error.
func (u *Unread) Error() string { return fmt.Sprintf("%s: not read: %s", u.Kind, u.Why) }

// Text says the same in both languages.
func (u *Unread) Text() bilingual.Text {
	return bilingual.Text{En: u.Error(), Ko: fmt.Sprintf("%s: 읽지 않음: %s", u.Kind, inKorean(u.Why))}
}

// CorefileMap is the kind that stands for the ConfigMaps that hold the configuration of
// CoreDNS, the only ones that are read of a cluster.
const CorefileMap = "CoreDNS/ConfigMap"

// OnlyCorefile is why not all ConfigMaps of a cluster were read.
const OnlyCorefile = "of the ConfigMaps of a cluster only that of CoreDNS is read"

// Reason says in both languages why, without what.
func (u *Unread) Reason() bilingual.Text { return bilingual.Text{En: u.Why, Ko: inKorean(u.Why)} }

// nowhere is why objects were not read that no source could hold.
const nowhere = "no source given here has them"

// Snapshot is what was read of one system at one time. It is filled by sources,
// each from a goroutine of its own if need be, and read after all are done.
type Snapshot struct {
	Now time.Time // when it was taken

	mu      sync.Mutex
	objects map[string][]*Object
	pods    []*Pod
	state   map[string]string // by kind: "" where all were read, or why not
	counts  map[string]int64
	absent  map[string]string // by kind: why no source had what would be read there
	uses    map[string][]Use  // by kind
	written bool              // what a person writes was read whole
	parts   []Part
	related func() *relations
	// containers are those that were read while relations are found.
	containers map[writtenContainer]*Container
}

// NewSnapshot returns an empty snapshot.
func NewSnapshot(now time.Time) *Snapshot {
	s := &Snapshot{Now: now, objects: map[string][]*Object{}, state: map[string]string{}, counts: map[string]int64{}, absent: map[string]string{}, uses: map[string][]Use{}}
	s.related = sync.OnceValue(s.relate)
	return s
}

// Add adds objects.
func (s *Snapshot) Add(all ...*Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range all {
		if o.Fields == nil {
			o.Fields = Tree(nil)
		}
		s.objects[o.Kind] = append(s.objects[o.Kind], o)
		switch o.Kind {
		case "Pod":
			p := podOf(o)
			s.pods = append(s.pods, &p)
		case PodMetrics:
			s.uses[o.Kind] = append(s.uses[o.Kind], UsesOf(o.Namespace, o.Name, o.Fields)...)
		}
	}
}

// AddPods adds pods of which no more is known than what [Pod] holds. It takes the
// list over.
func (s *Snapshot) AddPods(all ...Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range all {
		s.pods = append(s.pods, &all[i])
	}
}

// Forget takes back all objects of a kind, which are to be read again.
func (s *Snapshot) Forget(kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, kind)
	delete(s.uses, kind)
	if kind == "Pod" {
		s.pods = nil
	}
}

// Count says how many objects of a kind there are, where they are not read. The
// most that is said counts: later pages of a list leave less out.
func (s *Snapshot) Count(kind string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[kind] = max(n, s.counts[kind])
}

// Read says that all objects of some kinds were read, be there any or not. It
// does not take back an earlier [Snapshot.Missed].
func (s *Snapshot) Read(kinds ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range kinds {
		if s.state[k] == "" {
			s.state[k] = ""
		}
	}
}

// Missed says that objects of a kind were not read, or not all, and why.
func (s *Snapshot) Missed(kind, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state[kind] == "" {
		s.state[kind] = why
	}
}

// Absent says why a source that was read could not have objects of a kind: not because
// it failed, but because it lacks what makes them. Another source may have them.
func (s *Snapshot) Absent(kind, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.absent[kind] = why
}

// observed are the kinds of Kubernetes that a cluster makes, and that no person
// writes into a file: where there is none, none was read.
var observed = []string{"Endpoints", "EndpointSlice", "Event", "Lease", "Node", "NodeMetrics", "Pod", "PodMetrics", "ReplicaSet"}

// ReadWritten says that all that people write into manifests was read: of other
// kinds than those that a cluster makes there are no more objects than those added.
func (s *Snapshot) ReadWritten() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = true
}

// Whole returns nil if all objects of a kind were read, or an [Unread].
func (s *Snapshot) Whole(kind string) error {
	why, known := s.state[kind]
	if kind == CorefileMap && !known {
		return s.Whole("ConfigMap")
	}
	if why == "" && known {
		why = s.partMissing(kind)
	}
	seen := s.written && !strings.Contains(kind, "/") && (!slices.Contains(observed, kind) || s.seen(kind))
	if !known && !seen {
		why = cmp.Or(s.absent[kind], nowhere)
	}
	if why == "" {
		return nil
	}
	return &Unread{kind, why, known}
}

// seen reports whether objects of a kind that a cluster makes come from one. People
// write some of them too: pods, and the endpoints of services that select none, which are
// told by that service, or else by a mark of the API server.
func (s *Snapshot) seen(kind string) bool {
	return slices.ContainsFunc(s.objects[kind], func(o *Object) bool {
		switch kind {
		case "Pod":
			return o.Fields.Sub("status").Len() > 0 || o.Fields.Text("spec", "nodeName") != "" || o.owner() != ""
		case "Endpoints":
			return stored(o) || s.selects(o.Namespace, o.Name)
		case "EndpointSlice":
			return stored(o) || s.selects(o.Namespace, o.Fields.Text("metadata", "labels", "kubernetes.io/service-name"))
		}
		return true
	})
}

// stored reports whether an object bears what an API server adds to those that it keeps.
func stored(o *Object) bool {
	return o.Fields.Text("metadata", "uid") != "" || o.Fields.Text("metadata", "resourceVersion") != ""
}

// selects reports whether a service was read that has a selector.
func (s *Snapshot) selects(namespace, name string) bool {
	return slices.ContainsFunc(s.objects["Service"], func(o *Object) bool {
		return o.Name == name && o.Namespace == namespace && o.Fields.Sub("spec", "selector").Len() > 0
	})
}

// Kinds returns the kinds that were read, be it in part, in order.
func (s *Snapshot) Kinds() []string {
	var all []string
	for k := range s.state {
		if s.state[k] == "" || len(s.objects[k]) > 0 {
			all = append(all, k)
		}
	}
	for k := range s.objects {
		if !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all
}

// Gaps returns what was tried and not read, or not all, by kind.
func (s *Snapshot) Gaps() []Unread {
	var all []Unread
	for k, why := range s.state {
		if why != "" {
			all = append(all, Unread{k, why, true})
		} else if why := s.partMissing(k); why != "" {
			all = append(all, Unread{k, why, true})
		}
	}
	slices.SortFunc(all, func(a, b Unread) int { return cmp.Compare(a.Kind, b.Kind) })
	return all
}

// Objects returns the objects of a kind that were read, in the order of their
// sources, and an [Unread] where these are not all.
func (s *Snapshot) Objects(kind string) ([]*Object, error) {
	if kind == CorefileMap {
		others := func(o *Object) bool { return o.Name != "coredns" }
		return slices.DeleteFunc(slices.Clone(s.objects["ConfigMap"]), others), s.Whole(kind)
	}
	return s.objects[kind], s.Whole(kind)
}

// Named returns the object of a kind, a namespace and a name, nil where none was read.
func (s *Snapshot) Named(kind, namespace, name string) *Object {
	for _, o := range s.objects[kind] {
		if o.Name == name && o.Namespace == namespace {
			return o
		}
	}
	return nil
}

// ObjectsIn returns those of [Snapshot.Objects] that are in a namespace.
func (s *Snapshot) ObjectsIn(kind, namespace string) ([]*Object, error) {
	if slices.Contains(selecting, kind) {
		return s.related().byNamespace[kind][namespace], s.Whole(kind)
	}
	var all []*Object
	for _, o := range s.objects[kind] {
		if o.Namespace == namespace {
			all = append(all, o)
		}
	}
	return all, s.Whole(kind)
}

// Total returns how many objects of a kind there are, read or only counted.
func (s *Snapshot) Total(kind string) (int64, error) {
	if n, ok := s.counts[kind]; ok {
		return n, nil
	}
	return int64(len(s.objects[kind])), s.Whole(kind)
}

// Size returns how many objects and pods the snapshot holds.
func (s *Snapshot) Size() int {
	n := len(s.pods) - len(s.objects["Pod"])
	for _, of := range s.objects {
		n += len(of)
	}
	return n
}
