package classify_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// offsetFit contains the results of a maximum-likelihood fit that the tests check.
type offsetFit struct {
	w         []*big.Float
	converged bool
	reason    string
}

func offsetOf(e *classify.Estimate) offsetFit {
	return offsetFit{bigWeights(e.W), e.Converged, e.Reason}
}

// bigContrast returns the weights of class 0 minus the weights of class 1, without rounding.
func bigContrast(w *mat.Dense) []*big.Float {
	d := bigWeights(mat.Col(nil, 0, w))
	for j, v := range bigWeights(mat.Col(nil, 1, w)) {
		d[j].Sub(d[j], v)
	}
	return d
}

// roundedLoss returns a function that computes the derivatives of a loss with respect to the
// activation in float64. The activations are moderate, so the derivatives have 15 correct digits.
func roundedLoss(t []float64, f func(a, t float64) (slope, curve float64)) func(row int, a *big.Float) (slope,
	curve *big.Float) {
	return func(r int, a *big.Float) (*big.Float, *big.Float) {
		v, _ := a.Float64()
		slope, curve := f(v, t[r])
		return bigFloat(slope), bigFloat(curve)
	}
}

// offsetLosses lists the fits and the derivatives of their losses.
var offsetLosses = []struct {
	name  string
	alpha float64
	loss  func(t []float64) func(row int, a *big.Float) (slope, curve *big.Float)
	fit   func(t *testing.T, x *mat.Dense, target []float64) offsetFit
}{
	{"logistic", 0, bigLogistic, fitOffset(func(x *mat.Dense, t []float64) (*classify.Logistic, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{})
	})},
	{"logistic, L-BFGS", 0, bigLogistic, fitOffset(func(x *mat.Dense, t []float64) (*classify.Logistic, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Solver: classify.LBFGS{}})
	})},
	{"logistic, prior", 0.1, bigLogistic, fitOffset(func(x *mat.Dense, t []float64) (*classify.Logistic, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	})},
	{"label flip of 0", 0, bigLogistic, fitOffset(func(x *mat.Dense, t []float64) (*classify.LabelFlip, error) {
		return classify.FitLabelFlip(x, t, classify.LabelFlipOptions{})
	})},
	{"label flip", 0, func(t []float64) func(int, *big.Float) (*big.Float, *big.Float) {
		return roundedLoss(t, func(a, t float64) (float64, float64) {
			y := 1 / (1 + math.Exp(-a))
			s, p := 0.9*y*(1-y), 0.05+0.9*y // p is the probability of t = 1, and s is dp/da
			return s * (p - t) / (p * (1 - p)), s*(1-2*y)*(p-t)/(p*(1-p)) + s*s*(t/(p*p)+(1-t)/((1-p)*(1-p)))
		})
	}, fitOffset(func(x *mat.Dense, t []float64) (*classify.LabelFlip, error) {
		return classify.FitLabelFlip(x, t, classify.LabelFlipOptions{Epsilon: 0.05})
	})},
	{"probit", 0, func(t []float64) func(int, *big.Float) (*big.Float, *big.Float) {
		return roundedLoss(t, func(a, t float64) (float64, float64) {
			s := 1 - 2*t // s is −1 for t = 1 and +1 for t = 0; the loss is −ln Φ(−sa)
			h := distuv.UnitNormal.Prob(a) / distuv.UnitNormal.CDF(-s*a)
			return s * h, h * (h - s*a)
		})
	}, fitOffset(func(x *mat.Dense, t []float64) (*classify.Probit, error) {
		return classify.FitProbit(x, t, classify.ProbitOptions{})
	})},
	{"Poisson", 0, canonicalOffset(func(a float64) (float64, float64) { return math.Exp(a), math.Exp(a) }),
		fitFamily(classify.PoissonTarget{}, 0)},
	{"Gaussian", 0, canonicalOffset(func(a float64) (float64, float64) { return a, 1 }),
		fitFamily(classify.GaussianTarget{}, 0)},
	{"gamma", 0, func(t []float64) func(int, *big.Float) (*big.Float, *big.Float) {
		return roundedLoss(t, func(a, t float64) (float64, float64) { return -1/a - (t + 1), 1 / (a * a) })
	}, fitFamily(classify.GammaTarget{}, 1)},
	{"softmax", 0, bigLogistic, func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		m := must(classify.FitSoftmax(x, sidesOf(target), 2, classify.SoftmaxOptions{}))(t)
		return offsetFit{bigContrast(m.W), m.Converged, m.Reason}
	}},
	{"Bayes logistic", 0.1, bigLogistic, func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		m := must(classify.FitBayesLogistic(x, target,
			classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
		return offsetFit{bigWeights(m.W), m.Converged, m.Reason}
	}},
	{"Bayes logistic, flat prior", 0, bigLogistic, func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{}))(t)
		return offsetFit{bigWeights(m.W), m.Converged, m.Reason}
	}},
	{"Bayes softmax, flat prior", 0, bigLogistic, func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		m := must(classify.FitBayesSoftmax(x, sidesOf(target), 2, classify.BayesSoftmaxOptions{}))(t)
		return offsetFit{bigContrast(m.W), m.Converged, m.Reason}
	}},
	{"logistic, a column twice", 0, bigLogistic, func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		var twice mat.Dense
		twice.Augment(x, x)
		m := offsetOf(&must(classify.FitLogistic(&twice, target, classify.LogisticOptions{}))(t).Estimate)
		m.w = []*big.Float{m.w[0], m.w[1].Add(m.w[1], m.w[2])}
		return m
	}},
	{"squared sigmoids", 0, func(t []float64) func(int, *big.Float) (*big.Float, *big.Float) {
		return roundedLoss(t, func(a, t float64) (float64, float64) {
			y := 1 / (1 + math.Exp(-a))
			s := y * (1 - y)
			return (y - t) * s, s*s + (y-t)*s*(1-2*y)
		})
	}, func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		m := must(classify.FitSigmoidSquares(x, sidesOf(target), 2, classify.SigmoidSquaresOptions{}))(t)
		return offsetFit{bigWeights(mat.Col(nil, 0, m.W)), m.Outputs[0].Converged, m.Outputs[0].Reason}
	}},
	{"iterative reweighted least squares", 0, bigLogistic,
		func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
			m := must(classify.FitIRLS(x, target, classify.IRLSOptions{}))(t)
			return offsetFit{bigWeights(m.W), m.Converged, m.Reason}
		}},
}

func fitOffset[M interface {
	*classify.Logistic | *classify.LabelFlip | *classify.Probit
}](fit func(x *mat.Dense, t []float64) (M, error)) func(*testing.T, *mat.Dense, []float64) offsetFit {
	return func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		switch m := any(must(fit(x, target))(t)).(type) {
		case *classify.Logistic:
			return offsetOf(&m.Estimate)
		case *classify.LabelFlip:
			return offsetOf(&m.Estimate)
		default:
			return offsetOf(&m.(*classify.Probit).Estimate)
		}
	}
}

// fitFamily fits a generalized linear model of the family. It first adds the number "add" to each
// target.
func fitFamily(family classify.TargetFamily, add float64) func(*testing.T, *mat.Dense, []float64) offsetFit {
	return func(t *testing.T, x *mat.Dense, target []float64) offsetFit {
		shifted := make([]float64, len(target))
		for i, v := range target {
			shifted[i] = v + add
		}
		return offsetOf(&must(classify.FitGLM(x, shifted, family, classify.GLMOptions{}))(t).Estimate)
	}
}

func canonicalOffset(mean func(a float64) (y, slope float64)) func(t []float64) func(int, *big.Float) (*big.Float,
	*big.Float) {
	return func(t []float64) func(int, *big.Float) (*big.Float, *big.Float) {
		return roundedLoss(t, func(a, t float64) (float64, float64) {
			y, slope := mean(a)
			return y - t, slope
		})
	}
}

// TestConvergedFarFromZero checks that Converged is correct for the returned weights, which are
// rounded to float64. If a column is far from 0 relative to its spread, rounded weights cannot be
// as accurate as Converged promises. Converged must then be false, and Reason must recommend a
// remedy. The inputs are exact in float64, and the check uses 1024 bits.
func TestConvergedFarFromZero(t *testing.T) {
	target := []float64{0, 0, 1, 0, 1, 0, 1, 1, 0, 1}
	offsets := []float64{0, 1e6, 1e7, 1e8, 1e9, 1e10, 1e12, 1e13, 1e14, 1e15}
	farOff := func(offset float64) *mat.Dense {
		x := pointsOn(-2, -1, -0.5, 0, 0.25, 0.5, 1, 1.5, 2, 3)
		x.Apply(func(_, _ int, v float64) float64 { return v + offset }, x)
		return x
	}
	for _, f := range offsetLosses {
		t.Run(f.name, func(t *testing.T) {
			for _, offset := range offsets {
				x := farOff(offset)
				m := f.fit(t, x, target)
				left, share, ok := stepLeft(x, f.alpha, m.w, f.loss(target))
				said := fmt.Sprintf("offset %g: Converged is %v, the Newton step is %.2g standard errors and %.2g relative to the weights; want Converged only if both are at most 1e-8: %s",
					offset, m.converged, left, share, m.reason)
				errorIf(t, m.converged && !(ok && left <= 1e-8 && share <= 1e-8), "%s", said)
				errorIf(t, !m.converged && (offset < 1e7 || !strings.Contains(m.reason, "centre the column")), "%s",
					said)
			}
		})
	}
	// Under a flat prior, an offset of the inputs does not change any activation.
	t.Run("variational", func(t *testing.T) {
		fit := func(offset float64) (m *classify.VariationalLogistic, a []float64) {
			x := farOff(offset)
			m = must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{}))(t)
			for _, v := range x.RawMatrix().Data {
				at := new(big.Float).Mul(bigFloat(v), bigFloat(m.Mean[1]))
				f, _ := at.Add(at, bigFloat(m.Mean[0])).Float64()
				a = append(a, f)
			}
			return m, a
		}
		_, want := fit(0)
		for _, offset := range offsets[1:] {
			m, a := fit(offset)
			said := fmt.Sprintf("offset %g: Converged is %v, the activations are %v, want %v: %s", offset, m.Converged, a, want,
				m.Reason)
			errorIf(t, m.Converged && !floats.EqualApprox(a, want, 1e-8), "%s", said)
			errorIf(t, !m.Converged && (offset < 1e7 || !strings.Contains(m.Reason, "centre the column")), "%s", said)
		}
	})
}

// TestEvidenceFarFromZero checks that an offset of the inputs changes neither ln|A| nor the errors
// of the activations. If a fit has a covariance, EvidenceOf and ActivationErrors must return no
// error.
func TestEvidenceFarFromZero(t *testing.T) {
	x, labels := clouds(40, 2, 2, 29)
	x.Apply(func(_, _ int, v float64) float64 { return math.Round(v*1024) / 1024 }, x)
	target := targets(labels)
	fits := map[string]func(x mat.Matrix) (classify.Criteria, *classify.Estimate){
		"softmax": func(x mat.Matrix) (classify.Criteria, *classify.Estimate) {
			return must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{}))(t), nil
		},
		"Gaussian": func(x mat.Matrix) (classify.Criteria, *classify.Estimate) {
			m := must(classify.FitGLM(x, target, classify.GaussianTarget{}, classify.GLMOptions{}))(t)
			return m, &m.Estimate
		},
		"logistic": func(x mat.Matrix) (classify.Criteria, *classify.Estimate) {
			m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
			return m, &m.Estimate
		},
		"probit": func(x mat.Matrix) (classify.Criteria, *classify.Estimate) {
			m := must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t)
			return m, &m.Estimate
		},
		"label flip": func(x mat.Matrix) (classify.Criteria, *classify.Estimate) {
			m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.05}))(t)
			return m, &m.Estimate
		},
	}
	for name, fit := range fits {
		base, est := fit(x)
		want := must(classify.EvidenceOf(base, nil))(t)
		for _, offset := range []float64{1e3, 1e5, 1e6, 1e7} {
			var far mat.Dense
			far.Apply(func(_, j int, v float64) float64 { return v + offset*float64(1-j) }, x)
			m, there := fit(&far)
			got := must(classify.EvidenceOf(m, nil))(t)
			closeTo(t, got.LogDet, want.LogDet, 1e-7*(1+math.Abs(want.LogDet)), "%s, offset %g: ln|A|", name, offset)
			if est != nil {
				allClose(t, fmt.Sprintf("%s, offset %g: standard errors of the activations", name, offset),
					must(there.ActivationErrors(&far))(t), must(est.ActivationErrors(x))(t), 1e-6)
			}
		}
	}
}
