package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// GaussiansOptions describe any number of Gaussian clouds. The zero value gives
// three overlapping round clouds at the corners of a triangle.
type GaussiansOptions struct {
	// Means has one row per cloud, all of length D; nil means (0, 2), (−√3, −1),
	// (√3, −1), with √3 rounded to 1.732.
	Means [][]float64
	// Covs are the covariances of the clouds, positive definite D×D matrices. An empty list means
	// the identity for all clouds. A single entry applies to all clouds (PRML 4.2.1). Otherwise the
	// list has one entry per cloud.
	Covs []*mat.SymDense
	// N are the numbers of points. An empty list means 50 per cloud, and a single entry applies to
	// all clouds. Otherwise the list has one entry per cloud.
	N []int
	// Classes names the class of each cloud; clouds with the same name form one class.
	// nil means C1, C2, …: one class per cloud.
	Classes []string
	// Seed seeds the random numbers.
	Seed uint64
}

// Gaussians draws the points cloud by cloud. The points of a cloud have the Gaussian density PRML
// (4.64). Classes are numbered in the order of their first cloud. The same options give the same
// bytes. Errors: lists or matrices of the wrong size, numbers that are not finite, covariances that
// are nil or not positive definite, empty class names, numbers of points that are negative or all 0,
// data of more than 1 GB.
//
// Equations: PRML (4.64).
func Gaussians(o GaussiansOptions) (*Dataset, error) {
	return o.draw(cloudsStream, "Gaussians", "drawn from Gaussians")
}

// TwoGaussiansOptions describe two Gaussian classes. The zero value gives two round, overlapping
// clouds of 50 points each in the plane.
type TwoGaussiansOptions struct {
	// N1 and N2 are the numbers of points of the two classes; 0 means 50.
	N1, N2 int
	// Mean1 and Mean2 are the class means, of equal length D; nil means (1,1) for Mean1 and (−1,−1)
	// for Mean2. If both are nil, D is the size of Cov1, or of Cov2 if Cov1 is nil. Without means and
	// covariances D is 2. If D is not 2, the default means are cut to one entry or padded with zeros.
	Mean1, Mean2 []float64
	// Cov1 and Cov2 are the D×D covariances, positive definite. A nil Cov1 means the identity
	// matrix. A nil Cov2 means that both classes share Cov1 (PRML 4.2.1).
	Cov1, Cov2 *mat.SymDense
	// Seed seeds the random numbers; 0 is a seed like any other.
	Seed uint64
}

// oneByOne replaces the names of the function Gaussians and of its options in an error message with
// the corresponding names of TwoGaussians.
var oneByOne = strings.NewReplacer("Gaussians", "TwoGaussians", "Means[0]", "Mean1", "Means[1]", "Mean2", "Covs[0]",
	"Cov1", "Covs[1]", "Cov2", "N[0]", "N1", "N[1]", "N2")

// TwoGaussians draws N1 points of class "C1" and then N2 points of class "C2". Each class has a
// Gaussian density, PRML (4.64). The same options give the same bytes. Errors: means that are empty
// or differ in length, numbers that are not finite, covariances that have the wrong size or are not
// positive definite, numbers of points that are negative, data of more than 1 GB.
//
// Equations: PRML (4.64).
func TwoGaussians(o TwoGaussiansOptions) (*Dataset, error) {
	d := cmp.Or(max(len(o.Mean1), len(o.Mean2)), rowCount(o.Cov1), rowCount(o.Cov2), 2)
	if o.Mean1 == nil {
		o.Mean1 = corner(d, 1)
	}
	if o.Mean2 == nil {
		o.Mean2 = corner(d, -1)
	}
	if o.Cov1 == nil {
		o.Cov1 = identity(d)
	}
	clouds := GaussiansOptions{
		Means: [][]float64{o.Mean1, o.Mean2}, Covs: []*mat.SymDense{o.Cov1, cmp.Or(o.Cov2, o.Cov1)},
		N: []int{cmp.Or(o.N1, 50), cmp.Or(o.N2, 50)}, Seed: o.Seed,
	}
	data, err := clouds.draw(gaussianStream, "Gaussians", "drawn from two Gaussians")
	if err != nil {
		return nil, errors.New(oneByOne.Replace(err.Error()))
	}
	data.Name = "two Gaussians"
	return data, nil
}

// rowCount returns the number of rows of c, or 0 if c is nil.
func rowCount(c *mat.SymDense) int {
	if c == nil {
		return 0
	}
	return c.SymmetricDim()
}

// corner returns the point (v, v, 0, …, 0) with d coordinates.
func corner(d int, v float64) []float64 {
	c := make([]float64, d)
	for j := range min(d, 2) {
		c[j] = v
	}
	return c
}

func identity(d int) *mat.SymDense {
	one := mat.NewSymDense(d, nil)
	for i := range d {
		one.SetSym(i, i, 1)
	}
	return one
}

// draw draws the clouds. The argument `stream` selects the stream of random numbers.
func (o GaussiansOptions) draw(stream uint64, name, source string) (*Dataset, error) {
	if err := o.withDefaults(); err != nil {
		return nil, prefixed(name, err)
	}
	g := newSampler(o.Seed, stream, len(o.Means[0]))
	g.names = nil
	for i, c := range o.Classes {
		k := slices.Index(g.names, c)
		if k < 0 {
			k = len(g.names)
			g.names = append(g.names, c)
		}
		if err := g.cloud(k, o.N[i], o.Means[i], o.Covs[i]); err != nil {
			return nil, prefixed(name, fmt.Errorf("option Covs[%d]: %w", i, err))
		}
	}
	return g.dataset(name, source)
}

// withDefaults fills in the defaults, so that every list has one entry per cloud. It returns an error
// if the sizes do not match, a mean is empty or not finite, a covariance is nil, a number of points is
// invalid, or the data would fill more than 1 GB. It does not modify the caller's slices.
func (o *GaussiansOptions) withDefaults() error {
	if o.Means == nil {
		o.Means = [][]float64{{0, 2}, {-1.732, -1}, {1.732, -1}}
	}
	n := len(o.Means)
	if n == 0 || len(o.Means[0]) == 0 {
		return errors.New("option Means[0] is missing or empty: give one row per cloud, with at least one number")
	}
	d := len(o.Means[0])
	for i, m := range o.Means {
		if len(m) != d {
			return fmt.Errorf("option Means[%d] has %d entries and Means[0] has %d: they must have the same length", i,
				len(m), d)
		}
		if err := check.Vector(fmt.Sprintf("option Means[%d]", i), m, d, ""); err != nil {
			return err
		}
	}
	var errs [2]error
	o.N, errs[0] = perCloud("N", o.N, n, 50)
	o.Covs, errs[1] = perCloud("Covs", o.Covs, n, identity(d))
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	var rows float64
	for i, v := range o.N {
		if v < 0 {
			return fmt.Errorf("option N[%d] is %d: want 0 or more points", i, v)
		}
		rows += float64(v)
	}
	if rows == 0 {
		return errors.New("option N is 0 for every cloud: want at least one point")
	}
	if err := check.Drawn(rows, d); err != nil {
		return err
	}
	for i, c := range o.Covs {
		switch m := rowCount(c); {
		case c == nil:
			return fmt.Errorf("option Covs[%d] is nil: give a covariance for every cloud, or leave Covs empty for the identity", i)
		case m != d:
			return fmt.Errorf("option Covs[%d] is %d×%d but the means have %d entries", i, m, m, d)
		}
	}
	if o.Classes == nil {
		o.Classes = numberedNames("C", n)
	}
	if len(o.Classes) != n {
		return fmt.Errorf("option Classes has %d names for %d clouds: want one class name per cloud", len(o.Classes), n)
	}
	return nil
}

// numberedNames returns n names, each of which is a letter and a number: C1, C2, ….
func numberedNames(letter string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = letter + strconv.Itoa(i+1)
	}
	return names
}

// perCloud returns n values, one for each cloud. If the slice of given values is empty, every value
// is byDefault. If it has one element, every value is this element. If it has n elements, perCloud
// returns this slice. Any other length is an error.
func perCloud[T any](name string, given []T, n int, byDefault T) ([]T, error) {
	switch len(given) {
	case n:
		return given, nil
	case 0:
		return slices.Repeat([]T{byDefault}, n), nil
	case 1:
		return slices.Repeat(given, n), nil
	}
	return nil, fmt.Errorf("option %s has %d entries for %d clouds: give none, one for all, or one for each", name,
		len(given), n)
}

// SceneOptions change how a scene is drawn. A scene illustrates one idea with a fixed arrangement
// of Gaussian clouds in the plane. The zero value gives the default scene.
type SceneOptions struct {
	// N is the number of points of each cloud; 0 means 50.
	N int
	// Spread is a factor for all standard deviations of the scene; 0 means 1. With a Spread below 1
	// the clouds overlap less. With a Spread above 1 they overlap more.
	Spread float64
	// Seed seeds the random numbers.
	Seed uint64
}

// ThreeInARow draws three round classes whose means lie on a line, as in PRML figure 4.5. A line
// separates any two of the classes, but no line separates the middle class C2 from both others.
// Least squares masks C2, which means that it assigns most points of C2 to C1 or C3. A classifier
// with one line per class, between this class and all others, cannot single out C2 either (Alpaydin
// figure 10.4). Errors: a negative number of points, data of more than 1 GB, a Spread outside 1e-100
// to 1e100.
func ThreeInARow(o SceneOptions) (*Dataset, error) {
	return o.scene("three in a row", []string{"C1", "C2", "C3"},
		[][]float64{{-3, 3}, {0, 0}, {3, -3}}, [3]float64{0.4, 0, 0.4})
}

// ThreeGaussians draws three classes as in PRML figure 4.11. C1 and C2 share a covariance, so the
// boundary between them is straight. C3 has a different covariance, so its boundaries with C1 and
// C2 are conics. ThreeGaussians returns the same errors as ThreeInARow.
func ThreeGaussians(o SceneOptions) (*Dataset, error) {
	shared := [3]float64{0.6, 0.25, 0.5}
	return o.scene("three Gaussians", []string{"C1", "C2", "C3"},
		[][]float64{{-1.5, -0.5}, {1.5, -0.5}, {0, 2}}, shared, shared, [3]float64{1.2, -0.3, 0.25})
}

// Sandwich draws class C2 between two clouds of class C1, as in PRML figure 4.12. No line separates
// the classes in the plane of the inputs. In the plane of two Gaussian basis functions, one centred
// on each outer cloud, a line separates the classes except for at most a few rows. Sandwich returns
// the same errors as ThreeInARow.
func Sandwich(o SceneOptions) (*Dataset, error) {
	return o.scene("sandwich", []string{"C1", "C2", "C1"},
		[][]float64{{-1.5, -1}, {0, 0}, {1.5, 1}}, [3]float64{0.09, 0, 0.09})
}

// XOR draws two classes at the corners of a square. C1 is at the two corners whose coordinates have
// the same sign, and C2 is at the other two. The product of the two inputs separates the classes
// almost perfectly, but no linear function does. XOR returns the same errors as ThreeInARow.
func XOR(o SceneOptions) (*Dataset, error) {
	return o.scene("XOR", []string{"C1", "C1", "C2", "C2"},
		[][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, [3]float64{0.09, 0, 0.09})
}

// scene draws the clouds of a scene with the options of the caller. A covariance consists of the
// numbers (c11, c12, c22). A single covariance applies to all clouds.
func (o SceneOptions) scene(name string, classes []string, means [][]float64, covs ...[3]float64) (*Dataset, error) {
	// The square of a Spread below 1e-100 or above 1e100 could underflow or overflow.
	if err := cmp.Or(checkCount("N", &o.N, 50), checkRange("Spread", &o.Spread, 1, 1e-100, 1e100)); err != nil {
		return nil, prefixed(name, err)
	}
	g := GaussiansOptions{Means: means, N: []int{o.N}, Classes: classes, Seed: o.Seed}
	for _, c := range covs {
		g.Covs = append(g.Covs, spread(c, math.Pow(o.Spread, 2)))
	}
	return g.draw(cloudsStream, name, fmt.Sprintf("scene %q", name))
}

// spread returns the symmetric matrix with the upper triangle (c11, c12, c22), multiplied by s.
func spread(c [3]float64, s float64) *mat.SymDense {
	return mat.NewSymDense(2, []float64{c[0] * s, c[1] * s, c[1] * s, c[2] * s})
}

// OutliersOptions describe the data of PRML figure 4.4. The zero value gives the default data.
type OutliersOptions struct {
	// N is the number of points of each class; 0 means 50.
	N int
	// Outliers is the number of additional points, which lie far from the boundary, on their
	// correct side; 0 means 8.
	Outliers int
	// Seed seeds the random numbers.
	Seed uint64
}

// Outliers returns two versions of the data of PRML figure 4.4. The first result contains two
// slightly overlapping classes. The second result contains the same rows, and additional points of
// the second class that lie deep in the region of this class. These points are not mislabelled. A
// boundary fitted by least squares still turns towards them, because least squares penalises points
// far on the correct side. A logistic boundary hardly moves. With the default seed the classes
// overlap, so the logistic likelihood has a maximum. With a few other seeds the classes are
// separable, and the likelihood has no maximum. Errors: negative numbers of points, data of more than
// 1 GB.
func Outliers(o OutliersOptions) (clean, with *Dataset, err error) {
	if err := cmp.Or(checkCount("N", &o.N, 50), checkCount("Outliers", &o.Outliers, 8)); err != nil {
		return nil, nil, prefixed("Outliers", err)
	}
	near := spread([3]float64{0.9, 0.5, 0.9}, 1)
	with, err = GaussiansOptions{
		Means: [][]float64{{-0.8, 0.8}, {0.8, -0.8}, {8.5, -4}},
		Covs:  []*mat.SymDense{near, near, spread([3]float64{0.2, 0, 0.2}, 1)},
		N:     []int{o.N, o.N, o.Outliers}, Classes: []string{"C1", "C2", "C2"}, Seed: o.Seed,
	}.draw(outlierStream, "Outliers", "in the manner of PRML figure 4.4")
	if err != nil {
		return nil, nil, err
	}
	return with.takeRows(ascending(2 * o.N)), with, nil
}
