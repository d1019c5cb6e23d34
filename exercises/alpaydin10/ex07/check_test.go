package ex07_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex07"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	stepsFunc   = func(X *mat.Dense, r []float64, eta, tol float64, limit int) int
	rescaleFunc = func(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64)
)

func checkSteps(f stepsFunc) *verify.Report     { return checkSigns(ex07.Check(f, Rescale)) }
func checkRescale(f rescaleFunc) *verify.Report { return checkSigns(ex07.Check(Steps, f)) }

var hyphen = regexp.MustCompile(`-([0-9]|Inf)`)

// checkSigns panics if a message contains a hyphen where a minus sign belongs.
func checkSigns(r *verify.Report) *verify.Report {
	for _, p := range r.Parts {
		if hyphen.MatchString(p.Message) {
			panic("a message contains a hyphen, want a minus sign in its place: " + p.Message)
		}
	}
	return r
}

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex07.Exercise(), gate.Of(checkSteps, Steps), gate.OfNew(checkRescale, Rescale))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkSteps, map[string]stepsFunc{
		"reference":          Steps,
		"hyperbolic tangent": twoclass.Descent{Residual: func(a, r float64) float64 { return 0.5 + 0.5*math.Tanh(a/2) - r }}.Steps,
	})
	gate.Rights(t, checkRescale, map[string]rescaleFunc{
		"reference":          Rescale,
		"deviation with N−1": byColumn(func(x []float64) (float64, float64) { return stat.MeanStdDev(x, nil) }),
		"to [0, 1]": byColumn(func(x []float64) (float64, float64) {
			return floats.Min(x),
				floats.Max(x) - floats.Min(x)
		}),
		"unit a power of 2": byColumn(func(x []float64) (float64, float64) {
			return stat.Mean(x, nil), math.Exp2(math.Round(math.Log2(stat.PopStdDev(x, nil))))
		}),
		"whitened":                 mixedInputs(whiteningMatrix),
		"constant columns dropped": mixedInputs(dropZeros),
	})
	gate.Variant(t, 8) // with seed 8 a descent needs 25 095 updates, more than with any other seed tested
	gate.Rights(t, checkSteps, map[string]stepsFunc{"many updates": Steps})
}

// byColumn is like byUnits, but its answers convert weights back correctly, and use the unit 1 for
// a constant column.
func byColumn(rule func(x []float64) (zero, unit float64)) rescaleFunc {
	return byUnits(func(x []float64) (float64, float64) {
		zero, unit := rule(x)
		if floats.Max(x)-floats.Min(x) <= 1e-10*math.Abs(floats.Max(x)) {
			unit = 1
		}
		return zero, unit
	}, right)
}

// The function `right` correctly converts weights back to the old units.
func right(w, zero, unit []float64) []float64 {
	v := dividedBy(w, unit)
	return append([]float64{w[0] - floats.Dot(v, zero)}, v...)
}

func dividedBy(w, unit []float64) []float64 {
	return floats.DivTo(make([]float64, len(unit)), w[1:], unit)
}

// mixedInputs returns an answer that multiplies the rescaled inputs by a matrix. The function `by`
// computes this matrix from the rescaled training inputs.
func mixedInputs(by func(train *mat.Dense) *mat.Dense) rescaleFunc {
	return func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
		a, b, back := Rescale(train, test)
		v := by(a)
		var a2, b2 mat.Dense
		a2.Mul(a, v)
		b2.Mul(b, v)
		return &a2, &b2, func(w []float64) []float64 {
			var old mat.VecDense
			old.MulVec(v, mat.NewVecDense(len(w)-1, slices.Clone(w[1:])))
			return back(append(w[:1:1], old.RawVector().Data...))
		}
	}
}

// whiteningMatrix returns a matrix that rotates the training inputs and scales them to variance 1,
// so that their covariance becomes the identity. It does not scale directions without spread.
func whiteningMatrix(train *mat.Dense) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(train, mat.SVDFull) // the inputs have mean 0, so V diagonalises their covariance
	n, d := train.Dims()
	spread := append(svd.Values(nil), make([]float64, d)...)
	var v mat.Dense
	svd.VTo(&v)
	v.Apply(func(_, j int, u float64) float64 {
		if sd := spread[j] / math.Sqrt(float64(n)); sd > 1e-6 {
			return u / sd
		}
		return u
	}, &v)
	return &v
}

// dropZeros returns a matrix that removes the columns of zeros, from which a model can learn
// nothing.
func dropZeros(train *mat.Dense) *mat.Dense {
	_, d := train.Dims()
	out, width := mat.NewDense(d, d, nil), 0
	for j := range d {
		if mat.Norm(train.ColView(j), 2) > 1e-9 {
			out.Set(j, width, 1)
			width++
		}
	}
	return mat.DenseCopyOf(out.Slice(0, d, 0, width))
}

// TestWrongSteps judges wrong answers that are not in the table of mistakes, and checks the keys of
// the verdicts.
func TestWrongSteps(t *testing.T) {
	after := func(f func(n, limit int) int) stepsFunc {
		return func(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
			return f(Steps(X, r, eta, tol, limit), limit)
		}
	}
	with := func(change func(eta, tol *float64, limit *int)) stepsFunc {
		return func(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
			change(&eta, &tol, &limit)
			return Steps(X, r, eta, tol, limit)
		}
	}
	calls := 0
	gate.Wrongs(t, ex07.Exercise(), checkSteps, map[string][]stepsFunc{
		"too-many": {with(func(eta, _ *float64, _ *int) { *eta /= 2 }),
			after(func(int, int) int { return math.MaxInt })},
		"too-few": {with(func(_, tol *float64, _ *int) { *tol *= 3 }), after(func(int, int) int { return 0 })},
		"never-arrives": {with(func(eta, _ *float64, limit *int) { *eta, *limit = *eta/2, min(10, *limit) }),
			after(func(int, int) int { return -1 })},
		"start":          {after(func(n, _ int) int { return max(n, min(1, n+1)) })},
		"tie":            {with(func(_, tol *float64, _ *int) { *tol = math.Nextafter(*tol, 0) })},
		"negative":       {after(func(int, int) int { return math.MinInt })},
		"max-for-never":  {after(func(n, limit int) int { return max(n, limit*min(1, -n)) })},
		"in-the-middle":  {after(func(n, _ int) int { return max(n+1, -1) }), after(func(int, int) int { return 7 })},
		"max-ignored":    {with(func(_, _ *float64, limit *int) { *limit = 20000 })},
		"max-too-strict": {with(func(_, _ *float64, limit *int) { *limit -= min(1, *limit) })},
		"diverges": {func(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
			for ; ; eta /= 2 { // in the run with limit 400, this answer halves η until the descent converges
				if s := Steps(X, r, eta, tol, limit); s >= 0 || limit != 400 {
					return s
				}
			}
		}},
		"wide": {twoclass.Descent{Residual: clippedResidual}.Steps},
		"no-growth": {
			func(X *mat.Dense, r []float64, _, tol float64, limit int) int {
				// this answer rescales the inputs, which acts like a separate learning factor for every weight
				z, _, _ := Rescale(X, X)
				n, _ := X.Dims()
				return Steps(z, r, 1/float64(n), tol, limit)
			},
			after(func(int, int) int { return -1 }),
			after(func(int, int) int { return 0 }),
		},
		"not-constant": {after(func(n, _ int) int { calls++; return n + calls })},
	})
}

// clippedResidual returns the residual. If the activation is beyond ±12, it replaces the output with
// exactly 0 or 1.
func clippedResidual(a, r float64) float64 {
	if math.Abs(a) > 12 {
		return math.Max(0, math.Copysign(1, a)) - r
	}
	return twoclass.Residual(a, r)
}

// TestWrongRescale judges wrong versions of Rescale, and checks the keys of the verdicts.
func TestWrongRescale(t *testing.T) {
	spoiled := func(spoil func(a, b *mat.Dense)) rescaleFunc {
		return func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, back := Rescale(train, test)
			spoil(a, b)
			return a, b, back
		}
	}
	same := func(f func(x *mat.Dense) *mat.Dense) rescaleFunc {
		return func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			return f(train), f(test), func(w []float64) []float64 { return append([]float64(nil), w...) }
		}
	}
	rows := func(f func(row []float64)) rescaleFunc {
		return same(func(x *mat.Dense) *mat.Dense {
			z := mat.DenseCopyOf(x)
			for t := range z.RawMatrix().Rows {
				f(z.RawRowView(t))
			}
			return z
		})
	}
	// back returns an answer that rescales the inputs by the right rule, and calls the function f
	// to convert weights to the old units.
	back := func(f func(w, mean, sd []float64) []float64) rescaleFunc {
		return byUnits(func(x []float64) (float64, float64) {
			_, unit := stat.PopMeanStdDev(x, nil)
			if unit <= 1e-10*math.Abs(x[0]) {
				unit = 1
			}
			return stat.Mean(x, nil), unit
		}, f)
	}
	constant := func(limit func(mean float64) float64) rescaleFunc { // a spread up to limit(mean) counts as 0
		return byUnits(func(x []float64) (float64, float64) {
			m, s := stat.PopMeanStdDev(x, nil)
			if s <= limit(m) {
				s = 1
			}
			return m, s
		}, right)
	}
	times := func(unit func(x []float64, sd float64) float64, centre float64) rescaleFunc {
		return byColumn(func(x []float64) (float64, float64) {
			m, s := stat.PopMeanStdDev(x, nil)
			return centre * m, unit(x, s)
		})
	}
	var weights []float64
	gate.Wrongs(t, ex07.Exercise(), checkRescale, map[string][]rescaleFunc{
		"leak": {func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			var both mat.Dense
			both.Stack(train, test)
			_, a, back := Rescale(&both, train)
			_, b, _ := Rescale(&both, test)
			return a, b, back
		}},
		"test-by-itself": {func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, _, back := Rescale(train, train)
			b, _, _ := Rescale(test, test)
			return a, b, back
		}},
		"not-one-rule": {
			func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
				a, _, back := Rescale(train, test)
				return a, mat.DenseCopyOf(test), back
			},
			spoiled(func(_, b *mat.Dense) { b.Set(0, 0, 1e9) }),
		},
		"rows-scaled": {
			rows(func(row []float64) { floats.Scale(1/floats.Norm(row, 2), row) }),
			rows(func(row []float64) {
				m, s := stat.PopMeanStdDev(row, nil)
				floats.AddConst(-m, row)
				floats.Scale(1/(s+1e-9), row)
			}),
		},
		"constant-column": {constant(func(float64) float64 { return -1 }),
			constant(func(mean float64) float64 { return 1e-12 * mean })},
		// this answer treats a column as constant only if its computed spread is exactly 0
		"constant-by-rounding": {byUnits(func(x []float64) (float64, float64) {
			mean := 0.0
			for _, v := range x {
				mean += v / float64(len(x))
			}
			floats.AddConst(-mean, x)
			if sd := math.Sqrt(floats.Dot(x, x) / float64(len(x))); sd > 0 {
				return mean, sd
			}
			return mean, 1
		}, right)},
		"unchanged": {same(func(x *mat.Dense) *mat.Dense { return mat.DenseCopyOf(x) }),
			same(func(x *mat.Dense) *mat.Dense { return x })},
		"not-new": {same(func(x *mat.Dense) *mat.Dense { return x })},
		"not-scaled": {
			times(func([]float64, float64) float64 { return 1 }, 1),
			times(func(_ []float64, sd float64) float64 { return sd * sd }, 1),
			constant(math.Abs), // this answer treats a spread up to |mean| as 0
			func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
				return byUnits(func(x []float64) (float64, float64) { return stat.Mean(x, nil), mat.Max(train) },
					right)(train, test)
			},
		},
		"absolute-threshold": {
			constant(func(float64) float64 { return 1e-12 }), constant(func(float64) float64 { return 1e-6 }),
			constant(func(mean float64) float64 { return 1e-12 / math.Abs(mean) }),
			byUnits(func(x []float64) (float64, float64) { m, s := stat.PopMeanStdDev(x, nil); return m, s + 1e-6 },
				right),
			func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
				return constant(func(float64) float64 {
					return 1e-9 * math.Max(mat.Max(train),
						-mat.Min(train))
				})(train, test)
			},
		},
		"not-centred": {times(func(_ []float64, sd float64) float64 { return sd }, 0),
			times(func(x []float64, _ float64) float64 { return floats.Norm(x, 2) }, 0)},
		"other-unit": {times(func(_ []float64, sd float64) float64 { return 1000 * sd }, 1)},
		"badly-conditioned": {spoiled(func(a, b *mat.Dense) {
			for _, x := range []*mat.Dense{a, b} { // this answer makes the first and the last column nearly equal
				n, d := x.Dims()
				for t := range n {
					x.Set(t, d-1, x.At(t, 0)+0.01*x.At(t, d-1))
				}
			}
		})},
		"back-identity": {back(func(w, _, _ []float64) []float64 { return w })},
		"back-bias-forgotten": {back(func(w, _, sd []float64) []float64 {
			return append([]float64{w[0]},
				dividedBy(w, sd)...)
		})},
		"back-bias": {
			back(func(w, mean, sd []float64) []float64 {
				return append([]float64{w[0] + floats.Dot(dividedBy(w, sd), mean)}, dividedBy(w, sd)...)
			}),
			back(func(w, mean, sd []float64) []float64 {
				return append([]float64{w[0] - floats.Dot(w[1:], mean)}, dividedBy(w, sd)...)
			}),
		},
		"back-weights": {
			back(func(w, mean, sd []float64) []float64 {
				v := floats.MulTo(make([]float64, len(sd)), w[1:], sd)
				return append([]float64{w[0] - floats.Dot(v, mean)}, v...)
			}),
		},
		"back-not-new": {func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, back := Rescale(train, test)
			return a, b, func(w []float64) []float64 { weights = append(weights[:0], back(w)...); return weights }
		}},
		"wrong-length": {back(func(w, _, sd []float64) []float64 { return dividedBy(w, sd) })},
		"empty":        {back(func(_, _, _ []float64) []float64 { return nil })},
		"not-finite": {back(func(w, _, _ []float64) []float64 {
			return slices.Repeat([]float64{math.NaN()},
				len(w))
		})},
		"mutates-inputs": {
			back(func(w, _, sd []float64) []float64 { floats.Div(w[1:], sd); w[0]++; return w }),
		},
		"no-back": {func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, _ := Rescale(train, test)
			return a, b, nil
		}},
	})
}

// byUnits returns an answer that replaces every entry x with (x − zero)/unit. The function `rule`
// computes zero and unit from a training column, and `back` converts weights to the old units.
func byUnits(rule func(x []float64) (zero, unit float64), back func(w, zero, unit []float64) []float64) rescaleFunc {
	return func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
		_, d := train.Dims()
		zero, unit := make([]float64, d), make([]float64, d)
		for j := range d {
			zero[j], unit[j] = rule(mat.Col(nil, j, train))
		}
		apply := func(x *mat.Dense) *mat.Dense {
			z := mat.DenseCopyOf(x)
			z.Apply(func(_, j int, v float64) float64 { return (v - zero[j]) / unit[j] }, z)
			return z
		}
		return apply(train), apply(test), func(w []float64) []float64 { return back(w, zero, unit) }
	}
}

func ExampleCheck() {
	centred := byUnits(func(x []float64) (float64, float64) { return stat.Mean(x, nil), 1 }, right)
	fmt.Println(ex07.Check(Steps, centred).Parts[7].Key)
	// Output: not-scaled
}

// TestSafeLearningFactor checks the safe learning factor that the exercise states. Let S be the sum of the squares of
// all inputs, including the 1 of the bias, and h_max the largest eigenvalue of the Hessian. Every factor below 2/h_max
// is safe. h_max is at most S/4 for all weights, so 2/h_max ≥ 8/S. The stated factor 4/S is therefore safe, but it is
// not the largest safe factor.
func TestSafeLearningFactor(t *testing.T) {
	const n = 40
	r := rand.New(rand.NewPCG(10, 7))
	for _, ratio := range []float64{1, 5, 30} {
		X := mat.NewDense(n, 3, nil)
		for i := range n {
			X.SetRow(i,
				[]float64{1, math.Sqrt2 * math.Sin(float64(7*i)), ratio * math.Sqrt2 * math.Cos(float64(11*i*i))})
		}
		sum := math.Pow(mat.Norm(X, 2), 2)
		for again := range 21 {
			w := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64() / ratio}
			floats.Scale(float64(min(again, 1)), w) // start with w = 0, where the Hessian is largest
			h := mat.NewSymDense(3, twoclass.Logistic.Hessian(twoclass.Problem{Phi: X, T: make([]float64, n), W: w}))
			var e mat.EigenSym
			e.Factorize(h, false)
			bound := 2 / e.Values(nil)[2]
			if !(8/sum <= bound) || again == 0 && !(4/sum < 0.6*bound) {
				t.Errorf("scales in the ratio %g, w = %.2g: got 2/h_max = %g, want at least 8/S = %g",
					ratio, w, bound, 8/sum)
			}
		}
	}
}

/*
Equivalent mutants

Rescale: scale[j] = 1 → scale[j] = -1
Rescale: scale[j] = 1 → scale[j] = 2
Rescale: scale[j] = 1 → scale[j] = 0.5
    This is the scale of a column that is constant in train. In the new units the column is 0 for any scale, so nothing is learned from it, and `back` divides by the same number.
*/
