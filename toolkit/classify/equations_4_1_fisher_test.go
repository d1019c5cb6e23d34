package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

func TestEquationsLeastSquares(t *testing.T) {
	fit := func(x, targets mat.Matrix) *classify.LeastSquares {
		return must(classify.FitLeastSquaresTargets(x, targets, classify.LeastSquaresOptions{}))(t)
	}
	// draw returns random rows, two to four columns of random targets and a random new input.
	draw := func(r *rand.Rand) (x, targets, at *mat.Dense) {
		d := 1 + r.IntN(4)
		n := 3*d + r.IntN(20)
		return normalMatrix(r, n, d), normalMatrix(r, n, 2+r.IntN(3)), normalMatrix(r, 1, d)
	}
	outputs := func(r *rand.Rand) (left, right any) {
		x, targets, at := draw(r)
		m := fit(x, targets)
		y := must(m.Outputs(at))(t)
		var each []float64
		for k := range y.RawMatrix().Cols {
			each = append(each, affineValue(mat.Col(nil, k, m.W), at.RawRowView(0)))
		}
		return []any{y, y}, []any{each, mul(targets.T(), pseudoInverse(withOnes(x)).T(), withOnes(at).T())}
	}
	equation.Check(t, "prml-4.13", outputs)
	equation.Check(t, "prml-4.14", outputs)
	equation.Check(t, "prml-4.17", outputs)
	squares := func(r *rand.Rand) (left, right any) {
		x, targets, _ := draw(r)
		m := fit(x, targets)
		off := mul(withOnes(x), m.W)
		off.Sub(off, targets)
		norm := mat.Norm(off, 2)
		return fill(2, m.SumSquare), []float64{mat.Trace(mul(off.T(), off)) / 2, norm * norm / 2}
	}
	equation.Check(t, "prml-4.15", squares)
	equation.Check(t, "part1-frobenius", squares)
	// If a column of x is repeated, the pseudo-inverse gives the solution with the least norm.
	equation.Check(t, "prml-4.16", func(r *rand.Rand) (left, right any) {
		x, targets, _ := draw(r)
		phi := withOnes(x)
		var twice mat.Dense
		twice.Augment(x, x.ColView(0))
		return []any{fit(x, targets).W, fit(&twice, targets).W},
			[]any{mul(inverse(mul(phi.T(), phi)), phi.T(), targets), mul(pseudoInverse(withOnes(&twice)), targets)}
	})
	// The optimum with a penalty solves (λI + ΦᵀΦ)W = ΦᵀT. If the bias is free, its diagonal entry in
	// I is 0 instead of 1.
	equation.Check(t, "prml-4.16", func(r *rand.Rand) (left, right any) {
		x, targets, _ := draw(r)
		phi, penalty := withOnes(x), mat.DenseCopyOf(eye(x.RawMatrix().Cols+1))
		o := classify.LeastSquaresOptions{Ridge: r.ExpFloat64(), FreeBias: r.IntN(2) == 0}
		penalty.Set(0, 0, truth(!o.FreeBias))
		w := solve(combine(o.Ridge, penalty, 1, mul(phi.T(), phi)), mul(phi.T(), targets))
		m := must(classify.FitLeastSquaresTargets(x, targets, o))(t)
		return []any{m.W, m.E}, []any{w, m.SumSquare + o.Ridge/2*mat.Trace(mul(w.T(), penalty, w))}
	})
	// constrained is like draw, but every row t of the targets satisfies aᵀt + b = 0.
	constrained := func(r *rand.Rand) (x, targets, at *mat.Dense, a []float64, b float64) {
		x, targets, at = draw(r)
		n, k := targets.Dims()
		a, b = normals(r, k), r.NormFloat64()
		for i := range n {
			row := targets.RawRowView(i)
			row[k-1] = -(b + floats.Dot(a[:k-1], row[:k-1])) / a[k-1]
		}
		return x, targets, at, a, b
	}
	equation.Check(t, "prml-4.19", func(r *rand.Rand) (left, right any) {
		x, targets, at, a, b := constrained(r)
		return mul(must(fit(x, targets).Outputs(at))(t), oneColumn(a)), -b
	})
	// One column of the inputs is constant. The outputs satisfy the constraint at a new input with the
	// same constant, but not at a new input with a different value in this column.
	equation.Holds(t, "P40", func(r *rand.Rand) error {
		x, targets, at, a, b := constrained(r)
		constant := fill(len(targets.RawMatrix().Data), 1+r.Float64())
		n, _ := x.Dims()
		var rows, in, out mat.Dense
		rows.Augment(x, oneColumn(constant[:n]))
		in.Augment(at, oneColumn(constant[:1]))
		out.Augment(at, oneColumn([]float64{-constant[0]}))
		m := fit(&rows, targets)
		off := func(x mat.Matrix) float64 { return math.Abs(mul(must(m.Outputs(x))(t), oneColumn(a)).At(0, 0) + b) }
		if off(&in) > 1e-8 || off(&out) < 1e-6 {
			return fmt.Errorf("|aᵀy + b| is %v with the same constant, want at most 1e-8; it is %v with a different value, want at least 1e-6", off(&in), off(&out))
		}
		return nil
	})
}

// TestEquationsConstraint checks the steps of exercise 4.2: if X̃ = QR begins with a column of ones,
// R₁₁ > 0 and x̃ begins with 1, then 1ᵀX̃(X̃ᵀX̃)⁻¹x̃ = 1ᵀQR⁻ᵀx̃ = √N·x̃ᵀ(R⁻¹)_{:,1} = 1.
func TestEquationsConstraint(t *testing.T) {
	draw := func(r *rand.Rand) (x, q, upper, inv, at *mat.Dense, root float64) {
		d := 2 + r.IntN(4)
		n := d + 1 + r.IntN(20)
		x, at = withOnes(normalMatrix(r, n, d-1)), oneColumn(normals(r, d))
		var qr mat.QR
		qr.Factorize(x)
		q, upper = new(mat.Dense), new(mat.Dense)
		qr.QTo(q)
		qr.RTo(upper)
		q, upper = mat.DenseCopyOf(q.Slice(0, n, 0, d)), mat.DenseCopyOf(upper.Slice(0, d, 0, d))
		sign := math.Copysign(1, upper.At(0, 0))
		q.Scale(sign, q)
		upper.Scale(sign, upper)
		return x, q, upper, solve(upper, eye(d)), at, math.Sqrt(float64(n))
	}
	factors := func(r *rand.Rand) (left, right any) {
		x, q, upper, inv, at, root := draw(r)
		n, d := x.Dims()
		first, firstEntry := append([]float64{1}, make([]float64, d-1)...), at.At(0, 0) // here x̃ begins with an arbitrary number, not with 1
		return []any{x, mul(q.T(), q), q.ColView(0), upper.ColView(0), inv.ColView(0), root * mul(at.T(), inv).At(0, 0)},
			[]any{mul(q, upper), eye(d), fill(n, 1/root), multiple(root, first), multiple(1/root, first), firstEntry}
	}
	equation.Check(t, "part1-qr", factors)
	equation.Check(t, "part1-qr-first-columns", factors)
	equation.Check(t, "part1-inverse-column", factors)
	equation.Check(t, "part1-qr-one", factors)
	hat := func(r *rand.Rand) (left, right any) {
		x, q, _, inv, at, root := draw(r)
		n, _ := x.Dims()
		ones := oneRow(fill(n, 1))
		product := mul(ones, q, inv.T(), at)
		return []any{mul(ones, x, inverse(mul(x.T(), x)), at), product}, []any{product, root * mul(at.T(), inv).At(0, 0)}
	}
	equation.Check(t, "part1-qr-hat", hat)
	equation.Check(t, "part1-qr-column", hat)
	// Here the inputs have no column of ones, because with such a column both sides would be 0.
	equation.Check(t, "part1-constraint-left", func(r *rand.Rand) (left, right any) {
		x, _, _, _, at, _ := draw(r)
		n, _ := x.Dims()
		x.SetCol(0, normals(r, n))
		a, b, targets := normals(r, 3), r.NormFloat64(), normalMatrix(r, n, 3)
		targets.SetCol(2, multiple(-1/a[2], flat(mul(targets, oneColumn([]float64{a[0], a[1], 0})))))
		targets.Apply(func(_, j int, v float64) float64 { return v - truth(j == 2)*b/a[2] }, targets)
		y := mul(targets.T(), pseudoInverse(x).T(), at)
		hat := mul(oneRow(fill(n, 1)), x, inverse(mul(x.T(), x)), at).At(0, 0)
		return mul(oneRow(a), y).At(0, 0) + b, b * (1 - hat)
	})
	equation.Misprint(t, "Q7", func(r *rand.Rand) equation.Reading {
		x, _, _, inv, _, _ := draw(r)
		n, _ := x.Dims()
		first := mat.Col(nil, 0, inv)
		return equation.Reading{True: floats.Dot(first, first), Printed: 1, Right: 1 / float64(n)}
	})
}

// eye returns the d×d unit matrix.
func eye(d int) *mat.DiagDense { return mat.NewDiagDense(d, fill(d, 1)) }

// scatterAbout returns the sum of (x_n − c)(x_n − c)ᵀ over the rows x_n of a class.
func scatterAbout(x *mat.Dense, labels []int, class int, centre []float64) *mat.Dense {
	s := mat.NewDense(len(centre), len(centre), nil)
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

// meanOf returns the mean of all rows.
func meanOf(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	return flat(mul(oneRow(fill(n, 1/float64(n))), x))
}

// scattersOf returns the matrices (4.40) and (4.46), computed as PRML prints them.
func scattersOf(x *mat.Dense, labels []int, k int) (within, between *mat.Dense) {
	_, d := x.Dims()
	within, between = mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	for class := range k {
		m, count := averageOf(x, labels, class)
		within.Add(within, scatterAbout(x, labels, class, m))
		addSquare(between, count, m, meanOf(x))
	}
	return within, between
}

// A pairOfClasses contains two random classes and the quantities in Fisher's discriminant, computed
// from their definitions.
type pairOfClasses struct {
	x               *mat.Dense
	labels          []int
	mean            [2][]float64
	apart           []float64 // m₂ − m₁
	count           [2]float64
	n, share        float64    // N and N₁N₂/N
	between, within *mat.Dense // (4.27) and (4.28)
	target          []float64  // N/N₁ and −N/N₂
	m               *classify.Fisher
}

func newPairOfClasses(t *testing.T, r *rand.Rand) (p pairOfClasses) {
	p.x, p.labels = labelledRows(r, 2)
	for k := range 2 {
		p.mean[k], p.count[k] = averageOf(p.x, p.labels, k)
	}
	p.n, p.apart = float64(len(p.labels)), minus(p.mean[1], p.mean[0])
	p.share = p.count[0] * p.count[1] / p.n
	p.between = mul(oneColumn(p.apart), oneRow(p.apart))
	p.within, _ = scattersOf(p.x, p.labels, 2)
	for _, l := range p.labels {
		p.target = append(p.target, []float64{p.n / p.count[0], -p.n / p.count[1]}[l])
	}
	p.m = must(classify.FitFisher(p.x, targets(p.labels), classify.FisherOptions{}))(t)
	return p
}

// project returns the mean and the scatter of wᵀx in each of the two classes.
func (p pairOfClasses) project(w []float64) (mean, scatter []float64) {
	y := mul(p.x, oneColumn(w))
	for k := range 2 {
		m, _ := averageOf(y, p.labels, k)
		mean, scatter = append(mean, m[0]), append(scatter, scatterAbout(y, p.labels, k, m).At(0, 0))
	}
	return mean, scatter
}

func TestEquationsFisher(t *testing.T) {
	projected := func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(t, r)
		w := p.m.Direction
		mean, scatter := p.project(w)
		j := (mean[1] - mean[0]) * (mean[1] - mean[0]) / (scatter[0] + scatter[1])
		score := must(p.m.Scores(p.x))(t).At(0, 0) + p.m.Threshold
		gap := p.m.ProjectedMeans[1] - p.m.ProjectedMeans[0]
		return []any{score, gap, p.m.ProjectedMeans[:], p.m.ProjectedScatters[:], p.m.J},
			[]any{floats.Dot(w, p.x.RawRowView(0)), floats.Dot(w, p.apart), mean, scatter, j}
	}
	equation.Check(t, "prml-4.20", projected)
	equation.Check(t, "prml-4.22", projected)
	equation.Check(t, "prml-4.23", projected)
	equation.Check(t, "prml-4.24", projected)
	equation.Check(t, "prml-4.25", projected)
	forms := func(r *rand.Rand) (left, right any) { // at a random w
		p := newPairOfClasses(t, r)
		w, s := normals(r, len(p.apart)), p.m.Scatter
		mean, scatter := p.project(w)
		between, within := (mean[1]-mean[0])*(mean[1]-mean[0]), scatter[0]+scatter[1]
		return []float64{between, within, scatter[0], between / within}, []float64{form(w, p.between, w),
			form(w, p.within, w), form(w, scatterAbout(p.x, p.labels, 0, p.mean[0]), w),
			form(w, s.Between, w) / p.share / form(w, s.Within, w)}
	}
	equation.Check(t, "prml-4.26", forms)
	equation.Check(t, "part1-between-form", forms)
	equation.Check(t, "part1-within-form", forms)
	scatter := func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(t, r)
		s, between := p.m.Scatter, mat.NewDense(len(p.apart), len(p.apart), nil)
		between.Scale(p.share, p.between)
		mixed := multiple(p.count[0]/p.n, p.mean[0])
		floats.AddScaled(mixed, p.count[1]/p.n, p.mean[1])
		_, sum := scattersOf(p.x, p.labels, 2)
		return []any{s.ClassMeans, s.Mean, s.Mean, s.Between, sum, s.Within},
			[]any{[]any{p.mean[0], p.mean[1]}, meanOf(p.x), mixed, between, between, p.within}
	}
	equation.Check(t, "prml-4.21", scatter)
	equation.Check(t, "prml-4.27", scatter)
	equation.Check(t, "prml-4.28", scatter)
	equation.Check(t, "prml-4.36", scatter)
	equation.Check(t, "part1-between-two", scatter)
	equation.Check(t, "P10", scatter)
	// At the maximum w of J the gradient is 0, which gives (4.29). At a random vector v, the check
	// compares the formula for the gradient with difference quotients.
	equation.CheckTo(t, "prml-4.29", 1e-7, func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(t, r)
		w, v := p.m.Direction, normals(r, len(p.apart))
		side := func(v []float64, a, b mat.Matrix) []float64 {
			return multiple(form(v, a, v), flat(mul(b, oneColumn(v))))
		}
		j := func(v []float64) float64 { return form(v, p.between, v) / form(v, p.within, v) }
		within := form(v, p.within, v)
		return []any{side(w, p.between, p.within), multiple(within*within/2, slopes(j, v))},
			[]any{side(w, p.within, p.between), minus(side(v, p.within, p.between), side(v, p.between, p.within))}
	})
	// Direction points to C₁, but the book's w points to C₂.
	equation.Check(t, "prml-4.30", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(t, r)
		return p.m.Direction, unit(multiple(-1, flat(solve(p.within, oneColumn(p.apart)))))
	})
	// The unit vector with the largest (wᵀd)² is the leading eigenvector of ddᵀ for d = m₂ − m₁.
	equation.Check(t, "part1-mean-direction", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(t, r)
		_, vectors := eigenOf(p.between)
		w := mat.Col(nil, 0, vectors)
		return multiple(math.Copysign(1, floats.Dot(w, p.apart)), w), unit(p.apart)
	})
	// The rule that PRML prints assigns each class mean to the wrong class.
	rules := func(r *rand.Rand) equation.Reading {
		p := newPairOfClasses(t, r)
		w := flat(solve(p.within, oneColumn(p.apart)))
		y0 := (floats.Dot(w, p.mean[0]) + floats.Dot(w, p.mean[1])) / 2
		var printed, right []float64
		for _, m := range p.mean {
			printed = append(printed, truth(floats.Dot(w, m) < y0))
			right = append(right, truth(floats.Dot(w, m) >= y0))
		}
		return equation.Reading{True: []int{0, 1}, Printed: printed, Right: right}
	}
	equation.Misprint(t, "P12", rules)
	equation.Misprint(t, "Q14", rules)
}

func TestEquationsFisherByLeastSquares(t *testing.T) {
	draw := func(r *rand.Rand) (p pairOfClasses, m *classify.LeastSquares, w []float64, y *mat.Dense) {
		p = newPairOfClasses(t, r)
		m = must(classify.FitLeastSquares(p.x, p.labels, 2, classify.LeastSquaresOptions{Coding: classify.CodingFisher}))(t)
		w = must(p.m.LeastSquaresWeights())(t)
		return p, m, w, mul(withOnes(p.x), oneColumn(w))
	}
	sums := func(r *rand.Rand) (left, right any) {
		p, m, w, y := draw(r)
		e := floats.Distance(flat(y), p.target, 2)
		got := must(classify.FisherTargets(targets(p.labels)))(t)
		return []any{mat.Col(nil, 0, m.W), m.SumSquare, mul(withOnes(p.x).T(), y), got, w[0]},
			[]any{w, e * e / 2, mul(withOnes(p.x).T(), oneColumn(p.target)), p.target, -floats.Dot(w[1:], meanOf(p.x))}
	}
	equation.Check(t, "prml-4.31", sums)
	equation.Check(t, "prml-4.32", sums)
	equation.Check(t, "prml-4.33", sums)
	equation.Check(t, "prml-4.34", sums)
	equation.Check(t, "prml-4.35", sums)
	// The notes on part I print a sum where the correct equation has a difference.
	normal := func(r *rand.Rand) (printed, right, difference []float64) {
		p, _, w, _ := draw(r)
		all := flat(mul(p.x.T(), p.x, oneColumn(w[1:])))
		mean := meanOf(p.x)
		part := multiple(p.n*floats.Dot(mean, w[1:]), mean)
		return floats.AddTo(make([]float64, len(all)), all, part), minus(all, part), multiple(-p.n, p.apart)
	}
	equation.Check(t, "part1-normal-equations", func(r *rand.Rand) (left, right any) {
		_, difference, apart := normal(r)
		return difference, apart
	})
	equation.Misprint(t, "Q1", func(r *rand.Rand) equation.Reading {
		printed, right, difference := normal(r)
		return equation.Reading{True: difference, Printed: printed, Right: right}
	})
	direction := func(r *rand.Rand) (left, right any) {
		p, _, w, _ := draw(r)
		s := mat.DenseCopyOf(p.between)
		s.Scale(p.share, s)
		s.Add(s, p.within)
		return []any{mul(s, oneColumn(w[1:])), unit(w[1:])},
			[]any{multiple(-p.n, p.apart), unit(multiple(-1, flat(solve(p.within, oneColumn(p.apart)))))}
	}
	equation.Check(t, "prml-4.37", direction)
	equation.Check(t, "prml-4.38", direction)
	equation.Misprint(t, "P11", func(r *rand.Rand) equation.Reading {
		p, _, w, _ := draw(r)
		printed := unit(flat(solve(p.within, oneColumn(p.apart))))
		return equation.Reading{True: unit(w[1:]), Printed: printed, Right: multiple(-1, printed)}
	})
}

// eigenOf returns the eigenvalues of a matrix in descending order, and their eigenvectors. All
// eigenvalues of the matrix must be real.
func eigenOf(a mat.Matrix) (values []float64, vectors *mat.Dense) {
	var e mat.Eigen
	e.Factorize(a, mat.EigenRight)
	var all mat.CDense
	e.VectorsTo(&all)
	n, _ := a.Dims()
	for _, v := range e.Values(nil) {
		values = append(values, -real(v))
	}
	order := make([]int, n)
	floats.Argsort(values, order)
	vectors = mat.NewDense(n, n, nil)
	vectors.Apply(func(i, j int, _ float64) float64 { return real(all.At(i, order[j])) }, vectors)
	return multiple(-1, values), vectors
}

// traceRatio returns Tr{within⁻¹ between}.
func traceRatio(within, between *mat.Dense) float64 { return mat.Trace(solve(within, between)) }

// criterion returns Tr{(WᵀS_W W)⁻¹ WᵀS_B W}.
func criterion(w, within, between mat.Matrix) float64 {
	return traceRatio(mul(w.T(), within, w), mul(w.T(), between, w))
}

func TestEquationsScatter(t *testing.T) {
	equation.Check(t, "prml-4.41", func(r *rand.Rand) (left, right any) {
		x, labels := labelledRows(r, 2)
		for i := range labels { // class 1 contains only the last row, so its scatter is 0
			labels[i] = i / (len(labels) - 1)
		}
		m, _ := averageOf(x, labels, 0)
		return must(classify.NewScatter(x, labels, 2))(t).Within, scatterAbout(x, labels, 0, m)
	})
	// A least-squares fit that predicts x from the 1-of-K codes of the classes predicts the class
	// means. The total scatter can also be computed without a mean, as a sum over all pairs of
	// rows.
	all := func(r *rand.Rand) (left, right any) {
		k := 3 + r.IntN(3)
		x, labels := labelledRows(r, k)
		n, d := x.Dims()
		s, pairs := must(classify.NewScatter(x, labels, k))(t), mat.NewDense(d, d, nil)
		for i := range n {
			for j := range i {
				addSquare(pairs, 1/float64(n), x.RawRowView(i), x.RawRowView(j))
			}
		}
		within, between := scattersOf(x, labels, k)
		var sum mat.Dense
		sum.Add(within, between)
		means := solve(oneOfK(labels, k), x)
		shares := oneRow(shareOfRows(labels, k))
		return []any{s.Within, s.Between, s.Total, s.Total, s.ClassMeans, s.Mean, s.Mean},
			[]any{within, between, pairs, &sum, means, meanOf(x), mul(shares, means)}
	}
	equation.Check(t, "prml-4.40", all)
	equation.Check(t, "prml-4.42", all)
	equation.Check(t, "prml-4.43", all)
	equation.Check(t, "prml-4.44", all)
	equation.Check(t, "prml-4.45", all)
	equation.Check(t, "prml-4.46", all)
}

func TestEquationsFisherFeatures(t *testing.T) {
	// draw returns random rows of k classes, the scatter matrices of the rows, and Fisher's
	// discriminant. The option Features is a random number from 0 to `most`, where 0 means all
	// features.
	draw := func(r *rand.Rand, most int) (m *classify.FisherMulti, x *mat.Dense, labels []int, k int, within,
		between *mat.Dense) {
		k = 3 + r.IntN(3)
		x, labels = labelledRows(r, k)
		m = must(classify.FitFisherMulti(x, labels, k, classify.FisherMultiOptions{Features: r.IntN(most + 1)}))(t)
		within, between = scattersOf(x, labels, k)
		return m, x, labels, k, within, between
	}
	features := func(r *rand.Rand) (left, right any) {
		m, x, labels, k, within, between := draw(r, 2)
		y := must(m.Transform(x))(t)
		n, d := y.Dims()
		yWithin, yBetween := scattersOf(y, labels, k)
		means := mul(m.Scatter.ClassMeans, m.W)
		return []any{y, yWithin, yWithin, yBetween, yBetween, m.ProjectedMeans, mul(oneRow(shareOfRows(labels, k)), means)},
			[]any{mul(x, m.W), mul(m.W.T(), within, m.W), eye(d), mul(m.W.T(), between, m.W),
				mat.NewDiagDense(d, m.Eigenvalues[:d]), means, mul(oneRow(fill(n, 1/float64(n))), y)}
	}
	equation.Check(t, "prml-4.39", features)
	equation.Check(t, "prml-4.47", features)
	equation.Check(t, "prml-4.48", features)
	equation.Check(t, "prml-4.49", features)
	value := func(r *rand.Rand) (left, right any) {
		m, x, labels, k, within, between := draw(r, 2)
		_, d := m.W.Dims()
		ratio := solve(within, between)
		values, _ := eigenOf(ratio)
		mixed := mul(x, m.W, randomCov(r, d)) // J must not change under an invertible linear map of the features
		return []any{m.J, m.J, m.J, mul(ratio, m.W)}, []any{traceRatio(scattersOf(mixed, labels, k)),
			criterion(m.W, within, between), floats.Sum(values[:d]), mul(m.W, mat.NewDiagDense(d, m.Eigenvalues[:d]))}
	}
	equation.Check(t, "prml-4.50", value)
	equation.Check(t, "prml-4.51", value)
	equation.Check(t, "part1-eigenvectors", value)
	// The criterion J for all min(D, K−1) features equals the criterion for all D dimensions.
	equation.Holds(t, "P42", func(r *rand.Rand) error {
		m, _, _, k, within, between := draw(r, 0)
		d, features := m.W.Dims()
		if j := traceRatio(within, between); features != min(d, k-1) || math.Abs(m.J-j) > 1e-9*j {
			return fmt.Errorf("D = %d, K = %d: got %d features and J = %v, want min(D, K−1) features and J = %v",
				d, k, features, m.J, j)
		}
		return nil
	})
	// For erratum P8 the true value is the criterion of the projected points. For errata P9 and Q6
	// the true value is the criterion of all dimensions.
	equation.Misprint(t, "P8", func(r *rand.Rand) equation.Reading {
		m, x, labels, k, within, between := draw(r, 2)
		for d, features := m.W.Dims(); d == features; d, features = m.W.Dims() {
			m, x, labels, k, within, between = draw(r, 2)
		}
		reading := equation.Reading{True: traceRatio(scattersOf(mul(x, m.W), labels, k)),
			Right: criterion(m.W, within, between)}
		if mat.Maybe(func() { reading.Printed = criterion(m.W.T(), within, between) }) == nil {
			t.Error("the printed product of matrices exists, want shapes that do not agree")
		}
		return reading
	})
	equation.Misprint(t, "P9", func(r *rand.Rand) equation.Reading {
		g := newGroups(r)
		return equation.Reading{True: traceRatio(g.within, g.between), Printed: criterion(g.apart, g.within, g.between),
			Right: criterion(solve(g.within, g.apart), g.within, g.between)}
	})
	equation.Misprint(t, "Q6", func(r *rand.Rand) equation.Reading {
		g := newGroups(r)
		leading := func(within, between *mat.Dense) mat.Matrix {
			_, vectors := eigenOf(solve(within, between))
			n, _ := vectors.Dims()
			return vectors.Slice(0, n, 0, 2)
		}
		w := normalMatrix(r, 4, 2)
		// the matrix `small` has fewer than D rows, so the printed product does not exist
		small := leading(mul(w.T(), g.within, w), mul(w.T(), g.between, w))
		reading := equation.Reading{True: traceRatio(g.within, g.between),
			Right: criterion(leading(g.within, g.between), g.within, g.between)}
		if mat.Maybe(func() { reading.Printed = criterion(small, g.within, g.between) }) == nil {
			t.Error("the printed product of matrices exists, want shapes that do not agree")
		}
		return reading
	})
	// The matrices (m_k−m)(m_k−m)ᵀ are linearly independent, although the vectors m_k−m are
	// linearly dependent.
	equation.Misprint(t, "P41", func(r *rand.Rand) equation.Reading {
		k := 3 + r.IntN(2)
		vectors, matrices := normalMatrix(r, k, k-1), mat.NewDense(k, (k-1)*(k-1), nil)
		mean := meanOf(vectors)
		for i := range k {
			row := vectors.RawRowView(i)
			floats.Sub(row, mean)
			matrices.SetRow(i, flat(mul(oneColumn(row), oneRow(row))))
		}
		rank := func(m mat.Matrix) int {
			var s mat.SVD
			s.Factorize(m, mat.SVDNone)
			return s.Rank(1e-10)
		}
		return equation.Reading{True: []int{rank(matrices), rank(vectors)}, Printed: []int{k - 1, k - 1},
			Right: []int{k, k - 1}}
	})
}

// A group contains the scatter matrices of three random classes in four dimensions. The columns of
// the field `apart` are m₁ − m and m₂ − m.
type group struct{ within, between, apart *mat.Dense }

func newGroups(r *rand.Rand) (g group) {
	x, labels := normalMatrix(r, 24, 4), slices.Repeat([]int{0, 1, 2}, 8)
	g.within, g.between = scattersOf(x, labels, 3)
	g.apart = mat.NewDense(4, 2, nil)
	for j := range 2 {
		m, _ := averageOf(x, labels, j)
		g.apart.SetCol(j, minus(m, meanOf(x)))
	}
	return g
}
