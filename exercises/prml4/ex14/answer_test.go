package ex14_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// SeparatingDirection returns ok = true and a w, M entries, with wᵀφ_n > 0 where
// t_n = 1 and wᵀφ_n < 0 where t_n = 0, if there is one. Otherwise it returns ok = false
// and any w. The length of w is free.
//
//   - Phi is the design matrix Φ, N×M, row n the features φ_n (a bias is one of
//     its columns, if there is one; the boundary is wᵀφ = 0).
//   - t has N entries, each 0 or 1; all may be the same.
//
// If the data are separable, some w of length 1 has |wᵀφ_n| ≥ R/25 for all n, //hyperplane:vary // If the data are separable, some w of length 1 has |wᵀφ_n| ≥ R/[[ratio]] for all n,
// where R is the length of the longest φ_n. Phi and t stay unchanged.
func SeparatingDirection(Phi *mat.Dense, t []float64) (w []float64, ok bool) {
	_, m := Phi.Dims()
	w = make([]float64, m)
	// Each epoch of the perceptron except the last makes a correction. On separable
	// data there are at most (R/γ)² = 625: a thousand epochs are enough. //hyperplane:vary // data there are at most (R/γ)² = [[most]]: a thousand epochs are enough.
	for range 1000 {
		clean := true
		for n := range t {
			sign := 2*t[n] - 1
			if sign*floats.Dot(w, Phi.RawRowView(n)) <= 0 {
				floats.AddScaled(w, sign, Phi.RawRowView(n))
				clean = false
			}
		}
		if clean {
			return w, true
		}
	}
	return nil, false
}

// ErrorAlong returns E(c·w), the cross-entropy (4.90) of logistic regression with
// weights c·w. w has M entries, Phi is N×M, t has N entries, each 0 or 1; c is any
// number, as large as ±10⁴. The result is finite and accurate to nine digits, apart
// from rounding in the c·wᵀφ_n. w, Phi and t stay unchanged.
func ErrorAlong(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
	e := 0.0
	for n := range t {
		s := (2*t[n] - 1) * c * floats.Dot(w, Phi.RawRowView(n))
		// ln(1+e^−s), with an exponential that never overflows
		e += math.Max(-s, 0) + math.Log1p(math.Exp(-math.Abs(s)))
	}
	return e
}
