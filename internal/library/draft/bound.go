package draft

import (
	"bytes"
	"fmt"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of a saved web page. A tree of millions of elements takes gigabytes and
// minutes; pages of reports have thousands, and a case has room for a small part
// of the text.
const (
	maxElements = 50_000
	maxPageText = 512 << 10 // bytes of words, wherever they stand
)

// bound refuses a page that is too large to be made a tree of. It reads tags one
// by one, which costs little more than reading the file.
func bound(src []byte) error {
	elements, text, hidden := 0, 0, false
	for z := html.NewTokenizer(bytes.NewReader(src)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return nil // the end; what is malformed is for the parser to mend
		case html.StartTagToken:
			elements++
			name, _ := z.TagName()
			hidden = hides(atom.Lookup(name))
		case html.SelfClosingTagToken:
			elements++
		case html.EndTagToken:
			hidden = false
		case html.TextToken:
			if !hidden {
				text += weight(z.Raw())
			}
		}
		if elements > maxElements {
			return fmt.Errorf("reading a page of more than %s elements: %w; save the report alone, or copy it to a Markdown file",
				thousands(maxElements), errTooLarge)
		}
		if text > maxPageText {
			return fmt.Errorf("reading a page of more than %s bytes of text: %w; save the report alone, without what stands around it",
				thousands(maxPageText), errTooLarge)
		}
	}
}

// hides reports whether the text in an element is none that a reader sees.
func hides(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Textarea:
		return true
	}
	return false
}
