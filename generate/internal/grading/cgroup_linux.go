package grading

import (
	"cmp"
	"errors"
	"fmt"
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
)

// Groups describes where this process can create cgroups for answers. Each program that the judge
// starts for an answer runs in its own cgroup. The cgroup's limits apply to all processes of the
// program together. With a cgroup of version 2, the judge can also kill these processes at once.
type Groups struct {
	Dir         string            // path of the parent cgroup of version 2; "" if no such cgroup can be used
	Controllers []string          // which of memory, pids and cpu are available below Dir
	First       map[string]string // paths of the parent cgroups of version 1, with their controllers as keys
}

// FindGroups looks for a cgroup below which this process can create cgroups for programs. It tries
// this process's own cgroup of version 2, and then the parent of this cgroup. If version 2 lacks the
// controller memory or pids, it tries this process's cgroup of version 1 with this controller, and
// then its parent. If no cgroup is suitable, FindGroups returns an error with the reasons. Only the
// first call looks for cgroups, and later calls return the same results. The first call also removes
// the cgroups of killed judges, see tidy.
var FindGroups = sync.OnceValues(func() (*Groups, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	g, why := &Groups{}, error(nil)
	// try calls f with this process's cgroup. If this call fails, try calls f with the parent of
	// the cgroup. It adds all errors to the variable `why`.
	try := func(controller string, f func(dir string) error) {
		dir, err := ownGroup(string(mounts), string(own), controller)
		for _, d := range []string{dir, filepath.Dir(dir)} {
			if err == nil {
				err = f(d)
				if err == nil {
					return
				}
				why, err = errors.Join(why, err), nil
			}
		}
		why = errors.Join(why, err)
	}
	try("", func(dir string) error {
		second, err := groupsIn(dir)
		if err == nil {
			g = second
		}
		return err
	})
	g.First = map[string]string{}
	for _, c := range []string{"memory", "pids"} {
		if slices.Contains(g.Controllers, c) {
			continue // the kernel provides a controller either in version 1 or in version 2 of cgroups
		}
		try(c, func(dir string) error {
			first := &Groups{First: map[string]string{c: dir}}
			x, err := first.create(DefaultLimits)
			if err != nil {
				return err
			}
			defer x.end()
			cmd := exec.Command("/bin/true")
			x.startInGroup(cmd)
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("cannot start a program in a cgroup below %s: %w", dir, err)
			}
			g.First[c] = dir
			return nil
		})
	}
	if g.Dir == "" && len(g.First) == 0 {
		return nil, why
	}
	g.tidy()
	return g, nil
})

// ownGroup returns the folder of this process's cgroup. The arguments `mounts` and `own` are the
// texts of /proc/self/mountinfo and /proc/self/cgroup. If `controller` is "", ownGroup looks
// for a cgroup v2. Otherwise it looks for a cgroup v1 with that controller.
func ownGroup(mounts, own, controller string) (string, error) {
	if controller != "" {
		return firstGroup(mounts, own, controller)
	}
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		fields := strings.Fields(before)
		if !strings.HasPrefix(after, "cgroup2 ") || len(fields) < 5 {
			continue
		}
		for line := range strings.Lines(own) {
			if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
				return folderBelow(fields[4], fields[3], path)
			}
		}
	}
	return "", errors.New("this process is in no mounted cgroup of version 2")
}

// firstGroup returns the folder of the version-1 cgroup with the given controller that contains
// this process. See ownGroup for the arguments.
func firstGroup(mounts, own, controller string) (string, error) {
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(strings.TrimSpace(line), " - ")
		fields, kind := strings.Fields(before), strings.Fields(after)
		if len(fields) < 5 || len(kind) < 3 || kind[0] != "cgroup" ||
			!slices.Contains(strings.Split(kind[2], ","), controller) {
			continue
		}
		for line := range strings.Lines(own) {
			parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
			if len(parts) == 3 && slices.Contains(strings.Split(parts[1], ","), controller) {
				return folderBelow(fields[4], fields[3], parts[2])
			}
		}
	}
	return "", fmt.Errorf("this process is in no mounted cgroup of version 1 with the controller %s", controller)
}

// folderBelow returns the folder of the cgroup with the given path. The cgroups are mounted in the
// folder `mount`. The top of this folder corresponds to the cgroup with the path `root`.
func folderBelow(mount, root, path string) (string, error) {
	rest, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rest) {
		return "", fmt.Errorf("the cgroup %s is not below %s, the root of the mounted cgroups", path, root)
	}
	return filepath.Join(mount, rest), nil
}

// groupsIn returns the Groups of the folder dir, with the controllers that are available below it. It
// returns an error if dir is not a cgroup, if this process cannot create cgroups below dir or start
// programs in these cgroups, or if the kernel cannot end a cgroup as a whole.
func groupsIn(dir string) (*Groups, error) {
	g := &Groups{Dir: dir}
	x, err := g.create(DefaultLimits)
	if err != nil {
		return nil, err
	}
	defer x.end()
	text, err := os.ReadFile(filepath.Join(x.dir, "cgroup.controllers"))
	if err != nil {
		return nil, fmt.Errorf("%s is not a cgroup: %w", dir, err)
	}
	for _, c := range []string{"memory", "pids", "cpu"} {
		if slices.Contains(strings.Fields(string(text)), c) {
			g.Controllers = append(g.Controllers, c)
		}
	}
	if _, err := os.Stat(filepath.Join(x.dir, "cgroup.kill")); err != nil {
		return nil, fmt.Errorf("the kernel cannot end a cgroup as a whole: %w", err)
	}
	cmd := exec.Command("/bin/true")
	x.startInGroup(cmd)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("cannot start a program in a cgroup below %s: %w", dir, err)
	}
	return g, nil
}

const groupName = "hyperplane-answer-"

// tidy removes the cgroups that a killed judge left behind. It keeps cgroups that contain
// processes. It also keeps cgroups younger than a minute, because another judge may be about to use
// them.
func (g *Groups) tidy() {
	for _, in := range append(slices.Collect(maps.Values(g.First)), g.Dir) {
		left, _ := filepath.Glob(filepath.Join(in, groupName+"*")) // the error is nil, because the pattern is valid
		for _, dir := range left {
			if info, err := os.Stat(dir); err == nil && in != "" && time.Since(info.ModTime()) > time.Minute {
				_ = os.Remove(dir) // Remove fails if the cgroup contains a process
			}
		}
	}
}

// A group contains the cgroups of one running program of an answer. The program has at most one cgroup
// of version 2. In version 1, it can have one cgroup with the controller memory and one with pids.
type group struct {
	dir   string // folder of the version 2 cgroup; "" if the program has none
	at    *os.File
	first []string // folders of the cgroups of version 1
}

// spareProcesses is the number of processes that the sandbox itself needs. spareMemory is the
// number of bytes that it needs.
const (
	spareProcesses = 8
	spareMemory    = 64 << 20
)

// create creates the cgroups for a program of an answer. It sets each limit for which the machine
// offers a controller.
func (g *Groups) create(l Limits) (*group, error) {
	x := &group{}
	memory, pids := strconv.FormatInt(l.Memory+l.File+spareMemory, 10), strconv.Itoa(l.Processes+spareProcesses)
	for _, c := range sorted(g.First) {
		dir, err := os.MkdirTemp(g.First[c], groupName)
		if err == nil {
			x.first = append(x.first, dir)
			file, limit := "memory.limit_in_bytes", memory
			if c == "pids" {
				file, limit = "pids.max", pids
			}
			err = os.WriteFile(filepath.Join(dir, file), []byte(limit), 0o644)
		}
		if err != nil {
			x.end()
			return nil, err
		}
	}
	if g.Dir == "" {
		return x, nil
	}
	dir, err := os.MkdirTemp(g.Dir, groupName)
	if err != nil {
		x.end()
		return nil, err
	}
	x.dir = dir
	limits := map[string]map[string]string{
		// The memory limit includes l.File, because the sandbox keeps its files in memory.
		"memory": {"memory.max": memory, "memory.swap.max": "0", "memory.oom.group": "1"},
		"pids":   {"pids.max": pids},
		"cpu":    {"cpu.max": "200000 100000"}, // the limit is two processors, which is also the value of GOMAXPROCS
	}
	for _, c := range g.Controllers {
		for _, file := range sorted(limits[c]) {
			err := os.WriteFile(filepath.Join(dir, file), []byte(limits[c][file]), 0o644)
			// Ignore a missing file memory.swap.max, which a kernel without swap does not have.
			if err != nil && !(file == "memory.swap.max" && errors.Is(err, os.ErrNotExist)) {
				x.end()
				return nil, err
			}
		}
	}
	if x.at, err = os.Open(dir); err != nil {
		x.end()
		return nil, err
	}
	return x, nil
}

// startInGroup changes a command so that it will start in the cgroups of x. The caller must call
// startInGroup before it starts the command.
func (x *group) startInGroup(cmd *exec.Cmd) {
	// Only in a cgroup of version 2 can a new process be started directly. For version 1, start a
	// shell, which adds itself to the cgroups and then executes the command.
	if len(x.first) > 0 {
		const move = `while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"`
		cmd.Args = slices.Concat([]string{"/bin/sh", "-c", move, "sh"}, x.first, []string{"--"}, cmd.Args)
		cmd.Path = "/bin/sh"
	}
	if x.at == nil {
		return
	}
	cmd.SysProcAttr = cmp.Or(cmd.SysProcAttr, &syscall.SysProcAttr{})
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(x.at.Fd())
}

// endWithParent makes the kernel kill a command when this process ends for any reason. It also
// prevents the command from inheriting file descriptors above 2 that are not in cmd.ExtraFiles.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = cmp.Or(cmd.SysProcAttr, &syscall.SysProcAttr{})
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	closeInherited()
}

// closeInherited marks every file descriptor above 2 as close-on-exec. Without the mark, every
// program that this process starts would inherit these descriptors. Go marks the descriptors that
// it opens, but not the descriptors that this process has inherited from its parent, for example
// a descriptor that a shell uses to hold a lock.
func closeInherited() {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // ignore the error, because without /proc a sandbox does not work either
	}
	for _, f := range open {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// end kills all processes in the version 2 cgroup of x, if x has one. Then it removes all cgroups of
// x. It does not kill processes that are only in cgroups of version 1.
func (x *group) end() {
	if x.at != nil {
		x.at.Close()
	}
	for _, dir := range x.first {
		defer remove(dir)
	}
	if x.dir == "" {
		return
	}
	defer remove(x.dir)
	if kill, err := os.OpenFile(filepath.Join(x.dir, "cgroup.kill"), os.O_WRONLY, 0); err == nil {
		// If writing fails, the processes run on, and the function `remove` gives up after a second.
		_, _ = kill.WriteString("1")
		kill.Close()
	}
}

// remove removes a cgroup as soon as its processes have ended. It stops trying after a second.
func remove(dir string) {
	for range 200 {
		if err := os.Remove(dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
