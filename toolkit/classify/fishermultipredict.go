package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Transform returns the features y = Wᵀx of each row, N×D′. Errors: those of
// Scores.
func (m *FisherMulti) Transform(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("FisherMulti", errFisherEmpty)
	}
	d, f := m.W.Dims()
	w := make([][]float64, f)
	for j := range w {
		w[j] = make([]float64, d+1)
		mat.Col(w[j][1:], j, m.W)
	}
	y, err := linearScores(x, w)
	if err != nil {
		return nil, failure("FisherMulti", err)
	}
	return y, nil
}

var errFisherEmpty = errors.New("the model is empty: make it with FitFisherMulti")

// Scores returns the N×K activations a_k = N·{z_kᵀz − ½‖z_k‖²} + ln p(C_k) of the
// projection z = Wᵀ(x − m) and the projected means z_k = Wᵀ(m_k − m).
func (m *FisherMulti) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("FisherMulti", errFisherEmpty)
	}
	d, f := m.W.Dims()
	k, _ := m.z.Dims()
	var n float64
	for _, c := range m.Scatter.Counts {
		n += float64(c)
	}
	out, err := generatedRows(x, d, k, nil, func() func(x, dst []float64) {
		centred, z := make([]float64, d), make([]float64, f)
		return func(x, dst []float64) {
			floats.SubTo(centred, x, m.Scatter.Mean)
			clear(z)
			for i, v := range centred {
				floats.AddScaled(z, v, m.W.RawRowView(i))
			}
			for c := range dst {
				zc := m.z.RawRowView(c)
				dst[c] = n*(linalg.Dot(zc, z)-linalg.Dot(zc, zc)/2) + math.Log(m.Priors[c])
			}
		}
	})
	if err != nil {
		return nil, failure("FisherMulti", err)
	}
	return out, nil
}

// Posterior returns the N×K probabilities of the classes in the projected space.
func (m *FisherMulti) Posterior(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	for i := range n {
		kernels.Softmax(s.RawRowView(i), s.RawRowView(i))
	}
	return s, nil
}

// Predict returns the most probable class of each row: with equal priors the one
// whose projected mean is nearest.
func (m *FisherMulti) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }
