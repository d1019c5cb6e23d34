package ex09_test

// Priors returns the maximum-likelihood estimate of the prior probabilities
// p(C_k), K numbers without unit that sum to 1.
//
//   - labels has N ≥ 1 entries, the class of each data point: whole numbers from
//     0 to K−1.
//   - K is the number of classes; a class may have no data point.
//
// labels stays unchanged.
func Priors(labels []int, K int) []float64 {
	pi := make([]float64, K)
	for _, k := range labels {
		pi[k]++ // N_k
	}
	for k := range pi {
		pi[k] /= float64(len(labels))
	}
	return pi
}
