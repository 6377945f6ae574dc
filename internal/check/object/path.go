package object

import (
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
