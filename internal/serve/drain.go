package serve

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// Bounds of what is read of a body that nobody wants, so that its sender gets
// to read why.
const (
	smallRest = 256 << 10 // bytes up to which net/http reads the rest itself
	maxDrain  = 16 << 20  // bytes
	drainFor  = 3 * time.Second
)

// drain sends a refusal and then takes in what the client goes on sending. Many
// clients send the whole body before they look at the answer; a connection that
// is closed while they do is reset, and the answer is lost.
func (e *exchange) drain() {
	switch {
	case e.r.ContentLength >= 0 && e.r.ContentLength <= smallRest:
		return
	case strings.EqualFold(e.r.Header.Get("Expect"), "100-continue"):
		return // it waits for the answer, and reading would ask it to go on
	}
	control := http.NewResponseController(e.out.to)
	// Not all connections have these; those in tests need none.
	_ = control.EnableFullDuplex()
	_ = control.SetReadDeadline(time.Now().Add(drainFor))
	e.out.Header().Set("Connection", "close")
	if e.out.end(e.r.Method) != nil || control.Flush() != nil {
		return // the client has gone
	}
	_, _ = io.CopyN(io.Discard, e.r.Body, maxDrain) // as far as it comes
}
