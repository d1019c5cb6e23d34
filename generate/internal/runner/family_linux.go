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

// markerVariable is set in the environment of every process of a run.
const markerVariable = "HYPERPLANE_RUN"

// endFamily kills every process that descends from root or carries the marker, and root last.
// Orphans become children of root (runner.py), so no process can leave its tree before root is
// gone. The caller must not have waited for root yet, since its number could then belong to a
// different process. endFamily returns the processes that did not end.
func endFamily(root int, marker string) []int {
	_ = syscall.Kill(root, syscall.SIGSTOP) // so that it cannot start another kernel
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

// family returns the living processes that descend from root, without root, and those that carry
// the marker.
func family(root int, marker string) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	children := map[int][]int{}
	found := map[int]bool{}
	for _, path := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		// pid (name) state parent …; the name may contain spaces and parentheses.
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
		return false // another user's process, or it has ended
	}
	want := []byte(markerVariable + "=" + marker)
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(entry, want) {
			return true
		}
	}
	return false
}

// ownGroup keeps a Ctrl-C in the terminal from reaching the child, which the run ends in an orderly
// way.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
