// Package lesson12 judges the task of lesson 12: the prediction of Bayesian logistic
// regression from the posterior mode.
package lesson12

import (
	"embed"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type moderatedFunc = func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64

// Check judges `moderated`, which returns the predictive probability (4.155) of Bayesian logistic
// regression.
func Check(moderated moderatedFunc) *verify.Report {
	return exercise.Judge(moderatedQuestion.Parts(moderated, []judge.Property[problem]{
		judge.Form("a number, the same on every call", ofKinds(few, many), nil, judge.Wrong{},
			"You returned a finite number and left the arguments unchanged."),
		{Name: "the sigmoid of the activation, moderated by its variance", Problems: ofKinds(few, many, broad),
			Holds: compareProbability,
			Wrong: judge.Wrong{Key: "probability", Hint: 2, Message: "For {problem} your probability is {off}."},
			Right: "Your probability is right for few data and for many, and for narrow and broad priors."},
		{Name: "½ on the boundary, even if the weights are uncertain", Problems: ofKinds(few, boundary),
			Holds: compareProbability,
			Wrong: judge.Wrong{Key: "boundary", Hint: 3,
				Message: "For {problem} the mean activation is 0, and the probability must be ½; yours is {off}."},
			Right: "On the boundary your probability is ½: uncertainty alone favours neither class."},
		{Name: "far from the data, and with rows of huge activations", Problems: ofKinds(few, far, saturated),
			Holds: compareProbability,
			Wrong: judge.Wrong{Key: "far", Hint: 2, Message: "For {problem} your probability is {off}."},
			Right: "Your probability is right far from the data and with huge activations. Far from the data the mean and the standard deviation of the activation grow in proportion, so the probability tends to a limit between 0 and 1."},
	}...)...)
}

func compareProbability(p problem, got []float64) verify.Finding {
	return verify.Close(got[0], rightProbability(p)[0], verify.Tolerance{Abs: 1e-9})
}

// rightProbability computes the variance with Woodbury's identity, S_N = S₀ − S₀ΦᵀR^½(I +
// R^½ΦS₀ΦᵀR^½)⁻¹R^½ΦS₀. It therefore solves a system of N equations and does not invert S₀.
func rightProbability(p problem) []float64 {
	n, _ := p.Phi.Dims()
	x, mode := mat.NewVecDense(len(p.phi), p.phi), mat.NewVecDense(len(p.w), p.w)
	var a, sx, b, c mat.VecDense
	a.MulVec(p.Phi, mode)
	sx.MulVec(p.S0, x)
	b.MulVec(p.Phi, &sx)
	var cov, g mat.Dense
	cov.Mul(p.Phi, p.S0)
	g.Mul(&cov, p.Phi.T())
	system, root := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range root {
		root[i] = math.Sqrt(kernel.Sigmoid(a.AtVec(i)) * kernel.Sigmoid(-a.AtVec(i)))
		b.SetVec(i, root[i]*b.AtVec(i))
		for j := range i + 1 {
			system.SetSym(i, j, root[i]*g.At(i, j)*root[j])
		}
		system.SetSym(i, i, 1+system.At(i, i))
	}
	var chol mat.Cholesky
	if !chol.Factorize(system) || chol.SolveVecTo(&c, &b) != nil {
		panic("the N×N system of a problem is singular")
	}
	variance := mat.Dot(x, &sx) - mat.Dot(&b, &c)
	return []float64{kernel.Sigmoid(mat.Dot(mode, x) / math.Sqrt(1+math.Pi*variance/8))}
}

// A problem contains the features phi of a new input, the mode w, the design matrix Phi and the
// prior covariance S0.
type problem struct {
	name   string
	phi, w []float64
	Phi    *mat.Dense
	S0     *mat.SymDense
}

func (p problem) String() string {
	n, m := p.Phi.Dims()
	return fmt.Sprintf("%s (N = %d, M = %d)", p.name, n, m)
}

type kind int

var kinds = []string{"few data", "many data", "a broad prior", "a point on the boundary", "a point far from the data",
	"rows of huge activations"}

const (
	few kind = iota
	many
	broad
	boundary
	far
	saturated
)

// ofKinds returns a function that draws problems of the given kinds.
func ofKinds(kinds ...kind) func() []problem {
	return func() (list []problem) {
		for _, k := range kinds {
			for i := range 4 {
				list = append(list, draw(k, i))
			}
		}
		return list
	}
}

func draw(k kind, i int) problem {
	r := instance.Source(5012, uint64(10*int(k)+i))
	m, n := 2+i%3, 6
	if k == many {
		n = 60
	}
	centre, spread := make([]float64, m), make([]float64, m)
	for j := range m {
		spread[j] = 1
	}
	centre[0], spread[0] = 1, 0 // a bias
	p := problem{name: kinds[k], Phi: instance.Design(r, n, centre, spread), S0: instance.Covariance(r, m)}
	p.w = instance.Weights(r, p.Phi, 0.7)
	p.phi = append([]float64{1}, instance.Normals(r, m-1)...)
	switch k {
	case broad:
		p.S0.ScaleSym(1e3, p.S0)
	case boundary: // the last weight is a divisor below, and adding 0.1 keeps it away from 0
		p.w[m-1] = math.Copysign(math.Abs(p.w[m-1])+0.1, p.w[m-1])
		p.phi[m-1] -= dot(p.w, p.phi) / p.w[m-1]
	case far:
		for j := 1; j < m; j++ {
			p.phi[j] *= 1e4
		}
	case saturated:
		p.w = []float64{0.5, 1.5}
		p.phi = p.phi[:2]
		p.Phi = instance.Reaching(r, p.w, []float64{800, -800, 1, -0.5, 300, 2})
		p.S0 = instance.Covariance(r, 2)
	}
	return p
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// A question is a problem with additional methods, which compute quantities for the known wrong
// answers.
type question struct{ problem }

// outputSlope returns y(1−y), the slope of the sigmoid at the activation a.
func (q question) outputSlope(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

// precision returns the sum of the matrix `prior` and the matrix Σ_n weight(a_n)φ_nφ_nᵀ.
func (q question) precision(prior mat.Symmetric, weight func(a float64) float64) *mat.SymDense {
	sum := mat.NewSymDense(len(q.w), nil)
	sum.CopySym(prior)
	for n, a := range instance.Activations(q.Phi, q.w) {
		sum.SymRankOne(sum, weight(a), q.Phi.RowView(n))
	}
	return sum
}

// inverse returns the inverse of s. It panics if s is not positive definite, or if s is so close to a
// singular matrix that the inverse would be inaccurate. If a known mistake panics for a problem,
// package judge skips this problem when it looks for the mistake.
func (q question) inverse(s *mat.SymDense) *mat.SymDense {
	var chol mat.Cholesky
	if !chol.Factorize(s) {
		panic("singular")
	}
	inverse := mat.NewSymDense(len(q.w), nil)
	if err := chol.InverseTo(inverse); err != nil {
		panic(err)
	}
	return inverse
}

// inner returns φᵀSφ.
func (q question) inner(s *mat.SymDense) float64 {
	x := mat.NewVecDense(len(q.phi), q.phi)
	return mat.Inner(x, s, x)
}

// answerWith returns an answer that computes the variance of the activation with the function
// `variance`. The answer then computes its result from the mean and this variance with the function
// `probability`.
func answerWith(variance func(q question) float64, probability func(mu, variance float64) float64) moderatedFunc {
	return func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
		return probability(dot(w, phi), variance(question{problem{phi: phi, w: w, Phi: Phi, S0: S0}}))
	}
}

var moderatedQuestion = &judge.Question[moderatedFunc, problem]{
	Func: "Moderated", Name: "probability", Hint: 3,
	Invoke: func(f moderatedFunc, c *judge.Call, p problem) []float64 {
		return []float64{f(c.Slice("phi", p.phi), c.Slice("w", p.w), c.Dense("Phi", p.Phi), c.Sym("S0", p.S0))}
	},
	Right: rightProbability,
	Mistakes: []judge.Mistake[moderatedFunc]{
		{Key: "plug-in", Hint: 2,
			Message: "You return σ(μ_a), the probability at the most probable weights. The variance of the activation is missing, or has no effect.",
			Answer:  answerWith(variance, func(mu, _ float64) float64 { return kernel.Sigmoid(mu) })},
		{Key: "precision", Hint: 1,
			Message: "{problem}: the sum in (4.143) is the precision, the inverse of S_N, as erratum P3 says. You computed the variance as if this sum were the covariance S_N.",
			Answer:  answerWith(func(q question) float64 { return q.inner(q.precision(q.inverse(q.S0), q.outputSlope)) }, moderate)},
		{Key: "no-prior", Hint: 1,
			Message: "{problem}: the prior is missing from the precision of the posterior (erratum P4): the first term of the precision is the inverse of S0.",
			Answer: answerWith(func(q question) float64 {
				return q.inner(q.inverse(q.precision(mat.NewSymDense(len(q.w), nil), q.outputSlope)))
			}, moderate)},
		{Key: "prior-not-inverted", Hint: 1,
			Message: "{problem}: you computed the variance as if the precision contained S0 itself. S0 is the covariance of the prior, so the precision contains its inverse.",
			Answer:  answerWith(func(q question) float64 { return q.inner(q.inverse(q.precision(q.S0, q.outputSlope))) }, moderate)},
		{Key: "only-prior", Hint: 1,
			Message: "{problem}: your variance is φᵀS0φ, the variance under the prior. The data make it smaller.",
			Answer:  answerWith(func(q question) float64 { return q.inner(q.S0) }, moderate)},
		{Key: "no-bend", Hint: 1,
			Message: "{problem}: in your precision each row has the weight 1. The weight of a row is y(1−y), at most ¼.",
			Answer: answerWith(func(q question) float64 {
				return q.inner(q.inverse(q.precision(q.inverse(q.S0), func(float64) float64 { return 1 })))
			}, moderate)},
		{Key: "weights-y", Hint: 1, Message: "{problem}: in your precision each row has the weight y. The weight of a row is y(1−y).",
			Answer: answerWith(func(q question) float64 {
				return q.inner(q.inverse(q.precision(q.inverse(q.S0),
					kernel.Sigmoid)))
			}, moderate)},
		{Key: "diagonal", Hint: 2,
			Message: "{problem}: your variance of the activation contains only the variances of the weights, not their covariances.",
			Answer: answerWith(func(q question) float64 {
				s, sum := q.inverse(q.precision(q.inverse(q.S0), q.outputSlope)), 0.0
				for i, v := range q.phi {
					sum += v * v * s.At(i, i)
				}
				return sum
			}, moderate)},
		{Key: "deviation", Hint: 3, Message: "{problem}: your κ contains the standard deviation σ_a in place of the variance σ_a².",
			Answer: answerWith(variance, func(mu, v float64) float64 { return moderate(mu, math.Sqrt(v)) })},
		{Key: "no-root", Hint: 3,
			Message: "{problem}: in your κ the square root is missing: κ is 1/√(1+πσ_a²/8).",
			Answer:  answerWith(variance, func(mu, v float64) float64 { return kernel.Sigmoid(mu / (1 + math.Pi*v/8)) })},
		{Key: "scale-squared", Hint: 3, Message: "{problem}: your κ contains (π/8)². λ² is π/8 itself; see erratum P24.",
			Answer: answerWith(variance, func(mu, v float64) float64 { return moderate(mu, math.Pi*v/8) })},
		{Key: "no-scale", Hint: 3,
			Message: "{problem}: in your κ the factor π/8 of σ_a² is missing. Without this factor the formula holds for the probit function Φ, not for σ.",
			Answer:  answerWith(variance, func(mu, v float64) float64 { return kernel.Sigmoid(mu / math.Sqrt(1+v)) })},
		{Key: "probit", Hint: 3,
			Message: "{problem}: you return (4.152), the probit function. The last step replaces the probit function with the sigmoid, (4.153).",
			Answer: answerWith(variance,
				func(mu, v float64) float64 { return kernel.NormCDF(mu / math.Sqrt(8/math.Pi+v)) })},
		{Key: "outside", Hint: 3,
			Message: "{problem}: your probability is κσ(μ_a), which is not ½ where μ_a is 0. Multiply the activation by κ, not the sigmoid.",
			Answer: answerWith(variance,
				func(mu, v float64) float64 { return kernel.Sigmoid(mu) / math.Sqrt(1+math.Pi*v/8) })},
		{Key: "sharpened", Hint: 3,
			Message: "{problem}: your probability is farther from ½ than σ(μ_a), as if you multiplied μ_a by √(1+πσ_a²/8). Divide by this root.",
			Answer: answerWith(variance,
				func(mu, v float64) float64 { return kernel.Sigmoid(mu * math.Sqrt(1+math.Pi*v/8)) })},
		{Key: "other-class", Hint: 3, Message: "You return the probability of C₂. Return the probability of C₁.",
			Answer: answerWith(variance, func(mu, v float64) float64 { return moderate(-mu, v) })},
	},
}

func moderate(mu, variance float64) float64 {
	return kernel.Sigmoid(mu / math.Sqrt(1+math.Pi*variance/8))
}

func variance(q question) float64 {
	return q.inner(q.inverse(q.precision(q.inverse(q.S0), q.outputSlope)))
}

func init() { judge.Known(exercise, moderatedQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson12", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
