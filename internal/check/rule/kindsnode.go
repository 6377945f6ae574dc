package rule

import (
	"github.com/openprecedent/precedent/internal/check/object"
)

func nodeFields() []field {
	type n = *object.Node
	asked := func(moving, memory bool) func(n) (any, error) {
		return func(v n) (any, error) {
			c, m, err := v.Asked(moving)
			if memory {
				return m, err
			}
			return c, err
		}
	}
	return []field{
		of("name", text, "", func(v n) any { return v.Name }),
		of("zone", text, "or empty", func(v n) any { return v.Zone }),
		of("labels", labels, "", func(v n) any { return v.Labels }),
		of("ready", truth, "", func(v n) any { return v.Ready }),
		of("cordoned", truth, "whether no pod is placed on it any more", func(v n) any { return v.Cordoned }),
		of("open", truth, "whether any pod may be placed on it: it is ready, not cordoned, and no taint keeps pods off", func(v n) any { return v.Open() }),
		of("cpu_capacity", number, "cores", func(v n) any { return v.CPUCapacity }),
		of("cpu_allocatable", number, "cores that pods may ask for", func(v n) any { return v.CPUAllocatable }),
		of("memory_capacity", number, "bytes", func(v n) any { return v.MemoryCapacity }),
		of("memory_allocatable", number, "bytes that pods may ask for", func(v n) any { return v.MemoryAllocatable }),
		of("max_pods", whole, "pods that its kubelet takes, 0 where that is not told", func(v n) any { return v.MaxPods }),
		of("addresses", whole, "addresses for pods in the range of the node, 0 where it has none of its own", func(v n) any { return v.Addresses }),
		may("pods", listOf("Pod"), "pods on it that are not over", func(v n) (any, error) {
			all, err := v.Pods()
			return list("Pod", all), err
		}),
		may("addressed", whole, "pods on it that have an address of their own", func(v n) (any, error) {
			all, err := v.Pods()
			count := 0
			for _, p := range all {
				if p.OwnNetwork {
					count++
				}
			}
			return count, err
		}),
		may("cpu_asked", number, "cores that the pods on it ask for", asked(false, false)),
		may("memory_asked", number, "bytes that the pods on it ask for", asked(false, true)),
		may("cpu_moving", number, "cores that those of its pods ask for that would go elsewhere without it: all but those of DaemonSets", asked(true, false)),
		may("memory_moving", number, "bytes that those pods ask for", asked(true, true)),
		of("measured", truth, "whether metrics.k8s.io says what is in use on it", func(v n) any { return v.Measured() }),
		may("memory_used", number, "bytes that are in use on it, as metrics.k8s.io says", func(v n) (any, error) { return v.MemoryUsed() }),
		of("object", anything, "as it is written", func(v n) any { return fieldsValue(v.Fields) }),
	}
}

func dnsServerFields() []field {
	type v = *object.DNSServer
	return []field{
		of("zones", texts, "such as .:53", func(s v) any { return s.Zones }),
		of("plugins", listOf("DNSPlugin"), "in the order in which they are written", func(s v) any { return list("DNSPlugin", s.Plugins) }),
	}
}

func dnsPluginFields() []field {
	type v = *object.DNSPlugin
	return []field{
		of("name", text, "such as cache", func(p v) any { return p.Name }),
		of("args", texts, "what stands behind the name", func(p v) any { return p.Args }),
		of("options", texts, "the lines of its block, such as lameduck 5s", func(p v) any { return p.Options }),
	}
}
