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
	become, user := identity()
	return sandbox(l, ro, rw, become, user, command...)
}

// sandbox is confined with the flags that make the namespaces and the user, and with the
// command that becomes that user inside, if it is not yet that user.
func sandbox(l Limits, ro, rw map[string]string, flags, become []string, command ...string) []string {
	args := append([]string{"bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"}, flags...)
	args = append(args, "--die-with-parent", "--new-session", "--clearenv", "--setenv", "PATH", "/usr/bin",
		"--setenv", "HOME", "/tmp", "--setenv", "GOMAXPROCS", "2",
		"--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin",
		"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--perms", "1777", "--size", strconv.FormatInt(l.File, 10), "--tmpfs", "/tmp")
	for _, bind := range []struct {
		flag  string
		paths map[string]string
	}{{"--ro-bind", ro}, {"--bind", rw}} {
		for _, outside := range sorted(bind.paths) {
			args = append(args, bind.flag, outside, bind.paths[outside])
		}
	}
	args = append(args, "--remount-ro", "/", "--chdir", "/tmp", "--") // a file beside /tmp would be in memory without a limit
	args = append(append(append(args, become...), bounds(l)...), fmt.Sprintf("--nproc=%d", l.Processes))
	return append(args, command...)
}

// identity returns how a sandbox on this machine gets a user without rights: flags of
// bwrap, and the command inside that becomes the user. A limit of processes does not bind
// root, nor a user that a namespace maps to root. So root makes the sandbox without such a
// namespace, and its command becomes a user whom nobody else is. Where root may not make
// namespaces so, and for anybody else, the sandbox has a namespace of users.
var identity = sync.OnceValues(func() (flags, become []string) {
	flags = []string{"--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"}
	if os.Getuid() != 0 {
		return flags, nil
	}
	user := strconv.Itoa(ownUser(os.Getpid()))
	asRoot := []string{"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"}
	become = []string{"setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all"}
	try := sandbox(DefaultLimits, nil, nil, asRoot, become, "/usr/bin/true")
	if exec.Command(try[0], try[1:]...).Run() != nil {
		return flags, nil
	}
	return asRoot, become
})

// ownUser is the number of a user that no account has, and nobody else on this machine for
// another n: processes are counted by user.
func ownUser(n int) int {
	const high = 1 << 30
	mapped, _ := os.ReadFile("/proc/self/uid_map") // unread, there are few users
	for line := range strings.Lines(string(mapped)) {
		var from, outside, count int
		if _, err := fmt.Sscan(line, &from, &outside, &count); err == nil && from <= high+n && high+n < from+count {
			return high + n
		}
	}
	return 61184 + n%4336 // of the range that systemd hands out for a time
}

// ProcessesBound reports whether the limit of processes binds an answer here.
func ProcessesBound() bool {
	_, become := identity()
	return os.Getuid() != 0 || become != nil
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

// checkedTag makes gonum build without its assembly kernels and without package unsafe. The
// kernels trust N, Inc and Stride of a raw vector or matrix, which a caller may choose: they
// read and write memory past a slice. In Go the same loops check every index.
const checkedTag = "-tags=safe"

// NewToolchain gathers the archives of what an answer to the module at root may import in
// dir. With open the compiler, and the answers that Command runs, are not confined: for
// one's own answers.
func NewToolchain(ctx context.Context, root, dir string, open bool) (*Toolchain, error) {
	overlay, err := shell(root, dir)
	if err != nil {
		return nil, err
	}
	packages := slices.Concat(standard, libraries, []string{"os", "runtime/debug", cell.Module + "/generate/internal/grading/confine", cell.Module + "/toolkit/verify/remote"})
	goEnv, err := exec.CommandContext(ctx, "go", "env", "GOTOOLDIR").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	// Without debug data, as cells are built: the linker reads less, and the archives are there.
	args := append([]string{"list", "-export", "-deps", checkedTag, "-gcflags=all=-dwarf=false", "-overlay=" + overlay, "-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"}, packages...)
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
	if err := os.WriteFile(filepath.Join(dir, "importcfg"), []byte(config.String()), 0o644); err != nil {
		return nil, err
	}
	return t, seal(dir)
}

// seal makes what lies in a folder readable for everybody, whatever the umask is, and files
// writable for nobody.
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

// sum is a hash of all that compiles an answer: compiler, linker and packages.
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
	err := errors.Join(add(filepath.Join(t.Tool, "compile")), add(filepath.Join(t.Tool, "link")), filepath.WalkDir(t.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return add(path)
	}))
	return string(h.Sum(nil)), err
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
	return blame(t.compile(ctx, p, dir), e, func(p *program) error { return t.compile(ctx, p, filepath.Join(dir, "reference")) })
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
	if err := seal(source); err != nil {
		return err
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
	dependent(cmd)
	said := &head{}
	cmd.Stdout, cmd.Stderr = said, said
	err := cmd.Run()
	text := said.text
	switch {
	case err == nil:
		return nil
	case tooMuch(err, text):
		return &CompileError{Message: "your answer takes more time or memory to compile than an answer may"}
	case errors.As(err, new(*exec.ExitError)):
		// main.go is named where the answer declares one of its names anew, and where a package
		// is gone; neither file where an array is too large for the linker.
		said := strings.TrimSpace(strings.NewReplacer("/source/", "", source+"/", "").Replace(string(text)))
		placed := strings.Contains(said, "answer.go:") && !strings.Contains(said, "main.go:")
		return &CompileError{Message: Printable(said, MaxMessage), Unplaced: !placed}
	}
	return fmt.Errorf("%s: %w\n%s", command[0], err, text)
}

// A head keeps the beginning of what is written to it: a compiler quotes names of an answer,
// which can have any length.
type head struct{ text []byte }

func (h *head) Write(b []byte) (int, error) {
	h.text = append(h.text, b[:min(len(b), 4*MaxMessage-len(h.text))]...)
	return len(b), nil
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
