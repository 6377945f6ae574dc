// Package corpus embeds the public library: cases, vocabularies, scenarios, checks
// and the candidates that were left out. It holds data only.
package corpus

import "embed"

// FS is the public library in the layout that a library folder has.
//
//go:embed */*.yaml recordings/*.json judgments/*.json
var FS embed.FS
