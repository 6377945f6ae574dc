package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

// newLibrary is what `precedent init` writes, with the prefix ACME.
//
//go:embed newlibrary
var newLibrary embed.FS

func (p *process) initCommand() *cobra.Command {
	var prefix string
	cmd := &cobra.Command{
		Use:   "init DIR",
		Short: "Start a private library with a working example",
		Long: `Init makes a folder for your own cases: a description with the prefix of your ids,
an example case, a check that finds the state behind it, an example term, a CI
workflow and a short guide. Layer it over the public library with --library DIR.
Files that exist are never replaced.`,
		Example: `  precedent init ./incidents --prefix SHOP
  precedent search --library ./incidents "checkout times out"
  precedent check deploy/ --library ./incidents`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if !library.ValidPrefix(prefix) {
				return app.Invalidf("prefix", "choose two to ten capital letters other than PR and IL", "%q cannot begin the ids of a private library", prefix).
					Korean("PR과 IL이 아닌 대문자 두 자에서 열 자를 고른다", "비공개 라이브러리의 번호를 이렇게 시작할 수 없다: %q")
			}
			return p.init(args[0], prefix)
		},
	}
	cmd.Flags().StringVar(&prefix, "prefix", "ACME", "capital letters that begin the ids of your cases")
	return cmd
}

func (p *process) init(dir, prefix string) error {
	content := map[string][]byte{}
	var names []string
	err := fs.WalkDir(newLibrary, "newlibrary", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := newLibrary.ReadFile(name)
		if err != nil {
			return err
		}
		rest := strings.ReplaceAll(strings.TrimPrefix(name, "newlibrary/"), "ACME", prefix)
		target := filepath.Join(dir, filepath.FromSlash(rest))
		content[target] = bytes.ReplaceAll(src, []byte("ACME"), []byte(prefix))
		names = append(names, target)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the embedded example: %w", err)
	}
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil {
			return app.Invalidf("dir", "choose an empty or new folder", "starting a library in %q: %q exists", dir, name).
				Korean("빈 폴더나 새 폴더를 고른다", "%q에 라이브러리를 만들 수 없다: %q 파일이 있다")
		}
	}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("making the folder of %q: %w", name, err)
		}
		if err := create(name, content[name]); err != nil {
			return err
		}
		if err := p.wrote(name); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.err, "next: precedent lint %s; precedent serve --library %s\n", printable(dir), printable(dir))
	return nil
}
