package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

func TestErrataNotes(t *testing.T) {
	// The check uses the weights of the least-squares fit to the targets N/N₁ and −N/N₂, for which
	// w₀ = −wᵀm. The printed equation adds the term N m mᵀw, but the term must be subtracted.
	equation.Misprint(t, "Q1", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 2, 3)
		n1, _ := g.x[0].Dims()
		var x mat.Dense
		x.Stack(g.x[0], g.x[1])
		design, target := mat.NewDense(g.n, 4, nil), mat.NewVecDense(g.n, nil)
		for i := range g.n {
			design.SetRow(i, append([]float64{1}, x.RawRowView(i)...))
			target.SetVec(i, float64(g.n)/float64(n1))
			if i >= n1 {
				target.SetVec(i, -float64(g.n)/float64(g.n-n1))
			}
		}
		var fit, at, sum, mean mat.VecDense
		_ = fit.SolveVec(design, target)
		w, m := fit.SliceVec(1, 4), mat.NewVecDense(3, g.mean)
		at.MulVec(&x, w)
		sum.MulVec(x.T(), &at)
		mean.ScaleVec(float64(g.n)*mat.Dot(m, w), m)
		var printed, right mat.VecDense
		printed.AddVec(&sum, &mean)
		right.SubVec(&sum, &mean)
		truth := difference(g.means[0], g.means[1])
		truth.ScaleVec(float64(g.n), truth)
		return equation.Reading{True: truth, Printed: &printed, Right: &right}
	})
	equation.Misprint(t, "Q2", func(r *rand.Rand) equation.Reading {
		d := 2 + r.IntN(3)
		cov, mean, x := randomCov(r, d), normals(r, d), normals(r, d)
		p, _ := distmv.NewNormal(mean, cov, nil)
		diff := difference(x, mean)
		bell := math.Exp(-mat.Inner(diff, inverse(t, cov), diff)/2) / math.Sqrt(mat.Det(cov))
		return equation.Reading{True: p.Prob(x), Printed: bell / math.Sqrt(2*math.Pi),
			Right: bell / math.Pow(2*math.Pi, float64(d)/2)}
	})
	// If the weights are the leading eigenvectors of the D×D matrix S_W⁻¹S_B, the criterion is as
	// large as with all D dimensions. The notes print the eigenvectors of s_W⁻¹s_B, which have
	// fewer than D entries.
	equation.Misprint(t, "Q6", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 3, 4)
		leading := func(w, sw, sb mat.Matrix) *mat.Dense { // a matrix whose columns are the two leading eigenvectors
			var c, a, b, v mat.Dense
			a.Product(w.T(), sw, w)
			b.Product(w.T(), sb, w)
			_ = c.Solve(&a, &b)
			var e mat.Eigen
			e.Factorize(&c, mat.EigenRight)
			var complex mat.CDense
			e.VectorsTo(&complex)
			n, _ := c.Dims()
			values := make([]float64, n)
			for i, l := range e.Values(nil) {
				values[i] = -real(l)
			}
			order := make([]int, n)
			floats.Argsort(values, order)
			v.ReuseAs(n, 2)
			for i := range n {
				for j := range 2 {
					v.Set(i, j, real(complex.At(i, order[j])))
				}
			}
			return &v
		}
		all := mat.NewDiagDense(4, []float64{1, 1, 1, 1})
		small := leading(normalMatrix(r, 4, 2), g.sw, g.sb) // the 2×2 matrix W whose columns are the printed eigenvectors
		return equation.Reading{True: criterion(all, g.sw, g.sb), Printed: criterion(small, g.sw, g.sb),
			Right: criterion(leading(all, g.sw, g.sb), g.sw, g.sb)}
	})
	// The checked value is the squared length of the first column of R⁻¹. R is the triangular
	// factor in the QR factorisation of a design matrix with a column of ones.
	equation.Misprint(t, "Q7", func(r *rand.Rand) equation.Reading {
		n := 5 + r.IntN(20)
		design := normalMatrix(r, n, 3)
		for i := range n {
			design.Set(i, 0, 1)
		}
		var qr mat.QR
		qr.Factorize(design)
		var full, inv mat.Dense
		qr.RTo(&full)
		_ = inv.Inverse(full.Slice(0, 3, 0, 3))
		column := mat.Col(nil, 0, &inv)
		return equation.Reading{True: floats.Dot(column, column), Printed: 1, Right: 1 / float64(n)}
	})
	equation.Check(t, "N2", func(r *rand.Rand) (left, right any) {
		a := 4*r.Float64() - 2
		erf := slope(func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) }, a) // the notes' erf
		return erf, 2 / math.Sqrt(math.Pi) * math.Exp(-a*a/2)
	})
}

func TestErrataCounterexamples(t *testing.T) {
	equation.Holds(t, "P2", func(r *rand.Rand) error {
		x, labels := normalMatrix(r, 12, 2), make([]int, 12)
		for i := range labels {
			labels[i] = i % 3
		}
		o := must(classify.SoftmaxObjective(x, labels, 3, nil))(t)
		w := normals(r, 9)
		var e mat.EigenSym
		e.Factorize(must(o.Hessian(w))(t), false)
		values := e.Values(nil)
		if !(math.Abs(values[2]) < 1e-9*values[8] && values[3] > 1e-9*values[8]) {
			return fmt.Errorf("the eigenvalues are %v, want exactly three zeros", values)
		}
		return nil
	})
	// The check fits 1-of-K targets with the pseudo-inverse. One column of the training rows is
	// constant. The outputs sum to 1 for a new input with the same constant in this column. The
	// outputs do not sum to 1 if the new input has a different value in this column.
	equation.Holds(t, "P40", func(r *rand.Rand) error {
		x, targets, constant := normalMatrix(r, 12, 3), mat.NewDense(12, 3, nil), 1+r.Float64()
		for i := range 12 {
			x.SetRow(i, []float64{1, x.At(i, 1), constant})
			targets.Set(i, r.IntN(3), 1)
		}
		var s mat.SVD
		s.Factorize(x, mat.SVDThin)
		var w mat.Dense
		s.SolveTo(&w, targets, 2)
		sum := func(x []float64) float64 { return floats.Sum(timesVector(w.T(), x)) }
		v := r.NormFloat64()
		if in, out := sum([]float64{1, v, constant}), sum([]float64{1, v, -constant}); math.Abs(in-1) > 1e-9 || math.Abs(out-1) < 1e-3 {
			return fmt.Errorf("the outputs sum to %v if the new input has the constant of the rows, and to %v if it has another value; want 1 only with the constant", in, out)
		}
		return nil
	})
	// The probability (4.155) and the probability at w_MAP are on the same side of ½, even for
	// unequal class sizes.
	equation.Holds(t, "P45", func(r *rand.Rand) error {
		x, labels := noisyClasses(r, 2, 2)
		target := mat.Col(nil, 0, oneOfK(labels, 2))
		m := must(classify.FitBayesLogistic(x, target,
			classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
		at := normalMatrix(r, 50, 2)
		for n, p := range mat.Col(nil, 0, must(m.Posterior(at))(t)) {
			if a := affineValue(m.W, at.RawRowView(n)); p > 0.5 != (a > 0) {
				return fmt.Errorf("the probability is %v, on the wrong side of ½ for the activation %v at w_MAP", p, a)
			}
		}
		return nil
	})
	separable := func(r *rand.Rand) error { // checks that E falls from w to 2w to 4w, so E has no minimum along w
		e, w := newEntropyOf(r, 10, 2), normals(r, 2)
		for i := range e.t {
			e.t[i] = truth(floats.Dot(w, e.phi.RawRowView(i)) > 0)
		}
		at := func(c float64) float64 { return e.value([]float64{c * w[0], c * w[1]}) }
		if !(at(1) > at(2) && at(2) > at(4)) {
			return fmt.Errorf("the error is %v, %v, %v at 1, 2, 4 times the weights, want decreasing errors", at(1), at(2), at(4))
		}
		return nil
	}
	equation.Holds(t, "P6", separable)
	equation.Holds(t, "A9", separable)
	// The correct value is P(θ ≤ a) for a Gaussian θ with mean m and scale s. The printed formula
	// lacks m.
	equation.Misprint(t, "P36", func(r *rand.Rand) equation.Reading {
		m, s, a := r.NormFloat64(), 0.5+r.Float64(), r.NormFloat64()
		phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
		return equation.Reading{True: distuv.Normal{Mu: m, Sigma: s}.CDF(a), Printed: phi(a / s),
			Right: phi((a - m) / s)}
	})
	// The variance of the working target (t−y)/(y(1−y)) is 1 divided by the variance of the target
	// t.
	equation.Check(t, "P26", func(r *rand.Rand) (left, right any) {
		y := 0.05 + 0.9*r.Float64()
		working := func(t float64) float64 { return (t - y) / (y * (1 - y)) }
		variance := func(f func(t float64) float64) float64 {
			mean := y*f(1) + (1-y)*f(0)
			return y*(f(1)-mean)*(f(1)-mean) + (1-y)*(f(0)-mean)*(f(0)-mean)
		}
		return variance(working), 1 / variance(func(t float64) float64 { return t })
	})
	// The point of the plane that is nearest to the origin is the shortest solution of wᵀx = −w₀.
	equation.Check(t, "A2", func(r *rand.Rand) (left, right any) {
		w, w0 := normals(r, 3), r.NormFloat64()
		h := must(classify.NewHyperplane(append([]float64{w0}, w...)))(t)
		var foot mat.VecDense
		_ = foot.SolveVec(mat.NewDense(1, 3, w), mat.NewVecDense(1, []float64{-w0}))
		along := floats.Dot(foot.RawVector().Data, w) / floats.Norm(w, 2)
		return []float64{must(h.OriginDistance())(t), must(h.FootCoordinate())(t)}, []float64{-along, along}
	})
}

// softmaxAsWritten returns the values e^{a_k}/Σ_j e^{a_j}, computed as printed.
func softmaxAsWritten(a []float64) []float64 {
	y := make([]float64, len(a))
	for k := range a {
		y[k] = math.Exp(a[k])
	}
	floats.Scale(1/floats.Sum(y), y)
	return y
}

// entryGradient returns the derivatives of f with respect to all entries of a matrix. The entries
// are independent variables, even if the matrix is symmetric.
func entryGradient(f func(a *mat.Dense) float64, at mat.Matrix) *mat.Dense {
	n, _ := at.Dims()
	g := slopes(func(v []float64) float64 { return f(mat.NewDense(n, n, append([]float64{}, v...))) }, flat(at))
	return mat.NewDense(n, n, g)
}

func TestErrataSlides(t *testing.T) {
	// A threeClasses contains three classes with a common covariance and a point x. It holds the
	// class densities at x, the class means, and the common precision.
	type threeClasses struct {
		density []float64
		mean    [][]float64
		inv     *mat.SymDense
		prior   []float64
		x       []float64
	}
	draw := func(r *rand.Rand) (c threeClasses) {
		cov := randomCov(r, 2)
		c.inv, c.x, c.prior = inverse(t, cov), normals(r, 2), softmaxAsWritten(normals(r, 3))
		for range 3 {
			m := normals(r, 2)
			p, _ := distmv.NewNormal(m, cov, nil)
			c.mean, c.density = append(c.mean, m), append(c.density, p.Prob(c.x))
		}
		return c
	}
	form := func(a []float64, m mat.Matrix, b []float64) float64 {
		return mat.Inner(mat.NewVecDense(len(a), a), m, mat.NewVecDense(len(b), b))
	}
	equation.Misprint(t, "G1", func(r *rand.Rand) equation.Reading {
		c := draw(r)
		d := floats.SubTo(make([]float64, 2), c.mean[0], c.mean[1])
		a := form(d, c.inv, c.x) + (form(c.mean[1], c.inv, c.mean[1])-form(c.mean[0], c.inv, c.mean[0]))/2
		odds := math.Log(c.prior[0] / c.prior[1])
		return equation.Reading{True: math.Log(c.density[0]/c.density[1]) + odds, Printed: a - odds, Right: a + odds}
	})
	equation.Misprint(t, "G3", func(r *rand.Rand) equation.Reading {
		c := draw(r)
		joint := floats.MulTo(make([]float64, 3), c.density, c.prior)
		floats.Scale(1/floats.Sum(joint), joint)
		var printed, right []float64
		for k, m := range c.mean {
			linear, square, prior := form(m, c.inv, c.x), form(m, c.inv, m), math.Log(c.prior[k])
			printed, right = append(printed, (linear-square)/2+prior), append(right, linear-square/2+prior)
		}
		return equation.Reading{True: joint, Printed: softmaxAsWritten(printed), Right: softmaxAsWritten(right)}
	})
	// The correct value is the gradient of −(n/2)(ln|Σ| + tr Σ⁻¹S) with respect to Σ.
	equation.Misprint(t, "G4", func(r *rand.Rand) equation.Reading {
		sigma, s, n := randomCov(r, 3), randomCov(r, 3), 5+10*r.Float64()
		gradient := entryGradient(func(a *mat.Dense) float64 {
			var c mat.Dense
			_ = c.Solve(a, s)
			return -n / 2 * (math.Log(mat.Det(a)) + mat.Trace(&c))
		}, sigma)
		inv := inverse(t, sigma)
		var printed, right mat.Dense
		printed.Product(inv, inv, s)
		right.Product(inv, s, inv)
		for _, m := range []*mat.Dense{&printed, &right} {
			m.Sub(m, inv)
			m.Scale(n/2, m)
		}
		return equation.Reading{True: gradient, Printed: &printed, Right: &right}
	})
	equation.Misprint(t, "G5", func(r *rand.Rand) equation.Reading {
		a, d := randomCov(r, 3), randomCov(r, 3)
		d.ScaleSym(0.02, d)
		var change []float64
		for k := range 9 {
			change = append(change, slope(func(h float64) float64 {
				var moved mat.SymDense
				moved.ScaleSym(h, d)
				moved.AddSym(a, &moved)
				return inverse(t, &moved).At(k/3, k%3)
			}, 0))
		}
		inv := inverse(t, a)
		var printed, right mat.Dense
		printed.Product(inv, inv, d)
		right.Product(inv, d, inv)
		right.Scale(-1, &right)
		return equation.Reading{True: change, Printed: &printed, Right: &right}
	})
	// Class 1 contributes Σ_i t_i {−½ ln|Σ| − ½(x_i−μ)ᵀΣ⁻¹(x_i−μ)} to ln p. The correct value is
	// the gradient of this sum with respect to Σ.
	equation.Misprint(t, "G6", func(r *rand.Rand) equation.Reading {
		sigma, x, mu := randomCov(r, 2), normalMatrix(r, 6, 2), normals(r, 2)
		inv := inverse(t, sigma)
		gradient, printed, right := mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil)
		for i := range 6 {
			target, d := float64(i%2), difference(x.RawRowView(i), mu)
			one := entryGradient(func(a *mat.Dense) float64 {
				var v mat.VecDense
				_ = v.SolveVec(a, d)
				return -target / 2 * (math.Log(mat.Det(a)) + mat.Dot(d, &v))
			}, sigma)
			gradient.Add(gradient, one)
			var form, half mat.Dense // Σ⁻¹ddᵀΣ⁻¹, the negative gradient of dᵀΣ⁻¹d
			form.Product(inv, d, d.T(), inv)
			half.Scale(-target/2, inv)
			printed.Add(printed, &half)
			printed.Sub(printed, &form)
			form.Scale(target/2, &form)
			right.Add(right, &half)
			right.Add(right, &form)
		}
		return equation.Reading{True: gradient, Printed: printed, Right: right}
	})
	// For k ≠ j, a_k does not depend on w_j. The chain rule, as printed, has a second sum over
	// these k, and this sum is 0.
	equation.Misprint(t, "G11", func(r *rand.Rand) equation.Reading {
		const m = 2
		phi, w := normalMatrix(r, 8, m), normals(r, 3*m)
		activations := func(w []float64, i int) (a []float64) {
			for k := range 3 {
				a = append(a, floats.Dot(w[k*m:(k+1)*m], phi.RawRowView(i)))
			}
			return a
		}
		printed, right := make([]float64, m), make([]float64, m)
		for i := range 8 {
			hit, y := truth(i%3 == 0), softmaxAsWritten(activations(w, i))[0]
			floats.AddScaled(printed, hit*(1-y), phi.RawRowView(i))
			floats.AddScaled(right, hit-y, phi.RawRowView(i))
		}
		gradient := slopes(func(w []float64) (l float64) {
			for i := range 8 {
				l += math.Log(softmaxAsWritten(activations(w, i))[i%3])
			}
			return l
		}, w)
		return equation.Reading{True: gradient[:m], Printed: printed, Right: right}
	})
	// y_i(δ_ij − y_j) is the derivative of y_i with respect to a_j, not a_i. The check uses i = 0
	// and j > 0.
	equation.Misprint(t, "A4", func(r *rand.Rand) equation.Reading {
		a, j := normals(r, 4), 1+r.IntN(3)
		y := softmaxAsWritten(a)
		g := slopes(func(a []float64) float64 { return softmaxAsWritten(a)[0] }, a)
		return equation.Reading{True: -y[0] * y[j], Printed: g[0], Right: g[j]}
	})
	equation.Misprint(t, "A14", func(r *rand.Rand) equation.Reading {
		ratio, quadratic, prior := quadraticRatio(t, r)
		ratios, linear, priors := basisRatios(t, r)
		return equation.Reading{True: []any{ratio, ratios}, Printed: []any{quadratic, linear},
			Right: []any{quadratic[0] - prior, quadratic[1] - prior, differenceOf(linear, priors, 1)}}
	})
	// The printed value is −2λ times the log odds of two spherical classes.
	equation.Check(t, "G2", func(r *rand.Rand) (left, right any) {
		lambda, prior, x, one, two := 0.5+r.Float64(), 0.1+0.8*r.Float64(), normals(r, 3), normals(r, 3), normals(r, 3)
		cov := mat.NewSymDense(3, []float64{lambda, 0, 0, 0, lambda, 0, 0, 0, lambda})
		p, _ := distmv.NewNormal(one, cov, nil)
		q, _ := distmv.NewNormal(two, cov, nil)
		printed := 2*(floats.Dot(two, x)-floats.Dot(one, x)) + floats.Dot(one, one) - floats.Dot(two, two) +
			2*lambda*math.Log((1-prior)/prior)
		return printed, -2 * lambda * (p.LogProb(x) - q.LogProb(x) + math.Log(prior/(1-prior)))
	})
	// If the output is near 0 and the target is 1, the slope with respect to the activation is near
	// −1 for the cross-entropy, but near 0 for the squared error.
	equation.Holds(t, "A7", func(r *rand.Rand) error {
		o := -6 - 4*r.Float64()
		entropy := slope(func(o float64) float64 { return -math.Log(logisticOf(o)) }, o)
		squares := slope(func(o float64) float64 { return (1 - logisticOf(o)) * (1 - logisticOf(o)) / 2 }, o)
		if !(entropy < -0.99 && squares > -0.01) {
			return fmt.Errorf("at activation %v the slope is %v for the cross-entropy and %v for the squared error, want about −1 and 0", o, entropy, squares)
		}
		return nil
	})
	// At the optimum the gradient terms of all patterns sum to 0, but no single term is 0. The term
	// of a pattern is not 0 even if the pattern's largest output is the output for the correct
	// class.
	equation.Holds(t, "A8", func(r *rand.Rand) error {
		x, labels := noisyClasses(r, 3, 2)
		m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
		whole := must(must(classify.SoftmaxObjective(x, labels, 3, nil))(t).Gradient(flat(m.W.T())))(t)
		largest, settled := 0, 0
		for n, c := range labels {
			y := softmaxOf(m.W, x.RawRowView(n))
			if floats.MaxIdx(y) == c {
				largest++
			}
			if 1-y[c] < 1e-3 { // 1−y[c] is the size of the pattern's gradient term for its class
				settled++
			}
		}
		if !m.Converged || floats.Norm(whole, 2) > 1e-6 || largest < 10 || settled > 0 {
			return fmt.Errorf("Converged is %v, want true; |∇E| is %v, want at most 1e-6; %d patterns are classified correctly, want at least 10; %d patterns have an output near 1 for their class, want 0", m.Converged,
				floats.Norm(whole, 2), largest, settled)
		}
		return nil
	})
	// As β grows, the softmax of βa tends to the 1-of-K code of the class with the largest a_k. The
	// log-sum-exp of βa, divided by β, tends to the largest a_k.
	equation.CheckTo(t, "P49", 1e-8, func(r *rand.Rand) (left, right any) {
		a := normals(r, 4)
		largest := r.IntN(4)
		a[largest] = floats.Max(a) + 0.5
		beta, oneOfK := 50.0, make([]float64, 4)
		oneOfK[largest] = 1
		scaled := append([]float64{}, a...)
		floats.Scale(beta, scaled)
		return []any{softmaxAsWritten(scaled), floats.LogSumExp(scaled) / beta}, []any{oneOfK, floats.Max(a)}
	})
	// Changing the unit of an input changes the weight of this input but no posterior probability.
	equation.CheckTo(t, "A15", 1e-6, func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 2)
		unit := 5 + 20*r.Float64()
		other := mat.DenseCopyOf(x)
		other.Apply(func(_, j int, v float64) float64 { return v * []float64{unit, 1}[j] }, other)
		one := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		two := must(classify.FitLogistic(other, target, classify.LogisticOptions{}))(t)
		return []any{two.W, must(two.Posterior(other))(t)}, []any{[]float64{one.W[0], one.W[1] / unit, one.W[2]},
			must(one.Posterior(x))(t)}
	})
	equation.Misprint(t, "G15", func(r *rand.Rand) equation.Reading {
		a := normalMatrix(r, 3, 3)
		a.Apply(func(i, j int, v float64) float64 { return v + 3*truth(i == j) }, a)
		var inv mat.Dense
		_ = inv.Inverse(a)
		gradient := entryGradient(func(a *mat.Dense) float64 { return math.Log(math.Abs(mat.Det(a))) }, a)
		return equation.Reading{True: gradient, Printed: &inv, Right: inv.T()}
	})
}
