package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

func (p *process) fmtCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "fmt PATH...",
		Short: "Write case, vocabulary and check files in their canonical formatting",
		Long: `Fmt rewrites the given files, and the case, vocabulary, check and excluded files
of the given library folders, in the one canonical formatting: fields in the order
of the format, short lists on one line, long prose folded at 100 columns. Values and
comments are kept. Scenarios are left as they are written. A file is replaced only
when its formatting changes; a file that does not parse is reported and left alone.
With - the case on standard input goes to standard output.`,
		Example: `  precedent fmt ./incidents
  precedent fmt --check ./incidents    # exit code 3 when a file is not canonical`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			if len(paths) == 1 && paths[0] == "-" {
				return p.fmtStream()
			}
			return p.fmtPaths(paths, check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; list the files that are not canonical")
	return cmd
}

func (p *process) fmtStream() error {
	src, err := p.readFile("-", strictyaml.MaxSize)
	if err != nil {
		return err
	}
	out, problems := casefile.Format("standard input", src)
	if problems != nil {
		return p.report(problems)
	}
	return p.raw(out)
}

func (p *process) fmtPaths(paths []string, check bool) error {
	files, err := yamlFiles(paths)
	if err != nil {
		return err
	}
	var problems strictyaml.Problems
	for _, name := range files {
		src, err := readPlain(name)
		if err != nil {
			problems = append(problems, strictyaml.Unreadable(name, err))
			continue
		}
		out, found := format(name, src)
		problems = append(problems, found...)
		switch {
		case found != nil || bytes.Equal(src, out):
		case check:
			problems = append(problems, strictyaml.Problem{
				File: name, Line: 1, Col: 1, Rule: "format", Level: strictyaml.Warning,
				Msg: "is not in canonical formatting", Help: "run `precedent fmt " + name + "`",
			})
		default:
			if err := replace(name, out); err != nil {
				return err
			}
			if err := p.wrote(name); err != nil {
				return err
			}
		}
	}
	return p.report(problems)
}

// readPlain reads a file that may be replaced. A link is not: to replace it
// would part it from its file, and to follow it would change a file that may
// belong to somebody else.
func readPlain(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, errors.New("is a link; give the file that it leads to")
	}
	return strictyaml.ReadFile(os.DirFS(filepath.Dir(name)), filepath.Base(name))
}

// format chooses the format of a file by its folder.
func format(name string, src []byte) ([]byte, strictyaml.Problems) {
	switch folderOf(name) {
	case vocab.Dir:
		return strictyaml.Format(name, src, &vocab.List{})
	case library.ExcludedDir:
		return strictyaml.Format(name, src, &library.Excluded{})
	case library.CheckDir:
		return strictyaml.Format(name, src, &rule.File{})
	case library.ScenarioDir:
		return src, nil // whose fields depend on the kinds of their parts; they are left as they are written
	}
	return casefile.Format(name, src)
}

// folderOf is the name of the folder that a file is in.
func folderOf(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	return filepath.Base(filepath.Dir(name))
}

// yamlFiles returns the files among paths and the library files in folders
// among them.
func yamlFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, app.Invalidf("path", "check the path", "reading %q: no such file or folder", path).
				Korean("경로를 확인한다", "그런 파일이나 폴더가 없다: %q")
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		for _, pattern := range []string{"*.yaml", "*/*.yaml"} {
			found, err := filepath.Glob(filepath.Join(escapeGlob(path), pattern))
			if err != nil {
				return nil, fmt.Errorf("listing %q: %w", path, err)
			}
			for _, name := range found {
				switch folderOf(name) {
				case casefile.Dir, vocab.Dir, library.ExcludedDir, library.CheckDir:
					files = append(files, name)
				}
			}
		}
	}
	return files, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// replace writes a file by renaming a new one over it, so that an interrupted
// run never leaves half a file.
func replace(name string, content []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("writing %q: %w", name, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".precedent-*")
	if err != nil {
		return fmt.Errorf("writing %q: %w", name, err)
	}
	defer os.Remove(tmp.Name()) // fails once renamed, which is what we want
	_, err = tmp.Write(content)
	if err == nil {
		err = tmp.Chmod(info.Mode().Perm())
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("writing %q: %w", name, err)
	}
	return nil
}
