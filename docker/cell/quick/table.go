package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A table records how `go build` builds the program of a cell. It contains the command lines of the
// compiler and linker, the packages, and the files that decide which packages are used.
type table struct {
	GoMod, GoWork string            // the contents of go.mod and go.work; NAME stands for the path of the cell's module
	Environ       []string          // the settings of the go command, as buildSettings returns them
	Files         map[string]string // hashes, by path, of the files that decide which packages the build uses
	Root          string            // GOROOT
	// the command lines of the compiler and linker, with $WORK in place of the temporary folder
	Compile, Link []string
	Head, Tail    []byte          // the bytes before and after a program's build information
	Info          debug.BuildInfo // the build information of a program that imports all packages
	Packages      map[string]pkg
	Direct        []string // the packages that a program may import
}

// pkg is a package that a cell's program can link.
type pkg struct {
	Export  string // path of the package's archive in the build cache
	Size    int64
	Imports []string
	Module  string
	Sources map[string]string // maps each source folder to its hash; nil if the sources cannot change
}

// listedPackage is the output of `go list` for one package.
type listedPackage struct {
	ImportPath, Name, Export, Dir string
	Standard                      bool
	Imports, EmbedFiles, CgoFiles []string
	ImportMap                     map[string]string
	Module                        *struct{ Path, GoMod string }
}

// name replaces the path of the cell's module in the table's copies of go.mod and go.work.
const name = "NAME"

// writeTable makes the table for the packages that a cell may import, and stores the table at the
// path `file`. It overwrites ./main.go.
func writeTable(file string, packages []string) error {
	main := "package main\n\nimport (\n"
	for _, path := range packages {
		main += fmt.Sprintf("\t_ %q\n", path)
	}
	main += ")\n\nfunc main() {}\n"
	if err := os.WriteFile("main.go", []byte(main), 0o666); err != nil {
		return err
	}
	env, err := runOutput("go", "env", "GOROOT", "GOMODCACHE")
	if err != nil {
		return err
	}
	root, cache, _ := strings.Cut(strings.TrimSpace(env), "\n")
	t := table{Environ: buildSettings(), Root: root, Files: map[string]string{}, Packages: map[string]pkg{}}
	module, err := t.addPackages(cache)
	if err != nil {
		return err
	}
	if err := t.recordBuild(main, module); err != nil {
		return err
	}
	for path, text := range map[string]*string{"go.mod": &t.GoMod, "go.work": &t.GoWork} {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		*text = strings.ReplaceAll(string(b), module, name)
	}
	// Encode the table with gob, because quick decodes the table for every cell. Decoding JSON
	// would take eight times as long.
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(t); err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// addPackages adds to the table the packages on which ./main.go depends, and the files that decide
// which packages the build uses, such as go.mod. It returns the import path of main. It omits the
// hashes of sources in GOROOT and in the module cache, because these sources cannot change.
func (t *table) addPackages(cache string) (module string, err error) {
	text, err := runOutput("go", "list", "-deps", "-export",
		"-json=ImportPath,Name,Export,Dir,Standard,Imports,EmbedFiles,CgoFiles,ImportMap,Module", ".")
	if err != nil {
		return "", err
	}
	settle := []string{filepath.Join(t.Root, "VERSION"), filepath.Join(t.Root, "go.env")}
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var l listedPackage
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", err
		}
		if l.Name == "main" {
			module, t.Direct = l.ImportPath, l.Imports
			continue
		}
		if l.ImportPath == "unsafe" { // the package unsafe is part of the compiler and has no archive
			continue
		}
		if len(l.CgoFiles) > 0 {
			return "", fmt.Errorf("the package %s uses cgo, which quick cannot link", l.ImportPath)
		}
		p := pkg{Export: l.Export}
		for _, path := range l.Imports {
			if to := l.ImportMap[path]; to != "" {
				path = to
			}
			p.Imports = append(p.Imports, path)
		}
		if l.Module != nil {
			p.Module = l.Module.Path
		}
		if !l.Standard && !strings.HasPrefix(l.Dir, cache+string(filepath.Separator)) {
			settle = append(settle, l.Module.GoMod, filepath.Join(filepath.Dir(l.Module.GoMod), "go.sum"))
			if p.Sources, err = sourceHashes(l.Dir, l.EmbedFiles); err != nil {
				return "", err
			}
		}
		info, err := os.Stat(l.Export)
		if err != nil {
			return "", err
		}
		p.Size = info.Size()
		t.Packages[l.ImportPath] = p
	}
	for _, path := range settle {
		if t.Files[path], err = hashFile(path); err != nil {
			return "", err
		}
	}
	return module, nil
}

var (
	information = regexp.MustCompile(`(?m)^modinfo (".*")$`)
	archive     = regexp.MustCompile(`(?m)^packagefile (\S+)=(.*)$`)
)

// recordBuild builds a program from the source `main` with `go build -x`. It stores the command lines
// of the compiler and linker, and the build information, in the table. It returns an error unless the
// linker used exactly the archives in the table.
func (t *table) recordBuild(main, module string) error {
	// Add the time as a comment, so that the source differs from every earlier source. `go build`
	// then finds no result in the build cache and has to run the compiler.
	if err := os.WriteFile("main.go", fmt.Appendf(nil, "%s// %s\n", main, time.Now()), 0o666); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "quick")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	log, err := runOutput("go", "build", "-x", "-o", filepath.Join(folder, "program"), ".")
	if err != nil {
		return err
	}
	work, _, _ := strings.Cut(strings.TrimPrefix(log, "WORK="), "\n")
	_, link, found := strings.Cut(log, "importcfg.link << 'EOF'")
	info := information.FindStringSubmatch(link)
	if !found || info == nil {
		return errors.New("the output of go build -x contains no list of linked archives (importcfg.link), or this list has no line modinfo")
	}
	link, _, _ = strings.Cut(link, info[0])
	for _, m := range archive.FindAllStringSubmatch(link, -1) {
		if p, ok := t.Packages[m[1]]; (!ok || p.Export != m[2]) && m[1] != module {
			return fmt.Errorf("go build linked the package %s from the archive %s, want the archive in the table (empty if the package is not in the table): %s",
				m[1], m[2], p.Export)
		}
	}
	for path := range t.linkedPackages(t.Direct) {
		if !strings.Contains(link, "\npackagefile "+path+"=") {
			return fmt.Errorf("the package %s is in the table, but go build did not link it", path)
		}
	}
	text, err := strconv.Unquote(info[1])
	if err != nil || len(text) < 32 {
		return fmt.Errorf("invalid build information %q in the output of go build -x: want a quoted string of at least 32 bytes", info[1])
	}
	t.Head, t.Tail = []byte(text[:16]), []byte(text[len(text)-16:])
	build, err := debug.ParseBuildInfo(text[16 : len(text)-16])
	if err != nil {
		return err
	}
	t.Info = *build
	if t.buildInformation(module, t.Packages) != text {
		return errors.New("the build information cannot be reproduced from the table")
	}
	if t.Compile, err = toolCommand(log, "compile", work); err != nil {
		return err
	}
	t.Link, err = toolCommand(log, "link", work)
	return err
}

// toolCommand returns the command line of a tool from the output of `go build -x`. In this command
// line, the text $WORK stands for the path of the temporary folder.
func toolCommand(log, tool, work string) ([]string, error) {
	for line := range strings.Lines(log) {
		words := strings.Fields(strings.ReplaceAll(line, work, "$WORK"))
		at := slices.IndexFunc(words, func(w string) bool { return filepath.Base(w) == tool && filepath.IsAbs(w) })
		if at < 0 || at+1 == len(words) || words[at+1] != "-o" {
			continue
		}
		words = words[at:]
		for i, w := range words {
			if unquoted, err := strconv.Unquote(w); err == nil {
				words[i] = unquoted
			} else if strings.ContainsAny(w, `"'`) {
				return nil, fmt.Errorf("quick cannot split the command line of %s, because an argument contains quotes or blanks", tool)
			}
		}
		return words, nil
	}
	return nil, fmt.Errorf("the output of go build -x contains no command line of the form /…/%s -o …", tool)
}

// runOutput runs a command and returns its standard output. For the command `go build -x`,
// runOutput returns the standard error, because `go build -x` prints its commands there.
func runOutput(program string, args ...string) (string, error) {
	var out, stderr bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = &out, &stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", c, err, stderr.String())
	}
	if args[0] == "build" {
		return stderr.String(), nil
	}
	return out.String(), nil
}
