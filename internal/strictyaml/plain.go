package strictyaml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Nearly all documents are as [Format] writes them, and a library has many of
// them, so that is read here, in a tenth of the time. This reader takes the
// shapes that Format writes and no others: mappings and lists in blocks and on
// one line, scalars without quotes or in simple ones, and blocks of text. It
// knows no comments, tags, anchors or tabs, and no mistakes: whatever it does
// not know is left to the YAML reader, which finds the problems too. Where both
// read a document, they read the same; a fuzz test holds them to it.

// read returns the root of a document, or nil where this reader does not
// know all of it. src must be [ordinary].
func (p *plainReader) read(src []byte) *yaml.Node {
	p.src, p.line = string(src), 1
	if want := len(src)/nodeBytes + 8; cap(p.free) < want {
		p.free = make([]yaml.Node, 0, want)
	}
	indent, ok := p.nextLine()
	if !ok || indent != 0 {
		return nil
	}
	root, ok := p.mapping(0, 0)
	if !ok || p.pos < len(p.src) {
		return nil
	}
	return root
}

// release gives back the nodes, which must not be used any more.
func (p *plainReader) release() {
	clear(p.free)
	clear(p.refs[:cap(p.refs)])
	clear(p.stack[:cap(p.stack)])
	*p = plainReader{free: p.free[:0], refs: p.refs[:0], stack: p.stack[:0]}
}

// nodeBytes is how many bytes of a document make a node, or more.
const nodeBytes = 36

// ordinary reports whether src is text that both readers understand alike and
// in which nothing is hidden: no tabs, no line ends but one, no control characters.
func ordinary(src []byte) bool {
	if len(src) == 0 || src[len(src)-1] != '\n' || bytes.IndexByte(src, '\t') >= 0 {
		return false
	}
	before := rune(0)
	for i := 0; i < len(src); {
		if b := src[i]; b < utf8.RuneSelf {
			if b < ' ' && b != '\n' || b == 0x7f {
				return false
			}
			before = rune(b)
			i++
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		if Hidden(before, r) {
			return false
		}
		before = r
		i += n
	}
	return true
}

// A plainReader stands at pos, on a line; lines and columns count from 1.
// Its functions report false where they meet what they do not know.
type plainReader struct {
	src  string
	pos  int
	line int

	lineStart int // where the line begins
	seen      int // up to where the characters of the line were counted
	chars     int // in front of that

	free  []yaml.Node  // nodes to give away
	refs  []*yaml.Node // pointers to give away
	stack []*yaml.Node // children of the mappings and lists around pos
}

// node returns a node that begins at pos.
func (p *plainReader) node(kind yaml.Kind) *yaml.Node {
	if len(p.free) == cap(p.free) {
		p.free = make([]yaml.Node, 0, 2*cap(p.free))
	}
	p.free = p.free[:len(p.free)+1]
	n := &p.free[len(p.free)-1]
	p.chars += utf8.RuneCountInString(p.src[p.seen:p.pos])
	p.seen = p.pos
	n.Kind, n.Line, n.Column = kind, p.line, p.chars+1
	return n
}

// close gives n the nodes that were put on the stack since it had base nodes.
func (p *plainReader) close(n *yaml.Node, base int) {
	children := p.stack[base:]
	if cap(p.refs)-len(p.refs) < len(children) {
		p.refs = make([]*yaml.Node, 0, max(256, 2*cap(p.refs), len(children)))
	}
	from := len(p.refs)
	p.refs = append(p.refs, children...)
	n.Content = p.refs[from:len(p.refs):len(p.refs)]
	p.stack = p.stack[:base]
}

// newline moves behind the end of the line, which pos must stand at.
func (p *plainReader) newline() bool {
	if p.pos >= len(p.src) || p.src[p.pos] != '\n' {
		return false
	}
	p.pos++
	p.line++
	p.lineStart, p.seen, p.chars = p.pos, p.pos, 0
	return true
}

// nextLine moves to the first character of the next line that has one, and
// returns how far it is indented; at the end that is -1. A line of spaces only
// is not known.
func (p *plainReader) nextLine() (indent int, ok bool) {
	for p.pos < len(p.src) && p.src[p.pos] == '\n' {
		p.newline()
	}
	for p.pos < len(p.src) && p.src[p.pos] == ' ' {
		p.pos++
	}
	if p.pos == len(p.src) {
		return -1, p.pos == p.lineStart
	}
	return p.pos - p.lineStart, p.src[p.pos] != '\n'
}

// back returns to the start of a line whose indent was looked at.
func (p *plainReader) back() { p.pos = p.lineStart }

// mapping reads a mapping in a block, whose keys are indented as far as pos is.
func (p *plainReader) mapping(indent, depth int) (*yaml.Node, bool) {
	if depth > maxDepth {
		return nil, false
	}
	n, base := p.node(yaml.MappingNode), len(p.stack)
	for {
		key, ok := p.key()
		if !ok {
			return nil, false
		}
		p.stack = append(p.stack, key)
		value, ok := p.value(indent, depth+1)
		if !ok {
			return nil, false
		}
		p.stack = append(p.stack, value)
		next, ok := p.nextLine()
		if !ok || next > indent {
			return nil, false
		}
		if next < indent {
			p.back()
			p.close(n, base)
			return n, true
		}
	}
}

// key reads a key of letters, digits, hyphens and underscores and its colon.
func (p *plainReader) key() (*yaml.Node, bool) {
	end := keyEnd(p.src, p.pos)
	if end < 0 {
		return nil, false
	}
	n := p.node(yaml.ScalarNode)
	n.Value = p.src[p.pos:end]
	p.pos = end + 1
	return n, true
}

// keyEnd returns where the colon of a key that begins at pos stands, or -1.
func keyEnd(src string, pos int) int {
	end := pos
	for end < len(src) && end-pos < 100 && isKeyByte(src[end], end == pos) {
		end++
	}
	if end == pos || end+1 >= len(src) || src[end] != ':' || src[end+1] != ' ' && src[end+1] != '\n' {
		return -1
	}
	return end
}

func isKeyByte(b byte, first bool) bool {
	switch {
	case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_':
		return true
	}
	return b == '-' && !first
}

// value reads what follows the colon of a key that is indented so far.
func (p *plainReader) value(indent, depth int) (*yaml.Node, bool) {
	if p.src[p.pos] == ' ' {
		p.pos++
		return p.inline(indent, depth)
	}
	next, ok := p.nextLine()
	if !ok || next <= indent {
		return nil, false
	}
	switch {
	case strings.HasPrefix(p.src[p.pos:], "- "):
		return p.sequence(next, depth)
	case p.src[p.pos] == '[' || p.src[p.pos] == '{':
		return p.flowLine(depth)
	}
	return p.mapping(next, depth)
}

// sequence reads a list in a block, whose dashes are indented as far as pos is.
func (p *plainReader) sequence(indent, depth int) (*yaml.Node, bool) {
	if depth > maxDepth {
		return nil, false
	}
	n, base := p.node(yaml.SequenceNode), len(p.stack)
	for {
		if !strings.HasPrefix(p.src[p.pos:], "- ") {
			return nil, false
		}
		p.pos += 2
		item, ok := p.item(indent, depth+1)
		if !ok {
			return nil, false
		}
		p.stack = append(p.stack, item)
		next, ok := p.nextLine()
		if !ok || next > indent {
			return nil, false
		}
		if next < indent {
			p.back()
			p.close(n, base)
			return n, true
		}
	}
}

// item reads what follows the dash of a list that is indented so far.
func (p *plainReader) item(indent, depth int) (*yaml.Node, bool) {
	if keyEnd(p.src, p.pos) >= 0 {
		return p.mapping(indent+2, depth)
	}
	return p.inline(indent, depth)
}

// inline reads a value that begins on the line of its key or dash.
func (p *plainReader) inline(indent, depth int) (*yaml.Node, bool) {
	if p.pos >= len(p.src) {
		return nil, false
	}
	switch p.src[p.pos] {
	case '|', '>':
		return p.block(indent)
	case '[', '{':
		return p.flowLine(depth)
	case '"', '\'':
		n, ok := p.quoted()
		return n, ok && p.newline()
	}
	end := p.pos + strings.IndexByte(p.src[p.pos:], '\n')
	n, ok := p.scalar(p.src[p.pos:end], false)
	if ok {
		p.pos = end
	}
	return n, ok && p.newline()
}

// scalar makes a node of text without quotes that begins at pos.
func (p *plainReader) scalar(text string, inFlow bool) (*yaml.Node, bool) {
	if text == "" || text[len(text)-1] == ' ' || text[len(text)-1] == ':' ||
		strings.IndexByte(" ?:,[]{}#&*!|>'\"%@`", text[0]) >= 0 || text[0] == '-' && (len(text) == 1 || text[1] == ' ' || text[1] == '-') {
		return nil, false
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '#':
			if text[i-1] == ' ' {
				return nil, false
			}
		case ':':
			if text[i+1] == ' ' || inFlow && strings.IndexByte("?[]{},", text[i+1]) >= 0 {
				return nil, false
			}
		case '?', '[', ']', '{', '}', ',':
			if inFlow {
				return nil, false
			}
		}
	}
	n := p.node(yaml.ScalarNode)
	n.Value = text
	return n, true
}

// quoted reads a scalar in quotes on one line, without escapes.
func (p *plainReader) quoted() (*yaml.Node, bool) {
	n, quote := p.node(yaml.ScalarNode), p.src[p.pos]
	n.Style = yaml.SingleQuotedStyle
	if quote == '"' {
		n.Style = yaml.DoubleQuotedStyle
	}
	from := p.pos + 1
	for p.pos = from; p.pos < len(p.src) && p.src[p.pos] != quote; p.pos++ {
		if b := p.src[p.pos]; b == '\n' || b == '\\' {
			return nil, false
		}
	}
	if p.pos+1 >= len(p.src) || p.src[p.pos+1] == quote { // '' is an escape
		return nil, false
	}
	n.Value = p.src[from:p.pos]
	p.pos++
	return n, true
}

// block reads a block of text that belongs to a key or dash that is indented
// so far.
func (p *plainReader) block(indent int) (*yaml.Node, bool) {
	n := p.node(yaml.ScalarNode)
	n.Style = yaml.LiteralStyle
	if p.src[p.pos] == '>' {
		n.Style = yaml.FoldedStyle
	}
	p.pos++
	strip := p.pos < len(p.src) && p.src[p.pos] == '-'
	if strip {
		p.pos++
	}
	if !p.newline() {
		return nil, false
	}
	from := p.pos
	inside, ok := p.nextLine()
	if !ok || inside <= indent || p.lineStart != from {
		return nil, false
	}
	p.back()
	value, ok := p.blockLines(inside, n.Style == yaml.FoldedStyle)
	if !ok {
		return nil, false
	}
	if !strip {
		value += "\n"
	}
	n.Value = value
	return n, true
}

// blockLines reads the lines of a block of text that is indented so far.
func (p *plainReader) blockLines(indent int, folded bool) (string, bool) {
	var text strings.Builder
	text.Grow(p.blockSize(indent))
	empty := 0
	for p.pos < len(p.src) {
		line := p.src[p.pos : p.pos+strings.IndexByte(p.src[p.pos:], '\n')]
		inside := strings.TrimLeft(line, " ")
		switch {
		case line == "":
			empty++
			p.newline()
			continue
		case inside == "":
			return "", false
		case len(line)-len(inside) < indent:
			return text.String(), true
		case folded && len(line)-len(inside) > indent:
			return "", false
		}
		if text.Len() > 0 {
			text.WriteString(lineEnds(empty, folded))
		}
		text.WriteString(line[indent:])
		empty = 0
		p.pos += len(line)
		p.newline()
	}
	return text.String(), true
}

// lineEnds is what stands between two lines of a block with so many empty lines
// between them.
func lineEnds(empty int, folded bool) string {
	switch {
	case !folded:
		return strings.Repeat("\n", empty+1)
	case empty > 0:
		return strings.Repeat("\n", empty)
	}
	return " "
}

// blockSize is the most bytes that the lines of a block of text can hold.
func (p *plainReader) blockSize(indent int) int {
	size := 0
	for pos := p.pos; pos < len(p.src); {
		end := strings.IndexByte(p.src[pos:], '\n')
		if end > 0 && (end < indent || p.src[pos+indent-1] != ' ') {
			break
		}
		size += max(1, end+1-indent)
		pos += end + 1
	}
	return size
}

// flowLine reads a mapping or list between brackets that ends a line.
func (p *plainReader) flowLine(depth int) (*yaml.Node, bool) {
	n, ok := p.flow(depth)
	return n, ok && p.newline()
}

// flow reads a mapping or list between brackets, or a scalar in one.
func (p *plainReader) flow(depth int) (*yaml.Node, bool) {
	if p.pos >= len(p.src) || depth > maxDepth {
		return nil, false
	}
	switch p.src[p.pos] {
	case '[':
		return p.between(yaml.SequenceNode, ']', depth)
	case '{':
		return p.between(yaml.MappingNode, '}', depth)
	case '"', '\'':
		return p.quoted()
	}
	end := p.pos + strings.IndexAny(p.src[p.pos:], ",]}\n")
	n, ok := p.scalar(p.src[p.pos:end], true)
	if ok {
		p.pos = end
	}
	return n, ok
}

// between reads a mapping or list whose bracket pos stands at.
func (p *plainReader) between(kind yaml.Kind, end byte, depth int) (*yaml.Node, bool) {
	n, base := p.node(kind), len(p.stack)
	n.Style = yaml.FlowStyle
	p.pos++
	if p.pos < len(p.src) && p.src[p.pos] == end {
		p.pos++
		return n, true
	}
	for {
		if kind == yaml.MappingNode {
			key, ok := p.key()
			if !ok || p.src[p.pos] != ' ' {
				return nil, false
			}
			p.pos++
			p.stack = append(p.stack, key)
		}
		item, ok := p.flow(depth + 1)
		if !ok {
			return nil, false
		}
		p.stack = append(p.stack, item)
		if p.pos < len(p.src) && p.src[p.pos] == end {
			p.pos++
			p.close(n, base)
			return n, true
		}
		if !p.comma() {
			return nil, false
		}
	}
}

// comma moves behind a comma and the space or the end of line behind it.
func (p *plainReader) comma() bool {
	if p.pos+1 >= len(p.src) || p.src[p.pos] != ',' {
		return false
	}
	p.pos++
	if p.src[p.pos] == ' ' {
		p.pos++
		return true
	}
	if !p.newline() {
		return false
	}
	for p.pos < len(p.src) && p.src[p.pos] == ' ' {
		p.pos++
	}
	return p.pos > p.lineStart
}
