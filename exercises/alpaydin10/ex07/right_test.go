package ex07_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex07"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type (
	stepsFunc   = func(X *mat.Dense, r []float64, eta, tol float64, max int) int
	rescaleFunc = func(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64)
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name    string
		steps   stepsFunc
		rescale rescaleFunc
	}{
		{"reference", Steps, Rescale},
		{"matrices, deviation with N−1", byMatrices, byColumn(func(x []float64) (float64, float64) {
			return stat.MeanStdDev(x, nil)
		})},
		{"bias last, to between 0 and 1", biasLast, byColumn(func(x []float64) (float64, float64) {
			return floats.Min(x), floats.Max(x) - floats.Min(x)
		})},
		{"ascent of the likelihood, to between −1 and 1", ascent, byColumn(func(x []float64) (float64, float64) {
			return (floats.Min(x) + floats.Max(x)) / 2, (floats.Max(x) - floats.Min(x)) / 2
		})},
		{"mean and mean absolute deviation", Steps, byColumn(func(x []float64) (float64, float64) {
			m, a := stat.Mean(x, nil), 0.0
			for _, v := range x {
				a += math.Abs(v-m) / float64(len(x))
			}
			return m, a
		})},
		{"whitened", Steps, whitened},
		{"constant columns dropped", Steps, dropping},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex07.Check(tc.steps, tc.rescale)) })
	}
}

func byMatrices(X *mat.Dense, r []float64, eta, tol float64, max int) int {
	n, d := X.Dims()
	x := mat.NewDense(n, d+1, nil)
	for t := range n {
		x.SetRow(t, append([]float64{1}, X.RawRowView(t)...))
	}
	w := mat.NewVecDense(d+1, nil)
	for step := range max + 1 {
		var y, g mat.VecDense
		y.MulVec(x, w)
		for t := range n {
			y.SetVec(t, 1/(1+math.Exp(-y.AtVec(t)))-r[t])
		}
		g.MulVec(x.T(), &y)
		if g.Norm(2) <= tol {
			return step
		}
		w.AddScaledVec(w, -eta, &g)
	}
	return -1
}

func biasLast(X *mat.Dense, r []float64, eta, tol float64, max int) int {
	n, d := X.Dims()
	w := make([]float64, d+1)
	for made := 0; ; made++ {
		g := make([]float64, d+1)
		for t := range n {
			x := append(append([]float64(nil), X.RawRowView(t)...), 1)
			y := 0.5 + 0.5*math.Tanh(floats.Dot(w, x)/2)
			floats.AddScaled(g, y-r[t], x)
		}
		if floats.Dot(g, g) <= tol*tol {
			return made
		}
		if made >= max {
			return -1
		}
		floats.AddScaled(w, -eta, g)
	}
}

func ascent(X *mat.Dense, r []float64, eta, tol float64, max int) int {
	n, d := X.Dims()
	w0, w := 0.0, make([]float64, d)
	for made := 0; made <= max; made++ {
		g0, g := 0.0, make([]float64, d)
		for t := range n {
			y := 1 / (1 + math.Exp(-(w0 + floats.Dot(w, X.RawRowView(t)))))
			g0 += r[t] - y
			for j := range d {
				g[j] += (r[t] - y) * X.At(t, j)
			}
		}
		if math.Hypot(g0, floats.Norm(g, 2)) <= tol {
			return made
		}
		w0 += eta * g0
		for j := range d {
			w[j] += eta * g[j]
		}
	}
	return -1
}

// byColumn makes a Rescale of a rule that finds a column's zero and unit.
func byColumn(rule func(x []float64) (zero, unit float64)) rescaleFunc {
	return func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
		_, d := train.Dims()
		zero, unit := make([]float64, d), make([]float64, d)
		for j := range d {
			zero[j], unit[j] = rule(mat.Col(nil, j, train))
			if unit[j] < 1e-10*(1e-300+math.Abs(zero[j])) || unit[j] == 0 {
				unit[j] = 1
			}
		}
		apply := func(x *mat.Dense) *mat.Dense {
			z := mat.DenseCopyOf(x)
			for t := range z.RawMatrix().Rows {
				floats.Sub(z.RawRowView(t), zero)
				floats.Div(z.RawRowView(t), unit)
			}
			return z
		}
		return apply(train), apply(test), func(w []float64) []float64 {
			v := floats.DivTo(make([]float64, d), w[1:], unit)
			return append([]float64{w[0] - floats.Dot(v, zero)}, v...)
		}
	}
}

// whitened makes the covariance of the training inputs the identity, and leaves
// directions without spread alone.
func whitened(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
	a, b, back := Rescale(train, test)
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, a, nil)
	var e mat.EigenSym
	e.Factorize(&cov, true)
	d, _ := cov.Dims()
	var v mat.Dense
	e.VectorsTo(&v)
	for j, value := range e.Values(nil) {
		if value > 1e-12 {
			for i := range d {
				v.Set(i, j, v.At(i, j)/math.Sqrt(value))
			}
		}
	}
	var a2, b2 mat.Dense
	a2.Mul(a, &v)
	b2.Mul(b, &v)
	return &a2, &b2, func(w []float64) []float64 {
		var old mat.VecDense
		old.MulVec(&v, mat.NewVecDense(d, append([]float64(nil), w[1:]...)))
		return back(append([]float64{w[0]}, old.RawVector().Data...))
	}
}

// dropping leaves out what cannot be learned from.
func dropping(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
	n, d := train.Dims()
	m, _ := test.Dims()
	var keep []int
	for j := range d {
		if c := mat.Col(nil, j, train); floats.Max(c) > floats.Min(c) {
			keep = append(keep, j)
		}
	}
	pick := func(x *mat.Dense, n int) *mat.Dense {
		out := mat.NewDense(n, len(keep), nil)
		for i, j := range keep {
			out.SetCol(i, mat.Col(nil, j, x))
		}
		return out
	}
	a, b, back := Rescale(pick(train, n), pick(test, m))
	return a, b, func(w []float64) []float64 {
		short, out := back(w), make([]float64, d+1)
		out[0] = short[0]
		for i, j := range keep {
			out[j+1] = short[i+1]
		}
		return out
	}
}
