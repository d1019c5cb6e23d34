package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// restoreImport adds missing imports to a program. If the program uses the name of a package
// without importing it, and t.Direct contains exactly one package with this name, restoreImport
// adds the import. goimports does not suffice, because it recognises a package by the exported names
// that a program uses, and these names may be misspelt. For the misspelt call math.exp, goimports
// removes the import of math. For classify.FitLogistik, it adds no import. The compiler would then
// report only "undefined: math" or "undefined: classify". After restoreImport has added the import,
// the compiler names the misspelt function.
func restoreImport(t *table, file string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		return err
	}
	missing := unimported(f)
	var added strings.Builder
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		paths := slices.DeleteFunc(slices.Clone(t.Direct), func(p string) bool { return packageName(p) != name })
		if len(paths) == 1 {
			fmt.Fprintf(&added, "import %q\n", paths[0])
		}
	}
	if added.Len() == 0 {
		return nil
	}
	end := int(f.Name.End()) - 1
	text := slices.Concat(source[:end], []byte("\n\n"+added.String()), source[end:])
	return os.WriteFile(file, text, 0o666)
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// packageName returns the usual name of the package with this import path. The name is the last
// element of the path. If the last element is a version such as v2, the name is the element before
// it.
func packageName(importPath string) string {
	name := path.Base(importPath)
	if version.MatchString(name) {
		name = path.Base(path.Dir(importPath))
	}
	return name
}

// unimported returns the identifiers that stand before a dot in the source, and that the source
// neither declares nor imports.
func unimported(f *ast.File) map[string]bool {
	unresolved := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		unresolved[id] = true
	}
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && unresolved[id] {
				names[id.Name] = true
			}
		}
		return true
	})
	for _, i := range f.Imports {
		name := packageName(strings.Trim(i.Path.Value, `"`+"`"))
		if i.Name != nil {
			name = i.Name.Name
		}
		delete(names, name)
	}
	return names
}
