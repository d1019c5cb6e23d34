package ex04_test

import "gonum.org/v1/gonum/floats"

// Merge returns the weights w of one sigmoid, with σ(wᵀx̃) = P(C₁|x) for every x,
// where the two softmax outputs with weights w1 and w2 give P(C₁|x).
//
// w1, w2 and w have D+1 entries, the bias first; x̃ = (1, x) has a 1 in front.
// w is a new slice; w1 and w2 stay unchanged. D may be 0.
func Merge(w1, w2 []float64) []float64 {
	return floats.SubTo(make([]float64, len(w1)), w1, w2)
}

// Split reverses Merge: it returns weights w1 and w2 of two softmax
// outputs, with P(C₁|x) = σ(wᵀx̃) for every x, to six digits. Many pairs satisfy
// this; return any of them, but the same pair for the same w.
//
// w, w1 and w2 have D+1 entries, the bias first. w stays unchanged.
func Split(w []float64) (w1, w2 []float64) {
	w1 = append(w1, w...)
	return w1, make([]float64, len(w))
}
