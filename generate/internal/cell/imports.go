// Package cell reads and formats the cells of GoNB notebooks. In addition to Go, a cell can contain
// commands that begin with % or !, and the line %% before the body of main. The package also finds
// the imports that a cell needs, so that the set-up cell of a notebook can contain all imports.
package cell

import (
	"cmp"
	"fmt"
	"go/format"
	"path"
	"regexp"
	"slices"
	"strings"
)

// HyperplaneModule is the path of the toolkit's module, which contains this package.
const HyperplaneModule = "github.com/hyperplane-notebooks/hyperplane"

// CourseModule is the path of the module with the exercises and lessons. Each process works on a single
// course. Package course sets this variable before other code reads it.
var CourseModule = HyperplaneModule

// InHyperplane reports whether the course is hyperplane's own course, and not a course with a module of
// its own.
func InHyperplane() bool { return CourseModule == HyperplaneModule }

// An Import is one import of a Go file. Name is "" if the package is imported under its own name.
type Import struct {
	Name, Path string
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// Called returns the name by which code refers to the package. This is Name or, if Name is "", the
// last element of the path that is not a major version such as v2.
func (i Import) Called() string {
	if i.Name != "" {
		return i.Name
	}
	base := path.Base(i.Path)
	if majorVersion.MatchString(base) {
		base = path.Base(path.Dir(i.Path))
	}
	return base
}

// isStandard reports whether the import is part of the standard library. In a standard import path,
// the first element contains no dot.
func (i Import) isStandard() bool {
	first, _, _ := strings.Cut(i.Path, "/")
	return !strings.Contains(first, ".")
}

// Merge combines lists of imports. The result contains each import only once. Imports from the
// standard library come first, and all other imports follow. Each group is sorted by path.
func Merge(lists ...[]Import) []Import {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b Import) int {
		rank := func(i Import) int {
			if i.isStandard() {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
	return slices.Compact(all)
}

// Declaration returns the import declaration in gofmt's format, with the standard library separate
// from other packages. It returns "" if the list `imports` is empty.
func Declaration(imports []Import) string {
	if len(imports) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("import (\n")
	for k, i := range imports {
		if k > 0 && imports[k-1].isStandard() && !i.isStandard() {
			b.WriteString("\n")
		}
		// If the import has no name, gofmt removes the space before its path.
		fmt.Fprintf(&b, "\t%s \"%s\"\n", i.Name, i.Path)
	}
	b.WriteString(")")
	source, err := format.Source([]byte(b.String()))
	if err != nil {
		return b.String() // not formatted, because an import path is invalid; the compiler reports it clearly
	}
	return string(source)
}

// commonImports are the packages that cells may use without an import.
var commonImports = []Import{
	{Path: "bytes"}, {Path: "cmp"}, {Path: "encoding/json"}, {Path: "errors"}, {Path: "fmt"}, {Path: "maps"},
	{Path: "math"},
	{Path: "math/cmplx"}, {Path: "math/rand/v2"}, {Path: "os"}, {Path: "path/filepath"}, {Path: "slices"},
	{Path: "sort"},
	{Path: "strconv"}, {Path: "strings"}, {Path: "time"},
	{Path: "gonum.org/v1/gonum/floats"}, {Path: "gonum.org/v1/gonum/integrate/quad"}, {Path: "gonum.org/v1/gonum/mat"},
	{Path: "gonum.org/v1/gonum/optimize"}, {Path: "gonum.org/v1/gonum/stat"},
	{Path: "gonum.org/v1/gonum/stat/distmv"}, {Path: "gonum.org/v1/gonum/stat/distuv"},
	{Path: HyperplaneModule + "/exercises"}, {Path: HyperplaneModule + "/toolkit"},
	{Path: HyperplaneModule + "/toolkit/classify"}, {Path: HyperplaneModule + "/toolkit/datasets"},
	{Path: HyperplaneModule + "/toolkit/figures"},
	{Path: HyperplaneModule + "/toolkit/show"}, {Path: HyperplaneModule + "/toolkit/verify"},
}

// Common returns the packages that cells may use without an import. The keys are the names used in
// code.
func Common() map[string]Import {
	m := map[string]Import{}
	for _, i := range commonImports {
		m[i.Called()] = i
	}
	return m
}
