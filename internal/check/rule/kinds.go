package rule

import (
	"errors"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/check/object"
)

// kind is a type of CEL whose fields are ours.
type kind struct {
	name   string
	about  string
	fields []field
}

// field is a field of a kind. An error of get is the error of the expression; an
// [object.Unread] makes the outcome not-checked.
type field struct {
	name  string
	gives *types.Type
	about string
	get   func(v any) (any, error)
}

// Types of fields.
var (
	text     = types.StringType
	whole    = types.IntType
	number   = types.DoubleType
	truth    = types.BoolType
	anything = types.DynType
	texts    = types.NewListType(types.StringType)
	labels   = types.NewMapType(types.StringType, types.StringType)
)

func typeOf(name string) *types.Type { return types.NewObjectType(name) }
func listOf(name string) *types.Type { return types.NewListType(typeOf(name)) }

// of makes a field of what never fails.
func of[T any](name string, gives *types.Type, about string, get func(v T) any) field {
	return field{name, gives, about, func(v any) (any, error) { return get(v.(T)), nil }}
}

// may makes a field of what may not have been read.
func may[T any](name string, gives *types.Type, about string, get func(v T) (any, error)) field {
	return field{name, gives, about, func(v any) (any, error) { return get(v.(T)) }}
}

// kinds returns the types of expressions, in the order in which one meets them.
func kinds() []kind {
	return []kind{
		{"Cluster", "all that was read", clusterFields()},
		{"Workload", "what makes pods, and is made by nothing else", workloadFields()},
		{"Container", "a container of a workload's pods, with the defaults of Kubernetes filled in", containerFields()},
		{"Probe", "a probe of a container", probeFields()},
		{"Pod", "a pod", podFields()},
		{"PodContainer", "a container of a pod", podContainerFields()},
		{"Node", "a node", nodeFields()},
		{"Client", "a container of a workload or a task of ECS that talks to a database, as far as its environment tells", clientFields()},
		{"Service", "a service", serviceFields()},
		{"Retry", "a setting by which a request to a service is sent again where it fails", retryFields()},
		{"Place", "a field of an object that a finding points to, beside those of its own object", placeFields()},
		{"DNSServer", "a block of a Corefile: zones that a server of CoreDNS answers for", dnsServerFields()},
		{"DNSPlugin", "a plugin of a server of CoreDNS", dnsPluginFields()},
		{"Certificate", "the public part of a certificate", certificateFields()},
		{"DatabaseServer", "a server of databases whose settings were read, or a group of parameters of AWS for one", databaseFields()},
		{"SystemPart", "a part of a system file", systemPartFields()},
		{"SystemCall", "a call that a part of a system file makes", systemCallFields()},
	}
}

func clusterFields() []field {
	return []field{
		may("workloads", listOf("Workload"), "Deployments, StatefulSets, DaemonSets, and all others that make pods", func(s *object.Snapshot) (any, error) {
			all, err := s.Workloads()
			return list("Workload", all), err
		}),
		may("pods", listOf("Pod"), "all pods", func(s *object.Snapshot) (any, error) {
			all, err := s.Pods()
			return list("Pod", all), err
		}),
		may("services", listOf("Service"), "all services", func(s *object.Snapshot) (any, error) {
			all, err := s.Services()
			return list("Service", all), err
		}),
		may("nodes", listOf("Node"), "all nodes", func(s *object.Snapshot) (any, error) {
			all, err := s.Nodes()
			return list("Node", all), err
		}),
		may("clients", listOf("Client"), "containers that talk to a database, as far as their environment tells",
			func(s *object.Snapshot) (any, error) {
				all, err := s.Clients()
				return list("Client", all), err
			}),
		may("hidden_clients", listOf("Client"), "containers that may talk to a database whose address stands in a Secret, or in a ConfigMap that was not read",
			func(s *object.Snapshot) (any, error) {
				all, err := s.HiddenClients()
				return list("Client", all), err
			}),
		may("databases", listOf("DatabaseServer"), "servers of databases whose settings were read, and groups of parameters of AWS", func(s *object.Snapshot) (any, error) {
			all, err := s.Databases()
			return list("DatabaseServer", all), err
		}),
	}
}

func clientFields() []field {
	type c = *object.Client
	return []field{
		of("name", text, "of the container", func(v c) any { return v.Name }),
		of("owner", text, "the object that the container is of, such as Deployment shop/web", func(v c) any { return v.Object.ID() }),
		of("host", text, "of the database or the proxy before it; empty where it is not written out", func(v c) any { return v.Host }),
		of("hidden", text, "what its address may stand in that was not read, such as Secret shop/orders; or empty", func(v c) any { return v.Hidden }),
		of("pool", whole, "connections that one copy may hold; 0 where that is not told", func(v c) any { return v.Pool }),
		of("copies", whole, "copies that there may be, with the autoscaler at its most", func(v c) any { return v.Copies }),
		of("wait", number, "seconds that it waits for an answer or a connection until it gives up; 0 where that is not told", func(v c) any { return v.Wait }),
		of("lifetime", number, "seconds for which it keeps a connection; 0 where that is not told", func(v c) any { return v.Lifetime }),
	}
}

func workloadFields() []field {
	type w = *object.Workload
	return []field{
		of("kind", text, "such as Deployment", func(v w) any { return v.Kind }),
		of("name", text, "", func(v w) any { return v.Name }),
		of("namespace", text, "empty where the manifest names none", func(v w) any { return v.Namespace }),
		of("labels", labels, "labels of its pods", func(v w) any { return v.Labels }),
		of("replicas", whole, "pods that are wanted, 1 where none is written; of a DaemonSet, as many as its status says", func(v w) any { return v.Replicas }),
		of("containers", listOf("Container"), "its containers, without those of the start", func(v w) any { return list("Container", v.Containers) }),
		of("init_containers", listOf("Container"), "its containers of the start", func(v w) any { return list("Container", v.Init) }),
		of("spec", anything, "specification of its pods, as it is written", func(v w) any { return fieldsValue(v.Spec()) }),
		of("account", text, "service account of its pods, default where none is written", func(v w) any { return v.Account() }),
		of("path", text, "where that specification stands, such as spec.template.spec", func(v w) any {
			if v.Path == "" {
				return "spec"
			}
			return object.Join(v.Path, "spec")
		}),
		may("pods", listOf("Pod"), "its pods", func(v w) (any, error) {
			all, err := v.Pods()
			return list("Pod", all), err
		}),
		may("services", types.NewListType(anything), "services that send requests to its pods", func(v w) (any, error) { return trees(v.Services()) }),
		may("budgets", types.NewListType(anything), "pod disruption budgets of its pods", func(v w) (any, error) { return trees(v.Budgets()) }),
		may("autoscalers", types.NewListType(anything), "autoscalers that set its replicas", func(v w) (any, error) { return trees(v.Autoscalers()) }),
		may("zones", texts, "zones that its pods run in, each once", func(v w) (any, error) {
			pods, err := v.Pods()
			return v.Zones(pods), err
		}),
		may("nodes", texts, "nodes that its pods run on, each once", func(v w) (any, error) {
			pods, err := v.Pods()
			return object.NodesOf(pods), err
		}),
	}
}

func containerFields() []field {
	type c = *object.Container
	probe := func(p object.Probe) any { return record{"Probe", p} }
	return []field{
		of("name", text, "", func(v c) any { return v.Name }),
		of("path", text, "where it stands in the object, such as spec.template.spec.containers[0]", func(v c) any { return v.Path }),
		of("image", text, "as it is written", func(v c) any { return v.Image }),
		of("registry", text, "host of the image, docker.io where it names none", func(v c) any { return v.Registry }),
		of("tag", text, "latest where the image has neither tag nor digest, empty where it has a digest alone", func(v c) any { return v.Tag }),
		of("digest", text, "such as sha256:..., or empty", func(v c) any { return v.Digest }),
		of("pull", text, "Always, IfNotPresent or Never; what Kubernetes sets where none is written", func(v c) any { return v.Pull }),
		of("cpu_request", number, "cores, 0 where none is set", func(v c) any { return v.CPURequest }),
		of("cpu_limit", number, "cores, 0 where none is set", func(v c) any { return v.CPULimit }),
		of("memory_request", number, "bytes, 0 where none is set", func(v c) any { return v.MemoryRequest }),
		of("memory_limit", number, "bytes, 0 where none is set", func(v c) any { return v.MemoryLimit }),
		of("liveness", typeOf("Probe"), "", func(v c) any { return probe(v.Liveness) }),
		of("readiness", typeOf("Probe"), "", func(v c) any { return probe(v.Readiness) }),
		of("startup", typeOf("Probe"), "", func(v c) any { return probe(v.Startup) }),
		of("env", labels, "environment variables whose values are written out, by name", func(v c) any { return v.Env() }),
		of("spec", anything, "as it is written", func(v c) any { return fieldsValue(v.Spec) }),
	}
}

func probeFields() []field {
	type p = object.Probe
	return []field{
		of("set", truth, "whether there is one", func(v p) any { return v.Set }),
		of("handler", text, "what it asks, such as httpGet /healthz 8080", func(v p) any { return v.Handler }),
		of("delay", whole, "seconds before the first one", func(v p) any { return v.Delay }),
		of("period", whole, "seconds between two", func(v p) any { return v.Period }),
		of("timeout", whole, "seconds that it waits", func(v p) any { return v.Timeout }),
		of("failures", whole, "failures in a row until it counts", func(v p) any { return v.Failures }),
		of("path", text, "where it stands in the object, or would stand", func(v p) any { return v.Path }),
	}
}

func podFields() []field {
	type p = *object.Pod
	return []field{
		of("name", text, "", func(v p) any { return v.Name }),
		of("namespace", text, "", func(v p) any { return v.Namespace }),
		of("node", text, "node that it runs on, or empty", func(v p) any { return v.Node }),
		of("owner", text, "what made it, such as Deployment/web; empty for a pod by itself", func(v p) any { return v.Owner }),
		of("ended", truth, "whether it is over, so that it takes no room", func(v p) any { return v.Ended() }),
		of("cpu_request", number, "cores that it asks for", func(v p) any { return v.CPU }),
		of("memory_request", number, "bytes that it asks for", func(v p) any { return v.Memory }),
		of("memory_limit", number, "bytes that it may use, 0 where one of its containers has no limit", func(v p) any { return v.Most }),
		of("phase", text, "Pending, Running, Succeeded, Failed or Unknown", func(v p) any { return v.Phase }),
		of("ready", truth, "", func(v p) any { return v.Ready }),
		of("restarts", whole, "of all its containers", func(v p) any { return v.Restarts() }),
		of("containers", listOf("PodContainer"), "its containers", func(v p) any {
			all := make([]*object.PodContainer, len(v.Containers))
			for i := range v.Containers {
				all[i] = &v.Containers[i]
			}
			return list("PodContainer", all)
		}),
		may("created", types.TimestampType, "", func(v p) (any, error) {
			if v.Created.IsZero() {
				return nil, unknown(types.String("when the pod "+v.Name+" was made is not known"), types.String("파드 "+v.Name+"이(가) 언제 만들어졌는지 알 수 없다"))
			}
			return v.Created, nil
		}),
		of("start_up", types.DurationType, "from being accepted by a node until ready; 0 where that is not known or a container was started again", func(v p) any {
			if !v.Ready || v.Restarts() > 0 || v.Started.IsZero() || v.ReadySince.IsZero() {
				return time.Duration(0)
			}
			return max(0, v.ReadySince.Sub(v.Started))
		}),
	}
}

func podContainerFields() []field {
	type c = *object.PodContainer
	return []field{
		of("name", text, "", func(v c) any { return v.Name }),
		of("restarts", whole, "", func(v c) any { return v.Restarts }),
		of("ready", truth, "", func(v c) any { return v.Ready }),
		of("waiting", text, "why it waits, such as CrashLoopBackOff, or empty", func(v c) any { return v.Waiting }),
		of("last", text, "why it ended the last time, such as OOMKilled, or empty", func(v c) any { return v.Last }),
	}
}

// trees makes values of objects.
func trees(all []*object.Object, err error) (any, error) {
	values := make([]any, len(all))
	for i, o := range all {
		values[i] = fieldsValue(o.Fields)
	}
	return values, err
}

// list makes records of one kind.
func list[T any](kind string, all []T) []ref.Val {
	values, records := make([]ref.Val, len(all)), make([]record, len(all))
	for i, v := range all {
		records[i] = record{kind, v}
		values[i] = &records[i]
	}
	return values
}

// unread returns the reason of an error that stems from what was not read.
func unread(err error) (*object.Unread, bool) {
	return errors.AsType[*object.Unread](err)
}
