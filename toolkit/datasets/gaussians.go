package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// GaussiansOptions describe any number of Gaussian clouds. The zero value gives
// three overlapping round clouds at the corners of a triangle.
type GaussiansOptions struct {
	// Means has one row per cloud, all of length D; nil is (0, 2), (−√3, −1),
	// (√3, −1), rounded to 1.732.
	Means [][]float64
	// Covs are the D×D covariances, positive definite: none is the identity for
	// all, one is shared by all (PRML 4.2.1), otherwise one per cloud.
	Covs []*mat.SymDense
	// N are the numbers of points: none is 50 for each cloud, one is for all,
	// otherwise one per cloud.
	N []int
	// Classes names the class of each cloud; clouds of one name form one class.
	// nil is C1, C2, …: a class per cloud.
	Classes []string
	// Seed of the random numbers.
	Seed uint64
}

// Gaussians draws the clouds one after the other, PRML (4.64) for each. Classes
// are numbered in the order of their first cloud. The same options give the same
// bytes. Sizes that do not agree, numbers that are not finite and covariances
// that are not positive definite are errors.
//
// Equations: PRML (4.64).
func Gaussians(o GaussiansOptions) (*Dataset, error) {
	return o.draw(cloudsStream, "Gaussians", "drawn from Gaussians")
}

// TwoGaussiansOptions describe two Gaussian classes. The zero value gives two
// overlapping round clouds of 50 points each in the plane.
type TwoGaussiansOptions struct {
	// N1 and N2 are the numbers of points of each class; 0 is 50.
	N1, N2 int
	// Mean1 and Mean2 are the class means, of equal length D; nil is (1,1) and
	// (−1,−1), continued with zeros to the length of the other.
	Mean1, Mean2 []float64
	// Cov1 and Cov2 are the D×D covariances, positive definite; Cov1 nil is the
	// identity and Cov2 nil is Cov1 (PRML 4.2.1: shared covariance).
	Cov1, Cov2 *mat.SymDense
	// Seed of the random numbers; 0 is a seed like any other.
	Seed uint64
}

// oneByOne has the names of the options of two clouds for those of any number.
var oneByOne = strings.NewReplacer("Gaussians", "TwoGaussians", "Means[0]", "Mean1", "Means[1]", "Mean2", "Covs[0]", "Cov1", "Covs[1]", "Cov2", "N[0]", "N1", "N[1]", "N2")

// TwoGaussians draws N1 points of class "C1" and then N2 of class "C2" from two
// Gaussian densities, PRML (4.64). The same options give the same bytes. Means
// of different length and covariances of the wrong size or not positive
// definite are errors.
//
// Equations: PRML (4.64).
func TwoGaussians(o TwoGaussiansOptions) (*Dataset, error) {
	d := cmp.Or(max(len(o.Mean1), len(o.Mean2)), dim(o.Cov1), dim(o.Cov2), 2)
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

// dim is the number of rows of c, 0 for nil.
func dim(c *mat.SymDense) int {
	if c == nil {
		return 0
	}
	return c.SymmetricDim()
}

// corner returns (v, v, 0, …, 0).
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

// draw draws the clouds with the random numbers of a stream.
func (o GaussiansOptions) draw(stream uint64, name, source string) (*Dataset, error) {
	if err := o.complete(); err != nil {
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

// complete fills in the defaults, so that all fields have one entry per cloud,
// and checks the sizes. The caller's slices stay as they are.
func (o *GaussiansOptions) complete() error {
	if o.Means == nil {
		o.Means = [][]float64{{0, 2}, {-1.732, -1}, {1.732, -1}}
	}
	n := len(o.Means)
	if n == 0 || len(o.Means[0]) == 0 {
		return errors.New("option Means has no numbers: give one row per cloud")
	}
	d := len(o.Means[0])
	for i, m := range o.Means {
		if len(m) != d {
			return fmt.Errorf("option Means[%d] has %d entries and Means[0] has %d: they must have the same length", i, len(m), d)
		}
		if err := check.Vector(fmt.Sprintf("option Means[%d]", i), m, d, ""); err != nil {
			return err
		}
	}
	var errs [2]error
	o.N, errs[0] = each("N", o.N, n, 50)
	o.Covs, errs[1] = each("Covs", o.Covs, n, identity(d))
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	var rows float64
	for i, v := range o.N {
		if v < 0 {
			return fmt.Errorf("option N[%d] is %d: a number of points is not negative", i, v)
		}
		rows += float64(v)
	}
	if rows == 0 {
		return errors.New("option N is 0 for every cloud: there must be a point")
	}
	if err := check.Drawn(rows, d); err != nil {
		return err
	}
	for i, c := range o.Covs {
		switch m := dim(c); {
		case c == nil:
			return fmt.Errorf("option Covs[%d] is nil: leave all out for the identity", i)
		case m != d:
			return fmt.Errorf("option Covs[%d] is %d×%d but the means have %d entries", i, m, m, d)
		}
	}
	if o.Classes == nil {
		o.Classes = numberedNames("C", n)
	}
	if len(o.Classes) != n {
		return fmt.Errorf("option Classes has %d names for %d clouds: name the class of each", len(o.Classes), n)
	}
	return nil
}

// numberedNames are C1, C2, … or x1, x2, ….
func numberedNames(letter string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = letter + strconv.Itoa(i+1)
	}
	return names
}

// each returns n values: none given is n times the default, one is n times that.
func each[T any](name string, given []T, n int, byDefault T) ([]T, error) {
	switch len(given) {
	case n:
		return given, nil
	case 0:
		return slices.Repeat([]T{byDefault}, n), nil
	case 1:
		return slices.Repeat(given, n), nil
	}
	return nil, fmt.Errorf("option %s has %d entries for %d clouds: give none, one for all, or one for each", name, len(given), n)
}
