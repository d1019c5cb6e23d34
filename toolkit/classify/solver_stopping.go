package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// Stopping says when a solver stops before the optimum. Stopping early is a kind
// of regularisation (Alpaydin 10.7.1): weights that start near 0 have not grown
// yet. The fit is then not Converged, and Reason says why it stopped. The zero
// value never stops early.
type Stopping struct {
	// NoErrors stops at the first recorded or unrecorded iteration after which no
	// row of the fit is misclassified. More iterations then only harden the
	// sigmoid: ‖w‖ grows (a single |w_j| may fall), the boundary hardly moves.
	NoErrors bool
	// X holds inputs that are kept out of the fit (with as many columns), T their
	// targets, or for more than two classes Labels their classes. The fit stops
	// when their −ln p(t|w) has not fallen below its least value for Patience
	// iterations, and W are the weights of that least value.
	X      mat.Matrix
	T      []float64
	Labels []int
	// Patience is a number of iterations; 0 is 10.
	Patience int
}

// check makes sure that the options fit together and to a fit with d columns and
// that many classes.
func (s Stopping) check(d, classes int) error {
	if s.Patience < 0 {
		return fmt.Errorf("Stopping.Patience is %d: it is a number of iterations (0 is the default, 10)", s.Patience)
	}
	if s.X == nil {
		if s.T != nil || s.Labels != nil || s.Patience != 0 {
			return errors.New("Stopping has no X: the held-out inputs that its targets belong to are missing")
		}
		return nil
	}
	src, _, err := check.Inputs(s.X)
	if err != nil {
		return fmt.Errorf("Stopping: %w", err)
	}
	n, got := src.Dims()
	if got != d {
		return fmt.Errorf("Stopping.X is %d×%d: the inputs of the fit have %d columns", n, got, d)
	}
	if (s.T == nil) == (s.Labels == nil) {
		return errors.New("Stopping needs the targets of X: T for two classes, Labels for more, and not both")
	}
	if s.T != nil {
		if err := check.Targets(s.T, n); err != nil {
			return fmt.Errorf("Stopping: %w", err)
		}
	}
	if s.T != nil && classes > 2 {
		return fmt.Errorf("Stopping.T is for two classes: this fit has %d, give Labels", classes)
	}
	if s.Labels != nil && len(s.Labels) != n {
		return fmt.Errorf("Stopping.Labels has %d entries but X has %d rows: give one label per row", len(s.Labels), n)
	}
	for i, l := range s.Labels {
		if l < 0 || l >= classes {
			return fmt.Errorf("Stopping.Labels[%d] is %d: with %d classes the labels are 0…%d", i, l, classes, classes-1)
		}
	}
	return nil
}

// sibling is the likelihood of other rows under the same model.
func (s Stopping) sibling(g *glm.Likelihood, d *block.Design) *glm.Likelihood {
	n, _ := d.Dims()
	if g.Many == nil {
		t := s.T
		if t == nil {
			t = make([]float64, n)
			for i, l := range s.Labels {
				t[i] = float64(1 - l) // class 0 is C₁
			}
		}
		return glm.New(d, t, g.Loss)
	}
	targets := &glm.ClassTargets{K: g.Many.K, Labels: s.Labels}
	if s.Labels == nil {
		y := mat.NewDense(n, 2, nil)
		for i, t := range s.T {
			y.SetRow(i, []float64{t, 1 - t})
		}
		targets.Soft = block.NewSource(y)
	}
	return glm.NewSoftmax(d, targets)
}

// walkHeldOut follows the likelihood of the rows kept out of a fit.
type walkHeldOut struct {
	glm      *glm.Likelihood
	patience int
	best     []float64 // inner weights of the least value
	least    float64
	at       int
}

// watch makes the follower, nil without held-out rows.
func (s Stopping) watch(p *problem) *walkHeldOut {
	if s.X == nil {
		return nil
	}
	g := s.sibling(p.glm, p.coord.Design(block.NewSource(s.X)))
	h := &walkHeldOut{glm: g, patience: s.Patience, least: math.Inf(1)}
	if h.patience == 0 {
		h.patience = 10
	}
	return h
}

// look evaluates an iterate and reports whether patience is at an end.
func (h *walkHeldOut) look(in []float64, it int) (e float64, enough bool) {
	e = h.glm.Evaluate(in, glm.OnlyValue).E
	if h.best == nil || e < h.least {
		h.best, h.least, h.at = in, e, it
	}
	return e, it-h.at >= h.patience
}
