package datasets

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// ThresholdsOptions describe the noisy threshold model of PRML 4.3.5. The zero
// value works.
type ThresholdsOptions struct {
	// N is the number of inputs; 0 is 200.
	N int
	// Low and High are the ends of the range of the input a; both 0 is −4 and 4.
	Low, High float64
	// Means, Stds and Weights are the components of the density of the threshold,
	// a mixture of Gaussians; all nil is 0.6·N(−1, 0.8²) + 0.4·N(1.5, 0.5²).
	// Weights are positive and need not sum to 1; nil are equal ones.
	Means, Stds, Weights []float64
	// Seed of the random numbers.
	Seed uint64
}

const thresholdsStream = 0x74687265736800 // "thresh"

// Thresholds draws inputs a, uniform on [Low, High], and for each a threshold θ
// from the density p: the class is "on" (t = 1) if a ≥ θ, otherwise "off", PRML
// (4.112). The share of "on" at a is the cumulative distribution of p, the
// activation function (4.113) of PRML figure 4.13. Errors: a negative number of
// points or more than memory holds, Low and High that are no interval, components
// that are incomplete, not finite or have a Std or Weight that is not positive.
func Thresholds(o ThresholdsOptions) (*Dataset, error) {
	if err := o.complete(); err != nil {
		return nil, fmt.Errorf("datasets: Thresholds: %w", err)
	}
	g := newSampler(o.Seed, thresholdsStream)
	g.d, g.names = 1, []string{"on", "off"}
	var sum float64
	for _, w := range o.Weights {
		sum += w
	}
	for range o.N {
		a := nineDigits(o.Low + (o.High-o.Low)*g.rng.Float64())
		u, k := float64(g.rng.Float64()*sum), 0 // the conversion rounds, so that nothing is fused
		for k < len(o.Weights)-1 && u >= o.Weights[k] {
			u -= o.Weights[k]
			k++
		}
		theta := nineDigits(o.Means[k] + o.Stds[k]*g.rng.NormFloat64())
		label := 1
		if a >= theta {
			label = 0
		}
		g.x = append(g.x, a)
		g.labels = append(g.labels, label)
	}
	d, err := g.dataset("thresholds", fmt.Sprintf("random thresholds with seed %d", o.Seed))
	if err != nil {
		return nil, err
	}
	d.FeatureNames[0] = "a"
	return d, nil
}

func (o *ThresholdsOptions) complete() error {
	if o.N < 0 {
		return fmt.Errorf("option N is %d: a number of points is not negative", o.N)
	}
	if o.N == 0 {
		o.N = 200
	}
	if err := check.Drawn(float64(o.N), 1); err != nil {
		return err
	}
	if o.Low == 0 && o.High == 0 {
		o.Low, o.High = -4, 4
	}
	const most = 1e300 // differences and sums of such numbers are finite
	if !(o.Low < o.High && o.Low >= -most && o.High <= most) {
		return fmt.Errorf("options Low = %v and High = %v are no interval: Low must be the smaller, both finite", o.Low, o.High)
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
		return fmt.Errorf("options Means, Stds and Weights have %d, %d and %d entries: give one of each per component", n, len(o.Stds), len(o.Weights))
	}
	for i := range n {
		if !(math.Abs(o.Means[i]) <= most) {
			return fmt.Errorf("option Means[%d] is %v: it must be a finite number", i, o.Means[i])
		}
		if !(o.Stds[i] > 0 && o.Stds[i] <= most) {
			return fmt.Errorf("option Stds[%d] is %v: it must be a positive number", i, o.Stds[i])
		}
		if !(o.Weights[i] > 0 && o.Weights[i] <= most/float64(n)) {
			return fmt.Errorf("option Weights[%d] is %v: it must be a positive number", i, o.Weights[i])
		}
	}
	return nil
}
