// Package ex15 judges PRML exercise 4.15: the Hessian of the cross-entropy of logistic regression,
// and the condition under which the Hessian is positive definite.
package ex15

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.15. `hessian` returns the M×M matrix of second
// derivatives of the error (4.90) at w (M) for the design matrix Phi (N×M). nullDirection returns a
// direction u ≠ 0 (M) along which the error (4.90) is constant for any targets. It also reports
// whether such a direction exists.
func Check(hessian func(w []float64, Phi *mat.Dense) *mat.Dense,
	nullDirection func(Phi *mat.Dense) (u []float64, ok bool)) *verify.Report {
	return exercise.Judge(append(
		hessianQuestion.Parts(hessian, []judge.Property[problem]{
			judge.Form("Hessian: the result is an M×M matrix, and w and Φ stay unchanged",
				func() []problem { return slices.Concat(general(), dependent()) }, nil, judge.Wrong{},
				"You returned an M×M matrix for M from 1 to 6 and N from 1 to 200."),
			{Name: "Hessian: the entries are the derivatives of ∇E", Problems: general,
				Holds: func(p problem, h []float64) verify.Finding { return logistic.SecondDerivatives(p.Problem, h) },
				Wrong: judge.Wrong{Key: "derivative", Hint: 2,
					Message: "For {problem} your entries should be the derivatives of ∇E. With each column of Φ scaled to size 1, your matrix is {off}."},
				Right: "Your entries agree with the finite differences of the gradient. The entries do not depend on the targets."},
			{Name: "Hessian: symmetric", Problems: general,
				Holds: func(p problem, h []float64) verify.Finding {
					return verify.Symmetric(p.Scale().Even(h),
						1e-10)
				},
				Wrong: judge.Wrong{Key: "not-symmetric", Hint: 2,
					Message: "For {problem} your matrix is not symmetric: it should equal its transpose, but it is {off}. The Hessian is symmetric, because the order of the two differentiations does not matter."},
				Right: "Your matrix is symmetric."},
			{Name: "Hessian: positive definite where Φ has full column rank", Problems: independent, Precheck: definite,
				Right: "All eigenvalues of your matrix are positive: E curves upwards in every direction, so E is convex. (The text after (4.98) and exercise 4.15 say “concave”, which is a misprint; the log likelihood −E is concave.)"},
			{Name: "Hessian: positive semidefinite, and 0 along flat directions, for dependent columns",
				Problems: dependent,
				Precheck: semidefinite,
				Right:    "Where columns of Φ are dependent, your matrix is only positive semidefinite: uᵀHu = 0 along a direction with Φu = 0. “uᵀHu > 0 for an arbitrary vector” (after (4.98)) requires u ≠ 0 and full column rank."},
			{Name: "Hessian: finite and right at activations of all sizes, up to ±800 and beyond", Problems: tails,
				Extreme:  true,
				Precheck: clippedFault,
				Right:    "Your matrix is finite and right at all tested activations.", RightNote: digitNote},
		}...),
		nullQuestion.Parts(nullDirection, []judge.Property[problem]{
			judge.Form("NullDirection: returns M numbers that are not all 0 if there is a direction, and leaves Φ unchanged", func() []problem { return slices.Concat(dependent(), fullRank()) }, nil, judge.Wrong{},
				"You returned a direction or reported that none exists, and your result depends only on Φ."),
			{Name: "NullDirection: no direction where Φ has full column rank", Problems: fullRank,
				Holds: problem.checkFound,
				Wrong: judge.Wrong{Key: "false-direction", Hint: 3,
					Message: "For {problem} you report a flat direction, but the columns of Φ are independent, so every u changes at least one activation. Perhaps you use ΦᵀΦ. Its condition number is the square of the condition number of Φ, so small eigenvalues lose digits."},
				Right: "Where the columns of Φ are independent, you find no flat direction, so E has at most one minimum."},
			{Name: "NullDirection: E(w + cu) does not depend on c where columns of Φ are dependent",
				Problems: dependent,
				Holds:    problem.checkFound,
				Wrong: judge.Wrong{Key: "not-flat", Hint: 2,
					Message: "For {problem} E is not constant along your u. uᵀφ should be 0 for all points, but divided by the sizes of φ and u it is {off}."},
				Right: "Where columns are dependent, E is constant along your direction for any targets, even if the columns are very large or very small. The direction may have any sign and length."},
		}...)...)...)
}

// CheckSteps judges two optional steps of the derivation. `weight` returns the second derivative of
// the error of one point with respect to its activation a. `curvature` returns uᵀHu for a direction
// u (M), computed as a sum over the points.
func CheckSteps(weight func(a float64) float64, curvature func(u, w []float64, Phi *mat.Dense) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		weightQuestion.Steps(weight,
			judge.Step[activation]{Name: "Weight: the second derivative of one point's error", Problems: near,
				Routes: weightRoutes,
				Right:  "Your weight is the second derivative. It agrees with the derivative of σ and with second differences of the error."},
			judge.Step[activation]{Name: "Weight: finite and right at activations of all sizes, up to ±800",
				Problems: far,
				Extreme:  true, Routes: weightRoutes,
				Right: "Your weight is finite and right up to ±800."}),
		curvatureQuestion.Steps(curvature,
			judge.Step[probe]{Name: "Curvature: the second derivative of E along u", Problems: probes,
				Routes: curvatureRoutes,
				Right:  "Your result agrees with uᵀHu, computed with H, and with the second derivative of E along u, computed without H."},
			judge.Step[probe]{Name: "Curvature: right at activations of all sizes, up to ±800", Problems: farProbes,
				Extreme: true,
				Routes:  curvatureRoutes,
				Right:   "Your curvature is right up to ±800."}),
		curvatureQuestion.Parts(curvature, judge.Property[probe]{
			Name:     "Curvature: never negative, and 0 along flat directions",
			Problems: func() []probe { return slices.Concat(flatProbes(), probes()) }, Precheck: checkSign,
			Right: "Your curvature is 0 if Φu = 0, and it is never negative, so E is convex.",
		}))...)
}

var logistic, prime = twoclass.Logistic, twoclass.Prime

// clippedFault returns a verdict if the matrix is wrong. Package judge calls it only for a matrix
// whose entries are all finite.
var clippedFault = judge.First(func(p problem, h []float64) verify.Finding { return logistic.IsHessian(p.Problem, h) },
	judge.Wrong{Key: "tails", Hint: 3,
		Message: "For {problem} your matrix is finite, but with each column of Φ scaled to size 1, it is {off}. Do not clip activations or outputs, and do not omit points."})

// digitNote returns a note that says whether the learner's weight y(1−y) is accurate in the last
// problem that tails() returns.
func digitNote(answers [][]float64) string {
	if verify.Close(answers[len(answers)-1][0], prime(40), verify.Tolerance{Rel: 1e-6}).OK {
		return "At a = 40 your weight keeps its digits, although y rounds to 1 there."
	}
	return "(Note: at a = 40 your weight lacks digits, as if y were rounded to 1 before 1−y is computed. σ(a)·σ(−a) keeps the digits.)"
}

// definiteTol decides which eigenvalues count as 0: an eigenvalue does if its absolute value is at most
// definiteTol times the largest absolute eigenvalue. In the problems that independent() returns, with
// columns scaled to size 1, no eigenvalue is below 1e-7.
const definiteTol = 1e-10

func definite(p problem, h []float64) *verify.Verdict {
	switch twoclass.Definite(p.Scale().Unit(h), definiteTol) {
	case 1:
		return nil
	case -1:
		return judge.Fail("negative", 1,
			"For %v all eigenvalues of your matrix are negative, but they must be positive. E is convex, although the book says “concave”.", p)
	}
	return judge.Fail("not-positive-definite", 2,
		"For %v, with your matrix H, uᵀHu is negative or nearly 0 for some u ≠ 0, although the columns of Φ are independent and every weight y(1−y) is positive.", p)
}

func semidefinite(p problem, h []float64) *verify.Verdict {
	unit := p.Scale().Unit(h)
	if !verify.PositiveSemidefinite(unit, definiteTol).OK {
		unit.Scale(-1, unit)
		if verify.PositiveSemidefinite(unit, definiteTol).OK {
			return judge.Fail("negative", 1,
				"For %v no eigenvalue of your matrix is positive, but all must be positive or 0. E is convex, although the book says “concave”.", p)
		}
		return judge.Fail("not-semidefinite", 2,
			"For %v, with your matrix H, uᵀHu is negative for some u. With dependent columns uᵀHu can be 0 but not negative, because it is a sum of squares with positive weights.", p)
	}
	// If all columns are scaled to the same size, the flat direction u becomes S·u, where S is the
	// diagonal matrix of the column sizes.
	flat := floats.MulTo(make([]float64, len(p.null)), p.null, p.Scale())
	floats.Scale(1/floats.Norm(flat, 2), flat)
	f := verify.CloseSlice(instance.Activations(p.Scale().Even(h), flat), make([]float64, len(flat)),
		verify.Tolerance{Abs: 1e-8})
	return judge.FailIf(!f.OK, "curved-along-flat", 2,
		"For %v there is a u ≠ 0 with Φu = 0, so E is constant along u. With your matrix H, Hu should be 0, but it is %s. H is the sum of the terms y(1 − y)φφᵀ and contains no other term.", p, f.Off())
}

// checkFound checks that the answer reports a direction if and only if a flat direction exists, and
// that the returned direction u is flat. If the answer is wrong about whether a direction exists,
// the field Miss of the finding is 1. Otherwise, Miss is the relative size of uᵀφ, which is 0 for a
// flat u.
func (p problem) checkFound(got []float64) verify.Finding {
	miss := floats.Distance(got, nullQuestion.Right(p), math.Inf(1))
	return verify.Finding{OK: miss == 0, Miss: miss}
}

// flatTol decides whether a direction u counts as flat: it does if |uᵀφ| ≤ flatTol·Σ_j|u_j|s_j for
// every point, where s_j is the largest absolute entry of column j of Φ. The sum is an upper bound on
// |uᵀφ|. flatTol is so large that even a direction computed from ΦᵀΦ counts as flat, although it has
// only half the digits.
const flatTol = 1e-6

// changeAlong returns the largest |uᵀφ| of a point, divided by the upper bound on |uᵀφ| that the
// comment on flatTol defines. It returns 0 if this quotient is at most flatTol.
func (p problem) changeAlong(u []float64) float64 {
	unit, length := slices.Clone(u), floats.Norm(u, math.Inf(1))
	for j := range unit {
		unit[j] /= length // do not multiply by 1/length, which may overflow
	}
	change := floats.Norm(instance.Activations(p.Phi, unit), math.Inf(1))
	terms := floats.Norm(floats.MulTo(make([]float64, len(u)), unit, p.Scale()), 1)
	if change > flatTol*terms {
		return change / terms
	}
	return 0
}

var weightRoutes = []judge.Route[activation]{
	{Name: "the derivative of σ", Tol: twoclass.Logistic.Tol,
		Value: func(a activation) []float64 { return []float64{prime(float64(a))} }},
	{Name: "the derivative of tanh", Tol: twoclass.Logistic.Tol,
		Value: func(a activation) []float64 { return []float64{math.Pow(2*math.Cosh(float64(a)/2), -2)} }},
	{Name: "the second difference quotient of the error", Tol: 1e-6, Value: func(a activation) []float64 {
		// the target 1 is arbitrary: every target gives the same difference quotient
		const h = 1e-3
		at := func(c float64) float64 { return logistic.Value(float64(a)+c, 1) }
		return []float64{(at(h) - 2*at(0) + at(-h)) / (h * h)}
	}},
}

var curvatureRoutes = []judge.Route[probe]{
	{Name: "uᵀHu", Tol: twoclass.Logistic.Tol, Value: probe.curvature},
	{Name: "the difference quotient of uᵀ∇E along u", Tol: 1e-7, Value: func(b probe) []float64 {
		w := b.W
		return []float64{verify.Derivative(func(c float64) float64 {
			b.W = floats.AddScaledTo(make([]float64, len(w)), w, c, b.u)
			return floats.Dot(b.u, logistic.Gradient(b.Problem))
		}, 0, 0)}
	}},
}

// checkSign checks that the curvature is 0 along flat directions and never negative. The tolerance
// allows for the rounding errors of uᵀHu.
func checkSign(b probe, got []float64) *verify.Verdict {
	switch room := 1e-12*b.size() + 1e-300; {
	case b.flat && !(math.Abs(got[0]) <= room):
		return judge.Fail("curvature-not-flat", 2,
			"For %v there is a u ≠ 0 with uᵀφ = 0 for every point, but your Curvature along u is %.3g, not 0. Each term has the factor (uᵀφ)².", b, got[0])
	case !(got[0] >= -room):
		return judge.Fail("curvature-negative", 2,
			"For %v your Curvature is %.3g. The curvature is a sum of squares with positive weights, so it cannot be negative. E is convex, although the book says “concave”.", b, got[0])
	}
	return nil
}

// A problem is a twoclass.Problem. If the columns of its Φ are linearly dependent, it also contains
// a flat direction in the field `null`.
type problem struct {
	twoclass.Problem
	null []float64 // a vector u ≠ 0 with Φu = 0, or nil if no such vector exists
}

func drawing(r *rand.Rand) func(name string, n int, centre, spread []float64) problem {
	source := twoclass.Source{Rand: r, Ones: 1, Total: 2, Spread: 1.5}
	return func(name string, n int, centre, spread []float64) problem {
		return problem{Problem: source.Draw(name, n, centre, spread)}
	}
}

// independent returns problems in which the columns of Φ are linearly independent.
var independent = instance.Once(func() []problem {
	draw := drawing(instance.Source(415, 2))
	first := draw("forty points, five weights", 40, []float64{1, 0, 0, 0, -0.5}, []float64{0, 1, 2, 1, 0.5})
	// with a bias of 0.3 some outputs are below ½ and some above, so that the weights y, 1−y and
	// min(y, 1−y) of the points give different matrices
	first.W[0] = 0.3
	oneSided := draw("outputs close to 1", 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	oneSided.W[0] = 5
	origin := draw("w = 0", 20, []float64{1, 0}, []float64{0, 1})
	clear(origin.W)
	return []problem{
		first,
		draw("one weight", 7, []float64{0.3}, []float64{1}),
		draw("one point, one weight", 1, []float64{1}, []float64{0.2}),
		draw("as many points as weights", 3, []float64{1, 0, 0}, []float64{0.5, 1, 1}),
		oneSided,
		origin,
		draw("a column far from zero", 25, []float64{1, 1e4}, []float64{0, 5e3}),
		draw("columns of very different size", 25, []float64{0, 0, 1}, []float64{1e-2, 1e2, 0}),
	}
})

// general returns the problems that independent() returns, followed by a problem with many points and
// by problems in which the columns of Φ are dependent or differ greatly in size. The Hessian exists for
// all of these problems.
var general = instance.Once(func() []problem {
	draw := drawing(instance.Source(415, 3))
	return append(slices.Clone(independent()),
		draw("columns of sizes 10⁻⁶ and 10⁶", 25, []float64{0, 0, 1}, []float64{1e-6, 1e6, 0}),
		draw("a column at 10⁶", 20, []float64{1, 1e6}, []float64{0, 1}),
		draw("two hundred points", 200, []float64{1, 0}, []float64{0, 1}),
		draw("two points, four weights", 2, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 1}),
	)
})

// fullRank returns problems for NullDirection in which Φ has full column rank. The largest
// condition number is 7·10⁴, which is close to the limit of 10⁵ in the text of the exercise.
var fullRank = instance.Once(func() []problem {
	draw := drawing(instance.Source(415, 7))
	twin := draw("columns that are nearly equal, with condition number 7·10⁴", 25, []float64{1, 0, 0}, []float64{0, 1, 1})
	first, noise, epsilon := mat.Col(nil, 1, twin.Phi), mat.Col(nil, 2, twin.Phi), 1e-4
	for range 2 {
		twin.Phi.SetCol(2, floats.AddScaledTo(make([]float64, len(first)), first, epsilon, noise))
		// the condition number is proportional to 1/epsilon, so this factor brings it close to
		// 7·10⁴
		epsilon *= mat.Cond(twin.Phi, 2) / 7e4
	}
	small := draw("very small numbers", 20, []float64{1e-12, 0, 0}, []float64{0, 1e-12, 1e-12})
	large := draw("very large numbers", 20, []float64{1e12, 0, 0}, []float64{0, 1e12, 1e12})
	small.Scaled, large.Scaled = true, true
	return append(slices.Clone(independent()), twin, small, large)
})

// dependent returns problems in which the columns of Φ are linearly dependent.
var dependent = instance.Once(func() []problem {
	r := instance.Source(415, 5)
	draw := drawing(r)
	edit := func(name string, n, m int, null []float64, change func(row []float64)) problem {
		p := draw(name, n, make([]float64, m), slices.Repeat([]float64{1}, m))
		for i := range n {
			change(p.Phi.RawRowView(i))
		}
		p.W, p.null = instance.Weights(r, p.Phi, 1.5), null
		return p
	}
	mixture := func(scale float64) func(x []float64) {
		return func(x []float64) {
			floats.Scale(scale, x)
			x[2] = 0.3*x[0] - 1.7*x[1]
		}
	}
	few := edit("three points, six weights", 3, 6, nil, func([]float64) {})
	few.null, _ = singular(few.Phi, -1)
	category := 0
	return []problem{
		edit("a column that occurs twice", 20, 4, []float64{0, 1, 0, -1}, func(x []float64) { x[0], x[3] = 1, x[1] }),
		edit("a constant and three indicators that sum to 1", 18, 4, []float64{1, -1, -1, -1}, func(x []float64) {
			clear(x)
			x[0], x[1+category%3] = 1, 1
			category++
		}),
		edit("a column that is a combination of two others", 15, 3, []float64{0.3, -1.7, -1}, mixture(1)),
		edit("a combination of columns with very large numbers", 15, 3, []float64{0.3, -1.7, -1}, mixture(1e12)),
		edit("a combination of columns with very small numbers", 15, 3, []float64{0.3, -1.7, -1}, mixture(1e-12)),
		edit("one length as two columns, in metres and in millimetres", 12, 3, []float64{0, 1000, -1},
			func(x []float64) { x[0], x[2] = 1, 1000*x[1] }),
		edit("four points, four weights, a column that occurs twice", 4, 4, []float64{1, 0, -1, 0},
			func(x []float64) { x[2] = x[0] }),
		edit("a column of zeros", 9, 3, []float64{0, 1, 0}, func(x []float64) { x[1] = 0 }),
		few,
		edit("a single point, two weights", 1, 2, []float64{2, -1}, func(x []float64) { x[1] = 2 * x[0] }),
		edit("nothing but zeros", 5, 3, []float64{1, 0, 0}, func(x []float64) { clear(x) }),
		edit("one weight, whose column is 0", 4, 1, []float64{1}, func(x []float64) { x[0] = 0 }),
	}
})

// tails returns problems with larger and larger activations, on both sides of the boundary. The
// last problem has a single activation, at which y rounds to 1.
var tails = instance.Once(func() (list []problem) {
	r, w := instance.Source(415, 6), []float64{0.5, 20}
	for _, c := range append(instance.Magnitudes(), 1e4) {
		list = append(list,
			problem{Problem: twoclass.Problem{Name: fmt.Sprintf("activations of ±%g", c),
				Phi: instance.Reaching(r, w, []float64{c, -c, c}), W: w, T: make([]float64, 3)}})
	}
	return append(list,
		problem{Problem: twoclass.Problem{Name: "a single activation of 40", Phi: mat.NewDense(1, 1, []float64{1}),
			W: []float64{40}, T: []float64{1}}})
})

// The type `activation` is the activation a of one point.
type activation float64

func (a activation) String() string { return fmt.Sprintf("a = %.4g", float64(a)) }

// near returns moderate activations on both sides of 0.
func near() []activation {
	return twoclass.Around[activation](instance.Source(415, 31), 12, -4, 4, 0.7, -1.3, 0, 3)
}

// far returns larger and larger activations of both signs.
func far() []activation { return twoclass.BothSides[activation](instance.Magnitudes()) }

// A probe is a problem together with a direction u. The curvature of E is computed along u.
type probe struct {
	problem
	u    []float64
	flat bool // whether u is the field `null` of the problem, so that Φu = 0
}

// size returns an upper bound on the curvature, ¼ Σ_n (Σ_j |u_j φ_nj|)².
func (b probe) size() (s float64) {
	for i := range b.T {
		row := b.Phi.RawRowView(i)
		terms := floats.Norm(floats.MulTo(make([]float64, len(row)), row, b.u), 1)
		s += terms * terms / 4
	}
	return s
}

// curvature computes H and returns the product uᵀHu.
func (b probe) curvature() []float64 {
	return []float64{floats.Dot(b.u, instance.Activations(weighting(prime)(b.W, b.Phi), b.u))}
}

// probes and farProbes return probes with random directions. Each entry of a direction is divided
// by the size of its column, so that all columns have a similar influence.
var (
	probes    = instance.Once(func() []probe { return along(slices.Concat(general(), dependent())) })
	farProbes = instance.Once(func() []probe { return along(tails()) })
)

func along(problems []problem) (list []probe) {
	r := instance.Source(415, 32)
	for _, p := range problems {
		u := p.Scale()
		for j, s := range u {
			u[j] = (0.3 + r.Float64()) / s * float64(1-2*r.IntN(2))
		}
		list = append(list, probe{p, u, false})
	}
	return list
}

func flatProbes() (list []probe) {
	for _, p := range dependent() {
		list = append(list, probe{p, p.null, true})
	}
	return list
}

type (
	hessianFunc   = func(w []float64, Phi *mat.Dense) *mat.Dense
	directionFunc = func(Phi *mat.Dense) (u []float64, ok bool)
	weightFunc    = func(a float64) float64
	curvatureFunc = func(u, w []float64, Phi *mat.Dense) float64
)

var hessianQuestion = &judge.Question[hessianFunc, problem]{
	Func: "Hessian", Name: "Hessian", Hint: 3, Right: func(p problem) []float64 { return logistic.Hessian(p.Problem) },
	Invoke: func(hessian hessianFunc, c *judge.Call, p problem) []float64 {
		h := hessian(c.Slice("w", p.W), c.Dense("Phi", p.Phi))
		m := len(p.W)
		if h != nil && !h.IsEmpty() {
			switch r, k := h.Dims(); {
			case r == k && r == len(p.T) && r != m:
				c.Say(judge.Fail("n-by-n", 2,
					"For %v you returned an N×N matrix, with one row per data point, like a product ΦRΦᵀ. The second derivatives are with respect to the M weights, so H is M×M.", p))
			case r == m && k == m && math.IsNaN(mat.Sum(h)-mat.Sum(h)) && p.Reach() > 30:
				c.Say(judge.Fail("overflow", 3,
					"For %v some entries of your matrix are not finite. In e^a/(1+e^a) and e^−a/(1+e^−a)² the exponential overflows for a > 709 and for a < −709, respectively. Inf/Inf is NaN, and so is 0/0, which can occur where y(1−y) rounds to 0. In σ(a) and 1−σ(a), use only exponentials of negative numbers.", p))
			}
		}
		return c.Matrix("Hessian", h, m, m, "M×M")
	},
	Unit: func(p problem, _ []float64) []float64 { return p.Scale().Units() },
	Family: func(p problem, h []float64) *verify.Verdict {
		return judge.FailIf(p.Scale().Ridge(h, logistic.Hessian(p.Problem)), "prior", 2,
			"Your matrix is the Hessian plus a multiple of the identity, as if there were a Gaussian prior. E in (4.90) has no such term. The term also hides flat directions.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly right: for {problem} your Hessian is {off}. Use the exact formula. Differences of the gradient, rounded numbers and approximations of σ are not accurate enough."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your matrix is the Hessian times a constant factor. E in (4.90) has no factor in front of the sum."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "negative", Answer: weighting(func(a float64) float64 { return -prime(a) }), Hint: 1,
			Message: "Your matrix is the negative Hessian of E, which is the Hessian of the log likelihood. PRML calls E concave after (4.98) and in this exercise, but this is a misprint: E = −ln p(t|w) is convex."},
		{Key: "weights-left-out", Answer: weighting(func(float64) float64 { return 1 }), Hint: 2,
			Message: "This is ΦᵀΦ, the Hessian of the sum of squares (4.94). The weights R are missing: differentiating ∇E also differentiates the sigmoid, which adds the factor y(1−y)."},
		{Key: "y-squared", Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }),
			Hint: 2, Message: "You weight each point with y². The derivative of the sigmoid is y(1−y)."},
		{Key: "y-only", Answer: weighting(kernel.Sigmoid), Hint: 2,
			Message: "You weight each point with y alone. The factor 1−y of the derivative of the sigmoid is missing."},
		{Key: "one-minus-y", Answer: weighting(func(a float64) float64 { return kernel.Sigmoid(-a) }), Hint: 2,
			Message: "You weight each point with 1−y alone. The factor y of the derivative of the sigmoid is missing."},
		{Key: "one-minus-y-squared",
			Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(-a), 2) }), Hint: 2,
			Message: "You weight each point with (1−y)². The derivative of the sigmoid is a product of two different factors."},
		{Key: "one-plus-y",
			Answer: weighting(func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }), Hint: 2,
			Message: "You weight each point with y(1+y). The derivative of the sigmoid must vanish where y approaches 1, so the sign in the second factor is wrong."},
		{Key: "weights-squared", Answer: weighting(func(a float64) float64 { return prime(a) * prime(a) }), Hint: 3,
			Message: "You weight each point with the square of y(1−y), as in (RΦ)ᵀ(RΦ). Multiply only one of the two factors Φ by R, or multiply both by the square root of R."},
		{Key: "root-of-weights", Answer: weighting(func(a float64) float64 { return math.Sqrt(prime(a)) }), Hint: 3,
			Message: "You weight each point with the square root of y(1−y). Multiply both factors φ by this root, or one factor by y(1−y)."},
		{Key: "sigmoid-left-out", Answer: weighting(func(a float64) float64 { return a * (1 - a) }), Hint: 2,
			Message: "You weight each point with a(1−a). Use the output y = σ(a), not the activation a = wᵀφ."},
		{Key: "uses-targets",
			Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(-math.Abs(a)), 2) }), Hint: 2,
			Message: "You weight each point with (y−t)², where t is y rounded to 0 or 1. A product of two gradients equals the Hessian only on average, and the Hessian does not depend on the targets."},
		{Key: "quarter", Answer: weighting(func(float64) float64 { return 0.25 }), Hint: 2,
			Message: "You return ¼ΦᵀΦ, an upper bound on the Hessian (y(1−y) is ¼ at y = ½) that some algorithms use in its place. Return the Hessian itself, at w."},
		{Key: "probit", Answer: weighting(kernel.NormPDF), Hint: 2,
			Message: "You weight each point with the normal density at a, the derivative of Φ(a). Use the derivative of σ(a)."},
		{Key: "zero-matrix", Answer: weighting(func(float64) float64 { return 0 }), Hint: 2,
			Message: "All your entries are 0. t(1−t) is always 0, and y(1−y) is 0 if you round y to 0 or 1. Use the unrounded y. Also check that you write to the matrix that you return."},
		{Key: "last-row", Answer: changed(logistic.Rest(-1, -1)), Hint: 3,
			Message: "Your matrix contains only the last data point, as if each point replaced the previous point. Add the terms of all points."},
		{Key: "first-row", Answer: changed(logistic.Rest(0, 0)), Hint: 3,
			Message: "Your matrix contains only the first data point, as if a loop ended too early. Add the terms of all points."},
		{Key: "diagonal-only", Answer: changed(twoclass.Keep(func(i, j int) bool { return i == j })), Hint: 3,
			Message: "The diagonal of your matrix is right, but all other entries are 0. They should be the mixed second derivatives, with products of two different features."},
		{Key: "one-triangle", Answer: changed(twoclass.Keep(func(i, j int) bool { return i <= j })), Hint: 3,
			Message: "The upper triangle of your matrix is right, but the lower triangle is 0. A *mat.Dense does not mirror entries, so fill both triangles, or copy from a mat.SymDense."},
		{Key: "one-triangle", Answer: changed(twoclass.Keep(func(i, j int) bool { return i >= j })), Hint: 3,
			Message: "The lower triangle of your matrix is right, but the upper triangle is 0. A *mat.Dense does not mirror entries, so fill both triangles, or copy from a mat.SymDense."},
		{Key: "averaged", Answer: changed(func(h *mat.Dense, p twoclass.Problem) { h.Scale(1/float64(len(p.T)), h) }),
			Hint:    2,
			Message: "Your matrix is the Hessian divided by N. E in (4.90) is a sum over the data, not a mean, so its Hessian is a sum too."},
		{Key: "averaged", Hint: 2,
			Message: "Your matrix is the Hessian divided by N − 1. E in (4.90) is a sum over the data, not a mean. Only an unbiased variance has the divisor N − 1.",
			Answer:  changed(func(h *mat.Dense, p twoclass.Problem) { h.Scale(1/math.Max(1, float64(len(p.T)-1)), h) })},
		{Key: "n-by-n", Hint: 2,
			Message: "You return a product Φ…Φᵀ, with one row per data point. It has the right shape only because N = M.",
			Answer: changed(func(h *mat.Dense, p twoclass.Problem) {
				if len(p.T) == len(p.W) {
					a := instance.Activations(p.Phi, p.W)
					h.Mul(p.Phi, p.Phi.T())
					h.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(prime(a[i])*prime(a[j])) }, h)
				}
			})},
	},
}

// nullQuestion converts a result of NullDirection into two numbers. The first number is 1 if
// NullDirection reports a direction, and 0 otherwise. The second number says how much the
// activations change along the returned direction. It is 0 if NullDirection reports no direction, or
// if the problem has no flat direction.
var nullQuestion = &judge.Question[directionFunc, problem]{
	Func: "NullDirection", Name: "NullDirection", Hint: 3,
	Invoke: func(nullDirection directionFunc, c *judge.Call, p problem) []float64 {
		u, ok := nullDirection(c.Dense("Phi", p.Phi))
		switch {
		case !ok:
			return []float64{0, 0}
		case p.null == nil:
			return []float64{1, 0}
		}
		n, m := p.Phi.Dims()
		if len(u) == n && n != m {
			c.Say(judge.Fail("left-null", 3,
				"For %v your u has one entry per data point, so it combines rows of Φ. A direction of w has one entry per column of Φ.", p))
		}
		if c.Vector("u", u, m, "column of Φ") == nil {
			return nil
		}
		if floats.Norm(u, math.Inf(1)) == 0 {
			c.Say(judge.Fail("zero-vector", 2,
				"For %v you returned u = 0, which is not a direction.", p))
			return nil
		}
		return []float64{1, p.changeAlong(u)}
	},
	Right: func(p problem) []float64 {
		if p.null == nil {
			return []float64{0, 0}
		}
		return []float64{1, 0}
	},
	Family: func(p problem, got []float64) *verify.Verdict {
		switch {
		case p.null == nil && p.Scaled:
			return judge.Fail("absolute-threshold", 3,
				"For %v, Φ has independent columns, but you report a flat direction. If you use singular values, compare them with the largest singular value, not with a fixed number.", p)
		case p.null != nil && got[0] == 0:
			return judge.Fail("missed", 3,
				"For %v there is a direction along which E is constant, but you report no direction. %s", p, searchAdvice(p))
		}
		return nil
	},
	Mistakes: []judge.Mistake[directionFunc]{
		{Key: "always-ok", Hint: 2,
			Message: "You report a flat direction for every tested Φ with independent columns. For such a Φ every direction changes at least one activation.",
			Answer:  func(Phi *mat.Dense) ([]float64, bool) { u, _ := singular(Phi, -1); return u, true }},
		{Key: "never-ok", Answer: func(*mat.Dense) ([]float64, bool) { return nil, false }, Hint: 2,
			Message: "You report no flat direction for any Φ with dependent columns, even where a column occurs twice. If a column occurs twice, u = 1 for one copy and −1 for the other changes no activation."},
		{Key: "counts-only", Hint: 2,
			Message: "You report a flat direction exactly where there are fewer points than weights. Columns can be dependent with any number of points, for example for {problem}.",
			Answer: func(Phi *mat.Dense) ([]float64, bool) {
				u, _ := singular(Phi, -1)
				return u, Phi.RawMatrix().Rows < len(u)
			}},
		{Key: "wrong-end", Answer: func(Phi *mat.Dense) ([]float64, bool) { return singular(Phi, 0) }, Hint: 3,
			Message: "For {problem} your u is the direction that changes the activations most. Use the smallest singular value (or eigenvalue): mat.SVD lists it last, and mat.EigenSym lists it first."},
		{Key: "left-null", Hint: 3,
			Message: "For {problem} your u combines the rows, not the columns. Use V instead of U, or ΦᵀΦ instead of ΦΦᵀ.",
			Answer: func(Phi *mat.Dense) ([]float64, bool) {
				if n, m := Phi.Dims(); n == m {
					return singular(mat.DenseCopyOf(Phi.T()), -1)
				}
				return singular(Phi, -1)
			}},
	},
}

var weightQuestion = &judge.Question[weightFunc, activation]{
	Func: "Weight", Name: "Weight", Key: "weight", Hint: 2,
	Invoke: func(f weightFunc, _ *judge.Call, a activation) []float64 { return []float64{f(float64(a))} },
	Right:  func(a activation) []float64 { return []float64{prime(float64(a))} },
	Unit:   func(activation, []float64) []float64 { return []float64{1} },
	Mistakes: []judge.Mistake[weightFunc]{
		{Key: "output", Answer: kernel.Sigmoid, Hint: 2,
			Message: "You return y, the first derivative for t = 0. Differentiate once more."},
		{Key: "y-squared", Answer: func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }, Hint: 2,
			Message: "You return y². The derivative of σ is y(1−y)."},
		{Key: "first-derivative", Answer: func(a float64) float64 { return -kernel.Sigmoid(-a) }, Hint: 2,
			Message: "You return y − 1, the first derivative for t = 1. Differentiate once more; the second derivative does not depend on the target."},
		{Key: "squared-weight", Answer: func(a float64) float64 { return prime(a) * prime(a) }, Hint: 2,
			Message: "You return the square of y(1−y). The first derivative of the error is y − t, which contains no factor y(1−y). Only the second differentiation adds this factor."},
		{Key: "plus", Answer: func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }, Hint: 2,
			Message: "You return y(1+y). The derivative of σ is y(1−y)."},
		{Key: "third", Answer: func(a float64) float64 { return prime(a) * (1 - 2*kernel.Sigmoid(a)) }, Hint: 2,
			Message: "You return the second derivative of σ, which is the third derivative of the error. Differentiate the error only twice."},
	},
}

var curvatureQuestion = &judge.Question[curvatureFunc, probe]{
	Func: "Curvature", Name: "Curvature", Key: "curvature", Hint: 2, Right: probe.curvature,
	Invoke: func(f curvatureFunc, c *judge.Call, b probe) []float64 {
		return []float64{f(c.Slice("u", b.u), c.Slice("w", b.W), c.Dense("Phi", b.Phi))}
	},
	Unit: func(b probe, _ []float64) []float64 { return []float64{b.size()} },
	Mistakes: []judge.Mistake[curvatureFunc]{
		{Key: "unweighted", Answer: total(func(_, s float64) float64 { return s * s }), Hint: 2,
			Message: "You return |Φu|², the curvature of least squares. The weights y(1−y) are missing."},
		{Key: "not-squared", Answer: total(func(a, s float64) float64 { return prime(a) * s }), Hint: 2,
			Message: "Your terms contain uᵀφ instead of its square. The square is needed because uᵀφφᵀu = (uᵀφ)²."},
		{Key: "weight-squared", Answer: total(func(a, s float64) float64 { return math.Pow(prime(a)*s, 2) }), Hint: 2,
			Message: "Your terms contain the square of the weight. Square only uᵀφ."},
		{Key: "absolute", Answer: total(func(a, s float64) float64 { return prime(a) * math.Abs(s) }), Hint: 2,
			Message: "Your terms contain |uᵀφ|, but the curvature contains the square of uᵀφ."},
		{Key: "square-of-sum", Hint: 2,
			Message: "You square the sum over the points. Add the squares instead: positive and negative uᵀφ must not cancel.",
			Answer: func(u, w []float64, Phi *mat.Dense) float64 {
				return math.Pow(total(func(a, s float64) float64 { return math.Sqrt(prime(a)) * s })(u, w, Phi), 2)
			}},
		{Key: "half", Answer: total(func(a, s float64) float64 { return prime(a) * s * s / 2 }), Hint: 2,
			Message: "You return ½uᵀHu, the second-order term of a Taylor series. The second derivative itself has no ½."},
		{Key: "averaged", Hint: 2, Message: "Your result is uᵀHu divided by N. E is a sum, not a mean.",
			Answer: func(u, w []float64, Phi *mat.Dense) float64 {
				return curvature(u, w, Phi) / float64(Phi.RawMatrix().Rows)
			}},
		{Key: "along-w", Answer: func(_, w []float64, Phi *mat.Dense) float64 { return curvature(w, w, Phi) }, Hint: 2,
			Message: "You return wᵀHw. Use the direction u."},
	},
}

// weighting returns an answer that computes the Hessian with the given, possibly wrong, weights of
// the points. `total` returns an answer that computes a curvature as a sum over the points.
var (
	weighting = twoclass.Untargeted
	total     = twoclass.Curvature
	curvature = total(func(a, s float64) float64 { return prime(a) * s * s })
)

// changed returns an answer that computes the right Hessian and changes it with the function
// `change`.
func changed(change func(h *mat.Dense, p twoclass.Problem)) hessianFunc {
	return func(w []float64, Phi *mat.Dense) *mat.Dense {
		return logistic.ButHessian(change)(w, Phi, make([]float64, Phi.RawMatrix().Rows))
	}
}

// singular returns the right singular vector of Φ with index k, which is column k of V, and reports
// whether the columns of Φ are dependent. Vector 0 has the largest singular value. If k is −1, the
// function returns the last vector.
func singular(Phi *mat.Dense, k int) (v []float64, dependent bool) {
	var svd mat.SVD
	var all mat.Dense
	svd.Factorize(Phi, mat.SVDFullV)
	svd.VTo(&all)
	_, m := Phi.Dims()
	return mat.Col(nil, (k+m)%m, &all), svd.Rank(1e-10) < m
}

func init() {
	right := func(Phi *mat.Dense) ([]float64, bool) { return singular(Phi, -1) }
	judge.Known(exercise, hessianQuestion, func(f hessianFunc) *verify.Report { return Check(f, right) })
	judge.Known(exercise, nullQuestion, func(f directionFunc) *verify.Report { return Check(weighting(prime), f) })
	judge.Known(exercise, weightQuestion, func(f weightFunc) *verify.Report { return CheckSteps(f, curvature) })
	judge.Known(exercise, curvatureQuestion, func(f curvatureFunc) *verify.Report { return CheckSteps(prime, f) })
}

// searchAdvice returns advice for a learner whose answer did not find the flat direction of p.
func searchAdvice(p problem) string {
	if mat.Norm(p.Phi, 1) == 0 {
		return "All singular values are 0, including the largest. If your limit is proportional to the largest singular value, a value equal to the limit must count as 0."
	}
	if n, m := p.Phi.Dims(); n < m {
		return "If there are fewer points than weights, a flat direction always exists, even if none of the N singular values is 0."
	}
	return "The direction may combine many columns. If Φ has a column of zeros, this column alone gives a direction. If you use singular values, treat a value as 0 if it is tiny relative to the largest singular value, because rounding leaves a small number in place of 0."
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex15", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
