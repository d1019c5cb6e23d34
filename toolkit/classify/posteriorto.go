package classify

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// posteriorWriter is a model that can write its posterior to a given matrix.
type posteriorWriter interface {
	classes() int // number of classes; 0 for a model without a fit
	posteriorTo(dst *mat.Dense, x mat.Matrix) error
}

var (
	_ posteriorWriter = (*Logistic)(nil)
	_ posteriorWriter = (*Probit)(nil)
	_ posteriorWriter = (*LabelFlip)(nil)
	_ posteriorWriter = (*Softmax)(nil)
	_ posteriorWriter = generatedWriter{}
)

// PosteriorTo writes the N×K probabilities to dst, which must be N×K. The probabilities have the
// same bits as the result of m.Posterior(x). A program can use the same dst for many predictions.
// For logistic, probit, label-flip and softmax regression and for the Generative models, the
// allocated memory does not grow with N. For other models, PosteriorTo calls Posterior for a few
// thousand rows at a time. dst and x must not share memory. Errors: the errors of Posterior; a
// nil model; a dst that is nil or has the wrong size. After an error dst does not contain valid
// posteriors.
//
// Equations: PRML (4.57), (4.62).
func PosteriorTo(dst *mat.Dense, m Prober, x mat.Matrix) error {
	if check.Nil(m) {
		return failure("PosteriorTo", errors.New("the model is nil: create the model with its Fit function"))
	}
	if w := writerOf(m); w != nil {
		if err := checkDestination(dst, x, w.classes()); err != nil {
			return failure("PosteriorTo", err)
		}
		return w.posteriorTo(dst, x)
	}
	n, err := check.Height(x)
	if err != nil {
		return failure("PosteriorTo", err)
	}
	const batchRows = 4096
	src := block.NewSource(x)
	for lo := 0; lo < n; lo += batchRows {
		hi := min(lo+batchRows, n)
		p, err := m.Posterior(rowsOf(src, lo, hi))
		if err != nil {
			if hi-lo < n { // call Posterior again with all rows, so that the error contains the row number in x
				_, err = m.Posterior(x)
			}
			return err
		}
		if lo == 0 {
			_, k := p.Dims()
			if err := checkDestination(dst, x, k); err != nil {
				return failure("PosteriorTo", err)
			}
		}
		dst.Slice(lo, hi, 0, dst.RawMatrix().Cols).(*mat.Dense).Copy(p)
	}
	return nil
}

// rowsOf returns the rows lo … hi−1 of src.
func rowsOf(src *block.Source, lo, hi int) mat.Matrix {
	index := make([]int, hi-lo)
	for i := range index {
		index[i] = lo + i
	}
	return block.NewRowsView(src, index)
}

func (m *Logistic) posteriorTo(dst *mat.Dense, x mat.Matrix) error {
	return m.writePairs(dst, x, sigmoidLink)
}

func (m *LabelFlip) posteriorTo(dst *mat.Dense, x mat.Matrix) error {
	return m.writePairs(dst, x, sigmoidLink)
}

func (m *Probit) posteriorTo(dst *mat.Dense, x mat.Matrix) error {
	return m.writePairs(dst, x, normalLink)
}

func (m *Softmax) posteriorTo(dst *mat.Dense, x mat.Matrix) error {
	if err := linearTo(dst, x, weightColumns(m.W), softmaxLink); err != nil {
		return failure("Softmax", err)
	}
	return nil
}

func (m *Softmax) classes() int {
	if m.W == nil {
		return 0
	}
	_, k := m.W.Dims()
	return k
}

// generatedWriter adapts a generative model to the interface posteriorWriter.
type generatedWriter struct{ generatedModel }

func (m generatedWriter) posteriorTo(dst *mat.Dense, x mat.Matrix) error {
	return generatedPosteriorTo(dst, m.generatedModel, x, softmaxLink)
}

func (m generatedWriter) classes() int { return len(m.shares().Priors) }

// writerOf returns m, which must not be nil, as a posteriorWriter. It returns nil if m cannot write
// its posterior or has no fit.
func writerOf(m Prober) posteriorWriter {
	var w posteriorWriter
	switch m := m.(type) {
	case posteriorWriter:
		w = m
	case generatedModel:
		w = generatedWriter{m}
	}
	if w == nil || w.classes() == 0 {
		return nil
	}
	return w
}
