package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

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

const cloudsStream = 0x636c6f756473 // "clouds"

// Gaussians draws the clouds one after the other, PRML (4.64) for each. Classes
// are numbered in the order of their first cloud. The same options give the same
// bytes. Sizes that do not agree, numbers that are not finite and covariances
// that are not positive definite are errors.
func Gaussians(o GaussiansOptions) (*Dataset, error) {
	d, err := o.draw("Gaussians", fmt.Sprintf("drawn from Gaussians with seed %d", o.Seed))
	if err != nil {
		return nil, fmt.Errorf("datasets: Gaussians: %w", err)
	}
	return d, nil
}

func (o GaussiansOptions) draw(name, source string) (*Dataset, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	g := newSampler(o.Seed, cloudsStream)
	for i, c := range o.Classes {
		k := slices.Index(g.names, c)
		if k < 0 {
			k = len(g.names)
			g.names = append(g.names, c)
		}
		if err := g.cloud(k, o.N[i], o.Means[i], o.Covs[i]); err != nil {
			return nil, fmt.Errorf("option Covs[%d]: %w", i, err)
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
		for j, v := range m {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("option Means[%d][%d] is %v: it must be a finite number", i, j, v)
			}
		}
	}
	var err error
	if o.N, err = each("N", o.N, n, 50); err != nil {
		return err
	}
	var rows float64
	for i, v := range o.N {
		if v < 0 {
			return fmt.Errorf("option N[%d] is %d: a number of points is not negative", i, v)
		}
		rows += float64(v)
	}
	if err := check.Drawn(rows, d); err != nil {
		return err
	}
	if slices.Max(o.N) == 0 {
		return errors.New("option N is 0 for every cloud: there must be a point")
	}
	one := mat.NewSymDense(d, nil)
	for i := range d {
		one.SetSym(i, i, 1)
	}
	if o.Covs, err = each("Covs", o.Covs, n, one); err != nil {
		return err
	}
	for i, c := range o.Covs {
		if c == nil {
			return fmt.Errorf("option Covs[%d] is nil: leave all out for the identity", i)
		}
		if m := c.SymmetricDim(); m != d {
			return fmt.Errorf("option Covs[%d] is %d×%d but the means have %d entries", i, m, m, d)
		}
	}
	if o.Classes == nil {
		for i := range n {
			o.Classes = append(o.Classes, "C"+strconv.Itoa(i+1))
		}
	}
	if len(o.Classes) != n {
		return fmt.Errorf("option Classes has %d names for %d clouds: name the class of each", len(o.Classes), n)
	}
	return nil
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
