package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Scale is the affine map of Standardize, one mean and one standard deviation per column: x ↦ (x −
// Mean)/Std. Apply the Scale to new inputs to treat them like the training data.
type Scale struct {
	Mean, Std []float64
}

// Standardize returns the data set with every column shifted to mean 0 and scaled to standard
// deviation 1 (maximum likelihood: divided by N), and the Scale of this map. A constant column is
// an error because it cannot be scaled.
func (d *Dataset) Standardize() (*Dataset, Scale, error) {
	if err := d.Check(); err != nil {
		return nil, Scale{}, err
	}
	s := Scale{make([]float64, d.D()), make([]float64, d.D())}
	col := make([]float64, d.N())
	for j, name := range d.FeatureNames {
		mat.Col(col, j, d.X)
		if slices.Min(col) == slices.Max(col) {
			return nil, Scale{}, fmt.Errorf("datasets: Standardize: column %q is constant (%v in all %d rows) and has no scale: leave it out with Columns", name, col[0], d.N())
		}
		s.Mean[j], s.Std[j] = moments(col)
		if s.Std[j] == 0 || math.IsInf(s.Std[j], 0) {
			return nil, Scale{}, fmt.Errorf("datasets: Standardize: the spread of column %q (%v) cannot be represented: choose another unit", name, s.Std[j])
		}
	}
	e := d.take(ascending(d.N()))
	var err error
	e.X, err = s.Apply(d.X)
	return e, s, err
}

// moments returns mean and standard deviation (divided by N) by two passes. Before the first pass
// moments divides v by the power of two nearest to the largest number, so that no square overflows
// or underflows.
func moments(v []float64) (mean, std float64) {
	big := math.Max(math.Abs(slices.Max(v)), math.Abs(slices.Min(v)))
	_, e := math.Frexp(big)
	n := float64(len(v))
	for _, a := range v {
		mean += math.Ldexp(a, -e) / n
	}
	if slices.Min(v) == slices.Max(v) {
		return v[0], 0
	}
	var far float64 // largest deviation, the divisor in the second pass
	for _, a := range v {
		far = math.Max(far, math.Abs(math.Ldexp(a, -e)-mean))
	}
	var s, r float64
	for _, a := range v {
		u := (math.Ldexp(a, -e) - mean) / far
		s += u * u
		r += u
	}
	// Correct the rounding error of the mean. The square of this error is of second order.
	std = far * math.Sqrt((s-r*r/n)/n)
	return math.Ldexp(mean+far*r/n, e), math.Ldexp(std, e)
}

// Apply returns (x − Mean)/Std column by column for an N×D matrix. Errors: a
// different number of columns than the Scale, an empty x.
func (s Scale) Apply(x mat.Matrix) (*mat.Dense, error) {
	return s.each(x, func(v float64, j int) float64 { return (v - s.Mean[j]) / s.Std[j] })
}

// Invert returns x·Std + Mean, which undoes Apply. Errors: the errors of Apply.
func (s Scale) Invert(x mat.Matrix) (*mat.Dense, error) {
	return s.each(x, func(v float64, j int) float64 { return v*s.Std[j] + s.Mean[j] })
}

func (s Scale) each(x mat.Matrix, f func(v float64, j int) float64) (*mat.Dense, error) {
	if check.Nil(x) {
		return nil, errors.New("datasets: Scale: x is nil")
	}
	n, d := x.Dims()
	if d != len(s.Mean) || d != len(s.Std) || n == 0 || d == 0 {
		return nil, fmt.Errorf("datasets: Scale: x is %d×%d but the scale has %d columns", n, d, len(s.Mean))
	}
	out := mat.NewDense(n, d, nil)
	out.Apply(func(_, j int, v float64) float64 { return f(v, j) }, x)
	return out, nil
}
