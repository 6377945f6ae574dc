package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/output"
)

// checkFormats are the formats of an answer.
var checkFormats = []string{"text", "json", "md", "html", "sarif", "junit"}

// formatsNamed reports a format that there is not.
func (f *checkFlags) formatsNamed() error {
	named := func(flag, format string) error {
		return oneOf(flag, format, checkFormats, "no format is named %q", "그런 형식이 없다: %q")
	}
	if f.format != "" {
		if err := named("format", f.format); err != nil {
			return err
		}
	}
	for _, one := range f.write {
		format, file, ok := strings.Cut(one, "=")
		if !ok || file == "" {
			return app.Invalidf("write", "write it as sarif=precedent.sarif", "cannot tell the format and the file of %q", one).
				Korean("sarif=precedent.sarif처럼 쓴다", "형식과 파일을 알 수 없다: %q")
		}
		if err := named("write", format); err != nil {
			return err
		}
	}
	return nil
}

// writeCheck writes an answer to the files that are named, and in the chosen format
// to standard output.
func (p *process) writeCheck(f *checkFlags, answer *app.CheckAnswer, lang bilingual.Lang) error {
	for _, one := range f.write {
		format, file, _ := strings.Cut(one, "=")
		src, err := p.checkIn(format, f, answer, lang, output.Terminal{})
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, src, 0o644); err != nil {
			return app.Invalidf("write", "choose another place", "writing the answer: %w", err).
				Korean("다른 곳을 고른다", "결과를 쓰지 못했다: %w")
		}
	}
	format := f.format
	switch {
	case f.json:
		format = "json"
	case f.markdown:
		format = "md"
	}
	src, err := p.checkIn(format, f, answer, lang, p.terminal())
	if err != nil {
		return err
	}
	return p.raw(src)
}

// checkIn renders an answer in a format, text where none is named.
func (p *process) checkIn(format string, f *checkFlags, answer *app.CheckAnswer, lang bilingual.Lang, terminal output.Terminal) ([]byte, error) {
	failOn := rule.Severity(f.failOn)
	if f.failOn == "none" {
		failOn = ""
	}
	var b bytes.Buffer
	var err error
	switch format {
	case "html":
		err = output.HTML(&b, output.CheckPage(answer, lang), lang)
	case "json":
		err = output.JSON(&b, answer)
	case "junit":
		err = output.JUnit(&b, answer, failOn, lang)
	case "md":
		err = output.Markdown(&b, output.CheckPage(answer, lang))
	case "sarif":
		err = output.SARIF(&b, answer, buildVersion(), lang)
	default:
		err = output.Text(&b, output.CheckPage(answer, lang), terminal)
	}
	if err != nil {
		return nil, fmt.Errorf("writing the answer: %w", err)
	}
	return b.Bytes(), nil
}
