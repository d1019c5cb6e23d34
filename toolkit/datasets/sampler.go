package datasets

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Stream numbers separate the random numbers of different uses of one seed. The bytes of each
// number spell the word in the comment in ASCII.
const (
	gaussianStream   = 0x67617573736961 // "gaussia"
	cloudsStream     = 0x636c6f756473   // "clouds"
	outlierStream    = 0x6f75746c696572 // "outlier"
	ringsStream      = 0x72696e6773     // "rings"
	separableStream  = 0x73657061726174 // "separat"
	thresholdsStream = 0x74687265736800 // "thresh"
	flipStream       = 0x666c6970       // "flip"
	shuffleStream    = 0x73687566666c65 // "shuffle"
	splitStream      = 0x73706c6974     // "split"
)

// most is the largest value of an option, so sums and differences of two options are finite.
const most = 1e300

// amount replaces a number of points *n = 0 by the default and returns an error if *n is negative.
func amount(option string, n *int, byDefault int) error {
	if *n < 0 {
		return fmt.Errorf("option %s is %d: it must not be negative", option, *n)
	}
	if *n == 0 {
		*n = byDefault
	}
	return nil
}

// within replaces *v = 0 by the default and returns an error if *v is outside the range low to
// high.
func within(option string, v *float64, byDefault, low, high float64) error {
	if *v == 0 {
		*v = byDefault
	}
	if !(*v >= low && *v <= high) {
		return fmt.Errorf("option %s is %v: it must lie between %g and %g", option, *v, low, high)
	}
	return nil
}

// sampler draws the rows of a synthetic data set.
type sampler struct {
	seed   uint64
	rng    *rand.Rand
	x      []float64
	labels []int
	d      int
	names  []string // class names
}

// newSampler returns a sampler for rows of d numbers and classes C1 and C2.
func newSampler(seed, stream uint64, d int) *sampler {
	return &sampler{seed: seed, rng: rand.New(rand.NewPCG(seed, stream)), d: d, names: numberedNames("C", 2)}
}

// add appends a row.
func (g *sampler) add(label int, x ...float64) {
	g.x = append(g.x, x...)
	g.labels = append(g.labels, label)
}

// cube returns a random point of [−2, 2]^D.
func (g *sampler) cube() []float64 {
	x := make([]float64, g.d)
	for j := range x {
		x[j] = nineDigits(4*g.rng.Float64() - 2)
	}
	return x
}

// cloud adds n points of class k drawn from N(mean, cov).
func (g *sampler) cloud(k, n int, mean []float64, cov *mat.SymDense) error {
	l, err := cholesky(cov)
	if err != nil {
		return err
	}
	z := make([]float64, g.d)
	for range n {
		for j := range z {
			z[j] = g.rng.NormFloat64()
		}
		x := make([]float64, g.d)
		for i := range x {
			v := mean[i]
			for j := range i + 1 {
				v += l.At(i, j) * z[j]
			}
			x[i] = nineDigits(v)
		}
		g.add(k, x...)
	}
	return nil
}

// cholesky returns the lower triangular L with L·Lᵀ = c.
func cholesky(c *mat.SymDense) (*mat.TriDense, error) {
	for i := range c.SymmetricDim() {
		for j, v := range mat.Row(nil, i, c) {
			if v-v != 0 { // this is true only for NaN and ±Inf
				return nil, fmt.Errorf("element (%d,%d) is %v: it must be a finite number", i, j, v)
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(c) {
		return nil, errors.New("not positive definite: every variance and every principal minor must be greater than 0")
	}
	l := new(mat.TriDense)
	chol.LTo(l)
	return l, nil
}

// nineDigits rounds to nine significant digits. Processors differ in the last bit of exp and of
// fused sums. After rounding, all processors give the same bytes.
func nineDigits(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 8, 64), 64)
	if err != nil {
		return v
	}
	return r
}

func (g *sampler) dataset(name, source string) (*Dataset, error) {
	d := &Dataset{
		Name:         name,
		X:            mat.NewDense(len(g.labels), g.d, g.x),
		Labels:       g.labels,
		FeatureNames: numberedNames("x", g.d),
		ClassNames:   g.names,
		Source:       fmt.Sprintf("synthetic: %s with seed %d (PCG, nine digits)", source, g.seed),
	}
	return d, d.Check()
}
