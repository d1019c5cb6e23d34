package scatter

import (
	"errors"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// With many rows the pass that sums the columns also inspects them. The scale must be known before
// the pass, so it comes from a sample. Any power of two near the right one gives the same digits,
// so only a sample unlike the other rows wastes a pass.

// nearScale is the largest allowed factor between the scale and the scale of all rows, either way.
const nearScale = 1 << 8

// errScale means that the scale of the sample differs from the scale of all rows.
var errScale = errors.New("the scale of the sample differs from the scale of all rows")

// InScale calls fit, and calls it again if the scale of a sample was wrong.
func InScale(fit func() error) error {
	err := fit()
	if errors.Is(err, errScale) {
		err = fit()
	}
	return err
}

// scaleOf returns the scale of the columns, or, if they have not been inspected, the scale of a
// sample of the rows. It is 1 if the sample has numbers that are not finite, because the pass will
// find them.
func scaleOf(in *check.Labelled) []float64 {
	cols := in.Cols
	if cols == nil {
		cols = block.InspectSome(in.Src)
		if cols.BadRow >= 0 {
			return slices.Repeat([]float64{1}, len(cols.Mean))
		}
	}
	return linalg.NewCoordinates(cols, nil).Scale
}

// Design returns the rows s·(x − c_k). Its next walk inspects the columns if they have not been
// inspected.
func (p *Plan) Design(shift [][]float64) *block.Design {
	d := block.NewClassDesign(p.Src, p.scale, shift, p.Labels)
	if p.Cols == nil {
		d.Inspect()
	}
	return d
}

// Inspected sets the statistics from a walk; cols may be nil. It returns an error if a number is
// not finite. It returns errScale if the scale differs from the scale of all rows, which the next
// fit will use.
func (p *Plan) Inspected(cols *block.Columns) error {
	if cols == nil {
		return nil
	}
	if err := p.Labelled.Inspected(cols); err != nil {
		return err
	}
	for j, s := range linalg.NewCoordinates(cols, nil).Scale {
		if r := s / p.scale[j]; r > nearScale || r < 1./nearScale {
			return errScale
		}
	}
	return nil
}
