package draft

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// origin places what the page and the front matter say of the report itself.
func (p *placer) origin() {
	src := &p.rec.source
	page := p.doc.page
	src.url, src.title, src.lang = p.opt.URL, page.title, page.lang
	if src.url == "" {
		src.url = page.url
	}
	if src.url != "" && !isWeb(src.url) {
		src.notes = append(src.notes, "not placed, no web address: "+src.url)
		src.url = ""
	}
	p.rec.slug, p.rec.org.text = p.opt.OrgSlug, p.opt.OrgName
	if p.rec.org.text == "" && page.site != "" {
		p.rec.org.add("the page calls its site "+page.site, "")
	}
	if p.lang != "" {
		src.lang = p.lang
	}
	if page.published != "" {
		p.publish(fact{name: "published", value: page.published})
	}
	for _, f := range p.doc.front {
		p.frontField(f)
	}
}

// webAddress is the address of a web page in a text.
var webAddress = lazyregexp.New(`https?://[^\s<>"]+`)

// isWeb reports whether s is the full address of a web page.
func isWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		!strings.ContainsAny(s, " <>\"")
}

// frontField places one entry of the front matter.
func (p *placer) frontField(f frontField) {
	key := keyOf(f.key)
	one := fact{name: f.key, key: key, value: f.value}
	switch {
	case f.value == "" || key == "":
	case key == "title" && p.rec.title.text == "":
		p.rec.title.add("stated: "+strings.TrimSpace(f.raw), f.value)
		return
	case key == "date" || key == "published":
		p.publish(one)
		return
	case key == "lang":
		p.rec.source.notes = append(p.rec.source.notes, "stated: "+strings.TrimSpace(f.raw))
		return
	default:
		p.fact(one)
		if covers(one.String(), f.raw) {
			return
		}
	}
	p.rec.rest = append(p.rec.rest, "not placed: front matter\n"+f.raw)
}

// publish places the time of publication.
func (p *placer) publish(f fact) {
	w := p.moment(f)
	if w.String() == "" {
		p.rec.source.notes = append(p.rec.source.notes, "not placed: "+f.String())
		return
	}
	if p.rec.times["published"] == nil {
		p.instant("published", w, f)
		p.rec.source.published = w.String()
		return
	}
	if !covers(p.rec.source.published, f.value) || f.name == "line" {
		p.rec.times["published"].notes = append(p.rec.times["published"].notes, "also stated: "+f.String())
	}
}

// moment reads the point in time of a fact.
func (p *placer) moment(f fact) when {
	if f.stamp != "" {
		if w, n := scanWhen(f.stamp); n == len(f.stamp) {
			return w
		}
	}
	at, _, _, ok := findSpan(f.value)
	if !ok {
		return when{}
	}
	return p.complete(at.from)
}

// findTitle takes the title from the front matter, the first heading, or the
// head of the page.
func (p *placer) findTitle() {
	at := slices.IndexFunc(p.sections, func(s section) bool { return s.kind != preamble })
	top := 0
	for _, s := range p.sections {
		if s.kind != preamble && s.level == 1 {
			top++
		}
	}
	if at >= 0 && at <= 1 {
		s := &p.sections[at]
		exact := exactKind(plainHeading(s.heading)) != unknown
		alone := s.level == 1 && (top == 1 || s.kind == unknown)
		if alone && !exact && keyOf(s.heading) == "" && s.kind != footnotes {
			p.headline(s)
		}
	}
	if p.rec.title.text == "" && p.doc.page.title != "" {
		p.rec.title.add("from: the title of the page", p.doc.page.title)
	}
	if p.rec.title.text != "" && p.lang == "" {
		p.rec.title.notes = append(p.rec.title.notes, "not placed: "+p.rec.title.text)
		p.rec.source.title, p.rec.title.text = p.rec.title.text, ""
	} else if p.rec.source.title == "" {
		p.rec.source.title = p.rec.title.text
	}
}

// headline makes the heading of s the title; the text below it counts as the
// text before the first heading.
func (p *placer) headline(s *section) {
	if p.rec.title.text == "" {
		p.rec.title.text = s.heading
	} else if !covers(p.rec.title.text, s.heading) {
		p.rec.title.notes = append(p.rec.title.notes, "also stated: "+s.heading)
	}
	for i := range p.sections {
		one := &p.sections[i]
		if one.inherited && one.kind == s.kind && one.kind != unknown {
			one.kind, one.inherited = unknown, false
		}
	}
	s.heading, s.kind = "", preamble
}

// finishLinks makes references of the links in the report.
func (p *placer) finishLinks() {
	base, _ := url.Parse(p.rec.source.url)
	seen := map[string]bool{p.rec.source.url: true}
	for _, l := range p.doc.links {
		target, err := url.Parse(l.url)
		if err == nil && base != nil && base.Host != "" {
			target = base.ResolveReference(target)
		}
		switch {
		case err != nil || target.Scheme == "" && target.Host == "":
			p.rec.referenceNotes = append(p.rec.referenceNotes, "not placed: link to "+l.url+" ("+l.text+")")
		case target.Scheme != "http" && target.Scheme != "https" || target.Host == "":
			p.rec.referenceNotes = append(p.rec.referenceNotes, "left out: link to "+target.Scheme+" address")
		case !isWeb(target.String()):
			p.rec.referenceNotes = append(p.rec.referenceNotes, "not placed: link to "+l.url)
		case !seen[target.String()]:
			seen[target.String()] = true
			title := l.text
			if title == "" {
				title = target.String()
			}
			p.rec.references = append(p.rec.references, link{url: target.String(), text: title})
		}
	}
}

// placeLinks keeps a list of links as a note, since the links themselves are
// collected from the whole report.
func (p *placer) placeLinks(s section, note string) {
	if text := markdown(s.blocks); text != "" {
		note += "\n" + text
	}
	p.rec.referenceNotes = append(p.rec.referenceNotes, note)
}

// takeByline takes the dates of publication out of the first lines, "Posted on
// July 30, 2024", and keeps bylines and labels as notes.
func (p *placer) takeByline(blocks []block) []block {
	var rest []block
	for i, b := range blocks {
		text := plain(b.runs)
		switch {
		case b.kind != paragraph || len(text) > 120 && !(len(text) < 400 && namesPeople(text)):
			rest = append(rest, b)
		case i <= 3 && namesPeople(text):
			p.rec.rest = append(p.rec.rest, "not placed: "+text+" (a case names no persons: delete this)")
		case i <= 3 && isByline(text):
			p.byline(b)
		case isLabel(text):
			p.rec.rest = append(p.rec.rest, "not placed, above the text: "+text)
		default:
			rest = append(rest, b)
		}
	}
	return rest
}

// peopleAhead begins a line, or a part of one, that says who wrote the report or
// answered the alarm.
var peopleAhead = lazyregexp.New(`(?i)(?:^|[\n,;·•|/(]\s*|\s[-–—]+\s+)(?:` +
	`(?:authors?|attendees|participants|responders?|incident commanders?|on-?call|owners?|reporters?|reviewers?|` +
	`written by|prepared by|reported by|작성자?|참석자|담당자?|보고자|대응자|검토자)\s*[:：]|` +
	`(?:written|prepared|authored|reported) by \p{Lu})`)

// namesPeople reports whether a line above the text tells of persons.
func namesPeople(text string) bool {
	return peopleAhead.MatchString(text) && !strings.HasSuffix(text, "다.")
}

func (p *placer) byline(b block) {
	text := plain(b.runs)
	p.publish(fact{name: "byline", value: text, stamp: stampOf(b.runs)})
	if !covers(p.rec.source.published, text) {
		p.rec.source.notes = append(p.rec.source.notes, "stated above the text: "+text+" (a case names no persons)")
	}
}

// isLabel reports whether a paragraph is a few words and no sentence.
func isLabel(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return len(strings.Fields(text)) <= 6 && !strings.ContainsRune(".!?:。다", r)
}

// isByline reports whether a short paragraph tells when or by whom the report
// was published: it has a date, and no sentence.
func isByline(text string) bool {
	at, _, end, ok := findSpan(text)
	if !ok || !at.from.full() {
		return false
	}
	last := text[len(text)-1]
	return last != '.' && last != '!' && last != ':' && !strings.Contains(text[end:], ". ") &&
		!strings.HasSuffix(text, "다")
}
