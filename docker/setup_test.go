package docker_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// fakePath returns a folder with links to the usual tools and with the given programs, which are
// shell scripts.
func fakePath(t *testing.T, programs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range strings.Fields("bash env dirname id awk paste mkdir cat flock sed sort head tail sha256sum cut mktemp rm sleep grep xargs tee seq") {
		path, err := exec.LookPath(tool)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, tool))
		}
		noError(t, err)
	}
	for name, text := range programs {
		path := filepath.Join(dir, name)
		_ = os.Remove(path) // remove the link, because WriteFile would follow it and overwrite the tool itself
		noError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	return dir
}

// TestSetupStops checks that the set-up stops and prints instructions in each of these cases: it has
// no permission to install a program, the installation fails, apt or Go is missing, or the step is
// unknown.
func TestSetupStops(t *testing.T) {
	none := fakePath(t, nil)
	user := fakePath(t, map[string]string{"id": "echo 1000", "apt-get": "exit 1"})
	root := fakePath(t, map[string]string{"id": "echo 0", "apt-get": "echo the mirror is gone\nexit 100"})
	for _, tt := range []struct{ step, path, want string }{
		{"packages", user, "sudo apt-get update && sudo apt-get install --no-install-recommends python3-nbclient"},
		{"packages", root, "the mirror is gone"},
		{"packages", root, "apt-get install --no-install-recommends python3-nbclient"},
		{"packages", none, "apt is not available"},
		{"browser", user, "sudo apt-get update && sudo apt-get install --no-install-recommends chromium"},
		{"browser", root, "the mirror is gone"},
		{"hub", user, "sudo apt-get update && sudo apt-get install --no-install-recommends jupyterhub"},
		{"slurm", user, "install --no-install-recommends slurm-wlm"},
		{"xz", user, "install --no-install-recommends xz-utils"},
		{"tools", none, "Go is not installed"},
		{"everything", none, "unknown step"},
	} {
		cmd := exec.Command("./setup.sh", tt.step)
		cmd.Env = []string{"PATH=" + tt.path, "HYPERPLANE_PYTHON=/nonexistent", "HYPERPLANE_TOOLS=" + t.TempDir()}
		said, err := cmd.CombinedOutput()
		if _, stopped := err.(*exec.ExitError); !stopped || !strings.Contains(string(said), tt.want) {
			t.Errorf("%s: got the error %v, want a failure that prints %q:\n%s", tt.step, err, tt.want, said)
		}
	}
}

// TestSetupCounts checks that the set-up shows the progress of apt while apt works. The fake apt
// waits until the test has read the number of installed packages, but at most a minute.
func TestSetupCounts(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	path := fakePath(t, map[string]string{"id": "echo 0", "apt-get": `case "$*" in
update) ;;
*--simulate*) for i in $(seq 250); do echo "Inst p$i"; done ;;
*) for i in $(seq 200); do echo "Unpacking p$i"; echo "Setting up p$i"; done
   until [ -e '` + seen + `' ]; do sleep 0.1; done
   exit 100 ;;
esac`})
	cmd := exec.Command("./setup.sh", "packages")
	cmd.Env = []string{"PATH=" + path, "HYPERPLANE_PYTHON=/nonexistent", "HYPERPLANE_TOOLS=" + t.TempDir()}
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	noError(t, err)
	late := time.AfterFunc(time.Minute, func() { _ = os.WriteFile(seen, nil, 0o600) })
	defer late.Stop()
	var all string
	for lines := bufio.NewScanner(said); lines.Scan(); all += lines.Text() + "\n" {
		if strings.Contains(lines.Text(), "200 of at most 250 packages installed") && late.Stop() {
			err = os.WriteFile(seen, nil, 0o600)
			all += "in time\n"
		}
	}
	stopped := cmd.Wait()
	noError(t, err)
	if stopped == nil || !strings.Contains(all, "in time") ||
		!strings.Contains(all, "then try again") {
		t.Errorf("the set-up ended with the error %v; want “200 of at most 250 packages installed” within a minute, then a failure with the advice “then try again”; it printed\n%s", stopped, all)
	}
}

// TestDemo checks that the demo serves its pages if it runs on a terminal. Without a terminal, the
// demo must end as soon as the pages are made. A second run must not repeat finished work, but must
// make the pages again after an edit or a failure.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	write := func(file, text string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, file)
		noError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode)))
	}
	script, err := os.ReadFile("demo.sh")
	noError(t, err)
	write("docker/demo.sh", string(script), 0o755)
	write(".tools/stamp/warm", "", 0o644) // make the folder .tools/stamp, as the set-up would, because the demo writes a file to it
	write(".tools/bin/generate", `#!/bin/sh
echo "call: $*"
[ "$1" != run ] || [ ! -e .tools/broken ] || { echo the kernel died; exit 1; }
case "$*" in *--as-is*) ;; site*) mkdir -p out/site && touch out/site/index.html ;; esac
`, 0o755)
	const made, served, returns = "call: site --out out/site --executed", "--serve --as-is\r\n",
		"The pages are in out/site."
	for _, tt := range []struct {
		name     string
		terminal bool
		before   func()
		says     []string
		not      string
		fails    bool
	}{
		{"first", false, func() {},
			[]string{"1/3 notebooks", "2/3 run", "usually 20 s", "call: run notebooks/tour.ipynb", made,
				"--compiler=false", returns},
			"--serve --as-is\r", false},
		{"again", false, func() {}, []string{"is up to date", returns}, "call: ", false},
		{"on a terminal", true, func() {}, []string{"is up to date", served}, returns, false},
		{"after an edit", true, func() { write("go.mod", "module x\n", 0o644) }, []string{made, served}, returns,
			false},
		{"a failure", false, func() { write("go.mod", "module y\n", 0o644); write(".tools/broken", "", 0o644) },
			[]string{"the kernel died", "run the same command again"}, made, true},
		{"repeated", false, func() { _ = os.Remove(filepath.Join(dir, ".tools/broken")) },
			[]string{"call: run", made, returns}, "the kernel died", false},
	} {
		tt.before()
		cmd := exec.Command("docker/demo.sh", "first")
		if tt.terminal {
			cmd = exec.Command("script", "-qec", "docker/demo.sh first", "/dev/null")
		}
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if tt.fails != (err != nil) || strings.Contains(string(out), tt.not) {
			t.Errorf("%s: got the error %v, want an error only in the case “a failure”; the output must not contain %q:\n%s", tt.name, err, tt.not, out)
		}
		for _, want := range tt.says {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: want the output to contain %q:\n%s", tt.name, want, out)
			}
		}
	}
}

// TestReleaseNotes checks that the notes of a release are equal to the section of the changelog
// about this release. release.sh must fail if the tag is missing or differs from the version, or if
// the changelog lacks the section.
func TestReleaseNotes(t *testing.T) {
	changelog := filepath.Join(t.TempDir(), "CHANGELOG.md")
	tag := "v" + toolkit.Version
	text := "# Changelog\n\n## [Unreleased]\n\n- soon\n\n## [" + toolkit.Version +
		"] - 2026-01-01\n\n### Added\n\n- this\n\n## [0.0.1]\n\n- old\n"
	for _, tt := range []struct {
		tag, text, want string
		stops           bool
	}{
		{tag, text, "### Added\n\n- this\n", false},
		{"v0.0.0", text, "the tag is v0.0.0, want v" + toolkit.Version, true},
		{"", text, "the tag is missing", true},
		{tag, "# Changelog\n\n## [0.0.1]\n\n- old\n", "has no section ## [" + toolkit.Version + "]", true},
	} {
		noError(t, os.WriteFile(changelog, []byte(tt.text), 0o644))
		said, err := exec.Command("./release.sh", tt.tag, "notes", changelog).CombinedOutput()
		if exact := strings.TrimSpace(string(said)) == strings.TrimSpace(tt.want); tt.stops != (err != nil) || !tt.stops && !exact || !strings.Contains(string(said), tt.want) {
			t.Errorf("with the tag %q the script ends with the error %v and prints %q, want %q, and an error only for a wrong tag or a missing section", tt.tag, err, said, tt.want)
		}
	}
	// The script must also find the section of the current version in the project's own changelog.
	said, err := exec.Command("./release.sh", tag, "notes").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "### Added\n") || strings.Contains(string(said), "\n## ") {
		t.Errorf("got the error %v, want no error and only the section of %s in CHANGELOG.md, with a heading ### Added; the output is\n%s", err, tag, said)
	}
	for _, head := range regexp.MustCompile(`(?m)^## .*$`).FindAllString(read(t, "../CHANGELOG.md"), -1) {
		if !regexp.MustCompile(`^## (\[Unreleased\]|\[[0-9]+\.[0-9]+\.[0-9]+\]( - [0-9]{4}-[0-9]{2}-[0-9]{2})?)$`).MatchString(head) {
			t.Errorf("CHANGELOG.md has the heading %q, want ## [Unreleased], or a heading of the form ## [1.2.3] - 2026-12-01 (the date is optional)", head)
		}
	}
}

// TestRelease checks that a release contains the notes, the archive of the site and the checksum of
// this archive. A second run must make an archive with the same bytes.
func TestRelease(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{"docker/release.sh", "toolkit/version.go", "CHANGELOG.md"} {
		path := filepath.Join(dir, file)
		noError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(read(t, "../"+file)), 0o755)))
	}
	demo := "#!/bin/sh\n[ \"$1\" = all ] && mkdir -p out/site/b && echo page >out/site/index.html && touch -d @$(date +%N) out/site/b/x\n"
	noError(t, os.WriteFile(filepath.Join(dir, "docker", "demo.sh"), []byte(demo), 0o755))
	const looks = " && cd out/release && ls && sha256sum -c SHA256SUMS && tar tzf site.tar.gz && sha256sum site.tar.gz && head -n 1 notes.md"
	const want = "SHA256SUMS\nnotes.md\nsite.tar.gz\nsite.tar.gz: OK\nsite/\nsite/b/\nsite/b/x\nsite/index.html\n"
	var before string
	for range 2 {
		cmd := exec.Command("sh", "-c", "docker/release.sh v"+toolkit.Version+looks)
		cmd.Dir = dir
		said, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(said), want) || before != "" && string(said) != before {
			t.Errorf("got the error %v and the output\n%s\nwant no error, an output that begins with\n%s\nand, in the second run, the output of the first run, which was\n%s", err, said, want, before)
		}
		before = string(said)
	}
}

// TestWithoutApt checks setup.sh and lab.sh with a Python that the user has configured. setup.sh must
// not need apt, and must list missing packages by their pip names. lab.sh must start the notebook
// server of this Python.
func TestWithoutApt(t *testing.T) {
	path := fakePath(t, nil)
	python := func(modules ...string) string { // returns the path of a fake Python that can import only the given modules
		file := filepath.Join(t.TempDir(), "python")
		text := "#!/bin/sh\n[ \"$1\" = -m ] && echo \"served by $2\" && exit\nfor module in nbclient nbformat jupyter_client jupyterlab notebook; do\n" +
			"case \" " + strings.Join(modules, " ") +
			" \" in *\" $module \"*) continue ;; esac\ncase \"$2\" in *$module*) exit 1 ;; esac\ndone\n"
		noError(t, os.WriteFile(file, []byte(text), 0o755))
		return file
	}
	work := t.TempDir()
	for _, tt := range []struct {
		name, python string
		command      []string
		stops        bool
		want         string
	}{
		{"all there", python("nbclient", "nbformat", "jupyter_client"), []string{"./setup.sh", "packages"}, false,
			"Jupyter is already installed"},
		{"one missing", python("nbclient", "nbformat"), []string{"./setup.sh", "packages"}, true,
			"-m pip install jupyter-client\n"},
		{"all missing", python(), []string{"./setup.sh", "packages"}, true,
			"-m pip install nbclient nbformat jupyter-client\n"},
		{"no server", python("nbclient"), []string{"./setup.sh", "lab"}, true, "-m pip install jupyterlab"},
		{"lab", python("jupyterlab"), []string{"./lab.sh"}, false, "served by jupyterlab"},
		{"classic", python("notebook"), []string{"./lab.sh"}, false, "served by notebook"},
	} {
		cmd := exec.Command(tt.command[0], tt.command[1:]...)
		cmd.Env = []string{"PATH=" + path, "HYPERPLANE_PYTHON=" + tt.python, "HYPERPLANE_TOOLS=" + t.TempDir(),
			"HYPERPLANE_WORK=" + work, "HOME=" + work}
		said, err := cmd.CombinedOutput()
		if _, stopped := err.(*exec.ExitError); stopped != tt.stops || !strings.Contains(string(said), tt.want) {
			t.Errorf("%s: got the error %v, want a failure only if a package is missing, and want %q in the output:\n%s", tt.name, err, tt.want, said)
		}
	}
}

// TestCellsLinkStandIns checks that the Go workspace for cells contains the small modules of
// docker/cell in place of two modules that gonbui needs.
func TestCellsLinkStandIns(t *testing.T) {
	repo, err := filepath.Abs("..")
	noError(t, err)
	wrap := filepath.Join(repo, ".tools", "gowrap", "go")
	if _, err := os.Stat(wrap); err != nil && os.Getenv("HYPERPLANE_REQUIRE_KERNEL") == "" {
		t.Skip("“make setup” has not been run in this checkout")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command(wrap, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=-buildvcs=false")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("mod", "init", "gonb_1a2b")
	run("work", "init")
	run("work", "use", repo, ".")
	found := strings.Fields(run("list", "-deps", "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"))
	if !slices.Contains(found, "k8s.io/klog/v2") || !slices.Contains(found, "github.com/gofrs/uuid") {
		t.Errorf("gonbui no longer imports k8s.io/klog/v2 or github.com/gofrs/uuid, so docker/cell replaces a package that no cell needs")
	}
	for _, heavy := range []string{"net", "database/sql", "log/slog", "github.com/go-logr/logr"} {
		if slices.Contains(found, heavy) {
			t.Errorf("the program of a cell that checks an answer links %s; want the modules of docker/cell in place of the original modules, which import it", heavy)
		}
	}
}

// TestSetupTwice checks that a second run of the set-up does nothing.
func TestSetupTwice(t *testing.T) {
	if os.Getenv("HYPERPLANE_REQUIRE_KERNEL") == "" {
		if _, err := os.Stat("../.tools/stamp/warm"); err != nil {
			t.Skip("“make setup” has not been run in this checkout")
		}
	}
	if said, err := exec.Command("./setup.sh").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	said, err := exec.Command("./setup.sh").CombinedOutput()
	if err != nil || regexp.MustCompile("building|registered|compiling|installing").Match(said) {
		t.Errorf("a second run of the set-up must succeed and do nothing, got the error %v and the output:\n%s", err, said)
	}
}
