package classify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

func TestEquationsLeastSquares(t *testing.T) {
	// draw returns random rows, two to four columns of random targets, and the LeastSquares model
	// fitted to these rows and targets. It also returns a random new input.
	draw := func(r *rand.Rand) (m *classify.LeastSquares, x, targets *mat.Dense, at []float64) {
		d := 1 + r.IntN(4)
		x = normalMatrix(r, 3*d+r.IntN(20), d)
		n, _ := x.Dims()
		targets = normalMatrix(r, n, 2+r.IntN(3))
		return must(classify.FitLeastSquaresTargets(x, targets,
			classify.LeastSquaresOptions{}))(t), x, targets, normals(r, d)
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
		// If a column of x is repeated, the Gram matrix has no inverse. The pseudo-inverse gives
		// the solution with the least norm.
		var twice, shortest mat.Dense
		twice.Augment(x, x.ColView(0))
		shortest.Mul(pseudoInverseOf(withOnes(&twice)), targets)
		dependent := must(classify.FitLeastSquaresTargets(&twice, targets, classify.LeastSquaresOptions{}))(t)
		return []any{m.W, dependent.W}, []any{&w, &shortest}
	})
	equation.Check(t, "prml-4.17", func(r *rand.Rand) (left, right any) {
		m, x, targets, at := draw(r)
		var y mat.Dense
		y.Product(targets.T(), pseudoInverseOf(withOnes(x)).T(),
			mat.NewDense(len(at)+1, 1, append([]float64{1}, at...)))
		return outputs(m, at), &y
	})
	equation.Check(t, "prml-4.19", func(r *rand.Rand) (left, right any) {
		_, x, targets, at := draw(r)
		n, k := targets.Dims()
		a, b := normals(r, k), r.NormFloat64()
		for i := range n { // in each row, make the last target a linear function of the first k−1 targets
			row := targets.RawRowView(i)
			row[k-1] = -(b + floats.Dot(a[:k-1], row[:k-1])) / a[k-1]
		}
		m := must(classify.FitLeastSquaresTargets(x, targets, classify.LeastSquaresOptions{}))(t)
		// Repeat the check with a constant column in x, and with an affine combination of two rows
		// as the new input. (With a repeated column instead, the constraint holds at every input:
		// erratum P40.)
		constant, level := mat.NewDense(n, len(at)+1, nil), 1+r.Float64()
		constant.Apply(func(i, j int, _ float64) float64 { return append(mat.Row(nil, i, x), level)[j] }, constant)
		between := append([]float64{}, constant.RawRowView(0)...)
		floats.AddScaled(between, r.NormFloat64(), differenceOf(constant.RawRowView(1), between, 1))
		dependent := must(classify.FitLeastSquaresTargets(constant, targets, classify.LeastSquaresOptions{}))(t)
		return []float64{floats.Dot(a, outputs(m, at)), floats.Dot(a, outputs(dependent, between))}, []float64{-b, -b}
	})
}

// pseudoInverseOf returns the pseudo-inverse V·S⁻¹·Uᵀ of the matrix a. S contains only the non-zero
// singular values.
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
	// draw returns random classes and the LeastSquares model fitted to the targets N/N₁ and −N/N₂.
	// The result "target" contains these targets.
	draw := func(r *rand.Rand) (p pairOfClasses, m *classify.LeastSquares, w, target []float64) {
		p = newPairOfClasses(r)
		m = must(classify.FitLeastSquares(p.x, p.labels, 2,
			classify.LeastSquaresOptions{Coding: classify.CodingFisher}))(t)
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
		return w[1:], solveToUnit(t, p.within, floats.SubTo(make([]float64, len(p.m1)), p.m1, p.m2))
	})
}

// scatterAbout returns the sum of (x_n − c)(x_n − c)ᵀ over the rows x_n of a class. c is the
// argument centre.
func scatterAbout(x *mat.Dense, labels []int, class int, centre []float64) *mat.Dense {
	d := len(centre)
	s := mat.NewDense(d, d, nil)
	for i, l := range labels {
		if l == class {
			addSquare(s, 1, x.RawRowView(i), centre)
		}
	}
	return s
}

// addSquare adds the matrix f·(a − b)(a − b)ᵀ to s.
func addSquare(s *mat.Dense, f float64, a, b []float64) {
	for i := range a {
		for j := range a {
			s.Set(i, j, s.At(i, j)+f*(a[i]-b[i])*(a[j]-b[j]))
		}
	}
}

// A pairOfClasses contains two random classes and the quantities in Fisher's discriminant, computed
// from their definitions.
type pairOfClasses struct {
	x               *mat.Dense
	labels          []int
	m1, m2          []float64
	n1, n2          float64
	between, within *mat.Dense // (4.27) and (4.28)
}

func newPairOfClasses(r *rand.Rand) (p pairOfClasses) {
	p.x, p.labels = labelledRows(r, 2)
	p.m1, p.n1 = averageOf(p.x, p.labels, 0)
	p.m2, p.n2 = averageOf(p.x, p.labels, 1)
	d := len(p.m1)
	p.between, p.within = mat.NewDense(d, d, nil), scatterAbout(p.x, p.labels, 0, p.m1)
	addSquare(p.between, 1, p.m2, p.m1)
	p.within.Add(p.within, scatterAbout(p.x, p.labels, 1, p.m2))
	return p
}

func (p pairOfClasses) fisher(t *testing.T) *classify.Fisher {
	return must(classify.FitFisher(p.x, targets(p.labels), classify.FisherOptions{}))(t)
}

// projectedMoments returns the mean and the scatter of wᵀx in each of the two classes.
func (p pairOfClasses) projectedMoments(w []float64) (mean, scatter [2]float64) {
	for i, l := range p.labels {
		mean[l] += floats.Dot(w, p.x.RawRowView(i)) / []float64{p.n1, p.n2}[l]
	}
	for i, l := range p.labels {
		off := floats.Dot(w, p.x.RawRowView(i)) - mean[l]
		scatter[l] += off * off
	}
	return mean, scatter
}

// form returns wᵀSw.
func form(s mat.Matrix, w []float64) float64 {
	v := mat.NewVecDense(len(w), w)
	return mat.Inner(v, s, v)
}

// times returns f·Sw.
func times(f float64, s mat.Matrix, w []float64) *mat.VecDense {
	var v mat.VecDense
	v.MulVec(s, mat.NewVecDense(len(w), w))
	v.ScaleVec(f, &v)
	return &v
}

// solveToUnit returns S⁻¹b, scaled to length 1.
func solveToUnit(t *testing.T, s *mat.Dense, b []float64) []float64 {
	t.Helper()
	var v mat.VecDense
	if err := v.SolveVec(s, mat.NewVecDense(len(b), b)); err != nil {
		t.Fatal(err)
	}
	v.ScaleVec(1/v.Norm(2), &v)
	return v.RawVector().Data
}

func TestEquationsFisherDirection(t *testing.T) {
	equation.Check(t, "prml-4.20", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m, at := p.fisher(t), p.x.RawRowView(0)
		return must(m.Scores(p.x))(t).At(0, 0) + m.Threshold, floats.Dot(m.Direction, at)
	})
	equation.Check(t, "prml-4.21", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		return p.fisher(t).Scatter.ClassMeans, []any{p.m1, p.m2}
	})
	equation.Check(t, "prml-4.22", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		return m.ProjectedMeans[1] - m.ProjectedMeans[0], floats.Dot(m.Direction, p.m2) - floats.Dot(m.Direction, p.m1)
	})
	equation.Holds(t, "prml-4.22", func(r *rand.Rand) error {
		means := newPairOfClasses(r).fisher(t).Scatter.ClassMeans
		apart := floats.SubTo(make([]float64, means.RawMatrix().Cols), means.RawRowView(1), means.RawRowView(0))
		for range 100 { // for any unit vector w, the projected means are at most as far apart as the means
			w := normals(r, len(apart))
			if got, most := floats.Dot(w, apart)/floats.Norm(w, 2), floats.Norm(apart, 2); got > most {
				return fmt.Errorf("the distance between the projected means is %v, want at most %v", got, most)
			}
		}
		return nil
	})
	equation.Check(t, "prml-4.23", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		mean, _ := p.projectedMoments(m.Direction)
		return m.ProjectedMeans[:], mean[:]
	})
	equation.Check(t, "prml-4.24", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		_, scatter := p.projectedMoments(m.Direction)
		return m.ProjectedScatters[:], scatter[:]
	})
	equation.Check(t, "prml-4.25", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		mean, scatter := p.projectedMoments(m.Direction)
		return m.J, (mean[1] - mean[0]) * (mean[1] - mean[0]) / (scatter[0] + scatter[1])
	})
	equation.Check(t, "prml-4.26", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		s, w := p.fisher(t).Scatter, normals(r, len(p.m1))
		mean, scatter := p.projectedMoments(w)
		share := p.n1 * p.n2 / (p.n1 + p.n2)
		return (mean[1] - mean[0]) * (mean[1] - mean[0]) / (scatter[0] + scatter[1]), form(s.Between,
			w) / share / form(s.Within, w)
	})
	equation.Check(t, "prml-4.27", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		var scaled mat.Dense
		scaled.Scale(p.n1*p.n2/(p.n1+p.n2), p.between)
		return p.fisher(t).Scatter.Between, &scaled
	})
	equation.Check(t, "prml-4.28", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		return must(classify.NewScatter(p.x, p.labels, 2))(t).Within, p.within
	})
	equation.Check(t, "prml-4.29", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := p.fisher(t).Direction
		return times(form(p.between, w), p.within, w), times(form(p.within, w), p.between, w)
	})
	// The tolerance 1e-7 allows for the error of the gradient, which is computed from difference
	// quotients.
	equation.CheckTo(t, "prml-4.29", 1e-7, func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := normals(r, len(p.m1))
		var off mat.VecDense
		off.SubVec(times(form(p.within, w), p.between, w), times(form(p.between, w), p.within, w))
		gradient := slopes(func(w []float64) float64 { return form(p.between, w) / form(p.within, w) }, w)
		floats.Scale(form(p.within, w)*form(p.within, w)/2, gradient)
		return &off, gradient
	})
	equation.Check(t, "prml-4.30", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		return p.fisher(t).Direction, solveToUnit(t, p.within, floats.SubTo(make([]float64, len(p.m1)), p.m1, p.m2))
	})
}

// writtenScatters returns the matrices (4.40) and (4.46), computed as PRML prints them.
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
		for i := range labels { // move the last row to a class of its own, which has scatter 0
			labels[i] = i / (len(labels) - 1)
		}
		m, _ := averageOf(x, labels, 0)
		return must(classify.NewScatter(x, labels, 2))(t).Within, scatterAbout(x, labels, 0, m)
	})
	equation.Check(t, "prml-4.42", func(r *rand.Rand) (left, right any) {
		s, x, labels, k := draw(r)
		// A least-squares fit that predicts x from the 1-of-K codes of the classes predicts the
		// class means.
		var means mat.Dense
		if err := means.Solve(oneOfK(labels, k), x); err != nil {
			t.Fatal(err)
		}
		return s.ClassMeans, &means
	})
	equation.Check(t, "prml-4.43", func(r *rand.Rand) (left, right any) {
		s, x, labels, _ := draw(r)
		// The total scatter is also a sum over all pairs of rows. This sum needs no mean.
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
	// draw returns random rows, their labels, and Fisher's discriminant fitted to them with one or
	// two features. The result y contains the features of the rows.
	draw := func(r *rand.Rand) (m *classify.FisherMulti, x, y *mat.Dense, labels []int, k int) {
		k = 3 + r.IntN(3)
		x, labels = labelledRows(r, k)
		m = must(classify.FitFisherMulti(x, labels, k, classify.FisherMultiOptions{Features: 1 + r.IntN(2)}))(t)
		return m, x, must(m.Transform(x))(t), labels, k
	}
	// inside returns WᵀSW.
	inside := func(w, s mat.Matrix) *mat.Dense {
		var p mat.Dense
		p.Product(w.T(), s, w)
		return &p
	}
	// criterion returns Tr{within⁻¹ between}.
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
		return []any{between, between}, []any{inside(m.W, m.Scatter.Between),
			mat.NewDiagDense(features, m.Eigenvalues[:features])}
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
		var mixed mat.Dense // J must not change if the features are multiplied by an invertible matrix
		mixed.Mul(y, randomCov(r, features))
		return []any{m.J, m.J}, []any{criterion(writtenScatters(y, labels, k)),
			criterion(writtenScatters(&mixed, labels, k))}
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
		return []any{m.J, m.J}, []any{criterion(inside(m.W, within), inside(m.W, between)),
			floats.Sum(values[len(values)-features:])}
	})
	equation.Holds(t, "prml-4.51", func(r *rand.Rand) error {
		m, x, _, labels, k := draw(r)
		within, between := writtenScatters(x, labels, k)
		d, features := m.W.Dims()
		for range 50 { // no random projection may have a larger J
			w := normalMatrix(r, d, features)
			if j := criterion(inside(w, within), inside(w, between)); j > m.J*(1+1e-9) {
				return fmt.Errorf("a random projection has J = %v, want at most %v", j, m.J)
			}
		}
		return nil
	})
}

func TestEquationsConvexHulls(t *testing.T) {
	equation.Check(t, "prml-4.156", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 1+r.IntN(3))
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
		for i := range 4 { // this shift makes about half of the random data sets separable
			x.Set(i, 0, x.At(i, 0)+3)
		}
		s := must(classify.Separable(x, target))(t)
		if !s.Separable {
			if least := min(floats.Min(s.Alpha), floats.Min(s.Beta)); least < 0 {
				return fmt.Errorf("the least coefficient of the common point of the hulls is %v, want at least 0", least)
			}
			return nil
		}
		// y must be positive at all points in the hull of class 0 and negative in the hull of class
		// 1.
		for class, side := range []float64{1, -1} {
			point, sum := make([]float64, 2), 0.0
			for n := range 4 {
				share := r.ExpFloat64()
				floats.AddScaled(point, share, x.RawRowView(4*class+n))
				sum += share
			}
			floats.Scale(1/sum, point)
			if y := affineValue(s.W, point); !(side*y > 0) {
				return fmt.Errorf("a point in the hull of class %d is on the wrong side of the plane: y = %v", class, y)
			}
		}
		return nil
	})
}
