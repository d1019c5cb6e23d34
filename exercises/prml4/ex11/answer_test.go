package ex11_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Weights returns the weights of a naive Bayes classifier for D discrete features
// with L states each: a_k = w_kᵀφ + w_k0 is ln{p(φ|C_k)p(C_k)} for every φ in
// 1-of-L coding, in which entry i·L+l is 1 if feature i is in state l, and 0
// otherwise.
//
//   - mu has one D×L matrix for each of K ≥ 1 classes: entry i, l of mu[k] is the
//     probability, greater than 0, of state l of feature i in class k. Rows sum to
//     1.
//   - prior has K entries, the class priors, greater than 0.
//   - W is a new (D·L)×K matrix, column k is w_k; w0 has K entries.
//
// mu and prior stay unchanged.
func Weights(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64) {
	d, l := mu[0].Dims()
	W, w0 = mat.NewDense(d*l, len(mu), nil), make([]float64, len(mu))
	for k := range mu {
		w0[k] = math.Log(prior[k])
		for i := range d {
			for s := range l {
				W.Set(i*l+s, k, math.Log(mu[k].At(i, s)))
			}
		}
	}
	return W, w0
}
