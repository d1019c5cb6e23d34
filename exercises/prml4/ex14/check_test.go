package ex14_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex14"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	directionFunc = func(Phi *mat.Dense, t []float64) ([]float64, bool)
	errorFunc     = func(w []float64, Phi *mat.Dense, t []float64, c float64) float64
	finder        = func(Phi *mat.Dense, t []float64) (w []float64)
)

func checkDirection(f directionFunc) *verify.Report { return ex14.Check(f, ErrorAlong) }
func checkError(f errorFunc) *verify.Report         { return ex14.Check(SeparatingDirection, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex14.Exercise(), gate.Of(checkDirection, SeparatingDirection, "not-constant"),
		gate.Of(checkError, ErrorAlong, "calls"))
}

// least returns the smallest of the points' margins.
func least(Phi *mat.Dense, t, w []float64) float64 {
	return floats.Min(twoclass.Problem{Phi: Phi, T: t}.Margins(w))
}

// separates reports whether all points lie strictly on the correct sides of the boundary.
func separates(Phi *mat.Dense, t, w []float64) bool { return least(Phi, t, w) > 0 }

// acceptedBy returns an answer that calls `find` to compute w. The answer reports success if the
// function `enough` returns true for this w.
func acceptedBy(find finder, enough func(Phi *mat.Dense, t, w []float64) bool) directionFunc {
	return func(Phi *mat.Dense, t []float64) ([]float64, bool) {
		w := find(Phi, t)
		return w, enough(Phi, t, w)
	}
}

func tested(find finder) directionFunc { return acceptedBy(find, separates) }

// perceptron returns a finder that runs the perceptron algorithm. The finder passes over all points
// at most `passes` times and makes at most `most` corrections.
func perceptron(passes, most int) finder {
	return func(Phi *mat.Dense, t []float64) []float64 {
		w, left := make([]float64, Phi.RawMatrix().Cols), most
		for n := 0; n < passes*len(t) && left > 0; n++ {
			if s, row := 2*t[n%len(t)]-1, Phi.RawRowView(n%len(t)); s*floats.Dot(w, row) <= 0 {
				floats.AddScaled(w, s, row)
				left--
			}
		}
		return w
	}
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkDirection, map[string]directionFunc{
		"reference":      SeparatingDirection,
		"linear program": linearProgram,
		"perceptron on unit vectors, with a random order and a long w": func(Phi *mat.Dense, t []float64) ([]float64,
			bool) {
			unit, labels := mat.DenseCopyOf(Phi), slices.Clone(t)
			for to, from := range rand.Perm(len(t)) {
				row := slices.Clone(Phi.RawRowView(from))
				floats.Scale(1/math.Max(1e-300, floats.Norm(row, 2)), row)
				unit.SetRow(to, row)
				labels[to] = t[from]
			}
			w, ok := SeparatingDirection(unit, labels)
			floats.Scale(1e9, w)
			return w, ok
		},
	})
	gate.Rights(t, checkError, map[string]errorFunc{
		"softplus by cases": terms(func(a, t float64) float64 {
			if x := (1 - 2*t) * a; x <= 35 {
				return math.Log1p(math.Exp(x))
			}
			return (1 - 2*t) * a
		}),
		"log-sum-exp, summed apart": func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			e := terms(func(a, _ float64) float64 { return floats.LogSumExp([]float64{0, a}) })(w, Phi, t, c)
			return e - terms(func(a, t float64) float64 { return t * a })(w, Phi, t, c)
		},
	})
}

// signed returns a matrix with the rows z_n = (2t_n − 1)φ_n, divided by the largest absolute entry
// of Φ.
func signed(Phi *mat.Dense, t []float64) *mat.Dense {
	z, size := mat.DenseCopyOf(Phi), math.Max(mat.Max(Phi), -mat.Min(Phi))
	for n := range t {
		floats.Scale((2*t[n]-1)/size, z.RawRowView(n))
	}
	return z
}

// linearProgram looks for a w with z_nᵀw ≥ 1 for all n, where the z_n are the rows that `signed`
// returns. It uses the simplex method, which needs equations and nonnegative unknowns. So it solves
// z_nᵀ(u − v) − s_n = b_n with u, v, s ≥ 0, where every b_n is 1 or slightly larger.
func linearProgram(Phi *mat.Dense, t []float64) ([]float64, bool) {
	n, m := Phi.Dims()
	z := signed(Phi, t) // no entry exceeds 1 in absolute value, which suits the solver's tolerance
	A, b := mat.NewDense(n, 2*m+n, nil), make([]float64, n)
	A.Slice(0, n, 0, m).(*mat.Dense).Copy(z)
	A.Slice(0, n, m, 2*m).(*mat.Dense).Scale(-1, z)
	for i := range n {
		A.Set(i, 2*m+i, -1)
		// the numbers b_n differ, because equal numbers can make the solver cycle forever
		b[i] = 1 + 1e-3*float64(i*i%17)
	}
	_, x, err := lp.Simplex(make([]float64, 2*m+n), A, b, 1e-10, nil)
	if err != nil {
		return nil, false
	}
	return floats.SubTo(make([]float64, m), x[:m], x[m:2*m]), true
}

// descent returns a function that minimises E by gradient descent. It divides each gradient by an
// upper bound on the curvature of E. It stops after the given number of steps, or when w separates
// the classes.
func descent(steps int) finder {
	return func(Phi *mat.Dense, t []float64) []float64 {
		w := make([]float64, Phi.RawMatrix().Cols)
		curvature := math.Pow(mat.Norm(Phi, 2), 2) / 4
		for i := 0; i < steps && !separates(Phi, t, w); i++ {
			floats.AddScaled(w, -1/curvature, twoclass.Pulling(twoclass.Residual)(w, Phi, t))
		}
		return w
	}
}

// changedDirection returns an answer that calls SeparatingDirection and applies f to each direction
// that it finds.
func changedDirection(f func(w []float64) []float64) directionFunc {
	return func(Phi *mat.Dense, t []float64) ([]float64, bool) {
		w, ok := SeparatingDirection(Phi, t)
		if ok {
			w = f(w)
		}
		return w, ok
	}
}

// whereNone returns an answer that calls SeparatingDirection, and calls f if SeparatingDirection
// finds no direction.
func whereNone(f directionFunc) directionFunc {
	return func(Phi *mat.Dense, t []float64) (w []float64, ok bool) {
		if w, ok = SeparatingDirection(Phi, t); !ok {
			w, ok = f(Phi, t)
		}
		return w, ok
	}
}

// TestWrongDirection checks wrong answers that are not in the tables of mistakes in check.go. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrongDirection(t *testing.T) {
	// if no direction separates the classes, the answer that `without` returns overlooks point number
	// skip(N): it uses a copy of the next point in place of this point
	without := func(skip func(n int) int) directionFunc {
		return whereNone(func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			less, labels, at := mat.DenseCopyOf(Phi), slices.Clone(t), skip(len(t))
			other := (at + 1) % len(t)
			less.SetRow(at, Phi.RawRowView(other))
			labels[at] = t[other]
			return SeparatingDirection(less, labels)
		})
	}
	gate.Wrongs(t, ex14.Exercise(), checkDirection, map[string][]directionFunc{
		"missed": {
			tested(perceptron(100, 1000)), tested(perceptron(1000, 440)), tested(descent(500)),
			acceptedBy(descent(3000),
				func(Phi *mat.Dense, t, w []float64) bool { return ErrorAlong(w, Phi, t, 1) < math.Ln2 }),
			tested(func(Phi *mat.Dense, t []float64) []float64 { // this search solves z_nᵀw = 1 by least squares
				var svd mat.SVD
				var w mat.VecDense
				svd.Factorize(signed(Phi, t), mat.SVDThin)
				svd.SolveVecTo(&w, mat.NewVecDense(len(t), slices.Repeat([]float64{1}, len(t))), svd.Rank(1e-12))
				return w.RawVector().Data
			}),
			tested(func(Phi *mat.Dense, t []float64) []float64 { // this search tries only random directions
				r, w := rand.New(rand.NewPCG(4, 14)), make([]float64, Phi.RawMatrix().Cols)
				for i := 0; i < 20000 && !separates(Phi, t, w); i++ {
					w = instance.Unit(r, len(w))
				}
				return w
			}),
		},
		"not-separating": {acceptedBy(perceptron(1, 1000), func(_ *mat.Dense, _, _ []float64) bool { return true }),
			changedDirection(func(w []float64) []float64 { clear(w); w[0] = 1; return w })},
		"zero-vector": {acceptedBy(perceptron(0, 0), func(_ *mat.Dense, _, _ []float64) bool { return true })},
		"touching": {
			acceptedBy(perceptron(1000, 31*31+1), func(Phi *mat.Dense, t, w []float64) bool { return least(Phi, t, w) >= 0 }),
			whereNone(acceptedBy(descent(3000),
				func(Phi *mat.Dense, t, w []float64) bool { return least(Phi, t, w) > -0.01*floats.Norm(w, 2) })),
		},
		"false-success": {without(func(n int) int { return n - 1 }), without(func(int) int { return 0 }),
			without(func(n int) int { return n / 2 })},
		"opposite": {changedDirection(func(w []float64) []float64 { floats.Scale(-1, w); return w })},
		"absolute-threshold": {acceptedBy(perceptron(1000, 31*31+1),
			func(Phi *mat.Dense, t, w []float64) bool { return least(Phi, t, w) > 1e-8 })},
		"on-the-boundary": {func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			// this answer is wrong only for the problem with three points on a line
			if n, m := Phi.Dims(); n == 3 && m == 2 && t[0] == 0 {
				return []float64{1, 1}, true
			}
			return SeparatingDirection(Phi, t)
		}},
		"no-direction": {tested(perceptron(1, 1000)), changedDirection(func(w []float64) []float64 { return w[1:] })},
	})
}

var terms = twoclass.Along

// withOutputs returns an answer that replaces the output y with f(y): it adds −ln f(y) for each point
// with t = 1, and −ln(1 − f(y)) for each point with t = 0.
func withOutputs(f func(y float64) float64) errorFunc {
	return terms(func(a, t float64) float64 { return -math.Log(math.Abs(1 - t - f(kernel.Sigmoid(a)))) })
}

// changedBeyond returns an answer that computes E(c·w) if |c| is at most the number `to`. For
// larger |c| the answer is f(e, c), where e is the error E(to·w).
func changedBeyond(to float64, f func(e, c float64) float64) errorFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		if math.Abs(c) > to {
			return f(ErrorAlong(w, Phi, t, to), c)
		}
		return ErrorAlong(w, Phi, t, c)
	}
}

// TestWrongError checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrongError(t *testing.T) {
	scale := func(f float64) errorFunc {
		return terms(func(a, t float64) float64 { return f * kernel.CrossEntropy(a, t) })
	}
	// `cut` returns an answer that omits all points whose margin is larger than `limit`
	cut := func(limit float64) errorFunc {
		return terms(func(a, t float64) float64 {
			if (2*t-1)*a > limit {
				return 0
			}
			return kernel.CrossEntropy(a, t)
		})
	}
	clipped := withOutputs(func(y float64) float64 { return math.Min(1-1e-15, math.Max(1e-15, y)) })
	gate.Wrongs(t, ex14.Exercise(), checkError, map[string][]errorFunc{
		"factor":        {scale(2), scale(0.5), scale(1 / math.Ln10), scale(1e4)},
		"sign":          {scale(-2)},
		"in-the-middle": {scale(2)},
		"nearly":        {withOutputs(func(y float64) float64 { return 1e-6 + (1-2e-6)*y })},
		"value": {
			func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
				return ErrorAlong(w, Phi, t[:len(t)-1], c)
			},
			func(_ []float64, _ *mat.Dense, t []float64, c float64) float64 {
				return float64(len(t)) * math.Ln2 * math.Exp(-c-c*c)
			},
			cut(1),
		},
		"not-falling": {changedBeyond(2.5, func(e, _ float64) float64 { return e }), cut(16.5),
			withOutputs(func(y float64) float64 { return math.Min(1-1e-7, math.Max(1e-7, y)) })},
		"newton-stops":    {changedBeyond(2.5, func(e, c float64) float64 { return e * (1 - 1e-6*(c-2.5)*(c-2.5)) })},
		"far":             {cut(18.5), cut(23)},
		"not-below-bound": {terms(func(a, t float64) float64 { return math.Max(1e-9, kernel.CrossEntropy(a, t)) })},
		"overflow": {
			terms(func(a, t float64) float64 {
				y := kernel.Sigmoid(a)
				return -t*math.Log(y) - (1-t)*math.Log(1-y)
			}),
			withOutputs(func(y float64) float64 { return y }),
			terms(func(a, t float64) float64 { return math.Log1p(math.Exp(-(2*t - 1) * a)) }),
		},
		"clipped": {clipped,
			terms(func(a, t float64) float64 { return kernel.CrossEntropy(math.Min(500, math.Max(-500, a)), t) })},
	})
	if r := checkError(clipped); slices.ContainsFunc(r.Parts, func(p verify.Result) bool { return p.Key == "in-the-middle" }) {
		t.Errorf("an answer that is right at moderate activations got the key in-the-middle, as if it were wrong there:\n%s", r)
	}
}

func ExampleCheck() {
	swapped := func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 { return ErrorAlong(w, Phi, t, -c) }
	fmt.Println(ex14.Check(SeparatingDirection, swapped).Parts[5].Message)
	// Output: This is E(−c·w), with the classes exchanged. y = σ(a) is the probability of t = 1.
}

// TestNewtonStepsBecomeEqual checks the steps of Newton's method on the separable data of the explore
// cell. The steps are counted from 0. Each step from step 2 on is longer than the previous step. The
// lengths of the steps approach 2, the reciprocal of the least margin.
func TestNewtonStepsBecomeEqual(t *testing.T) {
	Phi := mat.NewDense(6, 2, []float64{1, -2, 1, -1, 1, -0.5, 1, 0.5, 1, 1, 1, 2})
	E := func(c float64) float64 { return ErrorAlong([]float64{0, 1}, Phi, []float64{0, 0, 0, 1, 1, 1}, c) }
	c, before := 0.0, 0.0
	for step := range 8 {
		const h = 1e-3
		added := -(E(c+h) - E(c-h)) / (2 * h) / ((E(c+h) - 2*E(c) + E(c-h)) / (h * h))
		if step > 1 && added <= before || step == 1 && math.Abs(added-1.095) > 0.001 || step == 7 &&
			math.Abs(added-2) > 0.01 {
			t.Errorf("step %d has length %.4f after a step of length %.4f: want lengths that grow from 1.095 at step 1 to nearly 2 at step 7",
				step, added, before)
		}
		c, before = c+added, added
	}
}

// TestQuasiSeparableFallsFromEverywhere checks that E has no minimum on quasi-separable data. For
// such data there is a direction u with all points on the correct side or on the boundary. E(w +
// c·u) must decrease strictly with c for every tested w.
func TestQuasiSeparableFallsFromEverywhere(t *testing.T) {
	// the two points with the input 0 belong to different classes
	Phi := mat.NewDense(4, 2, []float64{1, 0, 1, 0, 1, 1, 1, -1})
	e := func(w []float64, c float64) float64 {
		return ErrorAlong([]float64{w[0], w[1] + c}, Phi, []float64{1, 0, 1, 0}, 1)
	}
	r := rand.New(rand.NewPCG(4, 14))
	for i := range 250 {
		w, c := instance.Normals(r, 2), float64(i%10)
		if floats.Scale(3, w); e(w, c+1) >= e(w, c) {
			t.Errorf("for w = %.3f, E(w+%g·u) is %g, want less than E(w+%g·u) = %g", w, c+1, e(w, c+1), c, e(w, c))
		}
	}
	if e := e([]float64{0, 1}, 500); math.Abs(e-2*math.Ln2) > 1e-12 {
		t.Errorf("far from w = 0, E is %g, want 2·ln 2, the sum of ln 2 for each of the two points on the boundary", e)
	}
}

/*
Equivalent mutants

SeparatingDirection: for range 1000 → for range 1000-1
SeparatingDirection: for range 1000 → for range 1001
SeparatingDirection: for range 1000 → for range 999
    On separable data at most 625 epochs make a correction. The next epoch makes no correction, so 626 epochs suffice.

SeparatingDirection: sign := 2*t[n] - 1 → sign := 2*(2*t[n] - 1)
SeparatingDirection: sign := 2*t[n] - 1 → sign := (2*t[n] - 1)/2
SeparatingDirection: floats.AddScaled(w, sign, Phi.RawRowView(n)) → floats.AddScaled(w, 2*sign, Phi.RawRowView(n))
SeparatingDirection: floats.AddScaled(w, sign, Phi.RawRowView(n)) → floats.AddScaled(w, sign/2, Phi.RawRowView(n))
    All corrections are multiplied by the same positive number. Since w starts at 0, w is multiplied by this number, too. No
    sign changes, and the length of w is free.

SeparatingDirection: sign := 2*t[n] - 1 → sign := 4*t[n] - 1
SeparatingDirection: sign := 2*t[n] - 1 → sign := 2*t[n] - 0.5
    The signs are right. A correction by a point with t = 1 counts three times as much as a correction by a point with t = 0,
    so the perceptron has steps s of 1 and 3. For k corrections γ∑s ≤ |w| ≤ R√∑s². Since (s−1)(s−3) ≤ 0,
    ∑s² ≤ 4∑s − 3k ≤ (4/3)(∑s)²/k, so k ≤ (4/3)·625 = 833. A thousand epochs are enough.
*/
