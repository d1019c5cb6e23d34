package grading

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A CompileError is what the compiler says of an answer.
type CompileError struct{ Message string }

func (e *CompileError) Error() string { return e.Message }

// write puts the two files of the program that answers for a submission into dir.
func (s *Submission) write(dir string, e *exercise.Exercise) error {
	main := strings.NewReplacer("MODULE", cell.Module, "FUNCTIONS", strings.Join(e.Answer.Functions, ", ")).Replace(mainText)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o644); err != nil {
		return err
	}
	text := "package main\n\n" + cell.Declaration(cell.Merge(s.Imports)) + "\n\n//line answer.go:1:1\n" + s.Source + "\n"
	return os.WriteFile(filepath.Join(dir, "answer.go"), []byte(text), 0o644)
}

// shell writes into dir the overlay with which toolkit/verify is a shell: it knows what a
// stub panics with, and judges nothing. It returns the file that names it.
func shell(root, dir string) (string, error) {
	real, err := filepath.Glob(filepath.Join(root, "toolkit", "verify", "*.go"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{filepath.Join(root, "toolkit", "verify", "shell.go"): filepath.Join(dir, "shell.go")}
	for _, file := range real {
		replace[file] = ""
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "shell.go"), []byte(shellText), 0o644); err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o644)
}

// The functions answer on descriptors 3 and 4, so that what an answer prints is no
// message.
const mainText = `package main

import (
	hyperplaneos "os"
	hyperplanedebug "runtime/debug"

	hyperplaneremote "MODULE/toolkit/verify/remote"
	hyperplaneverify "MODULE/toolkit/verify"
)

type hyperplanePipe struct{ in, out *hyperplaneos.File }

func (p hyperplanePipe) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p hyperplanePipe) Write(b []byte) (int, error) { return p.out.Write(b) }

func main() {
	hyperplanedebug.SetMaxStack(64 << 20) // a recursion without an end is seen early
	p := hyperplanePipe{hyperplaneos.NewFile(3, "questions"), hyperplaneos.NewFile(4, "answers")}
	c := hyperplaneremote.New(p, hyperplaneremote.Options{TODO: hyperplaneverify.TODO}, FUNCTIONS)
	<-c.Ended()
}
`

const shellText = `package verify

type todo struct{}

func (todo) String() string { return "not attempted yet" }

var TODO any = todo{}

func Later(...string) {}
`
