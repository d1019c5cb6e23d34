package ex15

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	weightFunc    = func(a float64) float64
	curvatureFunc = func(u, w []float64, Phi *mat.Dense) float64
)

// activationsNear are of a few units, on both sides.
func activationsNear() []float64 {
	r := source(31)
	out := []float64{0.7, -1.3, 0, 3}
	for range 12 {
		out = append(out, 8*r.Float64()-4)
	}
	return out
}

// farActivations are where exponentials overflow.
func farActivations() []float64 { return []float64{800, -800, 710, -710, 40, -40} }

func weightStep(second weightFunc) steps.Step[float64] {
	of := func(f func(y float64) float64) func(float64) []float64 {
		return func(a float64) []float64 { return []float64{f(sigmoid(a))} }
	}
	return steps.Step[float64]{
		Name: "Weight", Key: "weight", Hint: 2, Problems: activationsNear,
		Where: func(a float64) string { return fmt.Sprintf("a = %.4g", a) },
		Ask:   func(a float64) ([]float64, *verify.Verdict) { return []float64{second(a)}, nil },
		Unit:  func(float64, []float64) []float64 { return []float64{0.25} }, // the largest it can be
		Routes: []steps.Route[float64]{
			{Name: "the derivative of σ", Tol: 1e-10, Value: func(a float64) []float64 { return []float64{weight(a)} }},
			{Name: "the second difference of the error", Tol: 1e-6, Value: func(a float64) []float64 {
				const h = 1e-3
				return []float64{(2*logSigmoid(a) - logSigmoid(a+h) - logSigmoid(a-h)) / (h * h)}
			}},
		},
		Mistakes: []learner.Mistake[float64]{
			{Key: "output", Hint: 2, Value: of(func(y float64) float64 { return y }),
				Message: "This is y, the first derivative for t = 0. One more derivative is asked for."},
			{Key: "y-squared", Hint: 2, Value: of(func(y float64) float64 { return y * y }),
				Message: "This is y². The derivative of σ is y(1−y)."},
			{Key: "first-derivative", Hint: 2, Value: of(func(y float64) float64 { return y - 1 }),
				Message: "This is y − 1, the first derivative for t = 1. One more derivative is asked for, in which no target is left."},
			{Key: "squared-weight", Hint: 2, Value: of(func(y float64) float64 { return y * y * (1 - y) * (1 - y) }),
				Message: "This is the square of y(1−y): one factor too many. The first derivative of the error is y − t, with no y(1−y) in it."},
			{Key: "plus", Hint: 2, Value: of(func(y float64) float64 { return y * (1 + y) }),
				Message: "This is y(1+y): the sign in the derivative of σ is turned."},
			{Key: "third", Hint: 2, Value: of(func(y float64) float64 { return y * (1 - y) * (1 - 2*y) }),
				Message: "This is the second derivative of σ, and so the third of the error: it was differentiated once too often."},
		},
		Right: "It is the second derivative, by the derivative of σ and by second differences of the error.",
	}
}

// A bend is a problem with a direction in which to look.
type bend struct {
	problem
	u []float64
}

// size bounds the curvature from above, from the sizes of all its terms.
func (b bend) size() float64 {
	n, _ := b.Phi.Dims()
	s := 0.0
	for i := range n {
		terms := 0.0
		for j, v := range b.Phi.RawRowView(i) {
			terms += math.Abs(v * b.u[j])
		}
		s += terms * terms / 4
	}
	return s
}

// bends have random directions.
func bends() []bend {
	r := source(32)
	list := fullRank(r)
	for _, d := range rankDeficient(r) {
		list = append(list, d.problem)
	}
	var out []bend
	for _, p := range list {
		u := p.sizes()
		for j, s := range u {
			u[j] = (0.3 + r.Float64()) / s * float64(1-2*r.IntN(2))
		}
		out = append(out, bend{p, u})
	}
	return out
}

// askCurvature calls the learner's function with copies.
func askCurvature(curvature curvatureFunc, b bend) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	v := curvature(in.Slice("u", b.u), in.Slice("w", b.w), in.Dense("Phi", b.Phi))
	return []float64{v}, in.Changed(3)
}

// total is Σ f(weight of n, uᵀφ_n), the form of most mistakes.
func total(f func(r, s float64) float64) func(bend) []float64 {
	return func(b bend) []float64 {
		sum := 0.0
		for i, a := range b.activations(b.w) {
			sum += f(weight(a), floats.Dot(b.u, b.Phi.RawRowView(i)))
		}
		return []float64{sum}
	}
}

func curvatureStep(curvature curvatureFunc) steps.Step[bend] {
	return steps.Step[bend]{
		Name: "Curvature", Key: "curvature", Hint: 2, Problems: bends,
		Where: func(b bend) string { return "“" + b.name + "”" },
		Ask:   func(b bend) ([]float64, *verify.Verdict) { return askCurvature(curvature, b) },
		Unit:  func(b bend, _ []float64) []float64 { return []float64{b.size()} },
		Routes: []steps.Route[bend]{
			{Name: "uᵀHu", Tol: 1e-10, Value: func(b bend) []float64 {
				u := mat.NewVecDense(len(b.u), b.u)
				return []float64{mat.Inner(u, b.weighted(weight), u)}
			}},
			{Name: "the difference quotient of uᵀ∇E along u", Tol: 1e-7, Value: func(b bend) []float64 {
				along := func(c float64) float64 {
					return floats.Dot(b.u, b.gradient(floats.AddScaledTo(make([]float64, len(b.w)), b.w, c, b.u)))
				}
				return []float64{verify.Derivative(along, 0, 0)}
			}},
		},
		Mistakes: []learner.Mistake[bend]{
			{Key: "unweighted", Hint: 2, Value: total(func(_, s float64) float64 { return s * s }),
				Message: "The weights y(1−y) are missing: this is |Φu|², the curvature of least squares."},
			{Key: "not-squared", Hint: 2, Value: total(func(r, s float64) float64 { return r * s }),
				Message: "uᵀφ stands there once. It comes twice, from the left and from the right of φφᵀ, and so squared."},
			{Key: "weight-squared", Hint: 2, Value: total(func(r, s float64) float64 { return r * r * s * s }),
				Message: "The weight is squared together with uᵀφ. It comes in once."},
			{Key: "absolute", Hint: 2, Value: total(func(r, s float64) float64 { return r * math.Abs(s) }),
				Message: "The size of uᵀφ stands where its square belongs."},
			{Key: "square-of-sum", Hint: 2, Value: func(b bend) []float64 {
				v := total(func(r, s float64) float64 { return math.Sqrt(r) * s })(b)
				return []float64{v[0] * v[0]}
			}, Message: "This is the square of a sum over the points. Each point has a square of its own, and these are summed: positive and negative uᵀφ must not cancel."},
			{Key: "half", Hint: 2, Value: total(func(r, s float64) float64 { return r * s * s / 2 }),
				Message: "This is ½uᵀHu, the second-order term of a Taylor series. The second derivative itself has no ½."},
			{Key: "averaged", Hint: 2, Value: func(b bend) []float64 {
				v := total(func(r, s float64) float64 { return r * s * s })(b)
				return []float64{v[0] / float64(len(b.t))}
			}, Message: "The sum over the points is divided by N. E is a sum, not a mean."},
			{Key: "along-w", Hint: 2, Value: func(b bend) []float64 {
				sum := 0.0
				for _, a := range b.activations(b.w) {
					sum += weight(a) * a * a
				}
				return []float64{sum}
			}, Message: "This is wᵀHw: the direction u is not used."},
		},
		Right: "It is uᵀHu, with H and without, and the second derivative of E along u.",
	}
}

// judgeSign looks where the curvature must vanish, and nowhere lets it be negative.
func judgeSign(curvature curvatureFunc) verify.Verdict {
	for _, d := range rankDeficient(source(33)) {
		b := bend{d.problem, d.null}
		got, bad := askCurvature(curvature, b)
		if bad != nil {
			return *bad
		}
		if !(math.Abs(got[0]) <= 1e-12*b.size()+1e-300) {
			return verify.Fail("curvature-not-flat", 2, "For “%s” there is a u ≠ 0 with uᵀφ = 0 for every point, and your Curvature is %.3g there. Each term has the factor (uᵀφ)².", b.name, got[0])
		}
	}
	for _, b := range bends() {
		got, bad := askCurvature(curvature, b)
		if bad != nil {
			return *bad
		}
		if !(got[0] >= -1e-12*b.size()) { // room for the rounding of a product with H
			return verify.Fail("curvature-negative", 2, "For “%s” your Curvature is %.3g. A sum of squares with positive weights is not negative: E is convex, whatever the book calls it.", b.name, got[0])
		}
	}
	return verify.Pass("It is 0 where Φu = 0, and negative nowhere: E is convex.")
}
