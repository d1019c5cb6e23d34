// Package ex09 judges Alpaydin exercise 10.9: a discriminant that is linear in features of x and
// assigns an interval to one class.
package ex09

import (
	"cmp"
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of Alpaydin exercise 10.9 together. `features` returns the M features
// of x. `weights` returns the bias and M weights, or only M weights for a discriminant without a
// bias.
func Check(features func(x float64) []float64, weights func() []float64) *verify.Report {
	part := func(name string, judge func(d *discriminant) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Of: []string{"Features", "Weights"}, Judge: func() verify.Verdict {
			d := build(features, weights)
			if d.bad == nil {
				if v := judge(d); d.bad == nil {
					return v
				}
			}
			return *d.bad
		}}
	}
	i := ownInterval()
	return exercise.Judge(
		part("the numbers of features and weights agree, and all values are finite",
			func(d *discriminant) verify.Verdict { return judgeForm(d, weights) }),
		part(fmt.Sprintf("every x between %g and %g is assigned to C₁", i.from, i.to),
			func(d *discriminant) verify.Verdict {
				return checkGrid(d, true, fmt.Sprintf("g(x) > 0 at %%d points between %g and %g.", i.from, i.to))
			}),
		part("every x outside the interval, out to a distance of more than 20, is assigned to C₂", func(d *discriminant) verify.Verdict {
			return checkGrid(d, false, "g(x) ≤ 0 at %d points on both sides.")
		}),
		part(fmt.Sprintf("the class changes exactly at %g and at %g", i.from, i.to), judgeEdges),
		part("far from the interval, up to ±10⁶, the class is still C₂", judgeFar),
	)
}

// An interval contains the constants of the exercise: x belongs to class C₁ if it lies between the
// ends `from` and `to`. The ends, and their mean, are whole numbers.
type interval struct{ from, to float64 }

// The variable `common` is the interval in Alpaydin's book.
var common = interval{2, 4}

// intervalOf returns the interval that the seed n selects. The seed 0 selects the book's interval,
// and no other seed selects it. Both ends are positive, so that formulas need no brackets for
// negative numbers. The ends are at most 18, so that the grid, which begins at −20, also contains
// the mirror image of the interval about 0.
func intervalOf(n uint64) interval {
	if n == 0 {
		return common
	}
	return draw(seed.Source(n, 1009, 0))
}

func draw(r *rand.Rand) interval {
	for {
		from, half := float64(1+r.IntN(12)), float64(1+r.IntN(3))
		if i := (interval{from, from + 2*half}); i != common {
			return i
		}
	}
}

// ownInterval returns the interval for the seed of this program.
func ownInterval() interval { return intervalOf(seed.Get()) }

func (i interval) middle() float64 { return (i.from + i.to) / 2 }

// halfLength returns half the length of the interval.
func (i interval) halfLength() float64 { return (i.to - i.from) / 2 }

// contains reports whether x belongs to C₁. The ends of the interval belong to neither class.
func (i interval) contains(x float64) bool { return x > i.from && x < i.to }

// vary returns the texts that replace the placeholders of the exercise for the seed n: the ends of
// the interval, and numbers and words that depend on the ends.
func vary(n uint64) map[string]string {
	i := intervalOf(n)
	m, h := i.middle(), i.halfLength()
	text := func(v float64) string { return fmt.Sprintf("%g", v) }
	bump := "-1"
	if h != 1 {
		bump = fmt.Sprintf("-%g", h*h)
	}
	distance := "with the same weights"
	if h != 1 {
		distance = fmt.Sprintf("with $w_0=%g$, $w=-1$", h)
	}
	return map[string]string{
		"a": text(i.from), "b": text(i.to), "m": text(m),
		"below": text(i.from - 1), "above": text(i.to + 1), // a point on each side of the interval
		"left": text(i.from - 2), "right": text(i.to + 2), // the range of x in the plots
		"product": text(i.from * i.to), "sum": text(i.from + i.to), "halfSquared": text(h * h),
		"distance": distance, "bumpExponent": bump,
		// the wave sin{π(x − a)/width} is positive on the interval, and positive again for every x
		// between `again` and `until`
		"width": text(2 * h), "again": text(i.to + 2*h), "until": text(i.to + 4*h),
	}
}

// A discriminant is a function g(x) = w0 + wᵀφ(x) with the learner's features and weights.
type discriminant struct {
	features func(x float64) []float64
	all      []float64 // the weights in the order in which the learner returned them
	w        []float64 // one weight for each of the M features
	w0       float64
	bias     bool            // whether the learner returned one more weight than features
	bad      *verify.Verdict // the first fault that was found in the results
}

func (d *discriminant) fail(key string, hint int, format string, args ...any) {
	d.bad = cmp.Or(d.bad, judge.Fail(key, hint, format, args...))
}

// build calls both of the learner's functions. If there is one more weight than features, the first
// weight is the bias. build records a fault if a result is empty, if a weight is not finite, or if
// the number of weights is wrong for the number of features.
func build(features func(x float64) []float64, weights func() []float64) *discriminant {
	phi, w := features(ownInterval().middle()), slices.Clone(weights())
	m := len(phi)
	d := &discriminant{features: features, all: w}
	switch {
	case m == 0:
		d.fail("empty", 1, "Features returned no feature. A discriminant needs at least one feature of x.")
	case len(w) == 0:
		d.fail("empty", 2, "Weights returned no weight: want one weight for each of your %d features, and before them a bias, if you use one.",
			m)
	case len(w) == m+1:
		d.w0, d.w, d.bias = w[0], w[1:], true
	case len(w) == m:
		d.w = w
	default:
		d.fail("wrong-length", 2,
			"You returned %d features and %d weights. Return one weight per feature, with or without an additional weight for the bias.", m, len(w))
	}
	if i := slices.IndexFunc(w, notFinite); i >= 0 {
		d.fail("not-finite", 2, "Weight %d (counting from 0) is %g.", i, w[i])
	}
	return d
}

// value returns g(x). If Features returns a different number of features for x than for the middle of the interval,
// value records a fault and returns 0. It also records a fault if a feature is not finite, or if g(x) is NaN.
func (d *discriminant) value(x float64) float64 {
	phi := slices.Clone(d.features(x))
	if len(phi) != len(d.w) {
		d.fail("wrong-length", 2,
			"At x = %.4g you return %d features, but at x = %g you return %d. Return the same number of features for every x; a feature may be 0.", x, len(phi), ownInterval().middle(), len(d.w))
		return 0
	}
	if i := slices.IndexFunc(phi, notFinite); i >= 0 {
		d.fail("not-finite", 3,
			"At x = %.4g feature %d (counting from 0) is %g. An exponential may overflow, a logarithm needs a positive argument, and a denominator must not be 0. Low powers of x, such as x², are always finite here.", x, i, phi[i])
	}
	g := d.w0 + floats.Dot(d.w, phi)
	if math.IsNaN(g) {
		d.fail("not-finite", 2,
			"At x = %.4g the sum of weights times features is not a number, because it contains infinite terms with different signs. Use smaller weights.", x)
	}
	return g
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// gridReach returns the distance from the middle of the interval to each end of the grid. The left
// end of the grid is −20, and no interval extends beyond 18. The grid therefore also contains the
// mirror image of the interval about 0.
func gridReach() float64 { return 20 + ownInterval().middle() }

// grid returns points at equal distances of 0.01. It also returns the whole numbers between them,
// because a feature such as 1/|x − 3| is infinite at a whole number. It omits the ends of the
// interval.
func grid() []float64 {
	from, n := ownInterval().middle()-gridReach(), int(200*gridReach())
	var out []float64
	for i := range n {
		out = append(out, from+(float64(i)+0.5)/100)
		if whole := from + float64((i+1)/100); i%100 == 99 && whole != ownInterval().from && whole != ownInterval().to {
			out = append(out, whole)
		}
	}
	return out
}

func judgeForm(d *discriminant, weights func() []float64) verify.Verdict {
	if !slices.Equal(d.all, weights()) {
		return verify.Fail("not-constant", 0, "Two calls of Weights returned different numbers.")
	}
	for _, x := range append(grid(), 0, -1e3, 1e3, -1e6, 1e6) {
		if d.value(x) != d.value(x) {
			return verify.Fail("not-constant", 0, "Two calls of Features at x = %.4g returned different numbers.", x)
		}
	}
	if !d.bias {
		return verify.Pass("The numbers of weights and features agree (%d). Your weights define g(x) = Σ w_j φ_j(x), without a bias.", len(d.w))
	}
	return verify.Pass("The numbers of weights and features agree: a bias, and one weight for each of your %d features. Your weights define g(x) = w0 + Σ w_j φ_j(x).",
		len(d.w))
}

// checkGrid checks g at all points of the grid that belong to one class: to C₁ if `class` is true,
// and to C₂ otherwise. If g misclassifies a point, the verdict names the mistake if recogniseMistake
// recognises it. The string `pass` is the message for a right answer. In this string, %d stands for
// the number of points.
func checkGrid(d *discriminant, class bool, pass string) verify.Verdict {
	var wrong []float64
	total := 0
	for _, x := range grid() {
		if ownInterval().contains(x) == class {
			total++
			if d.value(x) > 0 != class {
				wrong = append(wrong, x)
			}
		}
	}
	if len(wrong) == 0 {
		return verify.Pass(pass, total)
	}
	side := "C₂, with g(x) ≤ 0"
	if !class {
		side = "C₁, with g(x) > 0"
	}
	return recogniseMistake(d,
		judge.Fail("misclassified", 2, "At %d of %d points, for example x = %.6g, your g assigns x to the wrong class, %s.", len(wrong), total,
			wrong[0], side))
}

// judgeEdges checks points close to the ends of the interval. It does not check the ends
// themselves, because they belong to neither class.
func judgeEdges(d *discriminant) verify.Verdict {
	i := ownInterval()
	for _, step := range []float64{1e-3, 1e-5, 1e-6} {
		for _, edge := range []float64{i.from, i.to} {
			for _, x := range []float64{edge - step, edge + step} {
				if d.value(x) > 0 != i.contains(x) {
					return recogniseMistake(d,
						judge.Fail("edge", 3,
							"Near %g the class does not change where it should: %.9g lies on the wrong side of your boundary, as if you had rounded the weights.", edge, x))
				}
			}
		}
	}
	return verify.Pass("The classes are right at distances down to 10⁻⁶ from %[1]g and %[2]g, on both sides. (The exercise does not assign %[1]g and %[2]g themselves to a class.)", i.from, i.to)
}

// judgeFar checks points at increasing distances from the interval, up to x = ±10⁶.
func judgeFar(d *discriminant) verify.Verdict {
	own, values := ownInterval(), map[float64]bool{}
	for c := 20.0; c < 1.003e6; c *= 1.003 {
		// one point on each side of the interval, within the range that the exercise states
		for _, x := range []float64{math.Max(-1e6, own.middle()-3-c), math.Min(1e6, own.middle()-3+c)} {
			g := d.value(x)
			if values[g] = true; g <= 0 {
				continue
			}
			far := judge.Fail("wrong-far-out", 3,
				"At x = %.3g your g is positive again. Far from the interval g must stay negative or 0. A higher power or a wave may change its sign there.", x)
			if right(d.value) {
				return *far
			}
			return recogniseMistake(d, far)
		}
	}
	for _, x := range grid() {
		values[d.value(x)] = true
	}
	if len(values) <= 4 {
		return verify.Pass("g(x) ≤ 0 at all tested points far from the interval, up to ±10⁶. Your g has only a few values, as if your features were indicator functions, which are allowed. Gradient descent cannot learn the positions of their steps, so you had to choose them. With smooth features, it can learn the boundaries.")
	}
	return verify.Pass("g(x) ≤ 0 at all tested points far from the interval, up to ±10⁶.")
}

// A stretch is a run of adjacent grid points at which g > 0. openLeft reports whether the stretch
// contains the first point of the grid, and openRight whether it contains the last point.
type stretch struct {
	from, to            float64
	openLeft, openRight bool
}

func stretches(d *discriminant, at []float64) []stretch {
	var out []stretch
	before := false
	for i, x := range at {
		positive := d.value(x) > 0
		if positive && !before {
			out = append(out, stretch{from: x - 0.005, openLeft: i == 0})
		}
		if positive {
			last := &out[len(out)-1]
			last.to, last.openRight = x+0.005, i == len(at)-1
		}
		before = positive
	}
	return out
}

// recogniseMistake returns the verdict on a wrong discriminant. It recognises known mistakes by the
// values of g, mostly by their signs on the grid. If it recognises no mistake, it returns the verdict
// `otherwise`. If a call of g records a fault, it may return this fault instead.
func recogniseMistake(d *discriminant, otherwise *verify.Verdict) verify.Verdict {
	at := grid()
	runs := stretches(d, at)
	if d.bad != nil {
		return *d.bad
	}
	if right(func(x float64) float64 { return -d.value(x) }) {
		return verify.Fail("class-flipped", 2,
			"Your g assigns every x to the wrong class: g has the wrong sign. The rule is C₁ where g(x) > 0.")
	}
	if m := len(d.w); d.bias && right(d.withWeights(d.all[m], d.all[:m])) {
		return verify.Fail("bias-last", 2,
			"With your last weight as the bias, every x gets the right class: return the bias first.")
	}
	if m := len(d.w); m <= 4 { // more than 4 weights have too many permutations to try
		for _, order := range combin.Permutations(m, m) {
			w := slices.Clone(d.w)
			for j, from := range order {
				w[j] = d.w[from]
			}
			if right(d.withWeights(d.w0, w)) && !slices.IsSorted(order) {
				return verify.Fail("weights-order", 3,
					"With your weights in a different order, every x gets the right class: return the weights in the order of the features, after the bias if you use one.")
			}
		}
	}
	if linear(d) {
		return verify.Fail("linear-in-x", 1,
			"Your g is linear in x itself: a straight line, which changes its sign once. Two boundaries need a g that bends; the features may bend, although g is linear in them.")
	}
	switch {
	case len(runs) == 0:
		return verify.Fail("never", 2, "Your g is nowhere positive between %.0f and %.0f: it assigns no x to C₁.", at[0],
			at[len(at)-1])
	case len(runs) > 1:
		return verify.Fail("several-intervals", 3,
			"Your g is positive on %d separate intervals between %.0f and %.0f, but it must be positive on only one. A wave or a higher power may change its sign too often.", len(runs), at[0], at[len(at)-1])
	case runs[0].openLeft && runs[0].openRight:
		return verify.Fail("always", 2, "Your g is positive everywhere between %.0f and %.0f: it assigns every x to C₁.",
			at[0], at[len(at)-1])
	case runs[0].openLeft || runs[0].openRight:
		return verify.Fail("one-boundary", 1,
			"Your g changes its sign once: one side of the axis is C₁, the other C₂. The interval has two ends.")
	}
	r := runs[0]
	centre, width := (r.from+r.to)/2-ownInterval().middle(), r.to-r.from-2*ownInterval().halfLength()
	where := "is positive for x between about %.2f and %.2f"
	switch {
	case math.Abs(centre) < 0.02 && math.Abs(width) < 0.03:
		return *otherwise // on this grid g is positive almost exactly on the interval, so name no mistake
	case math.Abs(width) < 0.03:
		return verify.Fail("centre-off", 2, "Your g "+where+": the width is right, but the middle is wrong.", r.from, r.to)
	case math.Abs(centre) < 0.02:
		return verify.Fail("width-off", 2, "Your g "+where+": the middle is right, but the width is wrong. Where is g zero?",
			r.from, r.to)
	}
	return verify.Fail("interval-off", 2, "Your g "+where+". Where is g zero?", r.from, r.to)
}

// right reports whether g assigns every point of the grid to the right class.
func right(g func(x float64) float64) bool {
	own := ownInterval()
	return !slices.ContainsFunc(grid(), func(x float64) bool { return (g(x) > 0) != own.contains(x) })
}

// withWeights returns the function g for the same features, with the bias w0 and the weights w. The function uses a
// copy of d, so it records no fault in the original d.
func (d discriminant) withWeights(w0 float64, w []float64) func(x float64) float64 {
	d.w0, d.w = w0, w
	return d.value
}

// linear reports whether g is a linear function of x and not constant.
func linear(d *discriminant) bool {
	var g [7]float64
	size := 0.0
	for i := range g {
		g[i] = d.value(-12 + 5.3*float64(i))
		size = math.Max(size, math.Abs(g[i]))
	}
	for i := 2; i < len(g); i++ {
		// This negated comparison is also true for NaN. So if ∞ − ∞ yields NaN, g counts as not
		// linear.
		if !(math.Abs(g[i]-2*g[i-1]+g[i-2]) <= 1e-9*size) {
			return false
		}
	}
	return math.Abs(g[1]-g[0]) > 1e-9*size
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParseVaried("exercises/alpaydin10/ex09", files, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
