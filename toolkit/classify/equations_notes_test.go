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

// The equations in this file occur in two sets of notes on PRML but not in the book. Their ids
// therefore contain no equation number of PRML.

func TestEquationsNotesBayes(t *testing.T) {
	equation.CheckTo(t, "brief-other-class", 1e-8, func(r *rand.Rand) (left, right any) { // two Newton runs
		x, target := overlappingRows(r, 40, 2)
		other := make([]float64, len(target))
		for i, v := range target {
			other[i] = 1 - v
		}
		o := classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1 + r.Float64()}}
		p := must(must(classify.FitBayesLogistic(x, target, o))(t).Posterior(x))(t)
		q := must(must(classify.FitBayesLogistic(x, other, o))(t).Posterior(x))(t)
		rest := make([]float64, len(target))
		for i := range rest {
			rest[i] = 1 - p.At(i, 0)
		}
		return []any{p.ColView(1), q.ColView(0)}, []any{rest, rest}
	})
	// The check replaces the delta function δ by a narrow Gaussian around 0 with integral 1.
	equation.CheckTo(t, "brief-delta", 1e-8, func(r *rand.Rand) (left, right any) { // width 1e-5
		at := r.NormFloat64()
		return []float64{classify.ConvolveSigmoid(at, 1e-10), classify.ConvolveProbit(1, at, 1e-10)},
			[]float64{logisticOf(at), math.Erfc(-at/math.Sqrt2) / 2}
	})
}

func TestEquationsNotesPlanes(t *testing.T) {
	equation.Check(t, "part1-orthogonal", func(r *rand.Rand) (left, right any) {
		h := must(classify.NewHyperplane(normals(r, 3+r.IntN(4))))(t)
		a, b := must(h.Project(normals(r, len(h.W))))(t), must(h.Project(normals(r, len(h.W))))(t)
		size := floats.Distance(a, b, 2)
		return []float64{size + floats.Dot(h.W, a) - floats.Dot(h.W, b)}, size
	})
	equation.Check(t, "part1-foot-product", func(r *rand.Rand) (left, right any) {
		w := normals(r, 3+r.IntN(4))
		h, x := must(classify.NewHyperplane(w))(t), normals(r, len(w)-1)
		long := floats.Norm(w[1:], 2)
		return must(h.Distance(x))(t) * floats.Dot(w[1:], w[1:]) / long, floats.Dot(w[1:], x) - floats.Dot(w[1:],
			nearestOn(w, x))
	})
	equation.Check(t, "part1-largest", func(r *rand.Rand) (left, right any) {
		w, x := normalMatrix(r, 4, 3+r.IntN(3)), normalMatrix(r, 30, 3)
		var best []int
		for i := range 30 {
			_, k := w.Dims()
			y := make([]float64, k)
			for j := range y {
				y[j] = affineValue(mat.Col(nil, j, w), x.RawRowView(i))
			}
			best = append(best, slices.Index(y, slices.Max(y)))
		}
		return must(must(classify.NewLinearMachine(w))(t).Predict(x))(t), best
	})
}

func TestEquationsNotesFrobenius(t *testing.T) {
	equation.Check(t, "part1-frobenius", func(r *rand.Rand) (left, right any) {
		x, targets := normalMatrix(r, 20, 3), normalMatrix(r, 20, 2+r.IntN(3))
		m := must(classify.FitLeastSquaresTargets(x, targets, classify.LeastSquaresOptions{}))(t)
		var off mat.Dense
		off.Mul(withOnes(x), m.W)
		off.Sub(&off, targets)
		var square mat.Dense
		square.Mul(off.T(), &off)
		sum, norm := 0.0, mat.Norm(&off, 2)
		for _, v := range off.RawMatrix().Data {
			sum += v * v / 2
		}
		return []float64{m.SumSquare, m.SumSquare, m.SumSquare}, []float64{sum, mat.Trace(&square) / 2, norm * norm / 2}
	})
}

// A factoredInputs contains the inputs of exercise 4.2, the factors Q and R of these inputs with
// R₁₁ > 0, and one more input x̃.
type factoredInputs struct {
	x, q, r, inverse *mat.Dense
	at               []float64
	root             float64 // √N
}

func newFactored(t *testing.T, r *rand.Rand) (f factoredInputs) {
	d := 1 + r.IntN(4)
	n := d + 2 + r.IntN(20)
	f.x = withOnes(normalMatrix(r, n, d))
	f.at, f.root = append([]float64{1}, normals(r, d)...), math.Sqrt(float64(n))
	var qr mat.QR
	qr.Factorize(f.x)
	var q, upper mat.Dense
	qr.QTo(&q)
	qr.RTo(&upper)
	f.q, f.r = mat.DenseCopyOf(q.Slice(0, n, 0, d+1)), mat.DenseCopyOf(upper.Slice(0, d+1, 0, d+1))
	if f.r.At(0, 0) < 0 { // change both signs if Factorize returned −Q and −R
		f.q.Scale(-1, f.q)
		f.r.Scale(-1, f.r)
	}
	f.inverse = new(mat.Dense)
	if err := f.inverse.Inverse(f.r); err != nil {
		t.Fatal(err)
	}
	return f
}

// hat returns the value 1ᵀX̃(X̃ᵀX̃)⁻¹x̃, computed with the normal equations.
func (f factoredInputs) hat(t *testing.T) float64 {
	var gram mat.Dense
	var solution, row mat.VecDense
	gram.Mul(f.x.T(), f.x)
	if err := solution.SolveVec(&gram, mat.NewVecDense(len(f.at), f.at)); err != nil {
		t.Fatal(err)
	}
	row.MulVec(f.x, &solution)
	return mat.Sum(&row)
}

// column returns √N·x̃ᵀ(R⁻¹)_{:,1}.
func (f factoredInputs) column() float64 {
	return f.root * floats.Dot(f.at, mat.Col(nil, 0, f.inverse))
}

// product returns 1ᵀQR⁻ᵀx̃.
func (f factoredInputs) product() float64 {
	var v, row mat.VecDense
	v.MulVec(f.inverse.T(), mat.NewVecDense(len(f.at), f.at))
	row.MulVec(f.q, &v)
	return mat.Sum(&row)
}

func TestEquationsNotesConstraint(t *testing.T) {
	// The inputs of this check have no column of ones. With a column of ones, 1 − 1ᵀX̃(X̃ᵀX̃)⁻¹x̃
	// is zero.
	equation.Check(t, "part1-constraint-left", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		n, _ := f.x.Dims()
		for i := range n {
			f.x.Set(i, 0, r.NormFloat64())
		}
		a, b, targets := normals(r, 3), r.NormFloat64(), normalMatrix(r, n, 3)
		for i := range n {
			row := targets.RawRowView(i)
			row[2] = -(b + floats.Dot(a[:2], row[:2])) / a[2]
		}
		var w mat.Dense
		w.Mul(pseudoInverseOf(f.x), targets)
		y := make([]float64, 3)
		for k := range y {
			y[k] = floats.Dot(mat.Col(nil, k, &w), f.at)
		}
		return floats.Dot(a, y) + b, b * (1 - f.hat(t))
	})
	equation.Check(t, "part1-qr", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		var product, unit mat.Dense
		product.Mul(f.q, f.r)
		unit.Mul(f.q.T(), f.q)
		_, d := f.x.Dims()
		return []any{f.x, &unit}, []any{&product, mat.NewDiagDense(d, slices.Repeat([]float64{1}, d))}
	})
	equation.Check(t, "part1-qr-first-columns", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		n, d := f.x.Dims()
		first := make([]float64, d)
		first[0] = f.root
		return []any{f.q.ColView(0), f.r.ColView(0)}, []any{slices.Repeat([]float64{1 / f.root}, n), first}
	})
	equation.Check(t, "part1-qr-hat", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		for i := range f.at { // replace the first entry, because the result is always 1 if x̃ begins with 1
			f.at[i] = r.NormFloat64()
		}
		return f.hat(t), f.product()
	})
	equation.Check(t, "part1-qr-column", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		f.at[0] = r.NormFloat64()
		return f.product(), f.column()
	})
	equation.Check(t, "part1-inverse-column", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		column := mat.Col(nil, 0, f.inverse)
		n, d := f.x.Dims()
		first := make([]float64, d)
		first[0] = 1 / f.root
		return []any{column, floats.Dot(column, column)}, []any{first, 1 / float64(n)}
	})
	equation.Check(t, "part1-qr-one", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		by := r.NormFloat64() // multiply x̃ by a factor, so that the expected value is this factor instead of 1
		floats.Scale(by, f.at)
		return f.column(), by
	})
}

func TestEquationsNotesFisher(t *testing.T) {
	// The unit vector w with the largest (wᵀd)² is the leading eigenvector of ddᵀ, where d = m₂ −
	// m₁.
	equation.Check(t, "part1-mean-direction", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		d := len(p.m1)
		square := mat.NewSymDense(d, nil)
		for i := range d {
			for j := range d {
				square.SetSym(i, j, p.between.At(i, j))
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(square, true) {
			t.Fatal("no eigenvectors")
		}
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		w, apart := mat.Col(nil, d-1, &vectors), floats.SubTo(make([]float64, d), p.m2, p.m1)
		floats.Scale(math.Copysign(floats.Norm(apart, 2), floats.Dot(w, apart)), w)
		return w, apart
	})
	equation.Check(t, "part1-between-form", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := normals(r, len(p.m1))
		mean, _ := p.projectedMoments(w)
		return math.Pow(mean[1]-mean[0], 2), form(p.between, w)
	})
	equation.Check(t, "part1-within-form", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := normals(r, len(p.m1))
		_, scatter := p.projectedMoments(w)
		return scatter[:], []float64{form(scatterAbout(p.x, p.labels, 0, p.m1), w),
			form(scatterAbout(p.x, p.labels, 1, p.m2), w)}
	})
	equation.Check(t, "part1-normal-equations", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := must(classify.FitLeastSquares(p.x, p.labels, 2,
			classify.LeastSquaresOptions{Coding: classify.CodingFisher}))(t)
		w, n, d := mat.Col(nil, 0, m.W)[1:], p.n1+p.n2, len(p.m1)
		mean, apart := make([]float64, d), floats.SubTo(make([]float64, d), p.m1, p.m2)
		floats.AddScaled(mean, p.n1/n, p.m1)
		floats.AddScaled(mean, p.n2/n, p.m2)
		floats.Scale(n, apart)
		sum := make([]float64, d)
		for i := range p.labels {
			floats.AddScaled(sum, floats.Dot(p.x.RawRowView(i), w), p.x.RawRowView(i))
		}
		floats.AddScaled(sum, -n*floats.Dot(mean, w), mean)
		return sum, apart
	})
	equation.Check(t, "part1-between-two", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		var s mat.Dense
		s.Scale(p.n1*p.n2/(p.n1+p.n2), p.between)
		return must(classify.NewScatter(p.x, p.labels, 2))(t).Between, &s
	})
	equation.Check(t, "part1-eigenvectors", func(r *rand.Rand) (left, right any) {
		k := 3 + r.IntN(3)
		x, labels := labelledRows(r, k)
		m := must(classify.FitFisherMulti(x, labels, k, classify.FisherMultiOptions{}))(t)
		within, between := writtenScatters(x, labels, k)
		_, features := m.W.Dims()
		var ratio, product, scaled mat.Dense
		if err := ratio.Solve(within, between); err != nil {
			t.Fatal(err)
		}
		product.Mul(&ratio, m.W)
		scaled.Mul(m.W, mat.NewDiagDense(features, m.Eigenvalues[:features]))
		return &product, &scaled
	})
}

func TestEquationsNotesPerceptron(t *testing.T) {
	equation.Holds(t, "part1-right-side", func(r *rand.Rand) error {
		x, w := normalMatrix(r, 20, 2), normals(r, 3)
		w[0] = 0
		x.SetRow(1, []float64{-x.At(0, 0), -x.At(0, 1)}) // both classes must have rows
		target := make([]float64, 20)
		for i := range target {
			target[i] = truth(affineValue(w, x.RawRowView(i)) > 0)
		}
		m := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{MaxEpochs: 100000}))(t)
		for i, v := range target {
			if a := affineValue(m.W, x.RawRowView(i)); !(a*(2*v-1) > 0) {
				return fmt.Errorf("the activation of row %d with target %v is %v and has the wrong sign", i, v, a)
			}
		}
		return nil
	})
}

func TestEquationsNotesLikelihood(t *testing.T) {
	// draw returns a fit of Gaussian classes to random rows. oneOfK contains the targets t_nk.
	// densities contains ln p(x_n|C_k), computed by gonum.
	draw := func(r *rand.Rand) (x, oneOfK, densities *mat.Dense, m *classify.LDA) {
		k := 2 + r.IntN(3)
		x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
		oneOfK = mat.NewDense(len(labels), k, nil)
		ones := make([]float64, k)
		for i, l := range labels {
			oneOfK.Set(i, l, 1)
		}
		floats.AddConst(1, ones)
		return x, oneOfK, jointLogs(t, x, m.Means, ones, m.Sigma), m
	}
	// Compare logarithms, because exponentials of large sums overflow.
	equation.CheckTo(t, "part1-likelihood", 1e-7, func(r *rand.Rand) (left, right any) {
		_, oneOfK, densities, m := draw(r)
		n, k := oneOfK.Dims()
		product := 1.0
		for i := range n {
			for j := range k {
				product *= math.Pow(math.Exp(densities.At(i, j))*m.Priors[j], oneOfK.At(i, j))
			}
		}
		return math.Exp(m.LogLikelihood), product
	})
	equation.Check(t, "part1-log-likelihood", func(r *rand.Rand) (left, right any) {
		_, oneOfK, densities, m := draw(r)
		n, k := oneOfK.Dims()
		sum := 0.0
		for i := range n {
			for j := range k {
				sum += oneOfK.At(i, j) * (densities.At(i, j) + math.Log(m.Priors[j]))
			}
		}
		return m.LogLikelihood, sum
	})
	equation.Check(t, "part1-gaussian-log-likelihood", func(r *rand.Rand) (left, right any) {
		x, oneOfK, _, m := draw(r)
		n, k := oneOfK.Dims()
		d := float64(m.Sigma.SymmetricDim())
		var inverse mat.Dense
		if err := inverse.Inverse(m.Sigma); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := range n {
			for j := range k {
				off := floats.SubTo(make([]float64, int(d)), x.RawRowView(i), mat.Row(nil, j, m.Means))
				sum += oneOfK.At(i,
					j) * (-d/2*math.Log(2*math.Pi) - math.Log(mat.Det(m.Sigma))/2 - form(&inverse,
					off)/2 + math.Log(m.Priors[j]))
			}
		}
		return m.LogLikelihood, sum
	})
	// shares returns the number of rows of each class, the priors of a fit, N, and ln p(T,X|π).
	shares := func(r *rand.Rand) (counts, priors []float64, n float64, l func([]float64) float64) {
		_, oneOfK, densities, m := draw(r)
		rows, k := oneOfK.Dims()
		for j := range k {
			counts = append(counts, mat.Sum(oneOfK.ColView(j)))
		}
		return counts, m.Priors, float64(rows), func(p []float64) (sum float64) {
			for i := range rows {
				for j := range k {
					sum += oneOfK.At(i, j) * (densities.At(i, j) + math.Log(p[j]))
				}
			}
			return sum
		}
	}
	equation.CheckTo(t, "part1-lagrangian", 1e-7, func(r *rand.Rand) (left, right any) { // numerical derivative
		_, priors, n, l := shares(r)
		gradient := slopes(func(p []float64) float64 { return l(p) - n*(floats.Sum(p)-1) }, priors)
		floats.AddConst(n, gradient) // the gradient is 0; adding n to both sides makes the tolerance proportional to n
		return gradient, fill(len(priors), n)
	})
	equation.CheckTo(t, "part1-prior-derivative", 1e-7, func(r *rand.Rand) (left, right any) { // numerical derivative
		counts, priors, _, l := shares(r)
		at, lambda, want := make([]float64, len(priors)), r.NormFloat64(), make([]float64, len(priors))
		for j := range at { // an arbitrary point
			at[j] = 0.2 + r.Float64()
			want[j] = counts[j]/at[j] + lambda
		}
		return slopes(func(p []float64) float64 { return l(p) + lambda*(floats.Sum(p)-1) }, at), want
	})
	equation.Check(t, "part1-multiplier", func(r *rand.Rand) (left, right any) {
		counts, priors, n, _ := shares(r)
		lambda := floats.DivTo(make([]float64, len(counts)), counts, priors)
		return lambda, fill(len(priors), n)
	})
}

// fill returns a slice with n copies of v.
func fill(n int, v float64) []float64 {
	all := make([]float64, n)
	floats.AddConst(v, all)
	return all
}

func TestEquationsNotesLevels(t *testing.T) {
	// draw returns a fit of naive Bayes to two categorical features. mu contains μ_kij, computed
	// from counts of rows, and "all" contains every possible input.
	draw := func(r *rand.Rand) (m *classify.NaiveBayesCategorical, mu [][][]float64, priors []float64, all *mat.Dense) {
		levels, k, n := []int{2 + r.IntN(3), 2 + r.IntN(3)}, 2+r.IntN(2), 40
		x, labels := mat.NewDense(n, 2, nil), make([]int, n)
		priors = make([]float64, k)
		for i := range n {
			labels[i] = i % k
			priors[i%k]++
			for f, many := range levels { // each class first gets every value once, then random values
				x.Set(i, f, float64(r.IntN(many)))
				if i < k*many {
					x.Set(i, f, float64(i/k))
				}
			}
		}
		mu = make([][][]float64, k)
		for c := range k {
			for f, many := range levels {
				mu[c] = append(mu[c], make([]float64, many))
				for i := range n {
					if labels[i] == c {
						mu[c][f][int(x.At(i, f))] += 1 / priors[c]
					}
				}
			}
		}
		floats.Scale(1/float64(n), priors)
		all = mat.NewDense(levels[0]*levels[1], 2, nil)
		for i := range levels[0] * levels[1] {
			all.SetRow(i, []float64{float64(i % levels[0]), float64(i / levels[0])})
		}
		return must(classify.FitNaiveBayesCategorical(x, levels, labels, k,
			classify.NaiveBayesCategoricalOptions{}))(t), mu, priors, all
	}
	// product returns Π_i Π_j μ_kij^{φ_ij} with the 1-of-L code φ of an input.
	product := func(mu [][]float64, x []float64) float64 {
		p := 1.0
		for f := range mu {
			for j, v := range mu[f] {
				p *= math.Pow(v, truth(int(x[f]) == j))
			}
		}
		return p
	}
	equation.Check(t, "part1-categorical", func(r *rand.Rand) (left, right any) {
		m, mu, _, all := draw(r)
		var p, want mat.Dense
		p.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, must(m.LogDensities(all))(t))
		want.Apply(func(i, k int, _ float64) float64 { return product(mu[k], all.RawRowView(i)) }, &p)
		return &p, &want
	})
	equation.Check(t, "part1-levels-sum", func(r *rand.Rand) (left, right any) {
		m, mu, priors, all := draw(r)
		var sums []float64 // for each feature, the prior multiplied by the sum of μ over the values of the feature
		var want []float64
		for k := range mu {
			for f := range mu[k] {
				sums = append(sums, priors[k]*floats.Sum(mat.Row(nil, k, m.Mu[f])))
				want = append(want, priors[k])
			}
		}
		total := 0.0 // the sum of p(x) over all possible inputs
		logs := must(m.LogMarginal(all))(t)
		for _, v := range logs {
			total += math.Exp(v)
		}
		return append(sums, total), append(want, 1)
	})
	equation.Check(t, "part1-categorical-activations", func(r *rand.Rand) (left, right any) {
		m, mu, priors, all := draw(r)
		var scores, want mat.Dense
		scores.CloneFrom(must(m.LogDensities(all))(t))
		scores.Apply(func(_, k int, v float64) float64 { return v + math.Log(m.Priors[k]) }, &scores)
		want.Apply(func(i, k int, _ float64) float64 {
			a := math.Log(priors[k])
			for f, v := range all.RawRowView(i) {
				a += math.Log(mu[k][f][int(v)])
			}
			return a
		}, &scores)
		return &scores, &want
	})
}
