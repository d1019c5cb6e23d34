package ex01_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex01"
)

type (
	separator = func(x, y *mat.Dense) ([]float64, float64, bool)
	finder    = func(x, y *mat.Dense) ([]float64, []float64, bool)
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name     string
		separate separator
		common   finder
	}{
		{"reference", Separate, CommonPoint},
		{"nearest points of the hulls, by exchanging weights", func(x, y *mat.Dense) ([]float64, float64, bool) {
			centre := mean(x)
			x, y = around(x, centre), around(y, centre)
			_, _, p, q := nearest(x, y)
			w := floats.SubTo(make([]float64, len(p)), p, q)
			return w, -(floats.Dot(w, p)+floats.Dot(w, q))/2 - floats.Dot(w, centre), floats.Norm(w, 2) > 5e-7*reach(x, y)
		}, func(x, y *mat.Dense) ([]float64, []float64, bool) {
			centre := mean(x)
			x, y = around(x, centre), around(y, centre)
			alpha, beta, p, q := nearest(x, y)
			return alpha, beta, floats.Distance(p, q, 2) <= 5e-7*reach(x, y)
		}},
		{"from the mean of x, in units of the largest coordinate, weights divided by their sums", func(x, y *mat.Dense) ([]float64, float64, bool) {
			centre, size := mean(x), spread(x, y)
			w, w0, ok := Separate(inUnits(x, centre, size), inUnits(y, centre, size))
			for j := range w { // none where all points are the same
				w[j] /= size
				w0 -= w[j] * centre[j]
			}
			return w, w0, ok
		}, func(x, y *mat.Dense) ([]float64, []float64, bool) {
			centre, size := mean(x), spread(x, y)
			alpha, beta, ok := CommonPoint(inUnits(x, centre, size), inUnits(y, centre, size))
			if ok {
				floats.Scale(1/floats.Sum(alpha), alpha)
				floats.Scale(1/floats.Sum(beta), beta)
			}
			return alpha, beta, ok
		}},
		{"patient perceptron, points in reverse order", func(x, y *mat.Dense) ([]float64, float64, bool) {
			if _, _, meet := CommonPoint(x, y); meet {
				return nil, 0, false
			}
			return perceptron(x, y, math.MaxInt)
		}, func(x, y *mat.Dense) ([]float64, []float64, bool) {
			alpha, beta, ok := CommonPoint(turned(x), turned(y))
			slices.Reverse(alpha)
			slices.Reverse(beta)
			return alpha, beta, ok
		}},
		{"hyperplane scaled and pushed towards y, y taken for x", func(x, y *mat.Dense) ([]float64, float64, bool) {
			w, _, ok := Separate(x, y)
			if !ok {
				return make([]float64, 3), math.NaN(), false
			}
			floats.Scale(1e-4, w)
			low, high := math.Inf(1), math.Inf(-1)
			for i := range x.RawMatrix().Rows {
				low = math.Min(low, floats.Dot(w, x.RawRowView(i)))
			}
			for i := range y.RawMatrix().Rows {
				high = math.Max(high, floats.Dot(w, y.RawRowView(i)))
			}
			return w, -(0.1*low + 0.9*high), true
		}, func(x, y *mat.Dense) ([]float64, []float64, bool) {
			beta, alpha, ok := CommonPoint(y, x)
			return alpha, beta, ok
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex01.Check(tc.separate, tc.common)) })
	}
}

func turned(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		out.SetRow(n-1-i, x.RawRowView(i))
	}
	return out
}

// around are the points seen from the centre.
func around(x *mat.Dense, centre []float64) *mat.Dense {
	out := mat.DenseCopyOf(x)
	for i := range out.RawMatrix().Rows {
		floats.Sub(out.RawRowView(i), centre)
	}
	return out
}

// inUnits are the points seen from the centre, in units of size, of 1 where that is 0.
func inUnits(x *mat.Dense, centre []float64, size float64) *mat.Dense {
	out := around(x, centre)
	if size > 0 {
		out.Scale(1/size, out)
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
func nearest(x, y *mat.Dense) (alpha, beta, p, q []float64) {
	_, d := x.Dims()
	mean := func(m *mat.Dense) (weights, point []float64) {
		n, _ := m.Dims()
		weights, point = make([]float64, n), make([]float64, d)
		floats.AddConst(1/float64(n), weights)
		for i := range n {
			floats.AddScaled(point, weights[i], m.RawRowView(i))
		}
		return weights, point
	}
	alpha, p = mean(x)
	beta, q = mean(y)
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
	for n := range 400_000 { // a narrow gap may ask for many, most pairs for few
		exchange(x, alpha, p, q)
		exchange(y, beta, q, p)
		if n%200 == 0 && (n >= 20_000 && parted(x, y, p, q) || floats.Distance(p, q, 2) < 1e-13*scale) {
			break
		}
	}
	return alpha, beta, p, q
}

// parted reports whether p − q is the normal of a plane between the hulls.
func parted(x, y *mat.Dense, p, q []float64) bool {
	v := floats.SubTo(make([]float64, len(p)), p, q)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range x.RawMatrix().Rows {
		low = math.Min(low, floats.Dot(v, x.RawRowView(i)))
	}
	for i := range y.RawMatrix().Rows {
		high = math.Max(high, floats.Dot(v, y.RawRowView(i)))
	}
	return low > high
}

// perceptron works on centred and scaled points, which costs it less patience.
func perceptron(x, y *mat.Dense, patience int) ([]float64, float64, bool) {
	_, d := x.Dims()
	var all mat.Dense
	all.Stack(x, y)
	centre := make([]float64, d)
	for j := range d {
		centre[j] = mat.Sum(all.ColView(j)) / float64(all.RawMatrix().Rows)
	}
	scale := spread(x, y)
	w, w0 := make([]float64, d), 0.0
	for updates := 0; updates < patience; {
		clean := true
		for k, m := range []*mat.Dense{x, y} {
			t := float64(1 - 2*k)
			for i := range m.RawMatrix().Rows {
				z := floats.SubTo(make([]float64, d), m.RawRowView(i), centre)
				floats.Scale(1/scale, z)
				if t*(floats.Dot(w, z)+w0) <= 0 {
					floats.AddScaled(w, t, z)
					w0 += t
					updates++
					clean = false
				}
			}
		}
		if clean {
			floats.Scale(1/scale, w)
			return w, w0 - floats.Dot(w, centre), true
		}
	}
	return nil, 0, false
}
