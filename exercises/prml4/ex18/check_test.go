package ex18_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex18"
)

type gradientFunc = func(W, Phi, T *mat.Dense) *mat.Dense

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex18.Exercise(), gate.OfNew(ex18.Check, Gradient))
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex18.Check, map[string]gradientFunc{
		"reference": Gradient,
		"point by point with rank-one updates": func(W, Phi, T *mat.Dense) *mat.Dense {
			m, k := W.Dims()
			G, Y := mat.NewDense(m, k, nil), multiclass.Outputs(W, Phi, kernel.Softmax)
			Y.Sub(Y, T)
			for n := range Phi.RawMatrix().Rows {
				G.RankOne(G, 1, Phi.RowView(n), Y.RowView(n))
			}
			return G
		},
		"entry by entry from the true class of each point": func(W, Phi, T *mat.Dense) *mat.Dense {
			G, Y := mat.DenseCopyOf(W), multiclass.Outputs(W, Phi, kernel.Softmax)
			G.Apply(func(i, j int, _ float64) (sum float64) {
				for n := range Phi.RawMatrix().Rows {
					label := floats.MaxIdx(T.RawRowView(n))
					// the added term is the derivative of −ln y_l with respect to a_j, times φ_i
					sum += (Y.At(n, j) - multiclass.Same(label, j)) * Phi.At(n, i)
				}
				return sum
			}, G)
			return G
		},
		"outputs as 1/Σ exp(a_j − a_k)": withSoftmax(multiclass.Reciprocal),
		"last column as minus the sum of all other columns": func(W, Phi, T *mat.Dense) *mat.Dense {
			G := Gradient(W, Phi, T)
			m, k := G.Dims()
			for i := range m {
				G.Set(i, k-1, -floats.Sum(G.RawRowView(i)[:k-1]))
			}
			return G
		},
	})
}

// withSoftmax returns an answer that computes the outputs with the function `softmax` in place of
// the right softmax.
func withSoftmax(softmax func(a []float64) []float64) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		Y, G := multiclass.Outputs(W, Phi, softmax), mat.DenseCopyOf(W)
		Y.Sub(Y, T)
		G.Mul(Phi.T(), Y)
		return G
	}
}

// changedFor returns an answer that calls Gradient and applies f to the result. If k is not 0, the
// answer applies f only to problems with K = k.
func changedFor(k int, f func(G *mat.Dense)) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		G := Gradient(W, Phi, T)
		if _, c := W.Dims(); k == 0 || c == k {
			f(G)
		}
		return G
	}
}

func scale(c float64) gradientFunc { return changedFor(0, func(G *mat.Dense) { G.Scale(c, G) }) }

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex18.Exercise(), ex18.Check, map[string][]gradientFunc{
		"factor":        {scale(2), scale(0.5)},
		"sign":          {scale(-2)},
		"in-the-middle": {scale(2)},
		"transposed": {func(W, Phi, T *mat.Dense) *mat.Dense { // this answer returns the transposed gradient if M = K
			G := Gradient(W, Phi, T)
			if m, k := W.Dims(); m == k {
				return mat.DenseCopyOf(G.T())
			}
			return G
		}},
		"not-summed": {func(_, _, T *mat.Dense) *mat.Dense { return mat.DenseCopyOf(T) }},
		"nearly": {changedFor(0, func(G *mat.Dense) { G.Set(0, 0, 1.0001*G.At(0, 0)) }),
			func(W, Phi, T *mat.Dense) *mat.Dense { // this answer computes finite differences
				G := mat.DenseCopyOf(W)
				e := multiclass.Problem{Phi: Phi, T: T, W: W}.Error
				w, k := multiclass.Entries(W), W.RawMatrix().Cols
				G.Apply(func(i, j int, v float64) float64 {
					const h = 1e-4
					at := func(v float64) float64 { w[i*k+j] = v; return e(w) }
					slope := (at(v+h) - at(v-h)) / (2 * h)
					w[i*k+j] = v
					return slope
				}, W)
				return G
			}},
		"derivative": {changedFor(0, func(G *mat.Dense) { G.Set(0, 0, 2*G.At(0, 0)) }), changedFor(0, func(G *mat.Dense) {
			// this answer fills only sixteen columns of the gradient
			G.Apply(func(_, k int, v float64) float64 { return multiclass.When(k < 16, v) }, G)
		})},
		"rows": {changedFor(0, func(G *mat.Dense) { G.Set(0, 0, G.At(0, 0)+1) })},
		// the second answer swaps the columns
		"two-classes": {changedFor(2, func(G *mat.Dense) { G.Set(0, 1, 0.1) }), changedFor(2, func(G *mat.Dense) {
			first, second := mat.Col(nil, 0, G), mat.Col(nil, 1, G)
			G.SetCol(0, second)
			G.SetCol(1, first)
		})},
		"one-class": {changedFor(1, func(G *mat.Dense) { G.Set(0, 0, 1) })},
		"overflow":  multiclass.By(withSoftmax, multiclass.Overflowing()[:4]...),
		"tails": multiclass.By(withSoftmax, multiclass.Cut(11), multiclass.Cut(14), multiclass.Cut(20),
			multiclass.Bounded(1e-8)),
	})
}

func ExampleCheck() {
	ownClass := func(W, Phi, T *mat.Dense) *mat.Dense { return multiclass.Gradient(W, Phi, T, multiclass.OwnClassOnly) }
	fmt.Println(ex18.Check(ownClass).Parts[1].Message)
	// Output: Each point changes only the weights of its own class, as if output k depended only on activation k. Through the denominator the output of the true class depends on every activation, so each point affects all w_j.
}

/*
Equivalent mutants

# These mutants are right answers.
Gradient: top := floats.Max(row) → top := floats.Max(row)/2
    Any common shift of the activations cancels. With activations within ±800 the largest exponent is half the largest activation, from −400 to 400, so its exponential neither overflows nor underflows to 0.

Gradient: row[k] = math.Exp(a - top) → row[k] = -math.Exp(a - top)
Gradient: row[k] = math.Exp(a - top) → row[k] = 2*math.Exp(a - top)
Gradient: row[k] = math.Exp(a - top) → row[k] = math.Exp(a - top)/2
    The outputs are divided by their sum, so a common factor cancels.
*/
