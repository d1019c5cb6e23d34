package grading

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// TestRelated checks that describeRelation reports relations and does not report coincidences. In
// each test case, `f` is the learner's function and `right` is the correct function of the same type.
func TestRelated(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	dense := func(n, k int) *mat.Dense {
		m := mat.NewDense(n, k, nil)
		m.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, m)
		return m
	}
	numbers := [][]any{{1.3}, {0.7}, {2.2}, {5.1}}
	pairs := [][]any{{1.3, 0.4}, {0.7, 3.1}, {2.2, 1.9}, {5.1, 0.2}}
	data := [][]any{{dense(5, 2), []float64{1, 0, 1, 1, 0}}, {dense(7, 3), []float64{0, 1, 1, 0, 0, 1, 1}},
		{dense(4, 2), []float64{0, 1, 1, 0}}}
	sum := func(phi *mat.Dense, t []float64) []float64 {
		_, k := phi.Dims()
		out := make([]float64, k)
		for n := range t {
			for j := range out {
				out[j] += (t[n] - 0.3) * phi.At(n, j)
			}
		}
		return out
	}
	for _, tt := range []struct {
		name     string
		f, right any
		params   []string
		args     [][]any
		want     string
	}{
		{"sign", func(x float64) float64 { return -math.Exp(x) }, math.Exp, []string{"x"}, numbers,
			"f returned minus the right result"},
		{"argument's sign", func(x float64) float64 { return math.Exp(-x) }, math.Exp, []string{"x"}, numbers,
			"f returned the reciprocal of the right result"},
		{"argument squared", func(x float64) float64 { return math.Sin(x * x) }, math.Sin, []string{"x"}, numbers,
			"f returned the right result for the square of x instead of x"},
		{"exchanged", func(x, y float64) float64 { return math.Pow(y, x) }, math.Pow, []string{"x", "y"}, pairs,
			"f returned the right result for x and y exchanged"},
		{"transposed", func(a *mat.Dense) *mat.Dense { return mat.DenseCopyOf(a) },
			func(a *mat.Dense) *mat.Dense { return mat.DenseCopyOf(a.T()) }, []string{"a"},
			[][]any{{dense(2, 2)}, {dense(3, 3)}, {dense(4, 4)}}, "f returned the transpose of the right matrix"},
		{"first row left out", func(phi *mat.Dense, t []float64) []float64 {
			n, k := phi.Dims()
			return sum(phi.Slice(1, n, 0, k).(*mat.Dense), t[1:])
		}, sum, []string{"Phi", "t"}, data, "f returned the right result for the data without their first row"},
		{"targets turned round", func(phi *mat.Dense, t []float64) []float64 {
			u := make([]float64, len(t))
			for n := range t {
				u[n] = 1 - t[n]
			}
			return sum(phi, u)
		}, sum, []string{"Phi", "t"}, data, "f returned the right result for 1 − t instead of t"},

		{"right", math.Exp, math.Exp, []string{"x"}, numbers, ""},
		{"an inaccuracy", func(x float64) float64 { return math.Exp(x) * (1 + 1e-4) }, math.Exp, []string{"x"}, numbers,
			""},
		{"nearly minus", func(x float64) float64 { return -math.Exp(x) * (1 + 1e-5) }, math.Exp, []string{"x"}, numbers,
			""},
		{"only two matching calls, possibly a coincidence",
			func(x float64) float64 { return -x }, func(x float64) float64 { return x },
			[]string{"x"}, numbers[:2], ""},
		{"one result, asked often", func(float64) float64 { return -1 }, func(float64) float64 { return 1 },
			[]string{"x"}, numbers, ""},
		{"almost nothing", func(x float64) float64 { return 1e-12 * math.Sin(x) }, func(x float64) float64 { return x },
			[]string{"x"}, numbers, ""},
		{"not in every call", func(x float64) float64 { return math.Copysign(math.Exp(x), x-2) }, math.Exp,
			[]string{"x"}, numbers, ""},
		{"two relations match equally well", func(x, y float64) float64 { return x * x * y },
			func(x, y float64) float64 { return x * y }, []string{"x", "y"},
			[][]any{{2., 2.}, {3., 3.}, {5., 5.}}, ""},
		{"panics", func(x float64) float64 { panic("mine") }, math.Exp, []string{"x"}, numbers, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			call := func(f any) func(in []reflect.Value) []reflect.Value {
				return func(in []reflect.Value) (out []reflect.Value) {
					defer func() { _ = recover() }()
					return reflect.ValueOf(f).Call(in)
				}
			}
			var recorded []remote.RecordedCall
			for _, list := range tt.args {
				q := remote.RecordedCall{}
				for _, a := range list {
					q.In = append(q.In, reflect.ValueOf(a))
				}
				q.Out = call(tt.f)(q.In)
				recorded = append(recorded, q)
			}
			if got := describeRelation(t.Context(), "f", tt.params, recorded, call(tt.right)); got != tt.want {
				t.Errorf("got the description %q, want %q", got, tt.want)
			}
		})
	}
}
