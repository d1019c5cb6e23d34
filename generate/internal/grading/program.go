package grading

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// A program contains two source files, the main file and the answer. Together they form a Go program
// that runs the functions of an answer.
type program struct{ Main, Answer string }

func (s *Answer) program(e *exercise.Exercise) (*program, error) {
	types, imports, err := signatures(e, s)
	if err != nil {
		return nil, err
	}
	return &program{mainOf(e.Answer.Functions),
		"package main\n\n" + cell.Declaration(cell.Merge(s.Imports, imports)) + "\n\n//line answer.go:1:1\n" +
			s.Source + "\n" + types}, nil
}

// mainOf returns the main file of a program that lets a judge call the given functions.
func mainOf(functions []string) string {
	return strings.NewReplacer("MODULE", cell.HyperplaneModule, "FUNCTIONS", strings.Join(functions,
		", ")).Replace(mainText)
}

// signatures returns declarations that do not compile unless the functions of an answer have the
// same types as in the stub. It also returns the imports that these declarations need. The compiler's
// errors refer to the lines of the functions.
func signatures(e *exercise.Exercise, s *Answer) (text string, imports []cell.Import, err error) {
	stub, err := readStub(e)
	if err != nil {
		return "", nil, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "your answer", "package answer;"+s.Source, 0)
	if err != nil {
		return "", nil, err
	}
	mine := functions(file)
	var b strings.Builder
	for _, name := range e.Answer.Functions {
		f := stub.functions[name]
		fmt.Fprintf(&b, "//line answer.go:%d:1\nvar _ func%s = %s\n", fset.Position(mine[name].Pos()).Line,
			stub.between(f.Name.End(), f.Type.End()), name)
	}
	known := cell.Common()
	for _, i := range e.Answer.Stub.Imports {
		known[i.Called()] = i
	}
	c, err := cell.Read("the stub", 1, b.String(), known)
	if err != nil {
		return "", nil, err
	}
	return b.String(), withoutCheck(e, c.Imports), nil
}

// writeShell writes into `dir` an overlay that replaces the package toolkit/verify with a nearly
// empty package. The replacement contains TODO, the panic value of a stub, but no code that
// judges. writeShell returns the path of the overlay's file.
func writeShell(root, dir string) (string, error) {
	real, err := filepath.Glob(filepath.Join(root, "toolkit", "verify", "*.go"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{filepath.Join(root, "toolkit", "verify", "shell.go"): filepath.Join(dir, "shell.go")}
	for _, file := range real {
		replace[file] = ""
	}
	if err := os.WriteFile(filepath.Join(dir, "shell.go"), []byte(shellText), 0o644); err != nil {
		return "", err
	}
	return files.Overlay(dir, replace)
}

// mainText is the main file with the placeholders MODULE and FUNCTIONS. The program reads calls from
// descriptor 3 and writes replies to descriptor 4. Therefore the judge cannot mistake text that an
// answer prints for a reply.
const mainText = `package main

import (
	hyperplaneos "os"
	hyperplanedebug "runtime/debug"

	_ "MODULE/generate/internal/grading/confine"
	hyperplaneremote "MODULE/toolkit/verify/remote"
	hyperplaneverify "MODULE/toolkit/verify"
)

type hyperplanePipe struct{ in, out *hyperplaneos.File }

func (p hyperplanePipe) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p hyperplanePipe) Write(b []byte) (int, error) { return p.out.Write(b) }

func main() {
	hyperplanedebug.SetMaxStack(64 << 20) // an endless recursion fails early
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
