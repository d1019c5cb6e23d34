// Package ex20 judges PRML exercise 4.20: the Hessian of the error of multiclass logistic
// regression, and the directions along which the error is curved.
package ex20

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `hessian` of PRML exercise 4.20. `hessian` returns the MK×MK matrix of
// second derivatives of (4.108) for weights W (M×K) and the design matrix Phi (N×M). The rows and
// columns may be grouped by classes or by features.
func Check(hessian func(W, Phi *mat.Dense) *mat.Dense) *verify.Report {
	o := &ordered{hessian: hessian}
	return exercise.Judge(question.Parts(o.byClasses, []judge.Property[problem]{
		judge.Form("the result is an MK×MK matrix of finite numbers, and W and Φ stay unchanged",
			func() []problem { return slices.Concat(general(), fewClasses()) }, nil, judge.Wrong{},
			"You returned an MK×MK matrix for M and K from 1 to 4."),
		{Name: "the entries are the derivatives of the gradient", Problems: general, Precheck: otherOrder,
			Holds: problem.derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 1,
				Message: "For {problem} your entries should be the derivatives of the gradient. With each column of Φ scaled to size 1, your matrix is {off}. (Row and column numbers start at 0, with the weights grouped by classes. The function Check has tried both groupings.)"},
			Right: "Your entries agree with the finite differences of the gradient. The minus sign in (4.110) is a misprint.",
			RightNote: func([][]float64) string {
				return map[bool]string{true: "Your weights are grouped by features, with all classes of a feature together.",
					false: "Your weights are grouped by classes, like the blocks of (4.110)."}[o.features]
			}},
		{Name: "columns of Φ of very different size, and far from zero", Problems: scaled, Extreme: true,
			Holds: problem.derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 1,
				Message: "For {problem} your entries should be the derivatives of the gradient. With each column of Φ scaled to size 1, your matrix is {off}."},
			Right: "Your entries are also right for columns of very different sizes, and for a column far from zero."},
		{Name: "symmetric", Problems: general,
			Holds: func(p problem, h []float64) verify.Finding { return verify.Symmetric(p.sizes.Unit(h), 1e-10) },
			Wrong: judge.Wrong{Key: "not-symmetric", Hint: 2,
				Message: "For {problem} your matrix is not symmetric: it should equal its transpose, but it is {off}. Check that both triangles are filled, that rows and columns have the same grouping, and that the indices j and k of y are right."},
			Right: "Your matrix is symmetric."},
		{Name: "positive semidefinite: uᵀHu ≥ 0 for every u", Problems: general, Holds: problem.semidefinite,
			Wrong: judge.Wrong{Key: "not-semidefinite", Hint: 2,
				Message: "For {problem}, uᵀHu is negative for some u, or all your entries are 0. With s_k = u_kᵀφ, the term of one point is the variance of s under the probabilities y, so it cannot be negative. Check the minus sign of the cross blocks, and that the outputs of each point sum to 1."},
			Right: "No eigenvalue of your matrix is negative. (For the Hessian of E, uᵀHu is a sum of variances, one for each point.)"},
		{Name: "flat in the directions that add one vector to all w_k, where E is constant for any Φ",
			Problems: general,
			Holds:    problem.flatAlongShifts,
			Wrong: judge.Wrong{Key: "curved-along-shift", Hint: 2,
				Message: "For {problem} your Hu should be 0 for a u that adds one vector to all w_k, since E is constant along it. Relative to the largest entry of H, your Hu is {off}. Check the cross blocks, and that the outputs of each point sum to 1 to all digits. If you add a number to the diagonal, remove this step."},
			Right: "Your Hu is 0 for every u that adds one vector to all w_k, so the minimum is never unique."},
		{Name: "curved in all directions that do not add one vector to all w_k, if Φ has full column rank",
			Problems: fullRank, Holds: problem.curvedElsewhere,
			Wrong: judge.Wrong{Key: "too-flat", Hint: 2,
				Message: "For {problem}, uᵀHu is nearly 0 or negative for some u that does not add one vector to all w_k. Φ has full column rank, so E is curved along such a u. If another part reports a wrong sign or block, fix that first."},
			Right: "No more than M eigenvalues of your matrix are 0. The claim “positive definite” after (4.110) holds only if the weights of one class are fixed, or with a prior."},
		{Name: "finite and right at activations of all sizes, up to ±800", Problems: tails, Extreme: true,
			Precheck: judge.First(problem.checkSums,
				judge.Wrong{Key: "tails", Hint: 3,
					Message: "For {problem} your matrix is finite, but with each column of Φ scaled to size 1, it is {off}. Do not set small outputs to 0, do not clip activations or outputs, and do not add a number to a denominator."}),
			Right: "No overflow at ±800."},
		{Name: "two classes, as in (4.97), and one class", Problems: fewClasses, Extreme: true,
			Precheck: checkFewClasses,
			Right:    "With two classes every block of your matrix is plus or minus the Hessian of logistic regression. With one class your matrix is 0."},
	}...)...)
}

// CheckSteps judges two optional steps of the derivation. `block` returns the K×K matrix of second
// derivatives of one point's error with respect to its activations. Its argument is the vector of
// outputs y (K) of the point. `spread` returns sᵀ·block(y)·s for s (K).
func CheckSteps(block func(y []float64) *mat.Dense, spread func(y, s []float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		blockQuestion.Steps(block,
			judge.Step[outputs]{Name: "Block: the second derivatives of one point's error with respect to its activations",
				Problems: singles,
				Routes: []judge.Route[outputs]{
					{Name: "the derivative of the softmax", Tol: rightTol, Value: blockQuestion.Right},
					{Name: "the complex-step derivative of the outputs", Tol: 1e-7,
						Value: func(o outputs) []float64 { return kernel.SoftmaxJacobian(multiclass.Map(math.Log)(o.y)) }},
				},
				Right: "For 1 to 6 classes your blocks agree with the derivatives of y − t, computed by the formula and by a complex step."}),
		spreadQuestion.Steps(spread, judge.Step[outputs]{Name: "Spread: the contribution of one point to uᵀHu",
			Problems: singles,
			Routes: []judge.Route[outputs]{
				{Name: "Σ_jk s_j B_jk s_k", Tol: rightTol, Value: spreadQuestion.Right},
				{Name: "the difference quotient of Σ s_k y_k along s", Tol: 1e-7, Value: outputs.alongS},
			},
			Right: "Your result agrees with sᵀBs, computed as a double sum and by difference quotients."}),
		spreadQuestion.Parts(spread,
			judge.Property[outputs]{Name: "Spread: the sign of the result, and the s for which it is 0",
				Problems: directions,
				Precheck: checkSign,
				Right:    "Your Spread is not negative for random s, and 0 if all s_k are equal, so H is positive semidefinite but not definite."}))...)
}

// rightTol is the tolerance stated in the text of the exercise. The error of an entry of the
// Hessian may be at most rightTol times the product of the sizes of its two features.
const rightTol = 1e-9

// An ordered value contains a learner's function and the grouping of the rows and columns in the
// matrix that this function returns: by classes or by features. The first call of byClasses
// determines the grouping.
type ordered struct {
	hessian  hessianFunc
	found    bool
	features bool // whether the weights are grouped by features
}

// byClasses calls the learner's function and returns its matrix with rows and columns grouped by
// classes. It does not change a matrix of the wrong shape.
func (o *ordered) byClasses(W, Phi *mat.Dense) *mat.Dense {
	if !o.found {
		o.features, o.found = byFeatures(o.hessian), true
	}
	h := o.hessian(W, Phi)
	if m, k := W.Dims(); o.features && isSquare(h, m*k) {
		return reordered(h, m, k, true, true)
	}
	return h
}

func isSquare(h *mat.Dense, n int) bool {
	if h == nil {
		return false
	}
	r, c := h.Dims()
	return r == n && c == n
}

// byFeatures reports whether the learner groups the weights by features. It tries both groupings on
// one problem. For a matrix of the wrong shape it returns false. First it looks for a grouping in
// which the matrix is a positive multiple of the right Hessian or of the result of a known mistake.
// If neither grouping passes this test, it looks for a grouping in which Hu = 0 for all directions u
// that add one vector to all w_k. If this test does not decide, it chooses the grouping with the
// larger |Σ h_ij r_ij|. Here h_ij are the entries of the learner's matrix, and r_ij are the entries of
// the right Hessian.
func byFeatures(hessian hessianFunc) bool {
	p := fullRank()[0]
	_, m, k := p.Dims()
	h := hessian(mat.DenseCopyOf(p.W), mat.DenseCopyOf(p.Phi))
	if !isSquare(h, m*k) {
		return false
	}
	unit := func(h *mat.Dense) *mat.Dense { return p.sizes.Unit(multiclass.Entries(h)) }
	classes, features := unit(h), unit(reordered(h, m, k, true, true))
	for _, f := range append(question.Mistakes, judge.Mistake[hessianFunc]{Answer: right}) {
		like := unit(f.Answer(p.W, p.Phi))
		for _, order := range []*mat.Dense{classes, features} {
			if mat.EqualApprox(like, order, 1e-6) {
				return order == features
			}
		}
	}
	flat := func(h *mat.Dense) bool { return p.flatAlongShifts(h.RawMatrix().Data).OK }
	if a, b := flat(classes), flat(features); a != b {
		return b
	}
	likeness := func(h *mat.Dense) float64 {
		var product mat.Dense
		product.MulElem(h, mat.NewDense(m*k, m*k, slices.Clone(p.right)))
		return math.Abs(mat.Sum(&product))
	}
	return likeness(features) > likeness(classes)*(1+1e-9)
}

// reordered converts a matrix from the grouping by features (row aK+j) to the grouping by classes
// (row jM+a). It converts the rows if the argument `rows` is true, and the columns if the argument
// `columns` is true.
func reordered(h *mat.Dense, m, k int, rows, columns bool) *mat.Dense {
	out := mat.NewDense(m*k, m*k, nil)
	at := func(i int, move bool) int {
		if move {
			return i%m*k + i/m
		}
		return i
	}
	out.Apply(func(i, j int, _ float64) float64 { return h.At(at(i, rows), at(j, columns)) }, out)
	return out
}

// otherOrder returns a verdict if the matrix is wrong in the grouping that byFeatures found, but
// right in the other grouping.
func otherOrder(p problem, h []float64) *verify.Verdict {
	_, m, k := p.Dims()
	again := func(m, k int) bool {
		return p.derivatives(multiclass.Entries(reordered(mat.NewDense(m*k, m*k, h), m, k, true, true))).OK
	}
	return judge.FailIf(!p.derivatives(h).OK && (again(m, k) || again(k, m)), "order-changes", 3,
		"For %v you group the weights differently than for other problems. Either grouping is right, but use one grouping for all problems.", p)
}

// derivatives compares h with central differences of the gradient, and then with the right Hessian,
// which is more accurate. It scales all columns to size 1, so that the same step length and
// tolerance suit all entries.
func (p problem) derivatives(h []float64) verify.Finding {
	s := p.sizes
	back := func(v []float64) []float64 { return floats.DivTo(make([]float64, len(v)), v, s) }
	even := floats.MulTo(make([]float64, len(s)), vector(p.W), s)
	return judge.All(verify.Jacobian(func(v []float64) []float64 { return back(p.gradient(back(v))) }, even, s.Even(h),
		verify.Tolerance{Rel: 1e-7, Abs: 1e-9}), p.checkSums(h))
}

// checkSums compares h with the right Hessian, both rescaled as if every column of Φ had size 1.
func (p problem) checkSums(h []float64) verify.Finding {
	return verify.CloseMat(p.sizes.Even(h), p.sizes.Even(p.right), verify.Tolerance{Abs: rightTol})
}

// zeroTol is the relative size below which an eigenvalue λ counts as 0: |λ| < zeroTol·max|λ|. In problems
// with full column rank, all eigenvalues that should not be 0 are above 1e-6.
const zeroTol = 1e-10

func (p problem) semidefinite(h []float64) verify.Finding {
	if floats.Norm(h, math.Inf(1)) == 0 {
		return verify.Finding{Note: "all entries are 0"}
	}
	return verify.PositiveSemidefinite(p.sizes.Unit(h), zeroTol)
}

// flatAlongShifts checks that Hu = 0 for the M directions that add the same vector to all w_k.
func (p problem) flatAlongShifts(h []float64) verify.Finding {
	_, m, k := p.Dims()
	unit := p.sizes.Unit(h)
	for a := range m {
		image := make([]float64, m*k)
		for c := range k {
			floats.Add(image, mat.Col(nil, c*m+a, unit))
		}
		if f := verify.CloseSlice(image, make([]float64, m*k), verify.Tolerance{Abs: 1e-9 * mat.Norm(unit, 1)}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// curvedElsewhere checks that uᵀHu > 0 for all directions u orthogonal to the directions that
// flatAlongShifts checks. It adds to H the projection onto the directions of flatAlongShifts, and
// checks that the sum is positive definite.
func (p problem) curvedElsewhere(h []float64) verify.Finding {
	_, m, k := p.Dims()
	unit := p.sizes.Unit(h)
	unit.Apply(func(i, j int, v float64) float64 {
		if i%m == j%m {
			v += 1 / float64(k)
		}
		return v
	}, unit)
	return verify.PositiveDefinite(unit, zeroTol)
}

// A problem is a multiclass.Problem together with its right Hessian. All weights form one vector,
// grouped by classes: entry c·M+a is weight a of class c.
type problem struct {
	multiclass.Problem
	right []float64      // the entries of the Hessian, row by row
	sizes instance.Scale // for each weight, the size of its column of Φ
	// `units` contains, for each entry of the Hessian, the product of the sizes of its two columns of
	// Φ
	units []float64
}

// ready computes the fields `right`, `sizes` and `units`, and returns the problem.
func ready(base multiclass.Problem) problem {
	_, _, k := base.Dims()
	var sizes instance.Scale = slices.Repeat(instance.Sizes(base.Phi), k)
	return problem{base, right(base.W, base.Phi).RawMatrix().Data, sizes, sizes.Units()}
}

func drawing(part uint64) func(name string, n, k int, centre, spread []float64) problem {
	r := instance.Source(420, part)
	return func(name string, n, k int, centre, spread []float64) problem {
		return ready(multiclass.Draw(r, name, n, k, centre, spread, 1.2, func() int { return r.IntN(k) }))
	}
}

// drawn returns the problems of fullRank, general, scaled and fewClasses. For any two mistakes with
// different messages, the first problem shows which mistake was made. The first problem also shows how
// the weights are grouped.
var drawn = instance.Once(func() []problem {
	draw, scaled, few := drawing(2), drawing(4), drawing(6)
	origin := draw("W = 0", 15, 3, []float64{1, 0}, []float64{0, 1})
	origin.W.Zero()
	return []problem{
		draw("forty points, three weights, four classes", 40, 4, []float64{1, 0, 0.5}, []float64{0, 1, 1}),
		draw("as many weights as classes", 25, 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw("one weight", 12, 4, []float64{0.4}, []float64{1}),
		draw("a single point, one weight", 1, 3, []float64{1}, []float64{0.3}),
		ready(origin.Problem),
		drawing(3)("two points, four weights", 2, 3, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 1}),
		scaled("columns of very different size", 30, 3, []float64{1, 0, 1e6}, []float64{0, 1e-6, 5e5}),
		scaled("a column at 10⁶", 20, 3, []float64{1, 1e6}, []float64{0, 1}),
		few("two classes", 20, 2, []float64{1, 0, 0}, []float64{0, 1, 1}),
		few("two classes, a single point", 1, 2, []float64{1, 0}, []float64{0, 1}),
		few("one class", 6, 1, []float64{1, 0}, []float64{0, 1}),
	}
})

// fullRank returns problems in which Φ has full column rank, and `general` adds a problem with
// dependent columns. In all these problems the columns of Φ have similar sizes and are not far from
// zero, so that a wrong order of the entries is easy to recognise. `scaled` returns problems in
// which the columns have very different sizes or are far from zero. `fewClasses` returns problems with
// one or two classes.
func fullRank() []problem   { return drawn()[:5] }
func general() []problem    { return drawn()[:6] }
func scaled() []problem     { return drawn()[6:8] }
func fewClasses() []problem { return drawn()[8:] }

// tails returns a problem in which all activations are near ±800, followed by problems with larger and
// larger activations, up to ±800.
var tails = instance.Once(func() (list []problem) {
	for _, p := range multiclass.FarProblems() {
		list = append(list, ready(p))
	}
	return list
})

// vector returns the entries of W as a vector grouped by classes.
func vector(w mat.Matrix) []float64 { return multiclass.Entries(w.T()) }

// gradient returns the gradients (4.109) of all classes at the weights w. Both the result and w are
// vectors grouped by classes.
func (p problem) gradient(w []float64) []float64 {
	_, m, k := p.Dims()
	return vector(multiclass.Gradient(mat.DenseCopyOf(mat.NewDense(k, m, w).T()), p.Phi, p.T, multiclass.Right))
}

// The type `outputs` contains the outputs y of one point and a vector s, both with K entries.
type outputs struct {
	name string
	y, s []float64
}

func (o outputs) String() string { return "“" + o.name + "”" }

// singles returns the outputs of single points with 1 to 6 classes. For any two mistakes with
// different messages, the results differ for at least one of the first four points.
var singles = instance.Once(func() (list []outputs) {
	r := instance.Source(420, 31)
	add := func(name string, y []float64) {
		list = append(list, outputs{name, y, multiclass.Drawn(r, len(y), 1.5, 0)})
	}
	add("four classes", kernel.Softmax(instance.Normals(r, 4)))
	add("three classes", kernel.Softmax(instance.Normals(r, 3)))
	add("two classes", kernel.Softmax(instance.Normals(r, 2)))
	add("six classes", kernel.Softmax(instance.Normals(r, 6)))
	add("all outputs the same", []float64{0.25, 0.25, 0.25, 0.25})
	add("one class certain", []float64{0, 1, 0})
	add("a single class", []float64{1})
	for _, c := range []float64{3, 5, 7, 10, 14, 20, 40} {
		add(fmt.Sprintf("outputs e^%g apart", c), kernel.Softmax([]float64{0, -c, 1 - c, -2 * c}))
	}
	return list
})

func (o outputs) alongS() []float64 {
	return []float64{verify.Derivative(func(c float64) float64 {
		a := multiclass.Map(math.Log)(o.y)
		floats.AddScaled(a, c, o.s)
		return floats.Dot(o.s, kernel.Softmax(a))
	}, 0, 0)}
}

// directions returns 21 vectors s for each point that singles() returns: twenty vectors with random
// entries, and one vector with equal entries.
func directions() (list []outputs) {
	r := instance.Source(420, 33)
	for _, o := range singles() {
		for range 20 {
			list = append(list, outputs{o.name, o.y, instance.Normals(r, len(o.y))})
		}
		list = append(list, outputs{o.name, o.y, slices.Repeat([]float64{3}, len(o.y))})
	}
	return list
}

type (
	hessianFunc = func(W, Phi *mat.Dense) *mat.Dense
	blockFunc   = func(y []float64) *mat.Dense
	spreadFunc  = func(y, s []float64) float64
)

var question = &judge.Question[hessianFunc, problem]{
	Func: "Hessian", Name: "Hessian", Hint: 3,
	Invoke: func(hessian hessianFunc, c *judge.Call, p problem) []float64 {
		h := hessian(c.Dense("W", p.W), c.Dense("Phi", p.Phi))
		c.Say(misshapen(p, h))
		_, m, k := p.Dims()
		return c.Matrix("Hessian", h, m*k, m*k, "MK×MK")
	},
	Right: func(p problem) []float64 { return slices.Clone(p.right) },
	Unit:  func(p problem, _ []float64) []float64 { return p.units },
	Family: func(p problem, h []float64) *verify.Verdict {
		return judge.FailIf(p.sizes.Ridge(h, p.right), "prior", 2,
			"Your matrix is the Hessian plus a multiple of the identity, as if there were a Gaussian prior. E in (4.108) has no such term. The term also hides the flat directions.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly right: for {problem} your Hessian is {off}. Use the exact formula. Finite differences and rounded numbers are not accurate enough, and you must not add a number to a denominator."},
	Factor: judge.Wrong{Key: "factor", Hint: 3,
		Message: "Your matrix is the Hessian times a constant factor. E in (4.108) has no factor in front of the sums."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "printed-sign", Answer: hessianWith(negative), Hint: 2,
			Message: "You return (4.110) as printed, with a minus sign in front, which is a misprint. E is convex, so no entry on the diagonal can be negative."},
		{Key: "cross-blocks-left-out", Answer: hessianWith(multiclass.DiagonalOnly), Hint: 1,
			Message: "Your diagonal blocks are right, but all other blocks are 0, as if the classes were fitted separately. The denominator of the softmax couples the classes: ∂y_k/∂a_j is not 0 for j ≠ k."},
		{Key: "cross-sign", Answer: hessianWith(multiclass.OffDiagonalSign), Hint: 2,
			Message: "Your cross blocks have the wrong sign. When the activation of one class increases, the outputs of all other classes decrease."},
		{Key: "diagonal-blocks-left-out",
			Answer: hessianWith(func(yk, yj, same float64) float64 { return (same - 1) * yj * yk }), Hint: 2,
			Message: "Your cross blocks are right, but the diagonal blocks are 0. For j = k the factor is y(1 − y)."},
		{Key: "inner-sign", Answer: hessianWith(multiclass.InnerSign), Hint: 2,
			Message: "Your factors are y_k(I_kj + y_j). The derivative of the softmax is y_k(I_kj − y_j)."},
		{Key: "identity-left-out", Answer: hessianWith(multiclass.IdentityLeftOut), Hint: 2,
			Message: "Your factors are −y_j·y_k. For j = k the numerator of the softmax also depends on a_j, which adds y_k."},
		{Key: "outer-product", Answer: hessianWith(multiclass.OuterProduct), Hint: 2,
			Message: "Your factors are y_j·y_k. This is one of the two terms, and its sign is wrong. The right factors are y_k(I_kj − y_j)."},
		{Key: "one-for-identity", Answer: hessianWith(func(yj, yk, _ float64) float64 { return yk * (1 - yj) }), Hint: 2,
			Message: "Your factors are y_k(1 − y_j). In place of 1 the formula needs I_kj, the element of the identity matrix, which is 0 for j ≠ k."},
		{Key: "one-for-identity", Answer: hessianWith(multiclass.OneForIdentity), Hint: 2,
			Message: "Your factors are y_j(1 − y_k). In place of 1 the formula needs I_kj, the element of the identity matrix, which is 0 for j ≠ k."},
		{Key: "denominator-held-fixed", Answer: hessianWith(multiclass.DenominatorHeldFixed), Hint: 1,
			Message: "Your factors are y_k on the diagonal and 0 elsewhere. The derivative of the denominator of the softmax is missing."},
		{Key: "factor-left-out", Answer: hessianWith(multiclass.LogSoftmaxTransposed), Hint: 2,
			Message: "Your factors are I_kj − y_j, the derivatives of ln y_k. The factor y_k is missing."},
		{Key: "factor-left-out", Answer: hessianWith(multiclass.LogSoftmax), Hint: 2,
			Message: "Your factors are I_kj − y_k, the derivatives of ln y_j. The factor y_j is missing."},
		{Key: "weights-left-out", Answer: hessianWith(func(_, _, same float64) float64 { return same }), Hint: 2,
			Message: "Every diagonal block of your matrix is ΦᵀΦ, the Hessian of least squares. The derivatives of the softmax are missing."},
		{Key: "sigmoids", Answer: blocks(rows(multiclass.Map(kernel.Sigmoid)), multiclass.DiagonalOnly), Hint: 1,
			Message: "You return the Hessian of K separate two-class models with sigmoids. The softmax has one denominator for all classes."},
		{Key: "fixed-bound", Hint: 2,
			Message: "Your blocks are ½(I_kj − 1/K)ΦᵀΦ. They form an upper bound on the Hessian, which some algorithms use in its place. Return the Hessian itself.",
			Answer: func(W, Phi *mat.Dense) *mat.Dense {
				_, k := W.Dims()
				return hessianWith(func(_, _, same float64) float64 { return (same - 1/float64(k)) / 2 })(W, Phi)
			}},
		{Key: "softmax-over-points", Answer: blocks(multiclass.OverPoints, multiclass.Softmax), Hint: 2,
			Message: "Your outputs are the softmax over the points, so the outputs of one class sum to 1. Apply the softmax over the classes of each point, so that the outputs of one point sum to 1."},
		{Key: "mixed-order", Answer: mixed(false, true), Hint: 3,
			Message: "Your rows are grouped by classes, but your columns are grouped by features. Either grouping is right, but use the same grouping for both, so that the matrix is symmetric."},
		{Key: "mixed-order", Answer: mixed(true, false), Hint: 3,
			Message: "Your columns are grouped by classes, but your rows are grouped by features. Either grouping is right, but use the same grouping for both, so that the matrix is symmetric."},
		{Key: "last-row", Answer: selectedPoints(multiclass.LastPoint), Hint: 3,
			Message: "Your matrix contains only the last data point, as if each point replaced the previous point. Add the terms of all points."},
		{Key: "first-row", Answer: selectedPoints(multiclass.FirstPoint), Hint: 3,
			Message: "Your matrix contains only the first data point. Check where your loop ends."},
		{Key: "row-forgotten", Answer: selectedPoints(multiclass.AllButLast), Hint: 3,
			Message: "Your matrix leaves out the last data point. Check where your loop ends."},
		{Key: "row-forgotten", Answer: selectedPoints(multiclass.AllButFirst), Hint: 3,
			Message: "Your matrix leaves out the first data point. Indices start at 0."},
		{Key: "one-triangle",
			Answer: changed(func(i, j, _ int, v float64) float64 { return multiclass.When(i <= j, v) }), Hint: 3,
			Message: "The upper triangle of your matrix is right, but the lower triangle is 0. Fill both triangles, because a *mat.Dense does not mirror entries."},
		{Key: "one-triangle",
			Answer: changed(func(i, j, _ int, v float64) float64 { return multiclass.When(i >= j, v) }), Hint: 3,
			Message: "The lower triangle of your matrix is right, but the upper triangle is 0. Fill both triangles, because a *mat.Dense does not mirror entries."},
		{Key: "diagonal-only",
			Answer: changed(func(i, j, _ int, v float64) float64 { return multiclass.When(i == j, v) }), Hint: 3,
			Message: "The diagonal of your matrix is right, but all other entries are 0. They should be the mixed second derivatives."},
		{Key: "zero", Answer: hessianWith(multiclass.Zero), Hint: 3,
			Message: "All your entries are 0. Check that you write to the matrix that you return."},
		{Key: "averaged", Answer: changed(func(_, _, n int, v float64) float64 { return v / float64(n) }), Hint: 3,
			Message: "Your matrix is the Hessian divided by N. E in (4.108) is a sum over the data, not a mean, so its Hessian is a sum too."},
		{Key: "averaged",
			Answer: changed(func(_, _, n int, v float64) float64 { return v / math.Max(1, float64(n-1)) }), Hint: 3,
			Message: "Your matrix is the Hessian divided by N − 1. E in (4.108) is a sum over the data, not a mean. Only an unbiased variance has the divisor N − 1."},
	},
}

// misshapen returns a verdict if a known mistake explains the wrong shape of the matrix. It also
// returns a verdict if an entry is not finite at large activations.
func misshapen(p problem, h *mat.Dense) *verify.Verdict {
	if h == nil || h.IsEmpty() {
		return nil
	}
	n, m, k := p.Dims()
	r, c := h.Dims()
	switch {
	case r == m*k && c == r && p.Far() && math.IsNaN(0*mat.Sum(h)): // NaN or infinite
		return judge.Fail("overflow", 3,
			"For %v an entry of your matrix is not a finite number. e^800 overflows to Inf and e^−800 underflows to 0, and both Inf/Inf and 0/0 are NaN. For each point, subtract its largest activation from all its activations, and do not divide by an output.", p)
	case r != c || r == m*k || k == 1 || m == 1:
	case r == m:
		return judge.Fail("one-block", 1,
			"Your matrix is M×M, a single block. The Hessian has K×K blocks, one for each pair of classes.")
	case r == k:
		return judge.Fail("one-block", 1,
			"Your matrix is K×K, but each pair of classes has a block of M×M second derivatives. The Hessian is MK×MK.")
	case r == m*(k-1):
		return judge.Fail("class-held", 1,
			"Your matrix has M(K−1) rows, as if the weights of one class were fixed at 0. In this exercise all K weight vectors are free.")
	case r == n || r == n*k:
		return judge.Fail("by-points", 1,
			"Your matrix has %d rows, as if each row belonged to a data point. The second derivatives are with respect to the MK weights. Sum them over the points.", r)
	}
	return nil
}

// checkFewClasses compares the learner's matrix with the Hessian built from (4.97) if there are two
// classes, and with 0 if there is only one class.
func checkFewClasses(p problem, h []float64) *verify.Verdict {
	_, m, k := p.Dims()
	want := mat.NewDense(m*k, m*k, nil)
	if a := multiclass.Activations(p.W, p.Phi); k == 2 {
		for i := range a.RawMatrix().Rows {
			phi := p.Phi.RawRowView(i)
			v := mat.NewVecDense(2*m, append(slices.Clone(phi), floats.ScaleTo(make([]float64, m), -1, phi)...)) // (φ, −φ)
			want.RankOne(want, kernel.Sigmoid(a.At(i, 0)-a.At(i, 1))*kernel.Sigmoid(a.At(i, 1)-a.At(i, 0)), v, v)
		}
	}
	f := verify.CloseMat(p.sizes.Even(h), p.sizes.Even(want.RawMatrix().Data), verify.Tolerance{Abs: rightTol})
	switch {
	case f.OK:
		return nil
	case k == 1:
		return judge.Fail("one-class", 2,
			"With a single class the output is always 1, so E and its Hessian are 0. Your matrix is %s.",
			f.Off())
	}
	return judge.Fail("two-classes", 2,
		"For %v every diagonal block should be the matrix ΦᵀRΦ of (4.97) at w₁ − w₂, and every other block should be minus this matrix. Your matrix is %s.", p,
		f.Off())
}

var blockQuestion = &judge.Question[blockFunc, outputs]{
	Func: "Block", Name: "Block", Key: "block", Hint: 2,
	Invoke: func(block blockFunc, c *judge.Call, o outputs) []float64 {
		return c.Matrix("block", block(c.Slice("y", o.y)), len(o.y), len(o.y), "K×K")
	},
	Right: func(o outputs) []float64 { return multiclass.Entries(block(o.y)) },
	Unit:  func(_ outputs, right []float64) []float64 { return slices.Repeat([]float64{1}, len(right)) },
	Mistakes: []judge.Mistake[blockFunc]{
		{Key: "printed-sign", Answer: multiclass.Derivative(negative).At, Hint: 2,
			Message: "All your signs are wrong, as in the printed (4.110). The first derivatives of the error are y − t, and y_k increases with a_k, so the diagonal must be positive."},
		{Key: "off-diagonal-sign", Answer: multiclass.Derivative(multiclass.OffDiagonalSign).At, Hint: 2,
			Message: "The diagonal of your block is right, but all other entries have the wrong sign. When one activation increases, the outputs of all other classes decrease."},
		{Key: "no-identity", Answer: multiclass.Derivative(multiclass.IdentityLeftOut).At, Hint: 2,
			Message: "Only the diagonal of your block is wrong: it is −y_k², as if I_kj were missing. It must be y_k(1−y_k)."},
		{Key: "diagonal-only", Answer: multiclass.Derivative(multiclass.DiagonalOnly).At, Hint: 1,
			Message: "Only the diagonal of your block is nonzero. Every output depends on every activation through the denominator of the softmax."},
		{Key: "outputs-on-diagonal", Answer: multiclass.Derivative(multiclass.DenominatorHeldFixed).At, Hint: 2,
			Message: "You return the diagonal matrix of the outputs. The term −y_j y_k, from the denominator of the softmax, is missing."},
		{Key: "sigmoid-everywhere",
			Answer: multiclass.Derivative(func(yj, yk, _ float64) float64 { return yk * (1 - yj) }).At, Hint: 2,
			Message: "Your entries are y_k(1−y_j). In place of 1 the formula needs I_kj, which is 0 off the diagonal."},
		{Key: "first-derivative",
			Answer: multiclass.Derivative(func(yk, _, same float64) float64 { return yk - same }).At, Hint: 1,
			Message: "You return the first derivatives y_j − t_j, for each class as the target. Differentiate once more; the second derivatives do not depend on the target."},
	},
}

var spreadQuestion = &judge.Question[spreadFunc, outputs]{
	Func: "Spread", Name: "Spread", Key: "spread", Hint: 2,
	Invoke: func(spread spreadFunc, c *judge.Call, o outputs) []float64 {
		return []float64{spread(c.Slice("y", o.y), c.Slice("s", o.s))}
	},
	Right: func(o outputs) []float64 { return []float64{quadratic(multiclass.Softmax)(o.y, o.s)} },
	Unit: func(o outputs, _ []float64) []float64 {
		return []float64{moments(func(_, square float64) float64 { return square })(o.y, o.s)}
	},
	Mistakes: []judge.Mistake[spreadFunc]{
		{Key: "plus", Answer: moments(func(mean, square float64) float64 { return square + mean*mean }), Hint: 2,
			Message: "You return the mean of the squares plus the square of the mean. Subtract the square of the mean, because the entries of B off the diagonal are −y_j y_k."},
		{Key: "mean-of-squares", Answer: moments(func(_, square float64) float64 { return square }), Hint: 2,
			Message: "You return the mean of the squares. The term −y_j y_k of B is missing. This term subtracts the square of the mean."},
		{Key: "mean-not-squared", Answer: moments(func(mean, square float64) float64 { return square - mean }), Hint: 2,
			Message: "You return the mean of the squares minus the mean. Subtract the square of the mean: Σ_j Σ_k y_j s_j y_k s_k is a product of two equal sums."},
		{Key: "diagonal-only", Answer: quadratic(multiclass.DiagonalOnly), Hint: 1,
			Message: "You return Σ y_k(1−y_k)s_k², which contains only the diagonal of B. Add the products s_j·s_k of different classes."},
		{Key: "unweighted", Answer: func(_, s []float64) float64 { return stat.PopVariance(s, nil) }, Hint: 2,
			Message: "You return the variance of the s_k with equal weights. The weights must be the probabilities y_k."},
		{Key: "standard-deviation", Hint: 2, Message: "You return the square root of the right value. The contribution of a point is quadratic in s.",
			Answer: moments(func(mean, square float64) float64 { return math.Sqrt(math.Max(0, square-mean*mean)) })},
		{Key: "centred-once", Answer: func(_, _ []float64) float64 { return 0 }, Hint: 2,
			Message: "Your Spread is always 0, like the average Σ y_k(s_k − mean). Average the squares of the differences s_k − mean instead."},
	},
}

// checkSign checks that Spread is never negative. For several classes, it also checks that Spread is 0
// where all s_k are equal.
func checkSign(o outputs, got []float64) *verify.Verdict {
	switch room := 1e-12 * floats.Dot(o.s, o.s); {
	case floats.Max(o.s) == floats.Min(o.s) && len(o.s) > 1 && !(math.Abs(got[0]) <= room):
		return judge.Fail("spread-not-flat", 2,
			"For %v your Spread is %.3g although all s_k are equal. Adding the same number to all activations changes no output, so Spread must be 0.", o, got[0])
	case !(got[0] >= -room):
		return judge.Fail("spread-negative", 2,
			"For %v your Spread is %.3g. Spread is a mean of squares with the probabilities y_k as weights, so it cannot be negative.", o,
			got[0])
	}
	return nil
}

// The variable `right` is the correct answer for Hessian, grouped by classes. The variable `block`
// is the correct answer for Block.
var (
	right = hessianWith(multiclass.Softmax)
	block = multiclass.Derivative(multiclass.Softmax).At
)

// negative returns the factor of a block as printed in (4.110), which has the wrong sign.
func negative(yk, yj, same float64) float64 { return -multiclass.Softmax(yk, yj, same) }

// blocks returns an answer whose block in row j and column k is Σ_n d(y_j, y_k, I_jk) φφᵀ, where y
// contains the outputs of point n.
func blocks(outputs func(W, Phi *mat.Dense) *mat.Dense, d multiclass.Derivative) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense { return multiclass.Hessian(outputs(W, Phi), Phi, d, false) }
}

func rows(softmax func(a []float64) []float64) func(W, Phi *mat.Dense) *mat.Dense {
	return func(W, Phi *mat.Dense) *mat.Dense { return multiclass.Outputs(W, Phi, softmax) }
}

func hessianWith(d multiclass.Derivative) hessianFunc { return blocks(rows(kernel.Softmax), d) }

// selectedPoints returns an answer that uses point i only if which(i, N) is true.
func selectedPoints(which func(i, n int) bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense { return right(W, multiclass.Only(Phi, which)) }
}

// changed returns an answer that replaces each entry v of the right Hessian with f(i, j, N, v), where
// i and j are the row and the column of the entry.
func changed(f func(i, j, n int, v float64) float64) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		h := right(W, Phi)
		h.Apply(func(i, j int, v float64) float64 { return f(i, j, Phi.RawMatrix().Rows, v) }, h)
		return h
	}
}

// mixed returns an answer that groups the rows by features if `rows` is true, and otherwise by
// classes. In the same way, the argument `columns` determines how the answer groups the columns.
func mixed(rows, columns bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		m, k := W.Dims()
		return reordered(right(W, Phi), k, m, rows, columns)
	}
}

// quadratic returns an answer that computes Σ_jk s_j B_jk s_k, where d computes the entries of B.
func quadratic(d multiclass.Derivative) spreadFunc {
	return func(y, s []float64) float64 {
		return gauss.Form(s, d.At(y), s)
	}
}

// moments returns an answer that computes f(Σ y_k s_k, Σ y_k s_k²).
func moments(f func(mean, square float64) float64) spreadFunc {
	return func(y, s []float64) float64 {
		return f(floats.Dot(y, s), floats.Dot(y, floats.MulTo(make([]float64, len(s)), s, s)))
	}
}

func init() {
	judge.Known(exercise, question, Check)
	judge.Known(exercise, blockQuestion,
		func(f blockFunc) *verify.Report { return CheckSteps(f, quadratic(multiclass.Softmax)) })
	judge.Known(exercise, spreadQuestion, func(f spreadFunc) *verify.Report { return CheckSteps(block, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex20", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
