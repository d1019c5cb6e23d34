// Package ex05 judges PRML exercise 4.5: the Fisher criterion written as a ratio of two quadratic
// forms with the matrices S_B and S_W.
package ex05

import (
	"embed"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `scatter` of PRML exercise 4.5. From the points X1 (N1×D) and X2 (N2×D)
// of two classes, `scatter` returns the D×D matrices S_B (4.27) and S_W (4.28).
func Check(scatter func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)) *verify.Report {
	return exercise.Judge(slices.Concat(
		bothQuestion.Parts(scatter,
			judge.Form("the result is two D×D matrices, and X1 and X2 stay unchanged", problems, nil, judge.Wrong{},
				"You returned two D×D matrices, for D = 1, 2, 3 and 5.")),
		betweenQuestion.Parts(scatter, projects("wᵀS_B w is the squared distance between the projected means", between, 1,
			judge.Wrong{Key: "sb", Hint: 1,
				Message: "For {problem} and a random w, wᵀS_B w should be (m2 − m1)², the squared distance between the projected means, but it is {off}."},
			"For random w, wᵀS_B w is the squared distance between the projected means, the numerator of (4.25).")),
		withinQuestion.Parts(scatter,
			projects("wᵀS_W w is the scatter of the projected points about their class means", within, 10,
				judge.Wrong{Key: "sw", Hint: 2,
					Message: "For {problem} and a random w, wᵀS_W w should be s1² + s2², the scatter of the projected points about their class means, but it is {off}."},
				"For random w, wᵀS_W w is s1² + s2², the denominator of (4.25). (The text calls s_k² a variance, but it is a sum that is not divided by N, so the larger class has more weight.)")),
		bothQuestion.Parts(scatter, []judge.Property[problem]{
			{Name: "both are symmetric", Problems: problems,
				Holds: func(p problem, both []float64) verify.Finding {
					sb, sw := p.split(both)
					return judge.All(p.symmetric(sb), p.symmetric(sw))
				},
				Wrong: judge.Wrong{Key: "not-symmetric", Hint: 3,
					Message: "For {problem} one of your matrices is not symmetric: it should equal its transpose, but it is {off}. A sum of products vvᵀ is symmetric. Compare the entries above and below the diagonal of your matrix. (The values wᵀSw depend only on S + Sᵀ, so they cannot show this mistake.)"},
				Right: "Both matrices are symmetric. Therefore the values of wᵀSw for all w determine them."},
			{Name: "S_B has rank 1, and wᵀS_W w is never negative", Problems: problems,
				Precheck: rankFault,
				Holds: func(p problem, both []float64) verify.Finding {
					_, sw := p.split(both)
					even := p.Spread().Even(entries(sw))
					for j := range p.dim() {
						even.Set(j, j, even.At(j, j)+tiny)
					}
					return verify.PositiveSemidefinite(even, 1e-9)
				},
				Wrong: judge.Wrong{Key: "negative-direction", Hint: 2,
					Message: "For {problem} there is a w with wᵀS_W w < 0, but wᵀS_W w is a sum of squares."},
				Right: "S_B has rank 1, so S_B w is always a multiple of m2 − m1, and Fisher's direction needs no eigenvalues."},
			{Name: "the matrix form (4.26) of J(w) agrees with (4.25)", Problems: problems,
				Holds: criterion,
				Wrong: judge.Wrong{Key: "criterion", Hint: 1,
					Message: "For {problem} and a random w, the ratio (4.26), computed with your matrices, should equal (4.25), computed from the projected points, but it is {off}."},
				Right: "For random w the ratio of your two quadratic forms is Fisher's criterion."},
		}...))...)
}

// tiny is an absolute error that the function `projects` always allows, and that Check adds to the
// diagonal of the scaled S_W before it looks for negative values. It matters only if all points of
// each class coincide. Then S_W is 0, and a relative tolerance would also be 0.
const tiny = 1e-12

// projects returns the part of the report that compares wᵀSw with (m2 − m1)² or s1² + s2², computed
// from the projected points. The parameter `kind` says which matrix is S. The part allows the
// relative error 10·p.Tol. It also allows the absolute error abs·p.Tol·size + tiny, where `size` is
// the sum of the absolute values of the terms of wᵀSw.
func projects(name string, kind matrix, abs float64, wrong judge.Wrong, right string) judge.Property[problem] {
	return judge.Property[problem]{Name: name, Problems: problems, Wrong: wrong, Right: right,
		Holds: func(p problem, s []float64) verify.Finding {
			return p.eachDirection(func(w []float64) verify.Finding {
				got, size := quadratic(s, w)
				return verify.Close(got, p.projected(w)[kind],
					verify.Tolerance{Rel: 10 * p.Tol, Abs: abs*p.Tol*size + tiny})
			})
		}}
}

// rankFault returns a verdict if S_B is zero, if its rank is greater than 1, or if its entries are
// too large to compute the rank.
func rankFault(p problem, both []float64) *verify.Verdict {
	sb, _ := p.split(both)
	unit := p.Spread().Even(entries(sb))
	var svd mat.SVD
	switch top := mat.Norm(unit, 1); {
	case top > 1e150 || !svd.Factorize(unit, mat.SVDNone):
		return judge.Fail("rank", 2, "Check could not compute the rank of your S_B, because its entries are too large: their size is %s.",
			verify.Magnitude(top))
	case top == 0:
		return judge.Fail("rank", 2, "Your S_B is the zero matrix, although the means differ.")
	}
	if values := svd.Values(nil); len(values) > 1 && !(values[1] <= math.Max(1e-9, 100*p.Tol)*values[0]) {
		return judge.Fail("rank", 2,
			"For %v your S_B has more than one independent column. An outer product vvᵀ has only one independent column, because every column is a multiple of v.", p)
	}
	return nil
}

// criterion compares (4.26) with (4.25) for random directions w. It skips a direction w if the
// projections of both classes onto w have no spread.
func criterion(p problem, both []float64) verify.Finding {
	sb, sw := p.split(both)
	return p.eachDirection(func(w []float64) verify.Finding {
		y := p.projected(w)
		if y[within] == 0 {
			return verify.Finding{OK: true}
		}
		b, _ := quadratic(sb.RawMatrix().Data, w)
		s, size := quadratic(sw.RawMatrix().Data, w)
		if math.Abs(s) <= 1e-8*size || size == 0 {
			return verify.Finding{Note: "a division by wᵀS_W w, which is 0 or nearly 0"}
		}
		return verify.Close(b/s, y[between]/y[within], verify.Tolerance{Rel: 1e3 * p.Tol, Abs: 1e-12})
	})
}

// A problem contains the points of two classes.
type problem struct{ gauss.Classes }

// problems returns pairs of classes. Some classes have only one point, and some means are close
// together or far apart. Some problems have at most as many points as columns, so that S_W is
// singular or 0.
var problems = instance.Once(func() (list []problem) {
	r := instance.Source(405, 1)
	for _, c := range slices.Concat(instance.TwoClasses(r), instance.FewPoints(r)) {
		list = append(list, problem{gauss.Classes{Clouds: c}})
	}
	return list
})

// dim returns the number D of columns.
func (p problem) dim() int { _, _, d := p.Dims(); return d }

// A matrix selects one of the two results: the constant `between` selects S_B, and the constant
// `within` selects S_W.
type matrix int

const (
	between matrix = iota
	within
)

// projected returns (m2 − m1)² and s1² + s2² of (4.24) and (4.25), computed only from the
// projections y = wᵀx.
func (p problem) projected(w []float64) (sums [2]float64) {
	var means [2]float64
	for k, x := range []*mat.Dense{p.X1, p.X2} {
		y := instance.Activations(x, w)
		means[k] = floats.Sum(y) / float64(len(y))
		for _, v := range y {
			sums[within] += (v - means[k]) * (v - means[k])
		}
	}
	sums[between] = (means[1] - means[0]) * (means[1] - means[0])
	return sums
}

// symmetric checks that s is symmetric. The relative tolerance is 10·p.Tol, as in `projects`. A right
// answer may be slightly asymmetric: far from the origin, the rounded products n·m_p·m_q and
// n·m_q·m_p can differ by more than the other rounding errors of S_W.
func (p problem) symmetric(s *mat.Dense) verify.Finding {
	return verify.Symmetric(p.Spread().Even(entries(s)), 10*p.Tol)
}

// eachDirection calls the function `check` with random directions w and returns the first finding
// that is not OK. It divides each entry of w by the spread of its column, so that all columns have
// the same influence.
func (p problem) eachDirection(check func(w []float64) verify.Finding) verify.Finding {
	r := instance.Source(4050, uint64(p.dim()))
	spread := p.Spread()
	for range 6 {
		w := instance.Unit(r, p.dim())
		floats.Div(w, spread)
		if f := check(w); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// split converts a slice to the matrices S_B and S_W. The slice contains the entries of S_B,
// followed by the entries of S_W.
func (p problem) split(both []float64) (sb, sw *mat.Dense) {
	d := p.dim()
	return mat.NewDense(d, d, both[:d*d]), mat.NewDense(d, d, both[d*d:])
}

func entries(s *mat.Dense) []float64 { return s.RawMatrix().Data }

// quadratic returns wᵀSw and the sum of the absolute values of its terms. Tolerances are relative
// to this sum.
func quadratic(s, w []float64) (value, size float64) {
	for i, a := range w {
		for j, b := range w {
			value += a * b * s[i*len(w)+j]
			size += math.Abs(a * b * s[i*len(w)+j])
		}
	}
	return value, size
}

type (
	scatterFunc = func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)
	mistake     = judge.Mistake[scatterFunc]
)

// callScatter calls the learner's function and checks the shapes of its results.
func callScatter(scatter scatterFunc, c *judge.Call, p problem) [2][]float64 {
	SB, SW := scatter(c.Dense("X1", p.X1), c.Dense("X2", p.X2))
	n1, n2, d := p.Dims()
	if r, k := dims(SB); d > 1 && r == 1 && k == 1 {
		c.Say(judge.Fail("inner-product", 2,
			"Your S_B is a single number, like the inner product (m2 − m1)ᵀ(m2 − m1). The outer product (m2 − m1)(m2 − m1)ᵀ is a D×D matrix."))
	}
	if r, k := dims(SW); r == k && r != d && (r == n1 || r == n2 || r == n1+n2) {
		c.Say(judge.Fail("one-per-point", 3,
			"Your S_W has one row and one column per point, as XXᵀ does. If the points are the rows of X, the sum of the products xxᵀ is XᵀX."))
	}
	return [2][]float64{c.Matrix("S_B", SB, d, d, "D×D"), c.Matrix("S_W", SW, d, d, "D×D")}
}

func dims(m *mat.Dense) (r, c int) {
	if m == nil {
		return 0, 0
	}
	return m.Dims()
}

var bothQuestion = &judge.Question[scatterFunc, problem]{
	Func: "Scatter", Name: "pair of matrices", Hint: 3, Per: "pair of columns", New: true,
	Invoke: func(scatter scatterFunc, c *judge.Call, p problem) []float64 {
		both := callScatter(scatter, c, p)
		return append(both[between], both[within]...)
	},
	Right:  func(p problem) []float64 { return append(entries(sB(p)), entries(sW(p))...) },
	Unit:   func(p problem, _ []float64) []float64 { return append(p.Spread().Units(), p.Spread().Units()...) },
	Family: scaledCriterion,
}

// scaledCriterion returns a verdict if the ratio of the learner's two quadratic forms is c·J(w)
// with the same positive c ≠ 1 for all tested w. For D = 1 it returns nil, because every ratio has
// this form.
func scaledCriterion(p problem, both []float64) *verify.Verdict {
	sb, sw := p.split(both)
	first := 0.0
	same := p.eachDirection(func(w []float64) verify.Finding {
		y := p.projected(w)
		b, _ := quadratic(entries(sb), w)
		s, _ := quadratic(entries(sw), w)
		ratio := b / s / (y[between] / y[within])
		if first == 0 {
			first = ratio
		}
		return verify.Close(ratio, first, verify.Tolerance{Rel: 1e-6})
	})
	scaled := p.dim() > 1 && same.OK && first > 0 && !math.IsInf(first, 1) && math.Abs(first-1) >= 1e-6
	return judge.FailIf(scaled, "criterion-scaled", 1,
		"Your J(w) is (4.25), multiplied by the same number for all w. Such a factor does not change the best w, but it makes J wrong. Check the factors in your two matrices.")
}

// question returns a judge.Question that judges one of the two matrices, S_B or S_W.
func question(name string, kind matrix, right func(problem) *mat.Dense, sign, factor judge.Wrong,
	mistakes ...mistake) *judge.Question[scatterFunc, problem] {
	in := withSB
	if kind == within {
		in = withSW
	}
	const oneTriangle = "One triangle of your matrix is right and the other triangle is 0. A *mat.Dense does not mirror entries, so fill both triangles, or copy from a mat.SymDense."
	return &judge.Question[scatterFunc, problem]{
		Func: "Scatter", Name: name, Hint: 3, Per: "pair of columns", Sign: sign, Factor: factor,
		Invoke: func(scatter scatterFunc, c *judge.Call, p problem) []float64 { return callScatter(scatter, c, p)[kind] },
		Right:  func(p problem) []float64 { return entries(right(p)) },
		Unit:   func(p problem, _ []float64) []float64 { return p.Spread().Units() },
		Mistakes: append(mistakes,
			mistake{Key: "one-triangle", Hint: 3, Message: oneTriangle,
				Answer: in(masked(right, func(i, j int) bool { return i <= j }))},
			mistake{Key: "one-triangle", Hint: 3, Message: oneTriangle,
				Answer: in(masked(right, func(i, j int) bool { return i >= j }))}),
	}
}

var betweenQuestion = question("S_B", between, sB,
	judge.Wrong{Key: "sb-sign", Hint: 1,
		Message: "Your S_B is (4.27) times a negative number. wᵀS_B w is a square, (m2 − m1)², so it cannot be negative."},
	judge.Wrong{Key: "sb-factor", Hint: 1,
		Message: "Your S_B is (4.27) times a constant factor. In (4.25) the squared distance (m2 − m1)² has no factor."},
	[]mistake{
		{Key: "k-class", Hint: 2,
			Message: "Your S_B is the between-class matrix of the K-class form (4.46) for K = 2, Σ N_k(m_k − m)(m_k − m)ᵀ. It is (4.27) times N1N2/N. In (4.25) the distance between the means has no such weight.",
			Answer:  withSB(func(p problem) *mat.Dense { n1, n2, n := p.Counts(); return times(n1*n2/n, sB(p)) })},
		{Key: "k-class-unweighted", Hint: 2,
			Message: "Your S_B is Σ (m_k − m)(m_k − m)ᵀ with the mean m of all points. Compare the two class means with each other, not with m.",
			Answer: withSB(func(p problem) *mat.Dense {
				n1, n2,
					n := p.Counts()
				return times((n1*n1+n2*n2)/(n*n), sB(p))
			})},
		{Key: "midpoint", Answer: withSB(func(p problem) *mat.Dense { return times(0.5, sB(p)) }), Hint: 2,
			Message: "Your S_B is half of (4.27), as if both class means were compared with the point midway between them. Compare the means with each other."},
		{Key: "sb-unit", Hint: 2,
			Message: "You scale the difference of the means to length 1 before you compute S_B. The numerator of (4.25) needs the full distance between the means.",
			Answer:  withSB(func(p problem) *mat.Dense { b := sB(p); return times(1/mat.Trace(b), b) })},
		{Key: "swapped", Hint: 1,
			Message: "Your S_B is S_W. Return S_B first and S_W second.",
			Answer:  func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) { p := newProblem(X1, X2); return sW(p), sB(p) }},
		{Key: "total", Hint: 2,
			Message: "Your S_B is the total scatter S_T, the scatter of all points about their common mean. S_B depends only on the two class means.", Answer: withSB(total)},
		{Key: "sum-of-means", Hint: 1, Message: "Your S_B is (m1 + m2)(m1 + m2)ᵀ. Use the difference m2 − m1.",
			Answer: withSB(func(p problem) *mat.Dense { m1, m2 := p.Means(); return outer(plus(1, m1, 1, m2)) })},
		{Key: "difference-of-squares", Hint: 2,
			Message: "Your S_B is m2m2ᵀ − m1m1ᵀ, but (a − b)² is not a² − b². Subtract the means before you form the product.",
			Answer:  withSB(func(p problem) *mat.Dense { m1, m2 := p.Means(); return sum(1, outer(m2), -1, outer(m1)) })},
		{Key: "difference-of-squares", Hint: 2,
			Message: "Your S_B is m1m1ᵀ + m2m2ᵀ. The mixed products −m1m2ᵀ and −m2m1ᵀ are missing: (a − b)² is not a² + b².",
			Answer:  withSB(func(p problem) *mat.Dense { m1, m2 := p.Means(); return sum(1, outer(m2), 1, outer(m1)) })},
		{Key: "diagonal-only", Answer: withSB(masked(sB, func(i, j int) bool { return i == j })), Hint: 3,
			Message: "The diagonal of your S_B is right, but all other entries are 0. They should be the products of different entries of m2 − m1."},
	}...)

var withinQuestion = question("S_W", within, sW,
	judge.Wrong{Key: "sw-sign", Hint: 1,
		Message: "Your S_W is (4.28) times a negative number. wᵀS_W w is a sum of squares, so it cannot be negative."},
	judge.Wrong{Key: "sw-factor", Hint: 2,
		Message: "Your S_W is (4.28) times a constant factor. The s_k² of (4.24) are plain sums of squares."},
	[]mistake{
		{Key: "divided-by-n", Hint: 2,
			Message: "Your S_W is (4.28) divided by N, a covariance, as in (4.78). The scatter matrix of (4.28), like the s_k² of (4.24), is a plain sum.",
			Answer:  withSW(func(p problem) *mat.Dense { _, _, n := p.Counts(); return times(1/n, sW(p)) })},
		{Key: "divided-by-n", Hint: 2,
			Message: "Your S_W is (4.28) divided by N−1. The scatter matrix of (4.28), like the s_k² of (4.24), is a plain sum.",
			Answer:  withSW(func(p problem) *mat.Dense { _, _, n := p.Counts(); return times(1/(n-1), sW(p)) })},
		{Key: "divided-by-n", Hint: 2,
			Message: "Your S_W is (4.28) divided by N−2, the pooled covariance of statistics. The scatter matrix of (4.28), like the s_k² of (4.24), is a plain sum.",
			Answer:  withSW(func(p problem) *mat.Dense { _, _, n := p.Counts(); return times(1/math.Max(1, n-2), sW(p)) })},
		{Key: "class-covariances", Hint: 2,
			Message: "Your S_W is the sum of the two class covariances: the scatter of each class is divided by its number N_k of points. The scatter matrix of (4.28) is a plain sum over the points, so the larger class has more weight.",
			Answer:  withSW(func(p problem) *mat.Dense { n1, n2, _ := p.Counts(); return weighted(p, 1/n1, 1/n2) })},
		{Key: "class-covariances", Hint: 2,
			Message: "Your S_W is the sum of the two class covariances: the scatter of each class is divided by its own N_k − 1, as in stat.CovarianceMatrix. The scatter matrix of (4.28) is a plain sum over the points, so the larger class has more weight.",
			// this answer returns NaN for a single point, like stat.CovarianceMatrix
			Answer: withSW(func(p problem) *mat.Dense { n1, n2, _ := p.Counts(); return weighted(p, 1/(n1-1), 1/(n2-1)) })},
		{Key: "total", Hint: 2,
			Message: "Your S_W is the total scatter S_T about the mean of all points, which also contains the distance between the classes. Subtract from each point the mean of its class.", Answer: withSW(total)},
		{Key: "swapped", Hint: 1,
			Message: "Your S_W is S_B. Return S_B first and S_W second.",
			Answer:  withSW(sB)},
		{Key: "not-centred", Hint: 2, Message: "Your S_W is the sum of the products xxᵀ, as if the class means were 0. Subtract the class means from the points first.",
			Answer: withSW(func(p problem) *mat.Dense { zero := make([]float64, p.dim()); return scatterAbout(p, zero, zero) })},
		{Key: "one-class", Hint: 2, Message: "Your S_W contains only class 1. Add the sum over class 2.",
			Answer: withSW(func(p problem) *mat.Dense { return weighted(p, 1, 0) })},
		{Key: "one-class", Hint: 2, Message: "Your S_W contains only class 2. Add the sum over class 1.",
			Answer: withSW(func(p problem) *mat.Dense { return weighted(p, 0, 1) })},
		{Key: "difference", Answer: withSW(func(p problem) *mat.Dense { return weighted(p, -1, 1) }), Hint: 2,
			Message: "Your S_W is the scatter of class 2 minus the scatter of class 1. Equation (4.28) adds the two matrices."},
		{Key: "means-exchanged", Hint: 3, Message: "Your S_W is the scatter of each class about the mean of the other class. Subtract from each point the mean of its class.",
			Answer: withSW(func(p problem) *mat.Dense { m1, m2 := p.Means(); return scatterAbout(p, m2, m1) })},
		{Key: "one-mean", Hint: 2,
			Message: "Your S_W is the scatter of all points about the mean of class 1. Subtract from each point the mean of its class.",
			Answer:  withSW(func(p problem) *mat.Dense { m1, _ := p.Means(); return scatterAbout(p, m1, m1) })},
		{Key: "one-mean", Hint: 2,
			Message: "Your S_W is the scatter of all points about the mean of class 2. Subtract from each point the mean of its class.",
			Answer:  withSW(func(p problem) *mat.Dense { _, m2 := p.Means(); return scatterAbout(p, m2, m2) })},
		{Key: "about-midpoint", Hint: 2,
			Message: "Your S_W is the scatter of all points about the point midway between the class means. Subtract from each point the mean of its class.",
			Answer: withSW(func(p problem) *mat.Dense {
				m1,
					m2 := p.Means()
				m := plus(0.5, m1, 0.5, m2)
				return scatterAbout(p, m, m)
			})},
		{Key: "last-point", Hint: 3,
			Message: "Your S_W contains only the last point of each class, as if each term replaced the previous term. Add the terms of all points.",
			Answer: withSW(func(p problem) *mat.Dense {
				n1, n2, _ := p.Dims()
				m1, m2 := p.Means()
				return sum(1, outer(instance.Minus(p.X1.RawRowView(n1-1), m1)), 1,
					outer(instance.Minus(p.X2.RawRowView(n2-1), m2)))
			})},
		{Key: "diagonal-only", Hint: 3,
			Message: "The diagonal of your S_W is right, but all other entries are 0. They should be sums of products of different columns. Fisher's method needs these sums, because they describe how the columns vary together.",
			Answer:  withSW(masked(sW, func(i, j int) bool { return i == j }))},
	}...)

// withSB returns an answer that computes S_B with f and returns the right S_W.
func withSB(f func(problem) *mat.Dense) scatterFunc {
	return func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) { p := newProblem(X1, X2); return f(p), sW(p) }
}

// withSW returns an answer that computes S_W with f and returns the right S_B.
func withSW(f func(problem) *mat.Dense) scatterFunc {
	return func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) { p := newProblem(X1, X2); return sB(p), f(p) }
}

func newProblem(X1, X2 *mat.Dense) problem { return problem{gauss.Of(X1, X2)} }

// sB returns S_B of (4.27).
func sB(p problem) *mat.Dense {
	m1, m2 := p.Means()
	return outer(instance.Minus(m2, m1))
}

// sW returns S_W of (4.28).
func sW(p problem) *mat.Dense { return weighted(p, 1, 1) }

// total returns S_T, the scatter matrix of all points about their common mean.
func total(p problem) *mat.Dense { return scatterAbout(p, p.Mean(), p.Mean()) }

// scatterAbout returns the sum of two matrices: the scatter of class 1 about the point a, and the
// scatter of class 2 about the point b.
func scatterAbout(p problem, a, b []float64) *mat.Dense {
	return sum(1, instance.Scatter(p.X1, a), 1, instance.Scatter(p.X2, b))
}

// weighted returns a·S1 + b·S2, where S1 and S2 are the scatter matrices of class 1 and class 2.
func weighted(p problem, a, b float64) *mat.Dense {
	m1, m2 := p.Means()
	return sum(a, instance.Scatter(p.X1, m1), b, instance.Scatter(p.X2, m2))
}

// masked returns a function that calls f and sets entry (i, j) of the result to 0 if where(i, j) is
// false.
func masked(f func(problem) *mat.Dense, where func(i, j int) bool) func(problem) *mat.Dense {
	return func(p problem) *mat.Dense {
		s := f(p)
		twoclass.Keep(where)(s, twoclass.Problem{})
		return s
	}
}

// outer returns vvᵀ.
func outer(v []float64) *mat.Dense {
	u := mat.NewVecDense(len(v), v)
	var s mat.Dense
	s.Outer(1, u, u)
	return &s
}

// sum returns the matrix a·A + b·B.
func sum(a float64, A mat.Matrix, b float64, B mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Add(times(a, A), times(b, B))
	return &s
}

// plus returns the vector a·u + b·v.
func plus(a float64, u []float64, b float64, v []float64) []float64 {
	return instance.Combination(mat.NewDense(2, len(u), slices.Concat(u, v)), []float64{a, b})
}

// times returns the matrix c·A.
func times(c float64, A mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Scale(c, A)
	return &s
}

func init() {
	judge.Known(exercise, betweenQuestion, Check)
	judge.Known(exercise, withinQuestion, Check)
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex05", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
