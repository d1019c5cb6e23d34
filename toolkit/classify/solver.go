package classify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Solver minimises the objective of a generalized linear model. All solvers
// arrive at the same optimum; they differ in the way, which the Trace shows.
// Newton, GradientDescent, Sequential, CoordinateAscent and LBFGS implement it;
// a nil Solver is Newton.
type Solver interface {
	solve(p *problem) *path
	// prepare checks the solver's own options for inputs with d columns and k
	// classes, and returns how many iterations it makes at most if not told
	// otherwise.
	prepare(d, k int) (maxIterations int, err error)
}

// problem is what a solver gets: the objective in inner coordinates.
type problem struct {
	glm      *glm.Likelihood
	coord    *linalg.Coordinates
	cols     *block.Columns
	prior    *gaussian    // in the coordinates of w, or nil
	root     [][]float64  // the prior's rows in inner coordinates
	rank     *linalg.Rank // nil for full rank
	freeRoot [][]float64  // not nil: the prior's rows on the rank's free coordinates, which are orthonormal
	start    []float64    // in inner coordinates
	maxIt    int
	tol      float64
	proper   bool // the minimum exists whatever the data: a prior, or a loss that has one always
	precise  bool // ∇E is taken from preciseGradient
	convex   bool // E is convex: Newton may then take steps longer than 1

	// Targets for which the logistic likelihood has a maximum if and only if this
	// has one, nil for the logistic model itself; and its slope at 0 beside the
	// logistic one's.
	signs     []float64
	steeper   float64
	recession *recession // nil until it is asked for
}

// path is what a solver gives back.
type path struct {
	w         []float64 // the last iterate, in inner coordinates
	quad      *quadratic
	trace     Trace
	converged bool
	reason    string
	direction []float64 // not nil if the data are separable; in inner coordinates
	on        int       // rows on the plane of the direction
}

// newProblem puts a likelihood and a prior into inner coordinates.
func newProblem(src *block.Source, cols *block.Columns, t []float64, l glm.Loss, prior *gaussian) *problem {
	_, d := src.Dims()
	c := linalg.NewCoordinates(cols, prior.floors(d))
	p := &problem{glm: glm.New(c.Design(src), t, l), coord: c, cols: cols, prior: prior, convex: true}
	if prior == nil {
		p.rank = linalg.RankOf(p.glm.Design, c)
		return p
	}
	p.proper = true // two classes hold a bias that the prior leaves free
	for _, row := range prior.root {
		p.root = append(p.root, c.Row(row))
	}
	return p
}

// outer returns the weights of x itself for inner weights: of several that are
// equally good, the shortest.
func (p *problem) outer(in []float64) []float64 { return p.rank.Shortest(p.coord.Outer(in)) }

// evaluate returns the likelihood part and the whole objective at inner weights.
func (p *problem) evaluate(in []float64, lv glm.Level) (*glm.Evaluation, float64) {
	ev := p.glm.Evaluate(in, lv)
	return ev, ev.E + p.prior.value(p.coord.Outer(in))
}

// step makes the trace's entry of an evaluated iterate.
func (p *problem) step(in []float64, ev *glm.Evaluation, e float64) Step {
	w := p.outer(in)
	g := p.coord.Gradient(ev.Grad)
	p.prior.addGradient(g, w)
	return Step{W: w, E: e, GradNorm: floats.Norm(g, 2), Misclassified: ev.Wrong}
}

// quadratic is the second-order model of the objective at an iterate: with
// H = RᵀR the Newton step is −R⁻¹z, z = R⁻ᵀ∇E. If the columns of Φ are
// dependent, R and z live on the rank's free coordinates.
type quadratic struct {
	r *linalg.Upper
	z []float64
	// Under freeRoot, the part of w outside the free coordinates, which only the
	// prior holds, and its length in standard errors.
	shift []float64
	pull  float64
}

// decrement is Newton's λ = √(∇Eᵀ H⁻¹ ∇E): the length of the step counted in
// standard errors of the weights.
func (q *quadratic) decrement() float64 { return math.Hypot(floats.Norm(q.z, 2), q.pull) }

// quadratic takes the model of the objective from an evaluation with second
// moments. It returns nil if H is singular in double precision, or, from a Gram
// matrix, too ill conditioned to be trusted.
func (p *problem) quadratic(in []float64, ev *glm.Evaluation) *quadratic {
	u := p.residual(in)
	g := p.innerGradient(in, ev)
	var q *quadratic
	if ev.Tri != nil {
		q = p.fromTriangle(ev, u)
	} else {
		q = p.fromGram(ev, g)
	}
	if q == nil || !q.r.Regular() {
		return nil
	}
	if ev.Tri != nil && (ev.Steepest > 1e6 || p.precise) {
		// A saturated row on the wrong side: its e′/√e″ would drown the others.
		q.z = q.r.SolveT(g)
	}
	if p.freeRoot != nil {
		q.shift = slices.Clone(in)
		floats.Sub(q.shift, linalg.MulVec(p.rank.Free, linalg.MulVecT(p.rank.Free, in)))
		q.shift = p.rank.Shortest(q.shift) // a free bias may shift
		for _, row := range p.root {
			q.pull = math.Hypot(q.pull, linalg.Dot(row, q.shift))
		}
	}
	if λ := q.decrement(); math.IsNaN(λ) || math.IsInf(λ, 0) {
		return nil
	}
	return q
}

// fromTriangle completes the factor of the likelihood's rows by the prior's.
func (p *problem) fromTriangle(ev *glm.Evaluation, u []float64) *quadratic {
	if p.freeRoot == nil {
		for i, row := range p.root {
			ev.Tri.AddRow(append(slices.Clone(row), u[i]))
		}
	}
	q := factorOf(ev.Tri, p.glm.M)
	if p.rank != nil {
		q.r, q.z = q.r.Project(p.rank.Free, q.z)
	}
	if p.freeRoot == nil {
		return q
	}
	t := block.NewTriangle(p.rank.R + 1)
	for i, z := range q.z {
		t.AddRow(append(slices.Clone(q.r.A[i*q.r.N:(i+1)*q.r.N]), z))
	}
	for i, row := range p.freeRoot {
		t.AddRow(append(slices.Clone(row), u[i]))
	}
	return factorOf(t, p.rank.R)
}

// factorOf takes R and z from a factor with z as its column m.
func factorOf(t *block.Triangle, m int) *quadratic {
	q := &quadratic{r: linalg.Leading(t, m), z: make([]float64, m)}
	for i := range q.z {
		q.z[i] = t.At(i, m)
	}
	return q
}

// fromGram factorises the Gram matrix and the prior's precision.
func (p *problem) fromGram(ev *glm.Evaluation, g []float64) *quadratic {
	n := p.glm.M
	s := ev.Gram.Sym(n)
	if p.freeRoot == nil {
		addSquares(s, p.root)
	}
	if p.rank != nil {
		var f mat.Dense
		f.Product(p.rank.Free.T(), s, p.rank.Free)
		s, n = linalg.Symmetrised(&f), p.rank.R
	}
	addSquares(s, p.freeRoot)
	r, pivot := linalg.Cholesky(s.At, n)
	if r == nil || pivot < linalg.WellConditioned {
		return nil
	}
	return &quadratic{r: r, z: r.SolveT(g)}
}

// residual returns the prior's residuals root·(w − m0), or those of freeRoot.
func (p *problem) residual(in []float64) []float64 {
	if p.prior == nil {
		return nil
	}
	if p.freeRoot != nil {
		v := linalg.MulVecT(p.rank.Free, in)
		u := make([]float64, len(p.freeRoot))
		for i, row := range p.freeRoot {
			u[i] = linalg.Dot(row, v)
		}
		return u
	}
	return p.prior.residual(p.coord.Outer(in))
}

// innerGradient returns ∇E in inner coordinates, on the rank's free ones if the
// columns of Φ are dependent.
func (p *problem) innerGradient(in []float64, ev *glm.Evaluation) []float64 {
	if p.precise {
		g := p.preciseGradient(in)
		if p.rank != nil {
			g = linalg.MulVecT(p.rank.Free, g)
		}
		return g
	}
	g, root := slices.Clone(ev.Grad), p.root
	if p.freeRoot != nil {
		g, root = linalg.MulVecT(p.rank.Free, g), p.freeRoot
	}
	for i, u := range p.residual(in) {
		floats.AddScaled(g, u, root[i])
	}
	if p.rank != nil && p.freeRoot == nil {
		g = linalg.MulVecT(p.rank.Free, g)
	}
	return g
}

// boundFactor returns the factor of the likelihood's bound, for the logistic loss
// ¼ΦᵀΦ, and S0⁻¹, which no Hessian exceeds.
func (p *problem) boundFactor() *linalg.Upper {
	m := p.glm.M
	t := p.glm.Bound()
	for _, row := range p.root {
		t.AddRow(row)
	}
	r := linalg.Leading(t, m)
	if p.rank != nil {
		r, _ = r.Project(p.rank.Free, make([]float64, m))
	}
	return r
}

// direction returns the step −R⁻¹z of a quadratic model.
func (p *problem) direction(q *quadratic) []float64 {
	d := q.r.Solve(q.z)
	if p.rank != nil {
		d = linalg.MulVec(p.rank.Free, d)
	}
	if q.shift != nil {
		floats.Add(d, q.shift)
	}
	floats.Scale(-1, d)
	return d
}

// along returns w + s·d.
func along(w, d []float64, s float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(w)), w, s, d)
}
