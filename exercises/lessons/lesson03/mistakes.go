package lesson03

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

var askDirection = &judge.Question[directionFunc, clouds]{
	Func: "Direction", Name: "w", Hint: 3, Per: "column of X1", New: true,
	Ask: func(f directionFunc, c *judge.Call, p clouds) []float64 {
		_, _, d := p.Dims()
		w := c.Vector("w", f(c.Dense("X1", p.X1), c.Dense("X2", p.X2)), d, "column of X1")
		if w == nil {
			return nil
		}
		if floats.Norm(w, math.Inf(1)) == 0 {
			c.Say(judge.Fail("zero", 1, "All entries of your w are 0, which is not a direction."))
			return nil
		}
		return unit(w)
	},
	Right: right,
	Unit:  func(p clouds, _ []float64) []float64 { return sizes(p) },
	Sign: judge.Wrong{Key: "sign", Hint: 1,
		Message: "Your direction is right except for its sign: class 2 has the larger projections. PRML (4.30) prints this sign, m2 − m1, but its rule “class 1 if y ≥ y0” needs the opposite sign."},
	Mistakes: []judge.Mistake[directionFunc]{
		{Key: "means", Hint: 1,
			Message: "Your w is m1 − m2, the line of the means. It is Fisher's direction only where the classes are round: S_W is not used.",
			Answer:  func(X1, X2 *mat.Dense) []float64 { return gap(X1, X2) }},
		{Key: "multiplied", Hint: 1,
			Message: "Your w is S_W(m1 − m2): you multiply by S_W instead of its inverse. This turns w towards the directions in which the classes are wide.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				var w mat.VecDense
				w.MulVec(within(1, 1)(X1, X2), vector(gap(X1, X2)))
				return w.RawVector().Data
			}},
		{Key: "first-class", Hint: 2,
			Message: "Your matrix contains only the scatter of class 1. S_W is the sum over both classes.",
			Answer:  solved(within(1, 0))},
		{Key: "second-class", Hint: 2,
			Message: "Your matrix contains only the scatter of class 2. S_W is the sum over both classes.",
			Answer:  solved(within(0, 1))},
		{Key: "averaged", Hint: 2,
			Message: "{problem}: you divide the scatter of each class by its number of points before you add them. (4.28) is a plain sum, in which a class with more points has more weight.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				return solved(within(1/float64(X1.RawMatrix().Rows), 1/float64(X2.RawMatrix().Rows)))(X1, X2)
			}},
		{Key: "difference", Hint: 2,
			Message: "Your matrix is the scatter of class 1 minus the scatter of class 2. Use their sum.",
			Answer:  solved(within(1, -1))},
		{Key: "not-centred", Hint: 2,
			Message: "Your matrix is the sum of xxᵀ. Subtract the mean of its class from each point first.",
			Answer: solved(func(X1, X2 *mat.Dense) *mat.Dense {
				zero := make([]float64, X1.RawMatrix().Cols)
				return dense(instance.Scatter(X1, zero), instance.Scatter(X2, zero), 1, 1)
			})},
		{Key: "diagonal", Hint: 2,
			Message: "You divide each entry of m1 − m2 by the scatter of its own column. The entries of S_W off the diagonal are missing; they matter where columns are correlated.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				w, S := gap(X1, X2), within(1, 1)(X1, X2)
				for j := range w {
					w[j] /= S.At(j, j)
				}
				return w
			}},
		{Key: "standardised", Hint: 2,
			Message: "You divide each entry of m1 − m2 by the root of the scatter of its own column. This only makes the units equal; Fisher's direction needs the whole inverse of S_W.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				w, S := gap(X1, X2), within(1, 1)(X1, X2)
				for j := range w {
					w[j] /= math.Sqrt(S.At(j, j))
				}
				return w
			}},
		{Key: "sum-of-means", Hint: 1,
			Message: "Your vector is S_W⁻¹(m1 + m2): use the difference of the means instead of their sum.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				return solve(within(1, 1)(X1, X2),
					floats.AddTo(make([]float64, X1.RawMatrix().Cols), instance.Mean(X1), instance.Mean(X2)))
			}},
		{Key: "one-mean", Hint: 1, Message: "Your vector is S_W⁻¹m1: the mean of class 2 is missing.",
			Answer: func(X1, X2 *mat.Dense) []float64 { return solve(within(1, 1)(X1, X2), instance.Mean(X1)) }},
	},
}

func gap(X1, X2 *mat.Dense) []float64 { return instance.Minus(instance.Mean(X1), instance.Mean(X2)) }

func vector(v []float64) *mat.VecDense { return mat.NewVecDense(len(v), v) }

// within returns a times the scatter of class 1 plus b times the scatter of class 2.
func within(a, b float64) func(X1, X2 *mat.Dense) *mat.Dense {
	return func(X1, X2 *mat.Dense) *mat.Dense {
		return dense(instance.Scatter(X1, instance.Mean(X1)), instance.Scatter(X2, instance.Mean(X2)), a, b)
	}
}

func dense(S1, S2 *mat.SymDense, a, b float64) *mat.Dense {
	out := mat.DenseCopyOf(S1)
	out.Apply(func(i, j int, v float64) float64 { return a*v + b*S2.At(i, j) }, out)
	return out
}

// solved returns an answer that uses the given matrix in place of S_W.
func solved(matrix func(X1, X2 *mat.Dense) *mat.Dense) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 { return solve(matrix(X1, X2), gap(X1, X2)) }
}

func solve(S *mat.Dense, right []float64) []float64 {
	var w mat.VecDense
	if err := w.SolveVec(S, vector(right)); err != nil {
		return nil
	}
	return w.RawVector().Data
}
