package classify

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// Scores returns the N×K activations a_k = w_kᵀφ.
func (m *Softmax) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("Softmax", errors.New("the model has no weights: make it with FitSoftmax"))
	}
	_, k := m.W.Dims()
	w := make([][]float64, k)
	for j := range w {
		w[j] = mat.Col(nil, j, m.W)
	}
	s, err := linearScores(x, w)
	if err != nil {
		return nil, failure("Softmax", err)
	}
	return s, nil
}

// Posterior returns the N×K probabilities p(C_k|x), each to full relative accuracy.
func (m *Softmax) Posterior(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	for i := range n {
		row := s.RawRowView(i)
		kernels.Softmax(row, row)
	}
	return s, nil
}

// Predict returns the class with the largest activation for each row of x.
func (m *Softmax) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }
