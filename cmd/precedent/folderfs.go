package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// folderFS are the files of a folder. Links are followed inside it, as a mounted
// ConfigMap has them, and not out of it: a library may come from somebody else,
// and what a file holds is quoted where it is wrong.
type folderFS string

// errLeadsOut is what a link out of the folder gives.
var errLeadsOut = errors.New("is a link that leads out of the folder")

// Open implements [fs.FS].
func (dir folderFS) Open(name string) (fs.File, error) {
	return inFolder(dir, func(root *os.Root) (fs.File, error) { return root.Open(name) })
}

// Stat implements [fs.StatFS].
func (dir folderFS) Stat(name string) (fs.FileInfo, error) {
	return inFolder(dir, func(root *os.Root) (fs.FileInfo, error) { return root.Stat(name) })
}

// ReadDir implements [fs.ReadDirFS].
func (dir folderFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return inFolder(dir, func(root *os.Root) ([]fs.DirEntry, error) { return fs.ReadDir(root.FS(), name) })
}

// inFolder asks the folder as it is now: while a server runs, another one may be
// moved into its place.
func inFolder[T any](dir folderFS, ask func(*os.Root) (T, error)) (T, error) {
	var none T
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return none, err
	}
	defer root.Close()
	found, err := ask(root)
	if err != nil && strings.Contains(err.Error(), "path escapes from parent") { // which has no name
		return none, errLeadsOut
	}
	if err != nil {
		return none, err // an interface that holds no file is not nil
	}
	return found, nil
}
