package solve

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
	Solve(p *Problem) *Path
	// Prepare checks the solver's own options for inputs with d columns and k
	// classes, and returns how many iterations it makes at most if not told
	// otherwise.
	Prepare(d, k int) (maxIterations int, err error)
}

// Problem is what a solver gets: the objective in inner coordinates.
type Problem struct {
	Src      *block.Source
	GLM      *glm.Likelihood
	Coord    *linalg.Coordinates
	Cols     *block.Columns
	Prior    *glm.Gaussian // in the coordinates of w, or nil
	Root     [][]float64   // the prior's rows in inner coordinates
	Rank     *linalg.Rank  // nil for full rank
	FreeRoot [][]float64   // not nil: the prior's rows on the rank's free coordinates, which are orthonormal
	Start    []float64     // in inner coordinates
	MaxIt    int
	Tol      float64
	Proper   bool // the minimum exists whatever the data: a prior, or a loss that has one always
	precise  bool // ∇E is taken from preciseGradient
	Convex   bool // E is convex: Newton may then take steps longer than 1

	// Targets for which the logistic likelihood has a maximum if and only if this
	// has one, nil for the logistic model itself; and its slope at 0 beside the
	// logistic one's.
	Signs     []float64
	Steeper   float64
	recession *Recession // nil until it is asked for
}

// Path is what a solver gives back.
type Path struct {
	W         []float64 // the last iterate, in inner coordinates
	Quad      *Quadratic
	Trace     Trace
	Converged bool
	Reason    string
	Direction []float64 // not nil if the data are separable; in inner coordinates
	on        int       // rows on the plane of the direction
}

// NewProblem puts a likelihood and a prior into inner coordinates.
func NewProblem(src *block.Source, cols *block.Columns, t []float64, l glm.Loss, prior *glm.Gaussian) *Problem {
	_, d := src.Dims()
	c := linalg.NewCoordinates(cols, prior.Floors(d))
	p := &Problem{Src: src, GLM: glm.New(c.Design(src), t, l), Coord: c, Cols: cols, Prior: prior, Convex: true}
	if prior == nil {
		p.Rank = linalg.RankOf(p.GLM.Design, c)
		return p
	}
	p.Proper = true // two classes hold a bias that the prior leaves free
	for _, row := range prior.Root {
		p.Root = append(p.Root, c.Row(row))
	}
	return p
}

// Outer returns the weights of x itself for inner weights: of several that are
// equally good, the shortest.
func (p *Problem) Outer(in []float64) []float64 { return p.Rank.Shortest(p.Coord.Outer(in)) }

// Evaluate returns the likelihood part and the whole objective at inner weights.
func (p *Problem) Evaluate(in []float64, lv glm.Level) (*glm.Evaluation, float64) {
	ev := p.GLM.Evaluate(in, lv)
	return ev, ev.E + p.Prior.Value(p.Coord.Outer(in))
}

// misclassified is the number of a Step: with weights that are not whole, rounded up,
// so that 0 means none.
func misclassified(ev *glm.Evaluation) int { return int(math.Ceil(ev.Wrong)) }

// step makes the trace's entry of an evaluated iterate.
func (p *Problem) step(in []float64, ev *glm.Evaluation, e float64) Step {
	w := p.Outer(in)
	g := p.Coord.Gradient(ev.Grad)
	p.Prior.AddGradient(g, w)
	return Step{W: w, E: e, GradNorm: floats.Norm(g, 2), Misclassified: misclassified(ev)}
}

// Quadratic is the second-order model of the objective at an iterate: with
// H = RᵀR the Newton step is −R⁻¹z, z = R⁻ᵀ∇E. If the columns of Φ are
// dependent, R and z live on the rank's free coordinates.
type Quadratic struct {
	R *linalg.Upper
	z []float64
	// Under freeRoot, the part of w outside the free coordinates, which only the
	// prior holds, and its length in standard errors.
	shift []float64
	pull  float64
}

// decrement is Newton's λ = √(∇Eᵀ H⁻¹ ∇E): the length of the step counted in
// standard errors of the weights.
func (q *Quadratic) decrement() float64 { return math.Hypot(floats.Norm(q.z, 2), q.pull) }

// quadratic takes the model of the objective from an evaluation with second
// moments. It returns nil if H is singular in double precision, or, from a Gram
// matrix, too ill conditioned to be trusted.
func (p *Problem) quadratic(in []float64, ev *glm.Evaluation) *Quadratic {
	u := p.Residual(in)
	g := p.innerGradient(in, ev)
	var q *Quadratic
	if ev.Tri != nil {
		q = p.fromTriangle(ev, u)
	} else {
		q = p.fromGram(ev, g)
	}
	if q == nil || !q.R.Regular() {
		return nil
	}
	if ev.Tri != nil && (ev.Steepest > 1e6 || p.precise) {
		// A saturated row on the wrong side: its e′/√e″ would drown the others.
		q.z = q.R.SolveT(g)
	}
	if p.FreeRoot != nil {
		q.shift = slices.Clone(in)
		floats.Sub(q.shift, linalg.MulVec(p.Rank.Free, linalg.MulVecT(p.Rank.Free, in)))
		q.shift = p.Rank.Shortest(q.shift) // a free bias may shift
		for _, row := range p.Root {
			q.pull = math.Hypot(q.pull, linalg.Dot(row, q.shift))
		}
	}
	if λ := q.decrement(); math.IsNaN(λ) || math.IsInf(λ, 0) {
		return nil
	}
	return q
}

// fromTriangle completes the factor of the likelihood's rows by the prior's.
func (p *Problem) fromTriangle(ev *glm.Evaluation, u []float64) *Quadratic {
	if p.FreeRoot == nil {
		for i, row := range p.Root {
			ev.Tri.AddRow(append(slices.Clone(row), u[i]))
		}
	}
	q := factorOf(ev.Tri, p.GLM.M)
	if p.Rank != nil {
		q.R, q.z = q.R.Project(p.Rank.Free, q.z)
	}
	if p.FreeRoot == nil {
		return q
	}
	t := block.NewTriangle(p.Rank.R + 1)
	for i, z := range q.z {
		t.AddRow(append(slices.Clone(q.R.A[i*q.R.N:(i+1)*q.R.N]), z))
	}
	for i, row := range p.FreeRoot {
		t.AddRow(append(slices.Clone(row), u[i]))
	}
	return factorOf(t, p.Rank.R)
}

// factorOf takes R and z from a factor with z as its column m.
func factorOf(t *block.Triangle, m int) *Quadratic {
	q := &Quadratic{R: linalg.Leading(t, m), z: make([]float64, m)}
	for i := range q.z {
		q.z[i] = t.At(i, m)
	}
	return q
}

// fromGram factorises the Gram matrix and the prior's precision.
func (p *Problem) fromGram(ev *glm.Evaluation, g []float64) *Quadratic {
	n := p.GLM.M
	s := ev.Gram.Sym(n)
	if p.FreeRoot == nil {
		glm.AddSquares(s, p.Root)
	}
	if p.Rank != nil {
		var f mat.Dense
		f.Product(p.Rank.Free.T(), s, p.Rank.Free)
		s, n = linalg.Symmetrised(&f), p.Rank.R
	}
	glm.AddSquares(s, p.FreeRoot)
	r, pivot := linalg.Cholesky(s.At, n)
	if r == nil || pivot < linalg.WellConditioned {
		return nil
	}
	return &Quadratic{R: r, z: r.SolveT(g)}
}

// Residual returns the prior's residuals root·(w − m0), or those of freeRoot.
func (p *Problem) Residual(in []float64) []float64 {
	if p.Prior == nil {
		return nil
	}
	if p.FreeRoot != nil {
		v := linalg.MulVecT(p.Rank.Free, in)
		u := make([]float64, len(p.FreeRoot))
		for i, row := range p.FreeRoot {
			u[i] = linalg.Dot(row, v)
		}
		return u
	}
	return p.Prior.Residual(p.Coord.Outer(in))
}

// innerGradient returns ∇E in inner coordinates, on the rank's free ones if the
// columns of Φ are dependent.
func (p *Problem) innerGradient(in []float64, ev *glm.Evaluation) []float64 {
	if p.precise {
		g := p.preciseGradient(in)
		if p.Rank != nil {
			g = linalg.MulVecT(p.Rank.Free, g)
		}
		return g
	}
	g, root := slices.Clone(ev.Grad), p.Root
	if p.FreeRoot != nil {
		g, root = linalg.MulVecT(p.Rank.Free, g), p.FreeRoot
	}
	for i, u := range p.Residual(in) {
		floats.AddScaled(g, u, root[i])
	}
	if p.Rank != nil && p.FreeRoot == nil {
		g = linalg.MulVecT(p.Rank.Free, g)
	}
	return g
}

// boundFactor returns the factor of the likelihood's bound, for the logistic loss
// ¼ΦᵀΦ, and S0⁻¹, which no Hessian exceeds.
func (p *Problem) boundFactor() *linalg.Upper {
	m := p.GLM.M
	t := p.GLM.Bound()
	for _, row := range p.Root {
		t.AddRow(row)
	}
	r := linalg.Leading(t, m)
	if p.Rank != nil {
		r, _ = r.Project(p.Rank.Free, make([]float64, m))
	}
	return r
}

// direction returns the step −R⁻¹z of a quadratic model.
func (p *Problem) direction(q *Quadratic) []float64 {
	d := q.R.Solve(q.z)
	if p.Rank != nil {
		d = linalg.MulVec(p.Rank.Free, d)
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

// Covariance returns the inverse Hessian in the coordinates of w: B·R⁻¹(B·R⁻¹)ᵀ.
func (p *Problem) Covariance(q *Quadratic) *mat.SymDense {
	f := p.Coord.Columns(q.R.Inverse())
	c := mat.NewSymDense(p.GLM.M, nil)
	for i := range p.GLM.M {
		for j := i; j < p.GLM.M; j++ {
			c.SetSym(i, j, linalg.Dot(f.RawRowView(i), f.RawRowView(j)))
		}
	}
	return c
}

// Likelihood is that of the weights of x itself.
func (p *Problem) Likelihood() *glm.Likelihood {
	return glm.New(block.NewDesign(p.Src, nil, nil), p.GLM.T, p.GLM.Loss)
}
