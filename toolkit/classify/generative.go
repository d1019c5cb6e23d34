package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// Generative is a model of the inputs of each class, PRML 4.2: from p(x|C_k) and
// p(C_k) it has the posterior by Bayes' theorem (4.62) and can draw new data.
//
// Equations: PRML (4.2), (4.57), (4.58), (4.62), (4.63).
type Generative interface {
	Predictor
	Scorer
	Prober
	// LogDensities returns ln p(x|C_k), N×K; −Inf for a class without rows. Errors:
	// those of Predict, and entries of x that the densities do not have.
	LogDensities(x mat.Matrix) (*mat.Dense, error)
	// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|C_k), N entries. Errors: those of
	// LogDensities.
	LogMarginal(x mat.Matrix) ([]float64, error)
	// LogPosterior returns ln p(C_k|x), N×K, also where p underflows. Errors: those of
	// Posterior.
	LogPosterior(x mat.Matrix) (*mat.Dense, error)
	// Sample draws n inputs and their classes; the same seed gives the same data.
	// Errors: n < 1 or too large for memory, a model without a fit.
	Sample(n int, seed uint64) (x *mat.Dense, labels []int, err error)
	// DegreesOfFreedom returns how many numbers the fit has estimated.
	DegreesOfFreedom() int
}

// generatedModel is what the drivers below need of a model.
type generatedModel interface {
	kind() string
	shares() *ClassShares
	width() int                                  // columns of x
	outside() func(v float64, col int) string    // nil, or what is wrong with an entry of x ("" for nothing)
	densities() activator                        // ln p(x|C_k)
	activations() activator                      // ln p(x|C_k)p(C_k) up to a term common to all k
	draw(rng *rand.Rand, class int, x []float64) // x from p(x|C_k)
}

var errGeneratedEmpty = errors.New("the model is empty: make it with its Fit function")

// generate returns the numbers that f computes, as they are.
func generate(m generatedModel, x mat.Matrix, f func() activator) (*mat.Dense, error) {
	return generated(m, x, func(dst *mat.Dense) error {
		return generatedTo(dst, x, len(m.shares().Priors), m.width(), m.outside(), f(), byColumn, nil)
	})
}

// generated makes the N×K matrix that write fills, nil with its error.
func generated(m generatedModel, x mat.Matrix, write func(dst *mat.Dense) error) (*mat.Dense, error) {
	if check.Nil(m) || len(m.shares().Priors) == 0 {
		return nil, failure(m.kind(), errGeneratedEmpty)
	}
	dst, err := newPrediction(x, len(m.shares().Priors), write)
	if err != nil {
		return nil, failure(m.kind(), err)
	}
	return dst, nil
}

// generatedDensities returns ln p(x|C_k).
func generatedDensities(m generatedModel, x mat.Matrix) (*mat.Dense, error) {
	return generate(m, x, m.densities)
}

// generatedScores returns the activations without any condition on them.
func generatedScores(m generatedModel, x mat.Matrix) (*mat.Dense, error) {
	return generate(m, x, m.activations)
}

// generatedMarginal returns ln Σ_k p(C_k)p(x|C_k).
func generatedMarginal(m generatedModel, x mat.Matrix) ([]float64, error) {
	s, err := generatedDensities(m, x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	out := make([]float64, n)
	for i := range out {
		row := s.RawRowView(i)
		for k, p := range m.shares().Priors {
			row[k] = generatedSum(row[k], math.Log(p))
		}
		out[i] = kernels.LogSumExp(row)
	}
	return out, nil
}

// generatedSum adds logarithms: a probability 0 stays 0 beside an infinite density.
func generatedSum(a, b float64) float64 {
	if math.IsInf(b, -1) {
		return b
	}
	return a + b
}

// generatedPosterior returns what l makes of the activations. Rows that no class can
// produce are an error: their posterior is 0/0.
func generatedPosterior(m generatedModel, x mat.Matrix, l link) (*mat.Dense, error) {
	return generated(m, x, func(dst *mat.Dense) error { return posteriorRows(dst, m, x, l) })
}

// generatedPosteriorTo is generatedPosterior of a model with a fit, into dst.
func generatedPosteriorTo(dst *mat.Dense, m generatedModel, x mat.Matrix, l link) error {
	if err := posteriorRows(dst, m, x, l); err != nil {
		return failure(m.kind(), err)
	}
	return nil
}

func posteriorRows(dst *mat.Dense, m generatedModel, x mat.Matrix, l link) error {
	return generatedTo(dst, x, len(m.shares().Priors), m.width(), m.outside(), m.activations(), l, func(row int) error {
		return fmt.Errorf("row %d of x has probability 0 in every class: no posterior exists; "+
			"such a row is unlike all rows of the fit (set Smoothing in the fit if the model has it, or leave the row out)", row)
	})
}

// generatedPredict returns the class with the largest activation.
func generatedPredict(m generatedModel, x mat.Matrix) ([]int, error) {
	s, err := generatedPosterior(m, x, byColumn)
	if err != nil {
		return nil, err
	}
	return largest(s), nil
}

const generativeStream = 0x67656e6572617465 // "generate"

// generatedSample draws n classes from the priors and an input for each.
func generatedSample(m generatedModel, n int, seed uint64) (*mat.Dense, []int, error) {
	if check.Nil(m) || len(m.shares().Priors) == 0 {
		return nil, nil, failure(m.kind(), errGeneratedEmpty)
	}
	if n < 1 {
		return nil, nil, failure(m.kind(), fmt.Errorf("Sample: n is %d: draw at least one row", n))
	}
	if err := check.Drawn(float64(n), m.width()); err != nil {
		return nil, nil, failure(m.kind(), fmt.Errorf("Sample: %w", err))
	}
	s, rng := m.shares(), rand.New(rand.NewPCG(seed, generativeStream))
	x, labels := mat.NewDense(n, m.width(), nil), make([]int, n)
	for i := range n {
		u := rng.Float64()
		for k, p := range s.Priors {
			if p > 0 {
				labels[i] = k // also when rounding leaves u above the last sum
			}
			if u -= p; u < 0 && p > 0 {
				break
			}
		}
		m.draw(rng, labels[i], x.RawRowView(i))
	}
	return x, labels, nil
}

// generatedLikelihood returns Σ_n ln p(x_n|C_{t_n}) by one more pass.
func generatedLikelihood(m generatedModel, src *block.Source, labels []int) float64 {
	k, densities := len(m.shares().Priors), m.densities()
	s := block.Reduce(block.NewDesign(src, nil, nil), 0, func() *float64 { return new(float64) },
		func(rows int) func(*float64, *block.Block) {
			a, f := make([]float64, k*rows), densities(rows)
			return func(s *float64, b *block.Block) {
				f(a, rows, b.Z[1:], b.LD, b.N)
				for r, c := range labels[b.Lo : b.Lo+b.N] {
					*s += b.W.At(r) * a[c*rows+r]
				}
			}
		}, func(dst, src *float64) { *dst += *src })
	return *s
}
