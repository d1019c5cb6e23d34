package datasets

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

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

const gaussianStream = 0x67617573736961 // "gaussia"

// TwoGaussians draws N1 points of class "C1" and then N2 of class "C2" from two
// Gaussian densities, PRML (4.64). The same options give the same bytes. Means
// of different length and covariances of the wrong size or not positive
// definite are errors.
func TwoGaussians(o TwoGaussiansOptions) (*Dataset, error) {
	if err := o.complete(); err != nil {
		return nil, fmt.Errorf("datasets: TwoGaussians: %w", err)
	}
	g := newSampler(o.Seed, gaussianStream)
	for k, c := range []struct {
		n    int
		mean []float64
		cov  *mat.SymDense
	}{{o.N1, o.Mean1, o.Cov1}, {o.N2, o.Mean2, o.Cov2}} {
		if err := g.cloud(k, c.n, c.mean, c.cov); err != nil {
			return nil, fmt.Errorf("datasets: TwoGaussians: Cov%d: %w", k+1, err)
		}
	}
	return g.dataset("two Gaussians", fmt.Sprintf("drawn from two Gaussians with seed %d", o.Seed))
}

// complete fills in the defaults and checks the sizes.
func (o *TwoGaussiansOptions) complete() error {
	if o.N1 < 0 || o.N2 < 0 {
		return fmt.Errorf("options N1 = %d and N2 = %d must not be negative", o.N1, o.N2)
	}
	if o.N1 == 0 {
		o.N1 = 50
	}
	if o.N2 == 0 {
		o.N2 = 50
	}
	d := max(len(o.Mean1), len(o.Mean2))
	for _, c := range []*mat.SymDense{o.Cov1, o.Cov2} {
		if d == 0 && c != nil {
			d = c.SymmetricDim()
		}
	}
	if d == 0 {
		d = 2
	}
	if o.Mean1 == nil {
		o.Mean1 = corner(d, 1)
	}
	if o.Mean2 == nil {
		o.Mean2 = corner(d, -1)
	}
	if len(o.Mean1) != d || len(o.Mean2) != d {
		return fmt.Errorf("option Mean1 has %d entries and Mean2 has %d: they must have the same length", len(o.Mean1), len(o.Mean2))
	}
	for i, v := range slices.Concat(o.Mean1, o.Mean2) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("option Mean%d[%d] is %v: it must be a finite number", i/d+1, i%d, v)
		}
	}
	if o.Cov1 == nil {
		o.Cov1 = mat.NewSymDense(d, nil)
		for i := 0; i < d; i++ {
			o.Cov1.SetSym(i, i, 1)
		}
	}
	if o.Cov2 == nil {
		o.Cov2 = o.Cov1
	}
	if err := check.Drawn(float64(o.N1)+float64(o.N2), d); err != nil {
		return err
	}
	for k, c := range []*mat.SymDense{o.Cov1, o.Cov2} {
		if n := c.SymmetricDim(); n != d {
			return fmt.Errorf("option Cov%d is %d×%d but the means have %d entries", k+1, n, n, d)
		}
	}
	return nil
}

// corner returns (v, v, 0, …, 0).
func corner(d int, v float64) []float64 {
	c := make([]float64, d)
	c[0] = v
	if d > 1 {
		c[1] = v
	}
	return c
}

// sampler draws the rows of a synthetic data set.
type sampler struct {
	rng    *rand.Rand
	x      []float64
	labels []int
	d      int
	names  []string // of the classes; nil is C1, C2
}

func newSampler(seed, stream uint64) *sampler {
	return &sampler{rng: rand.New(rand.NewPCG(seed, stream))}
}

// cloud adds n points of class k drawn from N(mean, cov).
func (g *sampler) cloud(k, n int, mean []float64, cov *mat.SymDense) error {
	d := len(mean)
	l, err := cholesky(cov)
	if err != nil {
		return err
	}
	z := make([]float64, d)
	for range n {
		for j := range z {
			z[j] = g.rng.NormFloat64()
		}
		for i := range z {
			v := mean[i]
			for j := 0; j <= i; j++ {
				v += l[i*d+j] * z[j]
			}
			g.x = append(g.x, nineDigits(v))
		}
		g.labels = append(g.labels, k)
	}
	g.d = d
	return nil
}

// cholesky returns the lower triangular L with L·Lᵀ = c, by rows.
func cholesky(c *mat.SymDense) ([]float64, error) {
	d := c.SymmetricDim()
	var chol mat.Cholesky
	for i := 0; i < d; i++ {
		for j := i; j < d; j++ {
			if v := c.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("element (%d,%d) is %v: it must be a finite number", i, j, v)
			}
		}
	}
	if !chol.Factorize(c) {
		return nil, errors.New("not positive definite: every variance and every principal minor must be greater than 0")
	}
	var t mat.TriDense
	chol.LTo(&t)
	l := make([]float64, d*d)
	for i := 0; i < d; i++ {
		for j := 0; j <= i; j++ {
			l[i*d+j] = t.At(i, j)
		}
	}
	return l, nil
}

// nineDigits rounds to nine significant digits. Processors differ in the last
// bit of exp and of fused sums; after rounding all have the same bytes.
func nineDigits(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 8, 64), 64)
	if err != nil {
		return v
	}
	return r
}

func (g *sampler) dataset(name, source string) (*Dataset, error) {
	d := &Dataset{
		Name:       name,
		X:          mat.NewDense(len(g.labels), g.d, g.x),
		Labels:     g.labels,
		ClassNames: g.names,
		Source:     "synthetic: " + source + " (PCG, nine digits)",
	}
	if d.ClassNames == nil {
		d.ClassNames = []string{"C1", "C2"}
	}
	for j := range g.d {
		d.FeatureNames = append(d.FeatureNames, "x"+strconv.Itoa(j+1))
	}
	return d, d.Check()
}
