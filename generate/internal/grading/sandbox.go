package grading

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// Limits are the limits on the resources of a program in the sandbox.
type Limits struct {
	CPU       time.Duration // processor time, rounded up to whole seconds
	Memory    int64         // maximum number of bytes of data per process
	Processes int           // maximum number of processes of the sandbox's user, including threads
	File      int64         // maximum number of bytes of each file, and of all files in the sandbox's folder /tmp
}

// compilerLimits are the limits for the compiler, which needs more resources than an answer.
var compilerLimits = Limits{CPU: 60 * time.Second, Memory: 2 << 30, Processes: 256, File: 256 << 20}

// DefaultLimits are the limits for an answer. Correct answers stay far below them.
var DefaultLimits = Limits{CPU: 10 * time.Second, Memory: 1 << 30, Processes: 64, File: 64 << 20}

// confinedCommand returns a command that runs a given command in a sandbox as a different user. The
// sandbox has no network and shows no other processes. It contains the files of the system in /usr,
// and in /tmp a small folder in memory. It also contains the files in the maps `ro` and `rw`. Each map
// maps a path outside the sandbox to the path inside the sandbox. Programs in the sandbox can only
// read the files in `ro`, but they can also write the files in `rw`.
func confinedCommand(l Limits, ro, rw map[string]string, command ...string) []string {
	flags, become := identity()
	return sandboxCommand(l, ro, rw, flags, become, command...)
}

// sandboxCommand is like confinedCommand, but the caller specifies the user. `flags` contains
// the flags of bwrap for the user and its namespace. `become` is the command that switches to the
// user inside the sandbox. If no switch is necessary, `become` is nil.
func sandboxCommand(l Limits, ro, rw map[string]string, flags, become []string, command ...string) []string {
	args := append([]string{"bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
		"--unshare-cgroup-try"}, flags...)
	args = append(args, "--die-with-parent", "--new-session", "--clearenv", "--setenv", "PATH", "/usr/bin",
		"--setenv", "HOME", "/tmp", "--setenv", "GOMAXPROCS", "2",
		"--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink",
		"usr/bin", "/bin",
		"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--perms", "1777", "--size",
		strconv.FormatInt(l.File, 10), "--tmpfs", "/tmp")
	for _, bind := range []struct {
		flag  string
		paths map[string]string
	}{{"--ro-bind", ro}, {"--bind", rw}} {
		for _, outside := range sorted(bind.paths) {
			args = append(args, bind.flag, outside, bind.paths[outside])
		}
	}
	// Make the folder / read-only, because the sandbox limits the total size of files only in /tmp.
	args = append(args, "--remount-ro", "/", "--chdir", "/tmp", "--")
	args = append(append(append(args, become...), boundsPrefix(l)...), fmt.Sprintf("--nproc=%d", l.Processes))
	return append(args, command...)
}

// identity returns what a sandbox on this machine needs to switch to an unprivileged user: flags
// for bwrap, and a command to run inside the sandbox. The limit on processes does not apply to
// root, even if a user namespace gives root a different user ID. Therefore root creates the sandbox
// without a user namespace, and the command switches to a user that no other program uses. If root
// is not allowed to do this, or if this process does not run as root, the sandbox has a user
// namespace.
var identity = sync.OnceValues(func() (flags, become []string) {
	flags = []string{"--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"}
	if os.Getuid() != 0 {
		return flags, nil
	}
	user := strconv.Itoa(ownUser(os.Getpid()))
	asRoot := []string{"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"}
	become = []string{"setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all"}
	try := sandboxCommand(DefaultLimits, nil, nil, asRoot, become, "/usr/bin/true")
	if exec.Command(try[0], try[1:]...).Run() != nil {
		return flags, nil
	}
	return asRoot, become
})

// ownUser returns a user ID that belongs to no account. No other program may run as this user,
// because the kernel counts all processes of a user together. Therefore different values of n give
// different IDs, except in the small range that ownUser uses if no high ID is available.
func ownUser(n int) int {
	const high = 1 << 30
	mapped, _ := os.ReadFile("/proc/self/uid_map") // ignore the error: if the file cannot be read, use the range below
	for line := range strings.Lines(string(mapped)) {
		var from, outside, count int
		if _, err := fmt.Sscan(line, &from, &outside, &count); err == nil && from <= high+n && high+n < from+count {
			return high + n
		}
	}
	return 61184 + n%4336 // systemd reserves this range for temporary users
}

// ProcessesBound reports whether prlimit can limit the number of an answer's processes on this
// machine.
func ProcessesBound() bool {
	_, become := identity()
	return os.Getuid() != 0 || become != nil
}

// boundsPrefix returns a prefix for a command line. With the prefix, the command runs with the
// given limits on its resources. The prefix does not limit the number of processes, because outside
// a sandbox the kernel counts all processes of the user.
func boundsPrefix(l Limits) []string {
	return []string{"prlimit", fmt.Sprintf("--cpu=%d", int((l.CPU+time.Second-1)/time.Second)),
		fmt.Sprintf("--data=%d", l.Memory),
		fmt.Sprintf("--fsize=%d", l.File), "--core=0", "--nofile=64"}
}

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

// CheckSandbox returns nil if this machine can run programs in a sandbox. If it cannot, CheckSandbox
// returns an error with the reason.
func CheckSandbox(ctx context.Context) error {
	args := confinedCommand(DefaultLimits, nil, nil, "/usr/bin/true")
	text, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w %s", err, bytes.TrimSpace(text))
	}
	return nil
}

// Compile compiles a submission into the program dir/answer.
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

// Command returns a function that makes a new command to run a compiled answer with the limits l.
func (t *Toolchain) Command(program string, l Limits) func() *exec.Cmd {
	args := append(boundsPrefix(l), program)
	if !t.NoSandbox {
		args = confinedCommand(l, map[string]string{program: "/answer"}, nil, "/answer")
	}
	return func() *exec.Cmd { return exec.Command(args[0], args[1:]...) }
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
