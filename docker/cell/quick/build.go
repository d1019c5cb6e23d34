package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
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

// build compiles and links ./main.go. It reads the table from the path `file`, and writes the
// linked program to the path `program`.
func build(file, program string) error {
	t, err := readTable(file)
	if err != nil {
		return err
	}
	module, source, err := t.readCell(program)
	if err != nil {
		return err
	}
	imports, err := t.importedPackages(source)
	if err != nil {
		return err
	}
	packages := t.linkedPackages(imports)
	same := make(chan error, 1)
	go func() { same <- checkUnchanged(packages) }() // compare the sources with the table while the compiler works

	work, err := os.MkdirTemp("", "quick")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var direct, all strings.Builder
	for _, path := range slices.Compact(slices.Sorted(slices.Values(append(imports, "runtime")))) {
		if path != "unsafe" {
			fmt.Fprintf(&direct, "packagefile %s=%s\n", path, packages[path].Export)
		}
	}
	fmt.Fprintf(&all, "packagefile %s=%s\n", module, filepath.Join(work, "b001", "_pkg_.a"))
	for path, p := range packages {
		fmt.Fprintf(&all, "packagefile %s=%s\n", path, p.Export)
	}
	fmt.Fprintf(&all, "modinfo %q\n", t.buildInformation(module, packages))

	err = errors.Join(os.MkdirAll(filepath.Join(work, "b001", "exe"), 0o777),
		os.WriteFile(filepath.Join(work, "b001", "importcfg"), []byte(direct.String()), 0o666),
		os.WriteFile(filepath.Join(work, "b001", "importcfg.link"), []byte(all.String()), 0o666))
	if err != nil {
		return err
	}
	id := fmt.Sprintf("%x", sha256.Sum256(slices.Concat(source, []byte(all.String()))))
	if err := t.runTool(t.Compile, work, id); err != nil {
		return err
	}
	if err := <-same; err != nil {
		return err
	}
	if err := t.runTool(t.Link, work, id); err != nil {
		return err
	}
	return installProgram(filepath.Join(work, "b001", "exe", "a.out"), program)
}

// checkSources returns an error if readTable rejects the table, or if a source or an archive of any
// package in the table has changed.
func checkSources(file string) error {
	t, err := readTable(file)
	if err != nil {
		return err
	}
	return checkUnchanged(t.Packages)
}

// readTable reads the table from the path `file`. It returns an error if a setting that buildSettings
// returns, or a file such as go.mod, has changed since the table was made. Once a day it also returns
// an error for an unchanged table, so that the caller of quick runs `go build`, which marks the
// archives as used. Without this mark, the build cache deletes an archive after five days. The table's
// modification time says when the table was made, or when readTable last returned this error.
func readTable(file string) (*table, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if now := time.Now(); now.Sub(info.ModTime()) > 24*time.Hour && os.Chtimes(file, now, now) == nil {
		return nil, errors.New("the table is more than a day old: run go build, which marks the archives as used")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := new(table)
	if err := gob.NewDecoder(f).Decode(t); err != nil {
		return nil, err
	}
	if !slices.Equal(t.Environ, buildSettings()) {
		return nil, fmt.Errorf("the environment has changed from %q to %q", t.Environ, buildSettings())
	}
	for path, recorded := range t.Files {
		if hash, err := hashFile(path); err != nil {
			return nil, err
		} else if hash != recorded {
			return nil, fmt.Errorf("%s has changed", path)
		}
	}
	return t, nil
}

var moduleLine = regexp.MustCompile(`^module (gonb_\w+)\n`)

// readCell returns the module path and the source of the cell in the working directory. It returns
// an error if the directory contains files that neither GoNB nor quick creates, or if go.mod or
// go.work differs from the table's copy.
func (t *table) readCell(program string) (module string, source []byte, err error) {
	entries, err := os.ReadDir(".")
	if err != nil {
		return "", nil, err
	}
	usual := []string{"main.go", "main_test.go", "go.mod", "go.work", "go.work.sum", "gopls_socket", "uncompiled",
		filepath.Base(program)}
	for _, e := range entries {
		if !slices.Contains(usual, e.Name()) {
			return "", nil, fmt.Errorf("unexpected file %s beside the cell: want only files created by GoNB", e.Name())
		}
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return "", nil, err
	}
	work, err := os.ReadFile("go.work")
	if err != nil {
		return "", nil, err
	}
	m := moduleLine.FindSubmatch(mod)
	if m == nil {
		return "", nil, errors.New("go.mod does not begin with GoNB's module line (module gonb_…)")
	}
	module = string(m[1])
	if got := strings.ReplaceAll(string(mod), module, name); got != t.GoMod {
		return "", nil, fmt.Errorf("go.mod is %q, want %q (NAME stands for the path of the cell's module)", got, t.GoMod)
	}
	if string(work) != t.GoWork {
		return "", nil, fmt.Errorf("go.work is %q, want %q", work, t.GoWork)
	}
	source, err = os.ReadFile("main.go")
	return module, source, err
}

// importedPackages returns the import paths in the source. It returns an error if the source imports
// a package that is neither unsafe nor in t.Direct. It also returns an error if the source contains
// `//go:` or `+build` anywhere, because this text can be a directive such as `//go:embed`, and only
// `go build` handles directives.
func (t *table) importedPackages(source []byte) ([]string, error) {
	if bytes.Contains(source, []byte("//go:")) || bytes.Contains(source, []byte("+build")) {
		return nil, errors.New("main.go contains directives (//go: or +build), which only go build handles")
	}
	f, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !slices.Contains(t.Direct, path) && path != "unsafe" {
			return nil, fmt.Errorf("the package %s is not in the table's list of packages that a program may import", spec.Path.Value)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// linkedPackages returns all packages that the linker needs for a program with the given imports.
func (t *table) linkedPackages(imports []string) map[string]pkg {
	all := map[string]pkg{}
	for todo := append([]string{"runtime"}, imports...); len(todo) > 0; {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, done := all[path]; !done && path != "unsafe" {
			all[path] = t.Packages[path]
			todo = append(todo, all[path].Imports...)
		}
	}
	return all
}

// checkUnchanged returns an error if the sources or archives of the packages are no longer as the
// table describes them.
func checkUnchanged(packages map[string]pkg) error {
	for path, p := range packages {
		for folder, recorded := range p.Sources {
			if hash, err := hashFolder(folder); err != nil {
				return err
			} else if hash != recorded {
				return fmt.Errorf("the source of %s in %s has changed", path, folder)
			}
		}
		if info, err := os.Stat(p.Export); err != nil {
			return fmt.Errorf("the archive of %s: %w", path, err)
		} else if info.Size() != p.Size {
			return fmt.Errorf("the size of the archive of %s has changed", path)
		}
	}
	return nil
}

// buildInformation returns the text that the linker stores in the program for
// runtime/debug.ReadBuildInfo. The text lists only the modules of the given packages.
func (t *table) buildInformation(module string, packages map[string]pkg) string {
	used := map[string]bool{}
	for _, p := range packages {
		used[p.Module] = true
	}
	info := t.Info
	info.Path, info.Main = module, debug.Module{Path: module, Version: t.Info.Main.Version}
	info.Deps = slices.DeleteFunc(slices.Clone(info.Deps), func(m *debug.Module) bool { return !used[m.Path] })
	return string(t.Head) + info.String() + string(t.Tail)
}

// runTool runs the compiler or the linker and discards its output. If the tool fails, the caller of
// quick runs `go build`, which prints the errors.
func (t *table) runTool(command []string, work, id string) error {
	args := make([]string, len(command))
	for i, a := range command {
		args[i] = strings.ReplaceAll(a, "$WORK", work)
		if strings.HasPrefix(a, "-buildid=") {
			args[i] = "-buildid=" + id
		} else if i > 0 && command[i-1] == "-buildid" {
			args[i] = id
		}
	}
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), "GOROOT="+t.Root)
	return c.Run()
}
