package grading

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestOwnGroup(t *testing.T) {
	const v1 = "30 25 0:26 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
	for _, tt := range []struct{ name, mounts, own, want, why string }{
		{"memory", "26 21 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n" + v1, "8:pids:/y\n4:memory:/a/b\n0::/\n",
			"/sys/fs/cgroup/memory/a/b", ""},
		{"memory, elsewhere", v1, "8:pids:/y\n0::/\n", "", "no mounted cgroup of version 1 with the controller memory"},
		{"unified", "26 21 0:23 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n", "0::/user.slice/app.scope\n",
			"/sys/fs/cgroup/user.slice/app.scope", ""},
		{"hybrid", v1 + "31 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", "8:pids:/x\n0::/\n",
			"/sys/fs/cgroup/unified", ""},
		{"a part is mounted", "26 21 0:23 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "0::/docker/1/a\n",
			"/sys/fs/cgroup/a", ""},
		{"another part", "26 21 0:23 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "0::/docker/2\n", "",
			"is not below /docker/1"},
		{"version 1 only", v1, "8:pids:/x\n", "", "no mounted cgroup of version 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			controller, _, _ := strings.Cut(tt.name, ",")
			if controller != "memory" {
				controller = ""
			}
			got, err := ownGroup(tt.mounts, tt.own, controller)
			if got != tt.want || (err != nil) != (tt.why != "") {
				t.Errorf("ownGroup returns the folder %s and the error %v, want the folder %s (if this is empty, want an error)", got, err, tt.want)
			}
			if tt.why != "" {
				must.Fail(t, err, tt.why)
			}
		})
	}
}

// TestNoGroup checks that groupsIn rejects a folder that does not exist or is not a cgroup.
func TestNoGroup(t *testing.T) {
	dir := t.TempDir()
	_, err := groupsIn(filepath.Join(dir, "nothing"))
	must.Fail(t, err, "no such file")
	_, err = groupsIn(dir)
	must.Fail(t, err, "is not a cgroup")
}

// TestGroupTidy checks that tidy removes the cgroups of a killed judge. It must keep cgroups that
// are new or in use, and folders with other names.
func TestGroupTidy(t *testing.T) {
	g := &Groups{Dir: t.TempDir()}
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"hyperplane-answer-1", "hyperplane-answer-2", "other"} {
		must.Do(t, os.Mkdir(filepath.Join(g.Dir, name), 0o755))
	}
	must.Write(t, filepath.Join(g.Dir, "hyperplane-answer-3", "in use"), "")
	for _, name := range []string{"hyperplane-answer-1", "hyperplane-answer-3", "other"} {
		must.Do(t, os.Chtimes(filepath.Join(g.Dir, name), old, old))
	}
	g.tidy()
	left := must.Get(os.ReadDir(g.Dir))(t)
	if len(left) != 3 || left[0].Name() != "hyperplane-answer-2" {
		t.Errorf("tidy has kept %v, want three folders, the first named hyperplane-answer-2", left)
	}
}

// TestGroupLimits checks that `create` writes each limit to the right file of a cgroup of version 2.
func TestGroupLimits(t *testing.T) {
	g := &Groups{Dir: t.TempDir(), Controllers: []string{"memory", "pids", "cpu"}}
	x := must.Get(g.create(Limits{Memory: 1 << 30, File: 64 << 20, Processes: 64}))(t)
	for file, want := range map[string]string{"memory.max": "1207959552", "memory.swap.max": "0",
		"memory.oom.group": "1", "pids.max": "72", "cpu.max": "200000 100000"} {
		if got := must.Read(t, filepath.Join(x.dir, file)); got != want {
			t.Errorf("the file %s contains %s, want %s", file, got, want)
		}
	}
}

// TestGroupBounds checks that a program cannot use more memory than its cgroup allows. The test is
// skipped if this process can use no cgroup controller.
func TestGroupBounds(t *testing.T) {
	g, err := FindGroups()
	if err != nil || len(g.First) == 0 && len(g.Controllers) == 0 {
		t.Skipf("skipped because this process can use no cgroup controller: %v", err)
	}
	x := must.Get(g.create(Limits{Memory: 16 << 20, File: 0, Processes: 9}))(t)
	defer x.end()
	cmd := exec.Command("/bin/sh", "-c", "head -c 400000000 /dev/zero | tail -c 300000000 > /dev/null && echo held")
	x.startInGroup(cmd)
	if text, err := cmd.CombinedOutput(); strings.Contains(string(text), "held") {
		t.Errorf("a program could use 300 MB of memory although its cgroup has a limit of %d MiB: %s %v", (16<<20+spareMemory)>>20, text, err)
	}
}

// TestGroupEnds checks that `end` kills every process that an answer has started, including processes
// in a new session. The test does nothing if this process cannot create cgroups of version 2.
func TestGroupEnds(t *testing.T) {
	g, err := FindGroups()
	if err != nil || g.Dir == "" {
		t.Logf("not tested, because this process cannot create cgroups of version 2: %v", err)
		return
	}
	x := must.Get(g.create(DefaultLimits))(t)
	cmd := exec.Command("/bin/sh", "-c", "setsid sleep 1000 & setsid setsid sleep 1000 & exec true")
	x.startInGroup(cmd)
	must.Do(t, cmd.Run())
	procs := must.Read(t, filepath.Join(x.dir, "cgroup.procs"))
	if procs == "" {
		t.Fatal("no process of the answer runs in the cgroup, want at least one")
	}
	x.end()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(x.dir); err != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("five seconds after the call of end, the cgroup still exists; before the call it contained the processes %s",
				procs)
		}
	}
}
