package ex03_test

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex03"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type (
	derivativeFunc = func(a []float64, i, j int) float64
	stepFunc       = func(W, X, R *mat.Dense, eta float64) *mat.Dense
)

// softmax with the largest score taken out.
func softmax(a []float64) []float64 {
	y := make([]float64, len(a))
	top := floats.Max(a)
	for i, v := range a {
		y[i] = math.Exp(v - top)
	}
	floats.Scale(1/floats.Sum(y), y)
	return y
}

func delta(i, j int) float64 {
	if i == j {
		return 1
	}
	return 0
}

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name string
		d    derivativeFunc
		step stepFunc
	}{
		{"reference", DSoftmax, Step},
		{"y_i(δ − y_j), matrices", func(a []float64, i, j int) float64 {
			y := softmax(a)
			return y[i] * (delta(i, j) - y[j])
		}, byMatrices},
		{"through log-sum-exp, sums of outer products", func(a []float64, i, j int) float64 {
			lse := floats.LogSumExp(a)
			yi, yj := math.Exp(a[i]-lse), math.Exp(a[j]-lse)
			return delta(i, j)*yi - yi*yj
		}, byOuterProducts},
		{"from differences of scores, y − r subtracted", byDifferences, func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			out := byMatrices(W, X, R, -eta) // 2W − that: the same step from the other side
			var twice mat.Dense
			twice.Scale(2, W)
			out.Sub(&twice, out)
			return out
		}},
		{"quotient rule in large numbers, the long update", quotientRule, longUpdate},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex03.Check(tc.d, tc.step)) })
	}
}

// byDifferences never forms an output: 1/y_i = Σ e^{a_k − a_i}.
func byDifferences(a []float64, i, j int) float64 {
	inverse := func(i int) float64 {
		s := 0.0
		for _, v := range a {
			s += math.Exp(v - a[i])
		}
		return s
	}
	if i == j {
		return (1 - 1/inverse(i)) / inverse(i)
	}
	return -1 / inverse(i) / inverse(j)
}

// quotientRule is (e_i′ s − e_i s′)/s² with exponentials that cannot overflow.
func quotientRule(a []float64, i, j int) float64 {
	top := floats.Max(a)
	sum := new(big.Float)
	e := make([]*big.Float, len(a))
	for k, v := range a {
		e[k] = big.NewFloat(math.Exp(v - top))
		sum.Add(sum, e[k])
	}
	n := new(big.Float).Mul(e[i], e[j])
	n.Neg(n)
	if i == j {
		n.Add(n, new(big.Float).Mul(e[i], sum))
	}
	n.Quo(n, sum)
	v, _ := n.Quo(n, sum).Float64()
	return v
}

// ones is [1 X].
func ones(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	out := mat.NewDense(n, d+1, nil)
	for t := range n {
		out.SetRow(t, append([]float64{1}, X.RawRowView(t)...))
	}
	return out
}

func byMatrices(W, X, R *mat.Dense, eta float64) *mat.Dense {
	x := ones(X)
	var y, g mat.Dense
	y.Mul(x, W)
	n, _ := y.Dims()
	for t := range n {
		y.SetRow(t, softmax(y.RawRowView(t)))
	}
	y.Sub(R, &y)
	g.Mul(x.T(), &y)
	g.Scale(eta, &g)
	g.Add(W, &g)
	return &g
}

func byOuterProducts(W, X, R *mat.Dense, eta float64) *mat.Dense {
	x, next := ones(X), mat.DenseCopyOf(W)
	n, m := x.Dims()
	_, k := W.Dims()
	for t := range n {
		row := mat.NewVecDense(m, x.RawRowView(t))
		var a mat.VecDense
		a.MulVec(W.T(), row)
		e := floats.SubTo(make([]float64, k), R.RawRowView(t), softmax(a.RawVector().Data))
		next.RankOne(next, eta, row, mat.NewVecDense(k, e))
	}
	return next
}

// longUpdate is the first line of (10.33), with nothing simplified.
func longUpdate(W, X, R *mat.Dense, eta float64) *mat.Dense {
	x, next := ones(X), mat.DenseCopyOf(W)
	n, m := x.Dims()
	_, k := W.Dims()
	for t := range n {
		a := make([]float64, k)
		for i := range k {
			a[i] = floats.Dot(mat.Col(nil, i, W), x.RawRowView(t))
		}
		y := softmax(a)
		for j := range k {
			s := 0.0
			for i := range k {
				s += R.At(t, i) / y[i] * y[i] * (delta(i, j) - y[j])
			}
			for l := range m {
				next.Set(l, j, next.At(l, j)+eta*s*x.At(t, l))
			}
		}
	}
	return next
}
