package toolkit_test

import (
	"go/ast"
	"go/parser"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestErrorsAreDocumented checks the comments of exported functions and methods that return an
// error. Each comment must state when the error occurs, except for the methods in byContract.
func TestErrorsAreDocumented(t *testing.T) {
	for _, dir := range notebookPackages {
		for _, name := range silentAboutErrors(t, filepath.Join(dir, "*.go")) {
			t.Errorf("%s: the comment of %s does not state when the function returns an error", dir, name)
		}
	}
}

// TestErrorsAreDocumentedGoesRed checks that silentAboutErrors finds an interface method and functions
// whose comments do not mention a failure, and a function without a comment. The comment of Spread
// contains the word "error", but only in "standard error", which is not a failure.
func TestErrorsAreDocumentedGoesRed(t *testing.T) {
	if names := silentAboutErrors(t, "testdata/takers.go"); !slices.Equal(names, []string{"Model.Draw", "Named", "Reader", "Spread"}) {
		t.Errorf("got the undocumented functions %q, want Model.Draw, Named, Reader and Spread", names)
	}
}

// saysWhen matches words that a comment uses to state when a function fails. otherErrors matches
// phrases that contain the word "error" but do not concern a failure of the function.
var (
	saysWhen    = regexp.MustCompile(`(?i)\berrors?\b|\bfails?\b|\brefuse[sd]?\b|says what is wrong`)
	otherErrors = regexp.MustCompile(`(?i)\b(standard|cross-entropy|Monte Carlo|squared) errors?\b|\berror function\b|\bthe error (at|E|of)\b`)
)

// byContract lists methods whose errors are documented by an interface: either an interface of this
// module, which the test also checks, or an interface of package encoding or encoding/json.
var byContract = []string{
	"Predict", "Scores", "Posterior", "LogDensities", "LogMarginal", "LogPosterior", "Eval", "PosteriorError",
	"ActivationMoments", "Decide", "Sample",
	"MarshalJSON", "MarshalText",
}

func silentAboutErrors(t *testing.T, pattern string) []string {
	t.Helper()
	var out []string
	_, files := parsedFiles(t, pattern, parser.ParseComments)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if face, ok := spec.Type.(*ast.InterfaceType); ok && spec.Name.IsExported() {
				for _, m := range face.Methods.List {
					if typ, ok := m.Type.(*ast.FuncType); ok && m.Names[0].IsExported() && returnsError(typ) && !says(m.Doc) {
						out = append(out, spec.Name.Name+"."+m.Names[0].Name)
					}
				}
			}
			return false
		})
	}
	for _, fn := range exportedFunctions(files) {
		name := fn.Name.Name
		if fn.Recv != nil {
			receiver := typeName(fn.Recv.List[0].Type)
			if slices.Contains(byContract, name) || !ast.IsExported(receiver) {
				continue
			}
			name = receiver + "." + name
		}
		if returnsError(fn.Type) && !says(fn.Doc) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func says(comment *ast.CommentGroup) bool {
	return saysWhen.MatchString(otherErrors.ReplaceAllString(comment.Text(), ""))
}

func returnsError(fn *ast.FuncType) bool {
	return fn.Results != nil && slices.ContainsFunc(fn.Results.List,
		func(r *ast.Field) bool { return typeName(r.Type) == "error" })
}

// needsExample selects the exported functions that need an example: the functions that fit a model,
// draw a plot or check a property. It selects a function by its name or by the type of its first
// result.
var needsExample = []struct {
	dir string
	is  func(name, result string) bool
}{
	{"classify", func(name, _ string) bool {
		return strings.HasPrefix(name, "Fit") || strings.HasPrefix(name, "Laplace") ||
			strings.HasPrefix(name, "Evaluate") ||
			strings.HasPrefix(name, "Compare") ||
			slices.Contains([]string{"SampleLogistic", "Separable", "ConvolveProbit"}, name)
	}},
	{"show", func(_, result string) bool { return result == "Figure" || result == "Chart" }},
	{"verify", func(_, result string) bool { return result == "Finding" }},
	{"figures", func(_, result string) bool { return result == "Figure" || result == "Chart" }},
}

func TestEveryFitPlotAndCheckHasAnExample(t *testing.T) {
	for _, s := range needsExample {
		names := withoutExample(t, s.dir, s.is)
		if len(names) > 0 {
			t.Errorf("%s: there is no Example of %s", s.dir, strings.Join(names, ", "))
		}
	}
}

// TestExamplesGoesRed checks that withoutExample finds a function without an example. The test uses
// show.Ink, a helper function that has no example and needs none.
func TestExamplesGoesRed(t *testing.T) {
	if names := withoutExample(t, "show", func(name, _ string) bool { return name == "Ink" }); !slices.Equal(names, []string{"Ink"}) {
		t.Errorf("got the functions %q without an example, want Ink", names)
	}
}

func withoutExample(t *testing.T, dir string, is func(name, result string) bool) []string {
	t.Helper()
	examples := map[string]bool{}
	_, tests := parsedFiles(t, filepath.Join(dir, "*_test.go"), 0)
	for _, fn := range exportedFunctions(tests) {
		what, _, _ := strings.Cut(strings.TrimPrefix(fn.Name.Name, "Example"), "_")
		examples[what] = true
	}
	var out []string
	_, files := parsedFiles(t, filepath.Join(dir, "*.go"), 0)
	for _, fn := range exportedFunctions(files) {
		result := "" // name of the type of the first result
		if fn.Type.Results != nil {
			result = typeName(fn.Type.Results.List[0].Type)
		}
		if name := fn.Name.Name; fn.Recv == nil && is(name, result) && !examples[name] {
			out = append(out, name)
		}
	}
	return out
}
