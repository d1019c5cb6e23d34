package scatter

import (
	"errors"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Of many rows the columns are inspected by the pass that sums them: the scale, which
// must be known before, is that of a sample then. Any power of two near the right one
// gives the same digits, so that only a sample unlike the rest makes a pass in vain.

// nearScale is how far from that of all rows the scale may be, either way.
const nearScale = 1 << 8

// errScale says that the scale of the sample is not that of all rows.
var errScale = errors.New("the scale of the rows is another one than that of a sample")

// InScale makes a fit, and once more if the scale of a sample was wrong.
func InScale(fit func() error) error {
	err := fit()
	if errors.Is(err, errScale) {
		err = fit()
	}
	return err
}

// scaleOf returns the scale of the columns, or that of a sample of the rows. It is 1
// where the sample has numbers that are not finite: the pass finds them.
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

// Design returns the rows s·(x − c_k), whose next walk inspects the columns if they are
// not known.
func (p *Plan) Design(shift [][]float64) *block.Design {
	d := block.NewClassDesign(p.Src, p.scale, shift, p.Labels)
	if p.Cols == nil {
		d.Inspect()
	}
	return d
}

// Inspected takes what a walk has read, or nil. Errors: a number that is not finite; or the
// scale is not the one of all rows, and with the next fit it will be.
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
