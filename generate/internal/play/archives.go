package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
)

// importable contains the packages that every answer on a page may import.
var importable = []string{
	"bytes", "cmp", "container/heap", "container/list", "errors", "fmt", "iter", "maps", "math", "math/bits",
	"math/cmplx", "math/rand",
	"math/rand/v2", "os", "slices", "sort", "strconv", "strings", "sync", "time", "unicode", "unicode/utf8",
	"gonum.org/v1/gonum/blas/blas64", "gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/floats/scalar",
	"gonum.org/v1/gonum/integrate/quad", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/optimize",
	"gonum.org/v1/gonum/stat",
	"gonum.org/v1/gonum/stat/distmv", "gonum.org/v1/gonum/stat/distuv",
	cell.HyperplaneModule + "/exercises", cell.HyperplaneModule + "/toolkit", cell.HyperplaneModule + "/toolkit/verify",
}

// forCells lists the additional packages that cells in a page may import.
var forCells = []string{"encoding/json", "path/filepath", cell.HyperplaneModule + "/toolkit/classify",
	cell.HyperplaneModule + "/toolkit/datasets", cell.HyperplaneModule + "/toolkit/figures",
	cell.HyperplaneModule + "/toolkit/show"}

// cellPackage is the package that handles the text of cells. It also runs in the page, as a part of
// the program whose source is the constant `editor`.
const cellPackage = cell.HyperplaneModule + "/generate/internal/cell"

// Importable reports whether the cells of all pages may import the package.
func Importable(path string) bool {
	return slices.Contains(importable, path) || slices.Contains(forCells, path)
}

// A compiledPackage describes a package, as go list reports it.
type compiledPackage struct {
	licences.Package
	Export  string // path of the compiled package; "" without the flag -export, and for package unsafe
	Name    string
	Deps    []string
	GoFiles []string // names in Dir
}

// putArchives puts the compiled packages on the site. One file contains the packages that every
// answer may import, and the packages that more than one exercise needs. For each exercise, another
// file contains the remaining packages of this exercise. One more file contains the remaining
// packages for cells. When putArchives counts the exercises that need a package, it does not count
// the tasks of lessons.
func (b *builder) putArchives(ctx context.Context, m *Manifest) error {
	list, err := b.listPackages(ctx, "-export") // the flag -export makes go list compile the packages
	if err != nil {
		return err
	}
	b.list = list
	// The map `uses` contains, for each package, the number of exercises that use the package, without
	// the tasks of lessons. The map `needed` contains the packages that every answer may import, and
	// the dependencies of these packages.
	uses, needed := map[string]int{}, map[string]bool{}
	b.imported = map[string]bool{}
	for _, p := range slices.Concat(importable, forCells) {
		b.imported[p] = true
	}
	for _, e := range b.Exercises {
		for _, p := range neededPackages(list, e) {
			if !e.OfLesson() {
				uses[p]++
			}
		}
		b.imported[e.Import().Path] = true
		for _, i := range e.Answer.Solution.Imports {
			b.imported[i.Path] = true
			// Leave out the exercise's own package, because the keys of m.Imports are package names,
			// and several books have a package with the same name, for example ex01. The page itself
			// adds the import of the exercise's own package.
			if i.Path != e.Import().Path {
				m.Imports[i.Called()] = i.Path
			}
		}
	}
	for _, p := range importable {
		// If two packages have the same name, the name stands for the later package in the list:
		// rand stands for math/rand/v2.
		m.Imports[cell.Import{Path: p}.Called()] = p
		for _, p := range withDependencies(list, p) {
			needed[p] = true
		}
	}
	base := func(p string) bool { return needed[p] || uses[p] > 1 }
	if m.Base, err = b.writePack(ctx, "packages", list, base); err != nil {
		return err
	}
	var more []string
	for _, p := range forCells {
		m.CellImports[cell.Import{Path: p}.Called()] = p
		more = append(more, withDependencies(list, p)...)
	}
	if m.Cells, err = b.writePack(ctx, "cells", list, func(p string) bool {
		return slices.Contains(more, p) && !base(p)
	}); err != nil {
		return err
	}
	for _, e := range byID(b.Exercises) {
		own := neededPackages(list, e)
		m.Packs[e.ID], err = b.writePack(ctx, e.ID, list, func(p string) bool {
			return slices.Contains(own, p) && !base(p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// withDependencies returns the given package and all its dependencies.
func withDependencies(list map[string]compiledPackage, path string) []string {
	return append(slices.Clone(list[path].Deps), path)
}

// neededPackages returns the packages that the check and the reference answer of an exercise need.
func neededPackages(list map[string]compiledPackage, e *exercise.Exercise) []string {
	all := withDependencies(list, e.Import().Path)
	for _, i := range e.Answer.Solution.Imports {
		all = append(all, withDependencies(list, i.Path)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// listPackages runs go list with additional flags. It returns the packages that answers, cells,
// checks and the program `editor` import, with all their dependencies, keyed by import path.
func (b *builder) listPackages(ctx context.Context, flags ...string) (map[string]compiledPackage, error) {
	args := slices.Concat([]string{"list", "-modfile=" + b.mod, "-deps", "-trimpath",
		"-json=Export,Deps,Name,GoFiles," + licences.Fields}, flags, importable, forCells, []string{cellPackage})
	for _, e := range b.Exercises {
		args = append(args, e.Import().Path)
		for _, i := range e.Answer.Solution.Imports {
			args = append(args, i.Path)
		}
	}
	out, err := b.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	list := map[string]compiledPackage{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p compiledPackage
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		list[p.ImportPath] = p
	}
}

// writeModfile writes a go.mod that replaces GoNB with a copy of the module in the folder `stub`, and
// returns the path of the go.mod.
func (b *builder) writeModfile(dir string) (string, error) {
	const gonb = "github.com/janpfeifer/gonb"
	mod, err := os.ReadFile(filepath.Join(b.Root, "go.mod"))
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(filepath.Join(b.Root, "go.sum"))
	if err != nil {
		return "", err
	}
	stub := filepath.Join(dir, "gonb")
	for name, source := range stubs {
		file := filepath.Join(stub, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, source, 0o600)); err != nil {
			return "", err
		}
	}
	mod = fmt.Appendf(mod, "\nreplace %s => %q\n", gonb, stub)
	file := filepath.Join(dir, "page.mod")
	return file, errors.Join(os.WriteFile(file, mod, 0o600), os.WriteFile(filepath.Join(dir, "page.sum"), sum, 0o600))
}

// writePack puts one compressed file on the site, with the archives of the packages for which the
// function `in` returns true. Uncompressed, the file begins with a line of JSON, which is a list with
// three values for each package: the import path, the number of bytes, and whether answers or cells
// may import the package. The archives follow. If no answer and no cell may import a package,
// writePack omits the package's export data. These data are not needed, because the export data of
// the packages that import this package contain the necessary parts.
func (b *builder) writePack(ctx context.Context, name string, list map[string]compiledPackage,
	in func(string) bool) (Part, error) {
	var head [][3]any
	var body bytes.Buffer
	for _, p := range slices.Sorted(maps.Keys(list)) {
		if !in(p) || list[p].Export == "" { // also skip package unsafe, which has no archive
			continue
		}
		archive, err := os.ReadFile(list[p].Export)
		if err != nil {
			return Part{}, err
		}
		if !b.imported[p] {
			if archive, err = withoutExportData(archive); err != nil {
				return Part{}, fmt.Errorf("%s: %w", p, err)
			}
		}
		head = append(head, [3]any{p, len(archive), b.imported[p]})
		body.Write(archive)
	}
	line, err := json.Marshal(head)
	if err != nil {
		return Part{}, err
	}
	data, err := b.compressRaw(ctx, slices.Concat(line, []byte("\n"), body.Bytes()))
	return b.add(strings.ReplaceAll(name, ".", "-"), ".pack", data), err
}

// withoutExportData returns an archive without its first member, the export data. The linker needs
// only the other members.
func withoutExportData(archive []byte) ([]byte, error) {
	const magic, header = "!<arch>\n", 60
	const sizeAt = 48 // offset of the member's size in the header; the size has ten digits
	first := len(magic) + header
	if len(archive) < first || !bytes.HasPrefix(archive[len(magic):], []byte("__.PKGDEF ")) {
		return nil, errors.New("invalid archive: want __.PKGDEF as the first member")
	}
	size, err := strconv.Atoi(strings.TrimSpace(string(archive[len(magic)+sizeAt : len(magic)+sizeAt+10])))
	if err != nil || first+size+size%2 > len(archive) {
		return nil, errors.New("invalid archive: want a number as the size of __.PKGDEF, and all of __.PKGDEF")
	}
	// Also skip the padding byte after a member of odd size, because members begin at even offsets.
	return slices.Concat([]byte(magic), archive[first+size+size%2:]), nil
}
