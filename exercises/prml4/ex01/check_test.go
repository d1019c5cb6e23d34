package ex01_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex01"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	separator = func(x, y *mat.Dense) ([]float64, float64, bool)
	finder    = func(x, y *mat.Dense) ([]float64, []float64, bool)
)

func checkPlane(f separator) *verify.Report { return ex01.Check(f, CommonPoint) }
func checkPoint(f finder) *verify.Report    { return ex01.Check(Separate, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex01.Exercise(), gate.Of(checkPlane, Separate, "not-constant"),
		gate.Of(checkPoint, CommonPoint, "not-constant"))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkPlane, map[string]separator{
		"reference": Separate,
		"nearest points of the hulls, by exchanging weights": func(x, y *mat.Dense) ([]float64, float64, bool) {
			_, _, w, meet := nearestWeights(x, y, 400_000)
			w0, _ := midwayBias(x, y, w)
			return w, w0, !meet
		},
		"scaled, with a random bias between the sets": func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, _, ok := Separate(x, y)
			if !ok {
				return make([]float64, 3), math.NaN(), false
			}
			floats.Scale(1e-4, w)
			low, high := sides(x, y, w)
			u := 0.1 + 0.8*rand.Float64()
			return w, -(u*low + (1-u)*high), true
		},
	})
	gate.Rights(t, checkPoint, map[string]finder{
		"reference": CommonPoint,
		"nearest points of the hulls, by exchanging weights": func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, _, meet := nearestWeights(x, y, 400_000)
			return alpha, beta, meet
		},
	})
}

// spread returns the largest distance between two points, and reach returns the largest absolute
// coordinate.
func spread(x, y *mat.Dense) float64 { return instance.Diameter(x, y) }

func reach(x, y *mat.Dense) float64 { return max(mat.Max(x), -mat.Min(x), mat.Max(y), -mat.Min(y)) }

// nearestWeights searches for the nearest points of the two hulls. It returns the weights of the two
// points that it finds, and the vector v from the second point to the first. During the search, v
// approaches the point nearest to 0 in the hull of all differences x − y. The search ends as soon as v
// clearly separates the two sets or is almost 0, so the two points need not be the nearest ones.
//
// The best difference has the smallest product with v. The worst difference has the largest product
// among the differences with a positive weight. Each step moves weight either away from the worst
// difference or to the best difference. Among all these moves the step makes the one that shortens
// v most. (A search that always moves weight from the worst to the best difference can need
// millions of steps.) The search takes at most `most` steps. The result `meet` reports whether v is
// almost 0, which means that the hulls meet.
func nearestWeights(x, y *mat.Dense, most int) (alpha, beta, v []float64, meet bool) {
	n, d := x.Dims()
	m, _ := y.Dims()
	z, weights, size := mat.NewDense(n*m, d, nil), make([]float64, n*m), spread(x, y)
	for i := range weights {
		z.SetRow(i, instance.Minus(x.RawRowView(i/m), y.RawRowView(i%m)))
	}
	weights[0], v = 1, mat.Row(nil, 0, z)
	for range most { // most pairs need few steps, but a pair with a narrow gap can need many
		h := instance.Activations(z, v)
		if length := floats.Norm(v, 2); floats.Min(h) > 2e-5*size*length || length <= 5e-6*size {
			break
		}
		worst, best := slices.IndexFunc(weights, func(a float64) bool { return a > 0 }), floats.MinIdx(h)
		for i, a := range weights {
			if a > 0 && h[i] > h[worst] {
				worst = i
			}
		}
		var from, to int
		var share, gain float64 // `share` is the weight that a move transfers, and `gain` is the decrease of |v|²
		for k := range weights {
			for _, move := range [][2]int{{worst, k}, {k, best}} {
				i, j := move[0], move[1]
				square := math.Pow(floats.Distance(z.RawRowView(i), z.RawRowView(j), 2), 2)
				t := math.Min(weights[i], (h[i]-h[j])/square)
				if g := t * (2*(h[i]-h[j]) - t*square); t > 0 && g > gain {
					from, to, share, gain = i, j, t, g
				}
			}
		}
		weights[from] -= share
		weights[to] += share
		floats.AddScaled(v, share, instance.Minus(z.RawRowView(to), z.RawRowView(from)))
	}
	alpha, beta = make([]float64, n), make([]float64, m)
	for i, a := range weights {
		alpha[i/m] += a
		beta[i%m] += a
	}
	// the search stops before v is exactly 0, so this comparison needs a tolerance
	return alpha, beta, v, floats.Norm(v, 2) <= 1e-5*size
}

// sides returns the least value of wᵀx over the points of x and the largest value of wᵀy over the
// points of y.
func sides(x, y *mat.Dense, w []float64) (low, high float64) {
	return slices.Min(instance.Activations(x, w)), slices.Max(instance.Activations(y, w))
}

// midwayBias returns the bias w0 that puts the hyperplane midway between the projected sets. `ok`
// reports whether w and w0 separate the sets.
func midwayBias(x, y *mat.Dense, w []float64) (w0 float64, ok bool) {
	low, high := sides(x, y, w)
	w0 = -(low + high) / 2
	return w0, low+w0 > 0 && high+w0 < 0
}

// betweenMeans always returns the hyperplane midway between the means, at right angles to
// the line that joins them.
func betweenMeans(x, y *mat.Dense) ([]float64, float64, bool) {
	m1, m2 := instance.Mean(x), instance.Mean(y)
	w := instance.Minus(m1, m2)
	return w, -(floats.Dot(w, m1) + floats.Dot(w, m2)) / 2, true
}

// gap returns the width of the gap between the sets in the direction w that Separate returns, or 0
// if the hulls meet.
func gap(x, y *mat.Dense) float64 {
	w, _, ok := Separate(x, y)
	if !ok {
		return 0
	}
	// subtracting a point avoids rounding errors in the products for coordinates far from the
	// origin
	first := x.RawRowView(0)
	low, high := sides(instance.Centred(x, first), instance.Centred(y, first), w)
	return (low - high) / floats.Norm(w, 2)
}

// found contains the arguments and the results of one call of Separate or CommonPoint.
type found struct {
	x, y           *mat.Dense
	w, alpha, beta []float64
	w0             float64
	ok             bool
}

// mismatch returns the distance between the weighted sums of x and y.
func (a *found) mismatch() float64 {
	return floats.Distance(instance.Combination(a.x, a.alpha), instance.Combination(a.y, a.beta), 2)
}

// changedSeparate returns an answer that calls Separate. If the result `ok` of Separate equals the
// argument `where`, the answer calls the function `change`, which may change all results.
func changedSeparate(where bool, change func(a *found)) separator {
	return func(x, y *mat.Dense) ([]float64, float64, bool) {
		a := &found{x: x, y: y}
		if a.w, a.w0, a.ok = Separate(x, y); a.ok == where {
			change(a)
		}
		return a.w, a.w0, a.ok
	}
}

// changedCommonPoint returns an answer that calls CommonPoint. If the result `ok` of CommonPoint
// equals the argument `where`, the answer calls the function `change`, which may change all results.
func changedCommonPoint(where bool, change func(a *found)) finder {
	return func(x, y *mat.Dense) ([]float64, []float64, bool) {
		a := &found{x: x, y: y}
		if a.alpha, a.beta, a.ok = CommonPoint(x, y); a.ok == where {
			change(a)
		}
		return a.alpha, a.beta, a.ok
	}
}

func one(_, _ *mat.Dense) float64 { return 1 }

// equalWeights returns the same weight for each point.
func equalWeights(x *mat.Dense) []float64 {
	return slices.Repeat([]float64{1 / float64(x.RawMatrix().Rows)}, x.RawMatrix().Rows)
}

// TestWrongSeparate checks wrong answers that are not in the tables of mistakes in check.go. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrongSeparate(t *testing.T) {
	// touchingBelow returns a wrong answer for Separate. The answer claims that the hulls touch if
	// the gap is at most tol·unit(x, y).
	touchingBelow := func(tol float64, unit func(x, y *mat.Dense) float64) separator {
		return changedSeparate(true, func(a *found) { a.ok = gap(a.x, a.y) > tol*unit(a.x, a.y) })
	}
	gate.Wrongs(t, ex01.Exercise(), checkPlane, map[string][]separator{
		"always-ok": {betweenMeans},
		"not-separating": {betweenMeans,
			changedSeparate(true, func(a *found) { clear(a.w); a.w[0], a.w0 = math.MaxFloat64, -math.MaxFloat64 })},
		"gives-up": {touchingBelow(2e-4, spread)},
		"missed": {func(x, y *mat.Dense) ([]float64, float64, bool) {
			// this answer tries only the direction between the means
			w, _, _ := betweenMeans(x, y)
			w0, ok := midwayBias(x, y, w)
			return w, w0, ok
		}},
		"non-strict": {changedSeparate(false, func(a *found) { // if the sets only touch, this answer moves them slightly apart
			for _, hair := range [][]float64{{-1, 0}, {0, -1}, {-1, -1}, {1, 0}, {0, 1}} {
				if _, d := a.x.Dims(); d == 2 && !a.ok {
					floats.Scale(1e-6*spread(a.x, a.y), hair)
					a.w, a.w0, a.ok = Separate(a.x, instance.Centred(a.y, hair))
				}
			}
		}), changedSeparate(true, func(a *found) { // this answer returns a hyperplane that passes through a point of x
			low, _ := sides(a.x, a.y, a.w)
			a.w0 = -low
		})},
		"absolute-threshold": {touchingBelow(1e-6, one), changedSeparate(false, func(a *found) {
			a.w, a.w0, _ = betweenMeans(a.x, a.y)
			a.alpha, a.beta, _ = CommonPoint(a.x, a.y)
			a.ok = a.mismatch() > 1e-12
		})},
		"far-from-origin": {touchingBelow(1e-6, reach)},
		"false-plane": {changedSeparate(false, func(a *found) { // this answer tests the inequality only for the points of x
			a.w, a.w0, _ = betweenMeans(a.x, a.y)
			low, _ := sides(a.x, a.y, a.w)
			a.ok = low+a.w0 > 0
		})},
		"sides-swapped": {changedSeparate(true, func(a *found) { floats.Scale(-1, a.w); a.w0 = -a.w0 }),
			changedSeparate(true, func(a *found) { floats.Scale(-1, a.w) })},
		"bias-off": {changedSeparate(true, func(a *found) { a.w0 = 0 }), changedSeparate(true, func(a *found) { a.w0 = -a.w0 })},
		"zero-w":   {changedSeparate(true, func(a *found) { clear(a.w); a.w0 = 1 })},
		"neither":  {func(_, _ *mat.Dense) ([]float64, float64, bool) { return nil, 0, false }},
		"both":     {changedSeparate(false, func(a *found) { a.w, a.w0, a.ok = betweenMeans(a.x, a.y) })},
	})
}

// TestWrongCommonPoint checks wrong answers that are not in the tables of mistakes in check.go. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrongCommonPoint(t *testing.T) {
	// meetingBelow returns a wrong answer for CommonPoint. The answer claims that the hulls meet if
	// the gap is less than tol·unit(x, y).
	meetingBelow := func(tol float64, unit func(x, y *mat.Dense) float64) finder {
		return changedCommonPoint(false,
			func(a *found) {
				a.alpha, a.beta, a.ok = equalWeights(a.x), equalWeights(a.y), gap(a.x, a.y) < tol*unit(a.x, a.y)
			})
	}
	tooLong := changedCommonPoint(true, func(a *found) { a.alpha = append(a.alpha, 0) })
	gate.Wrongs(t, ex01.Exercise(), checkPoint, map[string][]finder{
		"means": {func(x, y *mat.Dense) ([]float64, []float64, bool) { return equalWeights(x), equalWeights(y), true }},
		"negative-weights": {func(x, y *mat.Dense) ([]float64, []float64, bool) {
			// this answer also accepts negative weights
			p := problemOf(x, y)
			z := gauss.Solve(p.A, p.b.RawVector().Data)
			miss := floats.Distance(gauss.Times(p.A, z), p.b.RawVector().Data, 2)
			return z[:x.RawMatrix().Rows], z[x.RawMatrix().Rows:], miss < 1e-9
		}},
		"weights-sum": {changedCommonPoint(true, func(a *found) { floats.Scale(2, a.alpha); floats.Scale(2, a.beta) }),
			changedCommonPoint(true, func(a *found) { a.beta[0] += 1e-3 }),
			changedCommonPoint(true, func(a *found) { a.alpha[0] = math.MaxFloat64 })},
		"zero-weights":    {changedCommonPoint(true, func(a *found) { clear(a.alpha); clear(a.beta) })},
		"touching-missed": {changedCommonPoint(true, func(a *found) { a.ok = meetAfterMove(a.x, a.y) })},
		"missed": {changedCommonPoint(true, func(a *found) { // this answer looks for a common point only among the given points
			a.ok = false
			for i := range a.alpha {
				for j := range a.beta {
					a.ok = a.ok || floats.Equal(a.x.RawRowView(i), a.y.RawRowView(j))
				}
			}
		}), func(x, y *mat.Dense) ([]float64, []float64, bool) {
			// this answer stops after four steps, although problems in five dimensions need at least
			// five steps
			alpha, beta, _, meet := nearestWeights(x, y, 4)
			return alpha, beta, meet
		}},
		"not-common": {changedCommonPoint(true, func(a *found) {
			if best := floats.MaxIdx(a.alpha); len(a.alpha) > 1 {
				a.alpha[best] -= 0.1
				a.alpha[(best+1)%len(a.alpha)] += 0.1
			}
		})},
		"tolerance":          {meetingBelow(2e-4, spread)},
		"far-from-origin":    {meetingBelow(1e-6, reach)},
		"absolute-threshold": {meetingBelow(1e-6, one), changedCommonPoint(true, func(a *found) { a.ok = a.mismatch() <= 1e-12 })},
		"false-point": {changedCommonPoint(false,
			func(a *found) {
				a.alpha, a.beta, a.ok = equalWeights(a.x), equalWeights(a.y), a.x.RawMatrix().Rows == 25
			})},
		"weights-swapped": {changedCommonPoint(true, func(a *found) { a.alpha, a.beta = a.beta, a.alpha })},
		"points-for-weights": {changedCommonPoint(true, func(a *found) {
			_, d := a.x.Dims()
			a.alpha, a.beta = make([]float64, d), make([]float64, d)
		})},
		"no-weights": {tooLong},
	})
}

// meetAfterMove moves y by 1e-4·spread along each axis, in both directions. It reports whether the
// hulls still meet after every one of these moves.
func meetAfterMove(x, y *mat.Dense) bool {
	_, d := x.Dims()
	for i := range 2 * d {
		move := make([]float64, d)
		move[i/2] = 1e-4 * spread(x, y) * float64(2*(i%2)-1)
		if _, _, ok := CommonPoint(x, instance.Centred(y, move)); !ok {
			return false
		}
	}
	return true
}

// TestPromise checks that every separable pair has at least the smallest gap that the statement
// allows. It also checks that some gaps are close to this limit, and that some pairs lie far from
// the origin.
func TestPromise(t *testing.T) {
	hardly, far := 0, 0
	ex01.Check(changedSeparate(true, func(a *found) {
		switch width := gap(a.x, a.y) / instance.Diameter(a.x, a.y); {
		case width < 1e-4:
			t.Errorf("the gap is %g times the largest distance between two points, want at least 1e-4", width)
		case width < 1.1e-4:
			hardly++
		}
		if reach(a.x, a.y) > 1e6*spread(a.x, a.y) {
			far++
		}
	}), CommonPoint)
	if hardly == 0 || far == 0 {
		t.Errorf("got %d gaps close to the smallest allowed gap and %d pairs far from the origin, want at least one of each", hardly, far)
	}
}

// TestSwappedAnswers checks two functions that return the opposite of the right ok: each one claims a
// hyperplane or a point that does not exist, and misses one that does.
func TestSwappedAnswers(t *testing.T) {
	r := ex01.Check(func(x, y *mat.Dense) ([]float64, float64, bool) {
		_, _, ok := Separate(x, y)
		return nil, 0, !ok
	}, func(x, y *mat.Dense) ([]float64, []float64, bool) {
		_, _, ok := CommonPoint(x, y)
		return nil, nil, !ok
	})
	gate.Wrong(t, ex01.Exercise(), r, "missed")
}

// TestGapOfInfiniteSets checks points of the infinite sets {y ≥ 1/x, x > 0} and {y ≤ 0} in the
// exercise text. Three points of the first set, with x from 1/n to n, are separable from two points
// of the second set, with a gap of at most 1/n.
func TestGapOfInfiniteSets(t *testing.T) {
	for _, n := range []float64{2, 5, 20} {
		above := mat.NewDense(3, 2, []float64{1 / n, n, 1, 1, n, 1 / n})
		below := mat.NewDense(2, 2, []float64{-n, 0, 3 * n, 0})
		if width := gap(above, below); !(width > 0) || width > 1/n+1e-9 {
			t.Errorf("n = %g: the gap is %g, want above 0 and at most 1/n", n, width)
		}
	}
}

func ExampleCheck() {
	fmt.Println(checkPlane(changedSeparate(true, func(a *found) { a.w0 = 0 })).Parts[1].Key) // no bias
	// Output: bias-off
}

/*
Equivalent mutants

Separate: if mat.Norm(r, 2) < 1e-7 → if mat.Norm(r, 1) < 1e-7
Separate: if mat.Norm(r, 2) < 1e-7 → if mat.Norm(r, 2) <= 1e-7
CommonPoint: if mat.Norm(r, 2) >= 1e-7 → if mat.Norm(r, 1) >= 1e-7
CommonPoint: if mat.Norm(r, 2) >= 1e-7 → if mat.Norm(r, 2) > 1e-7
    If the hulls meet, r consists of rounding errors, about 1e-15. Otherwise the promised gap keeps r above 1e-5,
    whatever the unit, because the points are divided by p.scale. 1e-7 is far from both. The norms differ by a factor of at most √(D+2).

Separate: return nil, 0, false → return nil, 1, false
    If ok is false, w0 may be any number.

problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = -mat.Norm(&all, math.Inf(1))
problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = 2*mat.Norm(&all, math.Inf(1))
problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = mat.Norm(&all, math.Inf(1))/2
    Any unit that is proportional to the size of the points is right. The weights of a common point do not depend on the unit,
    and w is divided by the same unit: with z = (x − centre)/scale, −r·z is wᵀ(x − centre), even for a negative scale.

problemOf: p.scale = 1 → p.scale = -1
problemOf: p.scale = 1 → p.scale = 2
problemOf: p.scale = 1 → p.scale = 0.5
    All points are the same here, so every coordinate is 0 in any unit.
*/
