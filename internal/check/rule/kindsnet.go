package rule

import (
	"github.com/google/cel-go/common/types"

	"github.com/openprecedent/precedent/internal/check/object"
)

func serviceFields() []field {
	type v = *object.Service
	return []field{
		of("name", text, "", func(s v) any { return s.Name }),
		of("namespace", text, "empty where the manifest names none", func(s v) any { return s.Namespace }),
		of("selects", truth, "whether it has a selector, so that its endpoints are pods", func(s v) any { return s.Selects }),
		of("object", anything, "as it is written", func(s v) any { return fieldsValue(s.Fields) }),
		may("workloads", listOf("Workload"), "what it sends requests to", func(s v) (any, error) {
			all, err := s.Workloads()
			return list("Workload", all), err
		}),
		may("ready", whole, "ready endpoints", func(s v) (any, error) { return s.Ready() }),
		may("retries", listOf("Retry"), "settings by which requests are sent again on the way to it, from the outside inwards, of the way on which they are sent most often",
			func(s v) (any, error) {
				all, err := s.Retries()
				return list("Retry", all), err
			}),
		may("load", number, "how often a request at the start of that way is sent to it", func(s v) (any, error) { return s.Load() }),
		may("routes", texts, "what names it as a target, such as Ingress shop/web or HTTPRoute shop/web", func(s v) (any, error) { return s.Routes() }),
	}
}

func certificateFields() []field {
	type v = *object.Certificate
	return []field{
		of("name", text, "its common name, or the first name that it is for", func(c v) any { return c.Name }),
		of("from", types.TimestampType, "from when it is valid", func(c v) any { return c.From }),
		of("end", types.TimestampType, "until when it is valid", func(c v) any { return c.End }),
		of("ca", truth, "whether it may sign others", func(c v) any { return c.CA }),
	}
}
