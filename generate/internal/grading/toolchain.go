package grading

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A Toolchain compiles and runs answers, in the sandbox unless NoSandbox is true. It uses archives of all
// packages that an answer may import, so the sandbox needs no go command and no build cache.
type Toolchain struct {
	PackageDir string // folder that contains pkg/… and importcfg
	ToolDir    string // folder that contains the compiler and the linker
	NoSandbox  bool   // true to run everything without a sandbox

	// Socket, if not empty, is the socket of a server ([Serve]) that compiles and runs the answers
	// instead of this machine. ReplyTimeout is the maximum time for each reply of the server; 0 means
	// two minutes.
	Socket       string
	ReplyTimeout time.Duration
}

// checkedTag is the build tag for gonum without assembly kernels and without package unsafe. The
// kernels do not check the fields N, Inc and Stride of a raw vector or matrix. An answer could set
// these fields to values with which a kernel reads or writes memory beyond the end of a slice. Without
// the kernels, gonum uses loops in Go, which check every index.
const checkedTag = "-tags=safe"

// NewToolchain stores in `dir` the archives of all packages that an answer may import. `root` is
// the folder of the toolkit's module, and `provided` lists the packages that exercises provide to
// answers. If `noSandbox` is true, the Toolchain runs the compiler and the answers without a sandbox. This
// is safe only for one's own answers, or in a container that contains nothing else (see [Serve]).
func NewToolchain(ctx context.Context, root, dir string, noSandbox bool, provided ...string) (*Toolchain, error) {
	overlay, err := writeShell(root, dir)
	if err != nil {
		return nil, err
	}
	packages := slices.Concat(standard, libraries, provided,
		[]string{"os", "runtime/debug", cell.HyperplaneModule + "/generate/internal/grading/confine",
			cell.HyperplaneModule + "/toolkit/verify/remote"})
	goEnv, err := exec.CommandContext(ctx, "go", "env", "GOTOOLDIR").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	// Build the archives without debug data, so that the linker has less to read. The notebook
	// kernel also builds without debug data, so the build cache often contains the archives already.
	args := append([]string{"list", "-export", "-deps", checkedTag, "-gcflags=all=-dwarf=false", "-overlay=" + overlay,
		"-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"}, packages...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, &stderr)
	}
	t := &Toolchain{PackageDir: dir, ToolDir: strings.TrimSpace(string(goEnv)), NoSandbox: noSandbox}
	var config strings.Builder
	n := 0
	if err := os.MkdirAll(filepath.Join(dir, "pkg"), 0o755); err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(list)) {
		path, archive, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		name := fmt.Sprintf("%d.a", n)
		n++
		data, err := os.ReadFile(archive)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "pkg", name), data, 0o644); err != nil {
			return nil, err
		}
		fmt.Fprintf(&config, "packagefile %s=%s/pkg/%s\n", path, t.pathInside(dir, "/build"), name)
	}
	if err := os.WriteFile(filepath.Join(dir, "importcfg"), []byte(config.String()), 0o644); err != nil {
		return nil, err
	}
	return t, seal(dir)
}

// seal makes everything in a folder readable for all users, whatever the umask is. It also makes
// the files in the folder read-only.
func seal(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o444)
	})
}

// sum returns a hash of everything that is used to build an answer: the compiler, the linker and
// the packages.
func (t *Toolchain) sum() (string, error) {
	h := sha256.New()
	add := func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintln(h, path)
		_, err = io.Copy(h, f)
		return err
	}
	err := errors.Join(add(filepath.Join(t.ToolDir, "compile")), add(filepath.Join(t.ToolDir, "link")),
		filepath.WalkDir(t.PackageDir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			return add(path)
		}))
	return string(h.Sum(nil)), err
}

// Compile compiles an answer into the program dir/answer.
func (t *Toolchain) Compile(ctx context.Context, e *exercise.Exercise, s *Answer, dir string) error {
	p, err := s.program(e)
	if err != nil {
		return err
	}
	return blameFor(t.compile(ctx, p, dir), e,
		func(p *program) error { return t.compile(ctx, p, filepath.Join(dir, "reference")) })
}

func (t *Toolchain) compile(ctx context.Context, p *program, dir string) error {
	source, out := filepath.Join(dir, "source"), filepath.Join(dir, "out")
	for _, d := range []string{source, out} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return err
		}
	}
	// The compiler runs as a different user inside the sandbox, and this user must be able to write
	// to the folder.
	if err := os.Chmod(out, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{"main.go": p.Main, "answer.go": p.Answer} {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := seal(source); err != nil {
		return err
	}
	const config = "/build/importcfg"
	err := t.run(ctx, source, out, "/tool/compile", "-o", "/out/answer.a", "-p", "main", "-complete", "-importcfg",
		config, "-pack", "/source/main.go", "/source/answer.go")
	if err != nil {
		return err
	}
	if err := t.run(ctx, source, out, "/tool/link", "-o", "/out/answer", "-importcfg", config, "-buildmode=exe", "-s",
		"-w", "/out/answer.a"); err != nil {
		return err
	}
	return os.Rename(filepath.Join(out, "answer"), filepath.Join(dir, "answer"))
}

// pathInside returns the path that the compiler must use for a folder: `name` in a sandbox, and the
// path `folder` itself without a sandbox.
func (t *Toolchain) pathInside(folder, name string) string {
	if t.NoSandbox {
		return folder
	}
	return name
}

// run runs the compiler or the linker. The paths of files in the command must begin with /build,
// /tool, /source or /out.
func (t *Toolchain) run(ctx context.Context, source, out string, command ...string) error {
	args := command
	if t.NoSandbox {
		outside := strings.NewReplacer("/build/", t.PackageDir+"/", "/tool/", t.ToolDir+"/", "/source/", source+"/", "/out/",
			out+"/")
		for i, a := range args {
			args[i] = outside.Replace(a)
		}
		args = append(boundsPrefix(compilerLimits), args...)
	} else {
		args = confinedCommand(compilerLimits, map[string]string{t.PackageDir: "/build", t.ToolDir: "/tool",
			source: "/source"},
			map[string]string{out: "/out"}, command...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	endWithParent(cmd)
	output := &headBuffer{}
	cmd.Stdout, cmd.Stderr = output, output
	err := cmd.Run()
	text := output.text
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // the end of ctx killed the compiler
		return ctx.Err()
	case exceededLimits(err, text):
		return &CompileError{Message: "compiling your answer exceeded a limit on time, memory or file size"}
	case errors.As(err, new(*exec.ExitError)):
		// A message is placed if it names answer.go and not main.go. It names main.go if the answer
		// redeclares a name of main.go, or if a package is missing. The linker's message about an
		// array that is too large names neither file.
		output := strings.TrimSpace(strings.NewReplacer("/source/", "", source+"/", "").Replace(string(text)))
		placed := strings.Contains(output, "answer.go:") && !strings.Contains(output, "main.go:")
		return &CompileError{Message: Printable(output, MaxMessage), Unplaced: !placed}
	}
	return fmt.Errorf("%s: %w\n%s", command[0], err, text)
}

// A headBuffer keeps only the beginning of the text that is written to it. Such a limit is
// necessary because a compiler's message quotes names from the answer, which can be very long.
type headBuffer struct{ text []byte }

func (h *headBuffer) Write(b []byte) (int, error) {
	h.text = append(h.text, b[:min(len(b), 4*MaxMessage-len(h.text))]...)
	return len(b), nil
}

// exceededLimits reports whether the exit status or the output of a compiler shows that the
// compiler exceeded its limits.
func exceededLimits(err error, output []byte) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, _ := exit.Sys().(syscall.WaitStatus)
	for _, s := range []syscall.Signal{syscall.SIGKILL, syscall.SIGXCPU, syscall.SIGXFSZ} {
		if status.Signaled() && status.Signal() == s || status.ExitStatus() == 128+int(s) {
			return true
		}
	}
	return bytes.Contains(output, []byte("out of memory")) || bytes.Contains(output, []byte("cannot allocate memory"))
}

// A CompileError is an error that the compiler or the linker found in a learner's answer, or a limit
// that they exceeded.
type CompileError struct {
	Message string

	// Unplaced is true if the message of the compiler or the linker names no line of the answer, or
	// names a file that the learner did not write. In that case this machine may be at fault.
	Unplaced bool
}

func (e *CompileError) Error() string { return e.Message }

// A Fault is a problem with the machine that judges. An answer cannot cause a Fault. The machine
// cannot judge any answer until somebody fixes the problem.
type Fault struct{ Err error }

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// blameFor returns err unchanged unless err is an Unplaced CompileError. For such an error, it compiles
// the reference answer to find out whether the answer or this machine is to blame. If the reference
// answer compiles, blameFor returns the CompileError. If the reference answer causes a CompileError
// too, blameFor returns a Fault. If anything else fails, blameFor returns the error of that failure.
func blameFor(err error, e *exercise.Exercise, compile func(*program) error) error {
	var refused *CompileError
	if !errors.As(err, &refused) || !refused.Unplaced {
		return err
	}
	s, cut := Cut(e, e.Answer.Solution.Source)
	if cut != nil {
		return cut
	}
	p, made := s.program(e)
	if made != nil {
		return made
	}
	reference := compile(p)
	if reference != nil && !errors.As(reference, new(*CompileError)) {
		return reference // for example, the end of a context
	}
	if reference != nil {
		return &Fault{fmt.Errorf("the reference answer to %s does not compile: %w", e.ID, reference)}
	}
	return refused
}

// Command returns a function that makes a new command to run a compiled answer with the limits l.
func (t *Toolchain) Command(program string, l Limits) func() *exec.Cmd {
	args := append(boundsPrefix(l), program)
	if !t.NoSandbox {
		args = confinedCommand(l, map[string]string{program: "/answer"}, nil, "/answer")
	}
	return func() *exec.Cmd { return exec.Command(args[0], args[1:]...) }
}
