package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

func (p *process) lintCommand() *cobra.Command {
	var asJSON, errorsOnly, alone bool
	cmd := &cobra.Command{
		Use:   "lint [DIR...]",
		Short: "Report every problem of the files of a library",
		Long: `Lint reads the case, vocabulary, check, scenario and excluded files of the given
library folders (or of the public library where none is given), compiles the checks
and tries their examples, reads the scenarios as the simulator does, with their
variants and expectations, and reports every problem as

  file:line:col: level: field: what is wrong; what to do [rule]

An error keeps the library from being used, a warning does not. A private folder
is read as it will be used: layered over the public library, whose own files are not
looked at again. Of a draft, texts in one language only are one finding. A recording that is not of the scenario file
beside it is a warning. Exit code 3 tells that there are findings.`,
		Example: `  precedent lint                 # the public library in the program
  precedent lint ./incidents     # yours
  precedent lint --json . | jq '.[].rule'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			problems, files, err := p.lint(cmd.Context(), dirs, alone)
			if err != nil {
				return err
			}
			if errorsOnly {
				problems = problems.Errors()
			}
			if asJSON {
				return p.lintJSON(problems)
			}
			if len(problems) == 0 {
				fmt.Fprintf(p.err, "%s, no findings\n", count(files, "file"))
			}
			return p.report(problems)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as a JSON array")
	cmd.Flags().BoolVar(&errorsOnly, "errors", false, "leave warnings out")
	cmd.Flags().BoolVar(&alone, "alone", false, "read the folders alone, without the public library under them")
	return cmd
}

func (p *process) lintJSON(problems strictyaml.Problems) error {
	if problems == nil {
		problems = strictyaml.Problems{}
	}
	if err := output.JSON(p.out, problems); err != nil {
		return err
	}
	if len(problems) > 0 {
		return &app.Error{Kind: app.Findings, Err: errors.New("")} // the array says it all
	}
	return nil
}

// lint returns the problems of the folders and the number of files read. The
// problems of the public library under a private folder are not its owner's.
func (p *process) lint(ctx context.Context, dirs []string, alone bool) (strictyaml.Problems, int, error) {
	layers := []library.Layer{{Name: library.Public, FS: corpus.FS}}
	if alone {
		layers = nil
	}
	for _, dir := range dirs {
		layer, err := folder(dir)
		if err != nil {
			return nil, 0, err
		}
		layers = append(layers, layer)
	}
	lib, problems := library.Load(layers...)
	own := layers
	var known *library.Library
	if len(dirs) > 0 && !alone {
		var public strictyaml.Problems
		known, public = library.Load(layers[0])
		problems = without(problems, public)
		own = layers[1:]
	}
	if lib != nil { // nil where a file keeps the library from being used
		problems = append(problems, without(app.LintChecks(ctx, lib, known), problems)...)
	}
	files := 0
	for _, layer := range own {
		problems = append(problems, without(app.LintScenarios(layer), problems)...)
		names, _ := fs.Glob(layer.FS, "*/*.yaml") // fails for malformed patterns only
		files += len(names)
	}
	return problems, files, nil
}

// without returns the problems that are not among known.
func without(problems, known strictyaml.Problems) strictyaml.Problems {
	seen := map[strictyaml.Problem]bool{}
	for _, k := range known {
		seen[k] = true
	}
	var rest strictyaml.Problems
	for _, one := range problems {
		if !seen[one] {
			rest = append(rest, one)
		}
	}
	return rest
}
