package dump

import (
	"regexp"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

func isRedisInfo(t *text) bool {
	return slices.ContainsFunc(t.head(), func(line string) bool {
		return strings.HasPrefix(line, "redis_version:") || strings.HasPrefix(line, "used_memory:")
	})
}

// readRedisInfo reads lines such as used_memory:1048576.
func readRedisInfo(t *text) manifest.Content {
	all, lines := map[string]string{}, map[string]int{}
	for i, line := range t.lines {
		if name, value, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			all[name], lines[name] = value, i+1
		}
	}
	return t.object(object.RedisInfo, all, lines)
}

// numbered is a line of redis-cli on a terminal, such as 3) "maxmemory".
var numbered = regexp.MustCompile(`^\s*\d+\) "(.*)"$`)

// configLines returns names and values by turns, as CONFIG GET gives them.
func (t *text) configLines() []string {
	all := make([]string, len(t.lines))
	for i, line := range t.lines {
		if m := numbered.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
		all[i] = line
	}
	return all
}

func isRedisConfig(t *text) bool {
	lines := t.configLines()
	return slices.Contains(lines, "maxmemory") && slices.Contains(lines, "maxmemory-policy")
}

// readRedisConfig reads the lines behind the names of settings that are kept, and
// does not look at others: a value may stand in several lines.
func readRedisConfig(t *text) manifest.Content {
	all, lines := map[string]string{}, map[string]int{}
	text := t.configLines()
	for i := 0; i+1 < len(text); i++ {
		if _, seen := all[text[i]]; seen || !object.KeepsSetting(object.RedisSettings, text[i]) {
			continue
		}
		all[text[i]], lines[text[i]] = text[i+1], i+2
		i++
	}
	return t.object(object.RedisSettings, all, lines)
}
