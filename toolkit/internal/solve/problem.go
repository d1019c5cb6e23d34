package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Solver minimises the objective of a generalized linear model. All solvers find the same optimum
// but take different paths; see Trace. Newton, GradientDescent, Sequential, CoordinateAscent and
// LBFGS implement it; a nil Solver is Newton.
type Solver interface {
	Solve(p *Problem) *Path
	// Prepare checks the solver's own options for inputs with d columns and k classes. It returns
	// the default number of iterations.
	Prepare(d, k int) (maxIterations int, err error)
}

// Problem is the input of a solver: the objective in inner coordinates.
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
	Warm     bool          // Newton may choose a different start
	Early    bool          // Coord and Cols come from a few rows; Newton returns no path if they do not fit all rows
	MaxIt    int
	Tol      float64
	Proper   bool // the minimum exists for all data, because of a prior or the loss
	precise  bool // ∇E is taken from preciseGradient
	Convex   bool // E is convex: Newton may then take steps longer than 1
	Factor   bool // second moments are summed as the orthogonal factor, because results such as the draws of a seed depend on each bit of R

	// For a likelihood other than the logistic one: Signs are targets for which the logistic
	// likelihood has a maximum if and only if this one has, nil for the same targets. Steeper is
	// the slope at 0 relative to the logistic slope. Decay bounds |d ln e′/da| = e″/|e′| where
	// such a target is 0 or 1 and |a| is at most its argument; it is nil if no bound is known.
	Other     bool
	Signs     []float64
	Steeper   float64
	Decay     func(a float64) float64
	recession *Recession        // nil until Recede is called
	budget    *existence.Budget // of Recede, nil for the usual one
	scratch   *scratch
}

// Path is the result of a solver.
type Path struct {
	W         []float64 // the last iterate, in inner coordinates
	Quad      *Quadratic
	last      *glm.Evaluation // of Newton's method, at W
	Trace     Trace
	Converged bool
	Reason    string
	Direction []float64 // not nil if the data are separable; in inner coordinates
	on        int       // rows on the plane of the direction
}

// Trace is the sequence of iterates of a fit, the starting point first.
type Trace []Step

// Step is one iterate.
type Step struct {
	W             []float64 // the weights, bias first
	E             float64   // the objective: −ln p(t|w) and the prior's penalty
	GradNorm      float64   // ‖∇E(w)‖
	Misclassified int       // rows on the wrong side of a = 0, by t > ½
	Iteration     int       // how many iterations were made before it: not every one need be recorded
	HeldOut       float64   // −ln p of the held-out rows of a Stopping, 0 without a Stopping
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

// Evaluate returns the likelihood part and the whole objective at inner weights.
func (p *Problem) Evaluate(in []float64, lv glm.Level) (*glm.Evaluation, float64) {
	ev := p.GLM.Evaluate(in, lv)
	if p.Prior == nil {
		return ev, ev.E
	}
	return ev, ev.E + p.Prior.Value(p.Coord.Outer(in))
}

// misclassified returns the number of misclassified rows for a Step. A sum of fractional weights
// is rounded up, so that 0 means that every row is right.
func misclassified(ev *glm.Evaluation) int { return int(math.Ceil(ev.Wrong)) }

// step makes the trace's entry of an evaluated iterate.
func (p *Problem) step(in []float64, ev *glm.Evaluation, e float64) Step {
	w := p.Outer(in)
	return Step{W: w, E: e, GradNorm: floats.Norm(p.gradient(w, ev), 2), Misclassified: misclassified(ev)}
}

// gradient returns ∇E in the coordinates of w.
func (p *Problem) gradient(w []float64, ev *glm.Evaluation) []float64 {
	g := p.Coord.Gradient(ev.Grad)
	p.Prior.AddGradient(g, w)
	return g
}

// Residual returns the prior's residuals root·(w − m0), or the residuals of freeRoot.
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

// Moments chooses how second moments are summed at first: as a Gram matrix, which is faster and
// accurate as long as it is well conditioned (see fromGram).
func (p *Problem) Moments() glm.Level {
	if p.GLM.N < p.GLM.M || p.Factor && !linalg.Large(p.GLM.N, p.GLM.M) {
		return glm.WithTriangle
	}
	return glm.WithGram
}

// digits returns the relative accuracy of a weight, and of an activation, of a converged fit.
func (p *Problem) digits() float64 { return math.Max(1e-8, p.Tol) }
