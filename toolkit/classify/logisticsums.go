package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// LogisticSums are what one pass of Newton's method for logistic regression takes from
// the rows at weights w: the error (4.90), its gradient (4.91) and its Hessian (4.97),
//
//	E = −Σ_n {t_n ln y_n + (1−t_n) ln(1−y_n)},  ∇E = Σ_n (y_n−t_n)φ_n,  H = Σ_n y_n(1−y_n)φ_nφ_nᵀ.
//
// Those of the parts of a data set merge to those of the whole: the parts may be of
// several machines, which send them as JSON or gob, and whoever merges them makes the
// step and sends the new weights. The same parts in the same order give the same bits.
//
// Equations: PRML (4.90), (4.91), (4.97).
type LogisticSums struct {
	W []float64 // the weights, bias first, D+1 entries
	N int       // rows added

	e        float64
	gradient []float64
	hessian  *mat.SymDense
	x, t     []float64 // rows not yet in the sums
}

// logisticRows is how many rows are summed in one go.
const logisticRows = 256

// NewLogisticSums returns those of no rows at weights w, bias first. Errors: less than
// two weights, NaN or Inf.
func NewLogisticSums(w []float64) (*LogisticSums, error) {
	if len(w) < 2 {
		return nil, failure("NewLogisticSums", fmt.Errorf("w has %d entries: needed are the bias and one per column", len(w)))
	}
	if err := check.Vector("w", w, len(w), "the bias and one per column"); err != nil {
		return nil, failure("NewLogisticSums", err)
	}
	return &LogisticSums{W: append([]float64(nil), w...), gradient: make([]float64, len(w)), hessian: mat.NewSymDense(len(w), nil)}, nil
}

// Add adds an input x of D numbers with a target t in [0,1], 1 for C₁. Errors: another
// length, NaN or Inf, another target; the sums are then unchanged.
func (s *LogisticSums) Add(x []float64, t float64) error {
	if err := s.accepts(x, t); err != nil {
		return failure("LogisticSums.Add", err)
	}
	s.x, s.t = append(s.x, x...), append(s.t, t)
	s.N++
	if len(s.t) == logisticRows {
		s.complete()
	}
	return nil
}

func (s *LogisticSums) accepts(x []float64, t float64) error {
	if s == nil || s.hessian == nil {
		return errNoLogisticSums
	}
	if err := check.Vector("x", x, len(s.W)-1, "one per weight but the bias"); err != nil {
		return err
	}
	return check.Targets([]float64{t}, 1)
}

var errNoLogisticSums = errors.New("there are no sums: make them with NewLogisticSums")

// complete takes the pending rows into the sums.
func (s *LogisticSums) complete() {
	n := len(s.t)
	if n == 0 {
		return
	}
	src := block.NewSource(mat.NewDense(n, len(s.x)/n, s.x))
	ev := glm.New(block.NewDesign(src, nil, nil), s.t, glm.CrossEntropy{}).Evaluate(s.W, glm.WithGram)
	s.take(ev.E, ev.Grad, ev.Gram.Sym(len(s.W)))
	s.x, s.t = s.x[:0], s.t[:0]
}

// completed returns the same sums without pending rows. It changes nothing, so that several
// goroutines may read the same sums.
func (s *LogisticSums) completed() *LogisticSums {
	c := *s
	c.gradient, c.hessian = slices.Clone(s.gradient), mat.NewSymDense(len(s.W), nil)
	c.hessian.CopySym(s.hessian)
	c.complete()
	return &c
}

func (s *LogisticSums) take(e float64, gradient []float64, hessian *mat.SymDense) {
	s.e += e
	floats.Add(s.gradient, gradient)
	s.hessian.AddSym(s.hessian, hessian)
}

// Merge adds the rows of o, which stays as it is. Errors: nil, and other weights.
func (s *LogisticSums) Merge(o *LogisticSums) error {
	if s == nil || o == nil || s.hessian == nil || o.hessian == nil {
		return failure("LogisticSums.Merge", errNoLogisticSums)
	}
	if !floats.Equal(s.W, o.W) {
		return failure("LogisticSums.Merge", errors.New("the sums are at different weights W: merge those of one pass"))
	}
	o = o.completed()
	s.complete()
	s.take(o.e, o.gradient, o.hessian)
	s.N += o.N
	return nil
}

// Sums returns E, ∇E (D+1 entries) and H (D+1 square) of the rows added.
//
// Equations: PRML (4.90), (4.91), (4.97).
func (s *LogisticSums) Sums() (e float64, gradient []float64, hessian *mat.SymDense) {
	if s == nil || s.hessian == nil {
		return 0, nil, nil
	}
	s = s.completed()
	return s.e, s.gradient, s.hessian
}

// Step returns the weights w − H⁻¹∇E after a Newton step (4.92), with a prior's part in
// both or nil for maximum likelihood, and the length √(∇EᵀH⁻¹∇E) of the step in standard
// errors of w. Where that is below about 1e-8 and the weights hardly change either, they
// are the optimum; of separable classes the length falls while w grows without end.
// Errors: no rows, a bad prior, and a Hessian that is singular in double precision, as of
// dependent columns or of weights far off.
//
// Equations: PRML (4.92), (4.143).
func (s *LogisticSums) Step(prior Prior) (w []float64, length float64, err error) {
	e, g, h := s.Sums()
	if h == nil || s.N == 0 {
		return nil, 0, failure("LogisticSums.Step", errors.New("there are no rows: add some, and merge the parts"))
	}
	p, err := resolvePrior(prior, len(g))
	if err != nil {
		return nil, 0, failure("LogisticSums.Step", err)
	}
	p.AddGradient(g, s.W)
	p.AddPrecision(h)
	r, _ := linalg.Cholesky(h.At, len(g))
	if r == nil || !r.Regular() || math.IsNaN(e) {
		return nil, 0, failure("LogisticSums.Step", errors.New("the Hessian is singular in double precision: look for dependent columns or separable classes, begin at w = 0, or give a Prior"))
	}
	z := r.SolveT(g)
	return floats.AddScaledTo(make([]float64, len(g)), s.W, -1, r.Solve(z)), floats.Norm(z, 2), nil
}
