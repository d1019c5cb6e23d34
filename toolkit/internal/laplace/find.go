package laplace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Options has the same fields as classify.LaplaceOptions.
type Options struct {
	Gradient      func(dst, z []float64)
	Hessian       func(dst *mat.SymDense, z []float64)
	Step          float64
	Starts        [][]float64
	Random        int
	Spread        float64
	Seed          uint64
	MaxIterations int
}

// Mode has the same fields as classify.Mode.
type Mode struct {
	At              []float64
	LogF            float64
	Precision       *mat.SymDense
	Covariance      *mat.SymDense
	LogDet          float64
	LogZ            float64
	Step, StepError float64
}

// Found is the result of a search for modes.
type Found struct {
	Modes    []Mode // the highest first
	Starts   int
	Failures []string // for each start that did not lead to a mode, the reason
}

// stream is the number of the random stream from which the random starts are drawn.
const stream = 45

// Find searches for the modes of f. It starts a search at x0 and at each of the other starting
// points. The highest mode is the first in the result.
//
// Equations: PRML (4.126), (4.131)–(4.135).
func Find(logf func(z []float64) float64, x0 []float64, o Options) (*Found, error) {
	l, err := newSearch(logf, x0, &o)
	if err != nil {
		return nil, err
	}
	starts := [][]float64{x0}
	for i, s := range o.Starts {
		if err := check.Vector(fmt.Sprintf("Starts[%d]", i), s, l.m, "as x0"); err != nil {
			return nil, err
		}
		starts = append(starts, s)
	}
	rng := rand.New(rand.NewPCG(o.Seed, stream))
	for range o.Random {
		s := make([]float64, l.m)
		for i, v := range x0 {
			s[i] = v + o.Spread*(1+math.Abs(v))*rng.NormFloat64()
		}
		starts = append(starts, s)
	}
	fit := &Found{Starts: len(starts)}
	var first error
	for _, s := range starts {
		m, err := l.searchFrom(s)
		if err != nil {
			if errors.Is(err, errInfinite) {
				return nil, err
			}
			if first == nil {
				first = err
			}
			fit.Failures = append(fit.Failures, fmt.Sprintf("from %.4g: %v", s, err))
			continue
		}
		if !slices.ContainsFunc(fit.Modes, func(k Mode) bool { return sameMode(k, *m) }) {
			fit.Modes = append(fit.Modes, *m)
		}
	}
	if fit.Modes == nil {
		return nil, first
	}
	slices.SortStableFunc(fit.Modes, func(a, b Mode) int {
		return cmp.Or(cmp.Compare(b.LogF, a.LogF), slices.Compare(a.At, b.At))
	})
	return fit, nil
}

// Take returns the mode of f at z0 without a search, or the reason why z0 is not a mode.
func Take(logf func(z []float64) float64, z0 []float64, o Options) (*Mode, error) {
	l, err := newSearch(logf, z0, &o)
	if err != nil {
		return nil, err
	}
	return l.modeAt(z0)
}

// sameMode reports whether two modes agree to within a thousandth of a standard deviation.
func sameMode(a, b Mode) bool {
	d := floats.SubTo(make([]float64, len(a.At)), a.At, b.At)
	return mat.Inner(mat.NewVecDense(len(d), d), a.Precision, mat.NewVecDense(len(d), d)) < 1e-6
}

const (
	sufficient    = 1e-4 // smallest accepted increase of ln f, divided by the increase that the slope predicts (Armijo)
	nearStep      = 1e-5 // a point is near the mode if its Newton step is below this length, in standard deviations
	closing       = 0.1  // near the mode, refine starts once a Newton step is at most this fraction of the previous step
	flatCurvature = 1e-9 // a curvature up to this share of the largest curvature counts as 0
)

var errInfinite = errors.New("ln f is +Inf: f must be finite everywhere")

// search contains the state of a search. In each step, the search moves to a point with a larger
// value of ln f, until it reaches a maximum.
type search struct {
	logf func(z []float64) float64
	o    *Options
	m    int
	inf  bool // whether ln f was +Inf at some point
}

// mostRandom is the largest allowed number of random starting points. Each of them requires a
// search.
const mostRandom = 100_000

func newSearch(logf func(z []float64) float64, x0 []float64, o *Options) (*search, error) {
	switch {
	case logf == nil:
		return nil, errors.New("logf is nil: give the logarithm of f")
	case len(x0) == 0:
		return nil, errors.New("x0 is empty: it must have one entry per dimension of z")
	case !(o.Step >= 0) || o.Step > 10:
		return nil, fmt.Errorf("option Step is %v: it must lie between 0 and 10 standard deviations (0 means automatic)",
			o.Step)
	case !(o.Spread >= 0) || math.IsInf(o.Spread, 1):
		return nil, fmt.Errorf("option Spread is %v: it must be finite and not negative (0 means the default, 3)", o.Spread)
	case o.MaxIterations < 0:
		return nil, fmt.Errorf("option MaxIterations is %d: it must not be negative (0 means the default, 200)",
			o.MaxIterations)
	}
	if err := check.Vector("x0", x0, len(x0), "one per dimension"); err != nil {
		return nil, err
	}
	if o.Spread == 0 {
		o.Spread = 3
	}
	if o.Random > mostRandom {
		return nil, fmt.Errorf("option Random is %d: want at most %d starts", o.Random, mostRandom)
	}
	if o.Random == 0 {
		o.Random = 8
	}
	o.Random = max(o.Random, 0)
	if o.MaxIterations == 0 {
		o.MaxIterations = 200
	}
	return &search{logf: logf, o: o, m: len(x0)}, nil
}

// value returns ln f(z). If ln f(z) is NaN, z is outside the domain of f, and value returns −Inf. If
// ln f(z) is +Inf, value also sets l.inf.
func (l *search) value(z []float64) float64 {
	v := l.logf(z)
	switch {
	case math.IsNaN(v):
		return math.Inf(-1)
	case math.IsInf(v, 1):
		l.inf = true
	}
	return v
}

// quadratic is a quadratic model of ln f(z + s·u) at u = 0. It consists of the gradient, and of the
// eigenvalues and eigenvectors of the curvature −∇∇ ln f.
type quadratic struct {
	g       []float64
	values  []float64 // eigenvalues of the curvature, in ascending order
	vectors *mat.Dense
}

// maxCurvature returns the largest absolute eigenvalue of the curvature.
func (h *quadratic) maxCurvature() float64 {
	return math.Max(math.Abs(h.values[0]), math.Abs(h.values[len(h.values)-1]))
}

// newtonStep returns the Newton step from u = 0 and the length of this step in standard deviations.
// It replaces each eigenvalue of the curvature with its absolute value, or with a lower limit if the
// absolute value is smaller.
func (h *quadratic) newtonStep() (d []float64, length float64) {
	n := len(h.g)
	d = make([]float64, n)
	// the second term limits the length of the step to 1000 units
	least := math.Max(flatCurvature*h.maxCurvature(), 1e-3*floats.Norm(h.g, 2))
	for k, λ := range h.values {
		c := math.Max(math.Abs(λ), least)
		if c == 0 {
			continue
		}
		v := mat.Col(nil, k, h.vectors)
		along := linalg.Dot(v, h.g)
		length += along * along / c
		floats.AddScaled(d, along/c, v)
	}
	return d, math.Sqrt(length)
}

// rescale sets the units s of the next differences to about a standard deviation, computed from the
// diagonal of the curvature. To compute this diagonal, it replaces each eigenvalue with the result of
// the function `size`. If an entry of the diagonal is not positive, the unit of this variable does
// not change.
func (h *quadratic) rescale(s, z []float64, size func(λ float64) float64) {
	for i := range s {
		var a float64
		for k, λ := range h.values {
			a += size(λ) * h.vectors.At(i, k) * h.vectors.At(i, k)
		}
		unit := 1 + math.Abs(z[i])
		if a > 0 {
			s[i] = math.Min(math.Max(s[i]/math.Sqrt(a), 1e-8*unit), 1e3*unit)
		}
	}
}

// pointAlong returns the point z + t·s·d, where s·d is the product entry by entry.
func pointAlong(z, s, d []float64, t float64) []float64 {
	w := slices.Clone(z)
	for i := range w {
		w[i] += t * s[i] * d[i]
	}
	return w
}

// startAt returns ln f at z, and the units of the first differences. The argument `outside` is the
// format of the error message for a point z at which f is 0 or NaN.
func (l *search) startAt(z []float64, outside string) (f float64, s []float64, err error) {
	f = l.value(z)
	switch {
	case l.inf && math.IsInf(f, 0):
		return 0, nil, errInfinite
	case math.IsInf(f, 0):
		return 0, nil, fmt.Errorf(outside, z, l.logf(z))
	}
	for _, v := range z {
		s = append(s, 0.1*(1+math.Abs(v)))
	}
	return f, s, nil
}

// searchFrom begins at a start and takes steps that increase ln f, until it reaches a mode.
func (l *search) searchFrom(start []float64) (*Mode, error) {
	z := slices.Clone(start)
	f, s, err := l.startAt(z, "ln f at the start %.4g is %v: start where f is positive")
	if err != nil {
		return nil, err
	}
	last := math.Inf(1)
	var reason string
	for range l.o.MaxIterations {
		h, err := l.quadraticAt(z, f, s)
		if err != nil {
			return nil, err
		}
		d, length := h.newtonStep()
		small := h.values[0] <= flatCurvature*h.maxCurvature()
		switch {
		case length <= nearStep && small:
			// The point z is stationary, but the curvature is not positive in every direction, so z
			// may not be a maximum. If ln f increases along v, the direction of the smallest
			// curvature, or along −v, leave z in this direction.
			v := mat.Col(nil, 0, h.vectors)
			if next, fn := l.leaveStationaryPoint(z, f, s, v); next != nil {
				z, f = next, fn
				last = math.Inf(1)
				continue
			}
			if h.maxCurvature() == 0 {
				return nil, fmt.Errorf("the curvature at %.6g is not positive definite but 0 in every direction: ln f has no maximum there (it is constant, or grows without end)", z)
			}
			return nil, fmt.Errorf("the curvature at %.6g is not positive definite: along %.3g it is %.3g of the largest curvature; Laplace's approximation needs a maximum that is curved in every direction (drop or fix a parameter, or add a prior)",
				z, direction(v, s), h.values[0]/h.maxCurvature())
		case length <= nearStep && length <= closing*last:
			return l.refine(z)
		}
		last = length
		next, fn := l.stepUphill(z, f, s, d, length)
		if l.inf {
			return nil, errInfinite
		}
		if next == nil {
			if length <= 1e-3 {
				return l.refine(z) // a further increase of ln f would be smaller than its rounding errors
			}
			return nil, fmt.Errorf("no step from %.6g raises ln f although its slope is not 0: the maximum is at an edge or a corner of f", z)
		}
		reason = fmt.Sprintf("at %.6g ln f is %.6g and still rises", next, fn)
		if floats.HasNaN(next) || floats.Norm(next, math.Inf(1)) > 1e150 {
			break
		}
		z, f = next, fn
		h.rescale(s, z, func(λ float64) float64 { return λ })
	}
	return nil, fmt.Errorf("no maximum within %d iterations: %s; f may grow without end, or have a maximum flatter than a parabola", l.o.MaxIterations, reason)
}

// stepUphill takes a step in the direction d. If the full step does not increase ln f enough (see
// `sufficient`), stepUphill halves the step until the increase is large enough. Otherwise stepUphill
// doubles the step as long as ln f increases further. It returns the new point and its ln f, or nil
// and f if no step increases ln f enough.
func (l *search) stepUphill(z []float64, f float64, s, d []float64, length float64) ([]float64, float64) {
	for t := 1.0; t > 1e-12; t /= 2 {
		w := pointAlong(z, s, d, t)
		fw := l.value(w)
		if !(fw > f+sufficient*t*length*length) {
			continue
		}
		for t2 := 2 * t; t == 1 && t2 < 1e9; t2 *= 2 {
			far := pointAlong(z, s, d, t2)
			ff := l.value(far)
			if !(ff > fw+sufficient*t2*length*length) {
				break
			}
			w, fw = far, ff
		}
		return w, fw
	}
	return nil, f
}

// leaveStationaryPoint starts at a stationary point that may not be a maximum. It evaluates ln f at
// points in the directions v and −v. It returns the point with the largest value, or nil if no value
// is clearly larger than f.
func (l *search) leaveStationaryPoint(z []float64, f float64, s, v []float64) (best []float64, fb float64) {
	fb = f + 1e-12*(1+math.Abs(f))
	for t := 1.0 / 64; t <= 64; t *= 2 {
		for _, sign := range []float64{1, -1} {
			w := pointAlong(z, s, v, sign*t)
			if fw := l.value(w); fw > fb {
				best, fb = w, fw
			}
		}
	}
	return best, fb
}
