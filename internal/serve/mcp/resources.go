package mcp

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// scheme begins the URIs of all resources.
const scheme = "precedent://"

// Templates of resources. A missing lang means English in Markdown, and both
// languages in the JSON of a case.
const (
	caseTemplate      = scheme + "cases/{id}{?lang}"
	caseJSONTemplate  = scheme + "cases/{id}.json"
	topicTemplate     = scheme + "topics/{list}/{term}{?lang}"
	topicJSONTemplate = scheme + "topics/{list}/{term}.json{?lang}"
)

const (
	markdownType = "text/markdown"
	jsonType     = "application/json"
)

// listedCases bounds how many cases the list of resources names, the newest
// first taken. The templates reach all of them.
const listedCases = 500

func addResources(server *sdk.Server, a *app.App) {
	read := func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return readResource(ctx, a, req.Params.URI)
	}
	for _, t := range []struct{ uri, name, title, kind, doc string }{
		{caseTemplate, "case", "Case", markdownType, "A whole case as Markdown; lang is en or ko"},
		{caseJSONTemplate, "case-json", "Case as JSON", jsonType, "A whole case with both languages"},
		{topicTemplate, "topic", "Topic", markdownType, "What is known under a term, e.g. mechanism/retry-storm"},
		{topicJSONTemplate, "topic-json", "Topic as JSON", jsonType, "The same as JSON"},
	} {
		server.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: t.uri, Name: t.name, Title: t.title, MIMEType: t.kind, Description: t.doc,
		}, read)
	}
	for _, b := range first(a.All(), listedCases) {
		title, _ := b.Title.Read(bilingual.English)
		server.AddResource(&sdk.Resource{
			URI: scheme + "cases/" + b.ID, Name: b.ID, MIMEType: markdownType,
			Title: b.ID + " " + b.Org.Name + " " + b.Date, Description: title,
		}, read)
	}
}

func readResource(ctx context.Context, a *app.App, uri string) (*sdk.ReadResourceResult, error) {
	u, err := url.Parse(uri)
	if err != nil || !strings.HasPrefix(uri, scheme) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	lang, ok := bilingual.Parse(u.Query().Get("lang"))
	if !ok && u.Query().Has("lang") {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	path, asJSON := strings.CutSuffix(u.Path, ".json")
	name := strings.TrimPrefix(path, "/")
	var body string
	switch u.Host {
	case "cases":
		body, err = caseResource(a, name, lang, asJSON)
	case "topics":
		body, err = topicResource(ctx, a, name, lang, asJSON)
	default:
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if kind := app.KindOf(err); kind == app.NotFound || kind == app.Gone {
		return nil, notFound(uri, err, orEnglish(lang))
	}
	if err != nil {
		return nil, err
	}
	kind := markdownType
	if asJSON {
		kind = jsonType
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: kind, Text: body}}}, nil
}

// notFound is the protocol's error for a resource that is not there, with the
// reason.
func notFound(uri string, why error, l bilingual.Lang) error {
	err := sdk.ResourceNotFoundError(uri)
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		wire.Message += ": " + explain(why, l)
	}
	return err
}

// caseResource returns a whole case.
func caseResource(a *app.App, id string, lang bilingual.Lang, asJSON bool) (string, error) {
	c, err := a.Case(id)
	if err != nil {
		return "", err
	}
	if asJSON {
		raw, err := marshal(c)
		return string(raw), err
	}
	var b strings.Builder
	lang = orEnglish(lang)
	err = output.Markdown(&b, output.CasePage(c, termNames{a}, lang))
	return b.String(), err
}

// topicResource returns what get_topic tells first. Topics grow with the
// library, so the rest of a long one is for the tool to page.
func topicResource(ctx context.Context, a *app.App, name string, lang bilingual.Lang, asJSON bool) (string, error) {
	list, _, ok := strings.Cut(name, "/")
	if !ok || !slices.Contains(app.TopicLists(), list) {
		return "", app.NotFoundf("topic", "", "no topic %q", shown(name)).Korean("", "그런 주제가 없다: %q")
	}
	t, err := a.Topic(name)
	if err != nil {
		return "", err
	}
	w, err := fit(ctx, topicLessons, func(n int) (*reply, error) {
		return topicReply(a, t, 0, 0, n, orEnglish(lang)), nil
	})
	if err != nil {
		return "", err
	}
	if asJSON {
		return string(w.structured), nil
	}
	return w.content, nil
}

func orEnglish(l bilingual.Lang) bilingual.Lang {
	if l == "" {
		return bilingual.English
	}
	return l
}
