package search

import (
	"slices"
	"strings"
)

// What a program writes around what it has to say is not about the incident:
// the names of the fields of an alert, and the frames of a stack trace. In
// JSON, logfmt and YAML the values tell what happened, in a trace the message.

// A zone says what a place of a pasted text is.
type zone uint8

const (
	zoneText  zone = iota
	zoneFrame      // of a stack trace
	zoneKey        // name of a field; may still be the name of what was measured
	zoneField      // name of a field that every alert or log line has
)

// A zoned range of a text.
type zoned struct {
	Range
	zone
}

// zones are the ranges of a text that are not plain, in order.
type zones []zoned

// at returns the zone of a position.
func (zs zones) at(pos int) zone {
	i, found := slices.BinarySearchFunc(zs, pos, func(z zoned, pos int) int {
		switch {
		case z.End <= pos:
			return -1
		case z.Start > pos:
			return 1
		}
		return 0
	})
	if !found {
		return zoneText
	}
	return zs[i].zone
}

// structure finds the keys and frames of a pasted text, and returns the text
// with the values blanked that only tell where and when: the level, the host,
// the link to a dashboard. Positions do not change. An ordinary sentence has
// no structure.
func structure(text string, lex *lexicon) (string, zones) {
	if !strings.ContainsAny(text, "=:\n") {
		return text, nil
	}
	p := paster{text: text, lex: lex}
	p.json()
	if len(p.found) == 0 {
		p.logfmt()
	}
	if strings.IndexByte(text, '\n') >= 0 {
		p.lines()
	}
	slices.SortFunc(p.found, func(a, b zoned) int { return a.Start - b.Start })
	if p.out == nil {
		return text, p.found
	}
	return string(p.out), p.found
}

// A paster looks for structure in a text.
type paster struct {
	text  string
	out   []byte // a copy, once something was blanked
	lex   *lexicon
	found zones
}

// key notes a name of a field at a range, and blanks its value if that only
// tells where and when.
func (p *paster) key(r, value Range) {
	name, _ := joined(p.text[r.Start:r.End])
	z := zoneKey
	if p.lex.field[name] || p.lex.where[name] || p.pointer(r) {
		z = zoneField
	}
	p.found = append(p.found, zoned{r, z})
	if value.Start < value.End && (p.lex.where[name] || p.pointer(r)) {
		p.blank(value)
	}
}

// pointer reports whether a key ends in a part such as id, url or at.
func (p *paster) pointer(r Range) bool {
	parts := splitWord(p.text[r.Start:r.End])
	if len(parts) < 2 {
		return false
	}
	last := parts[len(parts)-1]
	folded, _ := fold(p.text[r.Start+last.Start : r.Start+last.End])
	return p.lex.pointer[folded]
}

func (p *paster) blank(r Range) {
	if p.out == nil {
		p.out = []byte(p.text)
	}
	for i := r.Start; i < r.End; i++ {
		p.out[i] = ' '
	}
}

// json finds the quoted names of fields that a colon follows.
func (p *paster) json() {
	text := p.text
	for i := 0; i < len(text); {
		if text[i] != '"' {
			i++
			continue
		}
		end := closing(text, i)
		if end < 0 {
			return
		}
		next := skipBlanks(text, end+1)
		if next >= len(text) || text[next] != ':' || !opensKey(text, i) {
			i = end + 1
			continue
		}
		from := skipBlanks(text, next+1)
		p.key(Range{i + 1, end}, jsonValue(text, from))
		i = from
	}
}

// opensKey reports whether the quote at i may begin a name of a field: it
// stands first, or after "{" or ",". So does no name that a message quotes.
func opensKey(text string, i int) bool {
	before := strings.TrimRight(text[max(0, i-maxIndent):i], " \t\r\n")
	return before == "" || strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",")
}

// maxIndent bounds the white space before a name of a field.
const maxIndent = 120

// closing returns the position of the quote that closes the one at i, on the
// same line, or -1.
func closing(text string, i int) int {
	for k := i + 1; k < len(text); k++ {
		switch text[k] {
		case '\\':
			k++
		case '"':
			return k
		case '\n':
			return -1
		}
	}
	return -1
}

func skipBlanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

// jsonValue returns the range of a string or number at i; of an object it is
// empty.
func jsonValue(text string, i int) Range {
	if i < len(text) && text[i] == '"' {
		if end := closing(text, i); end > 0 {
			return Range{i, end + 1}
		}
	}
	end := i
	for end < len(text) && strings.IndexByte(" ,}]{[\n\"", text[end]) < 0 {
		end++
	}
	return Range{i, end}
}

// logfmt finds the names before "=" in a text that has two of them or more, of
// which one is a name that log lines have: the names in "max_connections=100"
// are what somebody asks for.
func (p *paster) logfmt() {
	known := 0
	var keys, values []Range
	for i := 1; i < len(p.text); i++ {
		if p.text[i] != '=' {
			continue
		}
		start := i
		for start > 0 && isKeyByte(p.text[start-1]) {
			start--
		}
		if start == i || start > 0 && strings.IndexByte(" \t\n{,", p.text[start-1]) < 0 {
			continue
		}
		name, _ := joined(p.text[start:i])
		if p.lex.field[name] || p.lex.where[name] {
			known++
		}
		keys = append(keys, Range{start, i})
		values = append(values, jsonValue(p.text, i+1))
	}
	if len(keys) < 2 || known == 0 {
		return
	}
	for i, k := range keys {
		p.key(k, values[i])
	}
}

func isKeyByte(b byte) bool {
	return isDigit(b) || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || strings.IndexByte("_-.", b) >= 0
}

// lines finds frames of a stack trace, and the names of fields in front of at
// least three lines of YAML.
func (p *paster) lines() {
	var keys, values []Range
	for start := 0; start < len(p.text); {
		end := len(p.text)
		if n := strings.IndexByte(p.text[start:], '\n'); n >= 0 {
			end = start + n
		}
		line := p.text[start:end]
		if isFrame(line) {
			p.found = append(p.found, zoned{Range{start, end}, zoneFrame})
		} else if from, to, ok := yamlKey(line); ok {
			keys = append(keys, Range{start + from, start + to})
			values = append(values, Range{start + to + 1, end})
		}
		start = end + 1
	}
	if len(keys) < 3 {
		return
	}
	for i, k := range keys {
		p.key(k, values[i])
	}
}

// isFrame reports whether a line is a frame of a stack trace, as Java, Python,
// Node, .NET and Go write them.
func isFrame(line string) bool {
	s := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(s, "at "):
		return strings.IndexByte(s, '(') > 0 || strings.IndexByte(s, ':') > 0
	case strings.HasPrefix(s, "File \""):
		return strings.Contains(s, ", line ")
	case strings.HasPrefix(s, "... "):
		return strings.HasSuffix(s, " more") || strings.HasSuffix(s, " omitted")
	case strings.HasPrefix(s, "goroutine "), strings.HasPrefix(s, "Traceback ("):
		return strings.HasSuffix(s, ":")
	}
	return line != s && (strings.Contains(s, ".go:") || strings.HasPrefix(s, "/")) &&
		strings.IndexByte(s, ':') > 0
}

// yamlKey returns the range of the name of a field that a line begins with.
func yamlKey(line string) (from, to int, ok bool) {
	from = skipBlanks(line, 0)
	if strings.HasPrefix(line[from:], "- ") {
		from += 2
	}
	to = from
	for to < len(line) && isKeyByte(line[to]) && line[to] != '.' {
		to++
	}
	ok = to > from && to < len(line) && line[to] == ':' && (to+1 == len(line) || line[to+1] == ' ')
	return from, to, ok
}

// Names of fields that alerts and log lines have, without separators. They tell
// nothing about the incident.
const fieldNames = `alert alertname annotations attributes body code data description desc detail details err
error errormessage event exception fields info job json labels log message metadata msg name namespace object
payload reason result results source spec status summary tags text title type value values kind resource
resources alerts commonlabels commonannotations grouplabels truncatedalerts stacktrace stack items conditions
containerstatuses content context extra cause service container pod cluster region app component alarmname
alarmdescription metricname newstatevalue newstatereason oldstatevalue statechangetime unit`

// Names of fields whose values only tell where, when or how grave.
const whereNames = `severity sev level lvl loglevel levelname priority receiver fingerprint
groupkey version apiversion env environment stage tier team owner oncall logger loggername caller thread threadname
pid tid tname file filename filepath line lineno linenumber func function host hostname instance ip addr user username
useragent generatorurl externalurl runbookurl runbook dashboard dashboardurl panelurl silenceurl url uri link href
time ts timestamp date datetime startsat endsat id uuid uid trace traceid span spanid requestid correlationid
revision commit sha generation resourceversion creationtimestamp awsaccountid accountid account timestampms
datestamp eventtime starttime endtime updated created prometheus`

// Parts that names of such fields end in.
const pointerParts = `id url uri href link ip ts timestamp arn uuid uid sha at`
