package study

import (
	"encoding/json"
	"strconv"
	"strings"
)

// FileName stands for the file of a question that has no name.
const FileName = "system.yaml"

// Command returns the command line that gives the same answer.
func (q Question) Command() string {
	kind, file := q.Kind, q.File
	if kind == "" {
		kind = KindRun
	}
	if file == "" {
		file = FileName
	}
	words := []string{"precedent", string(kind), Quote(file)}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "--"+flag, Quote(value))
		}
	}
	for _, v := range q.variants() {
		add("variant", v)
	}
	for _, s := range q.Set {
		add("set", s)
	}
	add("x", q.X)
	add("y", q.Y)
	if q.Seed != 0 {
		add("seed", strconv.FormatUint(q.Seed, 10))
	}
	if q.Seeds != 0 {
		add("seeds", strconv.Itoa(q.Seeds))
	}
	if q.Limit != 0 {
		add("limit", strconv.FormatFloat(q.Limit, 'g', -1, 64))
	}
	add("trigger", q.Trigger)
	if q.Course {
		words = append(words, "--course")
	}
	for _, s := range q.Series {
		add("series", s)
	}
	return strings.Join(words, " ")
}

// Key returns a text that is the same for the same question and differs for
// others: all that an answer depends on but the program.
func (q Question) Key() string {
	if q.Kind == "" {
		q.Kind = KindRun
	}
	raw, err := json.Marshal(q)
	if err != nil {
		panic("study: a question has no JSON: " + err.Error()) // its fields are texts and finite numbers
	}
	return string(raw)
}

// Quote writes a word so that a shell takes it as one.
func Quote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,%+@"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// called is what problems call the file.
func (q Question) called() string {
	switch q.File {
	case "":
		return FileName
	case "-":
		return "standard input"
	}
	return q.File
}
