package object

import (
	"slices"
	"strings"
)

// May reports whether the workload's service account may do something with all
// objects of a resource, in the whole cluster: a verb such as list, and a resource
// such as pods or discovery.k8s.io/endpointslices.
func (w *Workload) May(verb, resource string) (bool, error) {
	group, name, ok := strings.Cut(resource, "/")
	if !ok {
		group, name = "", resource
	}
	bindings, err := w.snap.Objects("ClusterRoleBinding")
	roles, e := w.snap.Objects("ClusterRole")
	if err == nil {
		err = e
	}
	for _, b := range bindings {
		if b.Fields.Text("roleRef", "kind") != "ClusterRole" || !slices.ContainsFunc(b.Fields.Trees("subjects"), w.isSubject) {
			continue
		}
		for _, r := range roles {
			if r.Name == b.Fields.Text("roleRef", "name") && slices.ContainsFunc(r.Fields.Trees("rules"), func(rule Fields) bool {
				return allows(rule, verb, group, name)
			}) {
				return true, nil
			}
		}
	}
	return false, err
}

// isSubject reports whether the subject of a binding is the workload's account, or
// a group that it is in. A manifest may leave its namespace to whoever applies it.
func (w *Workload) isSubject(subject Fields) bool {
	switch name := subject.Text("name"); subject.Text("kind") {
	case "ServiceAccount":
		in := subject.Text("namespace")
		return name == w.Account() && (in == w.Namespace || w.Namespace == "")
	case "Group":
		return name == "system:serviceaccounts" || name == "system:authenticated" || name == "system:serviceaccounts:"+w.Namespace
	case "User":
		return w.Namespace != "" && name == "system:serviceaccount:"+w.Namespace+":"+w.Account()
	}
	return false
}

// Account returns the service account of the workload's pods.
func (w *Workload) Account() string {
	if name := w.Spec().Text("serviceAccountName"); name != "" {
		return name
	}
	return "default"
}

func allows(rule Fields, verb, group, resource string) bool {
	holds := func(field, wanted string) bool {
		all := rule.List(field)
		return slices.Contains(all, any("*")) || slices.Contains(all, any(wanted))
	}
	return len(rule.List("resourceNames")) == 0 && holds("verbs", verb) && holds("apiGroups", group) && holds("resources", resource)
}
