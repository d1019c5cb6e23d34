package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Solver minimises the objective of a generalized linear model. All solvers reach
// the same optimum; they differ in the path they take (see Trace). Newton,
// GradientDescent, Sequential, CoordinateAscent and LBFGS implement it; a nil
// Solver means Newton.
type Solver interface {
	engine() solve.Solver
}

var (
	_ Solver = Newton{}
	_ Solver = GradientDescent{}
	_ Solver = Sequential{}
	_ Solver = CoordinateAscent{}
	_ Solver = LBFGS{}
)

// solverOf returns the solver of an option; nil means Newton.
func solverOf(s Solver) solve.Solver {
	if s == nil {
		return solve.Newton{}
	}
	return s.engine()
}

// Newton is the Newton–Raphson method (4.92), for the logistic model iterative
// reweighted least squares (4.99), with step halving:
//
//	w ← w − s·H⁻¹∇E(w),  s = 1, ½, ¼, … until E falls.
//
// R_nn = y_n(1−y_n) of (4.98) is the variance of t_n. As a least-squares weight it is
// the inverse variance of the working target z_n of (4.100): var[z_n] = 1/R_nn. (The
// text before (4.101) likens R to the variances of that problem, which are 1/R:
// erratum P26.)
//
// E is convex (PRML has concave: erratum P5), so from any start the method reaches the
// minimum if there is one (PRML has one always: erratum P6). Near the minimum every
// step doubles the number of correct digits. Along an exponential tail, where s = 1
// moves the activation by only one unit, s is doubled as long as E falls. If a start
// far off saturates the posteriors so that H carries no information, the step uses
// the bound H ≤ ¼ΦᵀΦ + S0⁻¹ instead, or goes back towards w = 0.
//
// Equations: PRML (4.92), (4.95), (4.99).
type Newton struct{}

func (Newton) engine() solve.Solver { return solve.Newton{} }

// GradientDescent takes steps down the gradient of all rows at once, Alpaydin
// (10.24), (10.33) and figures 10.6 and 10.8:
//
//	w ← w − η∇E(w) = w + η Σ_n (t_n − y_n)φ_n   (and the prior's part)
//
// The update of figure 10.8 is printed with x_i in place of x_j (erratum A6). A single
// rate η for all weights needs columns of similar scale: standardise the columns.
//
// An iteration is one such step; there are at most 10 000 unless the fit's
// options say otherwise. If every step lowers the error on the way to the optimum,
// η is below 2 divided by the largest eigenvalue of ∇∇E. A fit whose error keeps
// rising reports it in its Reason.
//
// Equations: Alpaydin (10.16), (10.17), (10.24), (10.33), (10.40), (10.45); Gambosi (gradient-ascent).
type GradientDescent struct {
	// Rate is η; 0 means 1/L, where L bounds the largest eigenvalue of ∇∇E: every
	// step then lowers the error.
	Rate float64
	// SmallStart adds to every starting weight a number drawn from
	// [−0.01, 0.01] with Seed, as figure 10.6 begins.
	SmallStart bool
	Seed       uint64
	// Every sets how often an iterate is recorded in the Trace: each Every-th and the
	// last one. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// Stop configures early stopping.
	Stop Stopping
}

func (s GradientDescent) engine() solve.Solver {
	return solve.GradientDescent{Rate: s.Rate, SmallStart: s.SmallStart, Seed: s.Seed, Every: s.Every,
		Stop: solve.Stopping(s.Stop)}
}

// Sequential presents one pattern at a time: the stochastic gradient descent of
// PRML 4.3.2, (3.22) with the n-th term of (4.91),
//
//	w ← w − η∇E_n(w) = w + η(t_n − y_n)φ_n
//
// and 1/N of the prior's part. An iteration is one presentation of all rows;
// there are at most 1000 unless the fit's options say otherwise.
//
// With a constant rate the iterates end up jumping around the optimum, at a distance
// that falls with η, and the fit is not Converged. With Decay they settle slowly.
// With Corrected they converge to the optimum at a constant rate.
type Sequential struct {
	// Rate is η; 0 means 1/3L, where L bounds the largest eigenvalue of any ∇∇E_n.
	Rate float64
	// Decay divides the rate by 1 + Decay·(iterations made so far).
	Decay float64
	// Corrected keeps the last error of every pattern and corrects each step by
	// the mean of all errors: w ← w − η(∇E_n − ∇E_n before + mean of all before). It is
	// the SAGA method (Defazio, Bach and Lacoste-Julien 2014).
	Corrected bool
	// Shuffle presents the patterns in a new random order in every iteration, drawn
	// with Seed; otherwise they come in row order.
	Shuffle bool
	// SmallStart adds to every starting weight a number drawn from
	// [−0.01, 0.01] with Seed, as Alpaydin's figure 10.6 begins.
	SmallStart bool
	Seed       uint64
	// Every sets how often an iterate is recorded in the Trace: each Every-th and the
	// last one. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// EveryUpdate records after every single pattern instead; use it for small data.
	EveryUpdate bool
	// Stop configures early stopping.
	Stop Stopping
}

func (s Sequential) engine() solve.Solver {
	return solve.Sequential{Rate: s.Rate, Decay: s.Decay, Corrected: s.Corrected, Shuffle: s.Shuffle,
		SmallStart: s.SmallStart,
		Seed:       s.Seed, Every: s.Every, EveryUpdate: s.EveryUpdate, Stop: solve.Stopping(s.Stop)}
}

// CoordinateAscent changes one coefficient at a time, the alternative to the
// gradient ascent of the log likelihood on Gambosi's slides:
//
//	w_j ← w_j + α ∂l/∂w_j = w_j + α Σ_n (t_n − y_n)φ_j(x_n)
//
// and the prior's part, bias first. (The slide prints the new w_j on the right-hand
// side too, erratum G9.) An iteration is one round of all coefficients; there are at
// most 10 000 unless the fit's options say otherwise.
//
// Equations: Gambosi (coordinate-ascent).
type CoordinateAscent struct {
	// Rate is α; 0 means 1/L_j for coefficient j, where L_j bounds ∂²E/∂w_j²:
	// every step then lowers the error.
	Rate float64
	// Every sets how often an iterate is recorded in the Trace: each Every-th and the
	// last one. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// EveryUpdate records after every single coefficient instead.
	EveryUpdate bool
	// Stop configures early stopping.
	Stop Stopping
}

func (s CoordinateAscent) engine() solve.Solver {
	return solve.CoordinateAscent{Rate: s.Rate, Every: s.Every, EveryUpdate: s.EveryUpdate,
		Stop: solve.Stopping(s.Stop)}
}

// LBFGS is the limited-memory quasi-Newton method of Broyden, Fletcher, Goldfarb
// and Shanno (gonum/optimize). It needs only gradients, and learns the curvature
// from the last few of them. It works in the fit's own centred and scaled
// coordinates; the Trace is in the coordinates of x.
//
// An iteration is one step of its line search; there are at most 1000 unless the
// fit's options say otherwise. A line search compares values of E, so it cannot
// come nearer to the optimum than about 1e-8 standard errors. If it ends within
// 1e-6 standard errors, a Newton step ends the fit. On a long exponential tail, such
// as that caused by a row of 1e20 on its correct side, E is flat before the optimum and
// the fit is not Converged.
type LBFGS struct {
	// Memory is the number of gradients remembered, at most 1000; 0 is 15.
	Memory int
	// Every sets how often an iterate is recorded in the Trace: each Every-th and the
	// last one. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// Stop configures early stopping.
	Stop Stopping
}

func (s LBFGS) engine() solve.Solver {
	return solve.LBFGS{Memory: s.Memory, Every: s.Every, Stop: solve.Stopping(s.Stop)}
}

// Trace is the sequence of iterates of a fit, the starting point first.
type Trace []Step

// Step is one iterate.
type Step struct {
	W             []float64 // the weights, bias first
	E             float64   // the objective: −ln p(t|w) and the prior's penalty
	GradNorm      float64   // ‖∇E(w)‖
	Misclassified int       // rows on the wrong side of a = 0, by t > ½: their weights summed and rounded up
	Iteration     int       // number of iterations before this one; iterations may be left unrecorded
	HeldOut       float64   // −ln p of the held-out rows of a Stopping; 0 without them
}

// Stopping says when a solver stops before the optimum. Stopping early is a kind
// of regularisation (Alpaydin 10.7.1): weights that start near 0 have not grown
// yet. The fit is then not Converged, and Reason says why it stopped. The zero
// value never stops early.
type Stopping struct {
	// NoErrors stops at the first iteration, recorded or not, after which no
	// row of the fit is misclassified. More iterations then only harden the
	// sigmoid: ‖w‖ grows (a single |w_j| may fall, erratum A10), the boundary hardly moves.
	NoErrors bool
	// X holds inputs that are kept out of the fit (with as many columns) and T their
	// targets; with more than two classes Labels holds their classes. The fit stops
	// when their −ln p(t|w) has not fallen below its minimum for Patience iterations.
	// W are then the weights at that minimum.
	X      mat.Matrix
	T      []float64
	Labels []int
	// Patience is a number of iterations; 0 is 10.
	Patience int
}

// traceOf converts the path of a solver to a Trace.
func traceOf(t []solve.Step) Trace {
	out := make(Trace, len(t))
	for i, s := range t {
		out[i] = Step(s)
	}
	return out
}

// completeSolver fills in the defaults of a solver's options for inputs of d
// columns and k classes.
func completeSolver(s *Solver, maxIterations *int, tolerance *float64, d, k int) error {
	if *maxIterations < 0 {
		return fmt.Errorf("option MaxIterations is %d: it must not be negative (0 is the solver's default)",
			*maxIterations)
	}
	if !(*tolerance >= 0) || math.IsInf(*tolerance, 1) {
		return fmt.Errorf("option Tolerance is %v: it must not be negative (0 is the default, 1e-10)", *tolerance)
	}
	if *tolerance == 0 {
		*tolerance = 1e-10
	}
	if *s == nil {
		*s = Newton{}
	}
	if check.Nil(*s) {
		return fmt.Errorf("option Solver is a nil %T: leave Solver out for Newton{}, or give a value", *s)
	}
	most, err := (*s).engine().Prepare(d, k)
	if err != nil {
		return err
	}
	if *maxIterations == 0 {
		*maxIterations = most
	}
	return nil
}
