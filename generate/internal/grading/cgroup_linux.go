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

// Groups describes where answers get cgroups. Each answer has its own cgroup, which limits all its
// processes together; a cgroup of version 2 also ends them together.
type Groups struct {
	Dir         string            // the parent cgroup of version 2, or ""
	Controllers []string          // the controllers that work there, among memory, pids and cpu
	First       map[string]string // the parent cgroups of version 1, by controller
}

// FindGroups looks for a cgroup in which this process may create others and start programs: its
// own, or the parent. An error says why it found nothing.
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
	// try calls f with this process's cgroup and then with its parent, until f succeeds.
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
			continue // each controller works in one version only
		}
		try(c, func(dir string) error {
			first := &Groups{First: map[string]string{c: dir}}
			x, err := first.make(DefaultLimits)
			if err != nil {
				return err
			}
			defer x.end()
			cmd := exec.Command("/bin/true")
			x.take(cmd)
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("no program can be started in a cgroup below %s: %w", dir, err)
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

// ownGroup returns the folder of this process's cgroup, from the texts of /proc/self/mountinfo and
// /proc/self/cgroup. The cgroup is of version 1 with the given controller, or of version 2 if
// controller is "".
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
				return below(fields[4], fields[3], path)
			}
		}
	}
	return "", errors.New("no cgroup of version 2 is mounted")
}

// firstGroup is ownGroup for version 1.
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
				return below(fields[4], fields[3], parts[2])
			}
		}
	}
	return "", fmt.Errorf("no cgroup of version 1 is mounted for %s", controller)
}

// below returns the folder of the cgroup path, given that root is mounted at mount.
func below(mount, root, path string) (string, error) {
	rest, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rest) {
		return "", fmt.Errorf("the cgroup %s is not below %s, which is mounted", path, root)
	}
	return filepath.Join(mount, rest), nil
}

// groupsIn tests whether answers can have cgroups in dir, and with which controllers.
func groupsIn(dir string) (*Groups, error) {
	g := &Groups{Dir: dir}
	x, err := g.make(DefaultLimits)
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
	x.take(cmd)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("no program can be started in a cgroup below %s: %w", dir, err)
	}
	return g, nil
}

const groupName = "hyperplane-answer-"

// tidy removes cgroups left behind by a judge that was killed: those without processes that are too
// old to be about to be used.
func (g *Groups) tidy() {
	for _, in := range append(slices.Collect(maps.Values(g.First)), g.Dir) {
		left, _ := filepath.Glob(filepath.Join(in, groupName+"*")) // the pattern is valid
		for _, dir := range left {
			if info, err := os.Stat(dir); err == nil && in != "" && time.Since(info.ModTime()) > time.Minute {
				_ = os.Remove(dir) // fails if something runs in it
			}
		}
	}
}

// A group is the cgroup of one answer.
type group struct {
	dir   string // folder of version 2
	at    *os.File
	first []string // folders of version 1
}

// The sandbox itself needs these additional processes and bytes.
const (
	spareProcesses = 8
	spareMemory    = 64 << 20
)

// make creates a cgroup with the limits that the available controllers can set.
func (g *Groups) make(l Limits) (*group, error) {
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
		// Files in the sandbox use memory too.
		"memory": {"memory.max": memory, "memory.swap.max": "0", "memory.oom.group": "1"},
		"pids":   {"pids.max": pids},
		"cpu":    {"cpu.max": "200000 100000"}, // two processors, like GOMAXPROCS
	}
	for _, c := range g.Controllers {
		for _, file := range sorted(limits[c]) {
			err := os.WriteFile(filepath.Join(dir, file), []byte(limits[c][file]), 0o644)
			if err != nil && !(file == "memory.swap.max" && errors.Is(err, os.ErrNotExist)) { // the kernel may lack swap
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

// take makes a command start in the cgroup.
func (x *group) take(cmd *exec.Cmd) {
	if len(x.first) > 0 { // a process must move there itself or be moved once it runs
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

// dependent makes a command end when this process ends, for whatever reason, and withholds inherited
// descriptors from it.
func dependent(cmd *exec.Cmd) {
	cmd.SysProcAttr = cmp.Or(cmd.SysProcAttr, &syscall.SysProcAttr{})
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	withhold()
}

// withhold keeps descriptors that this process inherited, such as a lock of a shell, from the
// programs it starts. Go's own descriptors are marked already.
func withhold() {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // then there is no sandbox either
	}
	for _, f := range open {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// end kills everything in the version 2 cgroup and removes all the answer's cgroups.
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
		_, _ = kill.WriteString("1") // remove notices what is left
		kill.Close()
	}
}

// remove removes a cgroup after its processes have ended, and gives up after a second.
func remove(dir string) {
	for range 200 {
		if err := os.Remove(dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
