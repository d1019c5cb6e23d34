package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// PriorShifted lists the types of models in which the class priors affect only the biases. Probit
// is excluded because its posterior is not a logistic function of its activation. LabelFlip is
// excluded because the shares of its labels are not the class shares. Bayesian models are excluded
// because their posteriors are averages over weights.
type PriorShifted interface {
	*Logistic | *Softmax | *QuadraticLogistic | *FisherMulti |
		*LDA | *QDA | *NaiveBayesGaussian | *NaiveBayesBernoulli | *NaiveBayesCategorical | *ExponentialFamily
}

// ShiftPriors returns the model for data with different class priors p(C_k) but the same densities
// p(x|C_k) as the data of the fit. For example, m is fitted to equally many ill and healthy people,
// and used in a population with few ill people. Only the biases depend on the priors,
//
//	w_k0 = w_k0° + ln p(C_k),
//
// where w_k0° is the part of the bias that does not depend on the priors. ShiftPriors adds
// ln(to_k/from_k) to each bias, so a decision plane moves but stays parallel to the plane of m. For
// Logistic, it adds the difference of the two terms to the only bias. For Softmax and QuadraticLogistic,
// it first subtracts the mean of the K terms from each term, which does not change the posterior. The
// new posterior is the posterior of m, multiplied by to_k/from_k and normalised.
//
// The argument "from" contains the priors of the data of the fit, usually N_k/N. Generative models
// and FisherMulti store these priors in their field Priors, so "from" must be nil for them. Each of
// the arguments "from" and "to" has K entries above 0 that sum to 1; for Logistic the entries are
// p(C₁), p(C₂).
//
// ShiftPriors does not change m. The new model and m share the memory of all parts that are equal.
// The new model keeps E, the likelihood, the covariance and the trace of m. The only exception is the
// LogLikelihood of a generative model, which is computed with the new priors.
//
// Errors: invalid priors, a wrong number of priors, a "from" that is not nil for a model that
// stores Priors, a nil "from" for any other model, a class without rows, a model without a fit.
//
// Equations: Alpaydin (10.18)–(10.20), (10.25), (10.26).
func ShiftPriors[M PriorShifted](m M, from, to []float64) (M, error) {
	shifted, err := shiftPriors(m, from, to)
	if err != nil {
		return nil, failure("ShiftPriors", err)
	}
	return shifted.(M), nil
}

func shiftPriors(model any, from, to []float64) (any, error) {
	if check.Nil(model) {
		return nil, errors.New("the model is nil: create the model with its Fit function")
	}
	if priors, ok := storedPriors(model); ok {
		if from != nil {
			return nil, errors.New(`the argument "from" is not nil, but the model already stores its Priors: set this argument to nil`)
		}
		from = priors
	}
	switch m := model.(type) {
	case *FisherMulti:
		if _, err := logShift(from, to, len(from)); err != nil {
			return nil, err
		}
		c := *m
		c.Priors = slices.Clone(to)
		return &c, nil
	case *Logistic:
		s, err := logShift(from, to, 2)
		if err != nil {
			return nil, err
		}
		if len(m.W) == 0 {
			return nil, errNoWeights("FitLogistic")
		}
		c := *m
		c.W = slices.Clone(m.W)
		c.W[0] += s[0] - s[1]
		return &c, nil
	case *Softmax:
		if m.W == nil {
			return nil, errNoWeights("FitSoftmax")
		}
		_, k := m.W.Dims()
		s, err := logShift(from, to, k)
		if err != nil {
			return nil, err
		}
		c := *m
		c.W = biasesPlus(m.W, withoutMean(s))
		return &c, nil
	case *QuadraticLogistic:
		s, err := logShift(from, to, len(m.Bias))
		if err != nil {
			return nil, err
		}
		c := *m
		c.Bias = slices.Clone(m.Bias)
		for k, v := range withoutMean(s) {
			c.Bias[k] += v
		}
		return &c, nil
	}
	return shiftGenerative(model.(generatedModel), from, to)
}

// storedPriors returns the field Priors of a model, and reports whether the model has this field.
func storedPriors(model any) (priors []float64, ok bool) {
	switch m := model.(type) {
	case generatedModel:
		return m.shares().Priors, true
	case *FisherMulti:
		return m.Priors, true
	}
	return nil, false
}

// shiftGenerative returns a copy of the model with the priors `to`, and with the LogLikelihood for these
// priors. If the model stores biases, the copy contains the biases for these priors, too.
func shiftGenerative(model generatedModel, from, to []float64) (any, error) {
	s, err := logShift(from, to, len(from))
	if err != nil {
		return nil, err
	}
	switch m := model.(type) {
	case *LDA:
		c := *m
		c.W, c.inner = biasesPlus(m.W, s), biasesPlus(m.inner, s)
		c.setPriors(to, s)
		return &c, nil
	case *QDA:
		c := *m
		c.setPriors(to, s)
		return &c, nil
	case *NaiveBayesGaussian:
		c := *m
		c.setPriors(to, s)
		return &c, nil
	case *NaiveBayesBernoulli:
		c := *m
		c.W = biasesPlus(m.W, s)
		c.setPriors(to, s)
		return &c, nil
	case *NaiveBayesCategorical:
		c := *m
		c.W = biasesPlus(m.W, s)
		c.setPriors(to, s)
		return &c, nil
	case *ExponentialFamily:
		c := *m
		c.W, c.inner = biasesPlus(m.W, s), biasesPlus(m.inner, s)
		c.setPriors(to, s)
		return &c, nil
	}
	return nil, fmt.Errorf("a %T has no priors to change", model)
}

// setPriors sets the priors and computes LogLikelihood with the new priors. The argument s contains
// ln(to_k/from_k).
func (c *ClassShares) setPriors(to, s []float64) {
	for k, n := range c.perClass() {
		c.LogLikelihood += n * s[k]
	}
	c.Priors = slices.Clone(to)
}

// logShift returns ln(to_k/from_k) for each class k.
func logShift(from, to []float64, k int) ([]float64, error) {
	if k == 0 {
		return nil, errors.New("the model is empty: create the model with its Fit function")
	}
	for _, p := range []struct {
		name string
		list []float64
	}{{"from", from}, {"to", to}} {
		if len(p.list) != k {
			return nil, fmt.Errorf(`the argument "%s" has %d entries but the model has %d classes: want one prior per class`, p.name,
				len(p.list), k)
		}
		var sum float64
		for i, v := range p.list {
			if !(v > 0 && v <= 1) {
				return nil, fmt.Errorf("%s[%d] is %v: want a prior above 0 and at most 1 (a class without rows has no known density)", p.name, i, v)
			}
			sum += v
		}
		if !(math.Abs(sum-1) <= 1e-9) {
			return nil, fmt.Errorf(`the argument "%s" sums to %v, want 1`, p.name, sum)
		}
	}
	s := make([]float64, k)
	for i := range s {
		s[i] = math.Log(to[i]) - math.Log(from[i])
	}
	return s, nil
}

// withoutMean subtracts the mean of the entries of s from each entry, in place, and returns s. The
// weights of softmax must sum to 0 over the classes, and shifts with mean 0 do not change this sum.
func withoutMean(s []float64) []float64 {
	var mean float64
	for _, v := range s {
		mean += v / float64(len(s))
	}
	for i := range s {
		s[i] -= mean
	}
	return s
}

// biasesPlus returns a copy of w with s added to row 0.
func biasesPlus(w *mat.Dense, s []float64) *mat.Dense {
	c := mat.DenseCopyOf(w)
	for k, v := range s {
		c.Set(0, k, c.At(0, k)+v)
	}
	return c
}
