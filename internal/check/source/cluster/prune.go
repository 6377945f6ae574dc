package cluster

import (
	"encoding/binary"
	"errors"
)

// shape says which fields of a message in protobuf are read. The others are taken
// out of the message before it is decoded: most of a pod is never made into Go.
type shape struct {
	only bool              // of what fields does not name, nothing is read, and not all
	of   map[uint64]*shape // by the number of a field; nil for one that is read whole, or with only unset for one that is not read
}

// Numbers of fields, as the definitions of Kubernetes give them.
const (
	inItem     = 2 // of a list
	inMetadata = 1 // of every object
	inSpec     = 2
	inStatus   = 3
	inNodeName = 10 // of the specification of a pod
)

// shapeOf returns the shape of the objects of a kind.
func shapeOf(kind string) *shape {
	switch kind {
	case "EndpointSlice":
		return sliceShape()
	case "Node":
		return nodeShape()
	}
	return plainShape()
}

// plainShape is that of most kinds: all but who has written which field.
func plainShape() *shape { return &shape{of: map[uint64]*shape{inMetadata: metaShape()}} }

// metaShape leaves out selfLink, uid, resourceVersion and managedFields.
func metaShape() *shape { return &shape{of: map[uint64]*shape{4: nil, 5: nil, 6: nil, 17: nil}} }

// nodeShape leaves out the images that a node holds, which are hundreds.
func nodeShape() *shape {
	return &shape{of: map[uint64]*shape{inMetadata: metaShape(), inStatus: {of: map[uint64]*shape{8: nil}}}}
}

// sliceShape leaves out which pod and which node each endpoint is, and for which zones.
func sliceShape() *shape {
	return &shape{of: map[uint64]*shape{inMetadata: metaShape(), 2: {of: map[uint64]*shape{4: nil, 5: nil, 6: nil, 8: nil}}}}
}

// podShape is what is read of the specification of a pod, but for the node, which
// differs where all else is the same.
func podShape() *shape {
	whole := func(fields ...uint64) *shape {
		s := &shape{only: true, of: map[uint64]*shape{}}
		for _, f := range fields {
			s.of[f] = nil
		}
		return s
	}
	container := whole(1, 8, 24)     // name, resources, restartPolicy
	spec := whole(2, 11, 20, 32, 40) // containers, hostNetwork, initContainers, overhead, resources
	spec.of[2], spec.of[20] = container, container
	return spec
}

// errWire is the error of bytes that are no message.
var errWire = errors.New("the answer is cut off, or no protobuf")

// field is a field of a message.
type field struct {
	number uint64
	wire   uint64 // 2 for what has a length
	raw    []byte // with number and length
	value  []byte // without, where it has a length
}

// nextField takes the first field off a message.
func nextField(src []byte) (field, []byte, error) {
	tag, n := binary.Uvarint(src)
	if n <= 0 || tag>>3 == 0 {
		return field{}, nil, errWire
	}
	f, end := field{number: tag >> 3, wire: tag & 7}, n
	switch f.wire {
	case 0:
		_, m := binary.Uvarint(src[n:])
		if m <= 0 {
			return f, nil, errWire
		}
		end += m
	case 1:
		end += 8
	case 2:
		length, m := binary.Uvarint(src[n:])
		if m <= 0 || length > uint64(len(src)-n-m) {
			return f, nil, errWire
		}
		end += m + int(length)
		f.value = src[n+m : end]
	case 5:
		end += 4
	default:
		return f, nil, errWire
	}
	if end > len(src) {
		return f, nil, errWire
	}
	f.raw = src[:end]
	return f, src[end:], nil
}

// lengthBytes is how long the length of a message is written that is not known
// before: a varint may be longer than it needs to be.
const lengthBytes = 5

// prune appends a message to dst without what its shape leaves out.
func prune(dst, src []byte, s *shape) ([]byte, error) {
	for len(src) > 0 {
		f, rest, err := nextField(src)
		if err != nil {
			return nil, err
		}
		src = rest
		inner, named := s.of[f.number]
		switch {
		case !named && s.only, named && inner == nil && !s.only:
			continue
		case inner == nil || f.wire != 2:
			dst = append(dst, f.raw...)
			continue
		}
		dst = binary.AppendUvarint(dst, f.number<<3|f.wire)
		at := len(dst)
		dst = append(dst, 0x80, 0x80, 0x80, 0x80, 0)
		if dst, err = prune(dst, f.value, inner); err != nil {
			return nil, err
		}
		for i, n := 0, len(dst)-at-lengthBytes; i < lengthBytes; i, n = i+1, n>>7 {
			dst[at+i] |= byte(n & 0x7f)
		}
	}
	return dst, nil
}
