package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// This file contains the gate that installs the command `generate` without a clone of the
// repository, as most users do.

// These are the maximum sizes, in bytes, of the module's zip file and of one file in it.
const (
	mostZip  = 9_000_000
	mostFile = 600_000
)

// A sourceFile is a file of the project. The field `dir` is the project's folder, and `path` is
// relative to this folder.
type sourceFile struct{ dir, path string }

func (f sourceFile) Path() string                 { return filepath.ToSlash(f.path) }
func (f sourceFile) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.dir, f.path)) }
func (f sourceFile) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.dir, f.path)) }

// installGate publishes a version of the project in a temporary module proxy. From this proxy it
// installs the command `generate`, and runs the command in an empty folder. It also builds a
// program that belongs to a different module and uses the toolkit.
func installGate(s *session) error {
	proxy, dir := filepath.Join(s.scratch, "proxy"), filepath.Join(s.scratch, "installed")
	m := module.Version{Path: "github.com/hyperplane-notebooks/hyperplane", Version: "v" + toolkit.Version}
	if err := s.publishVersion(proxy, m); err != nil {
		return err
	}
	known, err := s.commandOutput("go", "env", "GOMODCACHE", "GOPROXY", "GOCACHE")
	if err != nil {
		return err
	}
	paths := strings.Split(strings.TrimSpace(known), "\n")
	// With these settings the go command can read the project only from the temporary proxy. It
	// reads other modules from this machine's module cache, or from the usual proxy if the cache
	// does not contain them.
	env := []string{"HOME=" + dir, "XDG_CACHE_HOME=" + filepath.Join(dir, "cache"),
		"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"GOBIN=" + filepath.Join(dir, "bin"), "GOMODCACHE=" + filepath.Join(dir, "modules"),
		"GOCACHE=" + paths[2], "GOFLAGS=-mod=mod -modcacherw", "GOSUMDB=off", "GOWORK=off",
		"GOPROXY=file://" + proxy + ",file://" + filepath.Join(paths[0], "cache", "download") + "," + paths[1],
		"HYPERPLANE_TOOLS=", "HYPERPLANE_SEED="}
	inner, telemetry := s.inFolder(filepath.Join(dir, "empty")), filepath.Join(dir, "config", "go", "telemetry")
	if err := errors.Join(os.MkdirAll(inner.dir, 0o755), os.MkdirAll(telemetry, 0o755)); err != nil {
		return err
	}
	// Switch telemetry off. Otherwise the go command would start a process that still writes to
	// this folder after the gate has ended.
	if err := os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o644); err != nil {
		return err
	}
	if err := inner.runWithEnv(env, "go", "install", m.Path+"/generate@"+m.Version); err != nil {
		return err
	}
	return errors.Join(inner.checkInstalled(env, filepath.Join(dir, "bin", "generate")),
		s.buildDependent(env, m, filepath.Join(dir, "outside")))
}

// publishVersion writes a version of the project into the folder of a module proxy. It returns an
// error if the zip file of the module, or a file in it, is larger than its maximum.
func (s *session) publishVersion(proxy string, m module.Version) error {
	list, err := s.commandOutput("git", "ls-files", "-co", "--exclude-standard")
	if err != nil {
		return err
	}
	var files []zip.File
	for path := range strings.Lines(list) {
		f := sourceFile{s.dir, strings.TrimSpace(path)}
		if info, e := f.Lstat(); e == nil && info.Mode().IsRegular() { // skip deleted files, which git still lists
			files = append(files, f)
		}
	}
	checked, err := zip.CheckFiles(files)
	if err != nil {
		return err
	}
	for _, path := range checked.Valid {
		info, e := sourceFile{s.dir, path}.Lstat()
		if e != nil {
			return e
		}
		if info.Size() > mostFile {
			err = errors.Join(err,
				fmt.Errorf("%s is %d kB, want at most %d kB, because everyone who imports the toolkit downloads the file", path,
					info.Size()/1000, mostFile/1000))
		}
	}
	at := filepath.Join(proxy, m.Path, "@v")
	mod, e := os.ReadFile(filepath.Join(s.dir, "go.mod"))
	if err = errors.Join(err, e, os.MkdirAll(at, 0o755)); err != nil {
		return err
	}
	archive, err := os.Create(filepath.Join(at, m.Version+".zip"))
	if err != nil {
		return err
	}
	err = errors.Join(zip.Create(archive, m, files), archive.Close())
	for name, text := range map[string]string{"list": m.Version + "\n", m.Version + ".mod": string(mod),
		m.Version + ".info": fmt.Sprintf("{\"Version\": %q, \"Time\": \"2026-01-01T00:00:00Z\"}\n", m.Version)} {
		err = errors.Join(err, os.WriteFile(filepath.Join(at, name), []byte(text), 0o644))
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(archive.Name())
	if err == nil {
		fmt.Fprintf(s.w, "%s@%s: %d files, zip of %.1f MB\n", m.Path, m.Version, len(checked.Valid),
			float64(info.Size())/1e6)
		err = errIf(info.Size() > mostZip,
			fmt.Sprintf("the module's zip has %d bytes, want at most %d", info.Size(), mostZip))
	}
	return err
}

const answer25 = "func LambdaSquared() float64 { return math.Pi / 8 }\n"

// checkInstalled runs the installed command in the folder s.dir, which is empty at first, with several
// lists of arguments. It compares each exit status with the expected one, and searches the output for
// an expected text. It then calls checkServer.
func (s *session) checkInstalled(env []string, generate string) (err error) {
	for _, tt := range []struct {
		args string
		exit int
		want string // text that the output must contain
	}{
		{"version", 0, "hyperplane " + toolkit.Version + ","},
		{"list", 0, "prml-4.25"},
		{"equations --symbol FitLogistic", 0, "prml-4."},
		{"figures fig-prml-4.9 --out figures", 0, "1 figures"},
		{"check prml-4.25 answer.go", 0, "passed: all 3 parts right"},
		{"judge prml-4.25", 0, "prml-4.25"},
		{"notebooks", 2, "--work work"},
		{"notebooks --work work", 0, "tour.ipynb: created"},
		{"exercises prml-4.25", 2, "--out work"},
		{"progress", 0, "0 of "},
		{"run work/tour.ipynb --out ran", 2, "git clone https://github.com/hyperplane-notebooks/hyperplane"},
		{"class roster.csv --exercises prml-4.25 --out course", 0, "1 learners"},
		{"grade course/key --class course --out grades", 0, "1 of 1 points"},
		{"doctor", 1, "git clone https://github.com/hyperplane-notebooks/hyperplane"},
	} {
		for path, text := range map[string]string{"answer.go": answer25, "roster.csv": "id,name\nada,Ada\n"} {
			err = errors.Join(err, os.WriteFile(filepath.Join(s.dir, path), []byte(text), 0o644))
		}
		cmd := s.command(env, generate, strings.Fields(tt.args)...)
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &said
		if code := exitCode(cmd.Run()); code != tt.exit || !strings.Contains(said.String(), tt.want) {
			err = errors.Join(err,
				fmt.Errorf("the installed command, generate %s, exits with %d, want %d and %q in the output:\n%s", tt.args,
					code, tt.exit, tt.want, said.String()))
		}
	}
	return errors.Join(err, s.checkServer(env, generate))
}

var address = regexp.MustCompile(`http://\S+/`)

// checkServer starts the site's server, reads a page, and waits until the server has built the Go
// compiler. It then stops the server with the signal that Ctrl-C sends.
func (s *session) checkServer(env []string, generate string) error {
	cmd := s.command(env, generate, "site", "--serve=127.0.0.1:0", "--reuse", filepath.Join(s.root, ".tools", "reuse"))
	cmd.Stdout = nil // s.command has set Stdout, but StdoutPipe requires a nil Stdout
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	found := errors.New("the installed command `generate site --serve` printed no address")
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at := address.FindString(lines.Text()); at != "" {
			found = errors.Join(checkPage(at, "PRML"), s.waitForCompiler(at+"assets/play/"))
			break
		}
	}
	ended := cmd.Process.Signal(syscall.SIGINT)
	_, _ = io.Copy(io.Discard, out)
	return errors.Join(found, ended, cmd.Wait())
}

// waitForCompiler waits until the server has built the Go compiler for its pages. It returns an
// error if the build fails.
func (s *session) waitForCompiler(folder string) error {
	for {
		made := checkPage(folder+"play.json", `"compile"`)
		if made == nil {
			return nil
		}
		// While the server builds the compiler, preparing.json contains the remaining time. If the
		// build has failed, preparing.json contains the reason.
		if err := checkPage(folder+"preparing.json", `"failed":""`); err != nil {
			return errors.Join(made, err)
		}
		select {
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		case <-time.After(time.Second):
		}
	}
}

// checkPage returns an error unless the page at url contains the text `want`.
func checkPage(url, want string) error {
	r, err := http.Get(url)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return errors.Join(err,
		errIf(!strings.Contains(string(text), want),
			fmt.Sprintf("%s (%s) contains %.400q, want %q", url, r.Status, text, want)))
}

const outsideProgram = `package main

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func main() {
	iris, err := datasets.Iris().Class("versicolor", "virginica")
	if err != nil {
		panic(err)
	}
	t, err := iris.Target("versicolor")
	if err != nil {
		panic(err)
	}
	m, err := classify.FitLogistic(iris.X, t, classify.LogisticOptions{})
	fmt.Println(m, err)
}
`

// buildDependent builds and runs a program of a module that imports the toolkit. It then verifies
// that no command has changed a file in the module cache, because on a shared machine only root may
// write to this cache.
func (s *session) buildDependent(env []string, m module.Version, dir string) error {
	if err := errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "main.go"), []byte(outsideProgram), 0o644)); err != nil {
		return err
	}
	s = s.inFolder(dir)
	for _, args := range [][]string{{"mod", "init", "outside"}, {"get", m.Path + "@" + m.Version}, {"mod", "tidy"},
		{"run", "."}, {"mod", "verify"}} {
		if err := s.runWithEnv(env, "go", args...); err != nil {
			return err
		}
	}
	return nil
}
