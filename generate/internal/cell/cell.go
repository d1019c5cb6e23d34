package cell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// packageClause matches a package clause. GoNB ignores package clauses, because every cell is in
// package main.
var packageClause = regexp.MustCompile(`(?m)^package \w+[ \t\r]*$`)

// WithoutPackage returns the source with every package clause replaced by an empty line. It also
// removes the byte order mark that some editors write.
func WithoutPackage(source string) string {
	return packageClause.ReplaceAllString(strings.TrimPrefix(source, "\ufeff"), "")
}

// programMagic matches a cell whose first line is a command such as %%bash, which passes the cell
// to a different program.
var programMagic = regexp.MustCompile(`^\s*%%[a-z]`)

// A Cell is the source of a GoNB cell, split into its parts.
type Cell struct {
	Source  string   // source as written, without import declarations and without lines that belong in the set-up cell
	Imports []Import // packages that the cell imports, and known packages that the cell uses without an import
}

// Read splits the source of a cell into its parts. The cell begins at the given line of the file; Read
// uses the file and the line only in its errors. The argument `known` contains the packages that a
// cell may use without an import.
//
// Read removes import declarations, %noautoget and the version check (toolkit.MadeWith) from the
// source, because they belong in the set-up cell. If the code is not valid Go, the error states the
// file and the line. A cell that begins with a cell magic (%%bash, %%writefile, …) contains no Go, so
// Read only removes the newlines at its end.
func Read(file string, line int, source string, known map[string]Import) (*Cell, error) {
	if programMagic.MatchString(source) {
		return &Cell{Source: strings.TrimRight(source, "\n")}, nil
	}
	goSource, fill, hasMain := asFile(source)
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", goSource, parser.ParseComments)
	if err != nil {
		return nil, addPosition(err, file, line)
	}
	c := &Cell{}
	drop := map[int]bool{} // line numbers in goSource; Read omits these lines from the cell's source
	own := map[string]bool{}
	for _, decl := range parsed.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for n := fset.Position(d.Pos()).Line; n <= fset.Position(d.End()).Line; n++ {
			drop[n] = true
		}
		for _, s := range d.Specs {
			spec := s.(*ast.ImportSpec)
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, line, err)
			}
			imp := Import{Path: p}
			if spec.Name != nil {
				imp.Name = spec.Name.Name
			}
			c.Imports = append(c.Imports, imp)
			own[imp.Called()] = true
		}
	}
	c.Imports = append(c.Imports, Used(parsed, parsed, func(name string) (Import, bool) {
		imp, ok := known[name]
		return imp, ok && !own[name]
	})...)
	c.Imports = Merge(c.Imports)
	c.Source = remaining(source, drop, fill, hasMain)
	return c, nil
}

// Used returns the imports of the packages that are used in `node`, a part of the syntax tree of
// `file`. The function `called` returns the import for a package's name, or false for an unknown
// name.
func Used(file *ast.File, node ast.Node, called func(name string) (Import, bool)) []Import {
	unresolved := map[*ast.Ident]bool{}
	for _, id := range file.Unresolved {
		unresolved[id] = true
	}
	var used []Import
	ast.Inspect(node, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && unresolved[id] {
				if imp, ok := called(id.Name); ok {
					used = append(used, imp)
				}
			}
		}
		return true
	})
	return used
}

// asFile converts a cell to a Go file. It puts a package clause in front, empties lines with
// commands, and makes the code below the line %% or %main the body of main. The result `fill` is the
// number of lines that asFile put in front. The result `hasMain` is true if the cell contains the line
// %% or %main.
func asFile(source string) (goSource string, fill int, hasMain bool) {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		switch trimmed := strings.TrimSpace(line); {
		case !hasMain && isMain(line):
			lines[i] = "func main() {"
			hasMain = true
		case strings.HasPrefix(trimmed, "%") || strings.HasPrefix(trimmed, "!"):
			lines[i] = ""
		}
	}
	goSource = "package cell\n" + strings.Join(lines, "\n")
	if hasMain {
		goSource += "\n}"
	}
	return goSource, 1, hasMain
}

// remaining returns the source without %noautoget, the version check, and the lines whose numbers in
// the Go file are in the set `drop`. It also removes spaces at the ends of lines, and empty lines at
// both ends of the source. It returns "" if only an empty main is left.
func remaining(source string, drop map[int]bool, fill int, hasMain bool) string {
	var kept []string
	for i, line := range strings.Split(source, "\n") {
		trimmed := strings.TrimSpace(line)
		if drop[i+1+fill] || trimmed == "%noautoget" || strings.HasPrefix(trimmed, "toolkit.MadeWith(") {
			continue
		}
		kept = append(kept, strings.TrimRight(line, " \t\r"))
	}
	s := strings.Trim(strings.Join(kept, "\n"), "\n")
	if hasMain && (s == "%%" || s == "%main") {
		return ""
	}
	return s
}

// addPosition returns the first syntax error in err, with the file and the line where the error is.
// The cell begins at the given line of the file.
func addPosition(err error, file string, line int) error {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		// Line 1 of the parsed text is the package clause. Line 2 is the first line of the cell.
		return fmt.Errorf("%s:%d: %s", file, line+max(list[0].Pos.Line-2, 0), list[0].Msg)
	}
	return fmt.Errorf("%s:%d: %w", file, line, err)
}

// Format returns the cell in gofmt's format. It formats the declarations above the line %% (or %main)
// and the statements below that line. Commands to the kernel stay unchanged. If the cell is not valid Go,
// the error states the line in the cell.
func Format(source string) (string, error) {
	lines := strings.Split(source, "\n")
	at := slices.IndexFunc(lines, isMain)
	if at < 0 {
		return formatPart(source, 1)
	}
	var out []string
	if at > 0 {
		declarations, err := formatPart(strings.Join(lines[:at], "\n"), 1)
		if err != nil {
			return "", err
		}
		out = append(out, declarations)
	}
	statements, err := formatPart(strings.Join(lines[at+1:], "\n"), at+2)
	return strings.Join(append(out, strings.TrimSpace(lines[at]), statements), "\n"), err
}

// commandLine matches a line that begins with % or !, as a command to the kernel does.
var commandLine = regexp.MustCompile(`(?m)^[ \t]*[%!].*$`)

// commandMask is a text that Format puts in front of a command, so that the line becomes a comment.
// This comment has the form of a directive, because gofmt does not change the text of a directive.
const commandMask = "//gonb:x"

// formatPart formats the part of a cell that begins at the given line.
func formatPart(source string, first int) (string, error) {
	text, err := format.Source([]byte(source))
	if err == nil {
		return string(text), nil
	}
	without := commandLine.ReplaceAllStringFunc(source, func(line string) string { return commandMask + line })
	if text, err := format.Source([]byte(without)); err == nil {
		return strings.ReplaceAll(string(text), commandMask, ""), nil
	}
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
		// The error can be beyond the end of the cell, in a line that format.Source has added.
		line := min(list[0].Pos.Line, 1+strings.Count(source, "\n"))
		err = fmt.Errorf("line %d: %s", first+max(line, 1)-1, list[0].Msg)
	}
	return "", err
}
