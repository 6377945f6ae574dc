package web

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/serve/course"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

//go:embed static
var staticFS embed.FS

// wasmFS holds the simulator for the browser, where dev/wasm has built it.
//
//go:embed wasm
var wasmFS embed.FS

// assets are the embedded files under names that hold a hash of their content,
// so that a browser may keep them for ever.
type assets struct {
	files map[string]*asset // by hashed name
	names map[string]string // hashed names by plain name
}

type asset struct {
	body []byte
	gz   func() *document // for text, packed when it is first asked for; else nil
	br   []byte           // of the simulator for the browser, which is large
	kind string
	// policy is what the file may do where it is a program of its own, a worker.
	policy string
}

// A page loads these by name.
const (
	styleFile  = "site.css"
	scriptFile = "site.js"
	fontsFile  = "fonts.css"
	iconFile   = "icon.svg"
	workerFile = "simworker.js"
	wasmFile   = "sim.wasm"
	execFile   = "wasm_exec.js"
	// What draws the course of a run comes from package course.
	uplotFile       = "uplot.js"
	courseFile      = "course.js"
	courseStyleFile = "course.css"
	// latinFont holds Latin letters and the most frequent Hangul syllables.
	latinFont = "fonts/pretendard-91.woff2"
)

// loadAssets reads the embedded files. It panics if one is missing, which the
// compiler would have to have let through.
func loadAssets() *assets {
	a := &assets{files: map[string]*asset{}, names: map[string]string{}}
	err := fs.WalkDir(staticFS, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := staticFS.ReadFile(name)
		if err != nil {
			return err
		}
		a.add(strings.TrimPrefix(name, "static/"), body)
		return nil
	})
	if err != nil {
		panic("web: reading the embedded files: " + err.Error())
	}
	a.add(uplotFile, course.UPlot)
	a.add(courseFile, course.Script)
	a.add(courseStyleFile, course.Style)
	a.add(fontsFile, a.fontFaces())
	a.files[a.names[workerFile]].policy = simPolicy
	a.addWasm()
	return a
}

// addWasm adds the simulator for the browser. Where it was not built, the page
// of the simulator asks the server.
func (a *assets) addWasm() {
	packed, err := wasmFS.ReadFile("wasm/" + wasmFile + ".gz")
	if err != nil {
		return
	}
	exec, err := wasmFS.ReadFile("wasm/" + execFile)
	if err != nil {
		return
	}
	a.add(execFile, exec)
	sum := sha256.Sum256(packed)
	hashed := "sim." + hex.EncodeToString(sum[:5]) + ".wasm"
	small, _ := wasmFS.ReadFile("wasm/" + wasmFile + ".br") // a quarter less, for who takes it
	a.files[hashed], a.names[wasmFile] = &asset{kind: "application/wasm", br: small, gz: sync.OnceValue(func() *document {
		doc, err := packedDocument(packed)
		if err != nil {
			panic("web: reading the simulator for the browser: " + err.Error())
		}
		return doc
	})}, hashed
}

// has reports whether there is an embedded file.
func (a *assets) has(name string) bool { return a.names[name] != "" }

func (a *assets) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	hashed := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
	one := &asset{body: body, kind: mime.TypeByExtension(ext)}
	switch ext {
	case ".woff2":
		one.kind = "font/woff2"
	case ".css", ".js", ".svg", ".txt":
		one.gz = sync.OnceValue(func() *document { return newDocument(body) })
	}
	a.files[hashed], a.names[name] = one, hashed
}

// url returns the address of an embedded file.
func (a *assets) url(name string) string {
	hashed, ok := a.names[name]
	if !ok {
		panic("web: no embedded file " + name)
	}
	return "/static/" + hashed
}

// fontFaces writes the style sheet of the fonts: each file for the characters
// that it holds, so that a page loads only what it shows.
func (a *assets) fontFaces() []byte {
	var b bytes.Buffer
	ranges, err := staticFS.ReadFile("static/fonts/ranges.txt")
	if err != nil {
		panic("web: " + err.Error())
	}
	for lines := bufio.NewScanner(bytes.NewReader(ranges)); lines.Scan(); {
		file, chars, ok := strings.Cut(lines.Text(), " ")
		if !ok || strings.HasPrefix(file, "#") {
			continue
		}
		fmt.Fprintf(&b, "@font-face{font-family:Pretendard;font-weight:45 920;font-display:swap;src:url(%s)format(\"woff2\");unicode-range:%s}\n",
			a.url("fonts/"+file), chars)
	}
	return b.Bytes()
}

// serveIcon leads browsers and readers of feeds that ask for the icon at its old
// address to where it is.
func (a *assets) serveIcon(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=86400")
	http.Redirect(w, r, a.url(iconFile), http.StatusFound)
}

// ServeHTTP serves an embedded file by its hashed name.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.files[r.PathValue("name")]
	if !ok {
		http.Error(w, "no such file; reload the page that asked for it", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	if f.br != nil && negotiate.Encoding(r.Header, "br") {
		h.Add("Vary", "Accept-Encoding")
		h.Set("Content-Encoding", "br")
		f.bytes(w, r, f.br, "-br")
		return
	}
	if f.gz != nil {
		f.gz().serve(w, r)
		return
	}
	f.bytes(w, r, f.body, "")
}

// bytes writes the file in one of its encodings.
func (f *asset) bytes(w http.ResponseWriter, r *http.Request, body []byte, encoding string) {
	h := w.Header()
	tag := `"` + strings.TrimPrefix(path.Base(r.URL.Path), "/") + encoding + `"`
	h.Set("ETag", tag)
	if negotiate.Has(r.Header, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}
