// Package ex22 judges PRML exercise 4.22: the log evidence of a model by the Laplace approximation,
// (4.137).
package ex22

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function logEvidence of PRML exercise 4.22. logEvidence returns the log evidence
// (4.137) of a model. logLik and logPrior are functions of the M parameters. `mode` (M) is the mode
// of the posterior, and A (M×M) is the Hessian of the negative log posterior at the mode.
func Check(logEvidence func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64) *verify.Report {
	return exercise.Judge(question.Parts(logEvidence, []judge.Property[problem]{
		judge.Form("the result is a finite number, and the mode and A stay unchanged", models, nil, judge.Wrong{},
			"You returned a finite number for M from 1 to 8."),
		{Name: "Gaussian posteriors of 1 to 8 dimensions: the exact evidence", Problems: models,
			Holds: matchesExact(false),
			Wrong: judge.Wrong{Key: "value", Hint: 2,
				Message: "For {problem} the posterior is Gaussian, so the formula gives the exact log density of the targets. Your log evidence is {off}."},
			Right: "For Gaussian posteriors the approximation is exact. Your log evidence agrees with the log density of the targets, computed without an integral over the parameters."},
		{Name: "the bias of a coin: exact except for the error of Stirling's formula", Problems: models,
			Holds: matchesExact(true),
			Wrong: judge.Wrong{Key: "coin", Hint: 2,
				Message: "For {problem}, where θ is the log odds of heads, the evidence is a ratio of Beta functions. Your log evidence is {off}. This difference does not include the error of the Laplace approximation."},
			Right: "For a coin the evidence is a ratio of Beta functions. Your log evidence differs from the logarithm of this ratio by the error of Stirling's formula, 0.12 without any toss and 3·10⁻⁶ after 80 000 tosses."},
		{Name: "logistic regression with two weights: near the integral, computed by quadrature", Problems: logistics,
			Holds: problem.byQuadrature,
			Wrong: judge.Wrong{Key: "logistic", Hint: 2, Message: "For {problem} your log evidence is {off}."},
			Right: "These posteriors are not Gaussian. For 3, 12 and 40 points your approximation differs by less than 0.1 from the logarithm of the integral, computed by quadrature."},
		{Name: "the same evidence in other units of the parameters", Problems: otherUnits,
			Holds: func(p problem, got []float64) verify.Finding {
				// this part compares two results of the learner's function with each other, not
				// with the right result
				q := p.before
				return verify.Close(got[0], logEvidence(q.logLik, q.logPrior, q.mode, q.A),
					verify.Tolerance{Abs: 1e-7, Rel: 1e-8})
			},
			Wrong: judge.Wrong{Key: "units", Hint: 3,
				Message: "For {problem} your log evidence in other units of the parameters, θ = Tη, is {off}, compared with your log evidence in the original units. The two must be equal: the density of η contains the factor |T|, A becomes TᵀAT, and the two changes cancel. (They do not cancel if you add a number to A or to its determinant.)"},
			Right: "Your evidence does not depend on the units of the parameters, because the changes in the prior density and in ½ ln|A| cancel."},
		{Name: "determinants beyond the range of a float64", Problems: farDeterminants, Extreme: true,
			Holds: func(p problem, got []float64) verify.Finding {
				return verify.Close(got[0], p.exact, verify.Tolerance{Abs: 1e-6, Rel: 1e-8})
			},
			Wrong: judge.Wrong{Key: "determinant", Hint: 3,
				Message: "For {problem} your log evidence is {off}, but it is right if the determinant of A is in the range of a float64. Do not clip the determinant, and do not add a number to it or to A."},
			Right: "Your log evidence is right for 3 to 200 parameters, even if |A| is far outside the range of a float64."},
	}...)...)
}

// CheckSteps judges two optional steps of the derivation. Here f(θ) = p(D|θ)p(θ) is the integrand of
// the evidence. `expansion` returns the second-order expansion of ln f about its maximum, at the
// displacement z (M numbers). Its argument `height` is ln f at the maximum, and its argument A is the
// M×M matrix −∇∇ ln f at the maximum. logVolume returns ln ∫ exp(−½zᵀAz) dz.
func CheckSteps(expansion func(height float64, A *mat.SymDense, z []float64) float64,
	logVolume func(A *mat.SymDense) float64) *verify.Report {
	volumeRoutes := []judge.Route[curvature]{
		{Name: "the product over the principal axes", Tol: 1e-9, Value: volumeQuestion.Right},
		{Name: "the integral over one variable after the other", Tol: 1e-9,
			Value: func(c curvature) []float64 { return []float64{oneByOne(c.A)} }},
	}
	return exercise.JudgeSteps(append(
		expansionQuestion.Steps(expansion,
			judge.Step[place]{Name: "Expansion: ln f about its maximum, to second order", Problems: places,
				Routes: []judge.Route[place]{
					{Name: "the sum over the second derivatives", Tol: 1e-9, Value: expansionQuestion.Right},
					// For a Gaussian posterior the expansion equals ln f, so this value is exact.
					{Name: "the log likelihood plus the log prior at the displaced parameters", Tol: 1e-8, Value: func(p place) []float64 {
						return []float64{p.joint(floats.AddTo(make([]float64, len(p.z)), p.mode, p.z))}
					}},
				},
				Right: "Your result is the expansion to second order, and equals ln f if the posterior is Gaussian."}),
		volumeQuestion.Steps(logVolume,
			judge.Step[curvature]{Name: "LogVolume: the logarithm of the Gaussian integral", Problems: curvatures,
				Routes: volumeRoutes,
				Right:  "For 1 to 6 dimensions your result agrees with the logarithm of the integral, computed along the principal axes and over one variable after the other."},
			judge.Step[curvature]{Name: "LogVolume: determinants beyond the range of a float64", Problems: wide,
				Extreme: true,
				Routes:  volumeRoutes,
				Right:   "Your result is finite and right even if the determinant overflows or underflows."})...)...)
}

// A problem contains a model, the mode of its posterior, and the matrix A of (4.137). The field
// `exact` is the log evidence, computed without the Laplace approximation. For a coin, the field
// `left` is an estimate of the difference exact − laplace, and `unsure` is an upper bound on the
// error of this estimate.
type problem struct {
	name             string
	logLik, logPrior logDensity
	mode             []float64
	A                *mat.SymDense
	exact            float64
	left, unsure     float64  // `left` and `unsure` are 0 for all models except coins
	laplace          float64  // (4.137)
	before           *problem // the model before a change of units, or nil
	beyond           bool     // whether |A| is outside the range of a float64
}

type logDensity = func(theta []float64) float64

func (p problem) String() string { return fmt.Sprintf("“%s”", p.name) }

// joint returns the logarithm of the integrand of the evidence, ln p(D|θ)p(θ).
func (p problem) joint(theta []float64) float64 { return p.logLik(theta) + p.logPrior(theta) }

// filled returns a copy of p in which the field `laplace` is the value of (4.137), computed by an
// LU factorization. The functions logLik and logPrior of the copy return NaN if θ has the wrong
// length.
func (p problem) filled() problem {
	p.logLik, p.logPrior = sized(len(p.mode), p.logLik), sized(len(p.mode), p.logPrior)
	p.laplace = termsOf(p.logLik, p.logPrior, p.mode, p.A).sum(1, 1, 1, 1)
	return p
}

func sized(m int, f logDensity) logDensity {
	return func(theta []float64) float64 {
		if len(theta) != m {
			return math.NaN()
		}
		return f(theta)
	}
}

// matchesExact returns a function that compares the answer with the exact evidence. If the argument
// `coins` is true, the function checks only models of coins. Otherwise it checks only models with
// Gaussian posteriors. Nevertheless, both parts of the report that use matchesExact call the answer
// on all models, because several mistakes give the same numbers for Gaussian posteriors and can be
// told apart only by their numbers for coins.
func matchesExact(coins bool) func(p problem, got []float64) verify.Finding {
	return func(p problem, got []float64) verify.Finding {
		if coin := p.unsure > 0; coin != coins {
			return verify.Finding{OK: true}
		}
		return verify.Close(got[0]+p.left, p.exact, verify.Tolerance{Abs: p.unsure + 1e-8, Rel: 1e-10})
	}
}

// byQuadrature compares the answer with the logarithm of the integral, computed by quadrature, and
// then with (4.137). The error of (4.137) is less than 0.1 for these models.
func (p problem) byQuadrature(got []float64) verify.Finding {
	f := verify.Close(got[0], p.exact, verify.Tolerance{Abs: 0.1})
	if !f.OK {
		f.Note = fmt.Sprintf("not near the logarithm of the integral, computed by quadrature: %s, which is more than the error of the Laplace approximation", f.Off())
		return f
	}
	if f = verify.Close(got[0], p.laplace, verify.Tolerance{Abs: 1e-8, Rel: 1e-9}); !f.OK {
		f.Note = fmt.Sprintf("near the logarithm of the integral, computed by quadrature, but not equal to the Laplace approximation: %s", f.Off())
	}
	return f
}

func source(part uint64) *rand.Rand { return instance.Source(422, part) }

// models returns models with Gaussian posteriors, followed by models of coins.
var models = instance.Once(func() []problem {
	return append(gaussians(),
		coin(7, 3, 1, 1), coin(0, 0, 1, 1), coin(2, 40, 0.5, 3), coin(400, 600, 2, 2), coin(5e4, 3e4, 1, 1))
})

// gaussians returns models with Gaussian posteriors.
func gaussians() []problem {
	r := source(1)
	return []problem{
		linear(r, "three parameters, ten targets", 10, 3, 1, 2),
		linear(r, "one parameter, five targets", 5, 1, 2, 0.5),
		linear(r, "one parameter, one target", 1, 1, 1, 1),
		linear(r, "two parameters, thirty targets", 30, 2, 4, 1),
		linear(r, "fewer targets than parameters", 2, 5, 1, 3),
		linear(r, "eight parameters, twenty targets", 20, 8, 0.5, 1),
	}
}

// otherUnits returns copies of the models in other units: the parameters are η instead of θ, where
// θ = Tη. The scale of η is moderate, very small or very large.
var otherUnits = instance.Once(func() (list []problem) {
	r := source(2)
	for _, p := range models() {
		for _, size := range []float64{1, 1e-6, 1e6} {
			m := len(p.mode)
			t := mat.NewDense(m, m, instance.Normals(r, m*m))
			for i := range m {
				t.Set(i, i, 4+math.Abs(t.At(i, i))) // a large diagonal makes T well conditioned
				floats.Scale(0.25*float64(i+1)*size, t.RawRowView(i))
			}
			list = append(list, p.inUnits(t))
		}
	}
	return list
})

// farDeterminants returns models for which |A| is outside the range of a float64. Two of these
// models have many parameters, and two models have few.
var farDeterminants = instance.Once(func() []problem {
	r := source(3)
	list := []problem{
		linear(r, "200 parameters, precise targets", 250, 200, 1, 20),
		linear(r, "80 parameters, broad prior, very noisy targets", 120, 80, 1e8, 1e-9),
	}
	for i, scale := range []float64{1e-60, 1e60} {
		p := models()[0]
		p.name += []string{" with parameters in tiny units", " with parameters in huge units"}[i]
		list = append(list, p.inUnits(mat.NewDiagDense(3, []float64{scale, scale, scale})))
	}
	for i := range list {
		list[i].beyond = true
	}
	return list
})

// linear returns a linear regression model with n targets and m parameters. Its posterior is
// Gaussian.
func linear(r *rand.Rand, name string, n, m int, priorVariance, beta float64) problem {
	d := gauss.Linear(r, m, priorVariance, beta, n)[0]
	return problem{name: name, logLik: d.LogLik, logPrior: d.LogPrior, mode: d.Mode, A: d.A, exact: d.Exact}.filled()
}

// coin returns the model of a tossed coin with a Beta prior, where θ is the log odds of heads. Let
// e(x) be ln Γ(x) minus the value of Stirling's formula. This error lies between 1/(12x) − 1/(360x³) and
// 1/(12x). The exact log evidence minus (4.137) is e(x) + e(y) − e(s), with x, y and s as below.
func coin(heads, tails, a, b float64) problem {
	term := func(h, t float64) logDensity {
		return func(theta []float64) float64 {
			return h*kernel.LogSigmoid(theta[0]) + t*kernel.LogSigmoid(-theta[0])
		}
	}
	prior, x, y, s := term(a, b), heads+a, tails+b, heads+tails+a+b
	return problem{
		name: fmt.Sprintf("a coin with %g heads and %g tails", heads, tails), logLik: term(heads, tails),
		logPrior: func(theta []float64) float64 { return prior(theta) - logBeta(a, b) },
		mode:     []float64{math.Log(x / y)}, A: mat.NewSymDense(1, []float64{x * y / s}),
		exact:  logBeta(x, y) - logBeta(a, b),
		left:   (1/x + 1/y - 1/s) / 12,
		unsure: (math.Pow(x, -3) + math.Pow(y, -3) + math.Pow(s, -3)) / 360,
	}.filled()
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// inUnits returns the model p with other parameters η, where θ = Tη. The density of η contains the
// factor |T|, and A becomes TᵀAT.
func (p problem) inUnits(t mat.Matrix) problem {
	var a mat.Dense
	a.Product(t.T(), p.A, t)
	return problem{name: p.name, exact: p.exact, left: p.left, unsure: p.unsure, before: &p,
		logLik:   func(eta []float64) float64 { return p.logLik(gauss.Times(t, eta)) },
		logPrior: func(eta []float64) float64 { return p.logPrior(gauss.Times(t, eta)) + byLU(t) },
		mode:     gauss.Solve(t, p.mode), A: mat.NewSymDense(len(p.mode), a.RawMatrix().Data),
	}.filled()
}

// logistics returns Bayesian logistic regressions on 40, 12 and 3 points, with two weights and the
// prior N(w|0,2I). Their evidence is computed by quadrature. With few points, the error of the Laplace
// approximation can exceed 0.1, the tolerance of the report part that uses these models. For seeds other
// than 0, logistics therefore draws the points again until the error is below 0.09.
var logistics = instance.Once(func() (list []problem) {
	for i, n := range []int{40, 12, 3} {
		r := source(uint64(10 + i))
		p := logistic(r, n)
		for instance.Again(func() bool { return math.Abs(p.laplace-p.exact) < 0.09 }) {
			p = logistic(r, n)
		}
		list = append(list, p)
	}
	return list
})

// logistic draws a Bayesian logistic regression with n points.
func logistic(r *rand.Rand, n int) problem {
	phi := instance.Design(r, n, []float64{1, 0.3}, []float64{0, 1})
	t := make([]float64, n)
	for i := range t {
		t[i] = twoclass.Label(r, 0.5+1.2*phi.At(i, 1))
	}
	model, data := twoclass.Logistic, twoclass.Problem{Phi: phi, T: t}
	p := problem{name: fmt.Sprintf("logistic regression on %d points", n)}
	p.logPrior = func(w []float64) float64 { return -floats.Dot(w, w)/4 - math.Log(4*math.Pi) }
	p.logLik = func(w []float64) float64 { return -model.At(data, w) }
	p.mode = model.Penalised(data, []float64{0.5, 0.5}, make([]float64, 2))
	data.W = p.mode
	p.A = mat.NewSymDense(2, model.Hessian(data))
	p.A.AddSym(p.A, mat.NewDiagDense(2, []float64{0.5, 0.5}))
	p.exact = p.quadrature()
	return p.filled()
}

// quadrature returns the log evidence of a model with two parameters, computed by the trapezoidal
// rule. The grid extends from the mode to a distance of ten standard deviations in each direction.
func (p problem) quadrature() float64 {
	const steps, reach = 160, 10.0
	var chol mat.Cholesky
	chol.Factorize(p.A)
	u := chol.RawU() // U is the Cholesky factor with A = UᵀU, and the grid contains the points θ = mode + U⁻¹z
	a, b, d := u.At(0, 0), u.At(0, 1), u.At(1, 1)
	top := p.joint(p.mode)
	h, sum := 2*reach/steps, 0.0
	for i := range steps + 1 {
		for j := range steps + 1 {
			z0, z1 := -reach+float64(i)*h, -reach+float64(j)*h
			x1 := z1 / d
			sum += math.Exp(p.joint([]float64{p.mode[0] + (z0-b*x1)/a, p.mode[1] + x1}) - top)
		}
	}
	return top + math.Log(sum*h*h) - chol.LogDet()/2
}

// A place is a model with a Gaussian posterior, together with a displacement z from the mode.
type place struct {
	problem
	z []float64
}

// places returns one place at the mode of the first model, and for every model two places that are
// not at the mode.
func places() []place {
	r := source(31)
	list := gaussians()
	out := []place{{list[0], make([]float64, len(list[0].mode))}}
	for _, p := range list {
		out = append(out, place{p, instance.Normals(r, len(p.mode))}, place{p, instance.Unit(r, len(p.mode))})
	}
	return out
}

// A curvature is the matrix A in the integral ∫ exp(−½ zᵀAz) dz.
type curvature struct {
	A    *mat.SymDense
	wide bool // whether the determinant is outside the range of a float64
}

func (c curvature) String() string {
	return fmt.Sprintf("a matrix with M = %d and first entry %.3g", c.A.SymmetricDim(), c.A.At(0, 0))
}

// drawn returns a random M×M matrix for each M in `dimensions`, multiplied by the number at the same
// place in `scales`. The argument `wide` becomes the field `wide` of every result.
func drawn(part uint64, wide bool, scales []float64, dimensions ...int) (out []curvature) {
	r := source(part)
	for i, m := range dimensions {
		a := instance.Covariance(r, m)
		a.ScaleSym(scales[i], a)
		out = append(out, curvature{a, wide})
	}
	return out
}

// curvatures returns M×M matrices with M from 1 to 6 and with determinants different from 1.
func curvatures() []curvature {
	return drawn(32, false, []float64{2, 0.3, 5, 7, 0.5, 1.7}, 3, 1, 2, 1, 4, 6)
}

// wide returns one matrix whose determinant is too large for a float64, and one matrix whose
// determinant is too small.
func wide() []curvature { return drawn(33, true, []float64{1e20, 1e-20}, 40, 41) }

// oneByOne returns the logarithm of ∫ exp(−½ zᵀAz) dz. It integrates over one variable after the
// other. For each variable it completes the square, which changes the matrix of the remaining
// variables. Then it computes a one-dimensional integral as a sum over a grid.
func oneByOne(a *mat.SymDense) float64 {
	var work mat.SymDense
	work.ScaleSym(1, a)
	sum := 0.0
	for k := range a.SymmetricDim() {
		pivot := work.At(k, k)
		grid, h := 0.0, 0.25
		for i := -60; i <= 60; i++ { // the grid extends to 15 standard deviations
			t := h * float64(i)
			grid += h * math.Exp(-t*t/2)
		}
		sum += math.Log(grid) - math.Log(pivot)/2
		row := mat.Row(nil, k, &work)
		work.SymRankOne(&work, -1/pivot, mat.NewVecDense(len(row), row))
	}
	return sum
}

type (
	evidenceFunc  = func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64
	expansionFunc = func(height float64, A *mat.SymDense, z []float64) float64
	volumeFunc    = func(A *mat.SymDense) float64
)

var question = &judge.Question[evidenceFunc, problem]{
	Func: "LogEvidence", Name: "LogEvidence", Hint: 3,
	Invoke: func(f evidenceFunc, c *judge.Call, p problem) []float64 {
		v := f(p.logLik, p.logPrior, c.Slice("mode", p.mode), c.Sym("A", p.A))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			bad := verify.Fail("not-finite", 3,
				"For %v you returned %g, which is not a finite number. A is positive definite and both log densities are finite at the mode. Perhaps you take the logarithm of 0 or of a negative number, or you call logLik or logPrior with a θ of the wrong length.", p, v)
			if p.beyond {
				bad = verify.Fail("determinant-overflow", 3,
					"For %v you returned %g, which is not a finite number. The determinant of A is outside the range of a float64, but its logarithm is not. Sum the logarithms of the factors, or use the method LogDet of the Cholesky factorization.", p, v)
			}
			c.Say(&bad)
		}
		return []float64{v}
	},
	Right: func(p problem) []float64 { return []float64{p.laplace} },
	Unit:  func(_ problem, right []float64) []float64 { return []float64{1 + math.Abs(right[0])} },
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your number is the log evidence times a constant. Use natural logarithms, and no factor in front of the sum."},
	Mistakes: []judge.Mistake[evidenceFunc]{
		{Key: "two-pi-missing", Hint: 2, Answer: sum(1, 1, 0, 1),
			Message: "In your number the term with ln(2π) is missing, or has no effect (in Go 1/2 is 0). The integral of an unnormalised M-dimensional Gaussian contains M factors √(2π)."},
		{Key: "two-pi-sign", Hint: 2, Answer: sum(1, 1, -1, 1),
			Message: "In your number the term with ln(2π) has the wrong sign. The integral of an unnormalised Gaussian contains the factor (2π)^{M/2}; only a normalised density contains its reciprocal."},
		{Key: "two-pi-once", Hint: 2, Answer: withExtra(func(t terms) float64 { return log2Pi/2 - t.twoPi }),
			Message: "Your sum contains ½ ln(2π) only once. Add it for each of the M dimensions."},
		{Key: "two-pi-half", Hint: 2, Answer: sum(1, 1, 2, 1),
			Message: "Your sum contains M ln(2π). Each dimension contributes a factor √(2π) to the integral, so the factor ½ before M ln(2π) is missing."},
		{Key: "pi-for-two-pi", Hint: 2, Answer: sum(1, 1, math.Log(math.Pi)/log2Pi, 1),
			Message: "Your sum contains π in place of 2π. The integral of exp(−½z²) is √(2π), because of the ½ in the exponent."},
		{Key: "determinant-sign", Hint: 2, Answer: sum(1, 1, 1, -1),
			Message: "In your number, ½ ln|A| has the wrong sign. Subtract it: A is a precision, and a larger precision means a narrower posterior with a smaller volume. (With the determinant of the covariance the sign is plus.)"},
		{Key: "normaliser-inverted", Hint: 2, Answer: sum(1, 1, -1, -1),
			Message: "In your number, ln(2π) and ln|A| both have the wrong sign. The integral of e^{−½zᵀAz} is the reciprocal of the factor in front of a normal density."},
		{Key: "determinant-half", Hint: 2, Answer: sum(1, 1, 1, 2),
			Message: "Your number contains −ln|A|, without the ½. The volume contains the square root of the determinant, so subtract ½ ln|A|."},
		{Key: "determinant-missing", Hint: 2, Answer: sum(1, 1, 1, 0),
			Message: "For {problem} the term with ln|A| is missing or has no effect, or the determinant overflows or underflows. The width of the posterior depends on A."},
		{Key: "occam-missing", Hint: 2, Answer: sum(1, 1, 0, 0),
			Message: "You return ln{p(D|θ)p(θ)} at the mode, the logarithm of the height. The evidence is the integral, about the height times the width. The factor for the width is missing, or has no effect (in Go 1/2 is 0)."},
		{Key: "best-fit-only", Hint: 1, Answer: sum(1, 0, 0, 0),
			Message: "You return the log likelihood at the mode. The Occam factor is missing. This factor is small if the prior allows many parameter values that the data exclude."},
		{Key: "prior-forgotten", Hint: 1, Answer: sum(1, 0, 1, 1),
			Message: "In your number the log prior at the mode is missing. The integrand of the evidence is p(D|θ)p(θ)."},
		{Key: "prior-twice", Hint: 1, Answer: sum(1, 2, 1, 1),
			Message: "The prior is counted twice. logLik is ln p(D|θ) alone, without the prior."},
		{Key: "prior-sign", Hint: 1, Answer: sum(1, -1, 1, 1),
			Message: "In your number the log prior has the wrong sign. The likelihood and the prior are multiplied, so add their logarithms."},
		{Key: "likelihood-forgotten", Hint: 1, Answer: sum(0, 1, 1, 1),
			Message: "You return the Occam factor of (4.137) alone. The likelihood is missing."},
		{Key: "likelihood-twice", Hint: 1, Answer: sum(2, 1, 1, 1), Message: "In your number the likelihood is counted twice. Add logLik at the mode once."},
		{Key: "sign", Hint: 1, Answer: sum(-1, -1, -1, -1),
			Message: "You return the negative log evidence. Change the sign."},
		{Key: "evidence-itself", Hint: 1, Answer: fromTerms(func(t terms) float64 { return math.Exp(t.sum(1, 1, 1, 1)) }),
			Message: "You return the evidence itself. Return its logarithm, which does not underflow."},
		{Key: "not-at-the-mode", Hint: 2,
			Answer:  withExtra(func(t terms) float64 { return t.lik0 + t.prior0 - t.lik - t.prior }),
			Message: "You evaluate both densities at θ = 0. The expansion is about the mode, so evaluate both at the mode."},
		{Key: "log-missing", Hint: 3,
			Answer:  withExtra(func(t terms) float64 { return (t.logDet - math.Exp(t.logDet)) / 2 }),
			Message: "Your sum contains the determinant without the logarithm. Use ln|A|."},
		{Key: "log-missing", Hint: 3, Answer: withExtra(func(t terms) float64 { return t.logDet/2 - math.Exp(t.logDet/2) }),
			Message: "Your sum contains the square root of the determinant without the logarithm. Use ½ ln|A|."},
		{Key: "diagonal-only", Hint: 3,
			Answer:  withExtra(func(t terms) float64 { return (t.logDet - byLU(t.A.DiagView())) / 2 }),
			Message: "Your determinant is the product of the diagonal of A. This product is |A| only for a triangular matrix, so factorize A first."},
		{Key: "trace-for-determinant", Hint: 3,
			Answer:  withExtra(func(t terms) float64 { return (t.logDet - mat.Trace(t.A)) / 2 }),
			Message: "Your sum contains the trace of A in place of ln|A|. (ln|A| is the trace of the matrix logarithm of A.)"},
		{Key: "trace-for-determinant", Hint: 3,
			Answer:  withExtra(func(t terms) float64 { return (t.logDet - math.Log(mat.Trace(t.A))) / 2 }),
			Message: "Your sum contains the logarithm of the trace of A, the sum of its eigenvalues. |A| is the determinant, the product of the eigenvalues."},
		{Key: "cholesky-half", Hint: 3, Answer: sum(1, 1, 1, 0.5),
			Message: "Your number contains −¼ ln|A|, as if the ½ were applied twice. The product of the diagonal of a Cholesky factor is already the square root of the determinant."},
		{Key: "quadratic-kept", Hint: 2, Answer: withExtra(func(t terms) float64 { return -t.quad / 2 }),
			Message: "Your number is the right number minus ½ θᵀAθ at the mode. The quadratic term contains the displacement from the mode, not θ. After the integration over the displacement, no quadratic term is left."},
		{Key: "prior-at-zero", Hint: 2, Answer: withExtra(func(t terms) float64 { return t.prior0 - t.prior }),
			Message: "You evaluate the prior at θ = 0 and the likelihood at the mode. Evaluate both densities at the mode, where the integrand is largest."},
		{Key: "whole-number-half", Hint: 4,
			Answer:  withExtra(func(t terms) float64 { return math.Floor(t.m/2)*log2Pi - t.twoPi }),
			Message: "Your number is right for even M but wrong for odd M, as if M/2 were an integer division, like len(mode)/2 in Go. Convert M to float64 first."},
		{Key: "first-entry", Hint: 3,
			Answer:  withExtra(func(t terms) float64 { return (t.logDet - math.Log(t.A.At(0, 0))) / 2 }),
			Message: "In place of ln|A| your number contains the logarithm of a single entry of A, in the first row and column. This is right only for one parameter."},
		{Key: "base", Hint: 2, Answer: sum(1, 1, 1, 1/math.Ln10),
			Message: "Your ln|A| has base 10, but logLik and logPrior are natural logarithms."},
		{Key: "base", Hint: 2, Answer: sum(1, 1, 1/math.Ln10, 1/math.Ln10),
			Message: "Your ln(2π) and ln|A| have base 10, but logLik and logPrior are natural logarithms."},
	},
}

var log2Pi = math.Log(2 * math.Pi)

// The type `terms` contains the numbers that occur in (4.137) and in wrong versions of (4.137).
type terms struct {
	lik, prior   float64 // the log densities at the mode
	lik0, prior0 float64 // the log densities at θ = 0
	twoPi        float64 // M/2 ln(2π)
	logDet       float64 // ln|A|
	quad         float64 // `quad` is θᵀAθ at the mode
	m            float64
	A            *mat.SymDense
}

func termsOf(logLik, logPrior logDensity, mode []float64, A *mat.SymDense) terms {
	m, origin := float64(len(mode)), make([]float64, len(mode))
	return terms{logLik(mode), logPrior(mode), logLik(origin), logPrior(origin), m / 2 * log2Pi, byLU(A),
		gauss.Form(mode, A, mode), m, A}
}

// fromTerms returns an answer that computes formula(t), where t contains the terms for the
// arguments of the answer.
func fromTerms(formula func(t terms) float64) evidenceFunc {
	return func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64 {
		return formula(termsOf(logLik, logPrior, mode, A))
	}
}

// sum multiplies the four terms of (4.137) by the factors `lik`, `prior`, `twoPi` and `det`, and
// returns the sum of the products.
func (t terms) sum(lik, prior, twoPi, det float64) float64 {
	return lik*t.lik + prior*t.prior + twoPi*t.twoPi - det*t.logDet/2
}

func sum(lik, prior, twoPi, det float64) evidenceFunc {
	return fromTerms(func(t terms) float64 { return t.sum(lik, prior, twoPi, det) })
}

// withExtra returns an answer that adds more(t) to the value of (4.137), where t contains the
// terms.
func withExtra(more func(t terms) float64) evidenceFunc {
	return fromTerms(func(t terms) float64 { return t.sum(1, 1, 1, 1) + more(t) })
}

// byLU returns ln|det A|.
func byLU(a mat.Matrix) float64 {
	l, _ := mat.LogDet(a)
	return l
}

var expansionQuestion = &judge.Question[expansionFunc, place]{
	Func: "Expansion", Name: "Expansion", Key: "expansion", Hint: 2,
	Invoke: func(f expansionFunc, c *judge.Call, p place) []float64 {
		return []float64{f(p.joint(p.mode), c.Sym("A", p.A), c.Slice("z", p.z))}
	},
	Right: func(p place) []float64 {
		sum := p.joint(p.mode)
		for i, a := range p.z {
			for j, b := range p.z {
				sum -= a * p.A.At(i, j) * b / 2
			}
		}
		return []float64{sum}
	},
	Unit: func(p place, _ []float64) []float64 { return []float64{1 + gauss.Form(p.z, p.A, p.z)} },
	Mistakes: []judge.Mistake[expansionFunc]{
		{Key: "second-order-sign", Hint: 2, Answer: parabola(1, -1),
			Message: "Your second-order term has the wrong sign. A contains the second derivatives with the sign reversed, and ln f decreases away from the maximum."},
		{Key: "no-half", Hint: 2, Answer: parabola(1, 2), Message: "In your result the factor ½ of the second-order term is missing."},
		{Key: "height-lost", Hint: 2, Answer: parabola(0, 1),
			Message: "In your result the value at the maximum, the first term of the expansion, is missing."},
		{Key: "first-order", Hint: 2, Answer: parabola(1, 0),
			Message: "You return the expansion to first order. At a maximum it is only the height, because the gradient is 0 there. The second-order term is missing, or has no effect (in Go 1/2 is 0)."},
		{Key: "not-logarithm", Hint: 2, Answer: expanded(func(h, q float64) float64 { return math.Exp(h - q/2) }),
			Message: "You return the exponential of the expansion, an approximation of f. Return ln f."},
		{Key: "height-times-bump", Hint: 2, Answer: expanded(func(h, q float64) float64 { return h * math.Exp(-q/2) }),
			Message: "Your result is the height times exp(−½zᵀAz). The height is ln f at the maximum, so add the second-order term to the height."},
		{Key: "linear", Hint: 2, Answer: expanded(func(h, q float64) float64 { return h - math.Sqrt(q)/2 }),
			Message: "Your second-order term contains the square root of zᵀAz. It must contain zᵀAz itself."},
		{Key: "identity", Hint: 2,
			Answer:  func(h float64, _ *mat.SymDense, z []float64) float64 { return h - floats.Dot(z, z)/2 },
			Message: "Your expansion contains zᵀz, as if A were the identity. In general the curvature A differs between directions."},
		{Key: "inverse", Hint: 2,
			Message: "Your expansion contains the inverse of A in place of A. A contains the second derivatives with the sign reversed; its inverse is the covariance.",
			Answer: func(h float64, A *mat.SymDense, z []float64) float64 {
				return h - floats.Dot(z, gauss.Solve(A, z))/2
			}},
	},
}

// expanded returns an answer for the function Expansion. The answer computes f(h, q) from the
// height h and q = zᵀAz.
func expanded(f func(h, q float64) float64) expansionFunc {
	return func(height float64, A *mat.SymDense, z []float64) float64 { return f(height, gauss.Form(z, A, z)) }
}

var volumeQuestion = &judge.Question[volumeFunc, curvature]{
	Func: "LogVolume", Name: "LogVolume", Key: "volume", Hint: 3,
	Invoke: func(f volumeFunc, c *judge.Call, p curvature) []float64 {
		v := f(c.Sym("A", p.A))
		if p.wide && (math.IsNaN(v) || math.IsInf(v, 0)) {
			c.Say(judge.Fail("volume-far-not-finite", 3,
				"For %v LogVolume is %g, which is not a finite number. The determinant of A is outside the range of a float64, but its logarithm is not.", p, v))
		}
		return []float64{v}
	},
	Right: func(c curvature) []float64 { return []float64{volume(1, 1)(c.A)} },
	Unit:  func(c curvature, _ []float64) []float64 { return []float64{float64(c.A.SymmetricDim())} },
	Mistakes: []judge.Mistake[volumeFunc]{
		{Key: "determinant-sign", Hint: 2, Answer: volume(1, -1),
			Message: "½ ln|A| has the wrong sign: a larger curvature means a narrower peak. (For the covariance A⁻¹ the sign would be plus.)"},
		{Key: "no-root", Hint: 3, Answer: volume(1, 2),
			Message: "Your ln|A| lacks the factor ½. In one dimension the integral is √(2π/A)."},
		{Key: "two-pi-missing", Hint: 3, Answer: volume(0, 1),
			Message: "In your result the powers of 2π are missing, or have no effect (in Go 1/2 is 0). Each dimension contributes √(2π)."},
		{Key: "two-pi-once", Hint: 3, Answer: fromLogDet(func(_, d float64) float64 { return log2Pi/2 - d/2 }),
			Message: "Your sum contains ½ ln 2π only once. Add it for each of the M dimensions."},
		{Key: "two-pi-whole", Hint: 3, Answer: volume(2, 1),
			Message: "Your sum contains ln 2π for each dimension. Each dimension contributes √(2π), so add ½ ln 2π."},
		{Key: "pi", Hint: 3, Answer: fromLogDet(func(m, d float64) float64 { return m/2*math.Log(math.Pi) - d/2 }),
			Message: "In your sum each dimension contributes √π, as in the integral of exp(−zᵀAz). With the ½ in the exponent each dimension contributes √(2π)."},
		{Key: "normaliser", Hint: 2, Answer: volume(-1, -1),
			Message: "You return the logarithm of the factor in front of a normal density. The volume is the reciprocal of this factor."},
		{Key: "not-logarithm", Hint: 3,
			Answer:  fromLogDet(func(m, d float64) float64 { return math.Exp(m/2*log2Pi - d/2) }),
			Message: "You return the integral itself. Return its logarithm, which does not overflow for many dimensions."},
	},
}

// parabola returns an answer for the function Expansion. The answer adds the two terms h and
// −½zᵀAz, the first multiplied by the factor `height` and the second by the factor `square`.
func parabola(height, square float64) expansionFunc {
	return expanded(func(h, q float64) float64 { return height*h - square*q/2 })
}

// fromLogDet returns a version of LogVolume that computes f(M, ln|A|).
func fromLogDet(f func(m, logDet float64) float64) volumeFunc {
	return func(A *mat.SymDense) float64 { return f(float64(A.SymmetricDim()), logDet(A)) }
}

// volume returns an answer for the function LogVolume. The answer adds the two terms M/2 ln(2π) and
// −½ ln|A|, the first multiplied by the factor `twoPi` and the second by the factor `det`.
func volume(twoPi, det float64) volumeFunc {
	return fromLogDet(func(m, d float64) float64 { return twoPi*m/2*log2Pi - det*d/2 })
}

// logDet returns ln|A|, computed from the eigenvalues.
func logDet(a *mat.SymDense) float64 {
	var e mat.EigenSym
	e.Factorize(a, false)
	sum := 0.0
	for _, v := range e.Values(nil) {
		sum += math.Log(v)
	}
	return sum
}

func init() {
	judge.Known(exercise, question, Check)
	judge.Known(exercise, expansionQuestion, func(f expansionFunc) *verify.Report { return CheckSteps(f, volume(1, 1)) })
	judge.Known(exercise, volumeQuestion, func(f volumeFunc) *verify.Report { return CheckSteps(parabola(1, 1), f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex22", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
