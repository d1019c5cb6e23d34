package lesson02

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

var askWeights = &judge.Question[weightsFunc, sample]{
	Func: "Weights", Name: "W", Hint: 2, New: true, Entry: entry,
	Ask: func(f weightsFunc, c *judge.Call, s sample) []float64 {
		W := f(c.Dense("X", s.X), c.Ints("labels", s.labels), s.K)
		d := s.X.RawMatrix().Cols
		if W != nil {
			switch r, k := W.Dims(); {
			case r == d && k == s.K:
				c.Say(judge.Fail("no-ones", 1,
					"Your W has a row for each input, but no row for the biases: add a column of ones in front of X."))
			case r == s.K && k == d+1 && r != k:
				c.Say(judge.Fail("transposed", 2,
					"Your W is K×(D+1), one row per class. Return one column per class, with a row for the biases and for each input."))
			}
		}
		return c.Matrix("W", W, d+1, s.K, "(D+1)×K")
	},
	Right: right,
	Unit:  func(s sample, _ []float64) []float64 { return sizes(s) },
	Sign: judge.Wrong{Key: "sign", Hint: 2,
		Message: "Your weights are the least-squares weights with the opposite sign. Set the gradient to zero, and check on which side each term is."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your weights are the least-squares weights times a constant, as if the targets were not 1, or a factor such as 1/N were on one side only."},
	Mistakes: []judge.Mistake[weightsFunc]{
		{Key: "no-bias", Hint: 1,
			Message: "Your W is the fit without a column of ones: the biases, and every output at x = 0, are 0.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				var W, all mat.Dense
				if err := W.Solve(X, instance.OneOfK(labels, K)); err != nil {
					panic(err)
				}
				all.Stack(mat.NewDense(1, K, nil), &W)
				return &all
			}},
		{Key: "bias-last", Hint: 1,
			Message: "Your weights are right, but the biases are in the last row: the column of ones comes first.",
			Answer: after(func(W, _ *mat.Dense, _ []int) {
				d := W.RawMatrix().Rows - 1
				biases := slices.Clone(W.RawRowView(0))
				for i := range d {
					W.SetRow(i, W.RawRowView(i+1))
				}
				W.SetRow(d, biases)
			})},
		{Key: "bias-of-centred", Hint: 2,
			Message: "Your weights are right, but your biases are the shares of the classes. These are the biases for centred inputs. For x itself, subtract the weights times the mean of the inputs.",
			Answer: after(func(W, _ *mat.Dense, labels []int) {
				shares := instance.Counts(labels, W.RawMatrix().Cols)
				floats.Scale(1/float64(len(labels)), shares)
				W.SetRow(0, shares)
			})},
		{Key: "bias-lost", Hint: 1, Message: "Your weights are right, and all biases are 0.",
			Answer: after(func(W, _ *mat.Dense, _ []int) { clear(W.RawRowView(0)) })},
		{Key: "not-solved", Hint: 2,
			Message: "Your W is only the right-hand side of the normal equations, X̃ᵀT. You still have to solve X̃ᵀX̃ W = X̃ᵀT.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				var W mat.Dense
				W.Mul(instance.WithOnes(X).T(), instance.OneOfK(labels, K))
				return &W
			}},
		{Key: "penalised", Hint: 2,
			Message: "These weights solve (X̃ᵀX̃ + I) W = X̃ᵀT: the number added to the diagonal makes the weights smaller than the least-squares weights.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				ones := instance.WithOnes(X)
				var A, B, W mat.Dense
				A.Mul(ones.T(), ones)
				for i := range A.RawMatrix().Rows {
					A.Set(i, i, A.At(i, i)+1)
				}
				B.Mul(ones.T(), instance.OneOfK(labels, K))
				if err := W.Solve(&A, &B); err != nil {
					panic(err)
				}
				return &W
			}},
		{Key: "plus-minus", Hint: 1,
			Message: "Your targets are +1 for the class and −1 for the others. A 1-of-K target is 0 for the others.",
			Answer:  coded(func(t float64, _, _ int) float64 { return 2*t - 1 })},
		{Key: "turned-round", Hint: 1,
			Message: "Your targets are 0 for the class and 1 for all others; they should be 1 for the class and 0 for all others.",
			Answer:  coded(func(t float64, _, _ int) float64 { return 1 - t })},
		{Key: "labels", Hint: 1,
			Message: "Each of your columns fits the label itself, 0 … K−1, as if the label were a quantity. Use a separate target for each class: 1 for the rows of the class, and 0 for the others.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				T := mat.NewDense(len(labels), K, nil)
				T.Apply(func(n, _ int, _ float64) float64 { return float64(labels[n]) }, T)
				return instance.LeastSquares(X, T)
			}},
		{Key: "next-class", Hint: 1,
			Message: "The column of each class fits the rows of the neighbouring class. Labels and columns both count from 0.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				next := make([]int, len(labels))
				for i, k := range labels {
					next[i] = (k + 1) % K
				}
				return instance.LeastSquares(X, instance.OneOfK(next, K))
			}},
		{Key: "last-left-out", Hint: 1,
			Message: "The column of the last class is 0; the other columns are right.",
			Answer: coded(func(t float64, k, K int) float64 {
				if k == K-1 {
					return 0
				}
				return t
			})},
		{Key: "slopes-alone", Hint: 2,
			Message: "You fit each input separately. Fit all inputs together: the matrix X̃ᵀX̃ has entries off its diagonal.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				T := instance.OneOfK(labels, K)
				n, d := X.Dims()
				W := mat.NewDense(d+1, K, nil)
				W.SetRow(0, instance.Mean(T))
				mean := instance.Mean(X)
				for j := range d {
					w := instance.LeastSquares(mat.NewDense(n, 1, mat.Col(nil, j, X)), T)
					W.SetRow(j+1, w.RawRowView(1))
					floats.AddScaled(W.RawRowView(0), -mean[j], w.RawRowView(1))
				}
				return W
			}},
	},
}

// after returns an answer that applies change to the least-squares weights.
func after(change func(W, X *mat.Dense, labels []int)) weightsFunc {
	return func(X *mat.Dense, labels []int, K int) *mat.Dense {
		W := instance.LeastSquares(X, instance.OneOfK(labels, K))
		change(W, X, labels)
		return W
	}
}

// coded returns an answer that fits other targets: target computes them from the 1-of-K targets.
func coded(target func(t float64, k, K int) float64) weightsFunc {
	return func(X *mat.Dense, labels []int, K int) *mat.Dense {
		T := instance.OneOfK(labels, K)
		T.Apply(func(_, k int, t float64) float64 { return target(t, k, K) }, T)
		return instance.LeastSquares(X, T)
	}
}
