package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine bounds a message on standard input. An agent may paste a whole log;
// it is the user's own, and search takes the beginning.
const maxLine = 16 << 20

// lines passes on the lines of standard input that are messages and answers
// the others with an error. The protocol library would end the session at
// them, and the agent would lose the server over one slip.
type lines struct {
	in   io.ReadCloser
	read *bufio.Reader
	out  io.Writer
	rest []byte // of the line that is being passed on
}

func newLines(in io.ReadCloser, out io.Writer) *lines {
	return &lines{in: in, read: bufio.NewReader(in), out: out}
}

// Close closes the input.
func (l *lines) Close() error { return l.in.Close() }

// Read implements [io.Reader].
func (l *lines) Read(p []byte) (int, error) {
	if err := l.fill(); err != nil {
		return 0, err
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// declares waits for the next message and reports whether it declares
// [appsExtension].
func (l *lines) declares() bool {
	if l.fill() != nil {
		return false // who reads next is told
	}
	apps, _ := declares(l.rest)
	return apps
}

// fill reads the next message, unless there is some of one left.
func (l *lines) fill() error {
	for len(l.rest) == 0 {
		line, err := l.line()
		if len(line) > 0 {
			refused := refusal(line)
			if refused == nil {
				refused = wrongParams(line)
			}
			if refused != nil {
				if _, err := l.out.Write(refused); err != nil {
					return err
				}
				line = nil
			}
		}
		if len(line) == 0 && err != nil {
			return err
		}
		if len(line) > 0 {
			l.rest = append(line, '\n')
		}
	}
	return nil
}

// line returns the next line without white space around it. Of one that is too
// long it returns the beginning, which is no message.
func (l *lines) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.read.ReadSlice('\n')
		if room := maxLine + 1 - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// refusal is the answer to a line that is no message, nil for one that is.
func refusal(line []byte) []byte {
	code, why := int64(jsonrpc.CodeParseError), ""
	switch err := decodable(line); {
	case len(line) > maxLine:
		why = fmt.Sprintf("a message may have %d bytes; send a shorter one", maxLine)
	case !json.Valid(line):
		why = "this is no JSON; send one message a line"
	case err != nil:
		code, why = jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message: "+shown(err.Error())
	default:
		return nil
	}
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": idOf(line), "error": map[string]any{"code": code, "message": why},
	})
	if err != nil {
		return nil // cannot happen: strings and a number
	}
	return append(answer, '\n')
}

// decodable reports why the protocol library cannot read a line, which may
// hold several messages as a list.
func decodable(line []byte) error {
	var messages []json.RawMessage
	switch line[0] {
	case '{':
		messages = append(messages, line)
	case '[':
		if err := json.Unmarshal(line, &messages); err != nil {
			return err
		}
	default:
		return errors.New("it is no object")
	}
	if len(messages) == 0 {
		return errors.New("the list is empty")
	}
	for _, m := range messages {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return err
		}
	}
	return nil
}

// idOf returns the id of a message as far as it can be read, so that who sent
// it does not wait for an answer; else nil.
func idOf(line []byte) any {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 || bytes.IndexByte([]byte(`"-0123456789`), m.ID[0]) < 0 {
		return nil
	}
	return m.ID
}

// oneWriter lets several write whole messages to one output.
type oneWriter struct {
	io.WriteCloser
	mu sync.Mutex
}

// Write implements [io.Writer].
func (w *oneWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}
