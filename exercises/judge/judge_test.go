package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// In most of these tests the learner's function computes the row sums of a matrix.
type (
	sumsFunc = func(X *mat.Dense) []float64
	rows     struct {
		name string
		x    *mat.Dense
	}
)

func (r rows) String() string { return "“" + r.name + "”" }

func (r rows) sums() []float64 { return sums(func(v float64) float64 { return v })(r.x) }

func sums(term func(float64) float64) sumsFunc {
	return func(X *mat.Dense) []float64 {
		n, d := X.Dims()
		out := make([]float64, n)
		for i := range n {
			for j := range d {
				out[i] += term(X.At(i, j))
			}
		}
		return out
	}
}

func problems() []rows {
	return []rows{
		{"positive", mat.NewDense(2, 2, []float64{1, 2, 3, 5})},
		{"mixed", mat.NewDense(3, 2, []float64{-1, 4, 2, -7, 1, 1})},
		{"one row", mat.NewDense(1, 3, []float64{2, 2, 3})},
		{"one number", mat.NewDense(1, 1, []float64{7})},
	}
}

var sumsQuestion = &Question[sumsFunc, rows]{
	Func: "Sums", Name: "sums", Hint: 2, Per: "row", New: true,
	Invoke: func(f sumsFunc, c *Call, p rows) []float64 {
		return c.Vector("sums", f(c.Dense("X", p.x)), p.n(), "row")
	},
	Right:  rows.sums,
	Nearly: Wrong{"nearly", 0, "Nearly: {problem} is {off}."},
	Sign:   Wrong{"sign", 0, "Turned."},
	Factor: Wrong{"factor", 0, "One number."},
	Mistakes: []Mistake[sumsFunc]{
		{Key: "absolute", Hint: 1, Message: "For {problem} signs are lost.", Answer: sums(math.Abs)},
		{Key: "panics", Message: "never",
			Answer: func(*mat.Dense) []float64 { panic("a mistake without an answer") }},
		{Key: "squares", Message: "Squares.", Answer: sums(func(v float64) float64 { return v * v })},
	},
}

func (r rows) n() int { n, _ := r.x.Dims(); return n }

func check(f sumsFunc) *verify.Report {
	holds := func(p rows, got []float64) verify.Finding {
		return verify.CloseSlice(got, p.sums(), verify.Tolerance{Rel: 1e-12})
	}
	huge := func() []rows { return []rows{{"huge", mat.NewDense(2, 1, []float64{1e200, -1e200})}} }
	return verify.Run("prml-0.0", "fixture", sumsQuestion.Parts(f,
		Form("form", problems, nil, Wrong{}, "fine"),
		Property[rows]{Name: "sums", Problems: problems, Holds: holds, Wrong: Wrong{"value", 1, "{problem}: {off}"},
			Right: "right"},
		Property[rows]{Name: "doubled", Problems: problems, Wrong: Wrong{"not-linear", 1, "{problem}: {off}"},
			Related:     func(p rows) rows { var x mat.Dense; x.Scale(2, p.x); return rows{p.name, &x} },
			FromRelated: func(_ rows, v []float64) []float64 { return halves(v) }},
		Property[rows]{Name: "again", Problems: func() []rows { return append(problems(), huge()...) }, Holds: holds,
			Wrong: Wrong{"huge", 1, "{problem}: {off}"}},
		Property[rows]{Name: "limits", Problems: huge, Holds: holds, Extreme: true,
			Wrong: Wrong{"far", 1, "{problem}: {off}"}},
	)...)
}

// TestTwoLimits checks an answer that is wrong in two parts with extreme cases. No other part is
// Wrong, so each of the two parts must report its own verdict, and not refer to the other part.
func TestTwoLimits(t *testing.T) {
	at := func(key string, x float64) Property[rows] {
		return Property[rows]{Name: key, Extreme: true, Wrong: Wrong{Key: key, Message: "{problem}"},
			Problems: func() []rows { return []rows{{"far " + key, mat.NewDense(1, 1, []float64{x})}} },
			Holds: func(p rows, got []float64) verify.Finding {
				return verify.CloseSlice(got, p.sums(), verify.Tolerance{Rel: 1e-12})
			}}
	}
	clipped := sums(func(v float64) float64 { return math.Max(-1, math.Min(1, v)) })
	r := verify.Run("prml-0.0", "fixture", sumsQuestion.Parts(clipped, at("above", 9), at("below", -9))...)
	if r.Parts[0].Key != "above" || r.Parts[1].Key != "below" {
		t.Errorf("got the following report, want the keys “above” and “below”:\n%s", r)
	}
}

func halves(v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] / 2
	}
	return out
}

func times(c float64) sumsFunc { return sums(func(v float64) float64 { return c * v }) }

func TestParts(t *testing.T) {
	right := times(1)
	calls, kept := 0.0, make([]float64, 3)
	for _, tc := range []struct {
		name string
		f    sumsFunc
		want string // number and key of each part that is not Right; commas separate the parts
	}{
		{"right", right, ""},
		{"view of a larger slice",
			func(X *mat.Dense) []float64 { return append(make([]float64, 9, 99), right(X)...)[9:] }, ""},
		{"known mistake: sums of the absolute values", sums(math.Abs), "1 absolute, 3 absolute, 4 in-the-middle"},
		{"known mistake: sums of the squares", sums(func(v float64) float64 { return v * v }),
			"1 squares, 2 not-linear, 3 squares, 4 in-the-middle"},
		{"a known mistake that explains only one problem", func(X *mat.Dense) []float64 {
			if n, _ := X.Dims(); n == 3 {
				return sums(math.Abs)(X)
			}
			return times(3)(X)
		}, "1 value, 3 wrong-before, 4 in-the-middle"},
		{"sign", times(-1), "1 sign, 3 sign, 4 in-the-middle"},
		{"factor", times(2), "1 factor, 3 factor, 4 in-the-middle"},
		{"a factor only for matrices with two rows", func(X *mat.Dense) []float64 {
			if n, _ := X.Dims(); n == 2 {
				return times(2)(X)
			}
			return right(X)
		}, "1 value, 3 wrong-before, 4 in-the-middle"},
		{"nearly", times(1.0001), "1 nearly, 3 nearly, 4 in-the-middle"},
		{"only at the limits", func(X *mat.Dense) []float64 {
			if X.At(0, 0) > 1e100 {
				return make([]float64, 2)
			}
			return right(X)
		}, "3 huge, 4 in-the-middle"},
		{"affine", func(X *mat.Dense) []float64 { return append([]float64{right(X)[0] + 1}, right(X)[1:]...) },
			"1 value, 2 not-linear, 3 wrong-before"},
		{"nil", func(*mat.Dense) []float64 { return nil }, "0 empty, 1 empty, 2 empty, 3 empty, 4 in-the-middle"},
		{"short", func(X *mat.Dense) []float64 { return right(X)[1:] },
			"0 wrong-length, 1 wrong-length, 2 wrong-length, 3 wrong-length, 4 in-the-middle"},
		{"NaN", func(X *mat.Dense) []float64 { return append(right(X)[1:], math.NaN()) },
			"0 not-finite, 1 not-finite, 2 not-finite, 3 not-finite, 4 in-the-middle"},
		{"returns a different number from each call",
			func(X *mat.Dense) []float64 { calls++; return append([]float64{calls}, right(X)[1:]...) },
			"0 not-constant, 1 value, 2 not-constant, 3 wrong-before, 4 in-the-middle"},
		{"writes to its argument", func(X *mat.Dense) []float64 { defer X.Set(0, 0, 9); return right(X) },
			"0 mutates-inputs, 1 mutates-inputs, 2 mutates-inputs, 3 mutates-inputs, 4 in-the-middle"},
		{"ignores the stride", func(X *mat.Dense) []float64 {
			n, d := X.Dims()
			return right(mat.NewDense(n, d, X.RawMatrix().Data[:n*d]))
		}, "0 views, 2 views"},
		{"panics on the numbers between the rows", func(X *mat.Dense) []float64 {
			n, d := X.Dims()
			if y := right(mat.NewDense(n, d, X.RawMatrix().Data[:n*d])); !math.IsNaN(y[len(y)-1]) {
				return y
			}
			panic("no number")
		}, "0 views, 2 views"},
		{"returns an argument", func(X *mat.Dense) []float64 {
			if n, d := X.Dims(); d == 1 && n == 1 {
				return X.RawMatrix().Data
			}
			return right(X)
		}, "0 not-new, 2 not-new"},
		{"returns the same slice from all calls",
			func(X *mat.Dense) []float64 { n, _ := X.Dims(); copy(kept, right(X)); return kept[:n] },
			"0 not-new, 2 not-new"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := check(tc.f)
			var got []string
			for i, p := range r.Parts {
				if p.Outcome != verify.Right {
					got = append(got, fmt.Sprintf("%d %s", i, p.Key))
				}
			}
			if s := strings.Join(got, ", "); s != tc.want {
				t.Errorf("the parts that are not Right are “%s”, want “%s”:\n%s", s, tc.want, r)
			}
		})
	}
	if m := check(sums(math.Abs)).Parts[1].Message; m != "For “mixed” signs are lost." {
		t.Errorf("got the message %q, want “For “mixed” signs are lost.”, which names the first problem with a wrong answer", m)
	}
}

// TestOneNumber checks how the check recognises a constant factor in answers that are single
// numbers. Any wrong number is the right number multiplied by some factor, so one problem does not
// reveal a wrong factor, and two problems do not suffice either. Three problems are enough for a
// factor, and one problem is enough for a wrong sign.
func TestOneNumber(t *testing.T) {
	q := &Question[func(float64) float64, number]{Func: "F", Name: "F", Hint: 1,
		Invoke: func(f func(float64) float64, _ *Call, x number) []float64 { return []float64{f(float64(x))} },
		Right:  func(x number) []float64 { return []float64{float64(x * x)} }}
	for _, tc := range []struct {
		on   []number
		f    func(float64) float64
		want string
	}{
		{[]number{2}, func(x float64) float64 { return 3 * x * x }, "value"},
		{[]number{2, 3}, func(x float64) float64 { return 3 * x * x }, "value"},
		{[]number{2, 3, 0, 5}, func(x float64) float64 { return 3 * x * x }, "factor"},
		{[]number{2, 3, 0, 5}, func(x float64) float64 { return 3 * x * math.Abs(x-1) }, "value"},
		{[]number{2}, func(x float64) float64 { return -x * x }, "sign"},
		{[]number{2, 3, 5}, func(x float64) float64 { return x * x * (1 + 1e-5) }, "nearly"},
		{[]number{2, 3, 5}, func(x float64) float64 { return x * x * (1 + 1e-13) }, ""},
	} {
		routes := []Route[number]{{"a product", 1e-9, q.Right},
			{"a power", 1e-9, func(x number) []float64 { return []float64{math.Pow(float64(x), 2)} }}}
		r := verify.Run("prml-0.0", "fixture",
			q.Steps(tc.f, Step[number]{Name: "F", Problems: func() []number { return tc.on }, Routes: routes})...)
		if r.Parts[0].Key != tc.want {
			t.Errorf("on the problems %v: want the key %q, got the report\n%s", tc.on, tc.want, r)
		}
	}
}

// TestLargeMistake checks how an answer is compared with a mistake whose numbers are far larger
// than the right numbers. The tolerance must then be proportional to the mistake's numbers, because
// rounding errors are proportional to those numbers. For a mistake with small numbers the tolerance
// must be proportional to the right answer.
func TestLargeMistake(t *testing.T) {
	q := &Question[func(float64) float64, number]{Func: "F", Name: "F", Hint: 1,
		Invoke: func(f func(float64) float64, _ *Call, x number) []float64 { return []float64{f(float64(x))} },
		Right:  func(x number) []float64 { return []float64{float64(x)} },
		Mistakes: []Mistake[func(float64) float64]{
			{Key: "exponential", Message: "large", Answer: math.Exp},
			{Key: "reciprocal", Message: "small", Answer: func(x float64) float64 { return 1e-9 / x }},
		}}
	power := func(x float64) float64 { // equal to math.Exp(x) except for rounding
		y := 1.0
		for range int(x) {
			y *= math.E
		}
		return y
	}
	for _, tc := range []struct {
		name, want string
		f          func(float64) float64
	}{
		{"rounded differently", "exponential", power},
		{"a relative error of 1e-5", "value", func(x float64) float64 { return math.Exp(x) * (1 + 1e-5) }},
		{"right on one problem", "value", func(x float64) float64 {
			if x == 40 {
				return power(x)
			}
			return x
		}},
		{"too large for a float64", "not-finite", func(float64) float64 { return math.Inf(1) }},
		{"small", "reciprocal", func(x float64) float64 { return 1.01e-9 / x }},
	} {
		holds := func(x number, got []float64) verify.Finding { return verify.Finding{OK: got[0] == float64(x)} }
		on := func() []number { return []number{35, 40} }
		r := verify.Run("prml-0.0", "fixture",
			q.Parts(tc.f, Property[number]{Name: "F", Problems: on, Holds: holds, Wrong: Wrong{Key: "value"}})...)
		if r.Parts[0].Key != tc.want {
			t.Errorf("%s: want the key %q, got the report\n%s", tc.name, tc.want, r)
		}
	}
}

type number float64

func (x number) String() string { return fmt.Sprintf("x = %g", float64(x)) }

// TestArguments checks that a Call passes a copy of each kind of argument, and that the verdict
// names an argument that the function has changed.
func TestArguments(t *testing.T) {
	sym, dense := mat.NewSymDense(2, []float64{2, 1, 1, 3}), mat.NewDense(1, 2, []float64{1, math.NaN()})
	ints, slice := []int{1}, []float64{math.NaN()}
	for i, change := range []func(c *Call){
		func(c *Call) { c.Ints("a", ints)[0] = 2 },
		func(c *Call) { c.Slice("a", slice)[0] = 2 },
		func(c *Call) { c.Dense("a", dense).Set(0, 1, 2) },
		func(c *Call) { c.Sym("a", sym).SetSym(0, 1, 2) },
	} {
		for _, views := range []bool{false, true} {
			c := &Call{views: views}
			c.Ints("b", ints)
			c.Slice("b", slice)
			c.Dense("b", dense)
			c.Sym("b", sym)
			if bad := c.changedArgument(); bad != nil {
				t.Fatalf("unchanged arguments: got the verdict %v, want nil", bad)
			}
			change(c)
			if bad := c.changedArgument(); bad == nil || !strings.Contains(bad.Message, "argument a,") {
				t.Errorf("change %d: got the verdict %v, want a verdict on the argument a", i, bad)
			}
		}
	}
	if ints[0] != 1 || !math.IsNaN(slice[0]) || !math.IsNaN(dense.At(0, 1)) || sym.At(0, 1) != 1 {
		t.Errorf("after the changes to the copies, the originals contain %d, %g, %g and %g, want 1, NaN, NaN and 1 as before",
			ints[0], slice[0], dense.At(0, 1), sym.At(0, 1))
	}
}

// TestResults checks that a Call converts a result to numbers, or records a verdict on its form.
func TestResults(t *testing.T) {
	for _, tc := range []struct {
		name string
		take func(c *Call) []float64
		want []float64
		key  string
	}{
		{"dense", func(c *Call) []float64 { return c.Matrix("M", mat.NewDense(1, 2, []float64{1, 2}), 1, 2, "1×K") },
			[]float64{1, 2}, ""},
		{"sym", func(c *Call) []float64 { return c.Symmetric("M", mat.NewSymDense(1, []float64{4}), 1, "D×D") },
			[]float64{4}, ""},
		{"nil dense", func(c *Call) []float64 { return c.Matrix("M", nil, 1, 2, "1×K") }, nil, "empty"},
		{"nil sym", func(c *Call) []float64 { return c.Symmetric("M", nil, 1, "D×D") }, nil, "empty"},
		{"empty", func(c *Call) []float64 { return c.Matrix("M", &mat.Dense{}, 1, 2, "1×K") }, nil, "empty"},
		{"transposed", func(c *Call) []float64 { return c.Matrix("M", mat.NewDense(2, 1, nil), 1, 2, "1×K") }, nil,
			"wrong-shape"},
		{"vector", func(c *Call) []float64 { return c.Vector("v", []float64{3}, 1, "class") }, []float64{3}, ""},
		{"long vector", func(c *Call) []float64 { return c.Vector("v", []float64{3, 4}, 1, "class") }, nil,
			"wrong-length"},
		{"nil vector", func(c *Call) []float64 { return c.Vector("v", nil, 1, "class") }, nil, "empty"},
		{"no vector is wanted", func(c *Call) []float64 { return c.Vector("v", nil, 0, "class") }, nil, ""},
	} {
		c := &Call{}
		got, key := tc.take(c), ""
		if c.bad != nil {
			key = c.bad.Key
		}
		if !slices.Equal(got, tc.want) || key != tc.key {
			t.Errorf("%s: got %v with the key %q, want %v with the key %q", tc.name, got, key, tc.want, tc.key)
		}
	}
}

// TestNewCall checks that a Call made without a Question finds a changed argument, a result of the
// wrong shape, and a result that changes later.
func TestNewCall(t *testing.T) {
	m := mat.NewDense(1, 2, []float64{1, 2})
	c := NewCall("“x”", 3, true)
	in := c.Dense("X", m)
	if stride := in.RawMatrix().Stride; stride != 4 {
		t.Errorf("a call with views passes a matrix with stride %d, want 4", stride)
	}
	c.Matrix("M", in, 1, 2, "1×2")
	if bad := c.Verdict(); bad != nil || !c.Kept() {
		t.Errorf("a right answer: got the verdict %v, want nil; result unchanged: got %v, want true", bad, c.Kept())
	}
	c.Matrix("M", in, 2, 2, "2×2")
	if bad := c.Verdict(); bad == nil || bad.Key != "wrong-shape" || bad.Hint != 3 ||
		!strings.Contains(bad.Message, "“x”") {
		t.Errorf("a wrong shape: got the verdict %v, want wrong-shape with hint 3 and the name “x”", bad)
	}
	in.Set(0, 0, 9)
	if bad := c.Verdict(); bad == nil || bad.Key != "mutates-inputs" || c.Kept() {
		t.Errorf("an argument that is changed and returned: got the verdict %v, want mutates-inputs; result unchanged: got %v, want false", bad, c.Kept())
	}
}

func TestFirstAndAll(t *testing.T) {
	near := func(_ rows, got []float64) verify.Finding {
		return verify.Close(got[0], 1, verify.Tolerance{Abs: 1e-3})
	}
	first, p := First(near, Wrong{Key: "k", Hint: 2, Message: "For {problem}: {off}."}), problems()[0]
	if v := first(p, []float64{1}); v != nil {
		t.Errorf("a right number: got the verdict %v, want nil", v)
	}
	if v := first(p, []float64{2}); v == nil || v.Key != "k" || v.Hint != 2 ||
		v.Message != "For “positive”: off by about 1." {
		t.Errorf("a wrong number: got the verdict %v, want the key k, hint 2 and the message “For “positive”: off by about 1.”", v)
	}
	fine, one, other := verify.Finding{OK: true}, verify.Finding{Note: "one"}, verify.Finding{Note: "other"}
	if All(fine, one, other) != one || All(fine, other) != other || All(fine, fine) != fine {
		t.Errorf("All returned %+v, %+v and %+v, want in this order the finding with the note one, the finding with the note other, and an OK finding",
			All(fine, one, other), All(fine, other), All(fine, fine))
	}
}

// TestUnwritten checks that a function made by Unwritten can be called with the arguments of its
// type, and that it panics with verify.TODO.
func TestUnwritten(t *testing.T) {
	defer func() {
		if got := recover(); got != verify.TODO {
			t.Errorf("the function panics with %v, want verify.TODO", got)
		}
	}()
	Unwritten[func(x float64, v []int) (int, error)]()(1, nil)
	t.Error("the function returned, want a panic")
}
