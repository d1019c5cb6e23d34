package classify

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// ActivationMoments returns the mean μ_a = w_MAPᵀφ and the variance
// σ_a² = φᵀS_Nφ of the activation of each row of x, PRML (4.149, 4.150). (The
// book writes m_N for w_MAP in (4.150), and calls q(w) variational: erratum P23.)
//
// Equations: PRML (4.148)–(4.150).
func (m *BayesLogistic) ActivationMoments(x mat.Matrix) (mean, variance []float64, err error) {
	n, err := m.rows(x)
	if err != nil {
		return nil, nil, err
	}
	mean, variance = make([]float64, n), make([]float64, n)
	return mean, variance, m.eachActivation(x, func(i int, mu, sd float64) { mean[i], variance[i] = mu, sd*sd })
}

// rows checks the model and the shape of the inputs and returns N.
func (m *BayesLogistic) rows(x mat.Matrix) (int, error) {
	if m == nil || len(m.W) == 0 || m.Root == nil {
		return 0, failure("BayesLogistic", errNoWeights("FitBayesLogistic"))
	}
	src, err := check.Wide(x, len(m.W)-1)
	if err != nil {
		return 0, failure("BayesLogistic", err)
	}
	n, _ := src.Dims()
	return n, nil
}

// eachActivation calls f with the mean and the standard deviation of each row's
// activation, from several goroutines. σ_a² = ‖Rootᵀφ‖² is a sum of squares: it
// keeps its digits and is never negative.
func (m *BayesLogistic) eachActivation(x mat.Matrix, f func(i int, mu, sd float64)) error {
	err := linearWalk(x, append([][]float64{m.W}, weightColumns(m.Root)...), func(rows int) activationRun {
		sd := make([]float64, rows)
		return func(lo, n int, a []float64, stride int) {
			lengths(sd[:n], a[stride:], stride)
			for r, mu := range a[:n] {
				if !math.IsNaN(mu) && !math.IsNaN(sd[r]) {
					f(lo+r, mu, sd[r])
				}
			}
		}
	})
	if err != nil {
		return failure("BayesLogistic", err)
	}
	return nil
}

// lengths writes the root of the sum of squares of a[r], a[r+stride], … to out[r].
func lengths(out, a []float64, stride int) {
	clear(out)
	for at := 0; at < len(a); at += stride {
		for r, v := range a[at:][:len(out)] {
			out[r] += v * v
		}
	}
	for r, s := range out {
		if out[r] = math.Sqrt(s); s > 1e-280 && s < 1e280 {
			continue
		}
		out[r] = 0 // squares may leave the range
		for at := r; at < len(a); at += stride {
			out[r] = math.Hypot(out[r], a[at])
		}
	}
}

// Posterior returns N×2: the predictive p(C₁|φ, t) and p(C₂|φ, t) by the model's
// Method.
//
// Equations: PRML (4.145).
func (m *BayesLogistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("BayesLogistic", errNoWeights("FitBayesLogistic"))
	}
	return m.PosteriorBy(x, m.Method)
}

// PosteriorBy returns the predictive distribution by the method given, N×2, each
// probability to full relative accuracy of the method. Errors: those of Posterior,
// and an unknown method.
//
// Equations: PRML (4.145), (4.147), (4.151), (4.155).
func (m *BayesLogistic) PosteriorBy(x mat.Matrix, by PredictiveMethod) (*mat.Dense, error) {
	if by < PredictiveModerated || by > PredictivePlugIn {
		return nil, failure("PosteriorBy", fmt.Errorf("the method is %d: it must be PredictiveModerated, PredictiveQuadrature or PredictivePlugIn", by))
	}
	n, err := m.rows(x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, 2, nil)
	err = m.eachActivation(x, func(i int, mu, sd float64) {
		p, c := by.predict(mu, sd)
		row := out.RawRowView(i)
		row[0], row[1] = p, c
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// predict returns p(C₁) and p(C₂) for an activation with the given moments.
//
// Equations: Brief notes (other-class).
func (by PredictiveMethod) predict(mu, sd float64) (p, c float64) {
	switch by {
	case PredictiveQuadrature:
		return kernels.SigmoidGaussian(mu, sd)
	case PredictiveModerated:
		mu = moderated(mu, sd)
	}
	return kernels.Sigmoid(mu), kernels.Sigmoid(-mu)
}

// moderated returns κ(σ²)μ.
func moderated(mu, sd float64) float64 { return mu / math.Hypot(1, math.Sqrt(math.Pi/8)*sd) }

// PosteriorError returns the predictive distribution by the model's Method, and
// standard errors of 0, for nothing is drawn.
func (m *BayesLogistic) PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error) {
	if p, err = m.Posterior(x); err != nil {
		return nil, nil, err
	}
	n, _ := p.Dims()
	return p, mat.NewDense(n, 2, nil), nil
}

// Scores returns N×2: the logarithm of the predictive odds, ln p(C₁)/p(C₂), and
// 0. By PredictivePlugIn it is μ_a, by PredictiveModerated κ(σ_a²)μ_a.
func (m *BayesLogistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	n, err := m.rows(x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, 2, nil)
	err = m.eachActivation(x, func(i int, mu, sd float64) {
		switch m.Method {
		case PredictiveQuadrature:
			p, c := kernels.SigmoidGaussian(mu, sd)
			out.Set(i, 0, math.Log(p)-math.Log(c))
		case PredictiveModerated:
			out.Set(i, 0, moderated(mu, sd))
		default:
			out.Set(i, 0, mu)
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Predict returns 0 (C₁) for rows with μ_a ≥ 0 and 1 (C₂) for the others: all
// methods agree, because μ_a = 0 gives ½ whatever the variance (PRML 4.5.2). They
// differ in decisions with unequal losses or a reject option, see Decision.
func (m *BayesLogistic) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }

// WeightMoments returns w_MAP and S_N, as copies.
//
// Equations: PRML (4.144).
func (m *BayesLogistic) WeightMoments() (mean []float64, cov *mat.SymDense) {
	if m.Covariance == nil {
		return nil, nil
	}
	cov = mat.NewSymDense(len(m.W), nil)
	cov.CopySym(m.Covariance)
	return append([]float64(nil), m.W...), cov
}

// SampleWeights draws n weight vectors from q(w) = N(w_MAP, S_N), one per row.
// Equal seeds give equal draws. Errors: n < 1 or too large for memory, a model
// without a fit.
//
// Equations: PRML (4.144).
func (m *BayesLogistic) SampleWeights(n int, seed uint64) (*mat.Dense, error) {
	if m == nil || len(m.W) == 0 || m.Root == nil {
		return nil, failure("SampleWeights", errNoWeights("FitBayesLogistic"))
	}
	if n < 1 {
		return nil, failure("SampleWeights", fmt.Errorf("n is %d: draw at least one", n))
	}
	if err := check.Drawn(float64(n), len(m.W)); err != nil {
		return nil, failure("SampleWeights", err)
	}
	return drawGaussian(m.W, m.Root, n, rand.New(rand.NewPCG(seed, bayesStream))), nil
}

const bayesStream = 45 // of the generators of this chapter

// drawGaussian returns n draws mean + root·z, one per row.
func drawGaussian(mean []float64, root *mat.Dense, n int, rng *rand.Rand) *mat.Dense {
	_, k := root.Dims()
	out, z := mat.NewDense(n, len(mean), nil), make([]float64, k)
	for i := range n {
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		row := out.RawRowView(i)
		for j, v := range linalg.MulVec(root, z) {
			row[j] = mean[j] + v
		}
	}
	return out
}

// LogEvidence returns the Laplace approximation of ln p(t), PRML (4.137).
//
// Equations: PRML (4.137).
func (m *BayesLogistic) LogEvidence() float64 { return m.Evidence.LogEvidence() }

// Deviance returns −2 ln p(t|w_MAP).
func (m *BayesLogistic) Deviance() float64 { return m.Evidence.Deviance() }

// AIC returns −2 ln p(t|w_MAP) + 2M; smaller is better.
func (m *BayesLogistic) AIC() float64 { return m.Evidence.AIC() }

// BIC returns −2 ln p(t|w_MAP) + M ln N; smaller is better. PRML (4.139) is −½ of it.
//
// Equations: PRML (4.139).
func (m *BayesLogistic) BIC() float64 { return m.Evidence.BIC() }

// DegreesOfFreedom returns the number of weights, D+1. Determined says how many
// of them the data decide.
func (m *BayesLogistic) DegreesOfFreedom() int { return len(m.W) }
