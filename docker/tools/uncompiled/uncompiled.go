// Package uncompiled keeps the names of the functions whose cells did not compile.
//
// GoNB keeps the definitions from before such a cell, and the program of a later cell
// cannot see that it calls an old version. install.sh adds the calls of Add and Remove
// to GoNB; the checks of the exercises read the file.
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

// Name is the name of the file in GoNB's temporary folder, with one function per line.
const Name = "uncompiled"

// declaration matches the first line of a function, even with a misspelt func.
var declaration = regexp.MustCompile(`^(\w+)[ \t]+(\w+)[ \t]*\(`)

// Add adds the functions of a cell that did not compile.
func Add(dir string, cell []string) { change(dir, cell, true) }

// Remove removes the functions of a cell that compiled.
func Remove(dir string, cell []string) { change(dir, cell, false) }

// change does nothing if the file cannot be written: the cell matters more.
func change(dir string, cell []string, add bool) {
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
