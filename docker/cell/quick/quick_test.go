package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const source = `package main

import (
	"fmt"

	"example.com/toolkit"
)

func main() { fmt.Println(toolkit.Text(), 1) }
`

// cellFolder makes a module with a package that embeds a file. Beside the module it makes the
// folder of a cell that imports the package. This folder becomes the working directory. cellFolder
// also makes the table for the cell, and returns the paths of the table and of the module.
func cellFolder(t *testing.T) (file, module string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the tests with cellFolder run only on Linux, because one of them compares programs in the ELF format")
	}
	root := t.TempDir()
	module = filepath.Join(root, "toolkit")
	put(t, filepath.Join(module, "go.mod"), "module example.com/toolkit\n\ngo 1.26\n")
	put(t, filepath.Join(module, "toolkit.go"), `package toolkit

import _ "embed"

//go:embed data/text
var text string

func Text() string { return text }
`)
	put(t, filepath.Join(module, "data", "text"), "embedded")
	for _, v := range os.Environ() {
		if key, _, _ := strings.Cut(v, "="); strings.HasPrefix(key, "CGO_") {
			t.Setenv(key, "") // t.Setenv restores the old value at the end of the test
			os.Unsetenv(key)
		}
	}
	t.Setenv("GOFLAGS", "-buildvcs=false -tags=osusergo,netgo")
	t.Setenv("GOWORK", "")
	os.Unsetenv("GOWORK")

	folder := filepath.Join(root, "gonb_1a2b")
	put(t, filepath.Join(folder, "main.go"), source)
	t.Chdir(folder)
	for _, args := range [][]string{{"mod", "init", "gonb_1a2b"}, {"work", "init", "."}, {"work", "use", module}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	file = filepath.Join(root, "table")
	noError(t, writeTable(file, []string{"fmt", "os", "example.com/toolkit"}))
	put(t, "main.go", source)
	return file, module
}

// noError fails the test immediately if err is not nil.
func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	noError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	noError(t, os.WriteFile(path, []byte(text), 0o666))
}

// TestBuildsWhatGoBuilds checks that quick builds the same program as `go build`. The sections that
// are loaded into memory must be equal, except for the build identifiers.
func TestBuildsWhatGoBuilds(t *testing.T) {
	file, _ := cellFolder(t)
	put(t, "main_test.go", "package main\n") // after a %test cell, GoNB leaves this file in the folder
	if out, err := exec.Command("go", "build", "-o", "theirs").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	noError(t, os.Rename("theirs", "../theirs"))
	noError(t, build(file, "gonb_1a2b"))
	if out, err := exec.Command("./gonb_1a2b").Output(); err != nil || string(out) != "embedded 1\n" {
		t.Errorf("the program prints %q (error %v), want \"embedded 1\\n\"", out, err)
	}
	want, err := buildinfo.ReadFile("../theirs")
	noError(t, err)
	if got, err := buildinfo.ReadFile("gonb_1a2b"); err != nil || got.String() != want.String() {
		t.Errorf("got the build information %v (error %v), want %v", got, err, want)
	}
	ours, theirs := loadedSections(t, "gonb_1a2b"), loadedSections(t, "../theirs")
	if len(theirs) < 5 {
		t.Errorf("the program of go build has only %d sections to compare, want at least 5", len(theirs))
	}
	for name, text := range theirs {
		if !bytes.Equal(ours[name], text) {
			t.Errorf("section %s is missing in the program of quick, or differs from the section in the program of go build", name)
		}
	}
}

// loadedSections returns the contents of the sections of type PROGBITS that are loaded into memory.
// The notes, which contain the build identifiers, have a different type.
func loadedSections(t *testing.T, path string) map[string][]byte {
	t.Helper()
	f, err := elf.Open(path)
	noError(t, err)
	defer f.Close()
	sections := map[string][]byte{}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type != elf.SHT_PROGBITS {
			continue
		}
		if sections[s.Name], err = s.Data(); err != nil {
			t.Fatal(err)
		}
	}
	return sections
}

// TestRestore checks that restoreImport adds an import if exactly one package in t.Direct has the name
// before a dot, and the program neither declares nor imports this name. Otherwise restoreImport must
// not change the program.
func TestRestore(t *testing.T) {
	direct := []string{"fmt", "math", "math/rand", "math/rand/v2", "example.com/toolkit/v3"}
	for _, c := range []struct{ name, imports, body, added string }{
		{"misspelt function", "", "println(math.exp(1))", `import "math"`},
		{"package with a version", "", "toolkit.Nothing()", `import "example.com/toolkit/v3"`},
		{"imported package with a version", `import "math/rand/v2"`, "rand.Nothing()", ""},
		{"two packages with the same name", "", "rand.Nothing()", ""},
		{"variable with the name of a package", "", "math := struct{ x int }{}; println(math.x)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "main.go")
			const head = "package main\n"
			tail := "\n" + c.imports + "\n\nfunc main() { " + c.body + " }\n"
			put(t, file, head+tail)
			noError(t, restoreImport(&table{Direct: direct}, file))
			got, err := os.ReadFile(file)
			noError(t, err)
			want := head + tail
			if c.added != "" {
				want = head + "\n" + c.added + "\n\n" + tail
			}
			if string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestRefuses changes a file or the environment after the table was made. build must then return an
// error and write no program.
func TestRefuses(t *testing.T) {
	file, module := cellFolder(t)
	noError(t, build(file, "gonb_1a2b"))
	write := func(path, text string) func(*testing.T) {
		return func(t *testing.T) {
			saved, err := os.ReadFile(path)
			put(t, path, text)
			t.Cleanup(func() {
				if err != nil {
					os.Remove(path)
				} else {
					put(t, path, string(saved))
				}
			})
		}
	}
	in := func(name string) string { return filepath.Join(module, name) }
	for _, c := range []struct {
		name, because string
		change        func(*testing.T)
	}{
		{"edited source", "has changed", write(in("toolkit.go"), "package toolkit\n\nfunc Text() int { return 2 }\n")},
		{"new source", "has changed", write(in("more.go"), "package toolkit\n\nfunc init() { println() }\n")},
		{"edited embedded file", "has changed", write(in("data/text"), "other")},
		{"edited go.mod", "has changed", write(in("go.mod"), "module example.com/toolkit\n\ngo 1.25\n")},
		{"new go.sum", "has changed", write(in("go.sum"), "\n")},
		{"cell's go.mod", "go.mod is", write("go.mod", "module gonb_1a2b\n\ngo 1.25\n")},
		{"cell's go.work", "go.work is", write("go.work", "go 1.26\n\nuse .\n")},
		{"second file", "more.go beside", write("more.go", "package main\n")},
		{"other import", `"net/http" is not`, write("main.go", strings.Replace(source, `"fmt"`, `"net/http"`, 1))},
		{"embedded by the cell", "directives", write("main.go", source+"\n//go:embed go.mod\nvar s string\n")},
		{"not Go", "expected", write("main.go", "package main\nimport (\n")},
		{"does not compile", "exit status", write("main.go", source+"\nvar x int = fmt.Sprint()\n")},
		{"does not link", "exit status", write("main.go", strings.Replace(source, "func main", "func notMain", 1))},
		{"environment", "the environment", func(t *testing.T) { t.Setenv("GOARCH", "arm64") }},
		{"go env -w", "the environment", func(t *testing.T) {
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			put(t, filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "go", "env"), "GOFLAGS=-race\n")
		}},
		{"archive deleted", "exit status", func(t *testing.T) {
			made, err := readTable(file)
			noError(t, err)
			archive := made.Packages["example.com/toolkit"].Export
			noError(t, os.Rename(archive, archive+".away"))
			t.Cleanup(func() { os.Rename(archive+".away", archive) })
		}},
		{"a day old", "more than a day old", func(t *testing.T) {
			before := time.Now().Add(-25 * time.Hour)
			noError(t, os.Chtimes(file, before, before))
		}},
		{"no table", "no such file", func(t *testing.T) { os.Remove(file) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			os.Remove("gonb_1a2b")
			c.change(t)
			err := build(file, "gonb_1a2b")
			if err == nil || !strings.Contains(err.Error(), c.because) {
				t.Errorf("got the error %v, want an error that contains %q", err, c.because)
			}
			if _, err := os.Stat("gonb_1a2b"); err == nil {
				t.Error("the failed build left a program behind, want none")
			}
		})
	}
}
