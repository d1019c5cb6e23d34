package ex20_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	hessianFunc = func(W, Phi *mat.Dense) *mat.Dense
	blockFunc   = func(y []float64) *mat.Dense
	spreadFunc  = func(y, s []float64) float64
)

func checkBlock(f blockFunc) *verify.Report   { return ex20.CheckSteps(f, Spread) }
func checkSpread(f spreadFunc) *verify.Report { return ex20.CheckSteps(Block, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex20.Exercise(), gate.Of(ex20.Check, Hessian), gate.Of(checkBlock, Block),
		gate.Of(checkSpread, Spread))
}

// groupedByClasses returns an answer whose block in row k, column j is Σ_n r(y_k, y_j, I_kj) φφᵀ, where
// y and φ are the outputs and the features of point n. The rows and columns of the result are grouped
// by classes.
func groupedByClasses(r multiclass.Derivative) hessianFunc {
	return kronecker(kernel.Softmax, r, false)
}

// groupedByFeatures returns the same answer as groupedByClasses, but with rows and columns grouped
// by features.
func groupedByFeatures(r multiclass.Derivative) hessianFunc {
	return kronecker(kernel.Softmax, r, true)
}

// withSoftmax returns an answer that computes the outputs with the function `softmax` in place of
// the right softmax.
func withSoftmax(softmax func(a []float64) []float64) hessianFunc {
	return kronecker(softmax, multiclass.Softmax, false)
}

func kronecker(softmax func(a []float64) []float64, r multiclass.Derivative, byFeatures bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		return multiclass.Hessian(multiclass.Outputs(W, Phi, softmax), Phi, r, byFeatures)
	}
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex20.Check, map[string]hessianFunc{
		"reference":                               Hessian,
		"Kronecker products, grouped by classes":  groupedByClasses(multiclass.Softmax),
		"Kronecker products, grouped by features": groupedByFeatures(multiclass.Softmax),
	})
	gate.Rights(t, checkBlock, map[string]blockFunc{
		"y_k(I_kj − y_j)": multiclass.Derivative(multiclass.Softmax).At,
	})
	gate.Rights(t, checkSpread, map[string]spreadFunc{
		"stat.PopVariance": func(y, s []float64) float64 { return stat.PopVariance(s, y) },
	})
}

// TestWrong checks wrong answers, most of which are not in the tables of mistakes in check.go. For each
// answer in a map of gate.Wrongs, the report must contain the expected key, that is, the name of the
// mistake.
func TestWrong(t *testing.T) {
	// `after` returns an answer that applies f to the right Hessian. If the argument `classes` is
	// not 0, the answer applies f only to problems with this number of classes.
	after := func(classes int, f func(H *mat.Dense)) hessianFunc {
		return func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			if classes == 0 || classes == W.RawMatrix().Cols {
				f(H)
			}
			return H
		}
	}
	first := func(H *mat.Dense) { H.Set(0, 1, H.At(0, 1)+0.1) }
	// `sometimes` returns an answer that groups the weights by features only on some problems.
	// These are the problems with M = K if `square` is true, and the problems with M ≠ K if
	// `square` is false.
	sometimes := func(square bool) hessianFunc {
		return func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			return kronecker(kernel.Softmax, multiclass.Softmax, (M == K) == square)(W, Phi)
		}
	}
	scale := func(c float64) hessianFunc { return after(0, func(H *mat.Dense) { H.Scale(c, H) }) }
	apply := func(f func(i, j int, v float64) float64) hessianFunc {
		return after(0, func(H *mat.Dense) { H.Apply(f, H) })
	}
	plus := func(c float64) hessianFunc {
		return apply(func(i, j int, v float64) float64 { return v + c*multiclass.Same(i, j) })
	}
	// `sized` returns an answer whose result is a square matrix of zeros with size(N, M, K) rows
	sized := func(size func(n, m, k int) int) hessianFunc {
		return func(W, Phi *mat.Dense) *mat.Dense {
			n, m := Phi.Dims()
			s := size(n, m, W.RawMatrix().Cols)
			return mat.NewDense(s, s, nil)
		}
	}
	gate.Wrongs(t, ex20.Exercise(), ex20.Check, map[string][]hessianFunc{
		"printed-sign":          {groupedByFeatures(negative)},
		"cross-blocks-left-out": {groupedByFeatures(multiclass.DiagonalOnly)},
		"factor":                {scale(0.5), scale(2)},
		"prior":                 {plus(0.5), plus(1e-6)},
		"nearly":                {scale(1.0001)},
		"derivative": {after(0, func(H *mat.Dense) { H.Set(0, 0, 1.1*H.At(0, 0)) }),
			apply(func(i, j int, _ float64) float64 { return 1e200 * float64(1+i+j) })},
		"not-symmetric": {apply(func(i, j int, v float64) float64 {
			if i < j {
				return 1.1 * v
			}
			return v
		})},
		"curved-along-shift": {after(0, func(H *mat.Dense) { H.Set(0, 0, 1.1*H.At(0, 0)) }),
			groupedByClasses(func(yk, yj, same float64) float64 { return multiclass.Softmax(yk, yj, same) + 0.1 })},
		"not-semidefinite": {groupedByClasses(func(yk, yj, same float64) float64 { return -yk*yj + same*yk*yk/2 })},
		// in this answer the block of each point is vvᵀ, where the entries of v sum to 0
		"too-flat": {kronecker(func(a []float64) []float64 {
			return append([]float64{1, -1}, make([]float64, len(a))...)[:len(a)]
		}, multiclass.OuterProduct, false)},
		"order-changes": {sometimes(true), sometimes(false)},
		"two-classes":   {after(2, first)},
		"one-class":     {after(1, first)},
		"one-block":     {sized(func(_, m, _ int) int { return m }), sized(func(_, _, k int) int { return k })},
		"class-held":    {sized(func(_, m, k int) int { return m * (k - 1) })},
		"by-points":     {sized(func(n, _, _ int) int { return n })},
		"overflow":      multiclass.By(withSoftmax, multiclass.Overflowing()[:4]...),
		"tails":         multiclass.By(withSoftmax, multiclass.Cut(10), multiclass.Cut(17), multiclass.Bounded(1e-6)),
		"in-the-middle": {scale(2)},
	})
	// An answer that omits I_kj has wrong signs on the diagonal. The report must not claim that the
	// answer copied the misprinted sign.
	if r := ex20.Check(groupedByClasses(multiclass.IdentityLeftOut)); slices.ContainsFunc(r.Parts, func(p verify.Result) bool { return p.Key == "printed-sign" }) {
		t.Errorf("want no key \"printed-sign\" for an answer that omits I_kj, got\n%s", r)
	}
	// Check must reject this answer, but the test expects no particular key: the random problems decide
	// which part is the first to reveal the mistake.
	if r := ex20.Check(withSoftmax(multiclass.Cut(7))); r.Passed() {
		t.Errorf("an answer that sets outputs below e⁻⁷ to 0 passes, want it rejected:\n%s", r)
	}
	gate.Wrongs(t, ex20.Exercise(), checkBlock, map[string][]blockFunc{
		"block-factor": {multiclass.Derivative(func(yk, yj, same float64) float64 {
			return multiclass.Softmax(yk, yj,
				same) / 2
		}).At},
		"block-value": {
			multiclass.Derivative(func(yk, yj, same float64) float64 { return same*2*yk*yk - yj*yk }).At,
			func(y []float64) *mat.Dense { return Block(multiclass.Bounded(0.01)(multiclass.Map(math.Log)(y))) },
		},
		"block-nearly": {multiclass.Derivative(func(yk, yj, same float64) float64 {
			return multiclass.Softmax(yk, yj,
				same) + 1e-7
		}).At},
	})
	times := func(c float64) spreadFunc { return func(y, s []float64) float64 { return c * Spread(y, s) } }
	gate.Wrongs(t, ex20.Exercise(), checkSpread, map[string][]spreadFunc{
		"spread-sign": {times(-1)}, "spread-negative": {times(-1)}, "spread-factor": {times(0.5)},
		"spread-nearly": {times(1 + 1e-7)},
		"spread-not-flat": {func(y, s []float64) float64 {
			return floats.Dot(y,
				floats.MulTo(make([]float64, len(s)), s, s))
		}},
		"spread-value": {floats.Dot},
	})
}

// TestOrders checks that the second part of the report says how the learner's weights are grouped. If
// rows and columns have different groupings, the parts from the fourth on may only refer to an earlier
// part. The second part must say that the columns are grouped by features for exactly one of the two
// mistakes with mixed groupings.
func TestOrders(t *testing.T) {
	for want, hessian := range map[string]hessianFunc{"by classes": groupedByClasses(multiclass.Softmax),
		"by features": groupedByFeatures(multiclass.Softmax)} {
		if r := ex20.Check(hessian); !strings.Contains(r.Parts[1].Message, want) {
			t.Errorf("want %q in the message of the second part, got %s", want, r.Parts[1].Message)
		}
	}
	columns := 0
	for _, k := range ex20.Exercise().Known {
		if k.Key != "mixed-order" {
			continue
		}
		r := k.Check()
		columns += strings.Count(r.Parts[1].Message, "columns are grouped by features")
		for _, p := range r.Parts[3:] {
			if p.Outcome == verify.Wrong && !strings.Contains(p.Message, "fix it there first") {
				t.Errorf("part %q must only refer to the part that reports the mixed groupings, got %s", p.Name, p.Message)
			}
		}
	}
	if columns != 1 {
		t.Errorf("columns grouped by features are reported for %d of the two mistakes with mixed groupings, want 1", columns)
	}
}

// TestText checks that the explore cell does not use RawMatrix, because the learner's matrix may be
// part of a larger matrix. It also checks that neither the field `needs` of the exercise nor the
// comment on the stub of Spread reveals that Spread is a variance, which is never negative.
func TestText(t *testing.T) {
	e := ex20.Exercise()
	if strings.Contains(e.Explore, "RawMatrix") {
		t.Error("the explore cell uses RawMatrix, which is wrong for a matrix that is part of a larger matrix")
	}
	stub, _, _ := strings.Cut(e.Answer[strings.Index(e.Answer, "// Spread"):], "func Spread")
	for _, text := range []string{e.Needs, stub} {
		if strings.Contains(text, "variance") || strings.Contains(text, "negative") {
			t.Errorf("want neither “variance” nor “negative” in the text, because they reveal what Spread is: %s", text)
		}
	}
}

func ExampleCheck() {
	fmt.Println(ex20.Check(groupedByClasses(negative)).Parts[1].Key)
	// Output: printed-sign
}

func negative(yk, yj, same float64) float64 { return -multiclass.Softmax(yk, yj, same) }

/*
Equivalent mutants

# These mutants are right answers.
Hessian: top := floats.Max(y) → top := floats.Max(y)/2
    Any common shift of the activations cancels. With activations within ±800 the largest exponent is half the largest activation, from −400 to 400, so its exponential neither overflows nor underflows to 0.

Hessian: y[k] = math.Exp(a - top) → y[k] = -math.Exp(a - top)
Hessian: y[k] = math.Exp(a - top) → y[k] = 2*math.Exp(a - top)
Hessian: y[k] = math.Exp(a - top) → y[k] = math.Exp(a - top)/2
    The outputs are divided by their sum, so a common factor cancels.

Spread: mean += y[k] * s[k] → mean -= y[k] * s[k]
    Only the square of the mean is used.
*/
