package solve

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// priorRounding returns the squared length of the prior's residuals u = root·(w−m0). It also
// returns a bound of how much longer their rounding makes the Newton step, in standard errors.
// Because H ≥ rootᵀroot, an error of u moves R⁻ᵀrootᵀu by no more than its own length. For the
// rounding of the sum rootᵀu, ‖u‖ has the role of Σ e′_n²/e″_n of the rows. ok is false for a
// prior that ties the bias to other weights, because its rows lose digits in inner coordinates.
func (p *Problem) priorRounding(in []float64) (square, rounding float64, ok bool) {
	if p.Prior == nil {
		return 0, 0, true
	}
	if p.FreeRoot != nil || p.GLM.Many != nil {
		return 0, 0, false
	}
	w := p.Coord.Outer(in)
	size := math.Abs(in[0]) // of the terms of w_0
	for j, c := range p.Coord.Shift {
		size += math.Abs(c * in[j+1])
	}
	var terms float64
	for i, row := range p.Prior.Root {
		ties := 0
		length := math.Abs(row[0]) * size
		for j, v := range row {
			if v != 0 {
				ties++
			}
			length += math.Abs(v) * (math.Abs(w[j]) + math.Abs(p.Prior.Mean[j]))
		}
		if row[0] != 0 && ties > 1 {
			return 0, 0, false
		}
		u := linalg.Dot(p.Root[i], in) - linalg.Dot(row, p.Prior.Mean)
		square += u * u
		terms += length * length
	}
	return square, 0x1p-53 * float64(len(in)+8) * math.Sqrt(terms), true
}
