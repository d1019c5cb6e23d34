package classify

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// PosteriorError returns the predictive distribution p(C_k|φ, T), N×K, as the
// mean over Draws of the weights, and its standard errors, N×K. The draws come in
// pairs W_MAP ± δ, whose errors partly cancel; the standard errors are those of
// the pairs' means. All rows share the draws, so that the answer for a row does
// not depend on the others, and neighbouring rows err alike.
func (m *BayesSoftmax) PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error) {
	if m == nil || m.W == nil || m.Root == nil {
		return nil, nil, failure("BayesSoftmax", errNoWeights("FitBayesSoftmax"))
	}
	d, k := m.W.Dims()
	src, err := check.New(x, d-1)
	if err != nil {
		return nil, nil, failure("BayesSoftmax", err)
	}
	n, _ := src.Dims()
	p, se = mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
	mode := classAfterClass(m.W)
	draws := drawGaussian(make([]float64, len(mode)), m.Root, m.Draws/2, rand.New(rand.NewPCG(m.Seed, bayesStream)))
	bad := block.Reduce(block.NewDesign(src, nil, nil), 0, func() *int { b := -1; return &b },
		func(rows int) func(*int, *block.Block) {
			s := &softmaxDraws{k: k, mean: make([]float64, rows*k), delta: make([]float64, rows*k), y: make([]float64, 2*k), a: make([]float64, rows)}
			return func(bad *int, b *block.Block) {
				if r := s.block(b, mode, draws, p, se); r >= 0 && *bad < 0 {
					*bad = r
				}
			}
		}, func(dst, src *int) {
			if *dst < 0 {
				*dst = *src
			}
		})
	if *bad >= 0 {
		return nil, nil, failure("BayesSoftmax", fmt.Errorf("the probabilities of row %d are not numbers: Wᵀφ overflows, choose other units for x", *bad))
	}
	return p, se, nil
}

// softmaxDraws is the scratch memory for the rows of a block.
type softmaxDraws struct {
	k           int
	mean, delta []float64 // activations at the mode, and the change by a draw
	y, a        []float64
}

// margins writes the K activations of each row for weights class after class.
func (s *softmaxDraws) margins(b *block.Block, w, dst []float64) {
	for j := range s.k {
		b.Margins(w[j*b.M:(j+1)*b.M], s.a)
		for r := range b.N {
			dst[r*s.k+j] = s.a[r]
		}
	}
}

// block fills in the rows of one block, and returns the first that has no answer,
// or −1. The mean and the squared deviations of the pairs are updated one pair
// after the other (Welford), so that a probability near 1 keeps its error.
func (s *softmaxDraws) block(b *block.Block, mode []float64, draws, p, se *mat.Dense) int {
	s.margins(b, mode, s.mean)
	pairs, _ := draws.Dims()
	for i := range pairs {
		s.margins(b, draws.RawRowView(i), s.delta)
		for r := range b.N {
			at := s.mean[r*s.k : (r+1)*s.k]
			by := s.delta[r*s.k : (r+1)*s.k]
			plus, minus := s.y[:s.k], s.y[s.k:]
			for j, v := range at {
				plus[j], minus[j] = v+by[j], v-by[j]
			}
			kernels.Softmax(plus, plus)
			kernels.Softmax(minus, minus)
			mean, square := p.RawRowView(b.Lo+r), se.RawRowView(b.Lo+r)
			for j := range mean {
				v := (plus[j] + minus[j]) / 2
				step := v - mean[j]
				mean[j] += step / float64(i+1)
				square[j] += step * (v - mean[j])
			}
		}
	}
	bad := -1
	for r := range b.N {
		mean, square := p.RawRowView(b.Lo+r), se.RawRowView(b.Lo+r)
		var sum float64
		for j, v := range square {
			if pairs > 1 {
				square[j] = math.Sqrt(v / float64(pairs-1) / float64(pairs))
			} else {
				square[j] = math.Inf(1) // one pair tells nothing of its error
			}
			sum += mean[j]
		}
		if math.IsNaN(sum) && bad < 0 {
			bad = b.Lo + r
		}
		for j := range mean {
			mean[j] /= sum
		}
	}
	return bad
}

// Posterior returns the predictive distribution p(C_k|φ, T), N×K; PosteriorError
// has its standard errors too.
//
// Equations: PRML (4.145).
func (m *BayesSoftmax) Posterior(x mat.Matrix) (*mat.Dense, error) {
	p, _, err := m.PosteriorError(x)
	return p, err
}

// PredictivePlugIn returns the N×K probabilities at W_MAP, without the weights' uncertainty.
// Errors: those of Posterior.
func (m *BayesSoftmax) PlugIn(x mat.Matrix) (*mat.Dense, error) {
	return (&Softmax{W: m.W}).Posterior(x)
}

// Scores returns the N×K logarithms of the predictive probabilities.
func (m *BayesSoftmax) Scores(x mat.Matrix) (*mat.Dense, error) {
	p, err := m.Posterior(x)
	if err != nil {
		return nil, err
	}
	p.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, p)
	return p, nil
}

// Predict returns the most probable class for each row of x. It may differ from
// that at W_MAP: of several classes moderation favours the one the data know best.
func (m *BayesSoftmax) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Posterior(x)) }

// WeightMoments returns W_MAP, class after class, and S_N, as copies.
func (m *BayesSoftmax) WeightMoments() (mean []float64, cov *mat.SymDense) {
	if m == nil || m.W == nil || m.Covariance == nil {
		return nil, nil
	}
	mean = classAfterClass(m.W)
	cov = mat.NewSymDense(len(mean), nil)
	cov.CopySym(m.Covariance)
	return mean, cov
}

// LogEvidence returns the Laplace approximation of ln p(T), PRML (4.137).
//
// Equations: PRML (4.137).
func (m *BayesSoftmax) LogEvidence() float64 { return m.Evidence.LogEvidence() }

// Deviance returns −2 ln p(T|W_MAP).
func (m *BayesSoftmax) Deviance() float64 { return m.Evidence.Deviance() }

// AIC returns −2 ln p(T|W_MAP) + 2M with the weights that the likelihood
// determines, M = (K−1)(D+1); smaller is better.
func (m *BayesSoftmax) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(T|W_MAP) + M ln N; smaller is better.
func (m *BayesSoftmax) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(math.Max(float64(m.N), 1))
}

// DegreesOfFreedom returns (K−1)(D+1).
func (m *BayesSoftmax) DegreesOfFreedom() int { return (&Softmax{W: m.W}).DegreesOfFreedom() }
