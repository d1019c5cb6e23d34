package multiclass

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Scores contains the activations of K classes at which a softmax is differentiated.
type Scores []float64

// String returns a text such as "a = (1, 2)".
func (a Scores) String() string {
	words := make([]string, len(a))
	for i, v := range a {
		words[i] = fmt.Sprintf("%.4g", v)
	}
	return "a = (" + strings.Join(words, ", ") + ")"
}

// Drawn draws k normal scores with mean shift and standard deviation spread.
func Drawn(r *rand.Rand, k int, spread, shift float64) Scores {
	a := instance.Normals(r, k)
	floats.Scale(spread, a)
	floats.AddConst(shift, a)
	return a
}

// FarScores returns instance.Scores.
func FarScores() (list []Scores) {
	for _, a := range instance.Scores() {
		list = append(list, a)
	}
	return list
}

// Far reports whether the absolute value of a score exceeds 100.
func (a Scores) Far() bool { return floats.Norm(a, math.Inf(1)) > 100 }

// Square returns the K×K matrix with these entries.
func (a Scores) Square(entries []float64) *mat.Dense {
	return mat.NewDense(len(a), len(a), slices.Clone(entries))
}

// Decimals is the accuracy that can be required of a derivative of the softmax.
var Decimals = verify.Tolerance{Abs: 1e-12}

// Exact compares got with the derivatives of the softmax at a.
func (a Scores) Exact(got []float64) verify.Finding {
	return verify.CloseMat(a.Square(got), a.Square(kernel.SoftmaxJacobian(a)), Decimals)
}

// Derivatives compares got with central differences of the softmax, and then more accurately by
// Exact.
func (a Scores) Derivatives(got []float64) verify.Finding {
	return judge.All(verify.Jacobian(kernel.Softmax, a, a.Square(got), verify.Tolerance{Rel: 1e-7, Abs: 1e-9}),
		a.Exact(got))
}

// Columns returns a check that every column of the derivatives sums to 0. Rows does the same for
// the rows. A matrix of zeros fails with the note zeros.
func Columns(zeros string) func(a Scores, got []float64) verify.Finding {
	return balanced(zeros, func(j *mat.Dense, i int) []float64 { return mat.Col(nil, i, j) })
}

func Rows(zeros string) func(a Scores, got []float64) verify.Finding {
	return balanced(zeros, func(j *mat.Dense, i int) []float64 { return j.RawRowView(i) })
}

func balanced(zeros string, line func(j *mat.Dense, i int) []float64) func(a Scores, got []float64) verify.Finding {
	return func(a Scores, got []float64) verify.Finding {
		if len(a) > 1 && floats.Norm(got, 1) == 0 {
			return verify.Finding{Note: zeros}
		}
		for i := range a {
			if f := verify.SumsTo(line(a.Square(got), i), 0, Decimals); !f.OK {
				return f
			}
		}
		return verify.Finding{OK: true}
	}
}

// Map returns a function that applies f to every entry of a vector.
func Map(f func(float64) float64) func(v []float64) []float64 {
	return func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = f(x)
		}
		return out
	}
}
