package ex01_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
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
	gate.Known(t, ex01.Exercise())
	gate.Function(t, ex01.Exercise(), checkPlane, Separate, "not-constant") // any certificate will do
	gate.Function(t, ex01.Exercise(), checkPoint, CommonPoint, "not-constant")
}

func TestRight(t *testing.T) {
	const tol = 1e-5 // of the largest coordinate: an iterative search stops before it is exact
	gate.Rights(t, checkPlane, map[string]separator{
		"reference": Separate,
		"nearest points of the hulls, by exchanging weights": func(x, y *mat.Dense) ([]float64, float64, bool) {
			centre := mean(x)
			x, y = around(x, centre), around(y, centre)
			_, _, p, q := nearest(x, y)
			w := floats.SubTo(make([]float64, len(p)), p, q)
			w0, _ := between(x, y, w)
			return w, w0 - floats.Dot(w, centre), floats.Norm(w, 2) > tol*reach(x, y)
		},
		"scaled and pushed, by another amount each time": func(x, y *mat.Dense) ([]float64, float64, bool) {
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
			centre := mean(x)
			x, y = around(x, centre), around(y, centre)
			alpha, beta, p, q := nearest(x, y)
			return alpha, beta, floats.Distance(p, q, 2) <= tol*reach(x, y)
		},
		"y taken for x": func(x, y *mat.Dense) ([]float64, []float64, bool) {
			beta, alpha, ok := CommonPoint(y, x)
			return alpha, beta, ok
		},
	})
}

// around are the points seen from the centre.
func around(x *mat.Dense, centre []float64) *mat.Dense {
	out := mat.DenseCopyOf(x)
	for i := range out.RawMatrix().Rows {
		floats.Sub(out.RawRowView(i), centre)
	}
	return out
}

// spread is the largest coordinate of the points, seen from the mean of x.
func spread(x, y *mat.Dense) float64 {
	centre := mean(x)
	return reach(around(x, centre), around(y, centre))
}

func reach(x, y *mat.Dense) float64 {
	return math.Max(math.Max(mat.Max(x), -mat.Min(x)), math.Max(mat.Max(y), -mat.Min(y)))
}

// nearest finds the nearest points p, q of the two hulls: weight moves from the
// worst point that has some to the best one, as far as it helps.
func nearest(x, y *mat.Dense) (alpha, beta, p, q []float64) { return exchanged(x, y, 400_000) }

func exchanged(x, y *mat.Dense, most int) (alpha, beta, p, q []float64) {
	_, d := x.Dims()
	alpha, beta = even(x.RawMatrix().Rows), even(y.RawMatrix().Rows)
	p, q = mixture(x, alpha), mixture(y, beta)
	exchange := func(m *mat.Dense, weights, point, other []float64) {
		v := floats.SubTo(make([]float64, d), point, other)
		from, to := -1, -1
		high, low := math.Inf(-1), math.Inf(1)
		for i, a := range weights {
			h := floats.Dot(v, m.RawRowView(i))
			if a > 0 && h > high {
				from, high = i, h
			}
			if h < low {
				to, low = i, h
			}
		}
		step := floats.SubTo(make([]float64, d), m.RawRowView(to), m.RawRowView(from))
		length := floats.Dot(step, step)
		if from == to || length == 0 {
			return
		}
		t := math.Min(weights[from], math.Max(0, -floats.Dot(v, step)/length))
		weights[from] -= t
		weights[to] += t
		floats.AddScaled(point, t, step)
	}
	scale := reach(x, y)
	for n := range most { // a narrow gap may ask for many, most pairs for few
		exchange(x, alpha, p, q)
		exchange(y, beta, q, p)
		if n%200 == 0 && (n >= 20_000 && parted(x, y, p, q) || floats.Distance(p, q, 2) < 1e-13*scale) {
			break
		}
	}
	return alpha, beta, p, q
}

// sides are the least wᵀx and the largest wᵀy.
func sides(x, y *mat.Dense, w []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range x.RawMatrix().Rows {
		low = math.Min(low, floats.Dot(w, x.RawRowView(i)))
	}
	for i := range y.RawMatrix().Rows {
		high = math.Max(high, floats.Dot(w, y.RawRowView(i)))
	}
	return low, high
}

// between is the bias midway between the sides, and whether it separates.
func between(x, y *mat.Dense, w []float64) (w0 float64, ok bool) {
	low, high := sides(x, y, w)
	w0 = -(low + high) / 2
	return w0, low+w0 > 0 && high+w0 < 0
}

// parted reports whether p − q is the normal of a plane between the hulls, and not
// only because of rounding.
func parted(x, y *mat.Dense, p, q []float64) bool {
	v := floats.SubTo(make([]float64, len(p)), p, q)
	low, high := sides(x, y, v)
	return low-high > 2e-5*reach(x, y)*floats.Norm(v, 2)
}

func mean(m *mat.Dense) []float64 { return mixture(m, even(m.RawMatrix().Rows)) }

// mixture is Σ weights_n m_n.
func mixture(m *mat.Dense, weights []float64) []float64 {
	out := make([]float64, m.RawMatrix().Cols)
	for i, a := range weights {
		floats.AddScaled(out, a, m.RawRowView(i))
	}
	return out
}

// betweenMeans is the hyperplane midway between the means, at right angles to the
// line that joins them.
func betweenMeans(x, y *mat.Dense) ([]float64, float64) {
	m1, m2 := mean(x), mean(y)
	w := floats.SubTo(make([]float64, len(m1)), m1, m2)
	return w, -(floats.Dot(w, m1) + floats.Dot(w, m2)) / 2
}

// gap is the room between the sets along the reference's w, 0 where they meet.
func gap(x, y *mat.Dense) float64 {
	w, _, ok := Separate(x, y)
	if !ok {
		return 0
	}
	width := math.Inf(1)
	for i := range x.RawMatrix().Rows {
		for k := range y.RawMatrix().Rows {
			v := floats.SubTo(make([]float64, len(w)), x.RawRowView(i), y.RawRowView(k))
			width = math.Min(width, floats.Dot(w, v)/floats.Norm(w, 2))
		}
	}
	return width
}

// apart is how far the reference's weights make two points of one common point.
func apart(x, y *mat.Dense) float64 {
	alpha, beta, ok := CommonPoint(x, y)
	if !ok {
		return math.Inf(1)
	}
	return floats.Distance(mixture(x, alpha), mixture(y, beta), 2)
}

// ifAbove are a Separate and a CommonPoint that find hulls touching which are nearer
// than tol, in a unit.
func ifAbove(tol float64, unit func(x, y *mat.Dense) float64) (separator, finder) {
	return func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, _ := Separate(x, y)
			return w, w0, gap(x, y) > tol*unit(x, y)
		}, func(x, y *mat.Dense) ([]float64, []float64, bool) {
			if alpha, beta, ok := CommonPoint(x, y); ok {
				return alpha, beta, true
			}
			return even(x.RawMatrix().Rows), even(y.RawMatrix().Rows), gap(x, y) < tol*unit(x, y)
		}
}

func one(_, _ *mat.Dense) float64 { return 1 }

func even(n int) []float64 {
	v := make([]float64, n)
	floats.AddConst(1/float64(n), v)
	return v
}

// TestWrongSeparate: answers that the table of mistakes does not hold, by key.
func TestWrongSeparate(t *testing.T) {
	after := func(f func(w []float64, w0 *float64)) separator {
		return func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0, ok := Separate(x, y)
			if ok {
				f(w, &w0)
			}
			return w, w0, ok
		}
	}
	or := func(f separator) separator { // where there is none
		return func(x, y *mat.Dense) ([]float64, float64, bool) {
			if w, w0, ok := Separate(x, y); ok {
				return w, w0, ok
			}
			return f(x, y)
		}
	}
	always := func(x, y *mat.Dense) ([]float64, float64, bool) { w, w0 := betweenMeans(x, y); return w, w0, true }
	coarse, _ := ifAbove(5e-4, spread)
	finer, _ := ifAbove(2e-4, spread)
	fixed, _ := ifAbove(1e-6, one)
	relative, _ := ifAbove(1e-6, reach)
	gate.Wrongs(t, ex01.Exercise(), checkPlane, map[string][]separator{
		"always-ok":      {always},
		"not-separating": {always, after(func(w []float64, w0 *float64) { clear(w); w[0], *w0 = math.MaxFloat64, -math.MaxFloat64 })},
		"gives-up": {coarse, finer, func(x, y *mat.Dense) ([]float64, float64, bool) { // random directions
			w, w0, ok := Separate(x, y)
			if ok && gap(x, y) < 1e-3*spread(x, y) {
				r := rand.New(rand.NewPCG(4, 1))
				for range 10000 {
					for j := range w {
						w[j] = r.NormFloat64()
					}
					if w0, found := between(x, y, w); found {
						return w, w0, true
					}
				}
				return nil, 0, false
			}
			return w, w0, ok
		},
		},
		"missed": {
			func(x, y *mat.Dense) ([]float64, float64, bool) { // the means only
				w, _ := betweenMeans(x, y)
				w0, ok := between(x, y, w)
				return w, w0, ok
			},
		},
		"non-strict": {or(func(x, y *mat.Dense) ([]float64, float64, bool) {
			// pulled apart by a hair's breadth, the sets that touch are separable
			hair := 1e-6 * spread(x, y)
			for _, direction := range [][]float64{{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}} {
				if _, d := x.Dims(); d == 2 {
					away := mat.DenseCopyOf(y)
					away.Apply(func(_, j int, v float64) float64 { return v + hair*direction[j] }, away)
					if w, w0, ok := Separate(x, away); ok {
						return w, w0, ok
					}
				}
			}
			return nil, 0, false
		}), func(x, y *mat.Dense) ([]float64, float64, bool) { // through the nearest point of x
			w, w0, ok := Separate(x, y)
			if ok {
				low, _ := sides(x, y, w)
				w0 = -low
			}
			return w, w0, ok
		}},
		"absolute-threshold": {fixed, or(func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, w0 := betweenMeans(x, y)
			return w, w0, apart(x, y) > 1e-12
		})},
		"far-from-origin": {relative},
		"false-plane": {or(func(x, y *mat.Dense) ([]float64, float64, bool) { // points of x only are tested
			w, w0 := betweenMeans(x, y)
			low, _ := sides(x, y, w)
			return w, w0, low+w0 > 0
		})},
		"sides-swapped": {after(func(w []float64, w0 *float64) { floats.Scale(-1, w); *w0 = -*w0 }), after(func(w []float64, _ *float64) { floats.Scale(-1, w) })},
		"bias-off":      {after(func(_ []float64, w0 *float64) { *w0 = 0 }), after(func(_ []float64, w0 *float64) { *w0 = -*w0 })},
		"zero-w":        {after(func(w []float64, w0 *float64) { clear(w); *w0 = 1 })},
		"wrong-length": {func(x, y *mat.Dense) ([]float64, float64, bool) { // the bias in w
			w, w0, ok := Separate(x, y)
			return append(w, w0), w0, ok
		}},
		"neither": {func(_, _ *mat.Dense) ([]float64, float64, bool) { return nil, 0, false }},
		"both":    {or(always)},
	})
}

// TestWrongCommonPoint: answers that the table of mistakes does not hold, by key.
func TestWrongCommonPoint(t *testing.T) {
	after := func(f func(alpha, beta []float64)) finder {
		return func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			if ok {
				f(alpha, beta)
			}
			return alpha, beta, ok
		}
	}
	tooLong := func(x, y *mat.Dense) ([]float64, []float64, bool) {
		alpha, beta, ok := CommonPoint(x, y)
		return append(alpha, 0), beta, ok
	}
	_, coarse := ifAbove(5e-4, spread)
	_, finer := ifAbove(2e-4, spread)
	_, fixed := ifAbove(1e-6, one)
	_, relative := ifAbove(1e-6, reach)
	gate.Wrongs(t, ex01.Exercise(), checkPoint, map[string][]finder{
		"means": {func(x, y *mat.Dense) ([]float64, []float64, bool) {
			return even(x.RawMatrix().Rows), even(y.RawMatrix().Rows), true
		}},
		"negative-weights": {func(x, y *mat.Dense) ([]float64, []float64, bool) { // weights of any sign
			p := problemOf(x, y)
			var svd mat.SVD
			svd.Factorize(p.A, mat.SVDThin)
			var z, r mat.VecDense
			svd.SolveVecTo(&z, p.b, svd.Rank(1e-12))
			r.MulVec(p.A, &z)
			r.SubVec(&r, p.b)
			n := x.RawMatrix().Rows
			return z.RawVector().Data[:n], z.RawVector().Data[n:], mat.Norm(&r, 2) < 1e-9
		}},
		"weights-sum": {after(func(alpha, beta []float64) { floats.Scale(2, alpha); floats.Scale(2, beta) }),
			after(func(_, beta []float64) { beta[0] += 1e-3 }), after(func(alpha, _ []float64) { alpha[0] = math.MaxFloat64 })},
		"zero-weights": {after(func(alpha, beta []float64) { clear(alpha); clear(beta) })},
		"touching-missed": {func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			return alpha, beta, ok && inner(x, y)
		}},
		"missed": {func(x, y *mat.Dense) ([]float64, []float64, bool) { // given points only
			alpha, beta := make([]float64, x.RawMatrix().Rows), make([]float64, y.RawMatrix().Rows)
			for i := range alpha {
				for j := range beta {
					if floats.Equal(x.RawRowView(i), y.RawRowView(j)) {
						alpha[i], beta[j] = 1, 1
						return alpha, beta, true
					}
				}
			}
			return nil, nil, false
		}, func(x, y *mat.Dense) ([]float64, []float64, bool) { // fifty exchanges
			centre := mean(x)
			x, y = around(x, centre), around(y, centre)
			alpha, beta, p, q := exchanged(x, y, 50)
			return alpha, beta, floats.Distance(p, q, 2) <= 3e-6*reach(x, y)
		}},
		"not-common": {after(func(alpha, _ []float64) {
			if best := floats.MaxIdx(alpha); len(alpha) > 1 {
				alpha[best] -= 0.1
				alpha[(best+1)%len(alpha)] += 0.1
			}
		})},
		"tolerance":       {coarse, finer},
		"far-from-origin": {relative},
		"absolute-threshold": {fixed, func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			return alpha, beta, ok && apart(x, y) <= 1e-12
		}},
		"false-point": {func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			if !ok && x.RawMatrix().Rows == 25 {
				return even(25), even(4), true
			}
			return alpha, beta, ok
		}},
		"weights-swapped": {func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(x, y)
			return beta, alpha, ok
		}},
		"points-for-weights": {func(x, y *mat.Dense) ([]float64, []float64, bool) {
			_, d := x.Dims()
			_, _, ok := CommonPoint(x, y)
			return make([]float64, d), make([]float64, d), ok
		}},
		"no-weights":   {tooLong},
		"wrong-length": {tooLong},
	})
}

// inner tells whether the hulls still meet when y is moved a little, whichever way.
func inner(x, y *mat.Dense) bool {
	_, d := x.Dims()
	size := spread(x, y)
	for j := range d {
		for _, step := range []float64{-1e-4 * size, 1e-4 * size} {
			moved := mat.DenseCopyOf(y)
			for i := range moved.RawMatrix().Rows {
				moved.Set(i, j, moved.At(i, j)+step)
			}
			if _, _, ok := CommonPoint(x, moved); !ok {
				return false
			}
		}
	}
	return true
}

// TestPromise: the separable pairs keep what the statement promises, some hardly, and
// some lie far from the origin.
func TestPromise(t *testing.T) {
	hardly, far := 0, 0
	ex01.Check(func(x, y *mat.Dense) ([]float64, float64, bool) {
		w, w0, ok := Separate(x, y)
		if ok {
			var all mat.Dense
			all.Stack(x, y)
			longest := 0.0
			for i := range all.RawMatrix().Rows {
				for k := range i {
					longest = math.Max(longest, floats.Distance(all.RawRowView(i), all.RawRowView(k), 2))
				}
			}
			switch width := gap(x, y) / longest; {
			case width < 1e-4:
				t.Errorf("a gap of %g of the largest distance", width)
			case width < 1.1e-4:
				hardly++
			}
			if reach(x, y) > 1e6*spread(x, y) {
				far++
			}
		}
		return w, w0, ok
	}, CommonPoint)
	if hardly == 0 || far == 0 {
		t.Errorf("%d gaps are about as narrow as promised, %d pairs far from the origin", hardly, far)
	}
}

// TestSwappedAnswers: a plane where hulls meet and a point where they do not.
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

func ExampleCheck() {
	noBias := func(x, y *mat.Dense) ([]float64, float64, bool) {
		w, _, ok := Separate(x, y)
		return w, 0, ok
	}
	fmt.Println(ex01.Check(noBias, CommonPoint).Parts[1].Key)
	// Output: bias-off
}

// The text's two infinite sets, {y ≥ 1/x, x > 0} and {y ≤ 0}: finite parts of them
// are separable, by a gap that is at most 1/n for the parts out to x = n.
func TestGapOfInfiniteSets(t *testing.T) {
	for _, n := range []float64{2, 5, 20} {
		above := mat.NewDense(3, 2, []float64{1 / n, n, 1, 1, n, 1 / n})
		below := mat.NewDense(2, 2, []float64{-n, 0, 3 * n, 0})
		w, w0, ok := Separate(above, below)
		if !ok {
			t.Fatalf("n = %g: no hyperplane", n)
		}
		gap := 0.0
		for sign, m := range map[float64]*mat.Dense{1: above, -1: below} {
			least := math.Inf(1)
			for i := range m.RawMatrix().Rows {
				least = min(least, sign*(w[0]*m.At(i, 0)+w[1]*m.At(i, 1)+w0)/math.Hypot(w[0], w[1]))
			}
			gap += least
		}
		if !(gap > 0) || gap > 1/n+1e-9 {
			t.Errorf("n = %g: the gap is %g, want above 0 and at most 1/n", n, gap)
		}
	}
}

/*
Equivalent mutants

Separate: if mat.Norm(r, 2) < 1e-7 → if mat.Norm(r, 1) < 1e-7
Separate: if mat.Norm(r, 2) < 1e-7 → if mat.Norm(r, 2) <= 1e-7
CommonPoint: if mat.Norm(r, 2) >= 1e-7 → if mat.Norm(r, 1) >= 1e-7
CommonPoint: if mat.Norm(r, 2) >= 1e-7 → if mat.Norm(r, 2) > 1e-7
    1e-7 lies far from both: where there is a common point r is rounding, about 1e-15, and where there is none the promise keeps it above
    1e-5 (the points are measured in units of their spread). The norms differ by a factor of at most √(D+2).

Separate: return nil, 0, false → return nil, 1, false
    Where ok is false, w0 may be any number.

problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = -mat.Norm(&all, math.Inf(1))
problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = 2*mat.Norm(&all, math.Inf(1))
problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = mat.Norm(&all, math.Inf(1))/2
    Any unit that follows the size of the points will do. The weights of a common point do not depend on it, and w is divided by the same
    one: with z = (x − centre)/scale, −r·z is wᵀ(x − centre) for a negative scale, too.

problemOf: p.scale = 1 → p.scale = -1
problemOf: p.scale = 1 → p.scale = 2
problemOf: p.scale = 1 → p.scale = 0.5
    Here all points are the same, and every coordinate is 0 in any unit.
*/
