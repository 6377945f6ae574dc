package library

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"slices"
	"sync"
)

// A summedFS sums the files that are read through it as they are read, so that
// the sum is of what was loaded: a file that is read twice may have changed in
// between.
type summedFS struct {
	files fs.FS

	mu   sync.Mutex
	sums map[string][]byte // by name
}

// Open implements [fs.FS].
func (s *summedFS) Open(name string) (fs.File, error) {
	f, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	return &summedFile{f, s, name, sha256.New()}, nil
}

// ReadDir implements [fs.ReadDirFS].
func (s *summedFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(s.files, name) }

// Stat implements [fs.StatFS].
func (s *summedFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(s.files, name) }

type summedFile struct {
	fs.File
	in   *summedFS
	name string
	sum  hash.Hash
}

func (f *summedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.sum.Write(p[:n])
	return n, err
}

func (f *summedFile) Close() error {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	if f.in.sums == nil {
		f.in.sums = map[string][]byte{}
	}
	f.in.sums[f.name] = f.sum.Sum(nil)
	return f.File.Close()
}

// version is a hash over the names and contents of the files of all layers.
func version(layers []Layer, read []*summedFS) string {
	sum := sha256.New()
	for i, layer := range layers {
		for _, name := range slices.Sorted(maps.Keys(read[i].sums)) {
			fmt.Fprintf(sum, "%s %s %x\n", layer.Name, name, read[i].sums[name])
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}
