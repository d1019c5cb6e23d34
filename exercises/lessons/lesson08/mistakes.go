package lesson08

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

type stepFunc = func(w []float64, Phi *mat.Dense, t []float64) []float64

// A fit defines a weighted fit M⁻¹v, where M is the sum of left·φφᵀ and v the sum of right·φ.
type fit func(a, y, r, t float64) (left, right float64)

func (f fit) step(w []float64, Phi *mat.Dense, t []float64) []float64 {
	M, v := mat.NewDense(len(w), len(w), nil), mat.NewVecDense(len(w), nil)
	for n := range t {
		phi := Phi.RowView(n)
		a := mat.Dot(mat.NewVecDense(len(w), w), phi)
		y := (1 + math.Tanh(a/2)) / 2
		left, right := f(a, y, y*(1-y), t[n])
		var outer mat.Dense
		outer.Outer(left, phi, phi)
		M.Add(M, &outer)
		v.AddScaledVec(v, right, phi)
	}
	var next mat.VecDense
	if err := next.SolveVec(M, v); err != nil {
		return nil
	}
	return next.RawVector().Data
}

var mistakes = []judge.Mistake[stepFunc]{
	{Key: "z-sign", Hint: 2,
		Message: "Your correction has the wrong sign. z is the activation minus (y − t)/R, so z moves towards the target, and Newton's step subtracts H⁻¹∇E.",
		Answer:  fit(func(a, y, r, t float64) (float64, float64) { return r, r*a + y - t }).step},
	{Key: "z-without-r", Hint: 2,
		Message: "Your step lacks R in one place: in z, where the error y − t must be divided by R, or in the Hessian ΦᵀRΦ.",
		Answer:  fit(func(a, y, r, t float64) (float64, float64) { return r, r * (a - y + t) }).step},
	{Key: "z-times-r", Hint: 2,
		Message: "In your z the error is multiplied by R. Divide it by R, because a small error in y means a large error in a where the sigmoid is flat.",
		Answer:  fit(func(a, y, r, t float64) (float64, float64) { return r, r * (a - r*(y-t)) }).step},
	{Key: "targets", Hint: 2,
		Message: "You fit the targets t with the weights R. The targets of the weighted fit are the activations z.",
		Answer:  fit(func(_, _, r, t float64) (float64, float64) { return r, r * t }).step},
	{Key: "least-squares", Hint: 1,
		Message: "Your step is the least-squares fit to t, whatever w is. Your outputs y do not contain the sigmoid.",
		Answer:  fit(func(_, _, _, t float64) (float64, float64) { return 1, t }).step},
	{Key: "unweighted", Hint: 2,
		Message: "Your z are right, but all rows have the same weight in your fit. Row n has the weight R_nn, in the matrix and in the vector.",
		Answer:  fit(func(a, y, r, t float64) (float64, float64) { return 1, a - (y-t)/r }).step},
	{Key: "half-weighted", Hint: 2, Message: "Your matrix contains the weights R, but your vector lacks them: the vector is ΦᵀRz.",
		Answer: fit(func(a, y, r, t float64) (float64, float64) { return r, a - (y-t)/r }).step},
	{Key: "inverse-weights", Hint: 2,
		Message: "Your rows have the weight 1/R. R is the variance of t but the inverse of the variance of z, so a row has the weight R.",
		Answer:  fit(func(a, y, r, t float64) (float64, float64) { return 1 / r, (a - (y-t)/r) / r }).step},
	{Key: "squared-weights", Hint: 2,
		Message: "Your rows have the weight R². If you scale the rows before a least-squares fit, scale them by the square root of R.",
		Answer:  fit(func(a, y, r, t float64) (float64, float64) { return r * r, r * r * (a - (y-t)/r) }).step},
	{Key: "output-as-r", Hint: 1, Message: "Your R is y, as {problem} shows. R is y(1 − y).",
		Answer: fit(func(a, y, _, t float64) (float64, float64) { return y, y*a - y + t }).step},
	{Key: "quarter", Hint: 1,
		Message: "Your matrix contains ¼ for R in every row. R is ¼ at w = 0 only; elsewhere R is y(1 − y), computed from the y of the row.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			move := fit(func(_, y, _, t float64) (float64, float64) { return 0.25, t - y }).step(w, Phi, t)
			for i := range move {
				move[i] += w[i]
			}
			return move
		}},
	{Key: "change-only", Hint: 2, Message: "You return the change of the weights, −H⁻¹∇E. Return the new weights.",
		Answer: fit(func(_, y, r, t float64) (float64, float64) { return r, t - y }).step},
	{Key: "gradient", Hint: 2, Message: "Your step is the gradient alone: the inverse of the Hessian is missing.",
		Answer: func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			next := mat.VecDenseCopyOf(mat.NewVecDense(len(w), w))
			for n := range t {
				phi := Phi.RowView(n)
				y := (1 + math.Tanh(mat.Dot(mat.NewVecDense(len(w), w), phi)/2)) / 2
				next.AddScaledVec(next, t[n]-y, phi)
			}
			return next.RawVector().Data
		}},
}
