package grading

import (
	"errors"
	"fmt"
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

// Groups is where each answer gets a cgroup (version 2) of its own, which bounds all its
// processes together and ends them together.
type Groups struct {
	Dir         string   // the cgroup in which they are made
	Controllers []string // of memory, pids and cpu those that bound them
}

// FindGroups looks for a cgroup in which this process may make others and start programs
// in them: its own, or the one above. An error says why there is none.
var FindGroups = sync.OnceValues(func() (*Groups, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	dir, err := ownGroup(string(mounts), string(own))
	if err != nil {
		return nil, err
	}
	var why error
	for _, d := range []string{dir, filepath.Dir(dir)} {
		g, err := groupsIn(d)
		if err == nil {
			g.tidy()
			return g, nil
		}
		why = errors.Join(why, err)
	}
	return nil, why
})

// ownGroup is the folder of this process's cgroup, by the texts of /proc/self/mountinfo and
// /proc/self/cgroup.
func ownGroup(mounts, own string) (string, error) {
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		fields := strings.Fields(before)
		if !strings.HasPrefix(after, "cgroup2 ") || len(fields) < 5 {
			continue
		}
		for line := range strings.Lines(own) {
			if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
				below, err := filepath.Rel(fields[3], path)
				if err != nil || !filepath.IsLocal(below) {
					return "", fmt.Errorf("the cgroup %s is not below %s, which is mounted", path, fields[3])
				}
				return filepath.Join(fields[4], below), nil
			}
		}
	}
	return "", errors.New("no cgroup of version 2 is mounted")
}

// groupsIn tries whether dir is a cgroup in which answers can have theirs.
func groupsIn(dir string) (*Groups, error) {
	g := &Groups{Dir: dir}
	x, err := g.make(DefaultLimits)
	if err != nil {
		return nil, err
	}
	defer x.end()
	text, err := os.ReadFile(filepath.Join(x.dir, "cgroup.controllers"))
	if err != nil {
		return nil, fmt.Errorf("%s is no cgroup: %w", dir, err)
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

// tidy removes what a judge has left that was killed itself: cgroups in which nothing runs,
// and which nobody is about to use.
func (g *Groups) tidy() {
	left, _ := filepath.Glob(filepath.Join(g.Dir, groupName+"*")) // the pattern is a good one
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(dir) // which fails where something runs
		}
	}
}

// A group is the cgroup of one answer.
type group struct {
	dir string
	at  *os.File
}

// spare is what the sandbox itself needs: processes, and bytes.
const (
	spareProcesses = 8
	spareMemory    = 64 << 20
)

// make makes a cgroup with these limits, as far as there are controllers for them.
func (g *Groups) make(l Limits) (*group, error) {
	dir, err := os.MkdirTemp(g.Dir, groupName)
	if err != nil {
		return nil, err
	}
	x := &group{dir: dir}
	limits := map[string]map[string]string{
		// The files of the sandbox lie in memory too.
		"memory": {"memory.max": strconv.FormatInt(l.Memory+l.File+spareMemory, 10), "memory.swap.max": "0", "memory.oom.group": "1"},
		"pids":   {"pids.max": strconv.Itoa(l.Processes + spareProcesses)},
		"cpu":    {"cpu.max": "200000 100000"}, // two processors, as GOMAXPROCS says
	}
	for _, c := range g.Controllers {
		for _, file := range sorted(limits[c]) {
			err := os.WriteFile(filepath.Join(dir, file), []byte(limits[c][file]), 0o644)
			if err != nil && !(file == "memory.swap.max" && errors.Is(err, os.ErrNotExist)) { // a kernel without swap
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

// take lets a command start in the cgroup.
func (x *group) take(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(x.at.Fd())}
}

// end ends all that runs in the cgroup, and removes it.
func (x *group) end() {
	if x.at != nil {
		x.at.Close()
	}
	if kill, err := os.OpenFile(filepath.Join(x.dir, "cgroup.kill"), os.O_WRONLY, 0); err == nil {
		_, _ = kill.WriteString("1") // what is left is seen below
		kill.Close()
	}
	for range 200 {
		if err := os.Remove(x.dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
