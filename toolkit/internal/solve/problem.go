package solve

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Solver minimises the objective of a generalized linear model. Newton, GradientDescent,
// Sequential, CoordinateAscent and LBFGS implement Solver. They find the same optimum but take
// different paths (see Trace).
type Solver interface {
	// Solve minimises the objective of p. It returns nil only if p.FromSample is true (see there).
	Solve(p *Problem) *Path
	// Prepare checks the options of this solver for data with d columns and k classes. It returns
	// the default of the largest number of iterations.
	Prepare(d, k int) (maxIterations int, err error)
}

// Problem is the input of a solver: the objective as a function of inner coordinates.
type Problem struct {
	Src   *block.Source
	GLM   *glm.Likelihood
	Coord *linalg.Coordinates
	Cols  *block.Columns

	// Prior is the prior in the coordinates of w, or nil.
	Prior *glm.Gaussian
	// Root contains the rows of the root of the prior's precision, in inner coordinates.
	Root [][]float64
	// Rank contains the directions in which w may change. It is nil if w may change in every direction.
	Rank *linalg.Rank
	// FreeRoot, if not nil, contains the rows of the prior's root in the free coordinates of Rank. These
	// coordinates are then orthonormal.
	FreeRoot [][]float64

	// Start is the starting point, in inner coordinates.
	Start []float64
	// MayChangeStart says whether Newton may choose a different start.
	MayChangeStart bool
	// FromSample is true if Coord and Cols were computed from only a few rows. Newton returns nil if they
	// do not suit all rows, or if it cannot start at the optimum for a sample of the rows.
	FromSample bool
	MaxIt      int
	Tol        float64

	// Proper is true if no test for a minimum is needed: a minimum exists, or the test is not valid for
	// the loss.
	Proper bool
	// Convex says whether E is convex. If it is, Newton's method can take steps that are longer than the
	// full Newton step (see followTail).
	Convex bool
	// Jeffreys says whether the objective includes Jeffreys' penalty −½ ln|H|. UseJeffreys sets it.
	Jeffreys bool
	// Exact says, for Jeffreys' prior, whether to compute the Hessian of the penalty even if this is slow.
	Exact bool
	// Factor says whether to use the orthogonal factor for all data that are not large (see Moments).
	// Draws need this, because they depend on every bit of R.
	Factor bool
	// NonLogistic is nil for a logistic likelihood and for a softmax. It is not used if Proper is true.
	NonLogistic *NonLogistic

	precise   bool              // whether preciseGradient computes ∇E
	fixed     bool              // whether one weight is fixed; see Fixed
	recession *Recession        // result of Recede or of logisticRecession; nil until one of them is called
	budget    *existence.Budget // budget of Recede; nil means NewBudget()
	scratch   *scratch
}

// NonLogistic describes a likelihood that is not logistic. This likelihood has a maximum if and only if
// the logistic likelihood with the targets Signs has a maximum.
type NonLogistic struct {
	Signs   []float64 // targets for the test whether a maximum exists; nil means the likelihood's own targets
	Steeper float64   // slope of the mean at activation 0, divided by the slope of the logistic sigmoid
	// Decay(a) is an upper bound on e″/|e′| = |d ln|e′|/da| for rows with two properties: the target
	// in Signs is 0 or 1, and the absolute value of the activation is at most a. Decay is nil if no
	// upper bound is known.
	Decay func(a float64) float64
}

// Path is the result of a solver: the weights, the trace and the reason why the solver stopped.
type Path struct {
	W           []float64 // weights of the last iterate, in inner coordinates
	Quad        *Quadratic
	last        *glm.Evaluation // evaluation at W, or nil if Newton's method did not compute it
	Trace       Trace
	Converged   bool
	Reason      string
	Direction   []float64 // separating direction in inner coordinates; nil if the solver found no such direction
	rowsOnPlane int       // number of rows on the plane perpendicular to Direction
}

// Trace is the sequence of iterates of a fit, beginning with the starting point.
type Trace []Step

// Step is one iterate in a Trace.
type Step struct {
	W        []float64 // weights of the iterate, bias first
	E        float64   // value of the objective: −ln p(t|w) plus the penalty of the prior
	GradNorm float64   // ‖∇E(w)‖
	// number of misclassified rows: t > ½ and a ≤ 0, or t ≤ ½ and a > 0 (for a softmax see
	// vec.SoftmaxSums); if the rows have weights, the sum of the weights of these rows, rounded up
	Misclassified int
	Iteration     int // number of iterations before this iterate; a trace may omit iterations
	// −ln p of the held-out rows of the solver's Stopping; 0 without held-out rows, and for an iterate in
	// the middle of an iteration
	HeldOut float64
}

// NewProblem converts a likelihood and a prior to inner coordinates.
func NewProblem(src *block.Source, cols *block.Columns, t []float64, l glm.Loss, prior *glm.Gaussian) *Problem {
	_, d := src.Dims()
	c := linalg.NewCoordinates(cols, prior.Floors(d))
	p := &Problem{Src: src, GLM: glm.New(c.Design(src), t, l), Coord: c, Cols: cols, Prior: prior, Convex: true}
	if prior == nil {
		p.Rank = linalg.RankOf(p.GLM.Design, c)
		return p
	}
	p.Proper = true // the bias stays finite even without a penalty, because both classes have rows
	for _, row := range prior.Root {
		p.Root = append(p.Root, c.Row(row))
	}
	return p
}

// Evaluate evaluates the likelihood at the given inner weights. It returns this evaluation and the
// value of the whole objective.
func (p *Problem) Evaluate(in []float64, lv glm.Level) (*glm.Evaluation, float64) {
	if p.Jeffreys {
		return p.evaluatePenalised(in, lv)
	}
	ev := p.GLM.Evaluate(in, lv)
	if p.Prior == nil {
		return ev, ev.E
	}
	return ev, ev.E + p.Prior.Value(p.Coord.Outer(in))
}

// misclassified returns the number of misclassified rows for a Step. If the rows have weights, it
// returns the sum of the weights of these rows. It rounds this sum up, so that 0 means that no row is
// misclassified.
func misclassified(ev *glm.Evaluation) int { return int(math.Ceil(ev.Wrong)) }

// step returns the trace entry of an iterate that has been evaluated.
func (p *Problem) step(in []float64, ev *glm.Evaluation, e float64) Step {
	w := p.Outer(in)
	return Step{W: w, E: e, GradNorm: floats.Norm(p.gradient(w, ev), 2), Misclassified: misclassified(ev)}
}

// gradient returns ∇E with respect to the weights w in the units of x.
func (p *Problem) gradient(w []float64, ev *glm.Evaluation) []float64 {
	g := p.Coord.Gradient(ev.Grad)
	p.Prior.AddGradient(g, w)
	return g
}

// Residual returns the residuals root·(w − m0) of the prior. If FreeRoot is not nil, it instead
// returns the product of FreeRoot and the free coordinates of w.
func (p *Problem) Residual(in []float64) []float64 {
	if p.Prior == nil {
		return nil
	}
	if p.FreeRoot != nil {
		v := p.Rank.Restrict(in)
		u := make([]float64, len(p.FreeRoot))
		for i, row := range p.FreeRoot {
			u[i] = linalg.Dot(row, v)
		}
		return u
	}
	return p.Prior.Residual(p.Coord.Outer(in))
}

// Moments returns the form in which the second moments are first computed: a Gram matrix or a
// triangular factor. A Gram matrix is faster, and is accurate if it is well conditioned (see
// fromGram).
func (p *Problem) Moments() glm.Level {
	if p.GLM.N < p.GLM.M || p.Factor && !linalg.Large(p.GLM.N, p.GLM.M) {
		return glm.WithTriangle
	}
	return glm.WithGram
}

// requiredAccuracy returns the largest relative error that the weights and activations of a
// converged fit may have.
func (p *Problem) requiredAccuracy() float64 { return math.Max(1e-8, p.Tol) }

// Outer converts inner weights to weights in the units of x. If Rank has a null space, Outer returns
// the shortest of all vectors that differ from these weights by a vector of the null space.
func (p *Problem) Outer(in []float64) []float64 { return p.Rank.Shortest(p.Coord.Outer(in)) }

// FinalWeights returns the weights in the units of x at the end of a path. The rounding of these
// weights may cost so many digits that the fit cannot count as converged. In this case FinalWeights
// sets Converged to false and writes the cause to Reason.
func (p *Problem) FinalWeights(path *Path) []float64 {
	w := p.Outer(path.W)
	if path.Converged && path.Quad != nil {
		if why := p.WeightRoundingReason(path.W, w, path.Quad); why != "" {
			path.Converged, path.Reason = false, why
		}
	}
	return w
}

// farFrom is a limit for the distance between a column's centre and 0, in units of about the column's
// spread. If a column reaches this limit, At computes E and the Hessian again. If columns are also
// dependent, roundingDifference measures the effect of rounding the weights.
const farFrom = 1 << 10

// WeightRoundingReason examines the weights w in the units of x, which were computed from the inner
// weights `in` and rounded. If w is accurate enough, WeightRoundingReason returns "". Otherwise it
// returns a text that explains the loss of digits. The bias includes the sum Σ_j w_j·c_j, where c_j is
// the centre of column j. If a centre is far from 0, this sum is large, and so is the rounding error
// of the bias. The argument q is the quadratic model of the objective.
func (p *Problem) WeightRoundingReason(in, w []float64, q *Quadratic) string {
	moved, λ := p.roundingDifference(in, w, q)
	if λ <= p.requiredAccuracy() && math.Sqrt2*p.maxRowNorm()*linalg.Norm(moved) <= 0.1*p.requiredAccuracy() {
		return ""
	}
	step := p.newtonStep(q)
	floats.Sub(step, moved)
	if λ <= p.requiredAccuracy() && p.isShort(in, step, p.requiredAccuracy()) {
		return ""
	}
	return fmt.Sprintf("not converged: rounding leaves the weights in the units of x uncertain by %.1g (in standard errors, or relative to an activation), because %s",
		math.Max(λ, p.Reach(in, step)), p.describeFarthest(in))
}

// roundingDifference converts w to inner weights and returns their difference from the inner
// weights in the argument `in`. From the difference it removes the component that does not change E.
// It also returns the length, in standard errors, of the Newton step from w. If columns are
// dependent, the returned difference is 0. The returned length is then the length of the Newton step
// from `in`, plus the length of the difference if a column reaches farFrom.
func (p *Problem) roundingDifference(in, w []float64, q *Quadratic) ([]float64, float64) {
	d := p.Coord.Displacement(w, in)
	left := func(u []float64) float64 {
		z := q.R.Times(u)
		floats.Add(z, q.z)
		return linalg.Norm(z)
	}
	switch {
	case p.Rank == nil:
		return d, left(d)
	case p.Rank.Dependent == nil: // Restrict is an orthogonal projection here, because the free coordinates are orthonormal
		u := p.Rank.Restrict(d)
		d, λ := p.Rank.Embed(u), left(u)
		if p.FreeRoot != nil {
			shift := p.Rank.Shortest(commonShift(p.Coord.Displacement(w, in), p.GLM.Many.K))
			floats.Add(d, shift)
			floats.Add(shift, q.shift)
			for _, row := range p.Root {
				λ = math.Hypot(λ, linalg.Dot(row, shift))
			}
		}
		return d, λ
	case floats.Norm(p.Coord.Shift, math.Inf(1)) < farFrom:
		return make([]float64, len(d)), q.decrement()
	}
	// If columns are dependent, there are directions in which q has no curvature. In these
	// directions, the shortest weights may differ strongly from the inner weights. The factor is
	// therefore computed again from the rows.
	ev, _ := p.Evaluate(in, glm.WithTriangle)
	return make([]float64, len(d)), q.decrement() + linalg.Norm(linalg.Leading(ev.Tri, p.GLM.M).Times(d))
}

// describeFarthest returns a text about the column that costs the bias the most digits.
func (p *Problem) describeFarthest(in []float64) string {
	column, most, m := 0, -1.0, len(p.Coord.Shift)+1
	for i, v := range in {
		if j := i%m - 1; j >= 0 && math.Abs(v*p.Coord.Shift[j]) > most {
			column, most = j, math.Abs(v*p.Coord.Shift[j])
		}
	}
	c := p.Coord.Shift[column] / p.Coord.Scale[column]
	spread := math.Max(p.Cols.Max[column]-c, c-p.Cols.Min[column])
	return fmt.Sprintf("column %d of x (counting from 0) lies about %.3g from 0, with a spread of %.3g: centre the column",
		column, math.Abs(c), spread)
}

// Likelihood returns the likelihood as a function of the weights in the units of x instead of inner
// weights.
func (p *Problem) Likelihood() *glm.Likelihood {
	design := p.GLM.Design.Again(nil, nil)
	if many := p.GLM.Many; many != nil {
		return glm.NewSoftmax(design, many.T)
	}
	return glm.New(design, p.GLM.T, p.GLM.Loss)
}

// someRows is the number of rows below which At computes E and the Hessian again, instead of
// returning the values of the last iterate. For a softmax, At counts each row K−1 times. Below this
// number of rows, NewSoftmaxProblem also sets Factor.
const someRows = 64

// At returns the likelihood's E and its Hessian with respect to the weights w in the units of x, at
// the end of a path. Usually At returns the values that the solver computed at the last iterate. It
// computes them again, at the rounded w, if there are few rows (see someRows), E is not convex, the
// gradient is precise, the path has no Gram matrix, or a column is far from 0 (see farFrom).
func (p *Problem) At(path *Path) (e float64, h *mat.SymDense) {
	if p.GLM.N >= someRows && p.Convex && path.last != nil && path.last.Gram != nil && !p.precise &&
		floats.Norm(p.Coord.Shift, math.Inf(1)) < farFrom {
		return path.last.E, linalg.Symmetrised(p.Coord.Form(path.last.Gram.Sym(p.GLM.M)))
	}
	l := p.Likelihood()
	ev := l.Evaluate(p.Outer(path.W), glm.WithGram)
	return ev.E, ev.Gram.Sym(p.GLM.M)
}
