package serve

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxHeld is the largest answer that is held back until it is complete; the
// largest pages are a third of it.
const maxHeld = 256 << 10

// response stands between a face and the connection. It holds an answer back
// until it is complete, or flushed, or larger than maxHeld, and calls ready
// before the first byte goes out: so a slot is held for computing and never
// for a client that reads slowly, and a panic can still become a clean 500.
type response struct {
	to     http.ResponseWriter
	origin string        // of the page that asks; empty for programs
	closed bool          // the page that asks may not read the answer
	some   bool          // not every page may read it, and not everybody
	ready  func()        // gives the slot back; nil once called
	stream time.Duration // renews the write deadline at each write; 0 leaves it alone

	held   []byte
	status int
	sent   bool // the header has gone out
	broken bool // the answer ended in the middle
	bytes  int64
}

// Header returns the header of the answer.
func (w *response) Header() http.Header { return w.to.Header() }

// WriteHeader notes the status; informational ones are passed on.
func (w *response) WriteHeader(status int) {
	if status >= 100 && status < 200 {
		w.to.WriteHeader(status)
		return
	}
	if w.status == 0 {
		w.status = status
	}
}

// Write holds p back, or sends it where too much is held already.
func (w *response) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if !w.sent && len(w.held)+len(p) <= maxHeld {
		w.held = append(w.held, p...)
		return len(p), nil
	}
	if err := w.send(); err != nil {
		return 0, err
	}
	return w.write(p)
}

// send passes on all that is held.
func (w *response) send() error {
	if !w.sent {
		w.release()
		w.sent = true
		if w.status == 0 {
			w.status = http.StatusOK
		}
		w.narrow()
		w.to.WriteHeader(w.status)
	}
	if len(w.held) == 0 {
		return nil
	}
	_, err := w.write(w.held)
	w.held = w.held[:0]
	return err
}

// narrow takes back what faces say for everybody: that each page may read the
// answer, and each cache keep it for others. A shared cache would hand what it
// got for a page that may read it to one that may not.
func (w *response) narrow() {
	h := w.Header()
	if w.closed {
		h.Del("Access-Control-Allow-Origin")
	}
	if !w.some {
		return
	}
	switch {
	case h.Get("Access-Control-Allow-Origin") != "*":
	case w.origin == "":
		h.Del("Access-Control-Allow-Origin")
	default:
		h.Set("Access-Control-Allow-Origin", w.origin)
	}
	if !slices.Contains(h.Values("Vary"), "Origin") {
		h.Add("Vary", "Origin")
	}
	if rest, ok := strings.CutPrefix(h.Get("Cache-Control"), "public"); ok {
		h.Set("Cache-Control", "private"+rest)
	}
}

func (w *response) write(p []byte) (int, error) {
	if w.stream > 0 {
		// Not all connections have deadlines; those in tests need none.
		_ = http.NewResponseController(w.to).SetWriteDeadline(time.Now().Add(w.stream))
	}
	n, err := w.to.Write(p)
	w.bytes += int64(n)
	return n, err
}

func (w *response) release() {
	if w.ready != nil {
		w.ready()
		w.ready = nil
	}
}

// FlushError sends what is held and flushes the connection;
// [http.ResponseController] finds it.
func (w *response) FlushError() error {
	if err := w.send(); err != nil {
		return err
	}
	return http.NewResponseController(w.to).Flush()
}

// Flush implements [http.Flusher].
func (w *response) Flush() { _ = w.FlushError() } // the next write reports it

// Unwrap lets [http.ResponseController] reach the deadlines of the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.to }

// end sends the answer when the face is done with it. An answer that was held
// back whole has its length, which keeps the connection usable.
func (w *response) end(method string) error {
	if w.broken {
		return nil
	}
	if w.status == 0 {
		w.status = http.StatusOK
	}
	bodiless := w.status == http.StatusNoContent || w.status == http.StatusNotModified
	if !w.sent && !bodiless && w.Header().Get("Content-Length") == "" &&
		(method != http.MethodHead || len(w.held) > 0) {
		w.Header().Set("Content-Length", strconv.Itoa(len(w.held)))
	}
	return w.send()
}
