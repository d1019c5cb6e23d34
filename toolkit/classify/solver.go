package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Solver minimises the objective of a generalized linear model. If the objective is convex, all solvers
// approach the same optimum but take different paths (see Trace). Newton, GradientDescent, Sequential,
// CoordinateAscent and LBFGS implement Solver. A nil Solver means Newton.
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

// Newton is the Newton–Raphson method (4.92) with step halving. For the logistic model it is
// iterative reweighted least squares (4.99).
//
//	w ← w − s·H⁻¹∇E(w), s = 1, ½, ¼, … until E falls.
//
// In (4.98), R_nn = y_n(1−y_n) is the variance of t_n. The target of the least-squares problem is
// not t_n but the working target z_n of (4.100), and var[z_n] = 1/R_nn. The text before (4.101)
// interprets R_nn as the variance of the target in the least-squares problem, but this variance is
// 1/R_nn (erratum P26).
//
// The E of logistic regression is convex; PRML calls it concave (erratum P5). From any start the
// method therefore reaches the minimum if a minimum exists. PRML claims that a minimum always exists
// (erratum P6). Near the minimum, every step doubles the number of correct digits. In regions where
// E falls exponentially as w grows, a step with s = 1 changes the activations by only about 1. The
// method therefore doubles s as long as E falls. If the start is far from the minimum, all
// posteriors can be nearly 0 or 1, and H is then nearly 0. In this case the method uses the upper
// bound ¼ΦᵀΦ + S0⁻¹ instead of H, or takes a step towards w = 0.
//
// Equations: PRML (4.92), (4.95), (4.99).
type Newton struct{}

func (Newton) engine() solve.Solver { return solve.Newton{} }

// GradientDescent takes steps in the direction of the negative gradient, which is a sum over all
// rows, Alpaydin (10.24), (10.33) and figures 10.6 and 10.8:
//
//	w ← w − η∇E(w) = w + η Σ_n (t_n − y_n)φ_n (and the prior's part)
//
// Figure 10.8 prints the update with x_i instead of x_j (erratum A6). All weights share one rate η.
// The columns therefore need similar scales: standardise them.
//
// An iteration is one step. The default of MaxIterations is 10 000. If η is below 2 divided by the
// largest eigenvalue of ∇∇E, every step lowers the error. If the fit ends at MaxIterations and the
// error rose in more than a quarter of the iterations, the Reason of the fit reports this.
//
// Equations: Alpaydin (10.16), (10.17), (10.24), (10.33), (10.40), (10.45); Gambosi
// (gradient-ascent).
type GradientDescent struct {
	// Rate is the learning rate η; 0 means 1/L, where L is an upper bound on the eigenvalues of
	// ∇∇E. With the rate 1/L every step lowers the error. For FitGLM, L is only a guess, so set Rate
	// if the fit does not converge.
	Rate float64
	// SmallStart adds a random number from [−0.01, 0.01] to every starting weight, as Alpaydin's
	// figure 10.6 does. Seed is the seed of the random numbers.
	SmallStart bool
	Seed       uint64
	// Every is the number of iterations between two iterates in the Trace. The Trace always
	// contains the last iterate. If Every is 0, the Trace contains all iterates of a fit of up to
	// about a thousand iterations, and evenly spaced iterates of a longer fit.
	Every int
	// Stop configures early stopping.
	Stop Stopping
}

func (s GradientDescent) engine() solve.Solver {
	return solve.GradientDescent{Rate: s.Rate, SmallStart: s.SmallStart, Seed: s.Seed, Every: s.Every,
		Stop: solve.Stopping(s.Stop)}
}

// Sequential presents one pattern at a time. It is the stochastic gradient descent (3.22) that PRML
// 4.3.2 applies to the n-th term of (4.91),
//
//	w ← w − η∇E_n(w) = w + η(t_n − y_n)φ_n
//
// Each step also contains 1/N of the gradient of the prior's penalty. An iteration is one
// presentation of all rows. The default of MaxIterations is 1000.
//
// With a constant rate, the iterates finally fluctuate around the optimum, and Converged is false.
// The distance of the iterates from the optimum is smaller for a smaller η. With Decay the iterates
// converge slowly. With Corrected the iterates converge to the optimum although the rate is
// constant.
type Sequential struct {
	// Rate is the learning rate η; 0 means 1/(3L), where L is an upper bound on the eigenvalues of
	// every ∇∇E_n. For FitGLM, L is only a guess.
	Rate float64
	// Decay divides the rate by 1 + Decay·(number of completed iterations).
	Decay float64
	// Corrected stores the last gradient ∇E_n of every pattern and uses the stored gradients to
	// correct each step: w ← w − η(∇E_n − stored ∇E_n + mean of all stored gradients). This is the
	// SAGA method (Defazio, Bach and Lacoste-Julien 2014).
	Corrected bool
	// Shuffle presents the patterns in a new random order in every iteration. Seed is the seed of
	// the random orders. Without Shuffle the patterns have the order of the rows.
	Shuffle bool
	// SmallStart adds a random number from [−0.01, 0.01] to every starting weight, as Alpaydin's
	// figure 10.6 does. Seed is the seed of the random numbers.
	SmallStart bool
	Seed       uint64
	// Every is the number of iterations between two iterates in the Trace. The Trace always
	// contains the last iterate. If Every is 0, the Trace contains all iterates of a fit of up to
	// about a thousand iterations, and evenly spaced iterates of a longer fit.
	Every int
	// EveryUpdate records an iterate after every pattern, not only after every iteration. Use it
	// only for small data.
	EveryUpdate bool
	// Stop configures early stopping.
	Stop Stopping
}

func (s Sequential) engine() solve.Solver {
	return solve.Sequential{Rate: s.Rate, Decay: s.Decay, Corrected: s.Corrected, Shuffle: s.Shuffle,
		SmallStart: s.SmallStart,
		Seed:       s.Seed, Every: s.Every, EveryUpdate: s.EveryUpdate, Stop: solve.Stopping(s.Stop)}
}

// CoordinateAscent changes one coefficient at a time. Gambosi's slides present it as an alternative
// to gradient ascent on the log likelihood:
//
//	w_j ← w_j + α ∂l/∂w_j = w_j + α Σ_n (t_n − y_n)φ_j(x_n)
//
// Each update also contains the gradient of the prior's penalty. The bias is updated first. On the
// right-hand side, the slide prints the new w_j instead of the old w_j (erratum G9). An iteration
// is one update of every coefficient. The default of MaxIterations is 10 000.
//
// Equations: Gambosi (coordinate-ascent).
type CoordinateAscent struct {
	// Rate is the learning rate α; 0 means 1/L_j for coefficient j, where L_j is an upper bound on
	// ∂²E/∂w_j². With the rate 1/L_j every step lowers the error. For FitGLM, L_j is only a guess.
	Rate float64
	// Every is the number of iterations between two iterates in the Trace. The Trace always
	// contains the last iterate. If Every is 0, the Trace contains all iterates of a fit of up to
	// about a thousand iterations, and evenly spaced iterates of a longer fit.
	Every int
	// EveryUpdate records an iterate after every update of a coefficient, not only after every
	// iteration.
	EveryUpdate bool
	// Stop configures early stopping.
	Stop Stopping
}

func (s CoordinateAscent) engine() solve.Solver {
	return solve.CoordinateAscent{Rate: s.Rate, Every: s.Every, EveryUpdate: s.EveryUpdate,
		Stop: solve.Stopping(s.Stop)}
}

// LBFGS is the limited-memory quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno
// (gonum/optimize). The method needs only E and ∇E, and estimates the curvature from the last few
// gradients. It works in the centred and scaled coordinates of the fit. The Trace is in the
// coordinates of x.
//
// An iteration is one line search. The default of MaxIterations is 1000. The line search compares
// values of E, so it can approach the optimum only to about 1e-8 standard errors. If the line search
// ends within 1e-6 standard errors of the optimum, a Newton step completes the fit. With some data,
// for example with an input of 1e20 on the correct side of the boundary, E is nearly constant even
// far from the optimum. For such data, Converged is false.
type LBFGS struct {
	// Memory is the number of stored gradients, at most 1000; 0 means 15.
	Memory int
	// Every is the number of iterations between two iterates in the Trace. The Trace always
	// contains the last iterate. If Every is 0, the Trace contains all iterates of a fit of up to
	// about a thousand iterations, and evenly spaced iterates of a longer fit.
	Every int
	// Stop configures early stopping.
	Stop Stopping
}

func (s LBFGS) engine() solve.Solver {
	return solve.LBFGS{Memory: s.Memory, Every: s.Every, Stop: solve.Stopping(s.Stop)}
}

// Trace is the sequence of iterates of a fit. The first iterate is the starting point.
type Trace []Step

// Step is one iterate of a fit.
type Step struct {
	W        []float64 // the weights, bias first
	E        float64   // value of the objective at W, such as −ln p(t|w) plus the prior's penalty
	GradNorm float64   // ‖∇E(w)‖
	// Misclassified is the number of misclassified rows, or the sum of their weights, rounded up. For one
	// activation a, a row is misclassified if t > ½ and a ≤ 0, or t ≤ ½ and a > 0. For softmax, a row is
	// misclassified if its largest activation and its largest target belong to different classes. For a
	// GLM that is not a BernoulliTarget, Misclassified is 0.
	Misclassified int
	Iteration     int // number of iterations before this iterate; a Trace may skip iterations
	// −ln p(t|w) of the held-out rows of a Stopping; 0 without held-out rows, for an iterate within an iteration (see
	// EveryUpdate), and in the second phase of FitSigmoidSquares and FitLabelFlip
	HeldOut float64
}

// Stopping contains the conditions for an early stop, before the optimum. Early stopping has the
// effect of regularisation (Alpaydin 10.7.1): the weights start near 0 and are still small when the
// fit stops. After an early stop, Converged is false, and Reason reports why the fit stopped. However,
// FitSigmoidSquares and FitLabelFlip continue with their second phase after an early stop. The zero
// value of Stopping never stops early.
type Stopping struct {
	// NoErrors stops the fit after the first iteration at which no row of the fit is misclassified. It
	// examines every iteration, including iterations that the option Every leaves out of the Trace.
	// Further iterations only make the sigmoid steeper: ‖w‖ grows, but the boundary hardly moves. The
	// absolute value of a single weight w_j may fall (erratum A10).
	NoErrors bool
	// X contains held-out inputs with as many columns as the inputs of the fit. Either T contains the
	// targets of X, or Labels contains the classes of X. For more than two classes, T is not allowed.
	// The fit stops when −ln p(t|w) of the held-out rows has not fallen below its previous minimum
	// for Patience iterations. W then contains the weights at this minimum.
	X      mat.Matrix
	T      []float64
	Labels []int
	// Patience is the number of iterations without a new minimum after which the fit stops; 0 means
	// 10.
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

// completeSolver checks the options Solver, MaxIterations and Tolerance of a fit to inputs of d columns
// and k classes. It replaces zero options with their defaults.
func completeSolver(s *Solver, maxIterations *int, tolerance *float64, d, k int) error {
	if *maxIterations < 0 {
		return fmt.Errorf("option MaxIterations is %d: it must be at least 0 (0 means the solver's default)",
			*maxIterations)
	}
	if !(*tolerance >= 0) || math.IsInf(*tolerance, 1) {
		return fmt.Errorf("option Tolerance is %v: it must be finite and at least 0 (0 means the default, 1e-10)", *tolerance)
	}
	if *tolerance == 0 {
		*tolerance = 1e-10
	}
	if *s == nil {
		*s = Newton{}
	}
	if check.Nil(*s) {
		return fmt.Errorf("option Solver is a nil %T: leave Solver out to use Newton{}, or give a solver that is not nil", *s)
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
