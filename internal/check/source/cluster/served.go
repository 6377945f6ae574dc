package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// served is what an API server has.
type served struct {
	versions  map[string]bool // such as apps/v1
	resources map[string]bool // such as apps/v1/deployments; nil where an old server names versions alone
	silent    map[string]bool // versions behind a server that does not answer now
}

// discovery asks for all kinds at once, which servers answer from Kubernetes 1.27
// on; older ones name groups and versions.
const discovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
	"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList," + jsonType

// served asks what the API server has beside the core.
func (c *client) served(ctx context.Context) (*served, error) {
	body, err := c.patient(ctx, "/apis", nil, discovery, nil)
	if err != nil {
		return nil, unlisted(err)
	}
	var answer struct {
		Groups []struct {
			Versions []struct{ GroupVersion string }
		}
		Items []struct {
			Metadata struct{ Name string }
			Versions []struct {
				Version   string
				Freshness string
				Resources []struct{ Resource string }
			}
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("reading the groups: %w", err)
	}
	s := &served{versions: map[string]bool{}, silent: map[string]bool{}}
	for _, g := range answer.Groups {
		for _, v := range g.Versions {
			s.versions[v.GroupVersion] = true
		}
	}
	for _, g := range answer.Items {
		if s.resources == nil {
			s.resources = map[string]bool{}
		}
		for _, v := range g.Versions {
			version := g.Metadata.Name + "/" + v.Version
			s.versions[version], s.silent[version] = true, v.Freshness == "Stale"
			for _, r := range v.Resources {
				s.resources[version+"/"+r.Resource] = true
			}
		}
	}
	if len(s.versions) == 0 {
		return nil, errors.New("it names no group")
	}
	return s, nil
}

// has reports whether a version may have a resource.
func (s *served) has(version, resource string) bool {
	if s.resources == nil || s.silent[version] {
		return s.versions[version]
	}
	return s.resources[version+"/"+resource]
}

// others says that a resource is served, but in other versions than some of one
// group, or is empty where this is not so.
func (s *served) others(resource string, versions ...string) string {
	if s == nil {
		return ""
	}
	var found []string
	for _, version := range versions {
		group, _, named := strings.Cut(version, "/")
		if !named || s.has(version, resource) {
			return "" // the core has one version
		}
		for v := range s.versions {
			if strings.HasPrefix(v, group+"/") && s.has(v, resource) && !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return fmt.Sprintf("the API server has %s, and %s is read", strings.Join(found, ", "), strings.Join(versions, ", "))
}
