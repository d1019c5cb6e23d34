package lesson02_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson02"
)

type weightsFunc = func(X *mat.Dense, labels []int, K int) *mat.Dense

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson02.Exercise(), gate.OfNew(lesson02.Check, Weights))
}

// designAndTargets returns [1 X] and the 1-of-K targets T.
func designAndTargets(X *mat.Dense, labels []int, K int) (ones, T *mat.Dense) {
	n, d := X.Dims()
	ones, T = mat.NewDense(n, d+1, nil), mat.NewDense(n, K, nil)
	ones.Slice(0, n, 1, d+1).(*mat.Dense).Copy(X)
	for i, k := range labels {
		ones.Set(i, 0, 1)
		T.Set(i, k, 1)
	}
	return ones, T
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson02.Check, map[string]weightsFunc{
		"reference": Weights,
		"normal equations": func(X *mat.Dense, labels []int, K int) *mat.Dense {
			ones, T := designAndTargets(X, labels, K)
			var A, B, W mat.Dense
			A.Mul(ones.T(), ones)
			B.Mul(ones.T(), T)
			_ = W.Solve(&A, &B) // ignore the error that reports a large condition number
			return &W
		},
		"inverse": func(X *mat.Dense, labels []int, K int) *mat.Dense {
			ones, T := designAndTargets(X, labels, K)
			var A, W mat.Dense
			A.Mul(ones.T(), ones)
			_ = A.Inverse(&A)
			W.Product(&A, ones.T(), T)
			return &W
		},
		"singular values": func(X *mat.Dense, labels []int, K int) *mat.Dense {
			ones, T := designAndTargets(X, labels, K)
			var svd mat.SVD
			svd.Factorize(ones, mat.SVDThin)
			var W mat.Dense
			svd.SolveTo(&W, T, svd.Rank(1e-12))
			return &W
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson02.Exercise(), lesson02.Check, map[string][]weightsFunc{
		"wrong-before": {func(X *mat.Dense, labels []int, K int) *mat.Dense {
			W := Weights(X, labels, K)
			W.Set(1, 0, W.At(1, 0)+1)
			return W
		}},
		"no-ones": {func(X *mat.Dense, labels []int, K int) *mat.Dense {
			r, c := Weights(X, labels, K).Dims()
			return Weights(X, labels, K).Slice(1, r, 0, c).(*mat.Dense)
		}},
		"transposed": {func(X *mat.Dense, labels []int, K int) *mat.Dense {
			return mat.DenseCopyOf(Weights(X, labels,
				K).T())
		}},
		"factor": {func(X *mat.Dense, labels []int, K int) *mat.Dense {
			W := Weights(X, labels, K)
			W.Scale(3, W)
			return W
		}},
		"sign": {func(X *mat.Dense, labels []int, K int) *mat.Dense {
			W := Weights(X, labels, K)
			W.Scale(-1, W)
			return W
		}},
		"weights": {func(X *mat.Dense, labels []int, K int) *mat.Dense {
			W := Weights(X, labels, K)
			W.Set(0, 0, W.At(0, 0)+1e-3)
			return W
		}},
	})
}

func ExampleCheck() {
	biasLost := func(X *mat.Dense, labels []int, K int) *mat.Dense {
		W := Weights(X, labels, K)
		clear(W.RawRowView(0))
		return W
	}
	fmt.Println(lesson02.Check(biasLost).Parts[1].Message)
	// Output: Your weights are right, and all biases are 0.
}
