package cluster

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
)

// addPods keeps what is kept of pods. One that nothing has made is an object too,
// since it is a workload.
func addPods(snap *object.Snapshot, l list, items [][]byte) error {
	kept := make([]object.Pod, 0, len(items))
	for _, item := range items {
		pod, made, err := l.pods.read(item)
		if err != nil {
			return fmt.Errorf("reading a pod: %w", err)
		}
		if made {
			kept = append(kept, pod)
			continue
		}
		o, err := objectOf(l, item)
		if err != nil {
			return err
		}
		snap.Add(o)
	}
	snap.AddPods(kept...)
	return nil
}

// podReader reads of pods what [object.Pod] holds. The pods of a workload have one
// specification, but for the node, so that is looked into once.
type podReader struct {
	*decoder
	spec   *message
	shape  *shape // of the specification
	needed map[[2]uint64]podNeeds
	buffer []byte

	containers, before []object.PodContainer // of the pod that is read, and of the one before
}

// podNeeds is what is kept of a specification.
type podNeeds struct {
	cpu, memory, most float64
	hostNetwork       bool
}

// read reads a pod, and reports whether something has made it.
func (r *podReader) read(item []byte) (p object.Pod, made bool, err error) {
	p.OwnNetwork = true
	controller, hash := "", ""
	err = fieldsIn(item, func(f field) (err error) {
		switch f.number {
		case inMetadata:
			controller, hash, err = r.metadata(&p, f.value)
		case inSpec:
			err = r.needs(&p, f.value)
		case inStatus:
			err = r.status(&p, f.value)
		}
		return err
	})
	if controller != "" {
		p.Owner = r.text([]byte(object.PodOwner(controller, hash)))
	}
	return p, controller != "", err
}

// metadata reads the metadata of a pod, and returns its controller, as Kind/name, and
// the hash of the template that it was made from.
func (r *podReader) metadata(p *object.Pod, raw []byte) (controller, hash string, err error) {
	err = fieldsIn(raw, func(f field) (err error) {
		switch f.number {
		case 1:
			p.Name = string(f.value)
		case 3:
			p.Namespace = r.text(f.value)
		case 8:
			p.Created, err = momentIn(f.value)
		case 11:
			key, err := textIn(f.value, 1)
			if err == nil && string(key) == "pod-template-hash" {
				key, err = textIn(f.value, 2)
				hash = string(key)
			}
			return err
		case 13:
			if is, err := numberIn(f.value, 6); err != nil || is == 0 {
				return err
			}
			kind, _ := textIn(f.value, 1) // it was just read
			name, _ := textIn(f.value, 3)
			controller = string(kind) + "/" + string(name)
		}
		return err
	})
	return controller, hash, err
}

// needs reads the specification of a pod.
func (r *podReader) needs(p *object.Pod, raw []byte) (err error) {
	node, err := textIn(raw, inNodeName)
	if err != nil {
		return err
	}
	p.Node = r.text(node)
	if r.buffer, err = prune(r.buffer[:0], raw, r.shape); err != nil {
		return err
	}
	key := [2]uint64{maphash.Bytes(r.seeds[0], r.buffer), maphash.Bytes(r.seeds[1], r.buffer)}
	n, ok := r.needed[key]
	if !ok {
		fields, err := r.fields(r.spec, r.buffer)
		if err != nil {
			return err
		}
		n.cpu, n.memory, n.most = object.Needs(fields)
		n.hostNetwork = fields.Field("hostNetwork") == true
		r.needed[key] = n
	}
	p.CPU, p.Memory, p.Most, p.OwnNetwork = n.cpu, n.memory, n.most, !n.hostNetwork
	return nil
}

// status reads the status of a pod. Most containers are as those of the pod before.
func (r *podReader) status(p *object.Pod, raw []byte) error {
	r.containers = r.containers[:0]
	err := fieldsIn(raw, func(f field) (err error) {
		switch f.number {
		case 1:
			p.Phase = r.text(f.value)
		case 2:
			err = readiness(p, f.value)
		case 7:
			p.Started, err = momentIn(f.value)
		case 8:
			err = r.container(f.value)
		}
		return err
	})
	if !slices.Equal(r.containers, r.before) {
		r.before = slices.Clone(r.containers)
	}
	p.Containers = r.before
	return err
}

// readiness reads a condition of a pod.
func readiness(p *object.Pod, raw []byte) error {
	if of, err := textIn(raw, 1); err != nil || string(of) != "Ready" {
		return err
	}
	return fieldsIn(raw, func(f field) (err error) {
		switch f.number {
		case 2:
			p.Ready = string(f.value) == "True"
		case 4:
			p.ReadySince, err = momentIn(f.value)
		}
		return err
	})
}

// container reads the status of a container.
func (r *podReader) container(raw []byte) error {
	var c object.PodContainer
	err := fieldsIn(raw, func(f field) (err error) {
		switch f.number {
		case 1:
			c.Name = r.text(f.value)
		case 2:
			c.Waiting, err = r.reason(f.value, 1, 1)
		case 3:
			c.Last, err = r.reason(f.value, 3, 3)
		case 4:
			c.Ready = f.whole() != 0
		case 5:
			c.Restarts = int64(int32(f.whole()))
		}
		return err
	})
	r.containers = append(r.containers, c)
	return err
}

// reason returns a text of what stands in a field of the state of a container.
func (r *podReader) reason(state []byte, field, text uint64) (string, error) {
	inner, err := textIn(state, field)
	if err != nil {
		return "", err
	}
	reason, err := textIn(inner, text)
	return r.text(reason), err
}

// fieldsIn calls do with each field of a message.
func fieldsIn(raw []byte, do func(f field) error) error {
	for len(raw) > 0 {
		f, rest, err := nextField(raw)
		if err == nil {
			err = do(f)
		}
		if err != nil {
			return err
		}
		raw = rest
	}
	return nil
}

// textIn returns what stands in a field of a message that has a length, the last one
// where there are several.
func textIn(raw []byte, number uint64) (text []byte, err error) {
	err = fieldsIn(raw, func(f field) error {
		if f.number == number {
			text = f.value
		}
		return nil
	})
	return text, err
}

// numberIn returns the number in a field of a message.
func numberIn(raw []byte, number uint64) (n uint64, err error) {
	err = fieldsIn(raw, func(f field) error {
		if f.number == number {
			n = f.whole()
		}
		return nil
	})
	return n, err
}

// whole returns the number that a field of no length holds, 0 of others.
func (f field) whole() uint64 {
	if f.wire != 0 {
		return 0
	}
	_, tag := binary.Uvarint(f.raw)
	n, _ := binary.Uvarint(f.raw[tag:])
	return n
}

// momentIn reads a time.
func momentIn(raw []byte) (time.Time, error) {
	if len(raw) == 0 {
		return time.Time{}, nil
	}
	seconds, err := numberIn(raw, 1)
	return time.Unix(int64(seconds), 0).UTC(), err
}
