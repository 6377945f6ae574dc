package object

import (
	"strconv"
	"strings"
)

// Steps takes a path such as spec.containers[0].image apart. A name that holds
// dots stands in brackets and quotes: labels["app.kubernetes.io/name"].
func Steps(path string) []string {
	var all []string
	for path != "" {
		switch {
		case strings.HasPrefix(path, `["`):
			name, rest, _ := strings.Cut(path[2:], `"]`)
			all, path = append(all, name), rest
		case path[0] == '[':
			index, rest, _ := strings.Cut(path, "]")
			all, path = append(all, index), rest
		case path[0] == '.':
			path = path[1:]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			all, path = append(all, path[:end]), path[end:]
		}
	}
	return all
}

// Lookup returns what stands at a path such as spec.containers[0].image, nil where
// nothing does.
func (t Tree) Lookup(path string) any {
	var at any = map[string]any(t)
	for _, step := range Steps(path) {
		index, inList := strings.CutPrefix(step, "[")
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i, err := strconv.Atoi(index)
			if !inList || err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}
