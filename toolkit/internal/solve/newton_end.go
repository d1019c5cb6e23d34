package solve

import (
	"fmt"
	"math"
)

// ending is why Newton's method stops.
type ending int

const (
	onward    ending = iota // it does not
	optimum                 // the step is short, and the minimum of E exists
	separable               // the iterate separates the classes
	receding                // E falls for ever along the direction of recedes
	blurred                 // rounding hides the optimum
	exhausted               // the iterations are used up
	stuck                   // no step lowers E, or none gets shorter
)

const (
	sharp      = 1e-6 // separating weights are good enough when the error is below this
	watchFrom  = 8    // iterations before quasi-separation is looked for
	watchEvery = 4    // and between two looks
	patience   = 3    // iterations that do not shorten a step of mere rounding
)

// examine decides whether the method ends at this iterate. Where the step is short it
// goes over to the precise gradient if that one differs.
func (n *newton) examine() ending {
	if n.separated() {
		// The first separating iterate may be little more than the least-squares
		// solution; later ones turn towards the widest margin.
		if n.e <= sharp || n.it >= n.MaxIt {
			return separable
		}
		return onward
	}
	short := n.λ <= n.Tol || n.λ <= rounding && n.λ > n.last/2
	if short && !n.exact() {
		n.sharpen()
		n.model()
		short = n.λ <= n.Tol
	}
	short = short && n.near()
	watch := n.it >= watchFrom && (n.it%watchEvery == 0 && n.λ <= settled || n.it >= n.MaxIt)
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
	n.longer = n.precise && n.λ <= settled && n.λ >= n.last // what is left is the rounding of w
	n.last = n.λ
	if n.longer {
		n.stalled++
	}
	if n.stalled >= patience {
		return n.stuck()
	}
	return onward
}

// stuck decides what to do at an iterate that no step improves.
func (n *newton) stuck() ending {
	if n.separated() {
		return separable
	}
	if !n.exact() {
		n.sharpen()
		return onward
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
		if λ <= n.Tol && n.it < n.MaxIt && !n.many() { // with many rows λ mostly is far below
			here, path := *n, *n.out
			n.advance() // one more step squares the error
			n.model()
			if n.precise && n.λ > λ { // down to the rounding of w, which may be longer
				*n, *n.out = here, path
			}
		}
		out.Converged = true
		out.Reason = fmt.Sprintf("converged after %d iterations: the last Newton step was %.1g standard errors long", n.steps(), λ)
	case receding:
		out.Direction, out.on = n.Coord.Inner(n.recedes.Direction), n.recedes.On
		out.Reason = n.endless(out.on)
	case separable:
		out.Direction = out.W
		out.Reason = n.endless(0)
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

// endless is the reason of a fit whose likelihood has no maximum, where a hyperplane
// separates the classes with so many rows on it.
func (n *newton) endless(on int) string {
	kind := "the classes are linearly separable:"
	if on > 0 {
		kind = fmt.Sprintf("the classes are quasi-separable: a hyperplane has every row on its side and %d rows on it, so", on)
	}
	return fmt.Sprintf("%s the likelihood has no maximum, it grows as long as w does; W is the iterate after %d iterations; for finite weights use a Prior", kind, n.steps())
}

// remark adds to a reason what hinders, and what helps.
func (n *newton) remark() string {
	switch {
	case n.Prior == nil && !n.Proper && !n.Recede().Known:
		return "; that the maximum exists is not proved: use a Prior"
	case n.q == nil || !n.q.R.Regular():
		return "; the Hessian is singular in double precision: look for columns or entries of extreme size"
	case n.precise || n.λ <= rounding:
		return "; rounding is in the way: " + n.outlying()
	}
	return ""
}

// outlying names the entry of x that the rounding most likely comes from.
func (n *newton) outlying() string {
	src := n.GLM.Design.Source()
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
