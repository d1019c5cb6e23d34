package grading

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// virtual is the folder of the module, in the overlay only, that holds the answer's
// program.
const virtual = "generate/internal/grading/virtual"

// A CompileError is what the compiler says of an answer.
type CompileError struct{ Message string }

func (e *CompileError) Error() string { return e.Message }

// Compile writes the program that answers for a submission to the file at path. In it
// toolkit/verify is a shell: it knows what a stub panics with, and judges nothing.
func Compile(ctx context.Context, root string, e *exercise.Exercise, s *Submission, path string) error {
	dir, err := os.MkdirTemp("", "hyperplane-answer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	replace := map[string]string{}
	add := func(name, text string) {
		file := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	add(virtual+"/main.go", strings.NewReplacer("MODULE", cell.Module, "FUNCTIONS", strings.Join(e.Answer.Functions, ", ")).Replace(mainText))
	add(virtual+"/answer.go", "package main\n\n"+cell.Declaration(cell.Merge(s.Imports))+"\n\n//line answer.go:1:1\n"+s.Source+"\n")
	real, globErr := filepath.Glob(filepath.Join(root, "toolkit", "verify", "*.go"))
	if globErr != nil {
		return globErr
	}
	for _, file := range real {
		replace[file] = ""
	}
	add("toolkit/verify/shell.go", shellText)
	list, jsonErr := json.Marshal(map[string]any{"Replace": replace})
	if jsonErr != nil {
		return jsonErr
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err == nil {
		err = os.WriteFile(overlay, list, 0o600)
	}
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-buildvcs=false", "-ldflags=-w", "-o", path, "./"+virtual)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	text, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(text), "answer.go:") {
		return &CompileError{strings.TrimSpace(strings.ReplaceAll(string(text), virtual+"/", ""))}
	}
	if err != nil {
		return fmt.Errorf("building the answer's program: %w\n%s", err, text)
	}
	return nil
}

// The functions answer on descriptors 3 and 4, so that what an answer prints is no
// message.
const mainText = `package main

import (
	hyperplaneos "os"

	hyperplaneremote "MODULE/toolkit/verify/remote"
	hyperplaneverify "MODULE/toolkit/verify"
)

type hyperplanePipe struct{ in, out *hyperplaneos.File }

func (p hyperplanePipe) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p hyperplanePipe) Write(b []byte) (int, error) { return p.out.Write(b) }

func main() {
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
