package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/nearest"
)

// usageError is a command line that cannot be understood.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// noSubcommand refuses what is not the name of a subcommand, with a near one.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	en, ko := seeHelp(cmd)
	if near, ok := nearest.Of(args[0], names); ok {
		en, ko = fmt.Sprintf("did you mean %q?", near), fmt.Sprintf("혹시 %q?", near)
	}
	return &usageError{app.Invalidf("", en, "no command %q", args[0]).Korean(ko, "그런 명령이 없다: %q")}
}

// seeHelp sends a reader to the help of a command, in both languages.
func seeHelp(cmd *cobra.Command) (en, ko string) {
	help := "`" + cmd.CommandPath() + " --help`"
	return "see " + help, "쓰는 법: " + help
}

// oneSubcommand wants the name of a subcommand.
func oneSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return noSubcommand(cmd, args)
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	en, ko := seeHelp(cmd)
	return &usageError{app.Invalidf("", en, "`%s` needs one of %s", cmd.CommandPath(), list(names)).
		Korean(ko, "`%s` 뒤에 다음 가운데 하나를 쓴다: %s")}
}

// misused is the error of a command line that the flag parser refuses; the
// reasons that it gives itself are in English.
func misused(cmd *cobra.Command, err error) error {
	en, ko := seeHelp(cmd)
	var value interface{ GetValue() string }
	_, name, _ := strings.Cut(err.Error(), "--") // the parser's words: for "-n, --limit" flag
	name, _, _ = strings.Cut(name, `"`)
	if flag := cmd.Flags().Lookup(name); flag != nil && errors.As(err, &value) {
		if want, ok := valueKinds[flag.Value.Type()]; ok {
			return &usageError{app.Invalidf("", en, "--%s takes %s, not %q", name, want, value.GetValue()).
				Korean(ko, "값을 읽을 수 없다(--%s, %s): %q")}
		}
	}
	return &usageError{app.Invalidf("", en, "%w", err).Korean(ko, "명령줄을 알아듣지 못했다: %w")}
}

// valueKinds names what flags of a type take.
var valueKinds = map[string]string{
	"bool": "true or false", "duration": "a duration such as 30s", "float64": "a number",
	"int": "a whole number", "int64": "a whole number", "uint64": "a whole number, not below 0",
}

// wrongArguments is the error of a command that takes other arguments.
func wrongArguments(cmd *cobra.Command, args []string, err error) error {
	en, ko := seeHelp(cmd)
	_, takes, _ := strings.Cut(cmd.Use, " ")
	switch {
	case takes == "" && len(args) > 0:
		return &usageError{app.Invalidf("", en, "`%s` takes no argument, and got %q", cmd.CommandPath(), args[0]).
			Korean(ko, "`%s` 뒤에는 인자를 쓰지 않는다: %q")}
	case strings.Contains(err.Error(), "arg(s)"):
		return &usageError{app.Invalidf("", en, "the command is `%s %s`; arguments given: %d", cmd.CommandPath(), takes, len(args)).
			Korean(ko, "`%s %s`처럼 쓴다(인자 %d개)")}
	}
	return misused(cmd, err)
}

// helpCommand shows the help of the command that its arguments name.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about any command",
		GroupID: "other",
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err == nil {
				err = noSubcommand(found, rest)
			}
			if err != nil {
				return err
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// A sayer writes what the command parser itself says, and keeps the first
// error, which the parser forgets.
type sayer struct {
	to  io.Writer
	err error
}

func (s *sayer) Write(b []byte) (int, error) {
	n, err := s.to.Write(b)
	switch {
	case err == nil || s.err != nil:
	case errors.Is(err, syscall.EPIPE):
		s.err = errPipe
	default:
		s.err = fmt.Errorf("writing the answer: %w", err)
	}
	return n, err
}

// argumentErrors makes wrong numbers of arguments, flags that exclude each
// other and unknown subcommands usage errors, for every command.
func argumentErrors(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := cmd.ValidateFlagGroups(); err != nil {
				return misused(cmd, err)
			}
			err := check(cmd, args)
			var known *usageError
			if err != nil && !errors.As(err, &known) {
				return wrongArguments(cmd, args, err)
			}
			return err
		}
	}
	for _, sub := range cmd.Commands() {
		argumentErrors(sub)
	}
}

// oneOf is the error of a flag or argument that takes one of some words and has
// another; what is wrong is said in both languages, with %q for the word.
func oneOf(field, word string, words []string, en, ko string) error {
	if slices.Contains(words, word) {
		return nil
	}
	hint, hintKo := "write one of "+strings.Join(words, ", "), strings.Join(words, ", ")+" 가운데 하나를 쓴다"
	if near, ok := nearest.Of(word, words); ok {
		hint, hintKo = fmt.Sprintf("did you mean %q?", near), fmt.Sprintf("혹시 %q?", near)
	}
	return app.Invalidf(field, hint, en, word).Korean(hintKo, ko)
}
