// Package doc embeds the documents of this folder that the web site shows. It
// holds text only.
package doc

import _ "embed"

// CaseFormat describes the case record for its authors, as Markdown.
//
//go:embed case-format.md
var CaseFormat []byte
