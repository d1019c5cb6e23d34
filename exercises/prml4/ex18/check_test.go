package ex18_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex18"
)

type gradientFunc = func(W, Phi, T *mat.Dense) *mat.Dense

func TestFunctions(t *testing.T) {
	gate.Known(t, ex18.Exercise())
	gate.Function(t, ex18.Exercise(), ex18.Check, Gradient)
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex18.Check, map[string]gradientFunc{
		"reference": Gradient,
		"point by point, rank-one updates": func(W, Phi, T *mat.Dense) *mat.Dense {
			m, k := W.Dims()
			G := mat.NewDense(m, k, nil)
			for n := range Phi.RawMatrix().Rows {
				var a mat.VecDense
				a.MulVec(W.T(), Phi.RowView(n))
				r := softmax(a.RawVector().Data)
				floats.Sub(r, T.RawRowView(n))
				G.RankOne(G, 1, Phi.RowView(n), mat.NewVecDense(k, r))
			}
			return G
		},
		"entry by entry with the Jacobian and the true class": func(W, Phi, T *mat.Dense) *mat.Dense {
			m, k := W.Dims()
			G := mat.NewDense(m, k, nil)
			var A mat.Dense
			A.Mul(Phi, W)
			G.Apply(func(i, j int, _ float64) float64 {
				sum := 0.0
				for n := range Phi.RawMatrix().Rows {
					y := softmax(A.RawRowView(n))
					label := floats.MaxIdx(T.RawRowView(n))
					// −(1/y_l)·∂y_l/∂a_j
					d := y[j]
					if label == j {
						d--
					}
					sum += d * Phi.At(n, i)
				}
				return sum
			}, G)
			return G
		},
		"outputs as 1/Σ exp(a_j − a_k), transposed product, transposed back": func(W, Phi, T *mat.Dense) *mat.Dense {
			var A, R, G mat.Dense
			A.Mul(Phi, W)
			R.Apply(func(n, k int, a float64) float64 {
				s := 0.0
				for _, v := range A.RawRowView(n) {
					s += math.Exp(v - a)
				}
				return 1/s - T.At(n, k)
			}, &A)
			G.Mul(R.T(), Phi)
			return mat.DenseCopyOf(G.T())
		},
		"last column as minus the sum of the others": func(W, Phi, T *mat.Dense) *mat.Dense {
			G := Gradient(W, Phi, T)
			m, k := G.Dims()
			for i := range m {
				G.Set(i, k-1, -floats.Sum(G.RawRowView(i)[:k-1]))
			}
			return G
		},
	})
}

func softmax(a []float64) []float64 {
	y := make([]float64, len(a))
	lse := floats.LogSumExp(a)
	for k, v := range a {
		y[k] = math.Exp(v - lse)
	}
	return y
}

// pull is ΦᵀR with rows r(a_n, t_n).
func pull(r func(a, t []float64) []float64) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		var A, G mat.Dense
		A.Mul(Phi, W)
		n, _ := A.Dims()
		for i := range n {
			A.SetRow(i, r(append([]float64(nil), A.RawRowView(i)...), T.RawRowView(i)))
		}
		G.Mul(Phi.T(), &A)
		return &G
	}
}

// each makes residuals r(y_k, t_k).
func each(r func(y, t float64) float64) gradientFunc {
	return pull(func(a, t []float64) []float64 {
		y := softmax(a)
		for k := range y {
			y[k] = r(y[k], t[k])
		}
		return y
	})
}

// but changes the reference's answer where there are k classes, or any number for 0.
func but(k int, f func(G *mat.Dense)) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		G := Gradient(W, Phi, T)
		if _, c := W.Dims(); k == 0 || c == k {
			f(G)
		}
		return G
	}
}

func scale(c float64) gradientFunc { return but(0, func(G *mat.Dense) { G.Scale(c, G) }) }

// TestWrong: answers that the table of mistakes does not hold, by key.
func TestWrong(t *testing.T) {
	normalised := func(shift func(a []float64) float64) gradientFunc { // e^(a−shift), divided by the sum
		return pull(func(a, t []float64) []float64 {
			s, c := 0.0, shift(a)
			for k := range a {
				a[k] = math.Exp(a[k] - c)
				s += a[k]
			}
			floats.Scale(1/s, a)
			floats.Sub(a, t)
			return a
		})
	}
	cut := func(at float64) gradientFunc { // outputs below e^−at are 0
		return each(func(y, t float64) float64 {
			if y < math.Exp(-at) {
				y = 0
			}
			return y - t
		})
	}
	kept := &mat.Dense{}
	gate.Wrongs(t, ex18.Exercise(), ex18.Check, map[string][]gradientFunc{
		"factor":        {scale(2), scale(0.5)},
		"sign":          {scale(-2)},
		"in-the-middle": {scale(2)},
		"transposed": {func(W, Phi, T *mat.Dense) *mat.Dense { // where it fits
			G := Gradient(W, Phi, T)
			if m, k := W.Dims(); m == k {
				return mat.DenseCopyOf(G.T())
			}
			return G
		}},
		"not-summed": {func(_, _, T *mat.Dense) *mat.Dense { return mat.DenseCopyOf(T) }},
		"nearly": {but(0, func(G *mat.Dense) { G.Set(0, 0, 1.0001*G.At(0, 0)) }), func(W, Phi, T *mat.Dense) *mat.Dense { // differences
			G := mat.DenseCopyOf(W)
			e := func(W *mat.Dense) float64 {
				var A mat.Dense
				A.Mul(Phi, W)
				sum := 0.0
				for n := range Phi.RawMatrix().Rows {
					sum += floats.LogSumExp(A.RawRowView(n)) - floats.Dot(T.RawRowView(n), A.RawRowView(n))
				}
				return sum
			}
			G.Apply(func(i, j int, v float64) float64 {
				const h = 1e-4
				up, down := mat.DenseCopyOf(W), mat.DenseCopyOf(W)
				up.Set(i, j, v+h)
				down.Set(i, j, v-h)
				return (e(up) - e(down)) / (2 * h)
			}, W)
			return G
		}},
		"derivative": {but(0, func(G *mat.Dense) { G.Set(0, 0, 2*G.At(0, 0)) })},
		"rows":       {but(0, func(G *mat.Dense) { G.Set(0, 0, G.At(0, 0)+1) })},
		"two-classes": {but(2, func(G *mat.Dense) { G.Set(0, 1, 0.1) }), but(2, func(G *mat.Dense) { // the columns change places
			first, second := mat.Col(nil, 0, G), mat.Col(nil, 1, G)
			G.SetCol(0, second)
			G.SetCol(1, first)
		})},
		"one-class": {but(1, func(G *mat.Dense) { G.Set(0, 0, 1) })},
		"overflow": {
			normalised(func([]float64) float64 { return 0 }),
			normalised(func(a []float64) float64 { return a[0] }),
			normalised(func(a []float64) float64 { return a[len(a)-1] }),
			normalised(floats.Min),
		},
		"tails": {cut(11), cut(14), cut(20), each(func(y, t float64) float64 { return math.Min(1-1e-8, math.Max(1e-8, y)) - t })},
		"empty": {func(_, _, _ *mat.Dense) *mat.Dense { return &mat.Dense{} }},
		"not-new": {func(W, Phi, T *mat.Dense) *mat.Dense { // a package variable
			kept.Reset()
			kept.CloneFrom(Gradient(W, Phi, T))
			return kept
		}},
		"mutates-inputs": {func(W, Phi, T *mat.Dense) *mat.Dense { // the result in W
			W.Copy(Gradient(W, Phi, T))
			return W
		}},
	})
}

func ExampleCheck() {
	ownClass := each(func(y, t float64) float64 { return -t * (1 - y) })
	fmt.Println(ex18.Check(ownClass).Parts[1].Message)
	// Output: Each point acts on the weights of its own class only, as if output k depended on activation k alone. Through the common denominator every activation moves the true class's output: the chain rule is a sum over k.
}

/*
Equivalent mutants

# Mutants that are right all the same.
Gradient: top := floats.Max(row) → top := floats.Max(row)/2
    Any common shift of the activations cancels. With activations within ±800 the largest exponent is half the largest activation, at most 400 in size, whose exponential is a float64.

Gradient: row[k] = math.Exp(a - top) → row[k] = -math.Exp(a - top)
Gradient: row[k] = math.Exp(a - top) → row[k] = 2*math.Exp(a - top)
Gradient: row[k] = math.Exp(a - top) → row[k] = math.Exp(a - top)/2
    The outputs are divided by their sum afterwards: a common factor cancels.
*/
