package grading

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// Limits bound what a program in the sandbox may use.
type Limits struct {
	CPU       time.Duration // of the processor, rounded up to whole seconds
	Memory    int64         // bytes of data
	Processes int           // of its user, threads among them
	File      int64         // bytes of a file, and of each output
}

// compiling bounds the compiler, which needs more than the answer.
var compiling = Limits{CPU: 60 * time.Second, Memory: 2 << 30, Processes: 256, File: 256 << 20}

// DefaultLimits are far above what an answer needs.
var DefaultLimits = Limits{CPU: 10 * time.Second, Memory: 1 << 30, Processes: 64, File: 64 << 20}

// confined is a command in a sandbox of its own: no network, no other process, another
// user, and no file but what ro binds for reading and rw for writing (outside name to
// inside name), the system's libraries, and a small folder in memory.
func confined(l Limits, ro, rw map[string]string, command ...string) []string {
	args := []string{"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--setenv", "PATH", "/usr/bin",
		"--setenv", "HOME", "/tmp", "--setenv", "GOMAXPROCS", "2", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL",
		"--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin",
		"--proc", "/proc", "--dev", "/dev", "--size", strconv.FormatInt(l.File, 10), "--tmpfs", "/tmp"}
	for _, bind := range []struct {
		flag  string
		paths map[string]string
	}{{"--ro-bind", ro}, {"--bind", rw}} {
		for _, outside := range sorted(bind.paths) {
			args = append(args, bind.flag, outside, bind.paths[outside])
		}
	}
	args = append(args, "--chdir", "/tmp", "--")
	args = append(append(args, bounds(l)...), fmt.Sprintf("--nproc=%d", l.Processes))
	return append(args, command...)
}

// bounds begin a command with these limits. Processes are not among them: outside a
// sandbox they are counted with all others of the same user.
func bounds(l Limits) []string {
	return []string{"prlimit", fmt.Sprintf("--cpu=%d", int((l.CPU+time.Second-1)/time.Second)), fmt.Sprintf("--data=%d", l.Memory),
		fmt.Sprintf("--fsize=%d", l.File), "--core=0", "--nofile=64"}
}

// A Toolchain compiles answers in the sandbox, from archives of all packages that an
// answer may import: no go command runs there, and no cache is written to.
type Toolchain struct {
	Dir  string // holds pkg/… and importcfg
	Tool string // the folder of compile and link
	Open bool   // nothing is confined

	// Socket, unless it is empty, is that of a server ([Serve]) that compiles and runs
	// answers instead, and Patience how long it may take for each, 0 for two minutes.
	Socket   string
	Patience time.Duration
}

// NewToolchain gathers the archives of what an answer to the module at root may import in
// dir. With open the compiler, and the answers that Command runs, are not confined: for
// one's own answers.
func NewToolchain(ctx context.Context, root, dir string, open bool) (*Toolchain, error) {
	overlay, err := shell(root, dir)
	if err != nil {
		return nil, err
	}
	packages := slices.Concat(standard, libraries, []string{"os", "runtime/debug", cell.Module + "/toolkit/verify/remote"})
	goEnv, err := exec.CommandContext(ctx, "go", "env", "GOTOOLDIR").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	// Without debug data, as cells are built: the linker reads less, and the archives are there.
	args := append([]string{"list", "-export", "-deps", "-gcflags=all=-dwarf=false", "-overlay=" + overlay, "-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"}, packages...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, &stderr)
	}
	t := &Toolchain{Dir: dir, Tool: strings.TrimSpace(string(goEnv)), Open: open}
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
		fmt.Fprintf(&config, "packagefile %s=%s/pkg/%s\n", path, t.inside(dir, "/build"), name)
	}
	return t, os.WriteFile(filepath.Join(dir, "importcfg"), []byte(config.String()), 0o644)
}

// Confines says why nothing can be confined on this machine, nil if it can.
func Confines(ctx context.Context) error {
	args := confined(DefaultLimits, nil, nil, "/usr/bin/true")
	text, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w %s", err, bytes.TrimSpace(text))
	}
	return nil
}

// Compile compiles a submission into the program dir/answer.
func (t *Toolchain) Compile(ctx context.Context, e *exercise.Exercise, s *Submission, dir string) error {
	p, err := s.program(e)
	if err != nil {
		return err
	}
	return t.compile(ctx, p, dir)
}

func (t *Toolchain) compile(ctx context.Context, p *program, dir string) error {
	source, out := filepath.Join(dir, "source"), filepath.Join(dir, "out")
	for _, d := range []string{source, out} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return err
		}
	}
	if err := os.Chmod(out, 0o777); err != nil { // the sandbox's user writes there
		return err
	}
	for name, text := range map[string]string{"main.go": p.Main, "answer.go": p.Answer} {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	const config = "/build/importcfg"
	err := t.run(ctx, source, out, "/tool/compile", "-o", "/out/answer.a", "-p", "main", "-complete", "-importcfg", config, "-pack", "/source/main.go", "/source/answer.go")
	if err != nil {
		return err
	}
	if err := t.run(ctx, source, out, "/tool/link", "-o", "/out/answer", "-importcfg", config, "-buildmode=exe", "-s", "-w", "/out/answer.a"); err != nil {
		return err
	}
	return os.Rename(filepath.Join(out, "answer"), filepath.Join(dir, "answer"))
}

// inside is what a folder is called where the compiler runs.
func (t *Toolchain) inside(folder, name string) string {
	if t.Open {
		return folder
	}
	return name
}

// run runs a tool, which finds its files in /build, /tool, /source and /out.
func (t *Toolchain) run(ctx context.Context, source, out string, command ...string) error {
	args := command
	if t.Open {
		outside := strings.NewReplacer("/build/", t.Dir+"/", "/tool/", t.Tool+"/", "/source/", source+"/", "/out/", out+"/")
		for i, a := range args {
			args[i] = outside.Replace(a)
		}
		args = append(bounds(compiling), args...)
	} else {
		args = confined(compiling, map[string]string{t.Dir: "/build", t.Tool: "/tool", source: "/source"}, map[string]string{out: "/out"}, command...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	text, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case tooMuch(err, text):
		return &CompileError{"your answer takes more time or memory to compile than an answer may"}
	case bytes.Contains(text, []byte("answer.go:")), bytes.Contains(text, []byte("main.go:")): // there by a name that the answer declares anew
		return &CompileError{strings.TrimSpace(strings.NewReplacer("/source/", "", source+"/", "").Replace(string(text)))}
	}
	return fmt.Errorf("%s: %w\n%s", command[0], err, text)
}

// tooMuch reports whether a compiler ended because of its limits, by what became of it and
// what it said.
func tooMuch(err error, said []byte) bool {
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
	return bytes.Contains(said, []byte("out of memory")) || bytes.Contains(said, []byte("cannot allocate memory"))
}

// Command makes the command that runs a compiled answer.
func (t *Toolchain) Command(program string, l Limits) func() *exec.Cmd {
	args := append(bounds(l), program)
	if !t.Open {
		args = confined(l, map[string]string{program: "/answer"}, nil, "/answer")
	}
	return func() *exec.Cmd { return exec.Command(args[0], args[1:]...) }
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
