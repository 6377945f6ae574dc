package cluster

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

// TestShare asks that what is shared equals what it stands for, and that it is one
// where it is the same.
func TestShare(t *testing.T) {
	p := newPool()
	tree := func(name string) map[string]any {
		return map[string]any{
			"name": name, "nothing": nil, "empty": map[string]any{}, "none": []any{},
			"probe": map[string]any{"path": "/live", "port": int64(80), "share": 0.5, "on": true, "list": []any{"a", "b", map[string]any{"c": int64(1)}}},
		}
	}
	one, _ := p.share(tree("one"))
	two, _ := p.share(tree("two"))
	if !reflect.DeepEqual(one, any(tree("one"))) || !reflect.DeepEqual(two, any(tree("two"))) {
		t.Errorf("changed: %v, %v", one, two)
	}
	a, b := one.(map[string]any)["probe"], two.(map[string]any)["probe"]
	if reflect.ValueOf(a).Pointer() != reflect.ValueOf(b).Pointer() {
		t.Error("equal trees are not one")
	}
	if again, _ := p.share(tree("one")); reflect.ValueOf(again).Pointer() != reflect.ValueOf(one).Pointer() {
		t.Error("equal objects are not one")
	}
}

// TestShareApart keeps apart what differs in little.
func TestShareApart(t *testing.T) {
	p := newPool()
	for _, text := range []string{
		`{"a": "b"}`, `{"b": "a"}`, `{"a": {"b": 1}, "c": {"d": 2}}`, `{"a": {"d": 2}, "c": {"b": 1}}`, `{"a": ["x", "y"]}`, `{"a": ["y", "x"]}`,
		`{"a": ["x"], "b": ["y"]}`, `{"a": ["y"], "b": ["x"]}`, `{"a": 1}`, `{"a": "1"}`, `{"a": true}`, `{"a": null}`, `{"a": {}}`, `{"a": []}`, `{}`, `{"a": [[]]}`, `{"a": [{}]}`,
	} {
		for range 2 {
			var v, want any
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatal(err)
			}
			_ = json.Unmarshal([]byte(text), &want)
			if got, _ := p.share(v); !reflect.DeepEqual(got, want) {
				t.Errorf("%s became %v", text, got)
			}
		}
	}
}

// FuzzShare shares any JSON, twice, with all that was shared before.
func FuzzShare(f *testing.F) {
	f.Add(`{"a": [1, {"b": null}], "c": {"b": null}}`)
	p := newPool()
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			t.Skip()
		}
		before := fmt.Sprint(v)
		if got, _ := p.share(v); fmt.Sprint(got) != before {
			t.Errorf("%s became %v", before, got)
		}
	})
}
