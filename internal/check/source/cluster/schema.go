package cluster

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// message says how messages in protobuf of one Go type of Kubernetes are made into
// fields, as the JSON of the same object has them.
type message struct {
	members map[uint64]*member // by the number of a field; those that are left out are not there
	whole   []*member          // structs, which JSON always has
	special reflect.Type       // of what writes its JSON itself, such as a time; nil for most
}

// member is a field of a message.
type member struct {
	name      string // in JSON; empty for one whose fields stand in JSON beside the others
	kind      reflect.Kind
	bytes     bool     // []byte
	inner     *message // of structs, be they many or values of a mapping
	repeated  bool
	mapping   bool
	omitEmpty bool
}

// protobufs are types that can be read from a message.
type protobufs interface{ Unmarshal(data []byte) error }

var (
	protobufType = reflect.TypeFor[protobufs]()
	writerType   = reflect.TypeFor[json.Marshaler]()
)

// schema holds the messages of types, each made once. It is for one goroutine.
type schema map[schemaKey]*message

type schemaKey struct {
	of    reflect.Type
	shape *shape
}

// message returns how messages of a type are read, but for what a shape leaves out.
func (all schema) message(t reflect.Type, s *shape) (*message, error) {
	key := schemaKey{t, s}
	if m, ok := all[key]; ok {
		return m, nil
	}
	m := &message{members: map[uint64]*member{}}
	all[key] = m
	if reflect.PointerTo(t).Implements(writerType) {
		if !reflect.PointerTo(t).Implements(protobufType) {
			return nil, fmt.Errorf("%v cannot be read from protobuf", t)
		}
		m.special = t
		return m, nil
	}
	for i := range t.NumField() {
		if err := all.add(m, t.Field(i), s); err != nil {
			return nil, fmt.Errorf("%v: %w", t, err)
		}
	}
	return m, nil
}

// add adds a field of a struct to its message.
func (all schema) add(m *message, f reflect.StructField, s *shape) error {
	words := strings.Split(f.Tag.Get("protobuf"), ",")
	if len(words) < 2 {
		return nil // apiVersion and kind, which are not in the message
	}
	number, err := strconv.ParseUint(words[1], 10, 32)
	if err != nil {
		return fmt.Errorf("%s: its number is %q", f.Name, words[1])
	}
	var inner *shape
	if s != nil {
		var named bool
		if inner, named = s.of[number]; !named && s.only || named && inner == nil && !s.only {
			return nil
		}
	}
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	one := &member{name: name, omitEmpty: strings.Contains(options, "omitempty")}
	if err := all.typed(one, f.Type, inner); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	m.members[number] = one
	if one.inner != nil && one.inner.special == nil && !one.repeated && !one.mapping && f.Type.Kind() == reflect.Struct {
		m.whole = append(m.whole, one)
	}
	return nil
}

// typed says of what type a member is.
func (all schema) typed(one *member, t reflect.Type, s *shape) (err error) {
	if t.Kind() == reflect.Pointer {
		t, one.omitEmpty = t.Elem(), false // what is there is there, be it 0
	}
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		one.bytes = true
		return nil
	case t.Kind() == reflect.Slice:
		one.repeated, t = true, t.Elem()
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		one.mapping, t = true, t.Elem()
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
			one.bytes = true
			return nil
		}
	}
	switch one.kind = t.Kind(); one.kind {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64, reflect.Float64:
		return nil
	case reflect.Struct:
		one.inner, err = all.message(t, s)
		return err
	}
	return fmt.Errorf("nothing is known of %v", t)
}
