package ex10_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Fit returns the maximum-likelihood estimates of the class means and of the
// covariance matrix that all classes share, for Gaussian classes.
//
//   - Phi is N×M, one feature vector per row.
//   - labels has N entries, the class of each row: whole numbers from 0 to K−1.
//   - K is the number of classes; each has at least one point.
//
// mu is K×M, row k the mean of class k; Sigma is M×M, in squared units of the
// features. Phi and labels stay unchanged.
func Fit(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense) {
	n, m := Phi.Dims()
	mu, Sigma = mat.NewDense(K, m, nil), mat.NewSymDense(m, nil)
	count := make([]float64, K)
	for i, k := range labels {
		count[k]++
		floats.Add(mu.RawRowView(k), Phi.RawRowView(i))
	}
	for k := range K {
		floats.Scale(1/count[k], mu.RawRowView(k))
	}
	for i, k := range labels {
		v := floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k))
		Sigma.SymRankOne(Sigma, 1/float64(n), mat.NewVecDense(m, v))
	}
	return mu, Sigma
}

// Gradient returns the derivatives of the log likelihood with respect to the
// entries of P = Σ⁻¹, as an M×M matrix: G_ij = ∂ ln p/∂P_ij, where all M² entries
// of P are free. The means mu (K×M) and the positive definite Sigma (M×M) are
// arbitrary. The estimate of Σ follows from this gradient. The arguments stay
// unchanged.
func Gradient(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
	n, m := Phi.Dims()
	G := mat.NewDense(m, m, nil)
	G.Scale(float64(n)/2, Sigma) // ½N ∂ ln|P|/∂P = ½N P⁻¹
	for i, k := range labels {
		v := mat.NewVecDense(m, floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k)))
		G.RankOne(G, -0.5, v, v)
	}
	return G
}
