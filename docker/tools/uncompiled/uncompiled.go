// Package uncompiled keeps a list of the functions that are defined in cells that did not compile.
//
// If a cell does not compile, GoNB keeps the earlier definitions of the functions in the cell. The
// program of a later cell then calls the old versions without a warning. The script install.sh
// changes GoNB so that GoNB calls Add and Remove. The checks of the exercises read the list, and do
// not judge a function that is in the list.
package uncompiled

import (
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Name is the name of the file that contains the list, in GoNB's temporary folder. Each line of the
// file contains the name of a function.
const Name = "uncompiled"

// declaration matches the first line of a function, even if the keyword func is misspelt. It does
// not match a method or a function with type parameters.
var declaration = regexp.MustCompile(`^(\w+)[ \t]+(\w+)[ \t]*\(`)

// Add adds to the list in `dir` the functions that a cell declares, except methods and functions with
// type parameters. GoNB calls Add for a cell that did not compile.
func Add(dir string, cell []string) { changeList(dir, cell, true) }

// Remove removes from the list in `dir` the functions that a cell declares. GoNB calls Remove for a
// cell that compiled.
func Remove(dir string, cell []string) { changeList(dir, cell, false) }

// changeList adds the functions of a cell to the list, or removes them from the list. It ignores
// errors, because the cell must run even if the list cannot be written.
func changeList(dir string, cell []string, add bool) {
	path := filepath.Join(dir, Name)
	names := map[string]bool{}
	if text, err := os.ReadFile(path); err == nil {
		for _, name := range strings.Fields(string(text)) {
			names[name] = true
		}
	}
	before := len(names)
	for _, line := range cell {
		m := declaration.FindStringSubmatch(line)
		switch {
		case m == nil || token.IsKeyword(m[1]) && m[1] != "func":
		case add:
			names[m[2]] = true
		default:
			delete(names, m[2])
		}
	}
	if len(names) != before {
		_ = os.WriteFile(path, []byte(strings.Join(slices.Sorted(maps.Keys(names)), "\n")), 0o600)
	}
}
