package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// budget is the most characters that the content of a result has, and the most
// that its structured content has. Clients refuse results of more than some
// 25,000 tokens and write successful ones of more than 50,000 characters to a
// file; 24,000 characters of Korean are some 13,000 tokens.
const budget = 24_000

// reply is an answer before it is written.
type reply struct {
	wire  any // the answer, a pointer to a struct of package app or around one
	lang  bilingual.Lang
	page  func(wire any) output.Page // made of a cut copy of wire
	notes []string                   // lines about the rest, at the end of content
	whole string                     // how to read what a last resort cut off
}

// written is a reply in both forms.
type written struct {
	content    string
	structured json.RawMessage
	meta       sdk.Meta // what neither the model nor the budget is about
}

func (w *written) size() int {
	return max(utf8.RuneCountInString(w.content), utf8.RuneCount(w.structured))
}

func (w *written) result() *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: w.content}}, StructuredContent: w.structured, Meta: w.meta,
	}
}

// fit asks for ever fewer parts of an answer, beginning with n, until it is
// within the budget. An answer of one part that is still too long has its
// texts and lists cut.
func fit(ctx context.Context, n int, answer func(n int) (*reply, error)) (*written, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err // nobody waits for the answer any more
		}
		r, err := answer(n)
		if err != nil {
			return nil, err
		}
		w, err := r.write(shape{lang: r.lang})
		if err != nil || w.size() < budget {
			return w, err
		}
		if n <= 1 {
			return r.squeeze()
		}
		n = max(1, min(n-1, n*budget/w.size()))
	}
}

// squeeze cuts texts and lists until the reply is within the budget.
func (r *reply) squeeze() (*written, error) {
	r.notes = append(r.notes, r.cutNote())
	for runes, items := 4000, 200; ; runes, items = runes/2, max(items/2, 1) {
		w, err := r.write(shape{lang: r.lang, runes: runes, items: items})
		if err != nil || w.size() < budget || runes < 40 {
			return w, err
		}
	}
}

func (r *reply) cutNote() string {
	if r.lang == bilingual.Korean {
		return strings.TrimSpace("길이 제한 때문에 긴 글과 목록을 줄였다. " + r.whole)
	}
	return strings.TrimSpace("Long texts and lists were cut to stay within the size limit. " + r.whole)
}

func (r *reply) write(s shape) (*written, error) {
	var structured bytes.Buffer
	enc := json.NewEncoder(&structured)
	enc.SetEscapeHTML(false)
	notes := strings.Join(r.notes, " ")
	if err := enc.Encode(noted{cut(s, r.wire), notes}); err != nil {
		return nil, fmt.Errorf("writing the structured answer: %w", err)
	}
	s.ids = true
	var content strings.Builder
	if err := output.Markdown(&content, r.page(cut(s, r.wire))); err != nil {
		return nil, fmt.Errorf("writing the answer: %w", err)
	}
	if notes != "" {
		content.WriteString("\n" + notes + "\n")
	}
	return &written{content: content.String(), structured: bytes.TrimSpace(structured.Bytes())}, nil
}

// noted is a wire answer with the notes of its reply as one more field.
type noted struct {
	wire any
	note string
}

// MarshalJSON implements [json.Marshaler].
func (n noted) MarshalJSON() ([]byte, error) {
	raw, err := marshal(n.wire)
	if err != nil || n.note == "" {
		return raw, err
	}
	note, err := marshal(n.note)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(raw[:len(raw)-1], `,"note":%s}`, note), nil
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
