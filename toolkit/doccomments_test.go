package toolkit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestErrorsAreDocumented: the comment of every exported function or method that
// returns an error says when.
func TestErrorsAreDocumented(t *testing.T) {
	for _, dir := range public {
		for _, name := range silentAboutErrors(t, filepath.Join(dir, "*.go")) {
			t.Errorf("%s: the comment of %s does not say when it returns an error", dir, name)
		}
	}
}

// TestErrorsAreDocumentedGoesRed shows a comment without a word on errors being
// found, and a function without a comment.
func TestErrorsAreDocumentedGoesRed(t *testing.T) {
	if names := silentAboutErrors(t, "testdata/takers.go"); !slices.Equal(names, []string{"Model.Draw", "Named", "Reader", "Spread"}) {
		t.Errorf("silent are %q, want Model.Draw, Named, Reader and Spread", names)
	}
}

// saysWhen finds words that tell when a function fails, and otherErrors those that
// look like them.
var (
	saysWhen    = regexp.MustCompile(`(?i)\berrors?\b|\bfails?\b|\brefuse[sd]?\b|says what is wrong`)
	otherErrors = regexp.MustCompile(`(?i)\b(standard|cross-entropy|Monte Carlo|squared) errors?\b|\berror function\b|\bthe error (at|E|of)\b`)
)

// byContract are methods whose errors an interface tells: one of this package, which
// the test looks at as well, or of encoding and encoding/gob.
var byContract = []string{
	"Predict", "Scores", "Posterior", "LogDensities", "LogMarginal", "LogPosterior", "Eval", "PosteriorError", "ActivationMoments", "Decide", "Sample",
	"MarshalJSON", "MarshalText", "GobEncode", "GobDecode",
}

func silentAboutErrors(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	var out []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			if face, ok := spec.Type.(*ast.InterfaceType); ok {
				for _, m := range face.Methods.List {
					if typ, ok := m.Type.(*ast.FuncType); ok && m.Names[0].IsExported() && returnsError(typ) && !says(m.Doc) {
						out = append(out, spec.Name.Name+"."+m.Names[0].Name)
					}
				}
			}
			return false
		})
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || !returnsError(fn.Type) {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				if slices.Contains(byContract, name) || !ast.IsExported(receiver(fn)) {
					continue
				}
				name = receiver(fn) + "." + name
			}
			if !says(fn.Doc) {
				out = append(out, name)
			}
		}
	}
	return out
}

func says(comment *ast.CommentGroup) bool {
	return saysWhen.MatchString(otherErrors.ReplaceAllString(comment.Text(), ""))
}

func returnsError(fn *ast.FuncType) bool {
	return fn.Results != nil && slices.ContainsFunc(fn.Results.List, func(r *ast.Field) bool {
		id, ok := r.Type.(*ast.Ident)
		return ok && id.Name == "error"
	})
}

// receiver is the name of the type that a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if g, ok := typ.(*ast.IndexExpr); ok {
		typ = g.X
	}
	return typ.(*ast.Ident).Name
}
