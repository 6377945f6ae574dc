package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

// cacheControl lets an answer be used for five minutes without asking, and for
// a day more while it is being asked for.
const cacheControl = "public, max-age=300, stale-while-revalidate=86400"

// body is a representation of an answer.
type body struct {
	mediaType string
	lang      bilingual.Lang // of the text; empty where it is in both
	plain     []byte
	tag       string // opaque part of the ETag of the plain bytes
	links     []string

	once sync.Once
	gz   []byte // compressed; nil where that saves nothing
}

// zipped returns the compressed bytes, made once.
func (b *body) zipped(with *compressor) []byte {
	b.once.Do(func() {
		if len(b.plain) >= 512 && b.mediaType != "application/zip" {
			b.gz = with.compress(b.plain)
		}
	})
	return b.gz
}

// compressor compresses at one level. It keeps its writers, which are a megabyte
// each, for the next answer.
type compressor struct {
	level   int
	writers sync.Pool
}

// compress returns raw in the form of gzip, or nil where that saves nothing.
func (z *compressor) compress(raw []byte) []byte {
	var buf bytes.Buffer
	zw, ok := z.writers.Get().(*gzip.Writer)
	if ok {
		zw.Reset(&buf)
	} else {
		var err error
		if zw, err = gzip.NewWriterLevel(&buf, z.level); err != nil {
			return nil // cannot happen: the levels are constants
		}
	}
	defer z.writers.Put(zw)
	if _, err := zw.Write(raw); err != nil || zw.Close() != nil || buf.Len() >= len(raw) {
		return nil
	}
	return buf.Bytes()
}

// tagOf returns the opaque part of the ETag of what the parts determine.
func tagOf(parts ...string) string {
	sum := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(sum, "%d:%s", len(p), p)
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:15])
}

// etag writes an ETag; the encoding has its own.
func etag(tag string, zipped bool) string {
	if zipped {
		return `"` + tag + `-gzip"`
	}
	return `"` + tag + `"`
}

// fresh answers with 304 where the client has one of the two encodings of
// what is asked for already, and reports whether it did.
func fresh(w http.ResponseWriter, r *http.Request, tag string) bool {
	zip := negotiate.Encoding(r.Header, "gzip")
	for _, t := range []string{etag(tag, zip), etag(tag, false)} {
		if negotiate.Has(r.Header, t) {
			w.Header().Set("ETag", t)
			w.Header().Set("Cache-Control", cacheControl)
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

// write answers a request with a representation.
func (b *body) write(w http.ResponseWriter, r *http.Request, with *compressor) {
	h := w.Header()
	for _, l := range b.links {
		h.Add("Link", l)
	}
	if fresh(w, r, b.tag) {
		return
	}
	h.Set("Content-Type", b.mediaType)
	h.Set("Cache-Control", cacheControl)
	if b.lang != "" {
		h.Set("Content-Language", string(b.lang))
	}
	out, zip := b.plain, false
	if negotiate.Encoding(r.Header, "gzip") {
		if gz := b.zipped(with); gz != nil {
			out, zip = gz, true
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", etag(b.tag, zip))
	if b.mediaType == "application/zip" {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.plain))
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(out)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(out) // a client that has gone cannot be told
	}
}
