package ex08_test

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Posterior returns the weights w, D entries, and the bias w0 for which p(C1|x) =
// σ(wᵀx + w0), for two classes with Gaussian densities N(x|mu1, Sigma) and N(x|mu2,
// Sigma) and the prior probabilities p1 and 1−p1.
//
//   - mu1, mu2 have D entries, the class means.
//   - Sigma is D×D, the covariance matrix of both classes, positive definite.
//   - p1 is p(C1), 0 < p1 < 1.
//
// mu1, mu2 and Sigma stay unchanged.
func Posterior(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64, w0 float64) {
	d := len(mu1)
	var chol mat.Cholesky
	if !chol.Factorize(Sigma) {
		panic("Sigma is not positive definite")
	}
	m1, m2 := mat.NewVecDense(d, mu1), mat.NewVecDense(d, mu2)
	var difference, middle, v mat.VecDense
	difference.SubVec(m1, m2)
	if err := chol.SolveVecTo(&v, &difference); err != nil { // w = Σ⁻¹(μ1−μ2)
		panic(err)
	}
	// −½μ1ᵀΣ⁻¹μ1 + ½μ2ᵀΣ⁻¹μ2 = −½wᵀ(μ1+μ2)
	middle.AddVec(m1, m2)
	w0 = -0.5*mat.Dot(&v, &middle) + math.Log(p1/(1-p1))
	return v.RawVector().Data, w0
}

// Terms multiplies out the exponent −½(x−mu)ᵀΣ⁻¹(x−mu) of a Gaussian density at x.
// It returns the three parts of the sum: quadratic in x, linear in x, and constant.
// Both x and mu have D entries, Sigma is as in Posterior; all stay unchanged. (An
// optional intermediate step, judged by CheckSteps.)
func Terms(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64) {
	var chol mat.Cholesky
	if !chol.Factorize(Sigma) {
		panic("Sigma is not positive definite")
	}
	vx, vm := mat.NewVecDense(len(x), x), mat.NewVecDense(len(mu), mu)
	var px, pm mat.VecDense // Σ⁻¹x and Σ⁻¹μ
	if err := errors.Join(chol.SolveVecTo(&px, vx), chol.SolveVecTo(&pm, vm)); err != nil {
		panic(err)
	}
	return -0.5 * mat.Dot(vx, &px), mat.Dot(vx, &pm), -0.5 * mat.Dot(vm, &pm)
}
