package solve

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// logistic returns a logistic regression problem with the same settings as in the fits.
func logistic(x *mat.Dense, t []float64, prior *glm.Gaussian) *Problem {
	src := block.NewSource(x)
	p := NewProblem(src, block.Inspect(src), t, glm.CrossEntropy{}, prior)
	p.Start, p.MaxIt, p.Tol = make([]float64, p.GLM.M), 100, 1e-10
	return p
}

// TestStep compares the Newton step with −H⁻¹∇E, where H and ∇E are computed from finite
// differences of E. TestStep tests the Gram matrix and the orthogonal factor, each with and without
// the precise 31-digit gradient.
func TestStep(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{21, -90, 20, 10, 18, 40, 22, 70, 19, 200, 20, -30})
	for _, prior := range []*glm.Gaussian{nil, {Mean: []float64{1, 0, 0}, Root: [][]float64{{1, 0, 0}, {0, 2, 0.5}}}} {
		p := logistic(x, []float64{0, 1, 0, 1, 0.3, 0}, prior)
		e := func(w []float64) float64 {
			_, e := p.Evaluate(w, glm.OnlyValue)
			return e
		}
		for _, w := range [][]float64{{0, 0, 0}, {-1, 0.3, 0.4}, {1, -0.1, -3}} {
			g := fd.Gradient(nil, e, w, &fd.Settings{Formula: fd.Central})
			var h mat.SymDense
			fd.Hessian(&h, e, w, &fd.Settings{Formula: fd.Central, Step: 1e-4})
			var want mat.VecDense
			if err := want.SolveVec(&h, mat.NewVecDense(3, g)); err != nil {
				t.Fatal(err)
			}
			want.ScaleVec(-1, &want)
			for _, lv := range []glm.Level{glm.WithGram, glm.WithTriangle} {
				for _, p.precise = range []bool{false, true} {
					ev, _ := p.Evaluate(w, lv)
					q := p.quadratic(w, ev)
					d := p.newtonStep(q)
					if λ := math.Sqrt(-floats.Dot(g, d)); !floats.EqualApprox(d, want.RawVector().Data, 1e-5) || math.Abs(q.decrement()-λ) > 1e-5 {
						t.Errorf("level %v, precise = %v, with a prior: %v, w = %v: the step is %v and λ is %v, want the step %v and λ = %v",
							lv, p.precise, prior != nil, w, d,
							q.decrement(), want.RawVector().Data, λ)
					}
				}
			}
		}
	}
}

// TestEndings checks the reason why Newton's method stops. If the path has a separating direction,
// the test checks on which side each row lies.
func TestEndings(t *testing.T) {
	steps := []float64{0, 0, 1, 1}
	for _, c := range []struct {
		name  string
		x, t  []float64
		start []float64
		most  int // largest number of iterations
		want  string
		on    int // number of rows on the separating plane, or −1 if the path must have no separating direction
		left  *existence.Budget
	}{
		{"overlapping", []float64{1, 3, 2, 4}, steps, []float64{0, 0}, 100, "converged after", -1, nil},
		{"soft targets", []float64{1, 2, 3, 4}, []float64{0.1, 0.3, 0.8, 0.9}, []float64{0, 0}, 100, "converged after",
			-1, nil},
		{"far start", []float64{1, 3, 2, 4}, steps, []float64{300, -5000}, 100, "converged after", -1, nil},
		{"one iteration", []float64{1, 3, 2, 40}, steps, []float64{0, 0}, 1,
			"not converged: stopped after MaxIterations = 1", -1, nil},
		{"separable", []float64{1, 2, 3, 4}, steps, []float64{0, 0}, 100, "the classes are linearly separable", 0, nil},
		{"one class", []float64{1, 2, 3, 4}, []float64{1, 1, 1, 1}, []float64{0, 0}, 100,
			"the classes are linearly separable", 0, nil},
		{"quasi-separable", []float64{1, 2, 2, 4}, steps, []float64{0, 0}, 100, "the classes are quasi-separable", 2,
			nil},
		{"a soft row between", []float64{1, 2, 3}, []float64{0, 0.3, 1}, []float64{0, 0}, 100,
			"the classes are quasi-separable", 1, nil},
		{"unfinished proof", []float64{1, 2, 2, 4}, steps, []float64{0, 0}, 3,
			"not converged: stopped after MaxIterations = 3, the Newton step is still 0.24 standard errors long; the proof that the maximum exists is unfinished after 1 pivots: use a Prior", -1, &existence.Budget{Products: 1}},
		{"unfinished proof, quasi-separable", []float64{1, 2, 2, 4}, steps, []float64{0, 0}, 100,
			"the classes are quasi-separable: up to rounding, a hyperplane has no row on the wrong side and 2 rows on it (the exact proof is unfinished after 1 pivots), so the likelihood", 2, &existence.Budget{Products: 1}},
	} {
		p := logistic(mat.NewDense(len(c.x), 1, c.x), c.t, nil)
		p.Start, p.MaxIt, p.budget = c.start, c.most, c.left
		path := Newton{}.Solve(p)
		if !strings.HasPrefix(path.Reason, c.want) || path.Converged != (c.want == "converged after") ||
			(path.Direction == nil) != (c.on < 0) {
			t.Errorf("%s: Converged is %v, a Direction was found: %v, and the Reason is %q; want Converged = %v, a Direction: %v, and a Reason that begins with %q",
				c.name, path.Converged, path.Direction != nil, path.Reason, c.want == "converged after", c.on >= 0, c.want)
			continue
		}
		if c.on < 0 {
			continue
		}
		d, on := p.Coord.Outer(path.Direction), 0
		for i, v := range c.t {
			m := (2*v - 1) * (d[0] + d[1]*c.x[i])
			if v > 0 && v < 1 {
				m = -math.Abs(m)
			}
			switch {
			case math.Abs(m) < 1e-9:
				on++
			case m < 0:
				t.Errorf("%s: row %d is on the wrong side of the plane, or has a soft target and is not on the plane: the absolute value of its activation is %v", c.name, i, -m)
			}
		}
		if on != c.on || path.rowsOnPlane != c.on {
			t.Errorf("%s: %d rows lie on the plane, and the solution path reports %d, want %d for both",
				c.name, on, path.rowsOnPlane, c.on)
		}
	}
}

// manyClasses returns a softmax problem with k overlapping classes.
func manyClasses(n, d, k int) *Problem {
	rng := rand.New(rand.NewPCG(4, 110))
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = rng.IntN(k)
		for j := range d {
			x.Set(i, j, rng.NormFloat64()+0.8*Truth01(j%k == labels[i]))
		}
	}
	src := block.NewSource(x)
	p := NewSoftmaxProblem(src, block.Inspect(src), &glm.ClassTargets{K: k, Labels: labels}, nil)
	p.Start, p.MayChangeStart, p.MaxIt, p.Tol = make([]float64, p.GLM.M), true, 100, 1e-10
	return p
}

// checkBounds returns the result of boundsSuffice at the optimum of p. If this result is true,
// checkBounds also checks that boundsSuffice is right: the Newton step computed from float64 sums
// and the Newton step computed from 31-digit sums must differ by at most half of requiredAccuracy.
func checkBounds(t *testing.T, p *Problem) (sure bool) {
	t.Helper()
	path := Newton{}.Solve(p)
	p.precise = false
	n := newNewton(p, path.W)
	n.accept(path.W)
	n.computeModel()
	if n.q == nil || !n.boundsSuffice() {
		return false
	}
	precise := *p
	precise.precise = true
	q := *n.q
	q.z = q.R.SolveT(precise.innerGradient(path.W, n.ev))
	d := n.newtonStep(&q)
	floats.Sub(d, n.newtonStep(n.q))
	floats.Sub(q.z, n.q.z)
	half := 0.5 * n.requiredAccuracy()
	if far := linalg.Norm(q.z); !(far <= half) || !p.isShort(path.W, d, half) {
		t.Errorf("the rounding errors of float64 sums cause a step of %v standard errors, and isShort is %v for this step; want at most %v, half of requiredAccuracy, and true",
			far, p.isShort(path.W, d, half), half)
	}
	return true
}

// TestBoundsSuffice checks that boundsSuffice returns true for problems with many rows. Of the 30
// problems with few rows, it must return true for at least 12. It may return false for the others,
// because many of them have columns far from 0 or a strong prior.
func TestBoundsSuffice(t *testing.T) {
	for _, c := range []struct{ d, k int }{{8, 4}, {30, 7}} {
		if p := manyClasses(60_000, c.d, c.k); !checkBounds(t, p) {
			t.Errorf("boundsSuffice returns false for %d classes, want true", c.k)
		}
	}
	promised := 0
	for _, n := range []int{150, 1000} {
		for _, offset := range []float64{0, 1e3, 1e7} {
			for _, α := range []float64{0, 1, 1e6, 1e12, 1e18} {
				x, target := overlappingClasses(n, 4, offset)
				if checkBounds(t, logistic(x, target, biasPrior(5, α))) {
					promised++
				}
			}
		}
	}
	if promised < 12 {
		t.Errorf("boundsSuffice returns true for only %d of 30 problems, want at least 12", promised)
	}
}

// TestNormBounds compares the upper bounds on a matrix norm with the norm itself, the largest singular
// value.
func TestNormBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 16))
	for _, scale := range []float64{1e-200, 1, 1e200} {
		a := mat.NewDense(30, 20, nil)
		a.Apply(func(_, j int, _ float64) float64 { return scale * rng.NormFloat64() / float64(1+j) }, a)
		var svd mat.SVD
		svd.Factorize(a, mat.SVDNone)
		norm := svd.Values(nil)[0]
		if got := closeNormBound(a); !(got >= norm*(1-1e-14) && got <= 1.21*norm && got <= normBound(a)) {
			t.Errorf("‖A‖ is %v, closeNormBound returns %v, normBound returns %v: want ascending numbers, and closeNormBound at most 1.21‖A‖", norm, got, normBound(a))
		}
	}
	if got := closeNormBound(mat.NewDense(2, 2, nil)); got != 0 {
		t.Errorf("closeNormBound of a zero matrix is %v, want 0", got)
	}
}

// TestRehearse checks steps with the H of a sample (chords). They must lead to the same optimum and
// the same H as Newton's method started at 0.
func TestRehearse(t *testing.T) {
	for _, k := range []int{2, 4} {
		p := manyClasses(60_000, 8, k)
		r := p.estimateFromSamples()
		if r == nil || r.rate > maxChordShare {
			t.Fatalf("%d classes: the estimate from a sample allows no chords: %+v; want chords", k, r)
		}
		warm := Newton{}.Solve(p)
		p.MayChangeStart = false
		cold := Newton{}.Solve(p)
		if !warm.Converged || !cold.Converged || warm.Trace[0].E >= cold.Trace[0].E {
			t.Fatalf("%d classes: the fit from a sample starts at E = %v and reports %s; the fit from 0 starts at E = %v and reports %s; want convergence of both fits, and a smaller E at the start of the fit from a sample",
				k, warm.Trace[0].E, warm.Reason, cold.Trace[0].E, cold.Reason)
		}
		d := make([]float64, len(warm.W))
		floats.SubTo(d, warm.W, cold.W)
		d = p.Rank.Embed(p.Rank.Restrict(d)) // remove the common shift of all classes, which has no effect
		if far := linalg.Norm(d) / linalg.Norm(cold.W); !(far <= 1e-11) {
			t.Errorf("%d classes: the weights of the fit from a sample and of the fit from 0 have the relative difference %v, want at most 1e-11", k, far)
		}
		for i, v := range cold.Quad.R.A {
			if u := warm.Quad.R.A[i]; math.Abs(u-v) > 1e-9*math.Abs(cold.Quad.R.A[0]) {
				t.Fatalf("%d classes: entry %d of the factor is %v, want %v as for a start at 0", k, i, u, v)
			}
		}
	}
}

// overlappingClasses returns n rows with d columns, and the targets of these rows. All entries of
// the rows are near the argument `offset`. No hyperplane separates the two classes.
func overlappingClasses(n, d int, offset float64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	x, t := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		t[i] = float64(i % 2)
		for j := range d {
			x.Set(i, j, offset+rng.NormFloat64()+t[i]/2)
		}
	}
	return x, t
}

// TestGramOfFewRows checks the form of the Hessian for few rows. A well-conditioned Hessian must be
// computed as a Gram matrix. A nearly singular Hessian must be computed as an orthogonal factor.
// Both forms must lead to the same optimum.
func TestGramOfFewRows(t *testing.T) {
	near := func(distance float64) func() *Problem {
		return func() *Problem {
			x, target := overlappingClasses(150, 4, 3)
			for i := range 150 {
				x.Set(i, 3, x.At(i, 0)+distance*x.At(i, 3))
			}
			return logistic(x, target, nil)
		}
	}
	for _, c := range []struct {
		name    string
		problem func() *Problem
		gram    bool
	}{{"well conditioned", near(1), true}, {"nearly dependent columns", near(1e-4), false},
		{"softmax", func() *Problem { return manyClasses(200, 3, 3) }, true}} {
		path := Newton{}.Solve(c.problem())
		p := c.problem()
		p.Factor = true
		factor := Newton{}.Solve(p)
		if !path.Converged || (path.last.Gram != nil) != c.gram || factor.last.Tri == nil {
			t.Errorf("%s: the Hessian is a Gram matrix: %v; with Factor, the Hessian is an orthogonal factor: %v; the Reason is %s; want %v, true and convergence",
				c.name, path.last.Gram != nil, factor.last.Tri != nil, path.Reason, c.gram)
		}
		if !floats.EqualApprox(path.W, factor.W, 1e-12*(1+floats.Norm(path.W, math.Inf(1)))) {
			t.Errorf("%s: the weights are %v, want %v as with the orthogonal factor", c.name, path.W, factor.W)
		}
	}
}

// TestAt compares the results of At with E and the Hessian, summed over the rows for the rounded w.
// In the last case, the columns are so far from 0 that the rounding of w0 changes the activations.
// The results of At must then have the same bits as the sums.
func TestAt(t *testing.T) {
	for _, c := range []struct{ offset, off float64 }{{0, 1e-13}, {30, 1e-13}, {1e13, 0}} {
		x, target := overlappingClasses(150, 4, c.offset)
		p := logistic(x, target, nil)
		path := Newton{}.Solve(p)
		ev := p.Likelihood().Evaluate(p.Outer(path.W), glm.WithGram)
		e, h := p.At(path)
		if !(math.Abs(e-ev.E) <= c.off*ev.E) {
			t.Errorf("offset %v: E is %v, want %v, the sum over the rows at w, with a relative error of at most %v",
				c.offset, e, ev.E, c.off)
		}
		want := ev.Gram.Sym(5)
		var d mat.Dense
		d.Sub(h, want)
		if off := mat.Norm(&d, 2); !(off <= c.off*mat.Norm(want, 2)) {
			t.Errorf("offset %v: the norm of the Hessian's error is %v, want at most %v", c.offset, off, c.off*mat.Norm(want, 2))
		}
	}
}

// TestExistenceByDecay checks the proof that the optimum of a Poisson model exists. The proof uses
// an upper bound on e″/|e′| at the optimum and needs no logistic fit. If all rows with t > 0 lie on
// a plane and all rows with t = 0 lie on one side of it, no optimum exists. The proof must then
// fail.
func TestExistenceByDecay(t *testing.T) {
	loss, err := glm.NewCanonical("Poisson", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, gap := range []float64{0, 20} {
		x, target := overlappingClasses(150, 3, 0)
		for i, v := range target {
			if v > 0 {
				x.SetRow(i, []float64{gap, 0, 0})
			}
		}
		p := logistic(x, target, nil)
		p.GLM.Loss = loss
		p.NonLogistic = &NonLogistic{Steeper: 1, Decay: func(float64) float64 { return 1 },
			Signs: make([]float64, len(target))}
		for i, v := range target {
			p.NonLogistic.Signs[i] = v / 2
		}
		path := Newton{}.Solve(p)
		if exists := gap == 0; path.Converged != exists || (p.recession == nil) != exists {
			t.Errorf("with the gap %v, Converged is %v, the recession is %v and the Reason is %s; want Converged = %v and a recession: %v",
				gap, path.Converged, p.recession, path.Reason, exists, !exists)
		}
	}
}

// biasPrior returns a prior with mean 1/3. The precision is α for the bias and 1 for the other
// weights. For α = 0 it returns nil.
func biasPrior(m int, α float64) *glm.Gaussian {
	if α == 0 {
		return nil
	}
	g := &glm.Gaussian{Mean: make([]float64, m)}
	for i := range m {
		g.Mean[i] = 1. / 3
		row := make([]float64, m)
		row[i] = 1
		g.Root = append(g.Root, row)
	}
	g.Root[0][0] = math.Sqrt(α)
	return g
}

// TestRoundingDifference starts at a point near the optimum and computes the Newton step at the
// optimum from the quadratic model at that point. This step must be much shorter than the Newton step
// at the point itself. The reason is that the gradient of E is 0 at the optimum, and the gradient of
// the model differs from it only by terms of second order.
func TestRoundingDifference(t *testing.T) {
	x, target := overlappingClasses(150, 4, 0)
	softmax := manyClasses(150, 3, 3)
	const m = 4
	each := &glm.Gaussian{Mean: make([]float64, m), Free: true}
	for j := 1; j < m; j++ {
		row := make([]float64, m)
		row[j] = 2
		each.Root = append(each.Root, row)
	}
	shared := manyClasses(150, 3, 3)
	shared = NewSoftmaxProblem(shared.Src, shared.Cols, shared.GLM.Many.T, each.Repeat(m, 3))
	shared.Start, shared.MaxIt, shared.Tol = make([]float64, shared.GLM.M), 100, 1e-10
	for name, p := range map[string]*Problem{"logistic": logistic(x, target, nil), "softmax": softmax,
		"softmax with free biases": shared} {
		path := Newton{}.Solve(p)
		from := make([]float64, len(path.W))
		for i, v := range path.W {
			from[i] = v + 1e-5*float64(i%m+i/m)
		}
		ev, _ := p.Evaluate(from, glm.WithTriangle)
		q := p.quadratic(from, ev)
		_, λ := p.roundingDifference(from, p.Outer(path.W), q)
		if before := q.decrement(); !(λ < 1e-3*before) {
			t.Errorf("%s: the Newton step at the optimum is %v standard errors long, want less than 1/1000 of the Newton step at the point near the optimum, which is %v standard errors long",
				name, λ, before)
		}
	}
}

// TestPriorRounding checks that priorRounding rejects a prior that correlates the bias with another
// weight, because the rows of such a prior lose digits in inner coordinates. For the other priors,
// the test compares the squared length of the residuals with the result of Residual, and checks
// that the bound on the rounding error is positive and small.
func TestPriorRounding(t *testing.T) {
	x, target := overlappingClasses(150, 1, 0)
	for _, c := range []struct {
		root [][]float64
		ok   bool
	}{{[][]float64{{1, 0}, {0, 2}}, true}, {[][]float64{{0, 2}}, true}, {[][]float64{{1, 0.5}, {0, 2}}, false}} {
		p := logistic(x, target, &glm.Gaussian{Mean: []float64{3, 4}, Root: c.root})
		w := p.Coord.Inner([]float64{5, 7})
		square, rounding, ok := p.priorRounding(w)
		u := p.Residual(w)
		if ok != c.ok || ok && (math.Abs(square-floats.Dot(u, u)) > 1e-12 || !(rounding > 0 && rounding < 1e-13)) {
			t.Errorf("root %v: got ok %v, the square %v and the rounding bound %v; want ok %v, the square %v and a bound in (0, 1e-13)",
				c.root, ok, square, rounding, c.ok, floats.Dot(u, u))
		}
	}
}
