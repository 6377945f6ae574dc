package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/openprecedent/precedent/internal/parallel"
)

var errTooLarge = errors.New("is too large")

// ReadFile reads a regular file of at most [MaxSize] bytes. It looks before it
// opens, since opening a named pipe waits for its other end, and bounds what it
// reads, since a file may grow meanwhile.
func ReadFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	if info.Size() > MaxSize {
		return nil, fmt.Errorf("%w: %d bytes, and a file may have %d", errTooLarge, info.Size(), MaxSize)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src := make([]byte, 0, info.Size()+bytes.MinRead)
	b := bytes.NewBuffer(src)
	if _, err := b.ReadFrom(io.LimitReader(f, MaxSize+1)); err != nil {
		return nil, err
	}
	if src = b.Bytes(); len(src) > MaxSize {
		return nil, fmt.Errorf("%w: a file may have %d bytes", errTooLarge, MaxSize)
	}
	return src, nil
}

// Files returns the paths of the YAML files of a folder in order, none where
// there is no such folder. A folder that cannot be read is an error: it would
// look like an empty one.
func Files(fsys fs.FS, dir string) ([]string, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if path.Ext(entry.Name()) == ".yaml" {
			names = append(names, path.Join(dir, entry.Name()))
		}
	}
	return names, nil
}

// ReadFolder reads the YAML files of a folder, on all cores, with decode, which
// is given what to call a file and what it holds. It returns what decode made of
// each, in the order of the files' names, and all problems; files that cannot be
// read are problems, too. The folder is called shown in problems.
func ReadFolder[T any](fsys fs.FS, dir, shown string, decode func(file string, src []byte) (T, Problems)) ([]T, Problems) {
	names, err := Files(fsys, dir)
	if err != nil {
		return nil, Problems{Unreadable(shown, err)}
	}
	all, found, failed := make([]T, len(names)), make([]Problems, len(names)), make([]error, len(names))
	parallel.Each(len(names), func(i int) {
		var src []byte
		if src, failed[i] = ReadFile(fsys, names[i]); failed[i] == nil {
			all[i], found[i] = decode(path.Join(shown, path.Base(names[i])), src)
		}
	})
	problems := passedOver(fsys, dir, shown)
	read := all[:0]
	for i := range all {
		if failed[i] != nil {
			problems = append(problems, Unreadable(path.Join(shown, path.Base(names[i])), failed[i]))
			continue
		}
		read, problems = append(read, all[i]), append(problems, found[i]...)
	}
	return read, problems
}

// passedOver warns of what a folder holds that is YAML by its looks and is not
// read, which its writer would look for in vain.
func passedOver(fsys fs.FS, dir, shown string) Problems {
	entries, _ := fs.ReadDir(fsys, dir) // which has been read before
	var problems Problems
	for _, entry := range entries {
		name := entry.Name()
		help := ""
		if ext := path.Ext(name); strings.EqualFold(ext, ".yml") || ext != ".yaml" && strings.EqualFold(ext, ".yaml") {
			help = fmt.Sprintf("name it %q", strings.TrimSuffix(name, ext)+".yaml")
		} else if entry.IsDir() {
			if inside, _ := fs.Glob(fsys, path.Join(dir, name, "*.yaml")); len(inside) > 0 {
				help = fmt.Sprintf("move its files to %q", path.Base(shown))
			}
		}
		if help != "" && !strings.HasPrefix(name, ".") {
			problems = append(problems, Problem{
				File: path.Join(shown, name), Line: 1, Col: 1, Rule: "not-read", Level: Warning, Msg: "is not read", Help: help,
			})
		}
	}
	return problems
}

// Unreadable is the problem of a file that cannot be read.
func Unreadable(file string, err error) Problem {
	help := "put an ordinary file there that can be read"
	if errors.Is(err, errTooLarge) {
		help = "keep one thing a file, and leave out what the format has no field for"
	}
	return Problem{
		File: file, Line: 1, Col: 1, Rule: "unreadable", Level: Error,
		Msg: err.Error(), Help: help,
	}
}
