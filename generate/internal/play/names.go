package play

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// NamesPath is the path, on the site, of the file with the names that the editors can complete.
const NamesPath = Folder + "/names.json"

// An exportedName is an exported name of a package. Its four strings are the name, CodeMirror's
// word for this kind of name, the signature or type, and the first sentence of the documentation. The
// last two strings can be "".
type exportedName [4]string

// exportedOf returns a map with the exported names of all packages that the page can import into
// answers or cells. The keys of the map are the names of the packages.
func (b *builder) exportedOf(m *Manifest) (any, error) {
	all := map[string][]exportedName{}
	for _, imports := range []map[string]string{m.Imports, m.CellImports} {
		for called, path := range imports {
			p := b.list[path]
			for _, file := range p.GoFiles {
				list, err := exportedNames(filepath.Join(p.Dir, file))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", path, err)
				}
				all[called] = append(all[called], list...)
			}
		}
	}
	return all, nil
}

// exportedNames returns the exported names that a file declares, without methods.
func exportedNames(file string) (list []exportedName, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	add := func(name *ast.Ident, kind, detail string, docs ...*ast.CommentGroup) {
		if !name.IsExported() {
			return
		}
		text := ""
		for _, d := range docs {
			if text == "" {
				text = new(doc.Package).Synopsis(d.Text())
			}
		}
		list = append(list, exportedName{name.Name, kind, detail, text})
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name, "function", strings.TrimPrefix(inOneLine(d.Type), "func"), d.Doc)
			}
		case *ast.GenDecl:
			group := d.Doc
			if d.Lparen.IsValid() {
				group = nil // ignore a comment above a group of declarations, because it describes no single name
			}
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name, "type", kindOf(s.Type), s.Doc, group)
				case *ast.ValueSpec:
					detail := ""
					if s.Type != nil {
						detail = inOneLine(s.Type)
					}
					for _, name := range s.Names {
						add(name, map[token.Token]string{token.CONST: "constant", token.VAR: "variable"}[d.Tok], detail,
							s.Doc, s.Comment, group)
					}
				}
			}
		}
	}
	return list, nil
}

// kindOf returns "struct" for a struct type and "interface" for an interface type. For other types
// it returns the whole type.
func kindOf(t ast.Expr) string {
	switch t.(type) {
	case *ast.StructType:
		return "struct"
	case *ast.InterfaceType:
		return "interface"
	}
	return inOneLine(t)
}

var spaces = regexp.MustCompile(`\s+`)

// inOneLine returns the source of an expression in one line.
func inOneLine(e ast.Expr) string {
	var out bytes.Buffer
	if err := format.Node(&out, token.NewFileSet(), e); err != nil {
		return ""
	}
	return spaces.ReplaceAllString(out.String(), " ")
}
