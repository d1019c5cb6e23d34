package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
)

// What the checks of the generative models share.

// clusters returns rows of k classes about other centres, all of them with rows
// enough for a covariance of d columns.
func clusters(r *rand.Rand, d, k int) (x *mat.Dense, labels []int) {
	n := k*(d+3) + r.IntN(10)
	x, labels = normalMatrix(r, n, d), make([]int, n)
	mix, centres := normalMatrix(r, d, d), normalMatrix(r, k, d)
	x.Mul(x, mix)
	for i := range labels {
		if labels[i] = i % k; i >= k*(d+3) {
			labels[i] = r.IntN(k)
		}
		for j := range d {
			x.Set(i, j, x.At(i, j)+centres.At(labels[i], j))
		}
	}
	return x, labels
}

func covarianceOf(x *mat.Dense, labels []int, class int) *mat.SymDense {
	mean, count := averageOf(x, labels, class)
	s := mat.NewSymDense(len(mean), nil)
	for i, k := range labels {
		if k == class {
			e := make([]float64, len(mean))
			for j := range e {
				e[j] = x.At(i, j) - mean[j]
			}
			s.SymRankOne(s, 1/count, mat.NewVecDense(len(e), e))
		}
	}
	return s
}

// pooled is Σ_k (N_k/N) S_k.
func pooled(x *mat.Dense, labels []int, k int) *mat.SymDense {
	_, d := x.Dims()
	s := mat.NewSymDense(d, nil)
	for c := range k {
		_, count := averageOf(x, labels, c)
		part := covarianceOf(x, labels, c)
		part.ScaleSym(count/float64(len(labels)), part)
		s.AddSym(s, part)
	}
	return s
}

// jointLogs is ln p(x|C_k)p(C_k) of Gaussian classes by gonum's density, N×K; one
// covariance is for all.
func jointLogs(t *testing.T, x mat.Matrix, means mat.Matrix, priors []float64, sigma ...*mat.SymDense) *mat.Dense {
	t.Helper()
	n, _ := x.Dims()
	logs := mat.NewDense(n, len(priors), nil)
	for k, p := range priors {
		normal, ok := distmv.NewNormal(mat.Row(nil, k, means), sigma[k%len(sigma)], nil)
		if !ok {
			t.Fatal("the covariance is not positive definite")
		}
		for i := range n {
			logs.Set(i, k, normal.LogProb(mat.Row(nil, i, x))+math.Log(p))
		}
	}
	return logs
}

// bayesOf is e^{a_k}/Σ_j e^{a_j} by rows, as it is written.
func bayesOf(logs *mat.Dense) *mat.Dense {
	n, k := logs.Dims()
	p := mat.NewDense(n, k, nil)
	for i := range n {
		sum := 0.0
		for c := range k {
			sum += math.Exp(logs.At(i, c))
		}
		for c := range k {
			p.Set(i, c, math.Exp(logs.At(i, c))/sum)
		}
	}
	return p
}
