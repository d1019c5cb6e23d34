package classify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// writtenScatters are (4.40) and (4.46) as they stand there.
func writtenScatters(x *mat.Dense, labels []int, k int) (within, between *mat.Dense) {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), x.RawRowView(i))
	}
	within, between = mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	for class := range k {
		m, count := averageOf(x, labels, class)
		within.Add(within, scatterAbout(x, labels, class, m))
		addSquare(between, count, m, mean)
	}
	return within, between
}

func TestEquationsScatter(t *testing.T) {
	draw := func(r *rand.Rand) (s *classify.Scatter, x *mat.Dense, labels []int, k int) {
		k = 3 + r.IntN(3)
		x, labels = labelledRows(r, k)
		return must(classify.NewScatter(x, labels, k))(t), x, labels, k
	}
	equation.Check(t, "prml-4.40", func(r *rand.Rand) (left, right any) {
		s, x, labels, k := draw(r)
		within, _ := writtenScatters(x, labels, k)
		return s.Within, within
	})
	equation.Check(t, "prml-4.41", func(r *rand.Rand) (left, right any) {
		_, x, labels, _ := draw(r)
		for i := range labels { // the last row is a class of its own, without scatter
			labels[i] = i / (len(labels) - 1)
		}
		m, _ := averageOf(x, labels, 0)
		return must(classify.NewScatter(x, labels, 2))(t).Within, scatterAbout(x, labels, 0, m)
	})
	equation.Check(t, "prml-4.42", func(r *rand.Rand) (left, right any) {
		s, x, labels, k := draw(r)
		// The means as the least-squares fit of x to the classes.
		var means mat.Dense
		if err := means.Solve(oneOfK(labels, k), x); err != nil {
			t.Fatal(err)
		}
		return s.ClassMeans, &means
	})
	equation.Check(t, "prml-4.43", func(r *rand.Rand) (left, right any) {
		s, x, labels, _ := draw(r)
		// Σ over all pairs of rows, in which no mean is.
		n, d := x.Dims()
		pairs := mat.NewDense(d, d, nil)
		for i := range labels {
			for j := range i {
				addSquare(pairs, 1/float64(n), x.RawRowView(i), x.RawRowView(j))
			}
		}
		return s.Total, pairs
	})
	equation.Check(t, "prml-4.44", func(r *rand.Rand) (left, right any) {
		s, x, labels, k := draw(r)
		n, d := x.Dims()
		rows, classes := make([]float64, d), make([]float64, d)
		for i := range n {
			floats.AddScaled(rows, 1/float64(n), x.RawRowView(i))
		}
		for class := range k {
			m, count := averageOf(x, labels, class)
			floats.AddScaled(classes, count/float64(n), m)
		}
		return []any{s.Mean, s.Mean}, []any{rows, classes}
	})
	equation.Check(t, "prml-4.45", func(r *rand.Rand) (left, right any) {
		s, x, labels, _ := draw(r)
		var sum mat.Dense
		sum.Add(s.Within, s.Between)
		return scatterAbout(x, make([]int, len(labels)), 0, s.Mean), &sum
	})
	equation.Check(t, "prml-4.46", func(r *rand.Rand) (left, right any) {
		s, x, labels, k := draw(r)
		_, between := writtenScatters(x, labels, k)
		return s.Between, between
	})
}

func TestEquationsFisherFeatures(t *testing.T) {
	// draw fits one feature or more; y are the features of the rows.
	draw := func(r *rand.Rand) (m *classify.FisherMulti, x, y *mat.Dense, labels []int, k int) {
		k = 3 + r.IntN(3)
		x, labels = labelledRows(r, k)
		m = must(classify.FitFisherMulti(x, labels, k, classify.FisherMultiOptions{Features: 1 + r.IntN(2)}))(t)
		return m, x, must(m.Transform(x))(t), labels, k
	}
	// inside is WᵀSW.
	inside := func(w, s mat.Matrix) *mat.Dense {
		var p mat.Dense
		p.Product(w.T(), s, w)
		return &p
	}
	// criterion is Tr{within⁻¹ between}.
	criterion := func(within, between *mat.Dense) float64 {
		var ratio mat.Dense
		if err := ratio.Solve(within, between); err != nil {
			t.Fatal(err)
		}
		return mat.Trace(&ratio)
	}
	equation.Check(t, "prml-4.39", func(r *rand.Rand) (left, right any) {
		m, x, y, _, _ := draw(r)
		var product mat.Dense
		product.Mul(m.W.T(), x.T())
		return y, product.T()
	})
	equation.Check(t, "prml-4.47", func(r *rand.Rand) (left, right any) {
		m, x, y, labels, k := draw(r)
		within, _ := writtenScatters(y, labels, k)
		_, features := y.Dims()
		unit := mat.NewDiagDense(features, slices.Repeat([]float64{1}, features))
		return []any{within, within}, []any{inside(m.W, must(classify.NewScatter(x, labels, k))(t).Within), unit}
	})
	equation.Check(t, "prml-4.48", func(r *rand.Rand) (left, right any) {
		m, _, y, labels, k := draw(r)
		_, between := writtenScatters(y, labels, k)
		_, features := y.Dims()
		return []any{between, between}, []any{inside(m.W, m.Scatter.Between), mat.NewDiagDense(features, m.Eigenvalues[:features])}
	})
	equation.Check(t, "prml-4.49", func(r *rand.Rand) (left, right any) {
		m, _, y, labels, k := draw(r)
		n, features := y.Dims()
		var means []any
		all, projected := make([]float64, features), times(1, m.W.T(), m.Scatter.Mean)
		for class := range k {
			mean, count := averageOf(y, labels, class)
			means = append(means, mean)
			floats.AddScaled(all, count/float64(n), mean)
		}
		return []any{m.ProjectedMeans, projected}, []any{means, all}
	})
	equation.Check(t, "prml-4.50", func(r *rand.Rand) (left, right any) {
		m, _, y, labels, k := draw(r)
		_, features := y.Dims()
		var mixed mat.Dense // by any invertible matrix: J stays
		mixed.Mul(y, spread(r, features))
		return []any{m.J, m.J}, []any{criterion(writtenScatters(y, labels, k)), criterion(writtenScatters(&mixed, labels, k))}
	})
	equation.Check(t, "prml-4.51", func(r *rand.Rand) (left, right any) {
		m, x, _, labels, k := draw(r)
		within, between := writtenScatters(x, labels, k)
		var ratio mat.Dense
		var eigen mat.Eigen
		if err := ratio.Solve(within, between); err != nil || !eigen.Factorize(&ratio, mat.EigenNone) {
			t.Fatal("no eigenvalues", err)
		}
		var values []float64
		for _, v := range eigen.Values(nil) {
			values = append(values, real(v))
		}
		slices.Sort(values)
		_, features := m.W.Dims()
		return []any{m.J, m.J}, []any{criterion(inside(m.W, within), inside(m.W, between)), floats.Sum(values[len(values)-features:])}
	})
	equation.Holds(t, "prml-4.51", func(r *rand.Rand) error {
		m, x, _, labels, k := draw(r)
		within, between := writtenScatters(x, labels, k)
		d, features := m.W.Dims()
		for range 50 { // no other projection has a larger J
			w := normalMatrix(r, d, features)
			if j := criterion(inside(w, within), inside(w, between)); j > m.J*(1+1e-9) {
				return fmt.Errorf("a random projection has J = %v, more than %v", j, m.J)
			}
		}
		return nil
	})
}

func TestEquationsConvexHulls(t *testing.T) {
	equation.Check(t, "prml-4.156", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 30, 1+r.IntN(3))
		s := must(classify.Separable(x, target))(t)
		first, second := make([]float64, len(s.Common)), make([]float64, len(s.Common))
		for i, n := range s.RowsC1 {
			floats.AddScaled(first, s.Alpha[i], x.RawRowView(n))
		}
		for i, n := range s.RowsC2 {
			floats.AddScaled(second, s.Beta[i], x.RawRowView(n))
		}
		return []any{s.Common, s.Common, floats.Sum(s.Alpha), floats.Sum(s.Beta)}, []any{first, second, 1, 1}
	})
	equation.Holds(t, "prml-4.156", func(r *rand.Rand) error {
		x, target := normalMatrix(r, 8, 2), []float64{1, 1, 1, 1, 0, 0, 0, 0}
		for i := range 4 { // apart in about half of the draws
			x.Set(i, 0, x.At(i, 0)+3)
		}
		s := must(classify.Separable(x, target))(t)
		if !s.Separable {
			if least := min(floats.Min(s.Alpha), floats.Min(s.Beta)); least < 0 {
				return fmt.Errorf("a share of the common point is %v", least)
			}
			return nil
		}
		for class, side := range []float64{1, -1} { // each hull on its side of the plane
			point, sum := make([]float64, 2), 0.0
			for n := range 4 {
				share := r.ExpFloat64()
				floats.AddScaled(point, share, x.RawRowView(4*class+n))
				sum += share
			}
			floats.Scale(1/sum, point)
			if y := affineValue(s.W, point); !(side*y > 0) {
				return fmt.Errorf("a point of hull %d has y = %v", class, y)
			}
		}
		return nil
	})
}
