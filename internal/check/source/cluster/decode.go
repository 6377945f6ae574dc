package cluster

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/maphash"
	"math"
	"reflect"
	"slices"

	"github.com/openprecedent/precedent/internal/check/object"
)

// decoder makes fields of messages in protobuf. Messages of the same bytes become the
// same fields: of probes, resources, the proxy of a mesh there are few that differ in
// a cluster, and each is decoded once.
type decoder struct {
	packer *object.Packer
	seeds  [2]maphash.Seed
	known  map[seen]any
	texts  map[string]any // each a string, in one interface for all that hold it
	names  []string       // of the messages that are being read, one in the other
	values []any
}

// seen is a message that was read, by two hashes, which two messages do not share.
type seen struct {
	of   *message
	sums [2]uint64
}

func newDecoder() *decoder {
	return &decoder{
		packer: object.NewPacker(), seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		known: map[seen]any{}, texts: map[string]any{},
	}
}

// maxText is the longest text that is kept once: longer ones differ.
const maxText = 64

// boxed returns a text as a value.
func (d *decoder) boxed(s []byte) any {
	if len(s) > maxText {
		return string(s)
	}
	if known, ok := d.texts[string(s)]; ok {
		return known
	}
	text := string(s)
	box := any(text)
	d.texts[text] = box
	return box
}

// text returns a text that is kept once.
func (d *decoder) text(s []byte) string { return d.boxed(s).(string) }

// value returns the fields of a message, or what stands for it in JSON.
func (d *decoder) value(m *message, raw []byte) (any, error) {
	key := seen{m, [2]uint64{maphash.Bytes(d.seeds[0], raw), maphash.Bytes(d.seeds[1], raw)}}
	if v, ok := d.known[key]; ok {
		return v, nil
	}
	v, err := any(nil), error(nil)
	if m.special != nil {
		v, err = d.special(m.special, raw)
	} else {
		v, err = d.fields(m, raw)
	}
	if err == nil {
		d.known[key] = v
	}
	return v, err
}

// special reads what writes its JSON itself.
func (d *decoder) special(t reflect.Type, raw []byte) (any, error) {
	v := reflect.New(t).Interface()
	if err := v.(protobufs).Unmarshal(raw); err != nil {
		return nil, err
	}
	src, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	var written any
	if err := dec.Decode(&written); err != nil {
		return nil, err
	}
	return d.packedValue(written), nil
}

// fields returns the fields of a message.
func (d *decoder) fields(m *message, raw []byte, more ...named) (*object.Packed, error) {
	from := len(d.names)
	for _, one := range more {
		d.set(from, one.name, one.value)
	}
	err := d.members(m, raw, from)
	return d.pack(from), err
}

// named is a field that is not in the message.
type named struct {
	name  string
	value any
}

// set sets a field of those that stand after some others.
func (d *decoder) set(from int, name string, v any) {
	if at := slices.Index(d.names[from:], name); at >= 0 {
		d.values[from+at] = v // the last one counts
		return
	}
	d.names, d.values = append(d.names, name), append(d.values, v)
}

// members reads the members of a message.
func (d *decoder) members(m *message, raw []byte, from int) error {
	for rest := raw; len(rest) > 0; {
		f, after, err := nextField(rest)
		if err != nil {
			return err
		}
		one := m.members[f.number]
		switch {
		case one == nil:
		case one.repeated || one.mapping:
			if !slices.Contains(d.names[from:], one.name) { // all at once, at the first
				err = d.several(one, f.number, rest, from)
			}
		default:
			err = d.single(one, f, from)
		}
		if err != nil {
			return err
		}
		rest = after
	}
	for _, one := range m.whole {
		if one.name == "" || slices.Contains(d.names[from:], one.name) {
			continue
		}
		v, err := d.value(one.inner, nil)
		if err != nil {
			return err
		}
		d.set(from, one.name, v)
	}
	return nil
}

// single sets a member of one value.
func (d *decoder) single(one *member, f field, from int) error {
	v, err := d.scalar(one, f)
	if err != nil || v == nil || one.omitEmpty && one.inner == nil && empty(v) {
		return err
	}
	inner, isFields := v.(*object.Packed)
	if one.name != "" || !isFields {
		d.set(from, one.name, v)
		return nil
	}
	for name, v := range inner.All() {
		d.set(from, name, v)
	}
	return nil
}

func empty(v any) bool { return v == "" || v == int64(0) || v == false || v == 0.0 }

// several sets a member of several values, of which the first begins a message.
func (d *decoder) several(one *member, number uint64, message []byte, from int) error {
	n := 0
	each := func(do func(f field) error) error {
		for rest := message; len(rest) > 0; {
			f, after, err := nextField(rest)
			if err == nil && f.number == number {
				err = do(f)
			}
			if err != nil {
				return err
			}
			rest = after
		}
		return nil
	}
	if one.mapping {
		v, err := d.entries(one, each)
		if err == nil {
			d.set(from, one.name, v)
		}
		return err
	}
	if err := each(func(field) error { n++; return nil }); err != nil {
		return err
	}
	l := make([]any, 0, n)
	err := each(func(f field) error {
		if f.wire == 2 && one.inner == nil && one.kind != reflect.String {
			return d.packedNumbers(one, f.value, &l)
		}
		v, err := d.scalar(one, f)
		l = append(l, v)
		return err
	})
	d.set(from, one.name, l)
	return err
}

// packedNumbers reads numbers that stand in one field.
func (d *decoder) packedNumbers(one *member, raw []byte, into *[]any) error {
	for len(raw) > 0 {
		n, size := binary.Uvarint(raw)
		if size <= 0 {
			return errWire
		}
		*into, raw = append(*into, number(one.kind, n)), raw[size:]
	}
	return nil
}

// entries reads a mapping.
func (d *decoder) entries(one *member, each func(func(field) error) error) (any, error) {
	from := len(d.names)
	err := each(func(f field) error {
		var key []byte
		value := field{wire: 2}
		for rest := f.value; len(rest) > 0; {
			inner, after, err := nextField(rest)
			if err != nil {
				return err
			}
			switch inner.number {
			case 1:
				key = inner.value
			case 2:
				value = inner
			}
			rest = after
		}
		if string(key) == lastApplied {
			return nil
		}
		v, err := d.scalar(one, value)
		if v != nil {
			d.set(from, d.text(key), v)
		}
		return err
	})
	return d.pack(from), err
}

// scalar returns the value of a field.
func (d *decoder) scalar(one *member, f field) (any, error) {
	if want := one.wire(); f.wire != want {
		return nil, errWire
	}
	switch {
	case one.bytes:
		return base64.StdEncoding.EncodeToString(f.value), nil
	case one.inner != nil:
		return d.value(one.inner, f.value)
	case one.kind == reflect.String:
		return d.boxed(f.value), nil
	case one.kind == reflect.Float64:
		return math.Float64frombits(binary.LittleEndian.Uint64(f.raw[len(f.raw)-8:])), nil
	}
	_, tag := binary.Uvarint(f.raw)
	n, _ := binary.Uvarint(f.raw[tag:])
	return number(one.kind, n), nil
}

// wire is how a value of the member is written.
func (one *member) wire() uint64 {
	switch {
	case one.bytes, one.inner != nil, one.kind == reflect.String:
		return 2
	case one.kind == reflect.Float64:
		return 1
	}
	return 0
}

func number(kind reflect.Kind, n uint64) any {
	switch kind {
	case reflect.Bool:
		return n != 0
	case reflect.Int32:
		return int64(int32(n))
	}
	return int64(n)
}

// together makes one endpoint of those of a slice that are in the same state and
// place, with the addresses of all: of large services this is most.
func together(slice *object.Packed) *object.Packed {
	var kept []any
	for _, one := range slice.List("endpoints") {
		e := one.(*object.Packed)
		at := slices.IndexFunc(kept, func(k any) bool { return alike(k.(*object.Packed), e) })
		if at < 0 {
			kept = append(kept, e)
			continue
		}
		first := kept[at].(*object.Packed)
		kept[at] = first.With("addresses", slices.Concat(first.List("addresses"), e.List("addresses")))
	}
	return slice.With("endpoints", slices.Clip(kept))
}

// alike reports whether two endpoints differ in their addresses alone.
func alike(a, b *object.Packed) bool {
	if a.Len() != b.Len() || a.Field("hostname") != nil {
		return false
	}
	for name, v := range a.All() {
		if _, isList := v.([]any); !isList && v != b.Field(name) || isList && name != "addresses" {
			return false
		}
	}
	return true
}

// packed returns fields that JSON was read into; null is absent.
func (d *decoder) packed(fields map[string]any) *object.Packed {
	from := len(d.names)
	for name, v := range fields {
		if v = d.packedValue(v); v != nil {
			d.set(from, d.text([]byte(name)), v)
		}
	}
	return d.pack(from)
}

func (d *decoder) packedValue(v any) any {
	switch v := v.(type) {
	case string:
		return d.boxed([]byte(v))
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, _ := v.Float64() // what is no number is none in JSON either
		return n
	case map[string]any:
		return d.packed(v)
	case []any:
		for i, one := range v {
			v[i] = d.packedValue(one)
		}
	}
	return v
}

// pack takes the fields that were set after some others, and makes them packed.
func (d *decoder) pack(from int) *object.Packed {
	packed := d.packer.Pack(d.names[from:], d.values[from:])
	clear(d.values[from:])
	d.names, d.values = d.names[:from], d.values[:from]
	return packed
}
