package api

import (
	"crypto/sha1"
	"encoding/xml"
	"fmt"
	"slices"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// maxFeed is the number of cases in a feed.
const maxFeed = 50

// feedItem is a case in a feed.
type feedItem struct {
	id        string // lasting, the same on every server
	path      string
	title     string
	summary   string
	published string // when the report was published, as precisely as is known; may be empty
	at        time.Time
	tags      []string
}

// items returns the newest cases.
func (s *site) items() ([]feedItem, error) {
	var items []feedItem
	for _, b := range s.app.All() {
		if len(items) == maxFeed {
			break
		}
		c, err := s.app.Case(b.ID)
		if err != nil {
			return nil, err
		}
		item := feedItem{
			id: nameID("case " + c.Library + " " + c.ID), path: "/cases/" + c.ID,
			title:   fmt.Sprintf("%s: %s", c.Org.Name, output.Read(&c.Title, s.lang)),
			summary: output.Read(&c.Summary, s.lang), at: c.Date.Earliest(),
		}
		if p := c.Times.Published; p != nil {
			item.published, item.at = stamp(p.At.Earliest()), p.At.Earliest()
		}
		for _, m := range c.Mechanisms {
			item.tags = append(item.tags, s.app.Name("mechanism", m.Code, s.lang))
		}
		for _, t := range c.Tags {
			item.tags = append(item.tags, s.app.Name("tag", t, s.lang))
		}
		items = append(items, item)
	}
	return items, nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// latest returns the time of the newest item.
func latest(items []feedItem) time.Time {
	if len(items) == 0 {
		return time.Unix(0, 0)
	}
	return slices.MaxFunc(items, func(a, b feedItem) int { return a.at.Compare(b.at) }).at
}

// nameID returns a name-based UUID (version 5), so that the same thing has the
// same id on every server.
func nameID(name string) string {
	space := [16]byte{0x8a, 0x1c, 0x6f, 0x0e, 0x53, 0x7d, 0x4b, 0x42, 0x9d, 0x35, 0x6a, 0xe4, 0x21, 0xb7, 0xc0, 0x94}
	sum := sha1.Sum(append(space[:], name...))
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

var (
	feedTitle = bilingual.Text{En: "precedent: incidents", Ko: "precedent: 장애 사례"}
	feedAbout = bilingual.Text{
		En: "Published outages as structured cases, newest incident first. The time of an entry is that of its report, or else of the incident; the record has no date of change.",
		Ko: "공개된 장애를 정리한 사례, 새 사고부터. 항목의 시각은 보고서가 나온 때이고, 모르면 사고가 난 때다. 기록에 바뀐 날짜는 없다."}
)

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Lang string `xml:"hreflang,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomTerm struct {
	Term string `xml:"term,attr"`
}

type atomEntry struct {
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Updated   string     `xml:"updated"`
	Published string     `xml:"published,omitempty"`
	Links     []atomLink `xml:"link"`
	Terms     []atomTerm `xml:"category"`
	Summary   string     `xml:"summary"`
}

type atom struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang     string      `xml:"xml:lang,attr"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle"`
	Updated  string      `xml:"updated"`
	Author   string      `xml:"author>name"`
	Links    []atomLink  `xml:"link"`
	Entries  []atomEntry `xml:"entry"`
}

func atomFeed(s *site) ([]byte, error) {
	items, err := s.items()
	if err != nil {
		return nil, err
	}
	feed := atom{
		Lang: string(s.lang), ID: nameID("feed " + string(s.lang)), Title: feedTitle.In(s.lang), Subtitle: feedAbout.In(s.lang),
		Updated: stamp(latest(items)), Author: "precedent incident library",
		Links: []atomLink{
			{Rel: "self", Type: "application/atom+xml", Href: s.url("/feed.atom")},
			{Rel: "alternate", Type: "text/html", Lang: string(s.lang), Href: s.url("/cases")},
		},
	}
	for _, i := range items {
		e := atomEntry{
			ID: i.id, Title: i.title, Updated: stamp(i.at), Published: i.published, Summary: i.summary,
			Links: []atomLink{
				{Rel: "alternate", Type: "text/html", Lang: string(s.lang), Href: s.url(i.path)},
				{Rel: "alternate", Type: "application/json", Href: s.url(i.path) + ".json"},
				{Rel: "alternate", Type: "text/markdown", Lang: string(s.lang), Href: s.url(i.path) + ".md"},
			},
		}
		for _, t := range i.tags {
			e.Terms = append(e.Terms, atomTerm{t})
		}
		feed.Entries = append(feed.Entries, e)
	}
	raw, err := xml.MarshalIndent(feed, "", "  ")
	return slices.Concat([]byte(xml.Header), raw, []byte("\n")), err
}

// jsonFeedItem and jsonFeedFile are a JSON Feed 1.1.
type jsonFeedItem struct {
	ID          string   `json:"id"`
	URL         string   `json:"url"`
	Title       string   `json:"title"`
	ContentText string   `json:"content_text"`
	Published   string   `json:"date_published,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Language    string   `json:"language"`
}

type jsonFeedFile struct {
	Version     string         `json:"version"`
	Title       string         `json:"title"`
	HomePageURL string         `json:"home_page_url"`
	FeedURL     string         `json:"feed_url"`
	Description string         `json:"description"`
	Language    string         `json:"language"`
	Items       []jsonFeedItem `json:"items"`
}

func jsonFeed(s *site) ([]byte, error) {
	items, err := s.items()
	if err != nil {
		return nil, err
	}
	feed := jsonFeedFile{
		Version: "https://jsonfeed.org/version/1.1", Title: feedTitle.In(s.lang), Description: feedAbout.In(s.lang),
		HomePageURL: s.url("/cases"), FeedURL: s.url("/feed.json"), Language: string(s.lang), Items: []jsonFeedItem{},
	}
	for _, i := range items {
		feed.Items = append(feed.Items, jsonFeedItem{
			ID: i.id, URL: s.url(i.path), Title: i.title, ContentText: i.summary,
			Published: i.published, Tags: i.tags, Language: string(s.lang),
		})
	}
	return asJSON(feed)
}
