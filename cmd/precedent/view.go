package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// view holds the flags that choose how an answer is written.
type view struct{ json, markdown bool }

func (v *view) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&v.json, "json", false, "print the answer as JSON, in the form that the API has")
	cmd.Flags().BoolVar(&v.markdown, "md", false, "print the answer as Markdown")
	cmd.MarkFlagsMutuallyExclusive("json", "md")
}

// open loads the library and prepares it for questions.
func (p *process) open() (*app.App, bilingual.Lang, error) {
	lang, err := p.language()
	if err != nil {
		return nil, "", err
	}
	lib, err := p.load()
	if err != nil {
		return nil, "", err
	}
	return app.New(lib), lang, nil
}

// write writes an answer in the chosen format; page is made only where it is
// needed.
func (p *process) write(v view, answer any, page func() output.Page) error {
	var b bytes.Buffer
	var err error
	switch {
	case v.json:
		err = output.JSON(&b, answer)
	case v.markdown:
		err = output.Markdown(&b, page())
	default:
		err = output.Text(&b, page(), p.terminal())
	}
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return p.raw(b.Bytes())
}

// wrote tells the name of a file that was written. That nobody reads it is no
// reason to leave the next ones.
func (p *process) wrote(name string) error {
	if err := p.raw([]byte(printable(name) + "\n")); !errors.Is(err, errPipe) {
		return err
	}
	return nil
}

// terminal describes where the output goes: colours only on a terminal and
// without NO_COLOR, and lines of at most 100 columns, which read best.
func (p *process) terminal() output.Terminal {
	t := output.Terminal{Width: 80}
	f, ok := p.out.(*os.File)
	if ok && term.IsTerminal(int(f.Fd())) {
		t.Color = p.env("NO_COLOR") == "" && p.env("TERM") != "dumb"
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			t.Width = min(w, 100)
		}
	}
	if w, err := strconv.Atoi(p.env("COLUMNS")); err == nil && w > 0 {
		t.Width = min(w, 200)
	}
	return t
}
