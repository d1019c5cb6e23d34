package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

func TestEquationsEvidence(t *testing.T) {
	equation.Check(t, "prml-4.136", func(r *rand.Rand) (left, right any) { // Laplace is exact here
		n, s := 5+r.IntN(4), 0.5+r.Float64()
		x, target := normalMatrix(r, n, 1), normals(r, n)
		prior := classify.Gaussian{Mean: normals(r, 2), Cov: spread(r, 2)}
		m := must(classify.FitGLM(x, target, classify.GaussianTarget{Scale: s}, classify.GLMOptions{Prior: prior}))(t)
		density, _ := distmv.NewNormal(prior.Mean, prior.Cov, nil)
		p := overPlane(func(w []float64) float64 {
			squares := 0.0
			for i, v := range target {
				squares += (v - w[0] - w[1]*x.At(i, 0)) * (v - w[0] - w[1]*x.At(i, 0))
			}
			return math.Exp(-squares/(2*s)) / math.Pow(2*math.Pi*s, float64(n)/2) * density.Prob(w)
		}, prior.Mean, prior.Cov)
		return must(classify.EvidenceOf(m, prior))(t).LogEvidence(), math.Log(p)
	})
	equation.Check(t, "prml-4.137", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		logDet, _ := mat.LogDet(c.precision(c.fit.W))
		occam := c.logPrior(c.fit.W) + float64(len(c.m0))/2*math.Log(2*math.Pi) - logDet/2
		return []float64{c.fit.LogEvidence(), c.fit.Evidence.LogOccam()}, []float64{c.logLikelihood(c.fit.W) + occam, occam}
	})
	equation.CheckTo(t, "prml-4.138", 1e-6, func(r *rand.Rand) (left, right any) { // second differences
		c := newBayesCase(t, r, 2)
		return c.fit.Precision, curvatures(func(w []float64) float64 { return -c.logPrior(w) - c.logLikelihood(w) }, c.fit.W)
	})
	// Every row 10⁸ times: what (4.139) omits tends to ln p(w) + (M/2) ln 2π − ½ ln|A/N|.
	equation.CheckTo(t, "prml-4.139", 1e-5, func(r *rand.Rand) (left, right any) { // a limit
		const times = 1e8
		c := newBayesCase(t, r, 1+r.IntN(2))
		weights := make([]float64, len(c.t))
		for i := range weights {
			weights[i] = times
		}
		m := must(classify.FitBayesLogistic(c.x, c.t, classify.BayesLogisticOptions{Prior: c.prior(), Weights: weights}))(t)
		ml := must(classify.FitLogistic(c.x, c.t, classify.LogisticOptions{}))(t)
		var information mat.SymDense
		information.ScaleSym(1/float64(len(c.t)), c.information(ml.W))
		logDet, _ := mat.LogDet(&information)
		return m.LogEvidence() - -m.BIC()/2, c.logPrior(ml.W) + float64(len(ml.W))/2*math.Log(2*math.Pi) - logDet/2
	})
}
