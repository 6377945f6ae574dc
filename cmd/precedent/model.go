package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/expect"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// simFlags are the flags of the commands that simulate.
type simFlags struct {
	view
	q         study.Question
	variants  []string
	workers   int
	states    int
	resumable bool
	resume    string // file
	quiet     bool
	memo      *resumed
}

// common adds what all of them have.
func (f *simFlags) common(p *process, cmd *cobra.Command) {
	f.flags(cmd)
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "do not tell how far it is while it computes")
	cmd.Flags().StringArrayVar(&f.q.Set, "set", nil, "set a value of the file, as path=value (repeatable)")
	cmd.Flags().StringArrayVar(&f.variants, "variant", nil, "take a variant of the file (repeatable for run, which compares; base is the file as it is)")
	if err := cmd.RegisterFlagCompletionFunc("variant", p.completeVariant); err != nil {
		panic(err) // the flag was made one line above
	}
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// judging adds what those have that run a system many times.
func (f *simFlags) judging(p *process, cmd *cobra.Command, seeds string) {
	f.common(p, cmd)
	cmd.Flags().IntVar(&f.q.Seeds, "seeds", 0, "runs of each kind, with seeds from 1 (default "+seeds+")")
	cmd.Flags().IntVar(&f.workers, "workers", 0, "runs at a time (default one a processor); the result does not depend on it")
	cmd.Flags().StringVar(&f.q.Trigger, "trigger", "", "try this trigger alone: own (the changes of the file with an end) or the knob that it turns; or take changes by name (a,b) for its own, in judge and map")
	f.resumable = true
	cmd.Flags().StringVar(&f.resume, "resume", "", "keep what is found in this file, and go on from what it holds")
	cmd.Flags().Float64Var(&f.q.Limit, "limit", 0, "share of errors up to which a window is healthy (default 0.01)")
}

// completeVariant offers the variants of the file that a command line names.
func (p *process) completeVariant(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 || args[0] == "-" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	src, err := p.readFile(args[0], strictyaml.MaxSize)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []string
	for _, v := range scenario.Variants(src) {
		all = append(all, v.Name+"\t"+oneLine(v.About.En))
	}
	return append(all, scenario.Base+"\tthe file as it is"), cobra.ShellCompDirectiveNoFileComp
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ask reads the question of a command, and warns of what is doubtful about its
// file. The error is all that is wrong with it, and with what else the command was
// given, of which some errors may be nil.
func (p *process) ask(cmd *cobra.Command, file string, f *simFlags, wrong ...error) (*study.Study, error) {
	src, err := p.readFile(file, strictyaml.MaxSize)
	return p.askOf(cmd, file, src, f, append(wrong, err)...)
}

// askOf is ask where the file has been read, or where one of the errors says why
// not.
func (p *process) askOf(cmd *cobra.Command, file string, src []byte, f *simFlags, wrong ...error) (*study.Study, error) {
	q := f.q
	q.Variant = strings.Join(f.variants, ",")
	q.File, q.System, q.Kind = file, string(src), study.Kind(cmd.Name())
	l := study.Limits{Workers: f.workers, States: f.states, Prepare: expect.Prepare}
	_, err := p.language()
	wrong = append(wrong, err)
	var s *study.Study
	if src == nil {
		err = q.Wrong(l)
	} else {
		s, err = study.Read(q, l)
	}
	if err != nil {
		wrong = append(wrong, app.Unanswered(err))
	}
	if s != nil && f.resume != "" {
		f.memo, err = resume(f.resume, q)
		wrong = append(wrong, err)
	}
	if err := joined(wrong); err != nil {
		return nil, err
	}
	if f.memo != nil {
		if err := f.memo.begin(); err != nil {
			return nil, err
		}
		s.Keep(f.memo)
	}
	for _, w := range s.Warnings() {
		fmt.Fprintln(p.err, w)
	}
	return s, nil
}

// joined returns all errors that are not nil, those of the command line before
// those of files, so that the exit code is for them.
func joined(wrong []error) error {
	var all []error
	for _, err := range wrong {
		if err != nil {
			all = append(all, app.Each(err)...)
		}
	}
	slices.SortStableFunc(all, func(a, b error) int {
		return cmp.Compare(exitCodes[app.KindOf(a)], exitCodes[app.KindOf(b)])
	})
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// answer answers a question while it shows the progress, and writes the answer.
// One that was interrupted is what was known by then.
func (p *process) answer(ctx context.Context, s *study.Study, f *simFlags, write func(*study.Answer) error) (*study.Answer, error) {
	progress := p.progress(f.quiet)
	a, ended := s.Answer(ctx, progress.show)
	progress.end()
	if f.memo != nil {
		if err := f.memo.close(); err != nil {
			fmt.Fprintf(p.err, "precedent: %s\n", printable(err.Error()))
		}
	}
	switch {
	case a == nil && study.Interrupted(ended):
		return nil, f.interrupted(progress.known())
	case a == nil:
		return nil, app.Unanswered(ended)
	}
	if err := write(a); err != nil {
		return nil, err
	}
	if ended != nil {
		return nil, f.interrupted(bilingual.Text{En: "the answer is what was known by then", Ko: "답은 그때까지 알게 된 것이다"})
	}
	if broken := a.Broken(); len(broken) > 0 {
		return nil, fmt.Errorf("simulating the system: %w", errors.New(broken[0]))
	}
	return a, nil
}

// page writes an answer about a system.
func (p *process) page(f *simFlags) func(*study.Answer) error {
	return func(a *study.Answer) error {
		l, err := p.language()
		if err != nil {
			return err
		}
		return p.write(f.view, a, func() output.Page { return output.AnswerPage(a, l, len(f.q.Series) > 0) })
	}
}

// simulate asks the question of a command and writes its answer. What is wrong with
// what the command was given besides, if anything, is told with the rest.
func (p *process) simulate(cmd *cobra.Command, file string, f *simFlags, write func(*study.Answer) error, wrong ...error) (*study.Answer, error) {
	s, err := p.ask(cmd, file, f, wrong...)
	if err != nil {
		return nil, err
	}
	return p.answer(cmd.Context(), s, f, write)
}

// progress shows how far a simulation is: on a terminal in one line that is
// written over and in the end taken away, elsewhere in a line now and then.
type progress struct {
	out     io.Writer // nil shows nothing
	over    bool      // the line is written over
	pause   time.Duration
	width   int
	lang    bilingual.Lang
	started time.Time

	mu   sync.Mutex
	next time.Time
	line bool
	last study.Progress
}

// linePause is the time between two lines of progress where no line can be
// written over, as in the log of a pipeline.
const linePause = 10 * time.Second

func (p *process) progress(quiet bool) *progress {
	l, err := p.language()
	if err != nil { // which its command has reported
		l = bilingual.English
	}
	one := &progress{started: time.Now(), width: 200, lang: l, pause: linePause}
	if !quiet {
		one.out = p.err
	}
	one.next = one.started.Add(linePause)
	if f, ok := p.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		one.over, one.pause, one.width = true, 200*time.Millisecond, 80
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			one.width = w
		}
		one.next = one.started.Add(300 * time.Millisecond) // what is quick needs no line
	}
	return one
}

// show tells of progress, where it is time to.
func (g *progress) show(s study.Progress) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = s
	now := time.Now()
	if g.out == nil || now.Before(g.next) {
		return
	}
	g.next = now.Add(g.pause)
	text := printable(progressText(s, now.Sub(g.started), g.lang))
	if r := []rune(text); len(r) >= g.width {
		text = string(r[:max(g.width-2, 0)]) + "…"
	}
	if !g.over {
		fmt.Fprintln(g.out, text)
		return
	}
	g.line = true
	fmt.Fprintf(g.out, "\r\x1b[K%s", text)
}

// progressText is the line of progress: what is known of time left goes last.
func progressText(s study.Progress, took time.Duration, l bilingual.Lang) string {
	rate := study.Magnitude(float64(s.Events)/max(took.Seconds(), 1e-3), l)
	left := time.Duration(0)
	if s.Total > 0 && s.Done > 0 {
		left = time.Duration(float64(took) * float64(s.Total-s.Done) / float64(s.Done)).Round(time.Second)
	}
	stage := output.Read(&s.Stage, l)
	if l == bilingual.Korean {
		text := fmt.Sprintf("실행 %d번, 초당 이벤트 %s개", s.Done, rate)
		if s.Total > 0 {
			text = fmt.Sprintf("실행 %d번 가운데 %d번, 초당 이벤트 %s개", s.Total, s.Done, rate)
		}
		if left > 0 {
			text += fmt.Sprintf(", 약 %v 남음", left)
		}
		return text + ": " + stage
	}
	runs := count(s.Done, "run")
	if s.Total > 0 {
		runs = fmt.Sprintf("%d of %s", s.Done, count(s.Total, "run"))
	}
	text := fmt.Sprintf("%s, %s events/s", runs, rate)
	if left > 0 {
		text += fmt.Sprintf(", about %v left", left)
	}
	return text + ": " + stage
}

// known says how far an interrupted simulation has come.
func (g *progress) known() bilingual.Text {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last.Done == 0 {
		return bilingual.Text{En: "no run had ended", Ko: "끝난 실행이 없다"}
	}
	return bilingual.Text{
		En: fmt.Sprintf("%s had ended, the last of %q: too few for an answer", count(g.last.Done, "run"), g.last.Stage.En),
		Ko: fmt.Sprintf("실행 %d번이 끝났고 마지막은 %q이다. 답하기에는 적다", g.last.Done, g.last.Stage.Ko),
	}
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
