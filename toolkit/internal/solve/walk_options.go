package solve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// startOf returns the starting weights. A small start adds to each weight a number drawn from
// [−0.01, 0.01]. With a start of 0, this is the initialisation in the first lines of Alpaydin's
// fig. 10.6.
func startOf(p *Problem, small bool, seed uint64) []float64 {
	w := p.Coord.Outer(p.Start)
	if small {
		rng := rand.New(rand.NewPCG(seed, 106))
		for j := range w {
			w[j] += 0.01 * (2*rng.Float64() - 1)
		}
	}
	return w
}

// checkWalk checks the options that solvers share: the interval between records, and rates, for
// which 0 means the default.
func checkWalk(solver string, every int, everyUpdate bool, rates ...rate) error {
	for _, r := range rates {
		if !(r.value >= 0) || math.IsInf(r.value, 1) {
			return fmt.Errorf("%s.%s is %v: want a number greater than 0 (0 is the default)", solver, r.name, r.value)
		}
	}
	switch {
	case every < 0:
		return fmt.Errorf("%s.Every is %d: want a number of iterations, at least 0 (0 is the default)", solver, every)
	case everyUpdate && every > 1:
		return fmt.Errorf("%s.Every is %d and EveryUpdate is set: choose one", solver, every)
	}
	return nil
}

type rate struct {
	name  string
	value float64
}

// Stopping sets when a solver stops before the optimum.
type Stopping struct {
	NoErrors bool
	X        mat.Matrix
	T        []float64
	Labels   []int
	Patience int
}

// check returns an error unless the options fit together and fit the d columns and the number of
// classes.
func (s Stopping) check(d, classes int) error {
	switch {
	case s.Patience < 0:
		return fmt.Errorf("Stopping.Patience is %d: want a number of iterations, at least 0 (0 is the default, 10)", s.Patience)
	case s.X == nil && (s.T != nil || s.Labels != nil || s.Patience != 0):
		return errors.New("Stopping has no X: the held-out inputs that its targets belong to are missing")
	case s.X == nil:
		return nil
	}
	src, _, err := check.Inputs(s.X)
	if err != nil {
		return fmt.Errorf("Stopping: %w", err)
	}
	n, got := src.Dims()
	if s.T != nil {
		err = check.Targets(s.T, n)
	}
	switch {
	case got != d:
		return fmt.Errorf("Stopping.X is %d×%d: the inputs of the fit have %d columns", n, got, d)
	case (s.T == nil) == (s.Labels == nil):
		return errors.New("Stopping needs the targets of X: T for two classes, Labels for more, and not both")
	case err != nil:
		return fmt.Errorf("Stopping: %w", err)
	case s.T != nil && classes > 2:
		return fmt.Errorf("Stopping.T is for two classes: this fit has %d, give Labels", classes)
	case s.Labels != nil && len(s.Labels) != n:
		return fmt.Errorf("Stopping.Labels has %d entries but X has %d rows: give one label per row", len(s.Labels), n)
	}
	for i, l := range s.Labels {
		if l < 0 || l >= classes {
			return fmt.Errorf("Stopping.Labels[%d] is %d: with %d classes the labels are 0…%d", i, l, classes, classes-1)
		}
	}
	return nil
}

// sibling returns the likelihood of other rows under the same model.
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
	at       int // the iteration of best
}

// watch returns the follower, or nil without held-out rows.
func (s Stopping) watch(p *Problem) *walkHeldOut {
	if s.X == nil {
		return nil
	}
	g := s.sibling(p.GLM, p.Coord.Design(block.NewSource(s.X)))
	return &walkHeldOut{glm: g, patience: cmp.Or(s.Patience, 10), least: math.Inf(1)}
}

// evaluate evaluates an iterate and reports whether patience is exhausted.
func (h *walkHeldOut) evaluate(in []float64, it int) (e float64, enough bool) {
	e = h.glm.Evaluate(in, glm.OnlyValue).E
	if h.best == nil || e < h.least {
		h.best, h.least, h.at = in, e, it
	}
	return e, it-h.at >= h.patience
}
