package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// resumed is what an interrupted answer has found, in a file. It implements
// [verdict.Memo].
type resumed struct {
	file string
	new  bool // the file is not there yet

	mu    sync.Mutex
	kept  resumeFile
	saved time.Time
}

// resumeFile is the form of the file.
type resumeFile struct {
	Format   string                     `json:"format"`
	Program  string                     `json:"program"`
	Question string                     `json:"question"` // hash of it
	Command  string                     `json:"command"`
	Done     map[string]json.RawMessage `json:"done"`
}

const (
	resumeFormat = "precedent progress 1"
	savePause    = time.Second // between two writes, so that writing costs nothing
	maxResume    = 64 << 20
)

// resume reads what was found for a question, if the file is there.
func resume(file string, q study.Question) (*resumed, error) {
	sum := sha256.Sum256([]byte(q.Key()))
	r := &resumed{file: file, kept: resumeFile{
		Format: resumeFormat, Program: buildVersion(), Question: hex.EncodeToString(sum[:]), Command: q.Command(),
		Done: map[string]json.RawMessage{},
	}}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		r.new = true
		return r, nil
	}
	if err != nil {
		return nil, app.Invalidf("resume", "check the path", "reading %q: %w", file, err).
			Korean("경로를 확인한다", "%q 파일을 읽을 수 없다: %w")
	}
	defer f.Close()
	raw, err := readBounded(f, file, maxResume)
	if err != nil {
		return nil, err
	}
	var was resumeFile
	if err := json.Unmarshal(raw, &was); err != nil || was.Format != resumeFormat {
		return nil, app.Invalidf("resume", "name another file; one that is not there is begun", "%q holds no progress of precedent", file).
			Korean("다른 파일 이름을 준다. 없는 파일이면 새로 만든다", "precedent의 진행 기록이 아니다: %q")
	}
	switch {
	case was.Question != r.kept.Question:
		return nil, app.Invalidf("resume", "ask that again, with its file and settings as they were, or name another file",
			"%q holds the progress of another question: %s", file, was.Command).
			Korean("그 질문을 파일과 설정을 그대로 두고 다시 하거나 다른 파일 이름을 준다", "%q에는 다른 질문의 진행이 적혀 있다: %s")
	case was.Program != r.kept.Program:
		return nil, app.Invalidf("resume", "begin again with another file, since another program may find something else",
			"%q was written by precedent %s, and this is %s", file, was.Program, r.kept.Program).
			Korean("다른 버전의 결과는 다를 수 있으므로 다른 파일로 다시 시작한다", "다른 버전의 파일이다: %q (쓴 버전 %s, 지금 버전 %s)")
	}
	for key, value := range was.Done {
		r.kept.Done[key] = value
	}
	return r, nil
}

// begin makes a file that is not there yet, so that a place that cannot be written
// is found before hours have passed.
func (r *resumed) begin() error {
	if !r.new {
		return nil
	}
	if err := create(r.file, nil); err != nil {
		return app.Invalidf("resume", "choose another place", "keeping the progress: %w", err).
			Korean("다른 곳을 고른다", "진행을 적을 수 없다: %w")
	}
	return r.save()
}

// Load returns what was kept under a key.
func (r *resumed) Load(key string) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, ok := r.kept.Done[key]
	return value, ok
}

// Store keeps a value, and writes the file now and then.
func (r *resumed) Store(key string, value []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept.Done[key] = value
	if time.Since(r.saved) > savePause {
		_ = r.save() // what goes wrong now goes wrong in close too, which tells
	}
}

// close writes what was kept since.
func (r *resumed) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.save()
}

// save replaces the file as a whole, so that it is whole whatever happens.
func (r *resumed) save() error {
	r.saved = time.Now()
	raw, err := json.MarshalIndent(r.kept, "", " ")
	if err == nil {
		err = replace(r.file, append(raw, '\n'))
	}
	return err
}

// stopped is the error of a question that was ended by an interrupt.
type stopped struct{ said *app.Error }

func (s *stopped) Error() string { return s.said.Error() }

func (s *stopped) Unwrap() error { return s.said }

// interrupted returns the error of a question that was ended by an interrupt,
// and says how to go on.
func (f *simFlags) interrupted(known bilingual.Text) error {
	en, ko := "", ""
	switch {
	case f.resume != "":
		en, ko = "the same command goes on from there", "같은 명령을 다시 하면 이어서 한다"
	case f.resumable:
		en, ko = "with --resume FILE it can go on where it was stopped", "--resume FILE을 쓰면 멈춘 곳에서 이어 갈 수 있다"
	}
	said := &app.Error{Kind: app.Internal, Err: errors.New("interrupted: " + known.En), Hint: en}
	return &stopped{said.Korean(ko, "중단됨: "+known.Ko)}
}
