package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

// A document is a rendered page, compressed, with its entity tag.
type document struct {
	gz   []byte
	size int
	tag  string
}

func newDocument(body []byte) *document {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.DefaultCompression) // fails for unknown levels only
	z.Write(body)                                            // a bytes.Buffer takes everything
	z.Close()
	sum := sha256.Sum256(body)
	return &document{b.Bytes(), len(body), hex.EncodeToString(sum[:12])}
}

// packedDocument returns a document of what is compressed already.
func packedDocument(gz []byte) (*document, error) {
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return nil, err
	}
	size, err := io.Copy(io.Discard, z)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(gz)
	return &document{gz, int(size), hex.EncodeToString(sum[:12])}, nil
}

// serve writes the document, or 304 where the client has it. The two encodings
// have tags of their own, since their bytes differ.
func (d *document) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache")
	}
	zipped := negotiate.Encoding(r.Header, "gzip")
	tag := `"` + d.tag + `"`
	if zipped {
		tag = `"` + d.tag + `-gz"`
	}
	h.Set("ETag", tag)
	if negotiate.Has(r.Header, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	d.write(w, r, http.StatusOK, zipped)
}

func (d *document) write(w http.ResponseWriter, r *http.Request, status int, zipped bool) {
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "text/html; charset=utf-8")
	}
	length := d.size
	if zipped {
		h.Set("Content-Encoding", "gzip")
		length = len(d.gz)
	}
	h.Set("Content-Length", strconv.Itoa(length))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	if zipped {
		w.Write(d.gz)
		return
	}
	if z, err := gzip.NewReader(bytes.NewReader(d.gz)); err == nil {
		io.Copy(w, z)
	}
}

// cacheBytes bounds the rendered pages that are kept: some thousands of cases.
const cacheBytes = 48 << 20

// cache keeps the rendered pages of one version of the library.
type cache struct {
	mu      sync.Mutex
	version string
	docs    map[string]*document
	bytes   int
	limit   int
}

func newCache(limit int) *cache { return &cache{limit: limit, docs: map[string]*document{}} }

func (c *cache) get(version, key string) (*document, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		return nil, false
	}
	d, ok := c.docs[key]
	return d, ok
}

// put keeps a page. A page of another version, or one that exceeds the bound,
// starts the cache anew: pages are quickly made again.
func (c *cache) put(version, key string, d *document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(key) + len(d.gz)
	if c.version != version || c.bytes+size > c.limit {
		c.version, c.docs, c.bytes = version, map[string]*document{}, 0
	}
	if old, ok := c.docs[key]; ok {
		c.bytes -= len(key) + len(old.gz)
	}
	c.docs[key] = d
	c.bytes += size
}
