package object

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Container is a container of a workload's pods, with the defaults of Kubernetes
// filled in. Amounts are 0 where none is set.
type Container struct {
	Spec          Fields
	Path          string // in the workload's object, such as spec.template.spec.containers[0]
	Name          string
	Init          bool
	Image         string
	Registry      string  // host of the image, docker.io where it names none
	Tag           string  // latest where the image has neither tag nor digest; empty with a digest alone
	Digest        string  // sha256:..., or ""
	Pull          string  // Always, IfNotPresent or Never
	CPURequest    float64 // cores
	CPULimit      float64 // cores
	MemoryRequest float64 // bytes
	MemoryLimit   float64 // bytes
	Liveness      Probe
	Readiness     Probe
	Startup       Probe
}

// Probe is a probe of a container, with the defaults of Kubernetes filled in.
type Probe struct {
	Set      bool
	Handler  string // what it asks, such as httpGet /healthz 8080
	Delay    int64  // seconds before the first one
	Period   int64  // seconds
	Timeout  int64  // seconds
	Failures int64  // in a row, until it counts
	Path     string // in the workload's object
}

func containerOf(spec Fields, path string, init bool) *Container {
	c := &Container{Spec: spec, Path: path, Init: init, Name: spec.Text("name"), Image: spec.Text("image")}
	c.Registry, c.Tag, c.Digest = imageParts(c.Image)
	c.Pull = spec.Text("imagePullPolicy")
	if c.Pull == "" {
		c.Pull = "IfNotPresent"
		if c.Tag == "latest" && c.Digest == "" {
			c.Pull = "Always"
		}
	}
	c.CPURequest = Quantity(spec.At("resources", "requests", "cpu"))
	c.CPULimit = Quantity(spec.At("resources", "limits", "cpu"))
	c.MemoryRequest = Quantity(spec.At("resources", "requests", "memory"))
	c.MemoryLimit = Quantity(spec.At("resources", "limits", "memory"))
	if c.CPURequest == 0 {
		c.CPURequest = c.CPULimit // as the API server sets it
	}
	if c.MemoryRequest == 0 {
		c.MemoryRequest = c.MemoryLimit
	}
	c.Liveness = probeOf(spec.At("livenessProbe"), Join(path, "livenessProbe"))
	c.Readiness = probeOf(spec.At("readinessProbe"), Join(path, "readinessProbe"))
	c.Startup = probeOf(spec.At("startupProbe"), Join(path, "startupProbe"))
	return c
}

// imageParts takes the name of an image apart.
func imageParts(image string) (registry, tag, digest string) {
	name, digest, _ := strings.Cut(image, "@")
	if slash, colon := strings.LastIndexByte(name, '/'), strings.LastIndexByte(name, ':'); colon > slash {
		name, tag = name[:colon], name[colon+1:]
	}
	if tag == "" && digest == "" {
		tag = "latest"
	}
	// A first part is a host where it could not be the name of a user.
	host, _, more := strings.Cut(name, "/")
	if !more || !strings.ContainsAny(host, ".:") && host != "localhost" {
		host = "docker.io"
	}
	return host, tag, digest
}

// handlers are the ways in which a probe asks.
var handlers = []string{"exec", "grpc", "httpGet", "tcpSocket"}

func probeOf(v any, path string) Probe {
	t, ok := asFields(v)
	if !ok {
		return Probe{Path: path}
	}
	p := Probe{
		Set: true, Path: path,
		Delay: t.Whole(0, "initialDelaySeconds"), Period: t.Whole(10, "periodSeconds"),
		Timeout: t.Whole(1, "timeoutSeconds"), Failures: t.Whole(3, "failureThreshold"),
	}
	for _, name := range handlers {
		h, ok := asFields(t.At(name))
		if !ok {
			continue
		}
		p.Handler = name
		for _, field := range []string{"path", "port", "service"} {
			if v := h.At(field); v != nil {
				p.Handler += " " + written(v)
			}
		}
		for _, word := range h.List("command") {
			p.Handler += " " + written(word)
		}
	}
	return p
}

// Quantity reads an amount as Kubernetes writes it, such as 250m, 64Mi or 2. What
// is none is 0.
func Quantity(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case string:
		if q, err := resource.ParseQuantity(v); err == nil {
			return q.AsApproximateFloat64()
		}
	}
	return 0
}

// Env returns the environment variables whose values are written out. Those from
// secrets and elsewhere have no value here.
func (c *Container) Env() map[string]string {
	all := map[string]string{}
	for _, e := range c.Spec.Trees("env") {
		if e.At("value") != nil {
			all[e.Text("name")] = e.Text("value")
		}
	}
	return all
}
