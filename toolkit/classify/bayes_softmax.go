package classify

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

var (
	_ Predictive = (*BayesSoftmax)(nil)
	_ Criteria   = (*BayesSoftmax)(nil)
)

// BayesSoftmaxOptions of FitBayesSoftmax. The zero value has a flat prior.
type BayesSoftmaxOptions struct {
	// Prior over the weights of all K classes, as in SoftmaxOptions; nil is flat.
	Prior Prior
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Reestimate makes α of an Isotropic prior the maximum of the Laplace evidence.
	// Prior's Alpha is where the search begins; a nil Prior begins at 1.
	Reestimate bool
	// Draws of the weights that predictions average over, made in pairs w_MAP ± δ;
	// 0 is 1000. The standard error falls as 1/√Draws.
	Draws int
	Seed  uint64 // of the draws
	// Start is the first iterate, (D+1)×K; nil is 0.
	Start *mat.Dense
	// MaxIterations bounds the Newton iterations; 0 is 100.
	MaxIterations int
	// Tolerance is that of SoftmaxOptions; 0 is 1e-10.
	Tolerance float64
}

// BayesSoftmax is Bayesian softmax regression: the Laplace approximation of PRML
// 4.5.1 for the model of 4.3.4,
//
//	p(W|T) ≃ N(W|W_MAP, S_N),  S_N⁻¹ = S0⁻¹ + ∇∇E(W_MAP)  (4.110 with a plus sign),
//
// all K(D+1) weights together. Its predictive distribution ∫ y_k(φ, W) q(W) dW has
// no closed form: it is the mean over draws from q, with a standard error.
//
// Equations: PRML (4.138), (4.140), (4.141), (4.144).
type BayesSoftmax struct {
	Names
	W          *mat.Dense    // (D+1)×K: W_MAP, row 0 the biases
	Precision  *mat.SymDense // S_N⁻¹, class after class; singular for a flat prior
	Covariance *mat.SymDense // S_N, class after class; under a flat prior on Σ_k w_k = 0
	Root       *mat.Dense    // S_N = Root·Rootᵀ
	Alpha      float64       // of an Isotropic prior, re-estimated if asked for; else 0
	// Evidence is the Laplace evidence at the mode, (4.137), without the common
	// shift of the classes where the prior is flat along it.
	Evidence   Evidence
	Draws      int
	Seed       uint64
	N          int         // rows of the fit: the sum of their weights, rounded
	Iterations int         // Newton steps of the last fit
	Converged  bool        // W is the mode, and Alpha the maximum if re-estimated
	Reason     string      // why the fit stopped
	AlphaTrace []AlphaStep // if re-estimated: the evidence at every α tried
}

// FitBayesSoftmax fits the Laplace approximation of the posterior to inputs x
// (N×D) with labels 0…k−1.
//
// A proper prior has a posterior whatever the data, classes without rows included;
// without data (x an empty mat.Dense, no labels, a Gaussian prior) the prior comes
// back. Under a flat prior the common shift of all classes' weights, which changes
// no probability, is left out.
//
// Errors: those of FitSoftmax; and under a flat prior separable classes and
// dependent columns, for which the posterior cannot be normalised.
//
// Equations: PRML (4.138), (4.140), (4.141), (4.144).
func FitBayesSoftmax(x mat.Matrix, labels []int, k int, o BayesSoftmaxOptions) (*BayesSoftmax, error) {
	m, err := fitBayesSoftmax(x, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitBayesSoftmax", o.Weights, err)
	}
	return m, nil
}

func fitBayesSoftmax(x mat.Matrix, labels []int, k int, o BayesSoftmaxOptions) (*BayesSoftmax, error) {
	if o.Draws < 0 || o.Draws == 1 {
		return nil, fmt.Errorf("option Draws is %d: needed are 2 or more, made in pairs (0 is the default, 1000)", o.Draws)
	}
	if o.Draws == 0 {
		o.Draws = 1000
	}
	if err := check.Drawn(float64(o.Draws), 1); err != nil {
		return nil, err
	}
	o.Draws += o.Draws % 2
	x, labels, err := weigh(x, labels, o.Weights)
	if err != nil {
		return nil, err
	}
	if o.Prior, err = priorOf(o.Prior); err != nil {
		return nil, err
	}
	if o.Reestimate {
		if o.Prior, err = reestimated(o.Prior); err != nil {
			return nil, err
		}
	}
	if m, err := bayesSoftmaxPriorOnly(x, labels, k, o); m != nil || err != nil {
		return m, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	targets, err := glm.SoftmaxLabels(labels, src, k)
	if err != nil {
		return nil, err
	}
	_, d := src.Dims()
	if err := check.Drawn(float64(o.Draws), k*(d+1)); err != nil {
		return nil, err
	}
	so := SoftmaxOptions{Start: o.Start, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance}
	start, err := so.complete(d+1, k)
	if err != nil {
		return nil, err
	}
	o.MaxIterations, o.Tolerance = so.MaxIterations, so.Tolerance
	f := &bayesSoftmaxFit{src: src, cols: cols, t: targets, o: o, start: start}
	prior, err := softmaxPrior(o.Prior, d+1, k)
	if err != nil {
		return nil, err
	}
	if o.Reestimate {
		if prior.Free {
			return nil, errors.New("option Reestimate needs a proper prior: without FreeBias")
		}
		return f.reestimate()
	}
	if prior == nil || prior.Free {
		if err := glm.NoEmptyClass(targets.Totals(src)); err != nil {
			return nil, err
		}
	}
	s, err := f.solve(prior)
	if err != nil {
		return nil, err
	}
	m, err := f.model(s)
	if err != nil {
		return nil, err
	}
	m.Alpha = alphaOf(o.Prior)
	return m, nil
}
