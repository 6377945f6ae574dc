package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// readJSON reads one or several JSON values, as kubectl and the command line of
// AWS write them.
func readJSON(source string, src []byte) ([]Document, []Problem) {
	var all []Document
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	for {
		begin := int(dec.InputOffset())
		var v any
		err := dec.Decode(&v)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		line := 1 + bytes.Count(src[:begin], []byte("\n"))
		if err != nil {
			return all, []Problem{{source, line, "is no JSON: " + err.Error(), "mend it, or leave the file out"}}
		}
		if v, err = plain(v, 0); err != nil {
			return all, []Problem{{source, line, err.Error(), "write it plainly"}}
		}
		all = append(all, Document{source, line, v, src[begin:dec.InputOffset()], line})
	}
}

// plain makes the numbers of a JSON value what those of YAML are.
func plain(v any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	var err error
	switch v := v.(type) {
	case map[string]any:
		for k, one := range v {
			if one == nil {
				delete(v, k) // null is absent
				continue
			}
			if v[k], err = plain(one, depth+1); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, one := range v {
			if v[i], err = plain(one, depth+1); err != nil {
				return nil, err
			}
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		if f, err := v.Float64(); err == nil {
			return f, nil
		}
		return v.String(), nil
	}
	return v, nil
}
