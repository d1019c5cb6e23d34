// Package ex23 judges PRML exercise 4.23: the Bayesian information criterion, an approximation of
// the log evidence for large N, and the terms of the Laplace approximation that the criterion
// drops.
package ex23

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.23. bic returns (4.139) for the log likelihood at
// the mode, M parameters and N data points. `dropped` returns the terms of the Laplace
// approximation that (4.139) omits, for the prior N(m,V0) and the Hessian H of the negative log
// likelihood.
func Check(bic func(logLik float64, M, N int) float64,
	dropped func(mode, m []float64, V0, H *mat.SymDense, N int) float64) *verify.Report {
	return exercise.Judge(slices.Concat(
		bICQuestion.Parts(bic, []judge.Property[score]{
			judge.Form("BIC: a finite number, the same on every call", scores, nil, judge.Wrong{},
				"You returned a number for every model, even for a single data point."),
			{Name: "BIC: the difference from ln p(D) stays bounded while N grows from 100 to 100 000",
				Problems: decades,
				Holds: func(s score, got []float64) verify.Finding {
					b := s.before
					return checkDrift((s.exact - got[0]) - (b.exact - bic(b.logLik, b.m, b.n)))
				},
				Wrong: judge.Wrong{Key: "drifts", Hint: 2,
					Message: "For {problem} the exact ln p(D) minus your number should be nearly the same as for a tenth of the data points, but this difference is {off}."},
				Right: "From N = 100 to 100 000 the log likelihood decreases by more than 10⁵ and the penalty grows by a factor of 2.5. But the difference between your number and ln p(D) changes by less than 0.4 when N grows tenfold."},
			{Name: "BIC: the number is (4.139), without an additional constant", Problems: scores,
				Holds: func(s score, got []float64) verify.Finding {
					// the penalty is also the logarithm of the product of M factors √N
					penalty := 0.0
					for range s.m {
						penalty += math.Log(math.Sqrt(float64(s.n)))
					}
					return verify.Close(got[0], s.logLik-penalty, verify.Tolerance{Abs: 1e-8, Rel: 1e-10})
				},
				Wrong: judge.Wrong{Key: "bic", Hint: 2,
					Message: "For {problem} your BIC is {off}. (4.139) is the log likelihood minus a penalty that depends only on M and N. It contains no additional constant."},
				Right: "Your BIC is (4.139)."},
		}...),
		droppedQuestion.Parts(dropped, []judge.Property[problem]{
			judge.Form("Dropped: the result is a finite number, and the arguments stay unchanged", solvable, nil,
				judge.Wrong{}, "You returned a finite number for M from 1 to 70."),
			{Name: "Dropped: the exact log evidence minus the BIC, for Gaussian posteriors", Problems: solvable,
				Holds: exact(1e-9),
				Wrong: judge.Wrong{Key: "dropped", Hint: 3,
					Message: "For {problem} the Laplace approximation is exact, so your number should be ln p(D) minus the BIC, but it is {off}."},
				Right: "The BIC plus your number is the exact log evidence. The check computes the evidence in another way, as Σ ln p(t_n|t_1, …, t_{n−1})."},
			{Name: "Dropped: the number tends to a constant when the data are repeated", Problems: repeatedData,
				Holds: func(p problem, got []float64) verify.Finding {
					q := p.repeated(100)
					return verify.Close(dropped(q.Mode, q.M0, q.S0, q.H, q.N), got[0], verify.Tolerance{Abs: 0.02})
				},
				Wrong: judge.Wrong{Key: "grows", Hint: 3,
					Message: "For {problem} your number should hardly change if the data are repeated a hundred times more often, but it is {off}. H is a sum over the data, so ½ ln|H| contains ½ M ln N, which the BIC already includes."},
				Right: "The terms that you return do not grow with N, but they do not vanish either."},
			{Name: "Dropped: fewer data points than parameters", Problems: few, Extreme: true, Holds: exact(1e-7),
				Wrong: judge.Wrong{Key: "singular", Hint: 3,
					Message: "For {problem} H is singular, and your number is {off}. For more data your number is right."},
				Right: "Your number is also right where H is singular, because the prior determines the directions that the data do not determine."},
		}...))...)
}

// checkDrift checks that ln p(D) − BIC hardly changes when N grows by a factor of ten. The argument
// `step` is the change in this difference. If the penalty is wrong by ½ ln N, `step` is wrong by
// ½ ln 10 = 1.15. If the penalty is right and N ≥ 100, `step` is small, because H/N hardly changes.
func checkDrift(step float64) verify.Finding {
	f := verify.Close(step, 0, verify.Tolerance{Abs: 0.4})
	switch {
	case f.OK || math.IsNaN(f.Miss):
	case step < 0:
		f.Note = fmt.Sprintf("%s, as if your penalty grew too slowly with N", f.Off())
	default:
		f.Note = fmt.Sprintf("%s, as if your penalty grew too fast with N", f.Off())
	}
	return f
}

// exact returns a function that compares the learner's result of Dropped with the exact log
// evidence minus the BIC.
func exact(tol float64) func(p problem, got []float64) verify.Finding {
	return func(p problem, got []float64) verify.Finding {
		bic := p.LogLik(p.Mode) - float64(len(p.M0))/2*math.Log(float64(p.N))
		return verify.Close(got[0], p.Exact-bic, verify.Tolerance{Abs: 10 * tol, Rel: tol})
	}
}

// A score contains the arguments of one call to BIC. The fields `exact` and `before` are not arguments.
// Only the function `decades` sets them.
type score struct {
	logLik float64
	m, n   int
	exact  float64 // ln p(D) of the model
	before *score  // the same model with a tenth of the data points
}

func (s score) String() string {
	return fmt.Sprintf("a log likelihood of %.6g, M = %d and N = %d", s.logLik, s.m, s.n)
}

func scores() []score {
	return []score{{logLik: -12.3, m: 3, n: 10}, {logLik: -250, m: 1, n: 100}, {logLik: -3.7, m: 5, n: 7},
		{logLik: 40.5, m: 2, n: 1000},
		{logLik: -1e4, m: 7, n: 4321}, {logLik: -0.4, m: 4, n: 2}, {logLik: 0, m: 3, n: 50}, {logLik: -2.5, m: 3, n: 1},
		{logLik: -4e3, m: 160, n: 5000}}
}

// decades returns scores of two models, each with 1000, 10 000 and 100 000 data points. Every score
// also refers to the score of the same model with a tenth of the points. The priors of the two
// models are so broad that small changes in the mode hardly change the prior density. The models
// are drawn only once, because drawing the 200 000 targets takes most of the time of a check.
var decades = instance.Once(func() (list []score) {
	for _, c := range [][]problem{
		regression(5, "three parameters", 3, 50, 1, 10, 100, 1000, 1e4, 1e5),
		regression(6, "one parameter", 1, 50, 0.5, 10, 100, 1000, 1e4, 1e5),
	} {
		var before *score
		for i, p := range c {
			s := score{p.LogLik(p.Mode), len(p.M0), p.N, p.Exact, before}
			if i > 1 {
				list = append(list, s)
			}
			before = &s
		}
	}
	return list
})

// A problem is a model with N data points and a Gaussian posterior.
type problem struct {
	name string
	gauss.Model
}

func (p problem) String() string { return fmt.Sprintf("“%s”, N = %d,", p.name, p.N) }

func regression(part uint64, name string, m int, priorVariance, beta float64, n ...int) (list []problem) {
	for _, d := range gauss.Linear(instance.Source(423, part), m, priorVariance, beta, n...) {
		list = append(list, problem{name, d})
	}
	return list
}

// repeated returns p with H and N multiplied by k, as if the data were repeated k times. It keeps the
// mode of p, although repeated data would shift the mode.
func (p problem) repeated(k int) problem {
	h := mat.NewSymDense(len(p.M0), nil)
	h.ScaleSym(float64(k), p.H)
	p.H, p.N = h, k*p.N
	return p
}

// moderate returns models with more data points than parameters. Their priors are narrow enough to
// affect the result.
func moderate() []problem {
	var out []problem
	out = append(out, regression(1, "three parameters", 3, 1, 2, 4, 15)...)
	out = append(out, regression(2, "one parameter", 1, 2, 0.5, 2, 7)...)
	out = append(out, regression(3, "two parameters, narrow prior", 2, 0.1, 1, 5, 30)...)
	return append(out, regression(4, "five parameters, broad prior", 5, 10, 1, 12, 60)...)
}

// solvable returns the models that moderate() returns, and one model with many parameters. In this
// model |V0| and |H+V0⁻¹| are outside the range of a float64, but their logarithms are not.
var solvable = instance.Once(func() []problem {
	return append(moderate(), regression(9, "seventy parameters, very narrow prior", 70, 1e-6, 1, 100)...)
})

// repeatedData returns two problems for each model that moderate() returns. In one problem the data
// are repeated ten thousand times, and in the other problem a million times.
func repeatedData() (list []problem) {
	for _, p := range moderate() {
		list = append(list, p.repeated(1e4), p.repeated(1e6))
	}
	return list
}

func few() []problem {
	return append(regression(7, "four parameters", 4, 1, 2, 1, 2, 3),
		regression(8, "two parameters, very broad prior", 2, 1e6, 1, 1)...)
}

type (
	bicFunc     = func(logLik float64, M, N int) float64
	droppedFunc = func(mode, m []float64, V0, H *mat.SymDense, N int) float64
)

var bICQuestion = &judge.Question[bicFunc, score]{
	Func: "BIC", Name: "BIC", Hint: 3,
	Invoke: func(bic bicFunc, _ *judge.Call, s score) []float64 { return []float64{bic(s.logLik, s.m, s.n)} },
	Right:  func(s score) []float64 { return []float64{s.logLik - float64(s.m)/2*math.Log(float64(s.n))} },
	Unit:   func(s score, _ []float64) []float64 { return []float64{1 + float64(s.m)/2*math.Log(float64(s.n))} },
	Mistakes: []judge.Mistake[bicFunc]{
		{Key: "half-missing", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - m*math.Log(n) }),
			Message: "Your penalty is M ln N, twice the right penalty. The factor ½, from the square root of the determinant |A|, is missing."},
		{Key: "aic", Hint: 1, Answer: fromScore(func(l, m, _ float64) float64 { return l - m }),
			Message: "This is Akaike's criterion, ln p(D|θ) − M (1.73). Its penalty does not grow with N, and it does not approximate ln p(D)."},
		{Key: "aic", Hint: 1, Answer: fromScore(func(l, m, _ float64) float64 { return 2*m - 2*l }),
			Message: "You return Akaike's criterion times −2. Its penalty does not grow with N, and it does not approximate ln p(D)."},
		{Key: "deviance-scale", Hint: 1, Answer: fromScore(func(l, m, n float64) float64 { return m*math.Log(n) - 2*l }),
			Message: "You return −2 times the right number, a common form of the BIC in statistics, for which smaller is better. Return the approximation of ln p(D) itself."},
		{Key: "sign", Hint: 1, Answer: fromScore(func(l, m, n float64) float64 { return m/2*math.Log(n) - l }),
			Message: "Your number has the wrong sign. ln p(D) contains the log likelihood with a plus sign."},
		{Key: "penalty-sign", Hint: 1, Answer: fromScore(func(l, m, n float64) float64 { return l + m/2*math.Log(n) }),
			Message: "In your number the penalty has the wrong sign, so every further parameter would improve a model. Subtract the penalty."},
		{Key: "no-penalty", Hint: 1, Answer: fromScore(func(l, _, _ float64) float64 { return l }),
			Message: "You return the log likelihood alone. The penalty is missing or 0; in Go 1/2 is an integer division with the result 0."},
		{Key: "one-parameter", Hint: 2, Answer: fromScore(func(l, _, n float64) float64 { return l - math.Log(n)/2 }),
			Message: "Your penalty is ½ ln N, whatever M is. The posterior becomes narrower in each of the M dimensions: |NĤ| = Nᴹ|Ĥ|."},
		{Key: "roles-swapped", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - n/2*math.Log(m) }),
			Message: "Your penalty is ½ N ln M. Swap N and M."},
		{Key: "log-missing", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - m*n/2 }),
			Message: "Your penalty contains N without the logarithm. Use ln N."},
		{Key: "base", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - m/2*math.Log10(n) }),
			Message: "The logarithm in your penalty has base 10, but the log likelihood is a natural logarithm."},
		{Key: "base", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - m/2*math.Log2(n) }),
			Message: "The logarithm in your penalty has base 2, but the log likelihood is a natural logarithm."},
		{Key: "two-pi-kept", Hint: 2,
			Answer:  fromScore(func(l, m, n float64) float64 { return l - m/2*math.Log(n/(2*math.Pi)) }),
			Message: "Your penalty is ½ M ln(N/2π). The term ½ M ln(2π) does not grow with N, so (4.139) drops it."},
		{Key: "whole-number-half", Hint: 3,
			Answer:  fromScore(func(l, m, n float64) float64 { return l - math.Floor(m/2)*math.Log(n) }),
			Message: "Your number is right for even M but wrong for odd M, as if you divided the integer M by 2. In Go this rounds M/2 down. Convert M to float64 first."},
		{Key: "off-by-one", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - (m+1)/2*math.Log(n) }),
			Message: "Your number would be right for M+1 parameters. M is the length of θ, and θ already includes a bias or a noise level."},
		{Key: "off-by-one", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - (m-1)/2*math.Log(n) }),
			Message: "Your number would be right for M−1 parameters. Count all M parameters of θ."},
		{Key: "off-by-one", Hint: 2, Answer: fromScore(func(l, m, n float64) float64 { return l - m/2*math.Log(n-1) }),
			Message: "Your penalty contains ln(N−1). Use ln N, because H is a sum over all N points."},
	},
}

var droppedQuestion = &judge.Question[droppedFunc, problem]{
	Func: "Dropped", Name: "Dropped", Hint: 3,
	Invoke: func(dropped droppedFunc, c *judge.Call, p problem) []float64 {
		v := dropped(c.Slice("mode", p.Mode), c.Slice("m", p.M0), c.Sym("V0", p.S0), c.Sym("H", p.H), p.N)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			bad := verify.Fail("not-finite", 3,
				"For %v Dropped returned %g, which is not a finite number. H is a Hessian of the negative log likelihood and V0 a covariance, so H + V0⁻¹ is positive definite for every N.", p, v)
			if p.N < len(p.M0) {
				bad = verify.Fail("singular", 3,
					"For %v Dropped returned %g, which is not a finite number. H is singular for this problem, so ln|H| is −∞. Use the precision of the posterior, H + V0⁻¹, instead of H.", p, v)
			}
			if len(p.M0) > 20 {
				bad = verify.Fail("not-finite", 3,
					"For %v Dropped returned %g, which is not a finite number. The determinant of so large a matrix may be outside the range of a float64. LogDet computes its logarithm without the determinant.", p, v)
			}
			c.Say(&bad)
		}
		return []float64{v}
	},
	Right: func(p problem) []float64 { return []float64{p.terms().sum(1, 1, 1, 1)} },
	Unit:  func(_ problem, right []float64) []float64 { return []float64{1 + math.Abs(right[0])} },
	Mistakes: []judge.Mistake[droppedFunc]{
		{Key: "prior-precision-missing", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.a - t.h) / 2 }),
			Message: "Your number contains ln|H| in place of ln|A| with A = H + V0⁻¹ (4.138). The first formula of the exercise has ½ ln|H|. This formula is right only if the prior is broad and H is the Hessian of the *negative* log likelihood."},
		{Key: "quadratic-missing", Hint: 3, Answer: sum(0, 1, 1, 1),
			Message: "In your number the term ½(θ−m)ᵀV0⁻¹(θ−m) is missing. This term is small only for a broad prior, and it is one of the terms that the BIC drops."},
		{Key: "quadratic-sign", Hint: 3, Answer: sum(-1, 1, 1, 1),
			Message: "In your number the quadratic term has the wrong sign. A mode far from the mean of the prior makes the evidence smaller."},
		{Key: "quadratic-half", Hint: 3, Answer: sum(2, 1, 1, 1), Message: "In your number the factor ½ of the quadratic term is missing."},
		{Key: "covariance-for-precision", Hint: 3,
			Answer:  withExtra(func(t terms) float64 { return (t.quad - t.wrongQuad) / 2 }),
			Message: "Your quadratic term contains V0 where the prior density contains V0⁻¹."},
		{Key: "covariance-for-precision", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.a - t.wrongA) / 2 }),
			Message: "Your A is H + V0. Add H and the precision V0⁻¹ of the prior."},
		{Key: "prior-mean-ignored", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.quad - t.fromZero) / 2 }),
			Message: "Your quadratic term contains θ in place of θ − m. The mean m of the prior is not 0."},
		{Key: "prior-normalisation", Hint: 3, Answer: sum(1, 0, 1, 1),
			Message: "In your number, −½ ln|V0| is missing. It is part of the normalisation of the prior density. Do not drop any constant here."},
		{Key: "prior-normalisation", Hint: 3, Answer: sum(1, -1, 1, 1),
			Message: "In your number, ½ ln|V0| has the wrong sign. A broader prior has a lower density."},
		{Key: "determinant-sign", Hint: 3, Answer: sum(1, 1, -1, 1),
			Message: "In your number, ½ ln|A| has the wrong sign. A narrower posterior makes the evidence smaller."},
		{Key: "determinant-half", Hint: 3, Answer: sum(1, 1, 2, 1), Message: "In your number the factor ½ of ln|A| is missing."},
		{Key: "determinant-missing", Hint: 3, Answer: sum(1, 1, 0, 1),
			Message: "In your number, −½ ln|A| is missing, where A is the Hessian of the negative log posterior."},
		{Key: "penalty-not-subtracted", Hint: 3, Answer: sum(1, 1, 1, 0),
			Message: "You return the Laplace approximation minus the log likelihood. Subtract the BIC, which also contains the penalty −½ M ln N."},
		{Key: "penalty-sign", Hint: 3, Answer: sum(1, 1, 1, -1),
			Message: "In your number, ½ M ln N has the wrong sign. The BIC contains −½ M ln N, so the Laplace approximation minus the BIC contains +½ M ln N."},
		{Key: "as-printed", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.prior + t.a - t.h) / 2 }),
			Message: "You return the formula printed in the exercise minus the BIC, with −½ ln|H| and with 0 for the “const”. Neglect nothing here: compute the constant, and use A of (4.138) in place of H."},
		{Key: "broad-prior", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.quad + t.a - t.h) / 2 }),
			Message: "You return the result for a broad prior: the quadratic term is missing, and you use H in place of A. Return the whole difference, without neglecting a term."},
		{Key: "hessian-times-n", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.a - t.timesN) / 2 }),
			Message: "Your A contains N·H. H is already the Hessian for all data, N·Ĥ."},
		{Key: "hessian-times-n", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.a - t.overN) / 2 }),
			Message: "Your A contains H/N. Use H, the Hessian for all data."},
		{Key: "diagonal", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.quad - t.diagonal) / 2 }),
			Message: "Your quadratic term contains only the diagonal of V0. The parameters are correlated in the prior, so use the inverse of the whole matrix V0."},
		{Key: "determinant-root", Hint: 3, Answer: sum(1, 0.5, 0.5, 1),
			Message: "Both log determinants are half of their right values. If you use a Cholesky factor, |V0| is the *square* of the product of its diagonal."},
		{Key: "penalty-half", Hint: 3, Answer: sum(1, 1, 1, 2),
			Message: "In your number the factor ½ of M ln N is missing. The BIC subtracts ½ M ln N."},
		{Key: "whole-number-half", Hint: 3,
			Answer:  withExtra(func(t terms) float64 { return (math.Floor(t.m/2) - t.m/2) * t.lnN }),
			Message: "Your number is right for even M but wrong for odd M, as if you divided the integer M by 2. In Go this rounds M/2 down. Convert M to float64 first."},
		{Key: "penalty-once", Hint: 3, Answer: withExtra(func(t terms) float64 { return (t.lnN - t.m*t.lnN) / 2 }),
			Message: "Your sum contains ½ ln N without M. The factor M is needed because |NĤ| = Nᴹ|Ĥ|."},
		{Key: "two-pi", Answer: withExtra(func(t terms) float64 { return t.m / 2 * math.Log(2*math.Pi) }), Hint: 3,
			Message: "Your number contains +½ M ln(2π). This term of (4.137) cancels against the normalisation of the prior."},
		{Key: "two-pi", Answer: withExtra(func(t terms) float64 { return -t.m / 2 * math.Log(2*math.Pi) }), Hint: 3,
			Message: "Your number contains −½ M ln(2π), a part of the normalisation of the prior. It cancels against +½ M ln(2π) in (4.137)."},
		{Key: "difference-turned", Hint: 3, Answer: sum(-1, -1, -1, -1),
			Message: "You return the BIC minus the Laplace approximation. Return the Laplace approximation minus the BIC, which is the sum of the terms that the BIC drops."},
		{Key: "zero", Hint: 3, Answer: sum(0, 0, 0, 0),
			Message: "You returned 0. The dropped terms do not grow with N, but they do not vanish."},
	},
}

// fromScore returns a version of BIC that computes f(l, M, N), where l is the log likelihood.
func fromScore(f func(l, m, n float64) float64) bicFunc {
	return func(l float64, M, N int) float64 { return f(l, float64(M), float64(N)) }
}

// The type `terms` contains the numbers that occur in the dropped terms and in wrong versions of
// these terms.
type terms struct {
	// the quadratic forms (θ−m)ᵀV0⁻¹(θ−m), (θ−m)ᵀV0(θ−m), θᵀV0⁻¹θ, and the first form computed with
	// only the diagonal of V0
	quad, wrongQuad, fromZero, diagonal float64
	prior                               float64 // ln|V0|
	// the log determinants ln|H+V0⁻¹|, ln|H|, ln|H+V0|, ln|NH+V0⁻¹|, ln|H/N+V0⁻¹|
	a, h, wrongA, timesN, overN float64
	m, lnN                      float64
}

func (p problem) terms() terms {
	m, n := len(p.M0), float64(p.N)
	theta, d := mat.NewVecDense(m, p.Mode), mat.NewVecDense(m, instance.Minus(p.Mode, p.M0))
	v := gauss.Inverse(p.S0)
	logDet := func(c float64, b mat.Symmetric) float64 { // ln|c·H + b|
		var s mat.SymDense
		s.ScaleSym(c, p.H)
		s.AddSym(&s, b)
		l, _ := mat.LogDet(&s)
		return l
	}
	diagonal := 0.0
	for i := range m {
		diagonal += d.AtVec(i) * d.AtVec(i) / p.S0.At(i, i)
	}
	zero := mat.NewSymDense(m, nil)
	return terms{mat.Inner(d, v, d), mat.Inner(d, p.S0, d), mat.Inner(theta, v, theta), diagonal,
		logDet(0, p.S0), logDet(1, v), logDet(1, zero), logDet(1, p.S0), logDet(n, v), logDet(1/n, v), float64(m),
		math.Log(n)}
}

// sum multiplies the four dropped terms by the factors `quad`, `prior`, `det` and `penalty`, and
// returns the sum of the products.
func (t terms) sum(quad, prior, det, penalty float64) float64 {
	return (-quad*t.quad - prior*t.prior - det*t.a + penalty*t.m*t.lnN) / 2
}

// withExtra returns a version of Dropped that adds more(t) to the right number, where t contains
// the terms.
func withExtra(more func(t terms) float64) droppedFunc {
	return summed(func(t terms) float64 { return t.sum(1, 1, 1, 1) + more(t) })
}

// sum returns a version of Dropped that multiplies the four terms by the given factors and returns
// the sum of the products.
func sum(quad, prior, det, penalty float64) droppedFunc {
	return summed(func(t terms) float64 { return t.sum(quad, prior, det, penalty) })
}

func summed(f func(t terms) float64) droppedFunc {
	return func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
		return f(problem{"", gauss.Model{Mode: mode, M0: m, S0: V0, H: H, N: N}}.terms())
	}
}

func init() {
	judge.Known(exercise, bICQuestion, func(f bicFunc) *verify.Report { return Check(f, sum(1, 1, 1, 1)) })
	judge.Known(exercise, droppedQuestion, func(f droppedFunc) *verify.Report {
		return Check(fromScore(func(l, m, n float64) float64 { return l - m/2*math.Log(n) }), f)
	})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex23", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
