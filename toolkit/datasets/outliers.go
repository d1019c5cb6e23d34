package datasets

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

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

const outlierStream = 0x6f75746c696572 // "outlier"

// Outliers returns the data of PRML figure 4.4 twice: two slightly overlapping
// classes, and the same rows followed by a few points of the second class that
// lie far out, deep in their own region. Such points are no mistakes of anyone:
// a boundary fitted by least squares turns towards them all the same, because
// being "too right" is punished; a logistic one hardly moves. With the default
// seed the classes overlap, so that the logistic maximum exists; with a few
// others they happen to be separable. Numbers of points that are negative, or too
// many for memory, are errors.
func Outliers(o OutliersOptions) (clean, with *Dataset, err error) {
	if o.N < 0 || o.Outliers < 0 {
		return nil, nil, fmt.Errorf("datasets: Outliers: N = %d and Outliers = %d must not be negative", o.N, o.Outliers)
	}
	if o.N == 0 {
		o.N = 50
	}
	if o.Outliers == 0 {
		o.Outliers = 8
	}
	if err := check.Drawn(2*float64(o.N)+float64(o.Outliers), 2); err != nil {
		return nil, nil, fmt.Errorf("datasets: Outliers: %w", err)
	}
	cov := mat.NewSymDense(2, []float64{0.9, 0.5, 0.5, 0.9})
	far := mat.NewSymDense(2, []float64{0.2, 0, 0, 0.2})
	g := newSampler(o.Seed, outlierStream)
	for _, c := range []struct {
		class, n int
		mean     []float64
		cov      *mat.SymDense
	}{{0, o.N, []float64{-0.8, 0.8}, cov}, {1, o.N, []float64{0.8, -0.8}, cov}, {1, o.Outliers, []float64{8.5, -4}, far}} {
		if err := g.cloud(c.class, c.n, c.mean, c.cov); err != nil {
			return nil, nil, fmt.Errorf("datasets: Outliers: %w", err)
		}
	}
	with, err = g.dataset("outliers", fmt.Sprintf("in the manner of PRML figure 4.4, seed %d", o.Seed))
	if err != nil {
		return nil, nil, err
	}
	rows := make([]int, 2*o.N)
	for i := range rows {
		rows[i] = i
	}
	return with.take(rows), with, nil
}
