package ex02_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex02"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type (
	distanceFunc = func(x, w []float64, w0 float64) float64
	originFunc   = func(w []float64, w0 float64) float64
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name     string
		distance distanceFunc
		origin   originFunc
	}{
		{"reference", Distance, OriginDistance},
		{"loops, PRML's sign", loops, func(w []float64, w0 float64) float64 {
			return -w0 / math.Sqrt(floats.Dot(w, w))
		}},
		{"unit normal first, no sign", unitNormal, func(w []float64, w0 float64) float64 {
			return math.Abs(w0) / floats.Norm(w, 2)
		}},
		{"from a point of the plane, by Distance", fromPoint, func(w []float64, w0 float64) float64 {
			return Distance(make([]float64, len(w)), w, w0)
		}},
		{"projection matrix, foot of the plane", projection, func(w []float64, w0 float64) float64 {
			foot := make([]float64, len(w)) // −w0 w/‖w‖²
			floats.AddScaled(foot, -w0/floats.Dot(w, w), w)
			return floats.Norm(foot, 2)
		}},
		{"mat and blas", withMat, func(w []float64, w0 float64) float64 {
			return w0 / blas64.Nrm2(blas64.Vector{N: len(w), Inc: 1, Data: w})
		}},
		{"differences of squares", differenceOfSquares, func(w []float64, w0 float64) float64 {
			return math.Sqrt(w0 * w0 / floats.Dot(w, w))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex02.Check(tc.distance, tc.origin)) })
	}
}

func loops(x, w []float64, w0 float64) float64 {
	g, square := w0, 0.0
	for j := range w {
		g += w[j] * x[j]
		square += w[j] * w[j]
	}
	return g / math.Sqrt(square)
}

func unitNormal(x, w []float64, w0 float64) float64 {
	length := 0.0
	for _, v := range w {
		length = math.Hypot(length, v)
	}
	u := floats.ScaleTo(make([]float64, len(w)), 1/length, w)
	return floats.Dot(u, x) + w0/length
}

// fromPoint projects the way from a known point of the plane to x on the normal.
func fromPoint(x, w []float64, w0 float64) float64 {
	a := floats.ScaleTo(make([]float64, len(w)), -w0/floats.Dot(w, w), w)
	return floats.Dot(w, floats.SubTo(make([]float64, len(x)), x, a)) / floats.Norm(w, 2)
}

// projection takes away the part of x − a within the plane, I − wwᵀ/wᵀw, and
// measures what is left.
func projection(x, w []float64, w0 float64) float64 {
	d := len(w)
	a := floats.ScaleTo(make([]float64, d), -w0/floats.Dot(w, w), w)
	v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, a))
	p := mat.NewDense(d, d, nil)
	p.Outer(1/floats.Dot(w, w), mat.NewVecDense(d, w), mat.NewVecDense(d, w))
	var normal mat.VecDense
	normal.MulVec(p, v)
	return math.Copysign(mat.Norm(&normal, 2), floats.Dot(w, x)+w0)
}

func withMat(x, w []float64, w0 float64) float64 {
	wv := mat.NewVecDense(len(w), w)
	return (mat.Dot(wv, mat.NewVecDense(len(x), x)) + w0) / wv.Norm(2)
}

// differenceOfSquares uses ‖x+u‖² − ‖x−u‖² = 4uᵀx for the unit normal u.
func differenceOfSquares(x, w []float64, w0 float64) float64 {
	n := floats.Norm(w, 2)
	plus, minus := 0.0, 0.0
	for j := range w {
		u := w[j] / n
		plus += (x[j] + u) * (x[j] + u)
		minus += (x[j] - u) * (x[j] - u)
	}
	return (plus-minus)/4 + w0/n
}
