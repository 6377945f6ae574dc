package api

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/openprecedent/precedent/internal/app"
)

// licence is the notice in the archive.
const licence = `Cases of the library "public" and the vocabulary are licensed under the Creative
Commons Attribution 4.0 International licence (CC-BY-4.0):
https://creativecommons.org/licenses/by/4.0/legalcode

Attribution: "precedent incident library", with a link to the case.

Cases of any other library belong to those who keep it; the field "library" of
each case names it. The sources that a case names belong to their authors.
`

// archiveIndex is the table of contents of the archive.
type archiveIndex struct {
	Version int           `json:"wire_version"`
	Library string        `json:"library_version"`
	Stats   *app.Stats    `json:"stats"`
	Cases   []archiveCase `json:"cases"`
}

// archiveCase is a case in the table of contents.
type archiveCase struct {
	app.Brief
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// cases calls f with each published case and its JSON, newest first. The JSON
// is that of /cases/{id}.json.
func (s *site) cases(f func(b app.Brief, raw []byte, hash string) error) error {
	for _, b := range s.app.All() {
		c, err := s.app.Case(b.ID)
		if err != nil {
			return err
		}
		raw, err := asJSON(c)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(raw)
		if err := f(b, raw, hex.EncodeToString(sum[:])); err != nil {
			return err
		}
	}
	return nil
}

// archive packs the whole library. Nothing in it depends on when or where it
// is made.
func archive(s *site) ([]byte, error) {
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	// The oldest time that the format knows, since the true one is not known.
	epoch := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	add := func(name string, raw []byte) error {
		w, err := zw.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: epoch})
		if err != nil {
			return fmt.Errorf("packing %q: %w", name, err)
		}
		_, err = w.Write(raw)
		return err
	}
	addJSON := func(name string, v any) error {
		raw, err := asJSON(v)
		if err != nil {
			return fmt.Errorf("packing %q: %w", name, err)
		}
		return add(name, raw)
	}
	if err := add("LICENSE", []byte(licence)); err != nil {
		return nil, err
	}
	index := archiveIndex{Version: app.WireVersion, Library: s.app.Version(), Stats: s.app.Stats(), Cases: []archiveCase{}}
	err := s.cases(func(b app.Brief, raw []byte, hash string) error {
		name := "cases/" + b.ID + ".json"
		index.Cases = append(index.Cases, archiveCase{b, name, hash})
		return add(name, raw)
	})
	if err != nil {
		return nil, err
	}
	if err := addJSON("index.json", index); err != nil {
		return nil, err
	}
	terms, err := s.app.Vocab("")
	if err != nil {
		return nil, err
	}
	if err := addJSON("vocab.json", terms); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, fmt.Errorf("packing the library: %w", err)
	}
	return buf.Bytes(), nil
}

// modified lists each case with the hash of its JSON.
func modified(s *site) ([]byte, error) {
	var buf bytes.Buffer
	cw := csv.NewWriter(&buf)
	if err := cw.Write([]string{"id", "date", "sha256", "library"}); err != nil {
		return nil, err
	}
	err := s.cases(func(b app.Brief, _ []byte, hash string) error {
		return cw.Write([]string{b.ID, b.Date, hash, b.Library})
	})
	cw.Flush()
	if err == nil {
		err = cw.Error()
	}
	return buf.Bytes(), err
}

// robots says what crawlers may do: everything, unless the server holds a
// library that is not public.
func robots(s *site) ([]byte, error) {
	if !s.app.Public() {
		return []byte("# This server holds a private library beside the public one.\n\nUser-agent: *\nDisallow: /\n"), nil
	}
	return []byte(`# Everybody is welcome here, search engines, agents and people alike: read,
# quote, index and train on it. The licence asks for attribution.
#
# Agents need not take the pages apart: every page is Markdown as well, and what
# is data is JSON too (add .md or .json, or ask for it with Accept), /llms.txt says how the site is
# laid out, /openapi.json describes the API, and /all.zip has everything in one
# file. Who comes too fast is told so by status 429 with Retry-After.

User-agent: *
Allow: /

Sitemap: ` + s.base + "/sitemap.xml\n"), nil
}
