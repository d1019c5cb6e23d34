package classify_test

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// TestOracleGenerative compares every reference value of Fisher's discriminant
// and the generative models. The table shows with -v.
func TestOracleGenerative(t *testing.T) {
	l := oracle.NewLedger()
	for _, f := range []struct {
		family string
		check  func(*testing.T, *oracle.Ledger, *oracle.Case, *mat.Dense, []string)
	}{
		{"fisher_two_class", oracleFisher},
		{"fisher_multi", oracleFisherMulti},
		{"lda_ml", oracleLDA},
		{"qda_ml", oracleQDA},
		{"nb_bernoulli", oracleBernoulli},
		{"nb_categorical", oracleCategorical},
	} {
		eachCase(t, f.family, func(t *testing.T, c *oracle.Case, x *mat.Dense, text []string) {
			f.check(t, l, c, x, text)
		})
	}
	l.Log(t)
}

func negated(v []float64) []float64 {
	out := make([]float64, len(v))
	floats.ScaleTo(out, -1, v)
	return out
}

// oracleFisher: the oracle's direction points to C₂, this package's to C₁.
func oracleFisher(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	m := must(classify.FitFisher(x, must(c.Target(text))(t), classify.FisherOptions{}))(t)
	l.Compare(t, c, "m1", m.Scatter.ClassMeans.RawRowView(0)...)
	l.Compare(t, c, "m2", m.Scatter.ClassMeans.RawRowView(1)...)
	l.Compare(t, c, "S_W", flat(m.Scatter.Within)...)
	l.Compare(t, c, "w_unit", negated(m.Direction)...)
	l.Compare(t, c, "J", m.J)
	l.Compare(t, c, "proj_mean", negated(m.ProjectedMeans[:])...)
	l.Compare(t, c, "proj_scatter", m.ProjectedScatters[:]...)
	ls := must(m.LeastSquaresWeights())(t)
	l.Compare(t, c, "w_ls", ls[1:]...)
	l.Compare(t, c, "w0_ls", ls[0])
	values := 9
	if _, ok := c.Values["gauss_threshold"]; ok { // kept where it lies between the means
		l.Compare(t, c, "gauss_threshold", -m.Threshold)
		values++
	}
	complete(t, c, values)
}

func oracleFisherMulti(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	m := must(classify.FitFisherMulti(x, must(c.Labels(text))(t), len(c.Classes), classify.FisherMultiOptions{}))(t)
	l.Compare(t, c, "eigenvalues", m.Eigenvalues...)
	l.Compare(t, c, "J_full", m.J)
	l.Compare(t, c, "W", flat(m.W)...)
	var wtw, inv, p mat.Dense
	wtw.Mul(m.W.T(), m.W)
	if err := inv.Inverse(&wtw); err != nil {
		t.Fatal(err)
	}
	p.Product(m.W, &inv, m.W.T())
	l.Compare(t, c, "projector", flat(&p)...)
	l.Compare(t, c, "S_W", flat(m.Scatter.Within)...)
	l.Compare(t, c, "S_B", flat(m.Scatter.Between)...)
	l.Compare(t, c, "mean", m.Scatter.Mean...)
	l.Compare(t, c, "class_means", flat(m.Scatter.ClassMeans)...)
	complete(t, c, 8)
}

// compareGenerative compares what LDA and QDA share.
func compareGenerative(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, labels []int, m classify.Generative) {
	l.Compare(t, c, "log_posterior", flat(must(m.LogPosterior(c.PhiPoints()))(t))...)
	l.Compare(t, c, "posterior", flat(must(m.Posterior(c.PhiPoints()))(t))...)
	var conditional, wrong float64
	lp, class := must(m.LogPosterior(x))(t), must(m.Predict(x))(t)
	for i, k := range labels {
		conditional += lp.At(i, k)
		if class[i] != k {
			wrong++
		}
	}
	l.Compare(t, c, "loglik_conditional", conditional)
	l.Compare(t, c, "n_train_errors", wrong)
}

func oracleLDA(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	labels := must(c.Labels(text))(t)
	m := must(classify.FitLDA(x, labels, len(c.Classes), classify.LDAOptions{}))(t)
	l.Compare(t, c, "priors", m.Priors...)
	l.Compare(t, c, "means", flat(m.Means)...)
	l.Compare(t, c, "Sigma", flat(m.Sigma)...)
	d := len(m.Mean)
	l.Compare(t, c, "w_k", flat(m.W.Slice(1, d+1, 0, len(c.Classes)).T())...)
	l.Compare(t, c, "w_k0", m.W.RawRowView(0)...)
	l.Compare(t, c, "loglik_joint", m.LogLikelihood)
	compareGenerative(t, l, c, x, labels, m)
	values := 10
	if len(c.Classes) == 2 {
		w := must(m.TwoClass())(t)
		l.Compare(t, c, "w", w[1:]...)
		l.Compare(t, c, "w0", w[0])
		values += 2
	}
	complete(t, c, values)
}

func oracleQDA(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	labels := must(c.Labels(text))(t)
	m := must(classify.FitQDA(x, labels, len(c.Classes), classify.QDAOptions{}))(t)
	l.Compare(t, c, "priors", m.Priors...)
	l.Compare(t, c, "means", flat(m.Means)...)
	var sigma []float64
	for _, s := range m.Sigma {
		sigma = append(sigma, flat(s)...)
	}
	l.Compare(t, c, "Sigma_k", sigma...)
	l.Compare(t, c, "logdet_Sigma_k", m.LogDet...)
	l.Compare(t, c, "loglik_joint", m.LogLikelihood)
	compareGenerative(t, l, c, x, labels, m)
	values := 9
	if len(c.Classes) == 2 {
		s := must(m.Scores(c.PhiPoints()))(t)
		var a []float64
		for i := range c.Points {
			a = append(a, s.At(i, 0)-s.At(i, 1))
		}
		l.Compare(t, c, "a_points", a...)
		values++
	}
	complete(t, c, values)
}

// smoothings returns the suffix of the oracle's keys and α, 0 for "ml".
func smoothings(c *oracle.Case) map[string]float64 {
	s := map[string]float64{"ml": 0}
	for _, a := range c.Alphas {
		s["a"+strings.ReplaceAll(fmt.Sprint(a), ".", "p")] = a
	}
	return s
}

func oracleBernoulli(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	labels, values := must(c.Labels(text))(t), 1
	for key, alpha := range smoothings(c) {
		m := must(classify.FitNaiveBayesBernoulli(x, labels, len(c.Classes), classify.NaiveBayesOptions{Smoothing: alpha}))(t)
		l.Compare(t, c, "priors", m.Priors...)
		l.Compare(t, c, "mu_"+key, flat(m.Mu)...)
		l.Compare(t, c, "log_posterior_"+key, flat(must(m.LogPosterior(c.PhiPoints()))(t))...)
		values += 2
		if alpha > 0 {
			r, k := m.W.Dims()
			l.Compare(t, c, "w_k_"+key, flat(m.W.Slice(1, r, 0, k).T())...)
			l.Compare(t, c, "w_k0_"+key, m.W.RawRowView(0)...)
			values += 2
		}
	}
	complete(t, c, values)
}

func oracleCategorical(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	labels, values := must(c.Labels(text))(t), 1
	var levels []int
	for _, names := range c.Levels {
		levels = append(levels, len(names))
	}
	for key, alpha := range smoothings(c) {
		m := must(classify.FitNaiveBayesCategorical(x, levels, labels, len(c.Classes), classify.NaiveBayesOptions{Smoothing: alpha}))(t)
		l.Compare(t, c, "priors", m.Priors...)
		for i, mu := range m.Mu {
			l.Compare(t, c, fmt.Sprintf("mu_%s_f%d", key, i), flat(mu)...)
		}
		l.Compare(t, c, "log_posterior_"+key, flat(must(m.LogPosterior(c.PhiPoints()))(t))...)
		values += 1 + len(m.Mu)
	}
	complete(t, c, values)
}
