package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// SceneOptions vary the scenes: fixed arrangements of Gaussian clouds in the
// plane that show one thing each. The zero value works.
type SceneOptions struct {
	// N is the number of points of each cloud; 0 is 50.
	N int
	// Spread multiplies the standard deviations of the scene; 0 is 1. Below 1
	// the clouds draw apart, above they overlap more.
	Spread float64
	// Seed of the random numbers.
	Seed uint64
}

// ThreeInARow draws three round classes whose means lie on a line, in the
// manner of PRML figure 4.5. Every two are told apart by a line, but no line has
// the middle class C2 on one side: least squares masks it, and one against the
// rest fails on it (Alpaydin figure 10.4). Errors: a number of points that is
// negative or too large for memory, a Spread outside 1e-100 to 1e100.
func ThreeInARow(o SceneOptions) (*Dataset, error) {
	return o.scene("three in a row", []string{"C1", "C2", "C3"},
		[][]float64{{-3, 3}, {0, 0}, {3, -3}}, []float64{0.4, 0, 0.4})
}

// ThreeGaussians draws three classes in the manner of PRML figure 4.11: C1 and
// C2 share a covariance, so that their boundary is straight; C3 has another, and
// its boundaries are conics. Errors: those of ThreeInARow.
func ThreeGaussians(o SceneOptions) (*Dataset, error) {
	return o.scene("three Gaussians", []string{"C1", "C2", "C3"},
		[][]float64{{-1.5, -0.5}, {1.5, -0.5}, {0, 2}},
		[]float64{0.6, 0.25, 0.5}, []float64{0.6, 0.25, 0.5}, []float64{1.2, -0.3, 0.25})
}

// Sandwich draws class C2 between two clouds of class C1, in the manner of PRML
// figure 4.12: no line separates them, but in the plane of two Gaussian basis
// functions, one on each outer cloud, a line does, up to a row or two. Errors:
// those of ThreeInARow.
func Sandwich(o SceneOptions) (*Dataset, error) {
	return o.scene("sandwich", []string{"C1", "C2", "C1"},
		[][]float64{{-1.5, -1}, {0, 0}, {1.5, 1}}, []float64{0.09, 0, 0.09})
}

// XOR draws two classes at the corners of a square, C1 where the coordinates have
// the same sign and C2 where they differ: the product of the two inputs tells
// them apart, no linear function does. Errors: those of ThreeInARow.
func XOR(o SceneOptions) (*Dataset, error) {
	return o.scene("XOR", []string{"C1", "C1", "C2", "C2"},
		[][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{0.09, 0, 0.09})
}

// scene draws the clouds; each covariance is its upper triangle (c11, c12, c22).
func (o SceneOptions) scene(name string, classes []string, means [][]float64, covs ...[]float64) (*Dataset, error) {
	if o.N < 0 {
		return nil, fmt.Errorf("datasets: %s: option N is %d: a number of points is not negative", name, o.N)
	}
	if o.N == 0 {
		o.N = 50
	}
	if o.Spread == 0 {
		o.Spread = 1
	}
	// Beyond these squares of the spread would vanish or overflow.
	if !(o.Spread >= 1e-100 && o.Spread <= 1e100) {
		return nil, fmt.Errorf("datasets: %s: option Spread is %v: it must lie between 1e-100 and 1e100 (1 leaves the scene as it is)", name, o.Spread)
	}
	g := GaussiansOptions{Means: means, N: []int{o.N}, Classes: classes, Seed: o.Seed}
	s := math.Pow(o.Spread, 2)
	for _, c := range covs {
		g.Covs = append(g.Covs, mat.NewSymDense(2, []float64{c[0] * s, c[1] * s, c[1] * s, c[2] * s}))
	}
	d, err := g.draw(name, fmt.Sprintf("scene %q with seed %d", name, o.Seed))
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return d, nil
}
