package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/openprecedent/precedent/internal/check/object"
)

// answer is what the API of Prometheus says to an instant query.
type answer struct {
	Status    string
	ErrorType string
	Error     string
	Warnings  []string
	Data      struct {
		ResultType string
		Result     []sample
	}
}

// sample is one series. Of its labels those are read that say whose it is.
type sample struct {
	Metric struct {
		Precedent, Namespace, Pod, Container string
		Name                                 string `json:"__name__"`
		Claim                                string `json:"persistentvolumeclaim"`
	}
	Value [2]any // seconds, and the number as text
}

// PrometheusKinds returns the kinds of what Prometheus is asked for. The queries mark
// each series with one, without what stands before the slash.
func PrometheusKinds() []string { return []string{object.PrometheusMemory, object.PrometheusVolume} }

// kind returns the kind that a series is of, empty where it is of none: it is marked,
// or it is one that has the figure as it stands.
func (s *sample) kind() string {
	if kind := "Prometheus/" + s.Metric.Precedent; slices.Contains(PrometheusKinds(), kind) {
		return kind
	}
	if s.Metric.Name == "container_memory_working_set_bytes" {
		return object.PrometheusMemory
	}
	return ""
}

// Prometheus reads an answer of Prometheus to an instant query. The kind is what was
// asked for; it may be empty where the series say that. What the server warns of makes
// the kind torn. The error is that of an answer that is none.
func Prometheus(source, kind string, src []byte) (Content, error) {
	var a answer
	if err := json.Unmarshal(src, &a); err != nil {
		return Content{}, fmt.Errorf("the answer is not one of Prometheus: %w", err)
	}
	switch {
	case a.Status == "error":
		return Content{}, fmt.Errorf("the server refuses the query: %s: %s", a.ErrorType, firstLine(a.Error))
	case a.Status != "success" || a.Data.ResultType != "vector":
		return Content{}, fmt.Errorf("the answer is not one of Prometheus to an instant query")
	}
	var c Content
	uses := map[string][]object.Use{}
	for i := range a.Data.Result {
		s := &a.Data.Result[i]
		text, _ := s.Value[1].(string)
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			continue
		}
		m := s.Metric
		switch k := s.kind(); {
		case kind != "" && k != kind:
		case k == object.PrometheusMemory && m.Pod != "" && m.Container != "" && m.Container != "POD":
			uses[k] = append(uses[k], object.Use{Namespace: m.Namespace, Pod: m.Pod, Container: m.Container, Memory: n})
		case k == object.PrometheusVolume && m.Claim != "":
			c.Objects = append(c.Objects, &object.Object{
				Source: source, Kind: k, Namespace: m.Namespace, Name: m.Claim,
				Fields: object.Tree{"namespace": m.Namespace, "claim": m.Claim, "share": n},
			})
		}
	}
	c.Uses = uses
	kinds := c.measured()
	if kind != "" && len(kinds) == 0 {
		return Content{}, ErrNoSeries
	}
	for _, k := range kinds {
		if len(a.Warnings) > 0 {
			c.Torn = append(c.Torn, Torn{k, "the server warns: " + firstLine(a.Warnings[0])})
			continue
		}
		c.Whole = append(c.Whole, k)
	}
	return c, nil
}

// ErrNoSeries is the error of a Prometheus that does not collect what is asked for.
var ErrNoSeries = errors.New("the server has no such series with the labels that kubelets give them")

// measured returns the kinds of figures that an answer holds.
func (c Content) measured() []string {
	var all []string
	for _, kind := range PrometheusKinds() {
		if len(c.Uses[kind]) > 0 || slices.ContainsFunc(c.Objects, func(o *object.Object) bool { return o.Kind == kind }) {
			all = append(all, kind)
		}
	}
	return all
}

// prometheus returns what a saved answer of Prometheus holds. One without a series
// says nothing, not even what was asked.
func (d Document) prometheus(t object.Tree) (Content, bool) {
	if t.Text("status") == "" || t.Text("data", "resultType") == "" && t.Text("errorType") == "" {
		return Content{}, false
	}
	c, err := Prometheus(d.Source, "", bytes.TrimPrefix(d.src, []byte("---")))
	if err == nil {
		return c, true
	}
	for _, kind := range PrometheusKinds() {
		c.Torn = append(c.Torn, Torn{kind, err.Error()})
	}
	return c, true
}
