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
	const koHint = "같은 질의의 결과에 있는 커서를 쓰거나, 커서 없이 처음부터 찾는다"
	unreadable := func() error {
		return Invalidf("cursor", hint, "the cursor is not readable").Korean(koHint, "커서를 읽을 수 없다")
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil {
		return 0, unreadable()
	}
	var p place
	if err := json.Unmarshal(raw, &p); err != nil || p.Offset < 0 || p.Offset > 1<<20 {
		return 0, unreadable()
	}
	if p.Query != fingerprint(q) {
		return 0, Invalidf("cursor", hint, "the cursor belongs to another query").
			Korean(koHint, "커서가 다른 질의의 것이다")
	}
	if p.Library != a.lib.Version {
		return 0, Invalidf("cursor", "start the query again without it", "the library has changed since the cursor was made").
			Korean("커서 없이 다시 찾는다", "커서가 만들어진 뒤에 라이브러리가 바뀌었다")
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
