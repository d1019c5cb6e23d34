package classify_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func negated(v []float64) []float64 {
	out := make([]float64, len(v))
	floats.ScaleTo(out, -1, v)
	return out
}

// oracleFisher: the oracle's direction points to C₂, this package's to C₁.
func oracleFisher(t *testing.T, r *reference) {
	m := must(classify.FitFisher(r.x, r.target(), classify.FisherOptions{}))(t)
	r.is("m1", m.Scatter.ClassMeans.RawRowView(0)...)
	r.is("m2", m.Scatter.ClassMeans.RawRowView(1)...)
	r.is("S_W", flat(m.Scatter.Within)...)
	r.is("w_unit", negated(m.Direction)...)
	r.is("J", m.J)
	r.is("proj_mean", negated(m.ProjectedMeans[:])...)
	r.is("proj_scatter", m.ProjectedScatters[:]...)
	ls := must(m.LeastSquaresWeights())(t)
	r.is("w_ls", ls[1:]...)
	r.is("w0_ls", ls[0])
	if r.has("gauss_threshold") { // kept where it lies between the means
		r.is("gauss_threshold", -m.Threshold)
	}
}

func oracleFisherMulti(t *testing.T, r *reference) {
	m := must(classify.FitFisherMulti(r.x, r.labels(), r.k(), classify.FisherMultiOptions{}))(t)
	r.is("eigenvalues", m.Eigenvalues...)
	r.is("J_full", m.J)
	r.is("W", flat(m.W)...)
	var wtw, inv, p mat.Dense
	wtw.Mul(m.W.T(), m.W)
	if err := inv.Inverse(&wtw); err != nil {
		t.Fatal(err)
	}
	p.Product(m.W, &inv, m.W.T())
	r.is("projector", flat(&p)...)
	r.is("S_W", flat(m.Scatter.Within)...)
	r.is("S_B", flat(m.Scatter.Between)...)
	r.is("mean", m.Scatter.Mean...)
	r.is("class_means", flat(m.Scatter.ClassMeans)...)
}

// compareGenerative compares what LDA and QDA share.
func compareGenerative(t *testing.T, r *reference, labels []int, m classify.Generative) {
	r.is("log_posterior", flat(must(m.LogPosterior(r.PhiPoints()))(t))...)
	r.is("posterior", flat(must(m.Posterior(r.PhiPoints()))(t))...)
	var conditional, wrong float64
	lp, class := must(m.LogPosterior(r.x))(t), must(m.Predict(r.x))(t)
	for i, k := range labels {
		conditional += lp.At(i, k)
		if class[i] != k {
			wrong++
		}
	}
	r.is("loglik_conditional", conditional)
	r.is("n_train_errors", wrong)
}

func oracleLDA(t *testing.T, r *reference) {
	labels := r.labels()
	m := must(classify.FitLDA(r.x, labels, r.k(), classify.LDAOptions{}))(t)
	r.is("priors", m.Priors...)
	r.is("means", flat(m.Means)...)
	r.is("Sigma", flat(m.Sigma)...)
	d := len(m.Mean)
	r.is("w_k", flat(m.W.Slice(1, d+1, 0, r.k()).T())...)
	r.is("w_k0", m.W.RawRowView(0)...)
	r.is("loglik_joint", m.LogLikelihood)
	compareGenerative(t, r, labels, m)
	if r.k() == 2 {
		w := must(m.TwoClass())(t)
		r.is("w", w[1:]...)
		r.is("w0", w[0])
	}
}

func oracleQDA(t *testing.T, r *reference) {
	labels := r.labels()
	m := must(classify.FitQDA(r.x, labels, r.k(), classify.QDAOptions{}))(t)
	r.is("priors", m.Priors...)
	r.is("means", flat(m.Means)...)
	var sigma []float64
	for _, s := range m.Sigma {
		sigma = append(sigma, flat(s)...)
	}
	r.is("Sigma_k", sigma...)
	r.is("logdet_Sigma_k", m.LogDet...)
	r.is("loglik_joint", m.LogLikelihood)
	compareGenerative(t, r, labels, m)
	if r.k() == 2 {
		s := must(m.Scores(r.PhiPoints()))(t)
		var a []float64
		for i := range r.Points {
			a = append(a, s.At(i, 0)-s.At(i, 1))
		}
		r.is("a_points", a...)
	}
}

// smoothings returns the suffix of the oracle's keys and α, 0 for "ml".
func smoothings(r *reference) map[string]float64 {
	s := map[string]float64{"ml": 0}
	for _, a := range r.Alphas {
		s["a"+dotless(a)] = a
	}
	return s
}

func oracleBernoulli(t *testing.T, r *reference) {
	labels := r.labels()
	for key, alpha := range smoothings(r) {
		m := must(classify.FitNaiveBayesBernoulli(r.x, labels, r.k(), classify.NaiveBayesBernoulliOptions{Smoothing: alpha}))(t)
		r.is("priors", m.Priors...)
		r.is("mu_"+key, flat(m.Mu)...)
		r.is("log_posterior_"+key, flat(must(m.LogPosterior(r.PhiPoints()))(t))...)
		if alpha > 0 {
			rows, k := m.W.Dims()
			r.is("w_k_"+key, flat(m.W.Slice(1, rows, 0, k).T())...)
			r.is("w_k0_"+key, m.W.RawRowView(0)...)
		}
	}
}

func oracleCategorical(t *testing.T, r *reference) {
	labels := r.labels()
	var levels []int
	for _, names := range r.Levels {
		levels = append(levels, len(names))
	}
	for key, alpha := range smoothings(r) {
		m := must(classify.FitNaiveBayesCategorical(r.x, levels, labels, r.k(), classify.NaiveBayesCategoricalOptions{Smoothing: alpha}))(t)
		r.is("priors", m.Priors...)
		for i, mu := range m.Mu {
			r.is(fmt.Sprintf("mu_%s_f%d", key, i), flat(mu)...)
		}
		r.is("log_posterior_"+key, flat(must(m.LogPosterior(r.PhiPoints()))(t))...)
	}
}
