package classify_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

func TestEquationsLeastSquares(t *testing.T) {
	// draw fits up to four outputs to targets of any kind.
	draw := func(r *rand.Rand) (m *classify.LeastSquares, x, targets *mat.Dense, at []float64) {
		d := 1 + r.IntN(4)
		x = normalMatrix(r, 3*d+r.IntN(20), d)
		n, _ := x.Dims()
		targets = normalMatrix(r, n, 2+r.IntN(3))
		return must(classify.FitLeastSquaresTargets(x, targets, classify.LeastSquaresOptions{}))(t), x, targets, normals(r, d)
	}
	outputs := func(m *classify.LeastSquares, at []float64) []float64 {
		return must(m.Outputs(mat.NewDense(1, len(at), at)))(t).RawRowView(0)
	}
	equation.Check(t, "prml-4.13", func(r *rand.Rand) (left, right any) {
		m, _, targets, at := draw(r)
		_, outs := targets.Dims()
		y := make([]float64, outs)
		for k := range y {
			y[k] = affineValue(mat.Col(nil, k, m.W), at)
		}
		return outputs(m, at), y
	})
	equation.Check(t, "prml-4.14", func(r *rand.Rand) (left, right any) {
		m, _, _, at := draw(r)
		var y mat.VecDense
		y.MulVec(m.W.T(), mat.NewVecDense(len(at)+1, append([]float64{1}, at...)))
		return outputs(m, at), &y
	})
	equation.Check(t, "prml-4.15", func(r *rand.Rand) (left, right any) {
		m, x, targets, _ := draw(r)
		var off, square mat.Dense
		off.Mul(withOnes(x), m.W)
		off.Sub(&off, targets)
		square.Mul(off.T(), &off)
		return m.SumSquare, mat.Trace(&square) / 2
	})
	equation.Check(t, "prml-4.16", func(r *rand.Rand) (left, right any) {
		m, x, targets, _ := draw(r)
		var gram, inverse, w mat.Dense
		gram.Mul(withOnes(x).T(), withOnes(x))
		if err := inverse.Inverse(&gram); err != nil {
			t.Fatal(err)
		}
		w.Product(&inverse, withOnes(x).T(), targets)
		// A column twice: no inverse, but the pseudo-inverse, which is the solution of
		// least norm.
		var twice, shortest mat.Dense
		twice.Augment(x, x.ColView(0))
		shortest.Mul(pseudoInverseOf(withOnes(&twice)), targets)
		dependent := must(classify.FitLeastSquaresTargets(&twice, targets, classify.LeastSquaresOptions{}))(t)
		return []any{m.W, dependent.W}, []any{&w, &shortest}
	})
	equation.Check(t, "prml-4.17", func(r *rand.Rand) (left, right any) {
		m, x, targets, at := draw(r)
		var y mat.Dense
		y.Product(targets.T(), pseudoInverseOf(withOnes(x)).T(), mat.NewDense(len(at)+1, 1, append([]float64{1}, at...)))
		return outputs(m, at), &y
	})
	equation.Check(t, "prml-4.19", func(r *rand.Rand) (left, right any) {
		_, x, targets, at := draw(r)
		n, k := targets.Dims()
		a, b := normals(r, k), r.NormFloat64()
		for i := range n { // the last target from the others
			row := targets.RawRowView(i)
			row[k-1] = -(b + floats.Dot(a[:k-1], row[:k-1])) / a[k-1]
		}
		m := must(classify.FitLeastSquaresTargets(x, targets, classify.LeastSquaresOptions{}))(t)
		// With a constant column, at an affine combination of two rows. (A column twice would do
		// at any input: erratum P40.)
		constant, level := mat.NewDense(n, len(at)+1, nil), 1+r.Float64()
		constant.Apply(func(i, j int, _ float64) float64 { return append(mat.Row(nil, i, x), level)[j] }, constant)
		between := append([]float64{}, constant.RawRowView(0)...)
		floats.AddScaled(between, r.NormFloat64(), differenceOf(constant.RawRowView(1), between, 1))
		dependent := must(classify.FitLeastSquaresTargets(constant, targets, classify.LeastSquaresOptions{}))(t)
		return []float64{floats.Dot(a, outputs(m, at)), floats.Dot(a, outputs(dependent, between))}, []float64{-b, -b}
	})
}

// pseudoInverseOf returns V·S⁻¹·Uᵀ over the singular values that are not zero.
func pseudoInverseOf(a mat.Matrix) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	var u, v, out mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	for j, s := range values {
		inverse := 0.0
		if s > 1e-10*values[0] {
			inverse = 1 / s
		}
		column := v.ColView(j).(*mat.VecDense)
		column.ScaleVec(inverse, column)
	}
	out.Mul(&v, u.T())
	return &out
}

func TestEquationsFisherByLeastSquares(t *testing.T) {
	// draw fits the targets N/N₁ and −N/N₂, which it returns, written out.
	draw := func(r *rand.Rand) (p pairOfClasses, m *classify.LeastSquares, w, target []float64) {
		p = newPairOfClasses(r)
		m = must(classify.FitLeastSquares(p.x, p.labels, 2, classify.LeastSquaresOptions{Coding: classify.CodingFisher}))(t)
		for _, l := range p.labels {
			target = append(target, []float64{(p.n1 + p.n2) / p.n1, -(p.n1 + p.n2) / p.n2}[l])
		}
		return p, m, mat.Col(nil, 0, m.W), target
	}
	equation.Check(t, "prml-4.31", func(r *rand.Rand) (left, right any) {
		p, m, w, target := draw(r)
		e := 0.0
		for i, v := range target {
			off := affineValue(w, p.x.RawRowView(i)) - v
			e += off * off / 2
		}
		return m.SumSquare, e
	})
	equation.Check(t, "prml-4.32", func(r *rand.Rand) (left, right any) {
		p, _, _, target := draw(r)
		w := must(p.fisher(t).LeastSquaresWeights())(t)
		outputs := 0.0
		for i := range target {
			outputs += affineValue(w, p.x.RawRowView(i)) - w[0]
		}
		return outputs, floats.Sum(target) - w[0]*(p.n1+p.n2)
	})
	equation.Check(t, "prml-4.33", func(r *rand.Rand) (left, right any) {
		p, _, _, target := draw(r)
		w := must(p.fisher(t).LeastSquaresWeights())(t)
		outputs, wanted := make([]float64, len(p.m1)), make([]float64, len(p.m1))
		for i, v := range target {
			x := p.x.RawRowView(i)
			floats.AddScaled(outputs, affineValue(w, x), x)
			floats.AddScaled(wanted, v, x)
		}
		return outputs, wanted
	})
	equation.Check(t, "prml-4.34", func(r *rand.Rand) (left, right any) {
		p, _, w, _ := draw(r)
		var mean float64
		for i := range p.labels {
			mean += floats.Dot(w[1:], p.x.RawRowView(i)) / (p.n1 + p.n2)
		}
		return w[0], -mean
	})
	equation.Check(t, "prml-4.35", func(r *rand.Rand) (left, right any) {
		p, _, _, target := draw(r)
		got := must(classify.FisherTargets(targets(p.labels)))(t)
		var sum [2]float64
		for i, v := range got {
			sum[p.labels[i]] += v
		}
		return []any{got, sum[0], -sum[1]}, []any{target, p.n1 + p.n2, p.n1 + p.n2}
	})
	equation.Check(t, "prml-4.36", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		mean := make([]float64, len(p.m1))
		for i := range p.labels {
			floats.AddScaled(mean, 1/(p.n1+p.n2), p.x.RawRowView(i))
		}
		mixed := make([]float64, len(mean))
		floats.AddScaled(mixed, p.n1/(p.n1+p.n2), p.m1)
		floats.AddScaled(mixed, p.n2/(p.n1+p.n2), p.m2)
		got := p.fisher(t).Scatter.Mean
		return []any{got, got}, []any{mean, mixed}
	})
	equation.Check(t, "prml-4.37", func(r *rand.Rand) (left, right any) {
		p, _, w, _ := draw(r)
		var s mat.Dense
		s.Scale(p.n1*p.n2/(p.n1+p.n2), p.between)
		s.Add(&s, p.within)
		apart := floats.SubTo(make([]float64, len(p.m1)), p.m1, p.m2)
		floats.Scale(p.n1+p.n2, apart)
		return times(1, &s, w[1:]), apart
	})
	equation.Check(t, "prml-4.38", func(r *rand.Rand) (left, right any) {
		p, _, w, _ := draw(r)
		floats.Scale(1/floats.Norm(w[1:], 2), w[1:])
		return w[1:], solved(t, p.within, floats.SubTo(make([]float64, len(p.m1)), p.m1, p.m2))
	})
}
