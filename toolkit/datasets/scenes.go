package datasets

import (
	"cmp"
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
		[][]float64{{-3, 3}, {0, 0}, {3, -3}}, [3]float64{0.4, 0, 0.4})
}

// ThreeGaussians draws three classes in the manner of PRML figure 4.11: C1 and
// C2 share a covariance, so that their boundary is straight; C3 has another, and
// its boundaries are conics. Errors: those of ThreeInARow.
func ThreeGaussians(o SceneOptions) (*Dataset, error) {
	shared := [3]float64{0.6, 0.25, 0.5}
	return o.scene("three Gaussians", []string{"C1", "C2", "C3"},
		[][]float64{{-1.5, -0.5}, {1.5, -0.5}, {0, 2}}, shared, shared, [3]float64{1.2, -0.3, 0.25})
}

// Sandwich draws class C2 between two clouds of class C1, in the manner of PRML
// figure 4.12: no line separates them, but in the plane of two Gaussian basis
// functions, one on each outer cloud, a line does, up to a row or two. Errors:
// those of ThreeInARow.
func Sandwich(o SceneOptions) (*Dataset, error) {
	return o.scene("sandwich", []string{"C1", "C2", "C1"},
		[][]float64{{-1.5, -1}, {0, 0}, {1.5, 1}}, [3]float64{0.09, 0, 0.09})
}

// XOR draws two classes at the corners of a square, C1 where the coordinates have
// the same sign and C2 where they differ: the product of the two inputs tells
// them apart, no linear function does. Errors: those of ThreeInARow.
func XOR(o SceneOptions) (*Dataset, error) {
	return o.scene("XOR", []string{"C1", "C1", "C2", "C2"},
		[][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, [3]float64{0.09, 0, 0.09})
}

// scene draws the clouds.
func (o SceneOptions) scene(name string, classes []string, means [][]float64, covs ...[3]float64) (*Dataset, error) {
	// Beyond this range squares of the spread would vanish or overflow.
	if err := cmp.Or(amount("N", &o.N, 50), within("Spread", &o.Spread, 1, 1e-100, 1e100)); err != nil {
		return nil, prefixed(name, err)
	}
	g := GaussiansOptions{Means: means, N: []int{o.N}, Classes: classes, Seed: o.Seed}
	for _, c := range covs {
		g.Covs = append(g.Covs, spread(c, math.Pow(o.Spread, 2)))
	}
	return g.draw(cloudsStream, name, fmt.Sprintf("scene %q", name))
}

// spread is s times the covariance with the upper triangle (c11, c12, c22).
func spread(c [3]float64, s float64) *mat.SymDense {
	return mat.NewSymDense(2, []float64{c[0] * s, c[1] * s, c[1] * s, c[2] * s})
}

// OutliersOptions describe the data of PRML figure 4.4. The zero value works.
type OutliersOptions struct {
	// N is the number of points of each class; 0 is 50.
	N int
	// Outliers is the number of points added far out on the right side of the
	// boundary; 0 is 8.
	Outliers int
	// Seed of the random numbers.
	Seed uint64
}

// Outliers returns the data of PRML figure 4.4 twice: two slightly overlapping
// classes, and the same rows followed by a few points of the second class that
// lie far out, deep in their own region. Such points are no mistakes of anyone:
// a boundary fitted by least squares turns towards them all the same, because
// being "too right" is punished; a logistic one hardly moves. With the default
// seed the classes overlap, so that the logistic maximum exists; with a few
// others they happen to be separable. Numbers of points that are negative, or too
// many for memory, are errors.
func Outliers(o OutliersOptions) (clean, with *Dataset, err error) {
	if err := cmp.Or(amount("N", &o.N, 50), amount("Outliers", &o.Outliers, 8)); err != nil {
		return nil, nil, prefixed("Outliers", err)
	}
	near := spread([3]float64{0.9, 0.5, 0.9}, 1)
	with, err = GaussiansOptions{
		Means: [][]float64{{-0.8, 0.8}, {0.8, -0.8}, {8.5, -4}}, Covs: []*mat.SymDense{near, near, spread([3]float64{0.2, 0, 0.2}, 1)},
		N: []int{o.N, o.N, o.Outliers}, Classes: []string{"C1", "C2", "C2"}, Seed: o.Seed,
	}.draw(outlierStream, "outliers", "in the manner of PRML figure 4.4")
	if err != nil {
		return nil, nil, err
	}
	return with.take(ascending(2 * o.N)), with, nil
}
