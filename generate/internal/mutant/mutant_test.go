package mutant

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

const moduleRoot = "../../.."

// mutantsOf returns a source as a Text, and the mutants of the source. The mutants do not change
// the declarations whose names are in `given`.
func mutantsOf(t *testing.T, source string, imports []cell.Import, given ...string) (Text, []Mutant) {
	t.Helper()
	code := exercise.Code{Source: source, Imports: imports}
	m := must.Get(NewMaker(moduleRoot, []*exercise.Exercise{{Answer: &exercise.Answer{Solution: code}}}))(t)
	text, mutants, err := m.mutate(code, given)
	must.Do(t, err)
	return text, mutants
}

var imports = []cell.Import{{Path: "math"}, {Path: "gonum.org/v1/gonum/floats"}, {Path: "gonum.org/v1/gonum/mat"}}

// TestGolden checks the names of all mutants of a text. The text contains many of the constructs of Go
// that the package can change.
func TestGolden(t *testing.T) {
	_, mutants := mutantsOf(t, must.Read(t, "testdata/answer.go.txt"), imports, "given")
	names := ""
	for _, m := range mutants {
		names += m.Name + "\n"
	}
	must.Golden(t, "testdata/mutants.golden", names)
}

// TestKinds checks each kind of edit on a small function. In each test case, the names of the mutants
// must show every change in `want` and no change in `not`. A change is the new code, or the old and the
// new code with an arrow between them.
func TestKinds(t *testing.T) {
	tests := []struct {
		name, source string
		want, not    []string
	}{
		{"sign", "func f(a, b float64) float64 { return a - -b }",
			[]string{"return a + -b", "return a - b", "return -(a - -b)"}, nil},
		{"factor", "func f(a, b float64) float64 { c := 0.5 * a * b; return c }",
			[]string{"c := 1.0 * a * b", "c := 0.25 * a * b", "c := a * b", "c := 0.5 * a", "c := 0.5 * a / b",
				"return 2*c", "return c/2"}, nil},
		{"transposed", "func f(a, b *mat.Dense) float64 { var c mat.Dense; c.Mul(a.T(), b); return c.At(0, 1) }",
			[]string{"c.Mul(a, b)", "c.Mul(a.T(), b.T())", "c.Mul(b, a.T())", "return c.At(1, 0)"},
			[]string{"c.Mul(a.T().T(), b)"}},
		{"symmetric", "func f(a *mat.SymDense, i, j int) float64 { return a.At(i, j) }",
			nil, []string{"return a.At(j, i)"}},
		{"indices", "func f(a [][]float64, i, j int) float64 { return a[i][j] }",
			[]string{"return a[j][i]"}, nil},
		{"off by one",
			"func f(v []float64) (s float64) { for i := 0; i < len(v); i++ { s += v[i] / float64(len(v)) }; return s }",
			[]string{"for i := 1; i < len(v); i++", "for i := 0; i <= len(v); i++", "for i := 0; i < len(v)-1; i++",
				"s += v[i] / float64(len(v)-1)", "s += v[i] / float64(len(v)+1)"},
			[]string{"s += v[i] / float64(len(v)-1-1)"}},
		{"range", "func f(n int) (s int) { for i := range n + 1 { s += i }; return s }",
			[]string{"for i := 1; i < n + 1; i++", "for i := range n + 1-1"}, nil},
		{"range over a slice", "func f(v []float64) (s float64) { for i := range v { s += v[i] }; return s }",
			[]string{"for i := 1; i < len(v); i++", "for i := range v[:len(v)-1]"}, nil},
		{"dropped", "func f(v []float64) float64 { s := 1.0; s += v[0]; floats.Scale(2, v); return s + v[1] }",
			[]string{"s += v[0] → removed", "floats.Scale(2, v) → removed", "return s", "return v[1]", "s = v[0]"},
			nil},
		{"guard", "func f(n int) int { if n == 0 { return 7 }; if n < 0 { panic(n) }; return n }",
			[]string{"if n == 0 { return 7 } → removed", "if n != 0", "return n+1"},
			[]string{"if n < 0 { panic(n) } → removed"}},
		{"bias", "func f(v []float64) []float64 { return append([]float64{1}, v...) }",
			[]string{"return append([]float64{0}, v...)"}, nil},
		{"comparison", "func f(a, b float64) bool { return a < b || a == 3 }",
			[]string{"return a <= b || a == 3", "return a > b || a == 3", "return a < b || a != 3",
				"return a < b && a == 3", "return a < b", "return a == 3"}, nil},
		{"min and max", "func f(a, b float64) float64 { return math.Max(a, min(a, b)) + floats.Max([]float64{a}) }",
			[]string{"return math.Min(a, min(a, b)) + floats.Max([]float64{a})",
				"return math.Max(a, max(a, b)) + floats.Max([]float64{a})",
				"return math.Max(a, min(a, b)) + floats.Min([]float64{a})"}, nil},
		{"math", "func f(a float64) float64 { return math.Sqrt(math.Pi) * math.Log(a) * math.Exp(-a) }",
			[]string{"return (math.Pi) * math.Log(a) * math.Exp(-a)",
				"return math.Sqrt(1.0) * math.Log(a) * math.Exp(-a)", "return math.Sqrt(math.Pi) * (a) * math.Exp(-a)",
				"return math.Sqrt(math.Pi) * math.Log(a) * math.Exp(a)"}, nil},
		{"truth", "func f(a float64) (float64, bool) { ok := a > 0; return a, ok }",
			[]string{"return a, !ok", "return 0, ok"}, nil},
		{"results", "func f(v, w []float64) (a, b []float64) { return v, w }",
			[]string{"return w, v"}, nil},
		{"infinity", "func f() float64 { return math.Inf(1) }",
			[]string{"return math.Inf(-1)"}, []string{"return math.Inf(2)", "return 2*math.Inf(1)"}},
		{"not a number", "func f() float64 { return math.NaN() }",
			[]string{"return 0"}, []string{"return -math.NaN()", "return 2*math.NaN()"}},
		{"would not compile", "func f(n int) int { k := n; return k }",
			nil, []string{"return 0", "k := n → removed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, mutants := mutantsOf(t, tt.source, imports)
			has := func(change string) bool {
				return slices.ContainsFunc(mutants, func(m Mutant) bool {
					return strings.HasSuffix(m.Name, " → "+change) || strings.HasSuffix(m.Name, ": "+change)
				})
			}
			for _, want := range tt.want {
				if !has(want) {
					t.Errorf("the mutant %q is missing", want)
				}
			}
			for _, not := range tt.not {
				if has(not) {
					t.Errorf("got the mutant %q, which must not be made", not)
				}
			}
			if t.Failed() {
				for _, m := range mutants {
					t.Log(m.Name)
				}
			}
		})
	}
}

// TestOrdinals checks that the names of mutants are unique and do not depend on comments and empty
// lines.
func TestOrdinals(t *testing.T) {
	const source = "func f(a float64) float64 {\n\ta = a + 1\n\ta = a + 1\n\treturn a\n}"
	names := func(source string) (names []string) {
		_, mutants := mutantsOf(t, source, nil)
		for _, m := range mutants {
			names = append(names, m.Name)
		}
		return names
	}
	got := names(source)
	for _, want := range []string{"f: a = a + 1 → a = a - 1 #1", "f: a = a + 1 → a = a - 1 #2",
		"f: return a → return -a"} {
		if !slices.Contains(got, want) {
			t.Errorf("the name %q is missing in the names %q", want, got)
		}
	}
	if again := names("// A comment.\n\n" + strings.ReplaceAll(source, "\ta = a + 1\n", "\n\n\ta = a + 1 // more\n")); !slices.Equal(got, again) {
		t.Errorf("with comments and empty lines added, the names change to %q, want no change", again)
	}
	sorted := slices.Sorted(slices.Values(got))
	if len(slices.Compact(sorted)) != len(got) {
		t.Errorf("got the names %q, want a different name for each mutant", got)
	}
}

// TestSuffixed checks that Suffixed appends the suffix only to identifiers of top-level
// declarations.
func TestSuffixed(t *testing.T) {
	const source = "type s struct{ f float64 }\n\nfunc f(g float64) s { return s{f: g} }\n\nfunc g() float64 { f := f(1); return f.f }"
	const want = "type s_3 struct{ f float64 }\n\nfunc f_3(g float64) s_3 { return s_3{f: g} }\n\nfunc g_3() float64 { f := f_3(1); return f.f }"
	text, _ := mutantsOf(t, source, nil)
	if got := text.Suffixed("_3"); got != want {
		t.Errorf("with a suffix, got\n%s\nwant\n%s", got, want)
	}
}

// TestImportsThatAreNoLongerUsed checks that a mutant imports no package that it does not use. With
// an unused import, the mutant would not compile.
func TestImportsThatAreNoLongerUsed(t *testing.T) {
	_, mutants := mutantsOf(t, "func f(a float64) float64 { return a + math.Exp(a) }", imports)
	for _, m := range mutants {
		if uses := strings.Contains(m.Text.Source, "math."); uses != (len(m.Text.Needs()) == 1) {
			t.Errorf("%s has the imports %v, want math if and only if the mutant uses math", m.Name, m.Text.Needs())
		}
	}
}

func TestNotToBeMutated(t *testing.T) {
	none := must.Get(NewMaker(moduleRoot, nil))(t)
	_, _, err := none.mutate(exercise.Code{Source: "func f() float64 { return x }"}, nil)
	must.Fail(t, err, "undefined: x")
	e := must.Get(exercise.Load(os.DirFS(moduleRoot), "generate/internal/exercise/testdata/good/ex07"))(t)
	m := must.Get(NewMaker(moduleRoot, []*exercise.Exercise{e}))(t)
	_, mutants, err := m.Mutants(e)
	if err != nil || len(mutants) == 0 {
		t.Fatalf("got %d mutants and the error %v, want at least one mutant and no error", len(mutants), err)
	}
	for _, m := range mutants {
		if function, _, _ := strings.Cut(m.Name, ":"); !slices.Contains([]string{"Halve", "Mean", "Sum", "total"}, function) {
			t.Errorf("a mutant changes a declaration that the stub provides: %s", m.Name)
		}
	}
	_, err = NewMaker(moduleRoot,
		[]*exercise.Exercise{{Answer: &exercise.Answer{Solution: exercise.Code{Imports: []cell.Import{{Path: "no/such/package"}}}}}})
	must.Fail(t, err, "no/such/package")
}

// TestRepairs checks that the repairs of a wrong answer include the right repair, and that this repair
// states the line, the kind and the operand of the change. A repair must have its own copies of all
// variables and of the declarations that depend on the change or on a variable, but of nothing else.
func TestRepairs(t *testing.T) {
	m := must.Get(NewMaker(moduleRoot,
		[]*exercise.Exercise{{Answer: &exercise.Answer{Solution: exercise.Code{Imports: imports}}}}))(t)
	for _, tt := range []struct {
		name, source string
		line         int
		kind         Kind
		operand      string
		want         string // text that the declarations of the right repair must contain
	}{
		{"another variable", "func f(a, b float64) float64 {\n\treturn a * a\n}", 2, Variable, "a", "return a * b"},
		{"comparison", "func f(n int) int {\n\tif n > 1 {\n\t\treturn 2\n\t}\n\treturn n\n}", 2, Condition, "n > 1",
			"if n >= 1 {"},
		{"tolerance", "func f(a float64) bool {\n\treturn a < 1e-3\n}", 2, Number, "1e-3", "return a < 1e-06"},
		{"arguments", "func f(a, b float64) float64 { return math.Hypot(a, 2*b) + math.Mod(a, b) }", 1, Order, "a, b",
			"math.Mod(b, a)"},
		{"condition removed", "func f(a float64) float64 {\n\tif a > 0 {\n\t\ta = -a\n\t}\n\treturn a\n}", 2, Condition,
			"a > 0", "\t{\n\t\ta = -a\n\t}"},
		{"loop left out", "func f(a float64) float64 {\n\tfor range 3 {\n\t\ta++\n\t}\n\treturn a\n}", 2, Loop,
			"for range 3 { a++ }", "float64 {\n\t\n\treturn a"},
		{"copy of an argument", "func f(v []float64) []float64 {\n\tv[0]++\n\treturn v\n}", 1, Shared, "v",
			"{v = slices.Clone(v); \n\tv[0]++"},
		{"sign of an operand", "func f(a, b float64) float64 { return a * (b - 1) }", 1, Sign, "b", "((-b) - 1)"},
		{"missing divisor", "func f(a float64, n int) float64 { return a + 1 }", 1, Missing, "a + 1", "((a + 1)/float64(n))"},
		{"last use of a variable removed", "func f(a float64) float64 {\n\tb := math.Exp(a)\n\treturn a + b\n}", 3, Term,
			"+ b", "b := math.Exp(a); _ = b; \n\treturn a\n"},
		{"last use of a loop variable removed",
			"func f(v []float64) float64 {\n\ts := 0.0\n\tfor i, x := range v {\n\t\ts += x + float64(i)\n\t}\n\treturn s\n}", 4, Term, "+ float64(i)", "range v {; _ = i; \n\t\ts += x\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code := exercise.Code{Source: tt.source + "\n\nfunc other() float64 { return 1 }\n", Imports: imports}
			list := must.Get(m.Repairs(t.Context(), code, []string{"f"}, 1000))(t)
			if !slices.ContainsFunc(list, func(r *Repair) bool {
				return r.Line == tt.line && r.Kind == tt.kind && r.Operand == tt.operand &&
					strings.Contains(r.Declarations(""), tt.want)
			}) {
				t.Errorf("in line %d, no repair of the kind %s with the operand %q contains %q",
					tt.line, tt.kind, tt.operand, tt.want)
				for _, r := range list {
					t.Logf("%d %s %q\n%s", r.Line, r.Kind, r.Operand, r.Declarations(""))
				}
			}
		})
	}

	code := exercise.Code{Source: "type s struct{ x float64 }\n\nvar memory = 1.0\n\nfunc (a s) twice() float64 { return 2 * a.x }\n\nfunc f() float64 { return s{1}.twice() + memory }\n\nfunc g() float64 { return 1 }\n\nfunc h() float64 { return g() }\n"}
	seen := map[string]bool{}
	for _, r := range must.Get(m.Repairs(t.Context(), code, []string{"f"}, 1000))(t) {
		text := r.Declarations("_1")
		if !strings.Contains(text, "var memory_1 =") || !strings.Contains(text, "func f_1()") {
			t.Errorf("a repair must contain its own copies of the variable memory and of the function f, which uses it; got\n%s", text)
		}
		switch {
		case strings.Contains(text, "func (a s_1) twice()"):
			seen["method"] = strings.Contains(text, "type s_1 struct") && r.Name("f", "_1") == "f_1" &&
				r.Name("h", "_1") == "h"
		case strings.Contains(text, "func g_1()"):
			seen["function"] = strings.Contains(text, "func h_1() float64 { return g_1() }") &&
				r.Name("h", "_1") == "h_1"
		}
	}
	if !seen["method"] || !seen["function"] {
		t.Errorf("a repair of the method s.twice or of the function g must rename exactly the declarations that depend on it: got %v, want true for both",
			seen)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if list := must.Get(m.Repairs(ended, code, []string{"f"}, 1000))(t); len(list) > 0 {
		t.Errorf("after the end of the context, Repairs returns %d repairs, want none", len(list))
	}
}
