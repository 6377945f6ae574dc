package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

func (p *process) newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Start a new case or check of a library, or a new system",
		Args:  oneSubcommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.newCaseCommand(), p.newCheckCommand(), p.newSystemCommand())
	return cmd
}

func (p *process) newCaseCommand() *cobra.Command {
	var prefix string
	cmd := &cobra.Command{
		Use:   "case [DIR]",
		Short: "Start a case: a commented skeleton with the next free id",
		Long: `Case writes DIR/cases/<ID>.yaml (DIR is the current folder where none is given)
with the next free id: the fields that a draft needs, and every other field as a
comment that says what belongs in it. The prefix of the id comes from the
folder's library.yaml, or from --prefix.`,
		Example: `  precedent new case ./incidents
  precedent new case --prefix PR corpus`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := here
			if len(args) > 0 {
				dir = args[0]
			}
			id, err := nextID(dir, prefix)
			if err != nil {
				return giveFolder("new case", dir, err)
			}
			name, err := createCase(dir, id, casefile.Skeleton(id))
			if err != nil {
				return err
			}
			return p.wrote(name)
		},
	}
	cmd.Flags().StringVar(&prefix, "prefix", "", "capital letters that begin the id")
	return cmd
}

// here is the folder of a command that is given none.
const here = "."

// isLibrary reports whether dir holds a library.
func isLibrary(dir string) bool {
	_, err := folder(dir)
	return err == nil
}

// giveFolder is err with the next step for one who gave a command no folder and
// is not in one of a library.
func giveFolder(command, dir string, err error) error {
	if dir != here || isLibrary(dir) {
		return err
	}
	example := "`precedent " + command + " ./incidents`"
	return app.Invalidf("dir", "give the folder: "+example, "the current folder holds no library").
		Korean("폴더를 준다: "+example, "현재 폴더에 라이브러리가 없다")
}

// nextID returns the next free id of a library folder.
func nextID(dir, prefix string) (string, error) {
	layer, err := folder(dir)
	if err != nil {
		return "", err
	}
	if prefix == "" {
		config, problems := library.ReadConfig(layer)
		if len(problems) > 0 {
			return "", &app.Error{Kind: app.Findings, Err: problems, Hint: "mend the file, or give --prefix"}
		}
		prefix = config.Prefix
	}
	if prefix == "" {
		return "", app.Invalidf("prefix", "give --prefix, or name one in library.yaml", "no prefix for the ids of %q", dir).
			Korean("--prefix를 주거나 library.yaml에 적는다", "%q: 번호의 앞머리가 없다")
	}
	if !casefile.ValidID(prefix + "-0001") {
		return "", app.Invalidf("prefix", "use two to ten capital letters", "the prefix %q makes no case id", prefix).
			Korean("대문자 두 자에서 열 자로 쓴다", "번호로 쓸 수 없는 앞머리: %q")
	}
	id := library.NextID(layer.FS, prefix)
	if id == "" {
		return "", app.Invalidf("prefix", "give the case with the highest number a lower one, or choose another prefix",
			"the ids of the prefix %q are used up: %s-%d is taken", prefix, prefix, casefile.MaxNumber).
			Korean("번호가 가장 큰 사례의 번호를 줄이거나 다른 앞머리를 고른다", "앞머리 %q의 번호를 다 썼다. %s-%d까지 있다")
	}
	return id, nil
}

// createCase writes a new case file; it never replaces one.
func createCase(dir, id string, content []byte) (string, error) {
	name := filepath.Join(dir, casefile.Dir, id+".yaml")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", fmt.Errorf("making the folder of %q: %w", name, err)
	}
	return name, create(name, content)
}

// create writes a file that must not exist yet.
func create(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return app.Invalidf("file", "move it away, or choose another place", "writing %q: the file exists", name).
			Korean("그 파일을 옮기거나 다른 곳을 고른다", "%q 파일을 쓸 수 없다: 이미 있다")
	}
	if err != nil {
		return fmt.Errorf("writing %q: %w", name, err)
	}
	_, err = f.Write(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("writing %q: %w", name, err)
	}
	return nil
}
