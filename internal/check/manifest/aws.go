package manifest

import (
	"path"
	"strings"

	"github.com/openprecedent/precedent/internal/check/object"
)

// awsAnswer is an answer of the command line of AWS: the field that holds its
// members, and what they are.
type awsAnswer struct {
	field string
	kind  string
	name  string // field of a member that names it
	only  string // a field that members must have: other services use the same words
}

// awsAnswers are those that hold one object each member.
var awsAnswers = []awsAnswer{
	{"AutoScalingGroups", "AWS/AutoScalingGroup", "AutoScalingGroupName", ""},
	{"DBClusters", "AWS/DBCluster", "DBClusterIdentifier", ""},
	{"DBInstances", "AWS/DBInstance", "DBInstanceIdentifier", ""},
	{"DBProxies", "AWS/DBProxy", "DBProxyName", ""},
	{"NatGateways", "AWS/NatGateway", "NatGatewayId", ""},
	{"RouteTables", "AWS/RouteTable", "RouteTableId", ""},
	{"Subnets", "AWS/Subnet", "SubnetId", ""},
	{"TargetGroups", "AWS/DBProxyTargetGroup", "DBProxyName", "DBProxyName"},
}

// awsSettings are those whose members are settings of one thing, which the answer
// does not name: the name of the file does, behind its first dot.
var awsSettings = []struct{ field, kind, name, value string }{
	{"Parameters", "AWS/DBParameters", "ParameterName", "ParameterValue"},
	{"settings", "AWS/EcsAccountSettings", "name", "value"},
}

// aws returns what a document holds that the command line of AWS has written, or
// reports false.
func (d Document) aws(t object.Tree) (Content, bool) {
	all, kind, ok := d.awsObjects(t)
	c := Content{Objects: all, Whole: []string{kind}}
	if t.Text("NextToken") != "" || t.Text("Marker") != "" || t.Text("nextToken") != "" {
		c.Whole, c.Torn = nil, []Torn{{kind, "the answer has a next page: collect all pages"}}
	}
	return c, ok
}

func (d Document) awsObjects(t object.Tree) (all []*object.Object, kind string, ok bool) {
	for _, a := range awsAnswers {
		members, isList := t[a.field].([]any)
		if !isList || a.only != "" && len(members) > 0 && t.Trees(a.field)[0].At(a.only) == nil {
			continue
		}
		for i, one := range members {
			m, isTree := one.(map[string]any)
			if !isTree {
				continue
			}
			all = append(all, d.setting(object.Tree(m), index(a.field, i), a.kind, object.Tree(m).Text(a.name)))
		}
		return all, a.kind, true
	}
	for _, a := range awsSettings {
		members := t.Trees(a.field)
		if len(members) == 0 || members[0].At(a.name) == nil {
			continue
		}
		values := map[string]any{}
		for _, m := range members {
			if v := m.At(a.value); v != nil {
				values[m.Text(a.name)] = v
			}
		}
		return []*object.Object{d.setting(object.Tree{"values": values}, "", a.kind, d.named())}, a.kind, true
	}
	if members := t.Trees("Targets"); len(members) > 0 && members[0].At("RdsResourceId") != nil {
		return []*object.Object{d.setting(t, "", "AWS/DBProxyTargets", d.named())}, "AWS/DBProxyTargets", true
	}
	if m, ok := t["taskDefinition"].(map[string]any); ok {
		task := object.Tree(m)
		return []*object.Object{d.setting(task, "taskDefinition", "AWS/TaskDefinition", task.Text("family"))}, "AWS/TaskDefinition", true
	}
	return nil, "", false
}

func (d Document) setting(t object.Fields, at, kind, name string) *object.Object {
	return &object.Object{Source: d.Source, Kind: kind, Name: name, Fields: t, Locate: d.locate(at)}
}

// named returns what the name of the document's file says it is about:
// db-parameters.shop.json is about shop.
func (d Document) named() string {
	base := strings.TrimSuffix(path.Base(strings.ReplaceAll(d.Source, `\`, "/")), ".json")
	_, name, _ := strings.Cut(base, ".")
	return name
}
