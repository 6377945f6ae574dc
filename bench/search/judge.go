package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// kinds of judged queries, in the order of the report. crossOnly is the cross
// kind against a library that lacks the language of the query.
var kinds = []string{
	"en", "ko", "particle", "spacing", "cross", crossOnly, "paraphrase", "log", "typo",
}

const crossOnly = "cross-only"

// A judgment is a query with the documents that answer it.
type judgment struct {
	query string
	want  []string
	kind  string
	line  int
}

// A pair says that of b and c, b is more like a.
type pair struct {
	a, b, c string
	reason  string
	line    int
}

var idPattern = regexp.MustCompile(`^[A-Z]+-\d{4,}$`)

// readQueries reads a file of judged queries.
func readQueries(path string) ([]judgment, error) {
	var all []judgment
	err := eachLine(path, func(n int, line string) error {
		parts := strings.Split(line, "|")
		if len(parts) != 3 {
			return fmt.Errorf("line %d: want query | ids | kind, got %q", n, line)
		}
		j := judgment{kind: strings.TrimSpace(parts[2]), line: n}
		j.query = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(strings.TrimSpace(parts[0]))
		if !slices.Contains(kinds, j.kind) {
			return fmt.Errorf("line %d: unknown kind %q", n, j.kind)
		}
		for _, id := range strings.Split(parts[1], ",") {
			id = strings.TrimSpace(id)
			if !idPattern.MatchString(id) {
				return fmt.Errorf("line %d: %q is no id", n, id)
			}
			j.want = append(j.want, id)
		}
		all = append(all, j)
		return nil
	})
	return all, err
}

// readPairs reads a file of judged pairs.
func readPairs(path string) ([]pair, error) {
	var all []pair
	err := eachLine(path, func(n int, line string) error {
		text, reason, _ := strings.Cut(line, "#")
		f := strings.Fields(text)
		if len(f) != 4 || f[2] != ">" {
			return fmt.Errorf("line %d: want A B > C  # reason, got %q", n, line)
		}
		all = append(all, pair{f[0], f[1], f[3], strings.TrimSpace(reason), n})
		return nil
	})
	return all, err
}

// eachLine calls f with the lines of a file that are neither empty nor comments.
func eachLine(path string, f func(n int, line string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := f(n, line); err != nil {
			return fmt.Errorf("reading judgments %q: %w", path, err)
		}
	}
	return s.Err()
}

// A score is the quality of an engine on the queries of a kind.
type score struct {
	Queries  int     `json:"queries"`
	Recall5  float64 `json:"recall_at_5"`
	Recall10 float64 `json:"recall_at_10"`
	MRR      float64 `json:"mrr_at_10"`
	latency  []time.Duration
}

// add counts the answer to one query.
func (s *score) add(want, got []string, took time.Duration) {
	s.Queries++
	n := float64(s.Queries)
	mean := func(old, v float64) float64 { return old + (v-old)/n }
	s.Recall5 = mean(s.Recall5, recall(want, got, 5))
	s.Recall10 = mean(s.Recall10, recall(want, got, 10))
	s.MRR = mean(s.MRR, reciprocalRank(want, got, 10))
	s.latency = append(s.latency, took)
}

// recall is the share of want among the first k of got. If more than k are
// wanted, k of them are enough.
func recall(want, got []string, k int) float64 {
	found := 0
	for _, id := range got[:min(k, len(got))] {
		if slices.Contains(want, id) {
			found++
		}
	}
	return float64(found) / float64(min(k, len(want)))
}

// reciprocalRank is one divided by the rank of the first wanted document, 0 if
// none is among the first k.
func reciprocalRank(want, got []string, k int) float64 {
	for i, id := range got[:min(k, len(got))] {
		if slices.Contains(want, id) {
			return 1 / float64(i+1)
		}
	}
	return 0
}
