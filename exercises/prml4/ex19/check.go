// Package ex19 judges PRML exercise 4.19: gradient and Hessian of the log
// likelihood of probit regression.
package ex19

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex19/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.19, for weights w (M), the design
// matrix Phi (N×M) and targets t (N, each 0 or 1): gradient returns the M first
// derivatives of the log likelihood, hessian the M×M second ones.
func Check(
	gradient func(w []float64, Phi *mat.Dense, t []float64) []float64,
	hessian func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense,
) *verify.Report {
	symmetric := judge.Form("Hessian: a symmetric M×M matrix of finite numbers comes back, and the inputs stay as they were", general, nil, judge.Wrong{},
		"You returned a symmetric M×M matrix, for M from 1 to 4 and N from 1 to 200.")
	symmetric.First = mirrored
	return exercise.Judge(slices.Concat(
		askGradient.Parts(gradient,
			judge.Form("Gradient: M finite numbers come back, and the inputs stay as they were", general, nil, judge.Wrong{},
				"You returned one number per weight, for M from 1 to 4 and N from 1 to 200."),
			judge.Property[problem]{
				Name: "Gradient: it holds the derivatives of the log likelihood", On: general, Holds: problem.derivatives,
				Wrong: judge.Wrong{Key: "derivative", Hint: 2, Message: "For {problem} (columns brought to size 1) your entries are not the derivatives of the log likelihood: {off}."},
				Right: "Your entries are the derivatives of the log likelihood, by finite differences.",
			},
			judge.Property[problem]{
				Name: "Gradient: finite and right at activations up to ±30", On: tails, First: tail(problem.sums), Holds: problem.sums, Limits: true,
				Wrong: judge.Wrong{Key: "tail-clipped", Hint: 3, Message: "For {problem} (columns brought to size 1) your gradient is finite, but {off}. Is Φ kept away from 0, are activations limited, or is Φ approximated there by a series with few terms? A point far on the wrong side pulls in proportion to its distance."},
				Right: "A point far on the wrong side pulls with about its distance |a|, one far on the right side not at all.",
			}),
		askHessian.Parts(hessian, symmetric,
			judge.Property[problem]{
				Name: "Hessian: it holds the derivatives of the gradient, for the targets as observed", On: general, Holds: problem.second,
				Wrong: judge.Wrong{Key: "second-derivative", Hint: 2, Message: "For {problem} (columns brought to size 1) your entries are not the derivatives of the gradient: {off}."},
				Right: "Your entries are the second derivatives for the targets as observed (not their average over targets, the Fisher information).",
			},
			judge.Property[problem]{
				Name: "Hessian: negative definite where Φ has full column rank", On: independent, First: definite,
				Right: "All eigenvalues are negative: the log likelihood is concave, and Newton's method leads uphill.",
			},
			judge.Property[problem]{
				Name: "Hessian: finite and right at activations up to ±30", On: tails, First: tail(problem.products), Holds: problem.products, Limits: true,
				Wrong: judge.Wrong{Key: "tail-clipped", Hint: 3, Message: "For {problem} (columns brought to size 1) your Hessian is finite, but {off}. Is Φ kept away from 0, are activations limited, or is Φ approximated there by a series with few terms? Far on the wrong side the weight goes to 1, far on the right side to 0."},
				Right: "Far on the wrong side a point weighs nearly 1, far on the right side nothing: no Inf, no NaN.",
			}),
		askBoth.Parts(both{gradient, hessian}, judge.Property[problem]{
			Name: "together: averaged over the model's own targets, ∇L is 0 and −∇∇L is the variance of ∇L", On: few, With: "Hessian",
			First: func(p problem, got []float64) *verify.Verdict {
				f := verify.CloseSlice(got[:len(p.w)], make([]float64, len(p.w)), verify.Tolerance{Abs: 10 * rightTol})
				if f.OK {
					return nil
				}
				return judge.Fail("mean-not-zero", 2, "For %v the gradient, averaged over targets drawn from the model, should vanish; yours is %s. What a point pulls with t = 1 and with t = 0, times the probabilities Φ(a) and Φ(−a), cancels.", p, f.Off())
			},
			Holds: func(p problem, got []float64) verify.Finding {
				m := len(p.w)
				return verify.CloseMat(mat.NewDense(m, m, got[m:]), mat.NewDense(m, m, nil), verify.Tolerance{Abs: 10 * rightTol})
			},
			Wrong: judge.Wrong{Key: "information", Hint: 2, Message: "For {problem}, averaged over targets drawn from the model, your −∇∇L is not the variance of your ∇L: {off}, relative to its size. The two belong to different functions."},
			Right: "Your gradient and your Hessian belong together: averaged over the model's own targets they give the Fisher information in both ways.",
		}))...)
}

// CheckSteps judges the two derivatives on which everything rests, which are
// optional: logSlope is d ln Φ(x)/dx, logBend is d² ln Φ(x)/dx².
func CheckSteps(logSlope, logBend func(x float64) float64) *verify.Report {
	slopes := []judge.Route[place]{
		{Name: "the quotient", Tol: stepTol, Value: askSlope.Right},
		{Name: "the difference quotient of ln Φ", Tol: 1e-7, Value: func(x place) []float64 { return x.difference(logCDF) }},
	}
	bends := []judge.Route[place]{
		{Name: "the quotient rule", Tol: stepTol, Value: askBend.Right},
		{Name: "the difference quotient of the first derivative", Tol: 1e-7, Value: func(x place) []float64 {
			return x.difference(func(x float64) float64 { m, _ := ratio(x); return m })
		}},
	}
	return exercise.JudgeSteps(slices.Concat(
		askSlope.Steps(logSlope,
			judge.Step[place]{Name: "LogSlope: the derivative of ln Φ", On: middle, Routes: slopes,
				Right: "It is the derivative of ln Φ, as a quotient and by difference quotients."},
			judge.Step[place]{Name: "LogSlope: out to ±30", On: far, Routes: slopes, Limits: true,
				Right: "It is finite and right out to ±30."}),
		askBend.Steps(logBend,
			judge.Step[place]{Name: "LogBend: the second derivative of ln Φ", On: middle, Routes: bends,
				Right: "It is the second derivative of ln Φ, by the quotient rule and by difference quotients."},
			judge.Step[place]{Name: "LogBend: out to ±30", On: far, Routes: bends, Limits: true,
				Right: "It is finite and right out to ±30."}),
		askBend.Parts(logBend, judge.Property[place]{
			Name: "LogBend is the derivative of LogSlope, and negative", On: middle, With: "LogSlope",
			First: func(x place, bend []float64) *verify.Verdict {
				var bad verify.Verdict
				switch f := verify.Close(bend[0], verify.Derivative(func(x float64) float64 { return logSlope(x) }, float64(x), 0), verify.Tolerance{Abs: 1e-5}); {
				case !f.OK:
					bad = verify.Fail("not-its-derivative", 2, "At %v your LogBend is not the slope of your LogSlope: %s. The parts above tell which of the two it is.", x, f.Off())
				case !(bend[0] < 0):
					bad = verify.Fail("not-concave", 2, "At %v your LogBend is %.3g. ln Φ is concave: its slope falls from left to right.", x, bend[0])
				default:
					return nil
				}
				return &bad
			},
			Right: "LogBend is the slope of LogSlope, and negative: ln Φ is concave, and so is L.",
		}))...)
}

// rightTol and stepTol are the agreement that the statement asks for, in units of the
// features, and of 1 + |x|.
const (
	rightTol = 1e-8
	stepTol  = 1e-9
)

// evenly is w for columns brought to size 1, and what turns such weights into those of p.
func (p problem) evenly() (at []float64, back func(v []float64) []float64) {
	s := p.sizes()
	return floats.MulTo(make([]float64, len(s)), p.w, s), func(v []float64) []float64 { return floats.DivTo(make([]float64, len(s)), v, s) }
}

// derivatives compares g with central differences of the log likelihood, for columns
// brought to size 1, so that one step and one tolerance serve all entries; then with
// the sum itself, which has more digits.
func (p problem) derivatives(g []float64) verify.Finding {
	at, back := p.evenly()
	f := verify.Gradient(func(v []float64) float64 { return p.logLikelihood(back(v)) }, at, back(g), verify.Tolerance{Rel: 1e-7, Abs: 2 * rightTol})
	if !f.OK {
		return f
	}
	return p.sums(g)
}

// second compares h with central differences of the gradient likewise.
func (p problem) second(h []float64) verify.Finding {
	at, back := p.evenly()
	f := verify.Jacobian(func(v []float64) []float64 { return back(pulling(slope)(back(v), p.Phi, p.t)) }, at, p.even(h), verify.Tolerance{Rel: 1e-7, Abs: 2 * rightTol})
	if !f.OK {
		return f
	}
	return p.products(h)
}

// sums and products compare with the sums over the points, for columns of size 1.
func (p problem) sums(g []float64) verify.Finding {
	_, back := p.evenly()
	return verify.CloseSlice(back(g), back(p.gradient()), verify.Tolerance{Abs: rightTol})
}

func (p problem) products(h []float64) verify.Finding {
	return verify.CloseMat(p.even(h), p.even(p.hessian()), verify.Tolerance{Abs: rightTol})
}

// tail speaks of two causes of answers that are finite and not right far out. On the
// right side only what is cut off fails first. On the wrong side a Φ with a rounding
// error of the size of 1's is off by far less at −7 than a series or a limit is.
func tail(compare func(problem, []float64) verify.Finding) func(problem, []float64) *verify.Verdict {
	return func(p problem, got []float64) *verify.Verdict {
		f, a := compare(p, got), p.reach()
		var bad verify.Verdict
		switch {
		case f.OK:
			return nil
		case p.right && a > moderate:
			bad = verify.Fail("tail-clipped", 3, "For %v (columns brought to size 1) you are %s. What a point contributes falls there, but it is not 0 yet: is it set to 0, or Φ to 1, beyond some activation?", p, f.Off())
		case !p.right && a <= 7 && f.Miss <= (1+a*a)*1e-15/cdf(-a):
			bad = verify.Fail("tail", 3, "For %v (columns brought to size 1) you are %s: as much as Φ loses where it is formed as (1 + erf)/2, or as 1 less something near 1, with an error of 1e-16. Which function has the digits of the small tail?", p, f.Off())
		default:
			return nil
		}
		return &bad
	}
}

func mirrored(p problem, h []float64) *verify.Verdict {
	f := verify.Symmetric(p.even(h), 10*rightTol)
	if f.OK {
		return nil
	}
	return judge.Fail("not-symmetric", 2, "For %v your Hessian differs from its transpose: %s. Is only one triangle filled? A *mat.Dense does not mirror it.", p, f.Off())
}

// definiteTol is how far an eigenvalue must lie from 0, relative to the largest.
const definiteTol = 1e-10

func definite(p problem, h []float64) *verify.Verdict {
	even := p.even(h)
	bad := verify.Fail("not-negative-definite", 2, "For %v some direction has uᵀHu ≥ 0, or nearly, although the columns of Φ are independent. ln Φ is concave, so that every point curves L downwards, whatever its label: is the label's sign in the right places?", p)
	if verify.PositiveDefinite(even, definiteTol).OK {
		bad = verify.Fail("of-the-error", 1, "For %v all eigenvalues are positive: this is the Hessian of the error −L. Asked for is the one of the log likelihood, which is concave.", p)
	}
	even.Scale(-1, even)
	if verify.PositiveDefinite(even, definiteTol).OK {
		return nil
	}
	return &bad
}

// A problem is a probit regression at one point w.
type problem struct {
	name  string
	Phi   *mat.Dense // N×M
	t     []float64  // N, in {0,1}
	w     []float64  // M
	right bool       // points lie on the right side
}

func (p problem) String() string { return "“" + p.name + "”" }

// sizes is the largest size of each feature; units the products of the two that
// belong to each entry of the Hessian; reach is the largest size of the activations.
func (p problem) sizes() []float64 { return instance.Sizes(p.Phi) }
func (p problem) units() (u []float64) {
	for _, a := range p.sizes() {
		for _, b := range p.sizes() {
			u = append(u, a*b)
		}
	}
	return u
}
func (p problem) reach() float64 {
	return floats.Norm(instance.Activations(p.Phi, p.w), math.Inf(1))
}

// moderate is how far the activations of problems go that are not those of the tails:
// there (1 + erf)/2 still has its digits.
const moderate = 4

func draw(r *rand.Rand, name string, n int, centre, spread []float64) problem {
	p := problem{name: name, Phi: instance.Design(r, n, centre, spread), t: make([]float64, n)}
	for i := range p.t {
		if r.IntN(5) < 2 {
			p.t[i] = 1
		}
	}
	p.w = instance.Weights(r, p.Phi, 1)
	return p.within()
}

// within is p with its weights shortened where activations are not moderate.
func (p problem) within() problem {
	if a := p.reach(); a > moderate {
		floats.Scale(moderate/a, p.w)
	}
	return p
}

// independent are problems whose Φ has full column rank; on the first one every
// known mistake shows.
var independent = instance.Once(func() []problem {
	r := instance.Source(419, 1)
	first := draw(r, "forty points, four weights", 40, []float64{1, 0, 0, -0.5}, []float64{0, 1, 2, 0.5})
	first.w[0] = 0.4 // activations on both sides of 0, but not evenly
	ones := draw(r, "all targets 1", 12, []float64{1, 0}, []float64{0, 1})
	zeros := draw(r, "all targets 0", 12, []float64{1, 0}, []float64{0, 1})
	for i := range ones.t {
		ones.t[i], zeros.t[i] = 1, 0
	}
	origin := draw(r, "w = 0", 9, []float64{1, 0}, []float64{0, 1})
	clear(origin.w)
	return []problem{
		first.within(),
		draw(r, "no constant column", 25, []float64{0.2, -1, 0}, []float64{1, 1, 1}),
		draw(r, "as many points as weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw(r, "columns of very different size", 30, []float64{1, 0, 1e4}, []float64{0, 1e-2, 5e3}),
		draw(r, "one weight", 8, []float64{0.3}, []float64{1}),
		draw(r, "one point, one weight", 1, []float64{0.8}, []float64{0.1}),
		ones, zeros, origin,
	}
})

// general are those, and some whose rank is not full, or is delicate.
var general = instance.Once(func() []problem {
	r := instance.Source(419, 2)
	rare := draw(r, "a rare class", 200, []float64{1, 0}, []float64{0, 1})
	clear(rare.t)
	rare.t[70] = 1
	return append(slices.Clone(independent()),
		draw(r, "two points, four weights", 2, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 1}),
		draw(r, "columns of sizes 10⁻⁶ and 10⁶", 25, []float64{0, 0, 1}, []float64{1e-6, 1e6, 0}),
		draw(r, "a column at 10⁶", 20, []float64{1, 1e6}, []float64{0, 1}),
		draw(r, "a column of zeros", 7, []float64{1, 0, 0}, []float64{0, 0, 1}),
		rare)
})

// few have so few points that all their targets can be gone through.
var few = instance.Once(func() []problem {
	r := instance.Source(419, 8)
	return []problem{
		draw(r, "four points", 4, []float64{1, 0}, []float64{0, 1}),
		draw(r, "one point", 1, []float64{0.7}, []float64{0.2}),
		draw(r, "three points, three weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
	}
})

// magnitudes are sizes of activations with none far from the next, so that an answer
// that cuts off anywhere shows. At 27 the square of the density has some digits left.
func magnitudes() []float64 {
	return []float64{0.1, 0.5, 1, 2, 3, 4, 4.5, 5, 5.5, 6, 7, 8, 8.5, 9, 10, 12, 14, 17, 20, 23, 26, 28, 30}
}

// tails have a point of each class at activations of each size, either both on their
// wrong side or both on their right one, so that no far point hides behind another.
var tails = instance.Once(func() (list []problem) {
	r, w := instance.Source(419, 20), []float64{0.5, 2}
	for _, c := range magnitudes() {
		for t, side := range []string{"wrong", "right"} {
			p := problem{Phi: mat.NewDense(2, 2, nil), t: []float64{float64(t), float64(1 - t)}, w: w, right: t == 1, name: fmt.Sprintf("activations of ±%g, each on the %s side", c, side)}
			for i, a := range []float64{c, -c} {
				// The second column is chosen so that wᵀφ is the activation wanted.
				x := r.NormFloat64()
				p.Phi.SetRow(i, []float64{x, (a - w[0]*x) / w[1]})
			}
			list = append(list, p)
		}
	}
	return list
})

// ratio is m(x) = N(x)/Φ(x), and rest is x + m(x), each with its digits in the left
// tail: there m is Laplace's continued fraction, m(−u) = u + 1/(u + 2/(u + 3/(…))).
func ratio(x float64) (m, rest float64) {
	if x > -5 {
		m = pdf(x) / cdf(x)
		return m, x + m
	}
	u := -x
	f := u
	for k := 80; k >= 2; k-- { // at u = 5 the error is below 1e-16
		f = u + float64(k)/f
	}
	rest = 1 / f
	return u + rest, rest
}

// logCDF is ln Φ(x).
func logCDF(x float64) float64 {
	if x > 0 {
		return math.Log1p(-cdf(-x))
	}
	return math.Log(cdf(x))
}

// logLikelihood is L(w).
func (p problem) logLikelihood(w []float64) (l float64) {
	for i, a := range instance.Activations(p.Phi, w) {
		l += logCDF((2*p.t[i] - 1) * a)
	}
	return l
}

// gradient is ∇L(w); hessian is ∇∇L(w), row by row.
func (p problem) gradient() []float64 { return pulling(slope)(p.w, p.Phi, p.t) }
func (p problem) hessian() []float64  { return weighting(curve)(p.w, p.Phi, p.t).RawMatrix().Data }

// even is h for columns of Φ brought to size 1.
func (p problem) even(h []float64) *mat.Dense {
	return mat.NewDense(len(p.w), len(p.w), floats.DivTo(make([]float64, len(h)), h, p.units()))
}

// A place is an argument of ln Φ.
type place float64

func (x place) String() string { return fmt.Sprintf("x = %.4g", float64(x)) }

// difference is the derivative of f by differences.
func (x place) difference(f func(float64) float64) []float64 {
	return []float64{verify.Derivative(f, float64(x), 1e-3/math.Max(1, math.Abs(float64(x))))}
}

// middle are arguments of a few units, on both sides; far are those of every size.
func middle() []place {
	r := instance.Source(419, 31)
	list := []place{0.8, -1.1, 0, 2.5, -3}
	for range 10 {
		list = append(list, place(6*r.Float64()-3.5))
	}
	return list
}

func far() (list []place) {
	for _, c := range magnitudes() {
		list = append(list, place(c), place(-c))
	}
	return list
}
