package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// RingsOptions describe classes on circles around the origin. The zero value
// gives a disc and a ring around it.
type RingsOptions struct {
	// N is the number of points in each ring; 0 means 50.
	N int
	// Radii are the radii of the rings, one class per ring; nil means 0 (a disc) and 3.
	Radii []float64
	// Noise is the standard deviation of the noise in each coordinate; 0 means 0.5.
	Noise float64
	// Seed seeds the random numbers.
	Seed uint64
}

// Rings draws one class for each radius. It places the points of the class on a circle with this
// radius, at uniformly distributed angles, and adds Gaussian noise to their coordinates. With the
// default radii and noise, the function x1² + x2² separates the classes almost perfectly, but no
// line does. Errors: a negative number of points, data of more than 1 GB, a list Radii that is empty
// but not nil, and a radius or Noise that is NaN or outside 0 to 1e300.
func Rings(o RingsOptions) (*Dataset, error) {
	if err := o.withDefaults(); err != nil {
		return nil, prefixed("Rings", err)
	}
	g := newSampler(o.Seed, ringsStream, 2)
	g.names = numberedNames("C", len(o.Radii))
	for k, r := range o.Radii {
		for range o.N {
			sin, cos := math.Sincos(2 * math.Pi * g.rng.Float64())
			x1 := nineDigits(r*cos + o.Noise*g.rng.NormFloat64())
			g.add(k, x1, nineDigits(r*sin+o.Noise*g.rng.NormFloat64()))
		}
	}
	return g.dataset("rings", "rings")
}

func (o *RingsOptions) withDefaults() error {
	if err := cmp.Or(checkCount("N", &o.N, 50), checkRange("Noise", &o.Noise, 0.5, 0, maxOption)); err != nil {
		return err
	}
	if o.Radii == nil {
		o.Radii = []float64{0, 3}
	}
	if len(o.Radii) == 0 {
		return errors.New("option Radii is empty: give one radius per class")
	}
	for k, r := range o.Radii {
		if err := checkRange(fmt.Sprintf("Radii[%d]", k), &r, 0, 0, maxOption); err != nil {
			return err
		}
	}
	return check.Drawn(float64(o.N)*float64(len(o.Radii)), 2)
}

// SeparableOptions describe two classes on the two sides of a hyperplane. The zero value gives the
// default data.
type SeparableOptions struct {
	// N is the number of points of each class, without the Touching points; 0 means 50.
	N int
	// D is the number of inputs; 0 means 2.
	D int
	// Margin is the smallest allowed distance of a point from the plane, except for the Touching
	// points. It is at most 1; 0 means 0.1.
	Margin float64
	// Touching is the number of points of each class that lie exactly on the plane. If Touching is
	// at least 1, the data are quasi-separable: no plane separates the two classes strictly, but
	// the plane that generated the data has no point on the wrong side.
	Touching int
	// Seed seeds the random numbers.
	Seed uint64
}

// planeAt is c in x1 + x2 = c, the equation of the plane that separates the classes. If D = 1, the
// equation is x1 = c.
const planeAt = 0.5

// Separable draws points of the cube [−2, 2]^D. The plane x1 + x2 = 0.5 (x1 = 0.5 if D = 1)
// separates the classes. The Touching points lie on the plane. They are the last rows, alternately of
// class C1 and C2. For any other point, the left side of the equation is above 0.5 in class C1 and
// below 0.5 in class C2, and the distance from the plane is at least Margin. The first two Touching
// points are equal, so with them strict separation is impossible. Without Touching points, the
// perceptron algorithm stops. In both cases the logistic likelihood of the data has no maximum.
// Errors: a negative option, data of more than 1 GB, a Margin outside 0 to 1.
func Separable(o SeparableOptions) (*Dataset, error) {
	err := cmp.Or(checkCount("N", &o.N, 50), checkCount("D", &o.D, 2), checkCount("Touching", &o.Touching, 0),
		checkRange("Margin", &o.Margin, 0.1, 0, 1))
	if err == nil {
		err = check.Drawn(2*(float64(o.N)+float64(o.Touching)), o.D)
	}
	if err != nil {
		return nil, prefixed("Separable", err)
	}
	g := newSampler(o.Seed, separableStream, o.D)
	norm := 1.0 // length of the plane's normal vector (1, 1, 0, …), or of (1) if D = 1
	if o.D > 1 {
		norm = math.Sqrt2
	}
	for k, side := range []float64{1, -1} {
		for n := 0; n < o.N; {
			x := g.cube()
			y := x[0] - planeAt
			if o.D > 1 {
				y += x[1]
			}
			if side*y/norm >= o.Margin {
				g.add(k, x...)
				n++
			}
		}
	}
	var on []float64
	for i := range 2 * o.Touching {
		if i != 1 { // the second touching point equals the first
			on = g.onPlane()
		}
		g.add(i%2, on...)
	}
	return g.dataset("separable", "two sides of a plane")
}

// onPlane returns a random point of the plane. If D > 1, the first two coordinates are multiples of
// 1/64. Nine digits therefore represent both exactly, and their sum has no rounding error.
func (g *sampler) onPlane() []float64 {
	x := g.cube()
	if g.d == 1 {
		x[0] = planeAt
		return x
	}
	x[0] = float64(g.rng.IntN(225))/64 - 1.5 // x1 and x2 both lie between −1.5 and 2
	x[1] = planeAt - x[0]
	return x
}

// ThresholdsOptions describe the noisy threshold model of PRML 4.3.5. The zero value gives the
// default model.
type ThresholdsOptions struct {
	// N is the number of inputs; 0 means 200.
	N int
	// Low and High are the ends of the range of the input a. If both are 0, the range is −4 to 4.
	Low, High float64
	// Means, Stds and Weights describe the density of the threshold, a mixture of Gaussians. If all
	// three are nil, the density is 0.6·N(−1, 0.8²) + 0.4·N(1.5, 0.5²). Weights are positive and
	// need not sum to 1. If only Weights is nil, the weights are equal.
	Means, Stds, Weights []float64
	// Seed seeds the random numbers.
	Seed uint64
}

// Thresholds draws inputs a, uniform on [Low, High]. For each input it draws a threshold θ from the
// mixture density p. The class is "on" (t = 1) if a ≥ θ, and otherwise "off", PRML (4.112). The probability
// of "on" for the input a is the cumulative distribution function of p at a. This is the activation
// function (4.113) of PRML figure 4.13. Errors: a negative number of points, data of more than
// 1 GB, numbers that are NaN or outside −1e300 to 1e300, a Low that is not below High, and a Std or
// Weight that is not positive. It is also an error if Means, Stds and Weights, with their defaults
// filled in, are empty or differ in length.
//
// Equations: PRML (4.112), (4.113).
func Thresholds(o ThresholdsOptions) (*Dataset, error) {
	if err := o.withDefaults(); err != nil {
		return nil, prefixed("Thresholds", err)
	}
	g := newSampler(o.Seed, thresholdsStream, 1)
	g.names = []string{"on", "off"}
	var sum float64
	for _, w := range o.Weights {
		sum += w
	}
	for range o.N {
		a := nineDigits(o.Low + (o.High-o.Low)*g.rng.Float64())
		u, k := float64(g.rng.Float64()*sum), 0 // this conversion forces rounding and prevents a fused multiply-add
		for k < len(o.Weights)-1 && u >= o.Weights[k] {
			u -= o.Weights[k]
			k++
		}
		theta := nineDigits(o.Means[k] + o.Stds[k]*g.rng.NormFloat64())
		label := 1
		if a >= theta {
			label = 0
		}
		g.add(label, a)
	}
	d, err := g.dataset("thresholds", "random thresholds")
	if err == nil {
		d.FeatureNames[0] = "a"
	}
	return d, err
}

func (o *ThresholdsOptions) withDefaults() error {
	if err := checkCount("N", &o.N, 200); err != nil {
		return err
	}
	if o.Low == 0 && o.High == 0 {
		o.Low, o.High = -4, 4
	}
	if !(o.Low < o.High && o.Low >= -maxOption && o.High <= maxOption) {
		return fmt.Errorf("options Low = %v and High = %v are not an interval: want numbers from -1e300 to 1e300, Low below High",
			o.Low, o.High)
	}
	if o.Means == nil && o.Stds == nil && o.Weights == nil {
		o.Means, o.Stds, o.Weights = []float64{-1, 1.5}, []float64{0.8, 0.5}, []float64{0.6, 0.4}
	}
	n := len(o.Means)
	if o.Weights == nil {
		for range n {
			o.Weights = append(o.Weights, 1)
		}
	}
	if n == 0 || len(o.Stds) != n || len(o.Weights) != n {
		return fmt.Errorf("options Means, Stds and Weights have %d, %d and %d entries: give one of each per component",
			n, len(o.Stds), len(o.Weights))
	}
	const least = math.SmallestNonzeroFloat64
	for i := range n {
		mean, std, weight := o.Means[i], o.Stds[i], o.Weights[i]
		err := cmp.Or(checkRange(fmt.Sprintf("Means[%d]", i), &mean, 0, -maxOption, maxOption),
			checkRange(fmt.Sprintf("Stds[%d]", i), &std, 0, least, maxOption),
			checkRange(fmt.Sprintf("Weights[%d]", i), &weight, 0, least, maxOption/float64(n)))
		if err != nil {
			return err
		}
	}
	return check.Drawn(float64(o.N), 1)
}

// Each of these constants selects the stream of a random number generator. Data generators with
// different constants therefore draw independent numbers even with the same seed. The bytes of a
// constant are the ASCII codes of the word in its comment; thresholdsStream ends with a byte 0.
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

// maxOption limits the values of options, so that sums and differences of two options are finite.
const maxOption = 1e300

// checkCount sets the option *n, which is a number of points or another count, to the default if it
// is 0. It returns an error if *n is negative.
func checkCount(option string, n *int, byDefault int) error {
	if *n < 0 {
		return fmt.Errorf("option %s is %d: it must not be negative", option, *n)
	}
	if *n == 0 {
		*n = byDefault
	}
	return nil
}

// checkRange sets *v to the default if it is 0. It then returns an error if *v is not between low
// and high.
func checkRange(option string, v *float64, byDefault, low, high float64) error {
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

// add appends a row with the given label.
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

// cholesky returns the lower triangular matrix L for which L·Lᵀ = c.
func cholesky(c *mat.SymDense) (*mat.TriDense, error) {
	for i := range c.SymmetricDim() {
		for j, v := range mat.Row(nil, i, c) {
			if v-v != 0 { // v is NaN or ±Inf
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

// nineDigits rounds v to nine significant digits. On different processors, exp and fused
// multiply-adds can differ in the last bit; after this rounding the data have the same bytes
// everywhere.
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
