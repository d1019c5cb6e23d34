package lesson12_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson12"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

type moderatedFunc = func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson12.Exercise(), gate.Of(lesson12.Check, Moderated))
}

// covariance returns S_N. It computes S_N with the inverses of general matrices.
func covariance(w []float64, Phi *mat.Dense, S0 *mat.SymDense) *mat.Dense {
	var a mat.VecDense
	a.MulVec(Phi, mat.NewVecDense(len(w), w))
	R := mat.NewDiagDense(a.Len(), nil)
	for n := range a.Len() {
		y := 1 / (1 + math.Exp(-a.AtVec(n)))
		R.SetDiag(n, y*(1-y))
	}
	var rphi, gram, inverse, S mat.Dense
	rphi.Mul(R, Phi)
	gram.Mul(Phi.T(), &rphi)
	if inverse.Inverse(S0) != nil {
		panic("singular")
	}
	gram.Add(&gram, &inverse)
	if S.Inverse(&gram) != nil {
		panic("singular")
	}
	return &S
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson12.Check, map[string]moderatedFunc{
		"reference": Moderated,
		"inverses": func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
			x := mat.NewVecDense(len(phi), phi)
			variance := mat.Inner(x, covariance(w, Phi, S0), x)
			return 1 / (1 + math.Exp(-mat.Dot(x, mat.NewVecDense(len(w), w))*math.Pow(1+math.Pi*variance/8, -0.5)))
		},
		"toolkit": func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
			x := mat.NewVecDense(len(phi), phi)
			return classify.ModeratedSigmoid(mat.Dot(x, mat.NewVecDense(len(w), w)),
				mat.Inner(x, covariance(w, Phi, S0), x))
		},
		// this answer replaces S with S − Sφ(Sφ)ᵀ/(1/r+φᵀSφ) for each row
		"row after row": func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
			S := mat.DenseCopyOf(S0)
			n, _ := Phi.Dims()
			for i := range n {
				y := 1 / (1 + math.Exp(-mat.Dot(Phi.RowView(i), mat.NewVecDense(len(w), w))))
				r := y * (1 - y)
				var s mat.VecDense
				s.MulVec(S, Phi.RowView(i))
				S.RankOne(S, -r/(1+r*mat.Dot(&s, Phi.RowView(i))), &s, &s)
			}
			x := mat.NewVecDense(len(phi), phi)
			mu := mat.Dot(x, mat.NewVecDense(len(w), w))
			return (1 + math.Tanh(mu/math.Sqrt(1+math.Pi*mat.Inner(x, S, x)/8)/2)) / 2
		},
	})
}

// TestWrong judges wrong answers that are not in the table of mistakes, and checks the keys of the
// verdicts.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson12.Exercise(), lesson12.Check, map[string][]moderatedFunc{
		// this answer uses only half of the variance
		"probability": {func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
			x := mat.NewVecDense(len(phi), phi)
			return classify.ModeratedSigmoid(mat.Dot(x, mat.NewVecDense(len(w), w)),
				mat.Inner(x, covariance(w, Phi, S0), x)/2)
		}},
		"boundary": {func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
			if p := Moderated(phi, w, Phi, S0); math.Abs(p-0.5) > 1e-6 {
				return p
			}
			return 0
		}},
		// this answer returns exactly 0 or 1 far from the data
		"far": {func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
			p := Moderated(phi, w, Phi, S0)
			if mat.Norm(mat.NewVecDense(len(phi), phi), 2) > 100 {
				return math.Round(p)
			}
			return p
		}},
	})
}

func ExampleCheck() {
	certain := func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
		return 1 / (1 + math.Exp(-mat.Dot(mat.NewVecDense(len(w), w), mat.NewVecDense(len(phi), phi))))
	}
	fmt.Println(lesson12.Check(certain).Parts[1].Message)
	// Output: You return σ(μ_a), the probability at the most probable weights. The variance of the activation is missing, or has no effect.
}

/*
Equivalent mutants

Moderated: y := 1 / (1 + math.Exp(-mat.Dot(mode, Phi.RowView(n)))) → y := 1 / (1 + math.Exp(mat.Dot(mode, Phi.RowView(n))))
    Only y(1−y) is used, which is the same for y and 1−y.
*/
