package main

import (
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// newCheck is what `precedent new check` writes, with the id ACME-CK-1.
//
//go:embed newcheck/check.yaml
var newCheck string

func (p *process) newCheckCommand() *cobra.Command {
	var prefix, caseID string
	cmd := &cobra.Command{
		Use:   "check [DIR]",
		Short: "Start a check: a commented skeleton with the next free id",
		Long: `Check writes DIR/checks/<ID>.yaml (DIR is the current folder where none is given)
with the next free id: a condition that works, with examples that prove it, to put
your own in its place, and texts in <> to be written. ` + "`precedent lint`" + ` names what
is left, each with its place. With --case the check cites that case, and takes
over its mechanisms: so a post-mortem leaves a check behind.

The id begins with --prefix, or with the prefix of the folder's library.yaml and CK.`,
		Example: `  precedent new check ./incidents --case ACME-0001
  precedent lint ./incidents
  precedent check deploy/ --library ./incidents --only ACME-CK-2`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := here
			if len(args) > 0 {
				dir = args[0]
			}
			return p.newCheck(dir, prefix, caseID)
		},
	}
	cmd.Flags().StringVar(&prefix, "prefix", "", "letters that begin the id, such as ACME-CK")
	cmd.Flags().StringVar(&caseID, "case", "", "id of the case that the check is to find the state of")
	if err := cmd.RegisterFlagCompletionFunc("case", p.completeCases); err != nil {
		panic(err) // the flag was made above
	}
	return cmd
}

func (p *process) newCheck(dir, prefix, caseID string) error {
	prefix, layer, err := checkPrefix(dir, prefix)
	if err != nil {
		return giveFolder("new check", dir, err)
	}
	id := library.NextCheckID(layer.FS, prefix)
	text := strings.ReplaceAll(newCheck, "ACME-CK-1", id)
	if caseID != "" {
		if text, err = p.citing(text, dir, caseID); err != nil {
			return err
		}
	}
	name := filepath.Join(dir, library.CheckDir, id+".yaml")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("making the folder of %q: %w", name, err)
	}
	if err := create(name, []byte(text)); err != nil {
		return err
	}
	if err := p.wrote(name); err != nil {
		return err
	}
	fmt.Fprintf(p.err, "next: write what stands in <>; precedent lint %s\n", printable(study.Quote(dir)))
	return nil
}

// checkPrefix returns what begins the ids of a folder's checks.
func checkPrefix(dir, prefix string) (string, library.Layer, error) {
	layer, err := folder(dir)
	if err != nil {
		return "", layer, err
	}
	if prefix == "" {
		config, problems := library.ReadConfig(layer)
		if len(problems) > 0 {
			return "", layer, &app.Error{Kind: app.Findings, Err: problems, Hint: "mend the file, or give --prefix"}
		}
		if config.Prefix == "" {
			return "", layer, app.Invalidf("prefix", "give --prefix, or name one in library.yaml", "no prefix for the ids of %q", dir).
				Korean("--prefix를 주거나 library.yaml에 적는다", "%q: 번호의 앞머리가 없다")
		}
		prefix = config.Prefix + "-CK"
	}
	if !library.ValidCheckPrefix(prefix) {
		return "", layer, app.Invalidf("prefix", "use capital letters, and hyphens between them", "the prefix %q makes no id of a check", prefix).
			Korean("대문자로 쓰고 사이에만 붙임표를 넣는다", "점검의 번호로 쓸 수 없는 앞머리: %q")
	}
	return prefix, layer, nil
}

// citing writes a case, and its mechanisms, into the skeleton of a check.
func (p *process) citing(text, dir, id string) (string, error) {
	lib, err := p.withoutChecks(dir)
	if err != nil {
		return "", err
	}
	entry, ok := lib.Case(id)
	if !ok {
		_, err := app.New(lib).Case(id) // says which ids are near
		return "", err
	}
	text = strings.Replace(text, `"<the id of the case behind it>"`, entry.ID, 1)
	var codes []string
	for _, m := range entry.Mechanisms {
		codes = append(codes, m.Code)
	}
	if len(codes) > 0 {
		text = strings.Replace(text, "\"<a term of `precedent vocab mechanism`>\"", strings.Join(codes, ", "), 1)
	}
	out, problems := strictyaml.Format("the skeleton", []byte(text), &rule.File{})
	if len(problems) > 0 {
		return "", fmt.Errorf("formatting the skeleton: %w", problems)
	}
	return string(out), nil
}

// withoutChecks reads the library with the one in dir, but for their checks: an
// unfinished one must not keep the next from being begun.
func (p *process) withoutChecks(dir string) (*library.Library, error) {
	layers, err := p.layers()
	if err != nil {
		return nil, err
	}
	own, err := folder(dir)
	if err != nil {
		return nil, err
	}
	layers = append(layers, own)
	for i := range layers {
		layers[i].FS = noChecks{layers[i].FS}
	}
	lib, problems := library.Load(layers...)
	if lib == nil {
		return nil, app.Findingsf("run `precedent lint` on the folder and mend these", "reading the library:\n%w", problems.Errors()).
			Korean("폴더에서 `precedent lint`를 돌려 이것들을 고친다", "라이브러리를 읽을 수 없다.\n%w")
	}
	return lib, nil
}

// noChecks is a library without its checks.
type noChecks struct{ fs.FS }

// Open implements [fs.FS].
func (n noChecks) Open(name string) (fs.File, error) {
	if name == library.CheckDir || strings.HasPrefix(name, library.CheckDir+"/") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return n.FS.Open(name)
}
