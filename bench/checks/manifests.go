package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// healthy is a workload as one wishes it, with what stands around it.
const healthy = `apiVersion: v1
kind: Namespace
metadata: {name: NS}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {app: web}}
spec:
  replicas: REPLICAS
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 45
      topologySpreadConstraints:
        - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}
      containers:
        - name: web
          image: registry.example.com/NS/web:TAG
          imagePullPolicy: IfNotPresent
          ports: [{containerPort: 8080}]
          env:
            - {name: LOG_LEVEL, value: info}
            - {name: UPSTREAM, value: "http://backend.NS.svc:8080"}
          resources: {requests: {cpu: CPUm, memory: MEMORYMi}, limits: {memory: MEMORYMi}}
          startupProbe: {httpGet: {path: /healthz, port: 8080}, periodSeconds: 5, failureThreshold: 60}
          livenessProbe: {httpGet: {path: /healthz, port: 8080}, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6}
          readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5, timeoutSeconds: 3}
          lifecycle: {preStop: {exec: {command: [sleep, "15"]}}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: NS}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: NS}
spec: {rules: [{host: NS.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
`

// planted are the defects, each with the check that is to find it.
var planted = []struct{ check, text string }{
	{"CK-109", `apiVersion: apps/v1
kind: Deployment
metadata: {name: pulls, namespace: NS}
spec:
  replicas: 40
  template: {spec: {containers: [{name: app, image: "registry.example.com/pulls:1.4.2", imagePullPolicy: Always, resources: {limits: {memory: 256Mi}}}]}}
`},
	{"CK-119", `apiVersion: v1
kind: Service
metadata: {name: gone, namespace: NS}
spec: {selector: {app: gone}, ports: [{port: 80}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: gone, namespace: NS}
spec: {rules: [{http: {paths: [{path: /old, pathType: Prefix, backend: {service: {name: gone, port: {number: 80}}}}]}}]}
`},
	{"CK-120", `apiVersion: batch/v1
kind: CronJob
metadata: {name: each-minute, namespace: NS}
spec:
  schedule: "* * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: "registry.example.com/job:1", resources: {limits: {memory: 64Mi}}}]}}}}
`},
	{"CK-301", `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: policy, namespace: NS}
webhooks:
  - name: validate.NS.example.com
    failurePolicy: Fail
    rules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [UPDATE]}]
    clientConfig: {url: "https://policy.NS.example.com"}
`},
	{"CK-405", `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: queue, namespace: NS}
spec:
  template:
    spec:
      containers:
        - name: redis
          image: redis:7.2
          args: [--appendonly, "yes", --maxmemory, 300mb]
          resources: {limits: {memory: 512Mi}}
          volumeMounts: [{name: data, mountPath: /data}]
  volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 600Mi}}}}]
`},
	{"CK-501", `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: eager, namespace: NS}
spec: {rules: [{retry: {attempts: 5}, timeouts: {request: 30s, backendRequest: 1s}, backendRefs: [{name: web, port: 80}]}]}
`},
	{"CK-502", `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: hasty, namespace: NS}
spec: {hosts: [web], http: [{route: [{destination: {host: web}}], timeout: 3s, retries: {attempts: 2, perTryTimeout: 2s}}]}
`},
	{"CK-612", `apiVersion: apps/v1
kind: Deployment
metadata: {name: sessions, namespace: NS}
spec: {template: {spec: {containers: [{name: redis, image: "redis:7.2", resources: {limits: {memory: 512Mi}}}]}}}
`},
}

// write makes manifests in a folder, a file a namespace, and returns which check is
// to find the defect of which namespace.
func write(dir string, workloads, defects int, seed uint64) (map[string]string, error) {
	if defects > workloads {
		return nil, fmt.Errorf("planting %d defects in %d workloads: plant fewer", defects, workloads)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	where := map[string]string{}
	for i, place := range random.Perm(workloads) {
		namespace := fmt.Sprintf("team-%04d", place)
		text := strings.NewReplacer(
			"NS", namespace, "REPLICAS", fmt.Sprint(2+random.IntN(7)), "TAG", fmt.Sprintf("1.%d.%d", random.IntN(40), random.IntN(9)),
			"CPU", fmt.Sprint(50*(1+random.IntN(20))), "MEMORY", fmt.Sprint(64*(1+random.IntN(30))),
		).Replace(healthy)
		if i < defects {
			d := planted[i%len(planted)]
			where[namespace] = d.check
			text += "---\n" + strings.ReplaceAll(d.text, "NS", namespace)
		}
		if err := os.WriteFile(filepath.Join(dir, namespace+".yaml"), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return where, nil
}
