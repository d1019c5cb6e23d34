package classify_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// objectiveOf is a function that returns the objective of a model, such as LogisticObjective.
type objectiveOf = func(x mat.Matrix, t []float64, prior classify.Prior) (*classify.Objective, error)

// offsetLosses lists fits. The field `alpha` is the precision of the prior, or 0 without a prior. The
// field `objective` makes the function that the fit minimises, without the prior. If it is nil, the
// function is the cross-entropy, whose derivatives are computed with many digits. Every target of a fit
// is 0 or 1, plus the number in the field `add`.
var offsetLosses = []struct {
	name      string
	alpha     float64
	objective objectiveOf
	add       float64
	fitter
}{
	{"logistic", 0, nil, 0, twoClass(classify.FitLogistic, classify.LogisticOptions{})},
	{"logistic, L-BFGS", 0, nil, 0, twoClass(classify.FitLogistic, classify.LogisticOptions{Solver: classify.LBFGS{}})},
	{"logistic, prior", 0.1, nil, 0,
		twoClass(classify.FitLogistic, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})},
	{"label flip of 0", 0, nil, 0, twoClass(classify.FitLabelFlip, classify.LabelFlipOptions{})},
	{"label flip", 0, flipObjective(0.05), 0,
		twoClass(classify.FitLabelFlip, classify.LabelFlipOptions{Epsilon: 0.05})},
	{"probit", 0, classify.ProbitObjective, 0, twoClass(classify.FitProbit, classify.ProbitOptions{})},
	{"Poisson", 0, familyObjective(classify.PoissonTarget{}), 0, ofNumbers(classify.PoissonTarget{}, 0)},
	{"Gaussian", 0, familyObjective(classify.GaussianTarget{}), 0, ofNumbers(classify.GaussianTarget{}, 0)},
	{"gamma", 0, familyObjective(classify.GammaTarget{}), 1, ofNumbers(classify.GammaTarget{}, 1)},
	{"softmax", 0, nil, 0, labelled(classify.FitSoftmax, classify.SoftmaxOptions{})},
	{"Bayes logistic", 0.1, nil, 0,
		twoClass(classify.FitBayesLogistic, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})},
	{"Bayes logistic, flat prior", 0, nil, 0, twoClass(classify.FitBayesLogistic, classify.BayesLogisticOptions{})},
	{"Bayes softmax, flat prior", 0, nil, 0, labelled(classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{})},
	{"logistic, a column twice", 0, nil, 0,
		twoClass(func(x mat.Matrix, t []float64, o classify.LogisticOptions) (*classify.Logistic, error) {
			var twice mat.Dense
			twice.Augment(x, x)
			return classify.FitLogistic(&twice, t, o)
		}, classify.LogisticOptions{})},
	{"squared sigmoids", 0, classify.SigmoidObjective, 0,
		labelled(classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{})},
	{"iterative reweighted least squares", 0, nil, 0, twoClass(classify.FitIRLS, classify.IRLSOptions{})},
}

func familyObjective(family classify.TargetFamily) objectiveOf {
	return func(x mat.Matrix, t []float64, prior classify.Prior) (*classify.Objective, error) {
		return classify.GLMObjective(x, t, family, prior)
	}
}

// ofNumbers returns a fitter of a generalized linear model. The target of a row is 0 or 1, plus the
// argument `add`.
func ofNumbers(family classify.TargetFamily, add float64) fitter {
	return twoClass(func(x mat.Matrix, t []float64, o classify.GLMOptions) (*classify.GLM, error) {
		floats.AddConst(add, t)
		return classify.FitGLM(x, t, family, o)
	}, classify.GLMOptions{})
}

// roundedLoss returns a function that computes, in float64, the slope and the curvature of a loss as a
// function of the activation. The curvature is the result of the method Hessian, which can be an
// approximation. The activations are moderate, so float64 gives 15 correct digits of both.
func roundedLoss(t *testing.T, target []float64, objective objectiveOf) func(int, *big.Float) (_, _ *big.Float) {
	return func(r int, a *big.Float) (slope, curve *big.Float) {
		v, _ := a.Float64()
		o := must(objective(pointsOn(0), target[r:r+1], nil))(t)
		return bigFloat(must(o.Gradient([]float64{v, 0}))(t)[0]), bigFloat(must(o.Hessian([]float64{v, 0}))(t).At(0, 0))
	}
}

// offsetWeights returns the bias and the weight of a fitted model, and the model's fields Converged and
// Reason. For softmax, it returns the column of class 0 minus the column of class 1. If the model was
// fitted to two copies of the input column, the weight is the sum of the two weights.
func offsetWeights(m any) (w []*big.Float, converged bool, reason string) {
	v := reflect.ValueOf(m).Elem()
	switch weights := v.FieldByName("W").Interface().(type) {
	case []float64:
		w = bigWeights(weights)
	case *mat.Dense:
		w = bigWeights(mat.Col(nil, 0, weights))
		if _, k := weights.Dims(); k == 2 {
			for j, v := range bigWeights(mat.Col(nil, 1, weights)) {
				w[j].Sub(w[j], v)
			}
		}
	}
	if len(w) > 2 {
		w[1].Add(w[1], w[2])
	}
	if outputs := v.FieldByName("Outputs"); outputs.IsValid() {
		v = outputs.Index(0)
	}
	return w[:2], v.FieldByName("Converged").Bool(), v.FieldByName("Reason").String()
}

// TestConvergedFarFromZero checks that Converged is correct for the returned weights, which are
// rounded to float64. If a column is far from 0 relative to its spread, rounded weights cannot be
// as accurate as Converged promises. Converged must then be false, and Reason must recommend a
// remedy. The inputs are exact in float64, and the check uses 1024 bits, except in roundedLoss.
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
				w, converged, reason := offsetWeights(must(f.run(x, sidesOf(target), 2))(t))
				loss := bigLogistic(target)
				if f.objective != nil {
					shifted := slices.Clone(target)
					floats.AddConst(f.add, shifted)
					loss = roundedLoss(t, shifted, f.objective)
				}
				left, share, ok := stepLeft(x, f.alpha, w, loss)
				said := fmt.Sprintf("offset %g: Converged is %v, and the next Newton step is %.2g standard errors long (as a fraction of 1+‖w‖ %.2g; Hessian regular: %v). If Converged, want both at most 1e-8 and a regular Hessian. Otherwise want an offset of at least 1e7 and the advice to centre the column: %s",
					offset, converged, left, share, ok, reason)
				errorIf(t, converged && !(ok && left <= 1e-8 && share <= 1e-8), "%s", said)
				errorIf(t, !converged && (offset < 1e7 || !strings.Contains(reason, "centre the column")), "%s", said)
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
			said := fmt.Sprintf("offset %g: Converged is %v, and the activations are %v. If Converged, want the activations %v. Otherwise want an offset of at least 1e7 and the advice to centre the column: %s", offset, m.Converged, a, want,
				m.Reason)
			errorIf(t, m.Converged && !floats.EqualApprox(a, want, 1e-8), "%s", said)
			errorIf(t, !m.Converged && (offset < 1e7 || !strings.Contains(m.Reason, "centre the column")), "%s", said)
		}
	})
}

// TestEvidenceFarFromZero checks that an offset of the first column changes neither ln|A| nor, for
// models with the method ActivationErrors, the standard errors of the activations.
func TestEvidenceFarFromZero(t *testing.T) {
	x, labels := clouds(40, 2, 2, 29)
	x.Apply(func(_, _ int, v float64) float64 { return math.Round(v*1024) / 1024 }, x)
	for _, f := range []fitter{
		labelled(classify.FitSoftmax, classify.SoftmaxOptions{}), ofNumbers(classify.GaussianTarget{}, 0),
		twoClass(classify.FitLogistic, classify.LogisticOptions{}),
		twoClass(classify.FitProbit, classify.ProbitOptions{}),
		twoClass(classify.FitLabelFlip, classify.LabelFlipOptions{Epsilon: 0.05}),
	} {
		base := must(f.run(x, labels, 2))(t)
		want := must(classify.EvidenceOf(base.(classify.Criteria), nil))(t)
		for _, offset := range []float64{1e3, 1e5, 1e6, 1e7} {
			var far mat.Dense
			far.Apply(func(_, j int, v float64) float64 { return v + offset*float64(1-j) }, x)
			m := must(f.run(&far, labels, 2))(t)
			got := must(classify.EvidenceOf(m.(classify.Criteria), nil))(t)
			closeTo(t, got.LogDet, want.LogDet, 1e-7*(1+math.Abs(want.LogDet)), "%T, offset %g: ln|A|", m, offset)
			type estimate interface {
				ActivationErrors(x mat.Matrix) ([]float64, error)
			}
			if m, ok := m.(estimate); ok {
				allClose(t, fmt.Sprintf("%T, offset %g: standard errors of the activations", m, offset),
					must(m.ActivationErrors(&far))(t), must(base.(estimate).ActivationErrors(x))(t), 1e-6)
			}
		}
	}
}
