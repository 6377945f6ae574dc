package app

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
)

// place is what a cursor holds: where to go on, in which answer.
type place struct {
	Library string `json:"v"` // version of the library
	Query   string `json:"q"` // hash of the query without limit, facets and cursor
	Offset  int    `json:"o"`
}

func (a *App) cursor(q SearchQuery, offset int) string {
	raw, err := json.Marshal(place{a.lib.Version, fingerprint(q), offset})
	if err != nil {
		return "" // cannot happen: the struct holds strings and a number
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// offset returns where a query goes on.
func (a *App) offset(q SearchQuery) (int, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	const hint = "take the cursor from the result of the same query, or start without one"
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil {
		return 0, Invalidf("cursor", hint, "the cursor is not readable")
	}
	var p place
	if err := json.Unmarshal(raw, &p); err != nil || p.Offset < 0 || p.Offset > 1<<20 {
		return 0, Invalidf("cursor", hint, "the cursor is not readable")
	}
	if p.Query != fingerprint(q) {
		return 0, Invalidf("cursor", hint, "the cursor belongs to another query")
	}
	if p.Library != a.lib.Version {
		return 0, Invalidf("cursor", "start the query again without it", "the library has changed since the cursor was made")
	}
	return p.Offset, nil
}

func fingerprint(q SearchQuery) string {
	q.Cursor, q.Limit, q.Facets = "", 0, nil
	raw, err := json.Marshal(q)
	if err != nil {
		return "" // cannot happen: the struct holds plain data
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:6])
}
