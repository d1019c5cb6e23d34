package classify

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Trace is the sequence of iterates of a fit, the starting point first.
type Trace []Step

// Step is one iterate.
type Step struct {
	W             []float64 // the weights, bias first
	E             float64   // the objective: −ln p(t|w) and the prior's penalty
	GradNorm      float64   // ‖∇E(w)‖
	Misclassified int       // rows on the wrong side of a = 0, by t > ½
	Iteration     int       // how many iterations were made before it: not every one need be recorded
	HeldOut       float64   // −ln p of the held-out rows of a Stopping, 0 without
}

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

// traceOf is the path of a solver.
func traceOf(t []solve.Step) Trace {
	var out Trace
	for _, s := range t {
		out = append(out, Step(s))
	}
	return out
}
