package grading

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
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

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
