package strictyaml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

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
		return nil, fmt.Errorf("has %d bytes, more than %d", info.Size(), MaxSize)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(src) > MaxSize {
		return nil, fmt.Errorf("has more than %d bytes", MaxSize)
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

// Unreadable is the problem of a file that cannot be read.
func Unreadable(file string, err error) Problem {
	return Problem{
		File: file, Line: 1, Col: 1, Rule: "unreadable", Level: Error,
		Msg: err.Error(), Help: "check that it is a readable file",
	}
}
