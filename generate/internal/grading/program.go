package grading

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A CompileError is what the compiler says of an answer.
type CompileError struct{ Message string }

func (e *CompileError) Error() string { return e.Message }

// A program is the two files of one that answers for a submission.
type program struct{ Main, Answer string }

func (s *Submission) program(e *exercise.Exercise) (*program, error) {
	main := strings.NewReplacer("MODULE", cell.Module, "FUNCTIONS", strings.Join(e.Answer.Functions, ", ")).Replace(mainText)
	types, imports, err := signatures(e, s)
	if err != nil {
		return nil, err
	}
	return &program{main, "package main\n\n" + cell.Declaration(cell.Merge(s.Imports, imports)) + "\n\n//line answer.go:1:1\n" + s.Source + "\n" + types}, nil
}

// signatures declares that the functions of a submission have the types that the stub gives
// them, at the lines where they stand.
func signatures(e *exercise.Exercise, s *Submission) (text string, imports []cell.Import, err error) {
	stub := "package stub;" + e.Answer.Stub.Source
	fset := token.NewFileSet()
	wanted, err := parser.ParseFile(fset, "the stub", stub, 0)
	if err != nil {
		return "", nil, err
	}
	mine, err := parser.ParseFile(fset, "your answer", "package answer;"+s.Source, 0)
	if err != nil {
		return "", nil, err
	}
	line := map[string]int{}
	for _, d := range mine.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			line[f.Name.Name] = fset.Position(f.Pos()).Line
		}
	}
	var b strings.Builder
	for _, d := range wanted.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !slices.Contains(e.Answer.Functions, f.Name.Name) {
			continue
		}
		name := f.Name.Name
		t := "func" + stub[fset.Position(f.Name.End()).Offset:fset.Position(f.Type.End()).Offset]
		fmt.Fprintf(&b, "//line answer.go:%d:1\nvar _ %s = %s\n", line[name], t, name)
	}
	known := cell.Common()
	for _, i := range e.Answer.Stub.Imports {
		known[i.Called()] = i
	}
	c, err := cell.Read("the stub", 1, b.String(), known)
	if err != nil {
		return "", nil, err
	}
	return b.String(), withoutCheck(c.Imports), nil
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
