package strictyaml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// Unreadable is the problem of a file that cannot be read.
func Unreadable(file string, err error) Problem {
	return Problem{
		File: file, Line: 1, Col: 1, Rule: "unreadable", Level: Error,
		Msg: err.Error(), Help: "check that it is a readable file",
	}
}
