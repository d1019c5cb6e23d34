package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// markerVariable is the name of an environment variable. For each session, the function `open` sets
// the variable to a random marker, which all processes of the session inherit.
const markerVariable = "HYPERPLANE_RUN"

// endProcessTree ends the process with the id `root` and its family. It kills every process that descends
// from this process or whose environment contains the marker, and finally the process itself.
// The process is runner.py, which adopts orphaned processes, so no descendant can leave the family
// while runner.py exists. The caller must call endProcessTree before it waits for the process, because
// afterwards a different process can get the same id. endProcessTree returns the ids of the processes,
// other than `root`, that were still alive after 5 seconds.
func endProcessTree(root int, marker string) []int {
	_ = syscall.Kill(root, syscall.SIGSTOP) // suspend the process, so that it cannot start a kernel meanwhile
	var left []int
	empty := 0
	for deadline := time.Now().Add(5 * time.Second); empty < 2 && time.Now().Before(deadline); {
		left = family(root, marker)
		empty++
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			empty = 0
		}
		time.Sleep(5 * time.Millisecond)
	}
	_ = syscall.Kill(root, syscall.SIGKILL)
	return left
}

// family returns the ids of the living processes that descend from the process with the id `root` or
// whose environment contains the marker. The result does not include the process `root` itself.
func family(root int, marker string) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	children := map[int][]int{}
	found := map[int]bool{}
	for _, path := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // ignore a process that has ended since /proc was read
		}
		// The format is: pid (name) state parent …. The name may contain spaces and parentheses.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 || fields[0] == "Z" || fields[0] == "X" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], pid)
		if pid != root && marked(pid, marker) {
			found[pid] = true
		}
	}
	for todo := []int{root}; len(todo) > 0; {
		for _, child := range children[todo[0]] {
			found[child] = true
			todo = append(todo, child)
		}
		todo = todo[1:]
	}
	pids := make([]int, 0, len(found))
	for pid := range found {
		pids = append(pids, pid)
	}
	return pids
}

func marked(pid int, marker string) bool {
	environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return false // ignore a process that belongs to another user or has ended
	}
	want := []byte(markerVariable + "=" + marker)
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(entry, want) {
			return true
		}
	}
	return false
}

// ownGroup puts the child into its own process group, so that a Ctrl-C in the terminal does not
// reach the child. Instead, the code that runs the notebooks ends the child in an orderly way.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
