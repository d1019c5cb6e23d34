package solve

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// With many rows, a pass for the columns alone takes a twentieth of a fit. An early problem has
// the coordinates of a few rows. The first pass of Newton's method over all rows, at the optimum
// of a sample, then inspects the columns as well.

// confirm reports whether the coordinates fit the columns as they were found: inner inputs are at
// most 2 in size, and not much smaller than inputs of other coordinates.
func (p *Problem) confirm() bool {
	cols := p.GLM.Design.Inspected()
	if cols.BadRow >= 0 {
		return false
	}
	want := linalg.NewCoordinates(cols, p.Prior.Floors(len(cols.Mean)))
	for j, s := range p.Coord.Scale {
		r := s / want.Scale[j]
		if r > 2 || r < 1./16 || !(math.Abs(p.Coord.Shift[j]-want.Shift[j]*r) <= 1) {
			return false
		}
	}
	p.Cols, p.Early = cols, false
	return true
}
