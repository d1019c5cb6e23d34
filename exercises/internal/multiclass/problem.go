// Package multiclass contains the code that the exercises about the softmax of K classes share. It
// computes softmax regression and its derivatives, and models the mistakes that learners make in
// these derivatives.
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

// A Problem is the data of a multiclass logistic regression, together with the weights W at which
// the exercise evaluates the error.
type Problem struct {
	Name string
	Phi  *mat.Dense // N×M
	T    *mat.Dense // N×K, 1-of-K
	W    *mat.Dense // M×K
}

// String returns the name in quotation marks, for use in messages.
func (p Problem) String() string { return "“" + p.Name + "”" }

// Draw draws a problem with n points and k classes. The features have the given centres and
// spreads. The argument `activations` is the typical size of the activations. The function `label`
// is called once for each point and returns its class.
func Draw(r *rand.Rand, name string, n, k int, centre, spread []float64, activations float64,
	label func() int) Problem {
	m := len(centre)
	p := Problem{Name: name, Phi: instance.Design(r, n, centre, spread), W: mat.NewDense(m, k, nil)}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = label()
	}
	p.T = instance.OneOfK(labels, k)
	for c := range k {
		p.W.SetCol(c, instance.Weights(r, p.Phi, activations))
	}
	return p
}

// Dims returns N, M and K.
func (p Problem) Dims() (n, m, k int) {
	n, m = p.Phi.Dims()
	_, k = p.W.Dims()
	return n, m, k
}

// Error returns the cross-entropy, PRML (4.108), at the weights w, which are given row by row.
func (p Problem) Error(w []float64) float64 {
	_, m, k := p.Dims()
	a, e := Activations(mat.NewDense(m, k, slices.Clone(w)), p.Phi), 0.0
	for n := range a.RawMatrix().Rows {
		e += kernel.LogSumExp(a.RawRowView(n)) - floats.Dot(p.T.RawRowView(n), a.RawRowView(n))
	}
	return e
}

// Far reports whether any activation has an absolute value above 100.
func (p Problem) Far() bool { return Scores(Entries(Activations(p.W, p.Phi))).Far() }

// Activations returns ΦW, N×K.
func Activations(W, Phi *mat.Dense) *mat.Dense {
	var a mat.Dense
	a.Mul(Phi, W)
	return &a
}

// Outputs returns ΦW with softmax applied to each row. To model a mistake, a caller passes a wrong
// softmax.
func Outputs(W, Phi *mat.Dense, softmax func(a []float64) []float64) *mat.Dense {
	y := Activations(W, Phi)
	for n := range y.RawMatrix().Rows {
		y.SetRow(n, softmax(y.RawRowView(n)))
	}
	return y
}

// OverPoints applies the softmax to each column of ΦW and returns the result. It models a mistake:
// an answer must apply the softmax to each row.
func OverPoints(W, Phi *mat.Dense) *mat.Dense {
	y := Activations(W, Phi)
	for k := range y.RawMatrix().Cols {
		y.SetCol(k, kernel.Softmax(mat.Col(nil, k, y)))
	}
	return y
}

// Only returns a copy of Φ, in which it sets row i to 0 unless keep(i, n) is true. Here n is the
// number of rows.
func Only(Phi *mat.Dense, keep func(i, n int) bool) *mat.Dense {
	out := mat.DenseCopyOf(Phi)
	for i, n := 0, out.RawMatrix().Rows; i < n; i++ {
		if !keep(i, n) {
			clear(out.RawRowView(i))
		}
	}
	return out
}

// LastPoint, FirstPoint, AllButLast and AllButFirst are arguments for Only. Each selects the points that contribute to
// the result of a wrong loop. LastPoint models a loop that overwrites its sum, and FirstPoint a loop that returns after
// one point. AllButLast models a loop that ends one point too early, and AllButFirst a loop that starts one too late.
func LastPoint(i, n int) bool   { return i == n-1 }
func FirstPoint(i, _ int) bool  { return i == 0 }
func AllButLast(i, n int) bool  { return i < n-1 }
func AllButFirst(i, _ int) bool { return i > 0 }

// Entries returns the entries of m, row by row. The matrix m may be a part of a larger matrix.
func Entries(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

// FarProblems returns problems with activations of many sizes up to about ±800. The index of the largest
// activation of a point varies. The largest activation may be far from the other activations or
// close to one of them. It is the activation of the point's class or of a different class.
func FarProblems() []Problem {
	common := Problem{Name: "all activations near ±800",
		Phi: instance.Design(instance.Source(420, 7), 8, []float64{0, 0}, []float64{0, 1}),
		W:   mat.NewDense(2, 3, []float64{800, 801, 799, 1, -1, 0.5}),
		T:   instance.OneOfK([]int{0, 1, 2, 0, 1, 2, 0, 1}, 3)}
	for i := range 8 {
		common.Phi.Set(i, 0, float64(1-2*(i%2)))
	}
	list := []Problem{common}
	for _, c := range instance.Magnitudes() {
		list = append(list, Problem{
			Name: fmt.Sprintf("activations of ±%g", c), W: mat.NewDense(2, 3, []float64{1, 0, 0.5, 0, 1, -0.5}),
			Phi: mat.NewDense(12, 2, slices.Repeat([]float64{c, 0, 0, c, -c, -c, 0, -c, c, c - 1, -c, 1 - c}, 2)),
			T:   instance.OneOfK([]int{0, 1, 2, 2, 0, 2, 1, 0, 1, 0, 1, 0}, 3),
		})
	}
	return list
}

// Scores contains the activations of K classes. A check differentiates the softmax at these
// activations.
type Scores []float64

// String returns a string such as "a = (1, 2)".
func (a Scores) String() string {
	words := make([]string, len(a))
	for i, v := range a {
		words[i] = fmt.Sprintf("%.4g", v)
	}
	return "a = (" + strings.Join(words, ", ") + ")"
}

// Drawn draws k scores from a normal distribution. The mean is `shift`, and the standard deviation
// is `spread`.
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

// Far reports whether any score has an absolute value above 100.
func (a Scores) Far() bool { return floats.Norm(a, math.Inf(1)) > 100 }

// Square returns the K×K matrix with the given entries, row by row.
func (a Scores) Square(entries []float64) *mat.Dense {
	return mat.NewDense(len(a), len(a), slices.Clone(entries))
}

// Decimals is the accuracy that a check can require of a derivative of the softmax.
var Decimals = verify.Tolerance{Abs: 1e-12}

// Exact compares the derivatives `got` with the exact derivatives of the softmax at the scores a.
func (a Scores) Exact(got []float64) verify.Finding {
	return verify.CloseMat(a.Square(got), a.Square(kernel.SoftmaxJacobian(a)), Decimals)
}

// Derivatives compares the derivatives `got` with central differences of the softmax. If they
// agree, it compares them with the exact derivatives, with a smaller tolerance.
func (a Scores) Derivatives(got []float64) verify.Finding {
	return judge.All(verify.Jacobian(kernel.Softmax, a, a.Square(got), verify.Tolerance{Rel: 1e-7, Abs: 1e-9}),
		a.Exact(got))
}

// Columns returns a function that checks that each column of the derivatives sums to 0. Rows
// returns a function that checks that each row sums to 0. If there are several classes, both functions
// also reject a matrix of zeros; the note of the finding is then the text in the argument `zeros`.
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

// Map returns a function that applies f to every entry of a vector and returns a new vector.
func Map(f func(float64) float64) func(v []float64) []float64 {
	return func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = f(x)
		}
		return out
	}
}
