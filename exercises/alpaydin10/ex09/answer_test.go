package ex09_test

// Features returns the features φ(x) of one input x, as many as you like, at least
// one and always the same number. They must be finite for |x| up to 1e6.
func Features(x float64) []float64 {
	return []float64{x, x * x}
}

// Weights returns the weights of the linear discriminant g(x) = w0 + Σ w_j φ_j(x):
// the bias w0 first, then one weight per feature. Class C₁ is chosen where
// g(x) > 0, and C₂ elsewhere. (One weight per feature and no bias will do too.)
func Weights() []float64 {
	// −(x−2)(x−4) = −8 + 6x − x² //hyperplane:vary // −(x−[[a]])(x−[[b]]) = −[[product]] + [[sum]]x − x²
	return []float64{-8, 6, -1} //hyperplane:vary return []float64{-[[product]], [[sum]], -1}
}
