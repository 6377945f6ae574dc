// Package files reads manifests and settings from files, folders and standard
// input into a snapshot.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/check/dump"
	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// endings are those of files that are read in folders.
var endings = []string{".json", ".yaml", ".yml"}

// outputEndings are those of files that are read in folders if they are the output
// of a client of a database, or a file of PgBouncer; all else in them is passed over.
var outputEndings = []string{".csv", ".ini", ".tsv", ".txt"}

// maxOutput is the largest file with one of outputEndings that is looked at, in bytes.
const maxOutput = 4 << 20

// Report says what was read, and what was not.
type Report struct {
	Files    int
	Objects  int
	Problems []manifest.Problem // what keeps the answer from being whole
	Ignored  []string           // files without an object, in order
}

// Read reads files and folders into a snapshot. What cannot be read is in the
// report; the error is that of a path that does not exist, or of the context. What is
// wrong with system files is for systems to say.
func Read(ctx context.Context, snap *object.Snapshot, paths []string, stdin io.Reader, systems manifest.SystemErrors) (*Report, error) {
	r := &reader{snap: snap, report: &Report{}, systems: systems, seen: map[string]bool{}}
	for _, path := range paths {
		if root, err := filepath.EvalSymlinks(path); err == nil {
			r.roots = append(r.roots, root)
		}
	}
	for _, path := range paths {
		if err := r.path(ctx, path, stdin); err != nil {
			return nil, err
		}
	}
	return r.report, nil
}

type reader struct {
	snap    *object.Snapshot
	report  *Report
	systems manifest.SystemErrors
	roots   []string        // what is to be read, without links
	seen    map[string]bool // files that were read, without links
}

func (r *reader) path(ctx context.Context, path string, stdin io.Reader) error {
	if path == Stdin {
		src, err := io.ReadAll(io.LimitReader(stdin, manifest.MaxSize+1))
		if err != nil {
			return fmt.Errorf("reading standard input: %w", err)
		}
		r.document("standard input", src, false)
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		r.file(path, info, false)
		return nil
	}
	root, err := filepath.EvalSymlinks(path) // a folder that is named is read, be it by a link
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if rest, e := filepath.Rel(root, name); e == nil {
			name = filepath.Join(path, rest) // as it was named
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.problem(name, err.Error(), "let it be read, or leave it out")
			return nil
		}
		base := d.Name()
		if d.IsDir() {
			if name != filepath.Clean(path) && (strings.HasPrefix(base, ".") || base == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 && r.leadsElsewhere(root, name) && !strings.HasPrefix(base, ".") {
			r.problem(name, "is a link to a folder elsewhere, which is not followed", "name that folder too, or leave the link out")
			return nil
		}
		ending := strings.ToLower(filepath.Ext(base))
		output := slices.Contains(outputEndings, ending)
		if !output && !slices.Contains(endings, ending) || strings.HasPrefix(base, ".") {
			return nil
		}
		info, err := os.Stat(name) // of what a link leads to
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.problem(name, "is a link to nowhere", "mend it, or leave it out")
		case err != nil:
			r.problem(name, err.Error(), "let it be read, or leave it out")
		case output && (!info.Mode().IsRegular() || info.Size() > maxOutput):
		case !info.IsDir():
			r.file(name, info, output)
		}
		return nil
	})
}

// leadsElsewhere reports whether a link leads to a folder outside of one that is read,
// and of those that are to be read beside it.
func (r *reader) leadsElsewhere(root, link string) bool {
	end, err := filepath.EvalSymlinks(link)
	if err != nil {
		return false
	}
	if info, err := os.Stat(end); err != nil || !info.IsDir() {
		return false
	}
	for _, folder := range append([]string{root}, r.roots...) {
		if rest, err := filepath.Rel(absolute(folder), absolute(end)); err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator)) {
			return false
		}
	}
	return true
}

// absolute returns a path from the root, as far as that can be told.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

func (r *reader) problem(name, msg, help string) {
	r.report.Problems = append(r.report.Problems, manifest.Problem{Source: name, Msg: msg, Help: help})
}

// file reads one file. It looks before it opens, since opening a named pipe waits
// for its other end, and bounds what it reads, since a file may grow meanwhile.
func (r *reader) file(name string, info fs.FileInfo, output bool) {
	if !info.Mode().IsRegular() {
		r.problem(name, "is no regular file", "leave it out")
		return
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		real = absolute(real)
		if r.seen[real] {
			return // by another name, or named twice: its objects are not there twice
		}
		r.seen[real] = true
	}
	f, err := os.Open(name)
	if err != nil {
		r.problem(name, err.Error(), "let it be read, or leave it out")
		return
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, manifest.MaxSize+1))
	if err != nil {
		r.problem(name, err.Error(), "let it be read, or leave it out")
		return
	}
	r.document(name, src, output)
}

// add adds what one document holds.
func (r *reader) add(c manifest.Content) {
	r.report.Objects += c.Size()
	c.AddTo(r.snap)
}

// document reads a stream; one of which only output may be read is passed over
// where it is none.
func (r *reader) document(name string, src []byte, output bool) {
	if c, ok := dump.Read(name, src); ok {
		r.report.Files++
		r.add(c)
		return
	}
	if output {
		return
	}
	documents, problems := manifest.Read(name, src)
	r.report.Problems = append(r.report.Problems, problems...)
	r.report.Files++
	contents, wrong := manifest.Contents(documents, r.systems)
	r.report.Problems = append(r.report.Problems, wrong...)
	for _, c := range contents {
		r.add(c)
	}
	if len(contents) == 0 && len(problems) == 0 {
		r.report.Ignored = append(r.report.Ignored, name)
	}
}
