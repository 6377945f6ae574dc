package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// simFlags are the flags of the commands that simulate.
type simFlags struct {
	view
	set     []string
	seeds   int
	workers int
	limit   float64
}

// common adds what all of them have.
func (f *simFlags) common(cmd *cobra.Command) {
	f.flags(cmd)
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a value of the file, as path=value (repeatable)")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// judging adds what those have that run a system many times.
func (f *simFlags) judging(cmd *cobra.Command, seeds string) {
	f.common(cmd)
	cmd.Flags().IntVar(&f.seeds, "seeds", 0, "runs of each kind, with seeds from 1 (default "+seeds+")")
	cmd.Flags().IntVar(&f.workers, "workers", 0, "runs at a time (default one a processor); the result does not depend on it")
	cmd.Flags().Float64Var(&f.limit, "limit", 0, "share of errors up to which a window is healthy (default 0.01)")
}

func (f *simFlags) options(progress func(app.SimProgress)) app.SimOptions {
	return app.SimOptions{Seeds: f.seeds, Workers: f.workers, Limit: f.limit, Progress: progress}
}

// model reads the file of a command that takes one value for each setting.
func (p *process) model(name string, f *simFlags) (*app.Model, error) {
	src, err := p.readFile(name, strictyaml.MaxSize)
	if err != nil {
		return nil, err
	}
	m, err := app.ReadModel(called(name), src, f.set)
	if err != nil {
		return nil, err
	}
	p.warn(m)
	return m, nil
}

// called is what problems call a file.
func called(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// warn writes what is doubtful about a file, which runs all the same.
func (p *process) warn(m *app.Model) {
	for _, w := range m.Warnings {
		fmt.Fprintln(p.err, w)
	}
}

// shaping are the flags on which an answer depends, its form apart.
var shaping = []string{"set", "x", "y", "for", "window", "seed", "seeds", "limit"}

// again returns the command line that gives the same answer.
func again(cmd *cobra.Command, args []string) string {
	words := strings.Fields(cmd.CommandPath())
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	for _, name := range shaping {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed {
			continue
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(interface{ GetSlice() []string }); ok {
			values = list.GetSlice()
		}
		for _, one := range values {
			words = append(words, "--"+name, quoted(one))
		}
	}
	return strings.Join(words, " ")
}

// quoted writes a word so that a shell takes it as one.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,%+@"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// interrupted turns the error of an ended simulation into what is said after
// the part of the answer that was known.
func interrupted(err error, known string) error {
	return fmt.Errorf("interrupted; %s: %w", known, err)
}

// progress shows on a terminal how far a simulation is, in one line that is
// written over and in the end taken away.
type progress struct {
	out     io.Writer // nil shows nothing
	width   int
	started time.Time

	mu   sync.Mutex
	next time.Time
	line bool
	last app.SimProgress
}

func (p *process) progress() *progress {
	one := &progress{started: time.Now(), width: 80}
	if f, ok := p.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		one.out = f
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			one.width = w
		}
	}
	one.next = one.started.Add(300 * time.Millisecond) // what is quick needs no line
	return one
}

// show tells of progress, some times a second.
func (g *progress) show(s app.SimProgress) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = s
	now := time.Now()
	if g.out == nil || now.Before(g.next) {
		return
	}
	g.next = now.Add(200 * time.Millisecond)
	g.line = true
	text := printable(progressText(s, now.Sub(g.started)))
	if r := []rune(text); len(r) >= g.width {
		text = string(r[:max(g.width-2, 0)]) + "…"
	}
	fmt.Fprintf(g.out, "\r\x1b[K%s", text)
}

// progressText is the line of progress: what is known of time left goes last.
func progressText(s app.SimProgress, took time.Duration) string {
	runs := count(s.Done, "run")
	if s.Total > 0 {
		runs = fmt.Sprintf("%d of %s", s.Done, count(s.Total, "run"))
	}
	text := fmt.Sprintf("%s, %s events/s", runs, app.Magnitude(float64(s.Events)/max(took.Seconds(), 1e-3)))
	if s.Total > 0 && s.Done > 0 {
		left := time.Duration(float64(took) * float64(s.Total-s.Done) / float64(s.Done))
		text += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return text + ": " + s.Stage
}

// known says how far an interrupted simulation has come.
func (g *progress) known() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last.Done == 0 {
		return "no run had ended"
	}
	return fmt.Sprintf("%s had ended, the last of %s: too few for an answer", count(g.last.Done, "run"), strconv.Quote(g.last.Stage))
}

// end takes the line away.
func (g *progress) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.line {
		fmt.Fprint(g.out, "\r\x1b[K")
		g.line = false
	}
}

// writeFile writes what write makes to a file beside the answer, which may be
// there already.
func writeFile(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("drawing %q: %w", name, err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		return app.Invalidf("chart", "choose another place", "writing the picture: %w", err).
			Korean("다른 곳을 고른다", "그림을 쓰지 못했다: %w")
	}
	return nil
}

// raw writes bytes as they are.
func (p *process) raw(b []byte) error {
	if _, err := p.out.Write(b); err != nil {
		if errors.Is(err, syscall.EPIPE) {
			return errPipe
		}
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// svgOnly refuses names of pictures in other formats.
func svgOnly(name string) error {
	if name != "" && !strings.HasSuffix(strings.ToLower(name), ".svg") {
		return app.Invalidf("chart", "write a name that ends in .svg; any browser shows it, and prints it as PDF", "no picture is written as %q", name).
			Korean("이름을 .svg로 끝낸다. 어느 브라우저나 보여 주고 PDF로 인쇄한다", "그런 형식의 그림은 쓰지 않는다: %q")
	}
	return nil
}
