package grading

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// running counts the processes of this machine that have the word in their command line.
func running(word string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is a good one
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.HasSuffix(bytes.TrimRight(text, "\x00"), []byte("\x00"+word)) {
			n++
		}
	}
	return n
}

// With the sandbox ends all that was started in it, also what has left its session, whether
// or not there are cgroups.
func TestEnded(t *testing.T) {
	const word = "98761.4321" // a sleep that nobody else has
	args := confined(DefaultLimits, nil, nil, "/bin/sh", "-c", "setsid sleep "+word+" & setsid setsid sleep "+word+" & sleep "+word)
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait := func(n int) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); running(word) != n; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d processes run, want %d", running(word), n)
			}
		}
	}
	wait(3)
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	wait(0)
}
