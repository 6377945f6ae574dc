package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// process is all that a command sees of the world outside.
type process struct {
	name string // as it was started: the first word of the command line
	args []string
	env  func(string) string
	in   io.Reader
	out  io.Writer
	err  io.Writer

	libraries []string // --library, in the order given
	lang      string   // --lang
}

// Exit codes; see the package comment.
const (
	exitOK = iota
	exitError
	exitUsage
	exitFindings
	exitIncomplete
	exitInterrupted = 130 // as shells have it: 128 and the number of the signal
)

// exitCodes maps kinds of error to exit codes.
var exitCodes = map[app.Kind]int{
	app.Internal: exitError, app.Invalid: exitUsage, app.NotFound: exitUsage, app.Gone: exitUsage,
	app.Findings: exitFindings, app.Incomplete: exitIncomplete,
}

// run executes the command line of p and returns the exit code.
func run(ctx context.Context, p *process) int {
	root := p.rootCommand()
	root.SetArgs(p.args)
	root.SetIn(p.in)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	if said, ok := root.OutOrStdout().(*sayer); ok && err == nil {
		err = said.err
	}
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errPipe) {
		return exitOK // the reader of our output has seen enough
	}
	lang := p.speech()
	for _, one := range app.Each(err) {
		p.complain(one, lang)
	}
	var usage *usageError
	var stop *stopped
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &stop):
		return exitInterrupted
	}
	return exitCodes[app.KindOf(err)]
}

// complain tells of one error, and what to do about it.
func (p *process) complain(err error, lang bilingual.Lang) {
	if msg := app.Message(err, lang); msg != "" {
		fmt.Fprintf(p.err, "precedent: %s\n", printable(p.spoken(msg)))
	}
	if note := app.NoteOf(err); note != nil {
		fmt.Fprintf(p.err, "  %s\n", printable(output.Read(note, lang)))
	}
	if hint := app.Hint(err, lang, commandOf); hint != "" {
		fmt.Fprintf(p.err, "  %s\n", printable(p.spoken(hint)))
	}
}

// commandOf writes a question to the library as the command that asks it.
func commandOf(c app.Call) string {
	switch c.Use {
	case app.UseCases:
		return "`precedent list`"
	case app.UseSearch:
		return "`precedent search`"
	case app.UseScenarios:
		return "`precedent replay`"
	case app.UseChecks:
		return "`precedent checks`"
	case app.UseGuide:
		return "`precedent guide`"
	}
	return "`" + strings.TrimSpace("precedent vocab "+c.Arg) + "`"
}

// printable escapes what could steer the terminal in a message of one or more
// lines: file names and arguments come from anywhere.
func printable(msg string) string {
	lines := strings.Split(msg, "\n")
	for i, line := range lines {
		lines[i] = strictyaml.Printable(line)
	}
	return strings.Join(lines, "\n")
}

func (p *process) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "precedent",
		Short: "An incident library that runs",
		Long: `Precedent is an incident library that runs: published outages as structured cases
that you can search, show and compare here, in the browser (precedent serve) and
from a coding agent (precedent mcp).`,
		Example: `  precedent search "after switching to a connection proxy the writer CPU hits 100%"
  precedent show IL-0574
  precedent similar IL-0212
  precedent serve`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: p.command()},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSubcommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(&sayer{to: p.out})
	root.SetFlagErrorFunc(misused)
	root.PersistentFlags().StringArrayVar(&p.libraries, "library", nil, "folder of a private library, layered over the public one (repeatable)")
	root.PersistentFlags().StringVar(&p.lang, "lang", "", "language of texts, en or ko (default from the environment)")
	p.addCommands(root)
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args, cmd.RunE = oneSubcommand, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	argumentErrors(root)
	p.speakOf(root)
	return root
}

// layers returns the public library and the private ones over it.
func (p *process) layers() ([]library.Layer, error) {
	layers := []library.Layer{{Name: library.Public, FS: corpus.FS, Linted: true}} // by our tests
	for _, dir := range p.folders() {
		layer, err := folder(dir)
		if err != nil {
			return nil, err
		}
		layers = append(layers, layer)
	}
	return layers, nil
}

// folders are the private libraries.
func (p *process) folders() []string {
	return append(filepath.SplitList(p.env("PRECEDENT_LIBRARY")), p.libraries...)
}

// folder returns a private library's folder as a layer.
func folder(dir string) (library.Layer, error) {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return library.Layer{}, app.Invalidf("library", "give a folder made with `precedent init`", "reading library %q: not a folder", dir).
			Korean("`precedent init`으로 만든 폴더를 준다", "라이브러리 %q: 폴더가 아니다")
	}
	for _, sub := range []string{"cases", "vocab", "checks", "scenarios"} {
		if info, err := os.Stat(filepath.Join(dir, sub)); err == nil && info.IsDir() {
			return library.Layer{Name: dir, FS: folderFS(dir)}, nil
		}
	}
	return library.Layer{}, app.Invalidf("library", "make one with `precedent init "+dir+"`", "reading library %q: it has none of cases, vocab, checks and scenarios inside", dir).
		Korean("만들기: `precedent init "+dir+"`", "라이브러리 %q: 안에 cases, vocab, checks, scenarios 가운데 아무것도 없다")
}

// load reads the public library with the private ones over it. Warnings are
// lint's to report; errors stop.
func (p *process) load() (*library.Library, error) {
	layers, err := p.layers()
	if err != nil {
		return nil, err
	}
	lib, problems := library.Load(layers...)
	if lib == nil {
		return nil, app.Findingsf("run `precedent lint` on the folder and mend these", "reading the library:\n%w", problems.Errors()).
			Korean("폴더에서 `precedent lint`를 돌려 이것들을 고친다", "라이브러리를 읽을 수 없다.\n%w")
	}
	return lib, nil
}

// errPipe is a write to a reader that has gone, such as a pager that was quit.
var errPipe = errors.New("the reader of the output has gone")

// report writes problems one a line and returns the error that makes the
// command exit with the code for findings.
func (p *process) report(problems strictyaml.Problems) error {
	if len(problems) == 0 {
		return nil
	}
	var lines bytes.Buffer
	for _, one := range problems {
		fmt.Fprintln(&lines, one)
	}
	if err := p.raw(lines.Bytes()); err != nil && !errors.Is(err, errPipe) {
		return err // the code for findings stands, however many of them are read
	}
	return app.Findingsf("", "%s", tally(problems, bilingual.English)).Korean("", tally(problems, bilingual.Korean))
}

// tally counts problems by their level.
func tally(problems strictyaml.Problems, l bilingual.Lang) string {
	all, bad := len(problems), len(problems.Errors())
	if l == bilingual.Korean {
		return fmt.Sprintf("문제 %d건, 그 가운데 오류 %d건", all, bad)
	}
	found := count(all, "finding")
	switch bad {
	case 0:
		return found + ", no error"
	case all:
		return found + ", each an error"
	default:
		return fmt.Sprintf("%s, %s among them", found, count(bad, "error"))
	}
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// readFile reads a file named on the command line, - being standard input.
func (p *process) readFile(name string, limit int64) ([]byte, error) {
	if name == "-" {
		return readBounded(p.in, "standard input", limit)
	}
	f, err := os.Open(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, app.Invalidf("file", "check the path", "reading %q: %w", name, err).
			Korean("경로를 확인한다", "%q 파일을 읽을 수 없다: %w")
	}
	defer f.Close()
	return readBounded(f, name, limit)
}

// readBounded reads all of r, which is called name, and refuses more than
// limit bytes.
func readBounded(r io.Reader, name string, limit int64) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, app.Invalidf("file", "check the path", "reading %q: %w", name, err).
			Korean("경로를 확인한다", "%q 파일을 읽을 수 없다: %w")
	}
	if int64(len(src)) > limit {
		return nil, app.Invalidf("file", "give less, or a part of it", "reading %q: larger than %d bytes", name, limit).
			Korean("줄이거나 일부만 준다", "%q 파일을 읽을 수 없다: %d바이트보다 크다")
	}
	return src, nil
}
