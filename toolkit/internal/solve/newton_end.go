package solve

import (
	"fmt"
	"math"
)

// ending is the reason why Newton's method stops.
type ending int

const (
	notDone   ending = iota // keep iterating
	optimum                 // the step is short, and the minimum of E exists
	separable               // the iterate separates the classes
	receding                // E falls for ever along the direction of recedes
	blurred                 // rounding hides the optimum
	exhausted               // the iterations are used up
	stuck                   // no step lowers E, or the steps get no shorter
)

const (
	separatedTol = 1e-6 // separating weights are good enough when the error is below this
	watchFrom    = 8    // iterations before quasi-separation is looked for
	watchEvery   = 4    // iterations between two tests for it
	patience     = 3    // iterations in a row that do not shorten a step of mere rounding
)

// examine decides whether the method ends at this iterate. If the step is short, it switches to
// the precise gradient if that gradient differs.
func (n *newton) examine() ending {
	if n.separated() {
		// The first separating iterate may be little more than the least-squares
		// solution; later ones turn towards the widest margin.
		if n.e <= separatedTol || n.it >= n.MaxIt {
			return separable
		}
		return notDone
	}
	short := n.λ <= n.Tol || n.λ <= rounding && n.λ > n.last/2
	if short && !n.exact() {
		n.sharpen()
		n.model()
		short = n.λ <= n.Tol
	}
	short = short && n.near()
	watch := n.it >= watchFrom && (n.it%watchEvery == 0 && n.λ <= steadyTol || n.it >= n.MaxIt)
	answer, proof := undecided, (*Recession)(nil)
	if watch || short {
		answer, proof = n.existence(watch || !math.IsInf(n.Tol, 1))
	}
	if watch && answer == undecided {
		proof = n.approximateRecession()
	}
	if proof != nil && (proof.On > 0 || n.Other || n.it >= n.MaxIt) { // a complete separation shows in the iterates
		n.recedes = proof
		return receding
	}
	if short && answer == exists {
		n.uncertain = n.blur()
		if n.uncertain != "" {
			return blurred
		}
		return optimum
	}
	if n.it >= n.MaxIt {
		return exhausted
	}
	n.longer = n.precise && n.λ <= steadyTol && n.λ >= n.last // only the rounding of w is left
	n.last = n.λ
	if n.longer {
		n.stalled++
	}
	if n.stalled >= patience {
		return n.stuck()
	}
	return notDone
}

// stuck decides what to do at an iterate that no step improves.
func (n *newton) stuck() ending {
	if n.separated() {
		return separable
	}
	if !n.exact() {
		n.sharpen()
		return notDone
	}
	_, n.recedes = n.existence(true)
	if n.recedes != nil {
		return receding
	}
	return stuck
}

// stop records an ending in the path.
func (n *newton) stop(end ending) {
	out := n.out
	switch end {
	case optimum:
		λ := n.λ
		if λ <= n.Tol && n.it < n.MaxIt && !n.many() { // with many rows λ usually is far below Tol
			here, path := *n, *n.out
			n.advance() // one more step squares the error
			n.model()
			if n.precise && n.λ > λ { // λ is now the rounding of w, which may be longer
				*n, *n.out = here, path
			}
		}
		out.Converged = true
		out.Reason = fmt.Sprintf("converged after %d iterations: the last Newton step was %.1g standard errors long", n.steps(), λ)
	case receding:
		out.Direction, out.on = n.Coord.Inner(n.recedes.Direction), n.recedes.On
		out.Reason = n.endless(out.on, n.recedes.Pivots)
	case separable:
		out.Direction = out.W
		out.Reason = n.endless(0, 0)
	case blurred:
		out.Reason = n.uncertain
	case exhausted:
		out.Reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d, the Newton step is still %.2g standard errors long", n.it, n.λ) + n.remark()
	case stuck:
		why := "no step lowers the objective"
		if n.longer {
			why = fmt.Sprintf("the Newton step, %.2g standard errors long, gets no shorter", n.λ)
		}
		out.Reason = fmt.Sprintf("not converged: stopped after %d iterations, because %s", n.steps(), why) + n.remark()
	}
}

// steps returns how many steps the trace has.
func (n *newton) steps() int { return len(n.out.Trace) - 1 }

// endless returns the reason of a fit whose likelihood has no maximum because a hyperplane
// separates the classes with on rows on it. If pivots is not 0, the exact proof was left unfinished
// after so many, and the hyperplane was found in floating point.
func (n *newton) endless(on, pivots int) string {
	kind := "the classes are linearly separable:"
	switch {
	case on > 0 && pivots > 0:
		kind = fmt.Sprintf("the classes are quasi-separable: up to rounding, a hyperplane has every row on its side and %d rows on it (the exact proof is unfinished after %d pivots), so", on, pivots)
	case on > 0:
		kind = fmt.Sprintf("the classes are quasi-separable: a hyperplane has every row on its side and %d rows on it, so", on)
	}
	return fmt.Sprintf("%s the likelihood has no maximum, it grows as long as w does; W is the iterate after %d iterations; for finite weights use a Prior", kind, n.steps())
}

// remark returns the obstacle to convergence and a remedy, to be added to a reason.
func (n *newton) remark() string {
	switch {
	case n.Prior == nil && !n.Proper && n.Recede().Pivots > 0:
		return fmt.Sprintf("; the proof that the maximum exists is unfinished after %d pivots: use a Prior", n.Recede().Pivots)
	case n.Prior == nil && !n.Proper && !n.Recede().Known:
		return "; that the maximum exists is not proved: use a Prior"
	case n.q == nil || !n.q.R.Regular():
		return "; the Hessian is singular in double precision: look for columns or entries of extreme size"
	case n.precise || n.λ <= rounding:
		return "; rounding is in the way: " + n.outlying()
	}
	return ""
}

// outlying names the entry of x, or the weights, that the rounding most likely comes from.
func (n *newton) outlying() string {
	src := n.GLM.Design.Source()
	if least, most, extreme := src.Weights().Extreme(); extreme {
		return fmt.Sprintf("the weights of the rows reach from %.3g to %.3g: give weights nearer to 1", least, most)
	}
	rows, d := src.Dims()
	column, row, most, buf := 0, 0, 0.0, make([]float64, d)
	for i := range rows {
		x, _ := src.Rows(i, i+1, buf)
		for j, v := range x[:d] {
			if a := math.Abs(v); a > most {
				column, row, most = j, i, a
			}
		}
	}
	return fmt.Sprintf("column %d of x (from 0) reaches %.3g in row %d: look at that row, or centre and scale the column, and leave out columns that nearly depend on others", column, most, row)
}
