package datasets

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// SeparableOptions describe two classes on the two sides of a hyperplane. The
// zero value works.
type SeparableOptions struct {
	// N is the number of points of each class; 0 is 50. Touching ones come on top.
	N int
	// D is the number of inputs; 0 is 2.
	D int
	// Margin is the smallest distance of a point to the plane, at most 1; 0 is
	// 0.1.
	Margin float64
	// Touching is the number of points of each class that lie exactly on the
	// plane. With one or more the data are quasi-separable: no plane has all
	// points of each class on its own side, this one has none on the wrong side.
	Touching int
	// Seed of the random numbers.
	Seed uint64
}

const separableStream = 0x73657061726174 // "separat"

// planeAt is the right-hand side of the plane x1 + x2 = 0.5.
const planeAt = 0.5

// Separable draws points of the cube [−2, 2]^D, class C1 where x1 + x2 > 0.5 and
// C2 where x1 + x2 < 0.5 (x1 alone if D = 1), none nearer to that plane than the
// margin. The logistic maximum does not exist for such data, and the perceptron
// stops. Touching points follow at the end, C1 and C2 by turns; the first two are
// the same point, which makes a strict separation impossible. Errors: negative
// numbers, more points than memory holds, a Margin outside 0 to 1.
func Separable(o SeparableOptions) (*Dataset, error) {
	switch {
	case o.N < 0 || o.D < 0 || o.Touching < 0:
		return nil, fmt.Errorf("datasets: Separable: options N = %d, D = %d and Touching = %d must not be negative", o.N, o.D, o.Touching)
	case !(o.Margin >= 0 && o.Margin <= 1):
		return nil, fmt.Errorf("datasets: Separable: option Margin is %v: it must lie between 0 and 1", o.Margin)
	}
	if o.N == 0 {
		o.N = 50
	}
	if o.D == 0 {
		o.D = 2
	}
	if o.Margin == 0 {
		o.Margin = 0.1
	}
	if err := check.Drawn(2*(float64(o.N)+float64(o.Touching)), o.D); err != nil {
		return nil, fmt.Errorf("datasets: Separable: %w", err)
	}
	g := newSampler(o.Seed, separableStream)
	g.d = o.D
	norm := 1.0 // of the normal vector
	if o.D > 1 {
		norm = math.Sqrt2
	}
	for k := range 2 {
		for n := 0; n < o.N; {
			x := make([]float64, o.D)
			for j := range x {
				x[j] = nineDigits(4*g.rng.Float64() - 2)
			}
			y := x[0] - planeAt
			if o.D > 1 {
				y += x[1]
			}
			if k == 1 {
				y = -y
			}
			if y/norm >= o.Margin {
				g.x = append(g.x, x...)
				g.labels = append(g.labels, k)
				n++
			}
		}
	}
	var on []float64
	for i := range 2 * o.Touching {
		if i != 1 { // the second point is the first again
			on = g.onPlane(o.D)
		}
		g.x = append(g.x, on...)
		g.labels = append(g.labels, i%2)
	}
	return g.dataset("separable", fmt.Sprintf("two sides of a plane with seed %d", o.Seed))
}

// onPlane returns a point of the plane. Its first two coordinates are multiples
// of 1/64, which float64 and nine digits hold exactly, and so does their sum.
func (g *sampler) onPlane(d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = nineDigits(4*g.rng.Float64() - 2)
	}
	if d == 1 {
		x[0] = planeAt
		return x
	}
	x[0] = float64(g.rng.IntN(225))/64 - 1.5 // −1.5 … 2, and so is x2
	x[1] = planeAt - x[0]
	return x
}
